# SPDX-License-Identifier: MIT
"""How similar the places are that two files or tiers mark: annotators of one document mark similar ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np

from unisono.io.record import Record
from unisono.model import PositionArray

#: At most this many units of each side are compared; more would hardly change the result.
_COMPARED = 200
#: At most this many pairs of files or tiers are compared with chance.
_PAIRS = 12
#: How far units are shifted to estimate similarity by chance, as shares of the length.
_SHIFTS = tuple((i + 6) / 52 for i in range(40))
#: The least similarity of units at the same places; higher for few units, which may coincide by accident.
_LEAST, _LEAST_OF_FEW = 0.3, 0.4
#: Units of one text or recording need not be as similar.
_LEAST_OF_ONE_TEXT = 0.1
#: With fewer units chance can hardly be told from agreement.
_ENOUGH = 4
#: Units at the same places are more similar than after any shift by this margin, and than the mean over all shifts by
#: this many standard deviations.
_MARGIN, _DEVIATIONS = 0.05, 5

#: Files more similar than this are hardly different documents.
SAME_PLACES = 0.5

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


def has_points(marks: Marks) -> bool:
    """Whether all units are points."""
    return bool((marks[0] == marks[1]).all())


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


def coincide(pairs: Iterable[tuple[Marks, Marks]], *, are_on_one_text: bool = False) -> bool:
    """Whether the units of pairs of files or tiers are at the same places more often than by chance.

    Chance is the similarity after the units of one side are shifted, around the end, by each of many amounts. Files
    that are known to be about one text need not be as similar. True where one side of every pair has no units.

    >>> one = np.array([0.0, 10.0, 37.0, 60.0, 85.0])
    >>> coincide([((one, one + 6), (one + 1, one + 6))]), coincide([((one, one + 6), (95 - one, 100 - one))])
    (True, False)
    """
    filled = [pair for pair in pairs if len(pair[0][0]) and len(pair[1][0])]
    if not filled:
        return True
    chosen = filled[:: -(-len(filled) // _PAIRS)]
    observed = _mean(similarity(*pair) for pair in chosen)
    are_few = sum(min(len(one[0]), len(other[0])) for one, other in chosen) < _ENOUGH
    if observed < (_LEAST_OF_ONE_TEXT if are_on_one_text else _LEAST_OF_FEW if are_few else _LEAST):
        return False
    if are_on_one_text and are_few:
        return True
    by_chance = [_mean(similarity(one, _move(other, one, share)) for one, other in chosen) for share in _SHIFTS]
    if are_on_one_text or are_few:
        return observed > max(by_chance)
    far = _mean(by_chance) + _DEVIATIONS * float(np.std(by_chance))
    return observed > max(max(by_chance) + _MARGIN, far)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def _move(marks: Marks, other: Marks, share: float) -> Marks:
    """The units shifted by a share of the length that both sides cover; those beyond its end continue at its start."""
    first = min(marks[0].min(), other[0].min())
    length = max(marks[1].max(), other[1].max()) - first
    starts = first + (marks[0] - first + share * length) % max(length, 1e-9)
    return starts, starts + (marks[1] - marks[0])


class Comparison:
    """Compares the units of files by their numbers; units on tiers are compared tier by tier."""

    def __init__(self, marks: Callable[[int], Mapping[str, Marks]]):
        """`marks` gives the units of a file, by tier."""
        self._marks = cache(marks)
        self.similarity = cache(self._similarity)

    def pairs(self, one: int, other: int) -> list[tuple[Marks, Marks]]:
        """The units of two files on the tiers that they have in common, or on the only tier of each."""
        first, second = self._marks(one), self._marks(other)
        if len(first) == len(second) == 1:
            return [(next(iter(first.values())), next(iter(second.values())))]
        return [(first[name], second[name]) for name in first if name in second]

    def _similarity(self, one: int, other: int) -> float:
        """How similar two files are, from 0 to 1."""
        values = [similarity(*pair) for pair in self.pairs(one, other)]
        return sum(values) / max(1, len(values))

    def has_similar_files(self, n_files: int) -> bool:
        """Whether some of the first files mark nearly the same places."""
        first = range(min(n_files, 8))
        return any(self.similarity(i, j) > SAME_PLACES for i in first for j in range(i))

    def coincide(self, groups: Sequence[Sequence[int]], *, are_on_one_text: bool = False) -> bool:
        """Whether the files of each group mark the same places, as the annotators of a document do."""
        return coincide(self._pairs_within(groups), are_on_one_text=are_on_one_text)

    def _pairs_within(self, groups: Sequence[Sequence[int]]) -> Iterator[tuple[Marks, Marks]]:
        large = [group for group in groups if len(group) > 1]
        for group in large[:: -(-len(large) // _PAIRS) or 1]:
            for i, one in enumerate(group[:6]):
                for other in group[:i]:
                    yield from self.pairs(one, other)
