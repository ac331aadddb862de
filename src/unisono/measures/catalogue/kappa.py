# SPDX-License-Identifier: MIT
"""Agreement on the categories of given items, from the percentage to Gwet's AC2."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import (
    BENNETT_1954,
    COHEN_1960,
    COHEN_1968,
    CONGER_1980,
    DAVIES_1982,
    FLEISS_1971,
    GWET_2008,
    GWET_2014,
    SCOTT_1955,
)

_TWO = "predefined units, with categories; more than two annotators: mean over their pairs"
_ANY = "predefined units, with categories; at least two annotators"
_DISTANCES = "; distances of the categories"

MEASURES = (
    MeasureInfo(
        name="percentage",
        symbol="%",
        needs=_ANY,
        explanation=(
            "The share of pairs of annotators that gave an item the same category. "
            "It is not corrected for chance: with two categories, random values agree on half of the items."
        ),
        papers=(FLEISS_1971,),
        home="unisono.measures.kappa:percentage",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="s",
        symbol="S (Bennett)",
        needs=_ANY,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance gives all categories equally often. "
            "It ignores that some categories are more frequent, and rises with the number of categories in use."
        ),
        papers=(BENNETT_1954,),
        home="unisono.measures.kappa:s",
    ),
    MeasureInfo(
        name="kappa",
        symbol="κ",
        needs=_TWO,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance keeps each annotator's frequencies. "
            "All disagreements count the same, and annotators with different frequencies get a higher value."
        ),
        papers=(COHEN_1960,),
        home="unisono.measures.kappa:kappa",
    ),
    MeasureInfo(
        name="weighted-kappa",
        symbol="κw",
        needs=_TWO + _DISTANCES,
        explanation=(
            "κ in which a disagreement counts by the distance of its two categories (the categorial dissimilarity). "
            "With the nominal distance it is κ; positions of units are ignored."
        ),
        papers=(COHEN_1968,),
        home="unisono.measures.kappa:weighted_kappa",
    ),
    MeasureInfo(
        name="pi",
        symbol="π",
        needs=_TWO,
        explanation=(
            "Agreement on the category of each item beyond chance, where chance keeps the frequencies of both "
            "annotators together. All disagreements count the same, and rare categories make the value unstable."
        ),
        papers=(SCOTT_1955,),
        home="unisono.measures.kappa:pi",
    ),
    MeasureInfo(
        name="fleiss-k",
        symbol="K",
        needs=_ANY,
        explanation=(
            "π for any number of annotators, who need not be the same for every item; overall and for each category. "
            "All disagreements count the same, and it is ignored who gave a value."
        ),
        papers=(FLEISS_1971,),
        home="unisono.measures.kappa:fleiss_k",
    ),
    MeasureInfo(
        name="multi-kappa",
        symbol="multi-κ",
        needs=_ANY,
        explanation=(
            "κ for any number of annotators: chance keeps each one's own frequencies, over all pairs of annotators. "
            "All disagreements count the same, and annotators with different frequencies get a higher value."
        ),
        papers=(DAVIES_1982, CONGER_1980),
        home="unisono.measures.kappa:multi_kappa",
    ),
    MeasureInfo(
        name="ac1",
        symbol="AC1",
        needs=_ANY,
        explanation=(
            "Agreement on the category of each item beyond chance, where only hard items are agreed on by chance: it "
            "stays high where one category prevails and κ drops. It depends on the number of categories."
        ),
        papers=(GWET_2008,),
        home="unisono.measures.kappa:ac1",
    ),
    MeasureInfo(
        name="ac2",
        symbol="AC2",
        needs=_ANY + _DISTANCES,
        explanation=(
            "AC1 in which a disagreement counts by the distance of its two categories (the categorial dissimilarity). "
            "With the nominal distance it is AC1; it depends on the number of categories."
        ),
        papers=(GWET_2014,),
        home="unisono.measures.kappa:ac2",
    ),
)
