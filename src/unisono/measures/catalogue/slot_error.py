# SPDX-License-Identifier: MIT
"""Measures that pair the units of two annotators and count: Slot Error Rate and F1."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import CONLL_2003, GALIBERT_2010, MUC_1993, SEMEVAL_2013, VOC_2010

_NEEDS = "units with a start and an end; they may overlap; compared two by two"
_CATEGORIES = f"{_NEEDS}; categories where there are any"
_HOME = "unisono.measures.slot_error"

MEASURES = (
    MeasureInfo(
        name="ser",
        symbol="1-SER",
        needs=_CATEGORIES,
        explanation=(
            "Errors per unit of the reference, taken from 1: half an error for a wrong category or a wrong boundary, "
            "one for both, for a missed and for an added unit. A boundary that is off by one counts as much as one "
            "that is off by far, chance is not taken into account, and the value has no lower bound."
        ),
        papers=(GALIBERT_2010,),
        home=f"{_HOME}:ser",
        is_corrected=False,
    ),
    MeasureInfo(
        name="f1-exact",
        symbol="F1=",
        needs=_CATEGORIES,
        explanation=(
            "The share of the units that the other annotator marked with the same start, end and category. Anything "
            "less counts as nothing, and chance is not taken into account."
        ),
        papers=(CONLL_2003,),
        home=f"{_HOME}:f1_exact",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="f1-position",
        symbol="F1pos",
        needs=_NEEDS,
        explanation=(
            "The share of the units that the other annotator marked with the same start and end. Categories, near "
            "misses and chance are not taken into account."
        ),
        papers=(SEMEVAL_2013,),
        home=f"{_HOME}:f1_position",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="f1-partial",
        symbol="F1½",
        needs=_NEEDS,
        explanation=(
            "The share of the units that the other annotator marked, where a unit that only overlaps counts one half. "
            "Categories, the size of the overlap and chance are not taken into account."
        ),
        papers=(MUC_1993,),
        home=f"{_HOME}:f1_partial",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="f1-type",
        symbol="F1cat",
        needs=_CATEGORIES,
        explanation=(
            "The share of the units that overlap one of the same category by the other annotator. How much they "
            "overlap and chance are not taken into account."
        ),
        papers=(SEMEVAL_2013,),
        home=f"{_HOME}:f1_type",
        is_corrected=False,
        is_share=True,
    ),
    MeasureInfo(
        name="f1-iou",
        symbol="F1IoU",
        needs=_CATEGORIES,
        explanation=(
            "The share of the units for which the other annotator has one of the same category that shares at least "
            "half of what the two cover together. Below that half nothing counts, above it everything, and chance is "
            "not taken into account."
        ),
        papers=(VOC_2010,),
        home=f"{_HOME}:f1_iou",
        is_corrected=False,
        is_share=True,
    ),
)
