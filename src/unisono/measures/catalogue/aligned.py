# SPDX-License-Identifier: MIT
"""κ and α on γ's alignment."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import MATHET_2017

_NEEDS = "at least two annotators, units with categories, some of which are aligned"
_WARNING = (
    "The 2017 paper advises against it (section 4.2.6): weak pairs count as much as strong ones and chance is biased; "
    "gamma-cat is made for this."
)

MEASURES = (
    MeasureInfo(
        name="kappa-on-alignment",
        symbol="κ(γ)",
        needs=_NEEDS,
        explanation=(
            f"Cohen's κ with each unitary alignment of γ as an item, and empty units as missing values. {_WARNING}"
        ),
        papers=(MATHET_2017.at("section 4.2.6"),),
        home="unisono.measures.aligned:kappa_on_alignment",
    ),
    MeasureInfo(
        name="alpha-on-alignment",
        symbol="α(γ)",
        needs=_NEEDS,
        explanation=(
            "Krippendorff's α with each unitary alignment of γ as an item, and empty units as missing values. "
            f"{_WARNING}"
        ),
        papers=(MATHET_2017.at("section 4.2.6"),),
        home="unisono.measures.aligned:alpha_on_alignment",
    ),
)
