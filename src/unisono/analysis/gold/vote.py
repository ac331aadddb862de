# SPDX-License-Identifier: MIT
"""The vote in each unitary alignment: on the category, the boundaries, and whether there is a unit at all.

Votes are integers, so that sums are exact and ties do not depend on the order of summation. `Ballots` has the units of
one document sorted by unitary alignment; every result is an array with one value for each unitary alignment. The slow
twin is tests/reference/gold.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.disagreements import Disagreements
from unisono.model import PositionArray

Votes = NDArray[np.int64]
BoundaryRule = Literal["median", "majority"]

#: Votes of the largest weight: weights are rounded to millionths of it.
WEIGHT_UNIT = 1_000_000


def whole_votes(weights: Mapping[str, float], annotators: tuple[str, ...]) -> Votes:
    """The weights of these annotators as integer votes; the largest weight of all annotators has a million."""
    largest = max(weights.values(), default=0.0) or 1.0
    return np.array([round(weights.get(name, 0.0) / largest * WEIGHT_UNIT) for name in annotators], dtype=np.int64)


@dataclass(frozen=True)
class Ballots:
    """The units of a document, sorted by unitary alignment, with the votes of their annotators."""

    number: NDArray[np.int64]
    firsts: NDArray[np.int64]
    starts: PositionArray
    ends: PositionArray
    labels: NDArray[np.int64]
    votes: Votes

    @classmethod
    def of(cls, disagreements: Disagreements, votes_of: Votes) -> Ballots:
        """The ballots of an alignment; `votes_of` has the votes of each annotator."""
        continuum, order = disagreements.alignment.continuum, disagreements.order
        return cls(
            disagreements.alignment.group[order].astype(np.int64),
            disagreements.firsts,
            continuum.starts[order],
            continuum.ends[order],
            disagreements.labels.codes[order].astype(np.int64),
            votes_of[continuum.annotator_codes[order]],
        )

    def __len__(self) -> int:
        return len(self.firsts) - 1

    @property
    def support(self) -> Votes:
        """The votes for each unitary alignment."""
        return self._sums(self.votes)

    def category(self, popularity: NDArray[np.int64]) -> tuple[NDArray[np.int64], Votes, NDArray[np.bool_]]:
        """The code of the label with the most votes (-1: no label), those votes, and whether another label has as many.

        Ties go to the label with the greater `popularity` (one value for each label, the last for units without), then
        to the first in alphabetical order; a unit without label comes last.
        """
        n_labels = len(popularity)  # of which the last is no label
        label = np.where(self.labels < 0, n_labels - 1, self.labels)
        keys, place = np.unique(self.number * n_labels + label, return_inverse=True)
        votes = np.zeros(len(keys), dtype=np.int64)
        np.add.at(votes, place.reshape(-1), self.votes)
        number, label = keys // n_labels, keys % n_labels
        order = np.lexsort((label, -popularity[label], -votes, number))
        number, label, votes = number[order], label[order], votes[order]
        first = np.searchsorted(number, np.arange(len(self)))
        second = np.minimum(first + 1, len(number) - 1)
        tied = (second > first) & (number[second] == number[first]) & (votes[second] == votes[first])
        chosen = label[first]
        return np.where(chosen == n_labels - 1, -1, chosen), votes[first], tied

    def boundaries(self, rule: BoundaryRule) -> tuple[PositionArray, PositionArray, NDArray[np.bool_]]:
        """Start and end of each unitary alignment by the rule, and whether a vote on one of them was tied.

        median: the weighted median of the starts and that of the ends. Between two middle positions: halfway for
        decimal positions; for whole ones, where halfway may be inside a word, the earlier start and the later end.
        majority: the start with the most votes and the end with the most votes; ties go to the position nearest to the
        median, then to the earlier start and the later end. Where such an end would lie before the start, the median
        is taken, and the vote counts as tied.
        """
        low_start, high_start = self._middle(self.starts)
        low_end, high_end = self._middle(self.ends)
        if self.starts.dtype.kind == "i":
            starts, ends = low_start, high_end
        else:
            starts, ends = low_start + (high_start - low_start) / 2, low_end + (high_end - low_end) / 2
        if rule == "median":
            return starts, ends, np.zeros(len(self), dtype=bool)
        # Twice the median is exact for integers; only the order of the distances matters.
        modal_starts, tied_starts = self._mode(self.starts, low_start + high_start, latest=False)
        modal_ends, tied_ends = self._mode(self.ends, low_end + high_end, latest=True)
        crossed = modal_ends < modal_starts
        return (
            np.where(crossed, starts, modal_starts),
            np.where(crossed, ends, modal_ends),
            tied_starts | tied_ends | crossed,
        )

    def near(self, rule: BoundaryRule, overlap: float) -> NDArray[np.bool_]:
        """For each unit whether it is near the boundaries of its unitary alignment, and so may vote.

        If no unit is near these boundaries, the units near the one with the most votes are chosen; ties go to the one
        that starts, then ends, first.
        """
        is_near = self._is_near(*self.boundaries(rule)[:2], overlap)
        order = np.lexsort((self.ends, self.starts, -self.votes, self.number))[self.firsts[:-1]]
        is_near_one = self._is_near(self.starts[order], self.ends[order], overlap)
        return np.where((self.count(is_near) > 0)[self.number], is_near, is_near_one)

    def _is_near(self, starts: PositionArray, ends: PositionArray, overlap: float) -> NDArray[np.bool_]:
        """For each unit whether its intersection with these boundaries is that share of their union.

        A unit without length cannot intersect anything; it is always near.
        """
        first, last = starts[self.number], ends[self.number]
        shared = np.minimum(last, self.ends) - np.maximum(first, self.starts)
        union = np.maximum(last, self.ends) - np.minimum(first, self.starts)
        # The intersection must be positive even for an overlap of 0; the factor allows for rounding.
        near = (shared > 0) & (shared >= overlap * union * (1 - 1e-9))
        return np.asarray(near | (self.starts == self.ends))

    def count(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of the units of each unitary alignment are chosen."""
        return self._sums(chosen.astype(np.int64))

    def select(self, chosen: NDArray[np.bool_]) -> Ballots:
        """The same ballots, with no votes for units that are not chosen."""
        return replace(self, votes=np.where(chosen, self.votes, 0))

    def _middle(self, positions: PositionArray) -> tuple[PositionArray, PositionArray]:
        """The lower and the upper weighted median."""
        order = np.lexsort((positions, self.number))
        position, votes = positions[order], self.votes[order]
        upto = np.cumsum(votes)
        before = np.concatenate(([0], upto))[self.firsts[:-1]]
        total = self.support
        # In integers: the first position that reaches half of the votes, and the first that exceeds it.
        low = np.searchsorted(upto, before + (total + 1) // 2)
        high = np.searchsorted(upto, before + total // 2 + 1)
        last = self.firsts[1:] - 1  # for groups without any votes
        return position[np.clip(low, self.firsts[:-1], last)], position[np.clip(high, self.firsts[:-1], last)]

    def _mode(
        self, positions: PositionArray, twice_median: PositionArray, *, latest: bool
    ) -> tuple[PositionArray, NDArray[np.bool_]]:
        """The position with the most votes, and whether another has as many."""
        order = np.lexsort((positions, self.number))
        position, number = positions[order], self.number[order]
        new = np.ones(len(order), dtype=bool)
        new[1:] = (position[1:] != position[:-1]) | (number[1:] != number[:-1])
        votes = np.add.reduceat(self.votes[order], np.flatnonzero(new)) if len(order) else self.votes
        position, number = position[new], number[new]
        distance = np.abs(2 * position - twice_median[number])
        order = np.lexsort((-position if latest else position, distance, -votes, number))
        first = np.searchsorted(number, np.arange(len(self)))  # still sorted by number
        second = np.minimum(first + 1, len(number) - 1)
        tied = (second > first) & (number[second] == number[first]) & (votes[order][second] == votes[order][first])
        return position[order][first], tied

    def _sums(self, values: Votes) -> Votes:
        total = np.concatenate(([0], np.cumsum(values)))
        return np.asarray(total[self.firsts[1:]] - total[self.firsts[:-1]])
