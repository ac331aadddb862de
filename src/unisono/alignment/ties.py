# SPDX-License-Identifier: MIT
"""All best alignments of a continuum, and how much a measure depends on which of them is taken.

γ does not depend on it: tied alignments have the same disorder. γcat and γk do, because they compare the pairs of
aligned units (Mathet 2017, Algorithm 1). Tied alignments are often too many to list, but their number and the range of
a ratio of sums over them are computed exactly without listing them (src/unisono/_core/ties.hpp).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import comb, prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono._core import TiedGraph, ties, ties_pairs
from unisono.alignment import alignable, best_alignment, core_limits
from unisono.alignment.align_2017 import refuse_program_2017
from unisono.alignment.observed import pair_weights, plain_distances
from unisono.alignment.pairs import near_pairs
from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.core_documents import CoreColumns
from unisono.errors import ParameterError
from unisono.model import Alignment, Continuum, Corpus, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class TieRange:
    """The least and the greatest value over those tied best alignments that have one; None if none has.

    `may_be_undefined`: some of the tied alignments have no value, because the denominator is 0. `reason` says why low
    and high are None.
    """

    low: float | None
    high: float | None
    may_be_undefined: bool = False
    reason: str | None = None

    def agreement(self, expected: float) -> TieRange:
        """1 - disorder / expected: the range of γcat or γk, given the range of the observed disorder."""
        if self.low is None or self.high is None:
            return self
        if not expected > 0:
            return TieRange(None, None, self.may_be_undefined, "the expected disorder is 0")
        return TieRange(1 - self.high / expected, 1 - self.low / expected, self.may_be_undefined)


@dataclass(frozen=True)
class TiedOptima:
    """All best alignments of a continuum: how many, which, and the range of a ratio over them."""

    continuum: Continuum
    dissimilarity: Dissimilarity
    #: The one that `best_alignment` returns, or the one given.
    alignment: Alignment
    #: Their exact number; None if a limit stopped the search.
    number: int | None
    #: Why the number is None.
    reason: str | None = None
    _graph: TiedGraph | None = field(default=None, repr=False, compare=False)

    @property
    def is_unique(self) -> bool | None:
        """Whether there is only one best alignment; None where that is not known."""
        return None if self.number is None else self.number == 1

    @cached_property
    def unitary_alignments(self) -> tuple[tuple[int, ...], ...]:
        """Every unitary alignment of some best alignment, as numbers of units."""
        graph = self._complete_graph()
        bounds, members = graph.firsts.tolist(), graph.members.tolist()
        return tuple(tuple(members[a:b]) for a, b in pairwise(bounds))

    def range_of(self, numerators: FloatArray, denominators: FloatArray) -> TieRange:
        """The range of (sum of numerators) / (sum of denominators) over the unitary alignments of an alignment.

        One numerator and one denominator for each of `unitary_alignments`, none negative, the numerator 0 where the
        denominator is. Exact: a ratio of sums over the paths of a graph, by Dinkelbach's method.
        """
        graph = self._graph
        if self.number is None or graph is None:
            return TieRange(None, None, True, self.reason)
        if not (np.isfinite(numerators).all() and np.isfinite(denominators).all()):
            return TieRange(None, None, True, "a dissimilarity of aligned units is infinite")
        defined, may_be_undefined, low, high = graph.range(
            np.ascontiguousarray(numerators, dtype=np.float64), np.ascontiguousarray(denominators, dtype=np.float64)
        )
        if not defined:
            return TieRange(None, None, True, "no best alignment has a pair of units with a weight above 0")
        return TieRange(low, high, may_be_undefined)

    def alignments(self) -> Iterator[Alignment]:
        """The best alignments one by one; there may be very many."""
        graph = self._complete_graph()
        starts, ends = self.continuum.starts, self.continuum.ends
        place = np.empty(self.continuum.n_units, dtype=np.int64)
        place[np.lexsort((starts, (starts + ends) / 2))] = np.arange(self.continuum.n_units)
        columns = self.unitary_alignments
        disorders = self._disorders
        for choice in _combinations([_Choice(*each) for each in graph.choices()]):
            chosen = [*graph.fixed.tolist(), *choice]
            chosen.sort(key=lambda c: min(place[u] for u in columns[c]))
            group = np.empty(self.continuum.n_units, dtype=np.int32)
            for number, c in enumerate(chosen):
                group[list(columns[c])] = number
            yield Alignment(
                self.continuum,
                group,
                disorders[chosen],
                disorder=self.alignment.disorder,
                lower_bound=self.alignment.lower_bound,
                duals=self.alignment.duals,
            )

    def _complete_graph(self) -> TiedGraph:
        if self._graph is None:
            raise ParameterError.of(f"the search for the tied alignments is not complete: {self.reason}")
        return self._graph

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, NDArray[np.int64]]:
        """Every pair of units of every unitary alignment: (u, v, number of the unitary alignment)."""
        graph = self._complete_graph()
        firsts, members = graph.firsts, graph.members
        sizes = np.diff(firsts)
        parts = [(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int64))]
        for size in np.unique(sizes[sizes > 1]).tolist():
            columns = np.flatnonzero(sizes == size)
            rows = members[firsts[columns][:, None] + np.arange(size)]
            i, j = np.triu_indices(size, 1)
            parts.append((rows[:, i].ravel(), rows[:, j].ravel(), repeat(columns, len(i))))
        u, v, column = (np.concatenate(part) for part in zip(*parts, strict=True))
        return np.ascontiguousarray(u), np.ascontiguousarray(v), column

    @cached_property
    def _disorders(self) -> FloatArray:
        """Eq. 6 for each unitary alignment."""
        u, v, column = self._pairs
        count = len(self.unitary_alignments)
        total = np.bincount(column, weights=self.dissimilarity.between(self.continuum, u, v), minlength=count)
        n_pairs = comb(self.continuum.n_annotators, 2)
        empty = n_pairs - np.bincount(column, minlength=count)
        disorders: FloatArray = (total + empty * self.dissimilarity.delta_empty) / n_pairs
        return disorders


def tied_optima(
    data: Any,
    dissimilarity: Dissimilarity | None = None,
    alignment: Alignment | None = None,
    *,
    limit: int = 1_000_000,
    effort: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> TiedOptima:
    """All alignments tied with the best one; sums of disorders that differ by less than 1e-9 delta_empty are equal.

    data: as for `best_alignment`.
    alignment: the best alignment under this dissimilarity, if it is already known (from `best_alignment`, with its
    proof). limit: the largest number of search states and of unitary alignments; effort, time_limit and memory_limit as
    for `best_alignment`. If one is reached, `number` is None and `reason` says which.

    >>> c = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "B"), (0, 10, "C")]})
    >>> tied = tied_optima(c)
    >>> tied.number, sorted(tied.unitary_alignments)
    (2, [(0, 1), (0, 2), (1,), (2,)])
    """
    if limit < 1:
        raise ParameterError.of(f"the limit is {limit}, not at least 1", code="limit", found=str(limit))
    continuum = alignable(data)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    refuse_program_2017(fitted, "the tied best alignments")
    best = alignment
    if best is None:
        best = best_alignment(continuum, fitted, effort=effort, time_limit=time_limit, memory_limit=memory_limit)
    if best.continuum is not continuum or best.duals is None:
        raise ParameterError.of(
            "the alignment is one of another continuum"
            if best.continuum is not continuum
            else "the alignment has no duals, which prove that it is the best",
            "Leave it out, or take it from best_alignment.",
        )
    if not best.is_proven:
        reason = f"the best alignment is not proven: the {best.limit} limit stopped the search"
        return TiedOptima(continuum, fitted, best, None, reason)
    columns = CoreColumns.of(continuum, fitted)
    proof = (np.ascontiguousarray(best.group, dtype=np.int32), np.ascontiguousarray(best.duals), limit)
    limits = core_limits(time_limit, memory_limit, effort)
    if columns.kernel is not None:
        graph, why = ties(columns.kernel, *columns.units, *proof, limits)
    else:
        graph, why = ties_pairs(*columns.units, fitted.delta_empty, *near_pairs(continuum, fitted), *proof, limits)
    if why == "not best":
        raise ParameterError.of(
            "the alignment is not the best alignment under this dissimilarity",
            "Leave it out, or give the dissimilarity that it was made with.",
        )
    if why:
        reason = {
            "states": f"there are more than {limit} search states or unitary alignments: try a higher limit",
            "effort": "the effort limit stopped the search for tied alignments",
            "time": "the time limit stopped the search for tied alignments",
            "memory": "the memory limit stopped the search for tied alignments",
        }[why]
        return TiedOptima(continuum, fitted, best, None, reason)
    return TiedOptima(continuum, fitted, best, prod(graph.ways()), None, graph)


def gamma_cat_range(tied: TiedOptima) -> TieRange:
    """The observed disorder of the categories (γcat: Mathet 2017, Algorithm 1) over all tied best alignments.

    Its `agreement(expected)` is the range of γcat. Undefined where no pair of aligned units has a positive weight.

    >>> c = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "A"), (0, 10, "B")]})
    >>> found = gamma_cat_range(tied_optima(c, CombinedDissimilarity(beta=0)))
    >>> found.low, found.high
    (0.0, 1.0)
    """
    if tied.number is None:
        return TieRange(None, None, True, tied.reason)
    weight, d_cat, _, _, column = _weighted_pairs(tied)
    return _range(tied, weight, weight * d_cat, column)


def gamma_k_range(tied: TiedOptima, category: str | None, *, pairs: Literal["once", "twice"] = "once") -> TieRange:
    """The same for the pairs that contain a category (γk); None is that of units without one.

    pairs: "twice" counts a pair of two units of the category twice, as in the figures published in 2017.
    """
    if tied.number is None:
        return TieRange(None, None, True, tied.reason)
    labels = _categorial_part(tied).column(tied.continuum)
    if category is not None and category not in labels.labels:
        known = ", ".join(labels.labels) or "none"
        raise ParameterError.of(
            f"{category!r} is not a category of the continuum", f"The categories are: {known}.", found=repr(category)
        )
    k = -1 if category is None else labels.labels.index(category)
    weight, d_cat, u, v, column = _weighted_pairs(tied)
    times = (labels.codes[u] == k).astype(np.float64) + (labels.codes[v] == k)
    if pairs == "once":
        times = np.minimum(times, 1.0)
    counts = times > 0
    weight = weight[counts] * times[counts]
    return _range(tied, weight, weight * d_cat[counts], column[counts])


def _range(tied: TiedOptima, weight: FloatArray, weighted: FloatArray, column: NDArray[np.int64]) -> TieRange:
    count = len(tied.unitary_alignments)
    numerators, denominators = np.zeros(count), np.zeros(count)
    np.add.at(numerators, column, weighted)
    np.add.at(denominators, column, weight)
    return tied.range_of(numerators, denominators)


def _weighted_pairs(tied: TiedOptima) -> tuple[FloatArray, FloatArray, IntArray, IntArray, NDArray[np.int64]]:
    """Every pair with a weight above 0: weight, categorial dissimilarity, the two units, the unitary alignment."""
    u, v, column = tied._pairs
    d_pos, d_cat = plain_distances(_categorial_part(tied), tied.continuum, u, v)
    weight = pair_weights(d_pos, np.diff(tied._complete_graph().firsts)[column])
    counts = weight > 0
    return weight[counts], d_cat[counts], u[counts], v[counts], column[counts]


def _categorial_part(tied: TiedOptima) -> CombinedDissimilarity:
    """The categorial part alone, even where the alignment was made without it (beta = 0)."""
    return replace(_combined_dissimilarity(tied), alpha=0.0, beta=1.0).fitted(Corpus((tied.continuum,)))


def _combined_dissimilarity(tied: TiedOptima) -> CombinedDissimilarity:
    if not isinstance(tied.dissimilarity, CombinedDissimilarity):
        raise ParameterError.of(
            f"{tied.dissimilarity.signature} has no positional and categorial part, which γcat and γk need",
            "Use CombinedDissimilarity with your own parts.",
        )
    return tied.dissimilarity


class _Choice:
    """A graph whose paths from state 0 to the last are the ways to choose unitary alignments."""

    def __init__(self, states: int, start: IntArray, end: IntArray, column: IntArray):
        self.goal = states - 1
        self.steps: list[list[tuple[int, int]]] = [[] for _ in range(states)]
        for a, b, c in zip(start.tolist(), end.tolist(), column.tolist(), strict=True):
            self.steps[a].append((b, c))

    def paths(self) -> Iterator[list[int]]:
        """Every path, as the numbers of its unitary alignments."""
        waiting = [iter(self.steps[0])]
        path: list[int] = []
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                if path:
                    path.pop()
                continue
            state, column = step
            if state == self.goal:
                yield [*path, column]
            else:
                path.append(column)
                waiting.append(iter(self.steps[state]))


def _combinations(choices: list[_Choice]) -> Iterator[list[int]]:
    """Every combination of one path for each choice, as columns; generated one at a time, as there may be many."""
    if not choices:
        yield []
        return
    waiting = [choices[0].paths()]
    parts: list[list[int]] = []
    while waiting:
        path = next(waiting[-1], None)
        if path is None:
            waiting.pop()
            if parts:
                parts.pop()
        elif len(waiting) == len(choices):
            yield [column for part in (*parts, path) for column in part]
        else:
            parts.append(path)
            waiting.append(choices[len(waiting)].paths())
