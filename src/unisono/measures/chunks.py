# SPDX-License-Identifier: MIT
"""Pairs of rows in chunks, and sums over them: as many pairs as there are, in as little memory as we like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.measures.items import joined, summed
from unisono.model import FloatArray

Index = NDArray[np.int64]

#: Pairs that are looked at together: a few columns of them stay within the caches of a processor.
PAIRS_AT_ONCE = 1 << 18
#: Up to so many keys a tally has a place for each; more are sorted.
MOST_KEYS = 1 << 16


def in_chunks(low: NDArray[Any], high: NDArray[Any], *, at_once: int = PAIRS_AT_ONCE) -> Iterator[tuple[Index, Index]]:
    """Every row i with each of the rows from low[i] to high[i] - 1, as pairs of columns; rows are never torn apart.

    >>> [(p.tolist(), q.tolist()) for p, q in in_chunks(np.array([1, 2, 3]), np.array([3, 3, 3]), at_once=2)]
    [([0, 0], [1, 2]), ([1], [2])]
    """
    low, high = np.asarray(low, dtype=np.int64), np.maximum(low, high).astype(np.int64)
    until = np.cumsum(high - low)
    first = 0
    while first < len(low):
        done = until[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(until, done + at_once, side="right")))
        p, q = joined(low[first:last], high[first:last])
        if len(p):
            yield p + first, q
        first = last


class Tally:
    """Sums by key, from chunks of (key, amount), for keys below `size`; few numbers are kept, whatever is added.

    >>> tally = Tally(10)
    >>> tally.add(np.array([7, 3, 7]), np.array([1.0, 2.0, 3.0]))
    >>> tally.add(np.array([3]), np.array([0.5]))
    >>> [column.tolist() for column in tally.sums()]
    [[3, 7], [2.5, 4.0]]
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._dense = np.zeros(size) if size <= MOST_KEYS else None
        self._parts: list[tuple[Index, FloatArray]] = []

    def add(self, keys: Index, amounts: FloatArray) -> None:
        if self._dense is None:
            self._parts.append(_by_key(keys, amounts))
        else:
            self._dense += summed(keys, amounts, self._size)

    def sums(self) -> tuple[Index, FloatArray]:
        """The keys for which something was added, sorted, and how much."""
        if self._dense is not None:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        if not self._parts:
            return np.empty(0, dtype=np.int64), np.empty(0)
        keys, amounts = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        return _by_key(keys, amounts)


def _by_key(keys: Index, amounts: FloatArray) -> tuple[Index, FloatArray]:
    different, place = np.unique(keys, return_inverse=True)
    return different, summed(place, amounts, len(different))
