# SPDX-License-Identifier: MIT
"""The γ family: agreement on units and their categories, by the best alignment."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo

_GAMMA_2015 = (
    "Yann Mathet, Antoine Widlöcher, Jean-Philippe Métivier (2015). The Unified and Holistic Method Gamma (γ) "
    "for Inter-Annotator Agreement Measure and Alignment. Computational Linguistics 41(3), 437-479."
)
_GAMMA_CAT_2017 = (
    "Yann Mathet (2017). The Agreement Measure γcat, a Complement to γ Focused on Categorization of a Continuum. "
    "Computational Linguistics 43(3), 661-681."
)
_HOME = "unisono.measures.family:gamma_family"

MEASURES = (
    MeasureInfo(
        name="gamma",
        symbol="γ",
        needs="at least two annotators, units with a start and an end; categories where there are any",
        explanation=(
            "Agreement on where the units are and on what they are, taken together: 1 when the annotators agree on "
            "everything, 0 at chance level, below 0 when they agree less than by chance."
        ),
        citation=_GAMMA_2015,
        home=_HOME,
        is_family=True,
    ),
    MeasureInfo(
        name="gamma-cat",
        symbol="γcat",
        needs="at least two annotators, units with categories, some of which the annotators place alike",
        explanation=(
            "Agreement on the categories alone, of units that the best alignment puts together, each pair weighing as "
            "much as its positions agree. It says nothing about units that only one annotator marked."
        ),
        citation=_GAMMA_CAT_2017,
        home=_HOME,
        is_family=True,
    ),
    MeasureInfo(
        name="gamma-k",
        symbol="γk",
        needs="as gamma-cat; for each category, aligned units of which at least one has it",
        explanation=(
            "γcat for each category by itself: how reliably the annotators recognise it. "
            "A category that is never aligned with anything has no value."
        ),
        citation=_GAMMA_CAT_2017,
        home=_HOME,
        is_family=True,
    ),
    MeasureInfo(
        name="soft-gamma",
        symbol="soft-γ",
        needs="as gamma",
        explanation=(
            "γ with each unit in at least one unitary alignment instead of exactly one, so that a long unit can match "
            "several short ones. It forgives splits and merges that γ counts as missing units."
        ),
        citation=(
            "Hadrien Titeux, Rachid Riad (2021). pygamma-agreement: Gamma γ measure for inter/intra-annotator "
            "agreement in Python. Journal of Open Source Software 6(62), 2989."
        ),
        home="unisono.measures.soft_gamma:soft_gamma_family",
        is_family=True,
    ),
)
