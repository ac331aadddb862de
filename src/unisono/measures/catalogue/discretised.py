# SPDX-License-Identifier: MIT
"""κ and α on a continuum cut into atoms."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import MATHET_2015, REIDSMA_2008

_NEEDS = "at least two annotators, whose own units do not overlap"

MEASURES = (
    MeasureInfo(
        name="kappa-d",
        symbol="κd",
        needs=_NEEDS,
        explanation=(
            'κ (Fleiss\' K for more than two annotators) of the continuum cut into atoms, "blank" being a category. It '
            "cannot tell one unit from two that touch, counts agreement on blanks, and long units outweigh short ones."
        ),
        papers=(REIDSMA_2008, MATHET_2015.at("section 6.2")),
        home="unisono.measures.discretised:kappa_d",
    ),
    MeasureInfo(
        name="alpha-d",
        symbol="αd",
        needs=_NEEDS,
        explanation=(
            'Krippendorff\'s α of the continuum cut into atoms, "blank" being a category, with the distances of '
            "the categories. It cannot tell one unit from two that touch, counts agreement on blanks, and long units "
            "outweigh short ones."
        ),
        papers=(REIDSMA_2008, MATHET_2015.at("section 6.2")),
        home="unisono.measures.discretised:alpha_d",
    ),
)
