# SPDX-License-Identifier: MIT
"""A dissimilarity that is a user's Python function of two units, with the interface of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from unisono.dissimilarity.combined import continuum_of_two
from unisono.dissimilarity.parameter_checks import indices, name_of, positive, refuse, results, short
from unisono.dissimilarity.reach import check_reach, compute_within, distance_apart, in_signature
from unisono.model import CATEGORY, Continuum, Corpus, FloatArray, IntArray, Unit


@dataclass(frozen=True)
class FunctionDissimilarity:
    """A user's own: `f(u: Unit, v: Unit) -> float`, or `f(continuum, u, v) -> array` with `vectorised`.

    The values are compared with delta_empty as they are, and should be 0 for equal units. To make the dissimilarity
    symmetric, the unit that starts first is always the first argument (among equal starts, the one that ends first,
    then the one whose labels sort first, then the one of the first annotator).

    reach: units further apart than this, from the end of one to the start of the other, are infinitely dissimilar, and
    the function is not called for them.

    >>> def middles(u, v):
    ...     return abs((u.start + u.end) - (v.start + v.end)) / 20
    >>> d = FunctionDissimilarity(middles)
    >>> d(Unit(0, 10), Unit(4, 14)), d.signature
    (0.4, 'function(middles),delta_empty=1')
    """

    function: Callable[..., Any]
    delta_empty: float = field(default=1.0, kw_only=True)
    vectorised: bool = field(default=False, kw_only=True)
    name: str | None = field(default=None, kw_only=True)
    reach: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", name_of(self.function, self.name, "dissimilarity"))
        refuse(positive(delta_empty=self.delta_empty))
        object.__setattr__(self, "delta_empty", float(self.delta_empty))
        object.__setattr__(self, "reach", check_reach(self.reach))

    @property
    def signature(self) -> str:
        return f"{in_signature(self.name, self.reach)},delta_empty={short(self.delta_empty)}"

    def fitted(self, corpus: Corpus) -> FunctionDissimilarity:
        return self

    def between(self, continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
        first, second = indices(continuum, u, v)
        rank = _ranks(continuum)
        swap = rank[second] < rank[first]
        first, second = np.where(swap, second, first), np.where(swap, first, second)
        starts, ends = continuum.starts, continuum.ends
        return compute_within(
            self.reach,
            lambda: distance_apart(starts[first], ends[first], starts[second], ends[second]),
            len(first),
            lambda near: self._call(continuum, first[near], second[near]),
        )

    def without_reach(self) -> FunctionDissimilarity:
        """The same function, called for every pair."""
        return replace(self, reach=None)

    def _call(self, continuum: Continuum, first: IntArray, second: IntArray) -> FloatArray:
        """What the function returns for these pairs, checked."""
        values: Any = []
        if self.vectorised:
            values = self.function(continuum, first, second) if len(first) else []
        else:
            # Each unit is made once: that takes longer than most functions.
            is_used = np.zeros(len(continuum), dtype=bool)
            is_used[first] = is_used[second] = True
            units = {i: continuum[i] for i in np.flatnonzero(is_used).tolist()}
            values = [self.function(units[i], units[j]) for i, j in zip(first.tolist(), second.tolist(), strict=True)]
        return results(
            values, len(first), str(self.name), lambda i: f"{continuum[int(first[i])]} and {continuum[int(second[i])]}"
        )

    def __call__(self, u: Unit, v: Unit) -> float:
        """The dissimilarity of two units on their own."""
        return float(self.between(continuum_of_two(u, v), np.zeros(1, np.int32), np.ones(1, np.int32))[0])


def _ranks(continuum: Continuum) -> IntArray:
    """The rank of each unit by position, then by labels; annotators only break ties between equal units."""
    others = [continuum.features[key].codes for key in sorted(continuum.features, reverse=True) if key != CATEGORY]
    codes = (*others, continuum.category_codes, continuum.ends, continuum.starts)
    rank = np.empty(len(continuum), dtype=np.int32)
    rank[np.lexsort((continuum.annotator_codes, *codes))] = np.arange(len(continuum), dtype=np.int32)
    return rank
