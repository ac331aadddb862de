# SPDX-License-Identifier: MIT
"""Krippendorff's family: α for predefined units, and the alphas for units that annotators place themselves."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import KRIPPENDORFF_1995, KRIPPENDORFF_2013, KRIPPENDORFF_2016

_NO_OVERLAP = "units of one annotator that do not overlap"
_INTERSECTING = "units with categories, some of which intersect those of another annotator; they may overlap"

MEASURES = (
    MeasureInfo(
        name="alpha",
        symbol="α",
        needs="predefined units with categories (missing values are fine)",
        explanation=(
            "Agreement on the categories of units that were given to the annotators, corrected for chance; categories "
            "may be nominal, ordinal, interval, ratio or have distances of their own. "
            "It cannot see whether the annotators would have found the same units."
        ),
        papers=(KRIPPENDORFF_2013.at("chapter 12"),),
        home="unisono.measures.krippendorff:alpha",
    ),
    MeasureInfo(
        name="alpha-u-1995",
        symbol="αU",
        needs="units of one category and annotator that do not overlap; those of different categories may",
        explanation=(
            "For each category by itself, how far apart the boundaries of overlapping units are, squared, and how long "
            "the units are that the others do not have. It cannot see that two annotators gave one stretch different "
            "categories: that counts as a unit missing in each."
        ),
        papers=(KRIPPENDORFF_1995,),
        home="unisono.measures.alpha_u_1995:alpha_u_1995",
    ),
    MeasureInfo(
        name="u-alpha-2013",
        symbol="uα (2013)",
        needs=_NO_OVERLAP,
        explanation=(
            "Agreement on units, gaps and categories at once, by the squared lengths of the stretches on which two "
            "annotators differ. Long units outweigh short ones by far, close categories count as different, a unit "
            "split in two goes unseen; for more than two annotators take u-alpha."
        ),
        papers=(KRIPPENDORFF_2013.at("chapter 12"),),
        home="unisono.measures.u_alpha:u_alpha_2013",
    ),
    MeasureInfo(
        name="u-alpha",
        symbol="uα",
        needs=_NO_OVERLAP,
        explanation=(
            "Agreement on units, gaps and categories at once, by the lengths of the stretches on which two annotators "
            "differ, for any number of them. It counts space, not units: a unit split in two goes unseen, close "
            "categories count as different."
        ),
        papers=(KRIPPENDORFF_2016,),
        home="unisono.measures.unitizing_2016:u_alpha",
    ),
    MeasureInfo(
        name="bar-u-alpha",
        symbol="|uα",
        needs=_NO_OVERLAP,
        explanation=(
            "Agreement on what is a unit and what is not, whatever the categories. "
            "It counts space, not units: long units outweigh short ones, and a boundary between neighbours goes unseen."
        ),
        papers=(KRIPPENDORFF_2016,),
        home="unisono.measures.unitizing_2016:bar_u_alpha",
    ),
    MeasureInfo(
        name="cu-alpha",
        symbol="cuα",
        needs=_INTERSECTING,
        explanation=(
            "Agreement on the categories wherever units of two annotators intersect (the c|uα of 2013), with any "
            "distance of categories. Units that nobody else marked do not count, and every intersection does, also of "
            "neighbours that only touch because a boundary is shifted."
        ),
        papers=(KRIPPENDORFF_2016,),
        home="unisono.measures.unitizing_2016:cu_alpha",
    ),
    MeasureInfo(
        name="k-alpha",
        symbol="kα",
        needs=_INTERSECTING,
        explanation=(
            "cuα for each category by itself: where one annotator has it, do the others who marked a unit there have "
            "it too? A category whose units never intersect another annotator's has no value."
        ),
        papers=(KRIPPENDORFF_2016,),
        home="unisono.measures.unitizing_2016:k_alpha",
        is_per_category=True,
    ),
)
