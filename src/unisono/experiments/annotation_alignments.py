# SPDX-License-Identifier: MIT
"""How many alignments of the annotations the optimal sequence alignments of two texts leave (Barteld et al. 2016, 4).

Many sequence alignments have the least cost, but most of them align the same annotations. Section 4 prefers those that
align annotations where that costs nothing, and reports how many different alignments of the annotations are left: one
in the mean, for the text of section 7 against its shuffled version at magnitude 1 (in one of ten runs there were two).
Counted here: the different sets of aligned annotations among the optimal sequence alignments that align the most.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unisono.experiments.experiment import Conditions, Outcome
from unisono.experiments.statements import Found
from unisono.experiments.text_gamma_figure2 import reference_version, shuffle_version
from unisono.model.versions import Version

_OPEN, _CLOSE = -1, -2
_Cell = tuple[int, int]
#: Two annotations that are aligned, by the places of their opening boundaries in the two sequences.
_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Sequence:
    """Characters and boundaries of a text; `partner` has, for the boundary of an annotation, the place of the other."""

    symbols: NDArray[np.int64]
    partner: dict[int, int]

    @classmethod
    def of(cls, version: Version) -> _Sequence:
        symbols: list[int] = []
        partner: dict[int, int] = {}
        at = 0
        for start, end in sorted(zip(version.starts.tolist(), version.ends.tolist(), strict=True)):
            symbols += map(ord, version.text[at:start])
            opened = len(symbols)
            symbols += [_OPEN, *map(ord, version.text[start:end]), _CLOSE]
            partner |= {opened: len(symbols) - 1, len(symbols) - 1: opened}
            at = end
        symbols += map(ord, version.text[at:])
        return cls(np.array(symbols, dtype=np.int64), partner)


def count_annotation_alignments(one: Version, other: Version) -> int:
    """The number of different sets of aligned annotations among the optimal sequence alignments that align the most.

    A gap costs 1 at a character and at a boundary, and nothing but equal symbols is matched (section 4). Annotations
    may not overlap; two are aligned when both of their boundaries are.

    >>> text = Version.of_tokens(["so", "so", "so"])
    >>> count_annotation_alignments(text, text), count_annotation_alignments(text, Version.of_tokens(["so", "so"]))
    (1, 3)
    """
    a, b = _Sequence.of(one), _Sequence.of(other)
    before = _costs(a.symbols, b.symbols)
    after = _costs(a.symbols[::-1], b.symbols[::-1])[::-1, ::-1]
    is_optimal = before + after == before[-1, -1]
    return _count(a, b, before, is_optimal)


def _costs(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int16]:
    """The least cost of aligning the first i symbols with the first j, for all i and j."""
    assert len(a) + len(b) < np.iinfo(np.int16).max
    places = np.arange(len(b) + 1, dtype=np.int16)
    costs = np.empty((len(a) + 1, len(b) + 1), dtype=np.int16)
    costs[0] = places
    for i, symbol in enumerate(a.tolist(), start=1):
        row = costs[i - 1] + np.int16(1)
        row[1:] = np.where(b == symbol, costs[i - 1, :-1], row[1:])
        costs[i] = np.minimum.accumulate(row - places) + places  # gaps in a, one after the other
    return costs


@dataclass(slots=True)
class _Ends:
    """The last aligned pairs of the longest chains that reach a place; `opened` has pairs that may still be closed."""

    length: int = 0
    last: set[_Pair | None] = field(default_factory=set)
    opened: set[_Pair] = field(default_factory=set)

    def add(self, length: int, last: set[_Pair | None]) -> None:
        if length > self.length or not self.last:
            self.length, self.last = length, set(last)
        elif length == self.length:
            self.last |= last


def _count(a: _Sequence, b: _Sequence, before: NDArray[np.int16], is_optimal: NDArray[np.bool_]) -> int:
    """Walk the optimal sequence alignments from the beginning, keeping the longest chains of aligned pairs."""
    ends: defaultdict[_Cell, _Ends] = defaultdict(_Ends)
    ends[0, 0].last = {None}
    #: For a pair: how many pairs the longest chains have that end with it, and how many such chains there are.
    lengths: dict[_Pair, int] = {}
    ways: dict[_Pair | None, int] = {None: 1}
    symbols_a, symbols_b = a.symbols.tolist(), b.symbols.tolist()
    n, m = len(symbols_a), len(symbols_b)
    for i, j in np.argwhere(is_optimal).tolist():  # in the order of i, then j: everything before (i, j) is known
        here = ends.pop((i, j))
        if (i, j) == (n, m):
            return sum(ways[pair] for pair in here.last)
        for next_i, next_j in ((i + 1, j), (i, j + 1), (i + 1, j + 1)):
            if next_i > n or next_j > m or not is_optimal[next_i, next_j]:
                continue
            is_match = next_i > i and next_j > j
            if is_match and symbols_a[i] != symbols_b[j]:
                continue
            if before[next_i, next_j] != before[i, j] + (not is_match):
                continue
            there = ends[next_i, next_j]
            there.add(here.length, here.last)
            symbol_a = symbols_a[i] if next_i > i else None
            symbol_b = symbols_b[j] if next_j > j else None
            there.opened |= {
                (u, v)
                for u, v in here.opened
                if not (next_i > i and symbol_a == _CLOSE and a.partner[i] == u)
                and not (next_j > j and symbol_b == _CLOSE and b.partner[j] == v)
            }
            if is_match and symbol_a == _OPEN:
                there.opened.add((i, j))
                lengths[i, j] = here.length + 1
                ways[i, j] = sum(ways[pair] for pair in here.last)
            elif is_match and symbol_a == _CLOSE and (pair := (a.partner[i], b.partner[j])) in here.opened:
                there.add(lengths[pair], {pair})
    raise AssertionError("the last place is always reached")


def section_4(conditions: Conditions) -> Outcome:
    """The text of section 7 against its shuffled version at magnitude 1, text, segmentation and labels changed."""
    runs = 3 if conditions.quick else 10
    reference = reference_version(conditions.seed)
    counts = [
        count_annotation_alignments(
            reference, shuffle_version(reference, 1.0, "Cat + Seg + Text", seed=conditions.seed, repetition=run)
        )
        for run in range(runs)
    ]
    mean = Found(float(np.mean(counts)), float(np.std(counts, ddof=1)) / np.sqrt(runs))
    return Outcome.of(
        {"alignments of the annotations, mean": mean},
        rows=[{"run": run + 1, "alignments of the annotations": count} for run, count in enumerate(counts)],
    )
