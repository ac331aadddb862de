# SPDX-License-Identifier: MIT
"""Columns: pairs of rows, whole or in chunks that bound the memory, sums by code, and merged tables of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.model import Feature, FloatArray, IntArray

Index = NDArray[np.int64]

#: Pairs in a chunk: a few columns of this length fit into the caches of a processor.
PAIRS_AT_ONCE = 1 << 18
#: Rows in a block of `range_blocks`.
BLOCK = 2_000_000
#: Up to this many keys a tally is an array with an entry for each key; with more, keys are sorted.
MOST_KEYS = 1 << 16


def ranges(low: Index, high: Index) -> tuple[Index, Index]:
    """Every i together with each of the numbers from low[i] to high[i] - 1, as two columns.

    >>> [column.tolist() for column in ranges(np.array([5, 0, 7]), np.array([7, 0, 8]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    count = np.maximum(high - low, 0)
    left = repeat(np.arange(len(low)), count)
    return left, np.arange(len(left)) + repeat(low - (np.cumsum(count) - count), count)


def range_blocks(low: Index, high: Index) -> Iterator[tuple[Index, Index]]:
    """As `ranges`, in blocks of about BLOCK rows, so that memory does not limit their number; high >= low."""
    so_far = np.cumsum(high - low)
    n_rows = int(so_far[-1]) if len(so_far) else 0
    bounds = np.searchsorted(so_far, np.arange(BLOCK, n_rows, BLOCK)).tolist()
    for first, last in pairwise([0, *bounds, len(low)]):
        left, right = ranges(low[first:last], high[first:last])
        if len(left):
            yield left + first, right


def sum_by_code(codes: NDArray[Any], amounts: NDArray[Any], n: int) -> FloatArray:
    """The sum of the amounts of each code from 0 to n - 1.

    >>> sum_by_code(np.array([0, 2, 2]), np.array([1, 2, 0.5]), 3).tolist()
    [1.0, 0.0, 2.5]
    """
    return np.bincount(codes, amounts, minlength=n).astype(np.float64, copy=False)


def merge_labels(columns: Sequence[Feature]) -> tuple[IntArray, tuple[str, ...]]:
    """The codes of all columns in one, over the labels in use, sorted: equal data have equal codes. -1: no label."""
    index: dict[str, int] = {}
    codes = []
    for column in columns:
        # The table may have as many labels as the corpus has units: look only at those in use.
        used, place = np.unique(column.codes, return_inverse=True)
        numbers = [-1 if code < 0 else index.setdefault(column.labels[code], len(index)) for code in used.tolist()]
        codes.append(np.array(numbers, dtype=np.int64)[place])
    labels = sorted(index)
    rank = np.empty(len(labels) + 1, dtype=np.int32)
    rank[[index[label] for label in labels]] = np.arange(len(labels), dtype=np.int32)
    rank[-1] = -1
    return rank[np.concatenate(codes)], tuple(labels)


def in_chunks(low: NDArray[Any], high: NDArray[Any], *, at_once: int = PAIRS_AT_ONCE) -> Iterator[tuple[Index, Index]]:
    """Every row i with each of the rows from low[i] to high[i] - 1, as pairs of columns; all pairs of i in one chunk.

    >>> [(p.tolist(), q.tolist()) for p, q in in_chunks(np.array([1, 2, 3]), np.array([3, 3, 3]), at_once=2)]
    [([0, 0], [1, 2]), ([1], [2])]
    """
    low, high = np.asarray(low, dtype=np.int64), np.maximum(low, high).astype(np.int64)
    until = np.cumsum(high - low)
    first = 0
    while first < len(low):
        done = until[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(until, done + at_once, side="right")))
        p, q = ranges(low[first:last], high[first:last])
        if len(p):
            yield p + first, q
        first = last


class Tally:
    """Sums by key, from chunks of (key, amount), for keys below `size`; memory depends on the number of keys only.

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
            self._parts.append(_sum_by_key(keys, amounts))
        else:
            self._dense += sum_by_code(keys, amounts, self._size)

    def sums(self) -> tuple[Index, FloatArray]:
        """The keys for which something was added, sorted, and how much."""
        if self._dense is not None:
            keys = np.flatnonzero(self._dense)
            return keys, self._dense[keys]
        if not self._parts:
            return np.empty(0, dtype=np.int64), np.empty(0)
        keys, amounts = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        return _sum_by_key(keys, amounts)


def _sum_by_key(keys: Index, amounts: FloatArray) -> tuple[Index, FloatArray]:
    different, place = np.unique(keys, return_inverse=True)
    return different, sum_by_code(place, amounts, len(different))
