# SPDX-License-Identifier: MIT
"""κ and α on a continuum cut into atoms."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo

_NEEDS = "at least two annotators, whose own units do not overlap"
_REIDSMA = (
    "Dennis Reidsma (2008). Annotations and Subjective Machines: Of Annotators, Embodied Agents, Users, and Other "
    "Humans. PhD thesis, University of Twente"
)
_GAMMA_2015 = (
    "Yann Mathet, Antoine Widlöcher, Jean-Philippe Métivier (2015). The Unified and Holistic Method Gamma (γ) "
    "for Inter-Annotator Agreement Measure and Alignment. Computational Linguistics 41(3), 437-479, section 6.2."
)

MEASURES = (
    MeasureInfo(
        name="kappa-d",
        symbol="κd",
        needs=_NEEDS,
        explanation=(
            'κ (Fleiss\' K for more than two annotators) of the continuum cut into atoms, "blank" being a category. It '
            "cannot tell one unit from two that touch, counts agreement on blanks, and long units outweigh short ones."
        ),
        citation=f"{_REIDSMA}; {_GAMMA_2015}",
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
        citation=f"{_REIDSMA}; {_GAMMA_2015}",
        home="unisono.measures.discretised:alpha_d",
    ),
)
