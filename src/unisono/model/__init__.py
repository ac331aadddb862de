# SPDX-License-Identifier: MIT
"""The data model: Unit, Feature, Extent, Continuum, Corpus, UnitaryAlignment, Alignment."""

from unisono.model.alignments import Alignment, AlignmentBase, UnitaryAlignment
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.units import (
    CATEGORY,
    Extent,
    ExtentSource,
    Feature,
    FloatArray,
    IntArray,
    Position,
    PositionArray,
    TimeUnit,
    Unit,
)
from unisono.settings.bounds import LARGEST_POSITION

__all__ = [
    "CATEGORY",
    "LARGEST_POSITION",
    "Alignment",
    "AlignmentBase",
    "Continuum",
    "Corpus",
    "Extent",
    "ExtentSource",
    "Feature",
    "FloatArray",
    "IntArray",
    "Position",
    "PositionArray",
    "TimeUnit",
    "Unit",
    "UnitaryAlignment",
]
