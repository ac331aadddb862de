# SPDX-License-Identifier: MIT
"""Near pairs for a dissimilarity written in Python: it is computed for every pair of different annotators."""

from __future__ import annotations

import numpy as np

from unisono.dissimilarity import Dissimilarity
from unisono.model import Continuum, FloatArray, IntArray

#: Pairs in one call of the dissimilarity; bounds the memory of the call, not of the pairs that are kept.
CHUNK = 1 << 18


def near_pairs(continuum: Continuum, dissimilarity: Dissimilarity) -> tuple[IntArray, IntArray, FloatArray]:
    """Pairs of units (by index) that may share a unitary alignment, with their dissimilarities.

    With C = n(n-1)/2, no pair with d > (C + n - 1) * delta_empty can: no other units can compensate for it.
    """
    n = continuum.n_annotators
    limit = (n * (n - 1) / 2 + n - 1) * dissimilarity.delta_empty * (1 + 1e-9)
    first_after = np.cumsum(continuum.counts)  # units are sorted by annotator
    kept: list[tuple[IntArray, IntArray, FloatArray]] = []
    waiting_u: list[IntArray] = []
    waiting_v: list[IntArray] = []
    waiting = 0

    def compute() -> None:
        u, v = np.concatenate(waiting_u), np.concatenate(waiting_v)
        d = dissimilarity.between(continuum, u, v)
        near = d <= limit
        kept.append((u[near], v[near], d[near]))

    for unit in range(continuum.n_units):
        later = np.arange(first_after[continuum.annotator_codes[unit]], continuum.n_units, dtype=np.int32)
        if len(later) == 0:
            break
        waiting_u.append(np.full(len(later), unit, dtype=np.int32))
        waiting_v.append(later)
        waiting += len(later)
        if waiting >= CHUNK:
            compute()
            waiting_u, waiting_v, waiting = [], [], 0
    if waiting:
        compute()
    if not kept:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float64)
    u, v, d = (np.ascontiguousarray(np.concatenate(column)) for column in zip(*kept, strict=True))
    return u, v, d
