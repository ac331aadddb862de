# SPDX-License-Identifier: MIT
"""κ and α on γ's alignment, named apart from κ and α."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo

_NEEDS = "at least two annotators, units with categories, some of which are aligned"
_WARNING = (
    "The 2017 paper advises against it (section 4.2.6): weak pairs count as much as strong ones and chance is biased; "
    "gamma-cat is made for this."
)
_GAMMA_CAT_2017 = (
    "Yann Mathet (2017). The Agreement Measure γcat, a Complement to γ Focused on Categorization of a Continuum. "
    "Computational Linguistics 43(3), 661-681, section 4.2.6."
)

MEASURES = (
    MeasureInfo(
        name="kappa-on-alignment",
        symbol="κ(γ)",
        needs=_NEEDS,
        explanation=(
            f"Cohen's κ with each unitary alignment of γ as an item, and empty units as missing values. {_WARNING}"
        ),
        citation=_GAMMA_CAT_2017,
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
        citation=_GAMMA_CAT_2017,
        home="unisono.measures.aligned:alpha_on_alignment",
    ),
)
