# SPDX-License-Identifier: MIT
"""How unlike two units are: positional, categorial and combined dissimilarities, and users' own (2015, section 4.4).

The formulas of the positional parts, of f_cat and of the combination are in the core only; the categorial
distances become a table over the labels in use, which the core looks up.
"""

from __future__ import annotations

from unisono.dissimilarity.categorial import (
    Categorial,
    FunctionCategorial,
    Interval,
    Levenshtein,
    Nominal,
    Ordinal,
    SetValued,
    Tree,
)
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.function import FunctionDissimilarity
from unisono.dissimilarity.interface import Dissimilarity
from unisono.dissimilarity.matrix import Matrix, read_matrix
from unisono.dissimilarity.positional import Absolute, Boundary, FunctionPositional, Positional, Sporadic
from unisono.dissimilarity.program_2017 import Program2017Dissimilarity
from unisono.dissimilarity.ratio import Ratio

__all__ = [
    "Absolute",
    "Boundary",
    "Categorial",
    "CombinedDissimilarity",
    "Dissimilarity",
    "FunctionCategorial",
    "FunctionDissimilarity",
    "FunctionPositional",
    "Interval",
    "Levenshtein",
    "Matrix",
    "Nominal",
    "Ordinal",
    "Positional",
    "Program2017Dissimilarity",
    "Ratio",
    "SetValued",
    "Sporadic",
    "Tree",
    "read_matrix",
]
