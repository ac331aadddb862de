# SPDX-License-Identifier: MIT
"""How similar the places are that two files or tiers mark: annotators of one document mark similar ones."""

from __future__ import annotations

import numpy as np

from unisono.io.record import Record
from unisono.model import PositionArray

#: So many units of each side are compared; more would not change the picture.
_COMPARED = 300

#: Starts and ends.
Marks = tuple[PositionArray, PositionArray]


def marks_of(record: Record, sheets: list[int] | None = None) -> Marks:
    """The first units of a record, or of some of its sheets."""
    rows = record.rows.is_unit & ~record.faults.bad
    if sheets is not None:
        rows = rows & np.isin(record.sheet_codes, sheets)
    chosen = np.flatnonzero(rows)
    chosen = chosen[np.argsort(record.rows.starts[chosen], kind="stable")][:_COMPARED]
    return record.rows.starts[chosen].astype(np.float64), record.rows.ends[chosen].astype(np.float64)


def similarity(one: Marks, other: Marks) -> float:
    """From 0 (nothing in common) to 1 (the same places): each unit's best overlap with one of the others, on average.

    >>> similarity((np.array([0.0]), np.array([4.0])), (np.array([0.0, 9.0]), np.array([4.0, 9.5])))
    0.6666666666666666
    """
    if not len(one[0]) or not len(other[0]):
        return 0.0
    starts, ends = one[0][:, None], one[1][:, None]
    common = np.minimum(ends, other[1]) - np.maximum(starts, other[0])
    whole = np.maximum(ends, other[1]) - np.minimum(starts, other[0])
    overlap = np.where(whole > 0, np.maximum(common, 0) / np.where(whole > 0, whole, 1), 1.0)
    best = overlap.max(axis=1).sum() + overlap.max(axis=0).sum()
    return float(best / (len(one[0]) + len(other[0])))


def similarity_by_chance(one: Marks, other: Marks) -> float:
    """The similarity that is left when the units of one side are moved along, round the end: that of chance."""
    if not len(one[0]) or not len(other[0]):
        return 0.0
    first = min(one[0].min(), other[0].min())
    length = max(one[1].max(), other[1].max()) - first
    values = []
    for share in (0.17, 0.29, 0.41, 0.53, 0.67, 0.79):
        starts = first + (other[0] - first + share * length) % max(length, 1e-9)
        values.append(similarity(one, (starts, starts + (other[1] - other[0]))))
    return sum(values) / len(values)
