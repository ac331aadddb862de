# SPDX-License-Identifier: MIT
"""text-γ: for annotators who may each have a text of their own."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo
from unisono.measures.papers import BARTELD_2016

MEASURES = (
    MeasureInfo(
        name="text-gamma",
        symbol="tγ",
        needs="the text, each annotator's own where they differ, with units that do not overlap within their type",
        explanation=(
            "Agreement of annotators who correct the text and its segmentation besides labelling it: 1 when they agree "
            "on everything, 0 when no more than random corrections of the same starting text would, below 0 when less. "
            "It cannot see changes outside units unless gaps count, nor that a passage was moved."
        ),
        papers=(BARTELD_2016,),
        home="unisono.measures.text_gamma:text_family",
        is_family=True,
    ),
)
