# SPDX-License-Identifier: MIT
"""A continuum as the core takes it: contiguous columns, and the kernel that compares their units where there is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono._core import Kernel
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.protocol import Dissimilarity
from unisono.model import CATEGORY, Continuum, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class CoreColumns:
    """The units of a continuum for the core; `kernel` is None when only Python can compare them.

    `categories` are the labels that the dissimilarity compares, `contents` tell units apart that differ in any label:
    ties between alignments are broken by contents, whatever the dissimilarity looks at.
    """

    starts: FloatArray
    ends: FloatArray
    categories: IntArray
    contents: IntArray
    annotators: IntArray
    n_annotators: int
    kernel: Kernel | None

    @property
    def units(self) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray, int]:
        """The columns in the order in which every function of the core takes them."""
        return self.starts, self.ends, self.categories, self.contents, self.annotators, self.n_annotators

    @classmethod
    def of(cls, continuum: Continuum, dissimilarity: Dissimilarity) -> CoreColumns:
        kernel, labels = None, continuum.features[CATEGORY]
        if isinstance(dissimilarity, CombinedDissimilarity):
            labels = dissimilarity.column(continuum)
            kernel = dissimilarity.kernel(labels.labels)
        return cls(
            np.ascontiguousarray(continuum.starts, dtype=np.float64),
            np.ascontiguousarray(continuum.ends, dtype=np.float64),
            np.ascontiguousarray(labels.codes, dtype=np.int32),
            contents(continuum),
            np.ascontiguousarray(continuum.annotator_codes, dtype=np.int32),
            continuum.n_annotators,
            kernel,
        )


def contents(continuum: Continuum) -> IntArray:
    """One code for each combination of labels, sorted by category first."""
    columns = [continuum.category_codes, *(f.codes for name, f in continuum.features.items() if name != CATEGORY)]
    if len(columns) == 1:
        return np.ascontiguousarray(columns[0], dtype=np.int32)
    _, codes = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return codes.reshape(-1).astype(np.int32)
