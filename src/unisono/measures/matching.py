# SPDX-License-Identifier: MIT
"""One-to-one matchings between two sides at the least cost, many independent ones in one call to the core."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unisono._core import align_pairs
from unisono.alignment import NO_LIMITS
from unisono.arrays import repeat
from unisono.measures.chunks import Index
from unisono.model import FloatArray


def least_cost_matching(
    one: tuple[FloatArray, FloatArray],
    other: tuple[FloatArray, FloatArray],
    u: Index,
    v: Index,
    cost: FloatArray,
    *,
    alone: float,
) -> NDArray[np.bool_]:
    """Which edges belong to the matching of least cost, where every node without a partner costs `alone`. Exact.

    Edge e joins u[e] of one side to v[e] of the other, at cost[e]; only edges that cost less than 2 * alone are ever
    chosen. Ties are broken by the positions (starts, ends) of both sides, not by the order of the columns.

    >>> ends = np.array([4.0, 9.0])
    >>> u, v, cost = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0.1, 0.5, 0.2])
    >>> least_cost_matching((ends - 3, ends), (ends - 2, ends), u, v, cost, alone=1.0).tolist()
    [False, True, True]
    """
    if len(u) == 0:
        return np.zeros(0, dtype=bool)
    n, m = len(one[0]), len(other[0])
    zeros = np.zeros(n + m, dtype=np.int32)
    group = align_pairs(
        np.concatenate((one[0], other[0])),
        np.concatenate((one[1], other[1])),
        zeros,
        zeros,
        repeat(np.array([0, 1], dtype=np.int32), (n, m)),
        2,
        alone,
        u.astype(np.int32),
        (v + n).astype(np.int32),
        np.ascontiguousarray(cost, dtype=np.float64),
        NO_LIMITS,
    )[0]
    chosen: NDArray[np.bool_] = group[u] == group[v + n]
    return chosen
