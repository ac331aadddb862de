# SPDX-License-Identifier: MIT
"""Near pairs for a dissimilarity written in Python: of those within its reach, or of all pairs where it has none.

A reach that leaves out units which could be aligned would change the alignment, so it is checked on pairs just beyond
it and on some far beyond it. A function that will take long is announced.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, FunctionDissimilarity
from unisono.errors import ParameterError, SpeedWarning
from unisono.model import Continuum, FloatArray, IntArray

#: Pairs in one call of the dissimilarity; bounds the memory of the call, not of the pairs that are kept.
CHUNK = 1 << 18
#: Units whose pairs are compared first, to tell how long all of them will take.
TRIAL = 128
#: Seconds of one alignment's calls above which a function is announced to be slow, if it has many pairs.
SLOW = 1.0
MANY = 100_000
#: Units whose nearest neighbours beyond the reach are compared all the same.
CHECKED = 32

#: Dissimilarities that may have a reach.
_Ours = FunctionDissimilarity | CombinedDissimilarity


def near_pairs(continuum: Continuum, dissimilarity: Dissimilarity) -> tuple[IntArray, IntArray, FloatArray]:
    """Pairs of units (by index) that may share a unitary alignment, with their dissimilarities.

    With C = n(n-1)/2, no pair with d > (C + n - 1) * delta_empty can: no other units can compensate for it.
    A ParameterError where the dissimilarity has a reach and a pair beyond it is found that could be aligned.
    """
    n = continuum.n_annotators
    limit = (n * (n - 1) / 2 + n - 1) * dissimilarity.delta_empty * (1 + 1e-9)
    ours = dissimilarity if isinstance(dissimilarity, _Ours) else None
    candidates = _Candidates(continuum, None if ours is None else ours.reach)
    if ours is not None and ours.reach is not None:
        _check_reach(continuum, ours, candidates, limit)
    if ours is not None and candidates.n_pairs > MANY:
        _announce_slowness(continuum, ours, candidates)
    kept: list[tuple[IntArray, IntArray, FloatArray]] = []
    for u, v in candidates.chunks():
        d = dissimilarity.between(continuum, u, v)
        near = d <= limit
        kept.append((u[near], v[near], d[near]))
    if not kept:
        return np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float64)
    u, v, d = (np.ascontiguousarray(np.concatenate(column)) for column in zip(*kept, strict=True))
    return u, v, d


class _Candidates:
    """The pairs of units of different annotators that are at most `reach` apart, in chunks.

    Units are sorted by their starts: those within reach of a unit that start after it are the next ones up to a last.
    """

    def __init__(self, continuum: Continuum, reach: float | None):
        self.reach = reach
        self.order: NDArray[np.intp] = np.lexsort((continuum.ends, continuum.starts))
        self.annotators = continuum.annotator_codes[self.order]
        starts, ends = continuum.starts[self.order], continuum.ends[self.order]
        n = len(self.order)
        #: For each unit in that order, the first one that starts beyond its reach.
        self.after = np.full(n, n, dtype=np.intp)
        if reach is not None:
            # A little further, for what the addition rounds away: `between` decides.
            furthest = ends + reach + 1e-9 * (np.abs(ends) + reach)
            self.after = np.maximum(np.searchsorted(starts, furthest, side="right"), np.arange(1, n + 1))

    @property
    def n_pairs(self) -> int:
        """How many pairs there are; with a reach, those of one annotator are counted in."""
        n = int(np.sum(self.after - np.arange(1, len(self.order) + 1)))
        if self.reach is not None:
            return n
        counts = np.bincount(self.annotators)
        return n - int(np.sum(counts * (counts - 1) // 2))

    def chunks(self) -> Iterator[tuple[IntArray, IntArray]]:
        """The pairs."""
        n = len(self.order)
        totals = np.concatenate(([0], np.cumsum(self.after - np.arange(1, n + 1))))
        done = 0
        while done < n:
            # As many units as have CHUNK pairs together; one that has more comes by itself.
            end = max(done + 1, int(np.searchsorted(totals, totals[done] + CHUNK, side="right")) - 1)
            yield self.some(done, end, self.after[done:end])
            done = end

    def some(self, begin: int, end: int, after: NDArray[np.intp]) -> tuple[IntArray, IntArray]:
        """The pairs of the units begin .. end - 1 with those that follow, up to `after` of each."""
        counts = after - np.arange(begin + 1, end + 1)
        first = repeat(np.arange(begin, end), counts)
        second = first + 1 + np.arange(len(first)) - repeat(np.cumsum(counts) - counts, counts)
        return self.pairs(first, second)

    def beyond(self) -> tuple[IntArray, IntArray]:
        """Some pairs beyond reach: for units all along the continuum the three next ones, and one far away."""
        n = len(self.order)
        first = np.arange(min(n, CHECKED)) * n // max(1, min(n, CHECKED))
        after = self.after[first]
        second = np.stack([after, after + 1, after + 2, after + (n - after) // 2], axis=1)
        first, second = repeat(first, 4), second.reshape(-1)
        return self.pairs(first[second < n], second[second < n])

    def pairs(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[IntArray, IntArray]:
        """The pairs of different annotators among these, which are given by their places in the order."""
        differ = self.annotators[first] != self.annotators[second]
        u, v = self.order[first[differ]].astype(np.int32), self.order[second[differ]].astype(np.int32)
        return np.minimum(u, v), np.maximum(u, v)


def _check_reach(continuum: Continuum, dissimilarity: _Ours, candidates: _Candidates, limit: float) -> None:
    """Compare some pairs beyond reach: a ParameterError for the first one that could be aligned."""
    u, v = candidates.beyond()
    d = dissimilarity.without_reach().between(continuum, u, v)
    wrong = np.flatnonzero((d <= limit) & np.isinf(dissimilarity.between(continuum, u, v)))
    if len(wrong) == 0:
        return
    first, second = (continuum[int(units[wrong[0]])] for units in (u, v))
    apart = max(first.start, second.start) - min(first.end, second.end)
    n = continuum.n_annotators
    raise ParameterError.of(
        f"[{first.start:g}, {first.end:g}) and [{second.start:g}, {second.end:g}) are {apart:g} apart, beyond the "
        f"reach of {candidates.reach:g}, but their dissimilarity is only {d[wrong[0]]:g}: units of {n} annotators up "
        f"to {limit:g} can be aligned",
        f"Give a larger reach, beyond which every dissimilarity is above {limit:g}, or return infinity there.",
        where=f"function {_name_of(dissimilarity)}",
        code="function-reach",
        found=f"{d[wrong[0]]:g}",
    )


def _announce_slowness(continuum: Continuum, dissimilarity: _Ours, candidates: _Candidates) -> None:
    """Warn of a function that will take long, with what would make it faster."""
    u, v = candidates.some(0, TRIAL, np.minimum(candidates.after[:TRIAL], TRIAL))
    begin = time.thread_time()  # not the wall clock, which other work on the machine disturbs
    dissimilarity.between(continuum, u, v)
    seconds = (time.thread_time() - begin) / max(1, len(u))
    total = seconds * candidates.n_pairs
    if total < SLOW:
        return
    advice = []
    if candidates.reach is None:
        advice.append("reach=..., a distance beyond which units are never aligned")
    if not dissimilarity.vectorised:
        advice.append("vectorised=True with a function that takes arrays")
    remedy = f" Give {' and '.join(advice)}." if advice else ""
    warnings.warn(
        f"the function {_name_of(dissimilarity)} takes {1e6 * seconds:.2g} µs a pair and is called for up to "
        f"{candidates.n_pairs:,} pairs of units: about {total:.0f} s for each alignment, and γ needs at least 30 more "
        f"of random units.{remedy}",
        SpeedWarning,
        stacklevel=4,
    )


def _name_of(dissimilarity: _Ours) -> str:
    if isinstance(dissimilarity, FunctionDissimilarity):
        return str(dissimilarity.name)
    return str(getattr(dissimilarity.positional, "name", dissimilarity.positional.kind))
