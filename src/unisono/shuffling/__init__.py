# SPDX-License-Identifier: MIT
"""The corpus shuffling tool: references from a model, annotators who err in known ways, the truth of what they did.

After Mathet et al. 2012 (COLING) as described by Mathet et al. 2015, section 6.3; for texts, Barteld et al. 2016,
section 7.
"""

from __future__ import annotations

from unisono.shuffling.boundaries import BoundaryErrors
from unisono.shuffling.categories import CategoryErrors
from unisono.shuffling.distributions import Distribution, Empirical, Fixed, LogNormal, Uniform
from unisono.shuffling.named import ERRORS, described, errors_of, parsed_errors
from unisono.shuffling.numbers import FalseNegatives, FalsePositives
from unisono.shuffling.pieces import Merges, Splits
from unisono.shuffling.positions import PositionErrors
from unisono.shuffling.protocol import Errors
from unisono.shuffling.reference import REFERENCE, CategoryModel, ReferenceModel
from unisono.shuffling.sheet import Done, Sheet, Surroundings
from unisono.shuffling.shuffled import Shuffled, shuffle, shuffled_corpus, shuffled_sets
from unisono.shuffling.text import LabelErrors, SegmentationErrors, ShuffledText, TextErrors, TextTruth, shuffle_text
from unisono.shuffling.truth import Truth

__all__ = [
    "ERRORS",
    "REFERENCE",
    "BoundaryErrors",
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
    "described",
    "errors_of",
    "parsed_errors",
    "shuffle",
    "shuffle_text",
    "shuffled_corpus",
    "shuffled_sets",
]
