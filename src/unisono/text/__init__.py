# SPDX-License-Identifier: MIT
"""text-γ: versions of a text, their sequence alignment, their dissimilarity, random edits.

Barteld et al. 2016, KONVENS; docs/text-gamma.md says more.
"""

from __future__ import annotations

from unisono.model.versions import GAP, TOKEN, TextUnit, TextVersions, Version
from unisono.text.edits import Prior, RandomEdits, Rates
from unisono.text.text_dissimilarity import TextDissimilarity
from unisono.text.version_alignment import TextAlignment, TextUnitaryAlignment, best_text_alignment, observed_disorder
from unisono.text.version_reading import ReadingOptions, read_versions

__all__ = [
    "GAP",
    "TOKEN",
    "Prior",
    "RandomEdits",
    "Rates",
    "ReadingOptions",
    "TextAlignment",
    "TextDissimilarity",
    "TextUnit",
    "TextUnitaryAlignment",
    "TextVersions",
    "Version",
    "best_text_alignment",
    "observed_disorder",
    "read_versions",
]
