# SPDX-License-Identifier: MIT
"""text-γ: for annotators who each have a text of their own."""

from __future__ import annotations

from unisono.measures.info import MeasureInfo

MEASURES = (
    MeasureInfo(
        name="text-gamma",
        symbol="tγ",
        needs="one version of the text by each annotator, with units on it that do not overlap within their type",
        explanation=(
            "Agreement of annotators who correct the text and its segmentation besides labelling it: 1 when they agree "
            "on everything, 0 when no more than random corrections of the same starting text would, below 0 when less. "
            "It cannot see changes outside units unless gaps count, nor that a passage was moved."
        ),
        citation=(
            "Fabian Barteld, Ingrid Schröder, Heike Zinsmeister (2016). text-gamma: inter-annotator agreement for "
            "categorization with simultaneous segmentation and transcription-error correction. KONVENS 2016."
        ),
        home="unisono.measures.text_gamma:text_gamma",
    ),
)
