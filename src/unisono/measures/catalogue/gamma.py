# SPDX-License-Identifier: MIT
"""The γ family: agreement on units and their categories, by the best alignment."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import MATHET_2015, MATHET_2017, TITEUX_2021

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
        papers=(MATHET_2015,),
        home=_HOME,
        is_family=True,
    ),
    MeasureInfo(
        name="gamma-cat",
        symbol="γcat",
        needs="at least two annotators, units with categories, some of them at about the same positions",
        explanation=(
            "Agreement on the categories alone, of units in one unitary alignment of the best alignment; pairs whose "
            "positions agree more weigh more. It ignores units that only one annotator marked."
        ),
        papers=(MATHET_2017,),
        home=_HOME,
        is_family=True,
    ),
    MeasureInfo(
        name="gamma-k",
        symbol="γk",
        needs="as gamma-cat; for each category, aligned units of which at least one has it",
        explanation=(
            "γcat for each category by itself: how reliably the annotators recognise it. "
            "A category whose units are never aligned has no value."
        ),
        papers=(MATHET_2017,),
        home=_HOME,
        is_family=True,
        is_per_category=True,
    ),
    MeasureInfo(
        name="soft-gamma",
        symbol="soft-γ",
        needs="as gamma",
        explanation=(
            "γ with each unit in at least one unitary alignment instead of exactly one, so that a long unit can match "
            "several short ones. Splits and merges, which γ counts as missing units, cost little."
        ),
        papers=(TITEUX_2021,),
        home="unisono.measures.soft_gamma:soft_gamma_family",
        is_family=True,
    ),
)
