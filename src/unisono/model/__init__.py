# SPDX-License-Identifier: MIT
"""The data model: Unit, Feature, Extent, Continuum, Corpus, UnitaryAlignment, Alignment."""

from unisono.model.alignment import Alignment, AlignmentBase, UnitaryAlignment
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.units import (
    CATEGORY,
    LARGEST_POSITION,
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
