# SPDX-License-Identifier: MIT
"""The corpus shuffling tool: references drawn from a model, annotators who make known errors, and what they did.

After Mathet et al. 2012 (COLING, 809-818) as described by Mathet et al. 2015, section 6.3; for texts, Barteld et al.
2016, section 7.
"""

from __future__ import annotations

from unisono.shuffling.boundary_errors import BoundaryErrors
from unisono.shuffling.category_errors import CategoryErrors
from unisono.shuffling.distributions import Distribution, Empirical, Fixed, LogNormal, Uniform
from unisono.shuffling.error_type import Errors
from unisono.shuffling.named import ERRORS, describe_errors, errors_of, parse_errors
from unisono.shuffling.number_errors import FalseNegatives, FalsePositives
from unisono.shuffling.piece_errors import Merges, Splits
from unisono.shuffling.position_errors import PositionErrors
from unisono.shuffling.reference import REFERENCE, CategoryModel, ReferenceModel
from unisono.shuffling.sheet import Done, Sheet, Surroundings
from unisono.shuffling.shuffled import Shuffled, error_factors, shuffle, shuffled_corpus, shuffled_sets
from unisono.shuffling.systematic_errors import BoundaryHabit, CategoryConfusion
from unisono.shuffling.text_errors import (
    LabelErrors,
    SegmentationErrors,
    ShuffledText,
    TextErrors,
    TextTruth,
    shuffle_text,
)
from unisono.shuffling.truth import Truth

__all__ = [
    "ERRORS",
    "REFERENCE",
    "BoundaryErrors",
    "BoundaryHabit",
    "CategoryConfusion",
    "CategoryErrors",
    "CategoryModel",
    "Distribution",
    "Done",
    "Empirical",
    "Errors",
    "FalseNegatives",
    "FalsePositives",
    "Fixed",
    "LabelErrors",
    "LogNormal",
    "Merges",
    "PositionErrors",
    "ReferenceModel",
    "SegmentationErrors",
    "Sheet",
    "Shuffled",
    "ShuffledText",
    "Splits",
    "Surroundings",
    "TextErrors",
    "TextTruth",
    "Truth",
    "Uniform",
    "describe_errors",
    "error_factors",
    "errors_of",
    "parse_errors",
    "shuffle",
    "shuffle_text",
    "shuffled_corpus",
    "shuffled_sets",
]
