# SPDX-License-Identifier: MIT
"""A continuum as the core takes it: contiguous columns, and the kernel that compares their units where there is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono._core import Kernel
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.protocol import Dissimilarity
from unisono.model import Continuum, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class CoreColumns:
    """The units of a continuum for the core; `kernel` is None when only Python can compare them."""

    starts: FloatArray
    ends: FloatArray
    categories: IntArray
    annotators: IntArray
    n_annotators: int
    kernel: Kernel | None

    @classmethod
    def of(cls, continuum: Continuum, dissimilarity: Dissimilarity) -> CoreColumns:
        kernel, labels = None, continuum.features["category"]
        if isinstance(dissimilarity, CombinedDissimilarity):
            labels = dissimilarity.column(continuum)
            kernel = dissimilarity.kernel(labels.labels)
        return cls(
            np.ascontiguousarray(continuum.starts, dtype=np.float64),
            np.ascontiguousarray(continuum.ends, dtype=np.float64),
            np.ascontiguousarray(labels.codes, dtype=np.int32),
            np.ascontiguousarray(continuum.annotator_codes, dtype=np.int32),
            continuum.n_annotators,
            kernel,
        )
