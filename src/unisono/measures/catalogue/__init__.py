# SPDX-License-Identifier: MIT
"""The catalogue of measures, one module for each family; it does not load numpy."""

from __future__ import annotations

from unisono.measures.catalogue import (
    aligned,
    discretised,
    gamma,
    kappa,
    krippendorff,
    segmentation,
    slot_error,
    text_gamma,
)
from unisono.measures.info import MeasureInfo

CATALOGUE: tuple[MeasureInfo, ...] = tuple(
    info
    for family in (gamma, text_gamma, krippendorff, kappa, discretised, aligned, segmentation, slot_error)
    for info in family.MEASURES
)
