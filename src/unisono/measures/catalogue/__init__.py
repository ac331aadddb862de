# SPDX-License-Identifier: MIT
"""The catalogue of measures, one file a family; light enough to be listed without loading numpy."""

from __future__ import annotations

from unisono.measures.catalogue import aligned, discretised, gamma, kappa, krippendorff, segmentation, units
from unisono.measures.info import MeasureInfo

CATALOGUE: tuple[MeasureInfo, ...] = tuple(
    info
    for family in (gamma, krippendorff, kappa, discretised, aligned, segmentation, units)
    for info in family.MEASURES
)
