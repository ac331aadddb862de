# SPDX-License-Identifier: MIT
"""The vote in each unitary alignment: on the category, on the boundaries, on whether there is a unit at all.

Votes are whole numbers, so that sums are exact and a tie is a tie, whoever is counted first. Nothing here is done unit
by unit: `Ballots` has the units of one document sorted by unitary alignment, and every result is a column with one
value for each of those. The slow twin is tests/reference/gold.py.
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

#: Weights count to the millionth of the largest.
WEIGHT_UNIT = 1_000_000


def whole_votes(weights: Mapping[str, float], annotators: tuple[str, ...]) -> Votes:
    """The weights of these annotators as whole numbers of votes, the heaviest of all annotators with a million."""
    largest = max(weights.values(), default=0.0) or 1.0
    return np.array([round(weights.get(name, 0.0) / largest * WEIGHT_UNIT) for name in annotators], dtype=np.int64)


@dataclass(frozen=True)
class Ballots:
    """The units of a document, sorted by unitary alignment, with the votes of whoever marked them."""

    number: NDArray[np.int64]
    firsts: NDArray[np.int64]
    starts: PositionArray
    ends: PositionArray
    labels: NDArray[np.int64]
    votes: Votes

    @classmethod
    def of(cls, found: Disagreements, votes_of: Votes) -> Ballots:
        """The ballots of an alignment; `votes_of` has the votes of each annotator."""
        continuum, order = found.alignment.continuum, found.order
        return cls(
            found.alignment.group[order].astype(np.int64),
            found.firsts,
            continuum.starts[order],
            continuum.ends[order],
            found.labels.codes[order].astype(np.int64),
            votes_of[continuum.annotator_codes[order]],
        )

    def __len__(self) -> int:
        return len(self.firsts) - 1

    @property
    def support(self) -> Votes:
        """The votes for each unitary alignment."""
        return self._sums(self.votes)

    def category(self, popularity: NDArray[np.int64]) -> tuple[NDArray[np.int64], Votes, NDArray[np.bool_]]:
        """The label (its code, -1 for none) with the most votes, those votes, and whether another has as many.

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
        counts, as a tie.
        """
        low_start, high_start = self._middle(self.starts)
        low_end, high_end = self._middle(self.ends)
        if self.starts.dtype.kind == "i":
            starts, ends = low_start, high_end
        else:
            starts, ends = low_start + (high_start - low_start) / 2, low_end + (high_end - low_end) / 2
        if rule == "median":
            return starts, ends, np.zeros(len(self), dtype=bool)
        # Twice the median is exact for whole positions, and all that distances are needed for is their order.
        modal_starts, tied_starts = self._mode(self.starts, low_start + high_start, latest=False)
        modal_ends, tied_ends = self._mode(self.ends, low_end + high_end, latest=True)
        crossed = modal_ends < modal_starts
        return (
            np.where(crossed, starts, modal_starts),
            np.where(crossed, ends, modal_ends),
            tied_starts | tied_ends | crossed,
        )

    def near(self, rule: BoundaryRule, overlap: float) -> NDArray[np.bool_]:
        """For each unit whether it is near to where most of its unitary alignment are, and has a say.

        Where nobody is near to the boundaries of all, those near to the unit with the most votes are, then to the one
        that starts and ends first.
        """
        is_near = self._is_near(*self.boundaries(rule)[:2], overlap)
        order = np.lexsort((self.ends, self.starts, -self.votes, self.number))[self.firsts[:-1]]
        is_near_one = self._is_near(self.starts[order], self.ends[order], overlap)
        return np.where((self.count(is_near) > 0)[self.number], is_near, is_near_one)

    def _is_near(self, starts: PositionArray, ends: PositionArray, overlap: float) -> NDArray[np.bool_]:
        """For each unit whether it has that share of the union in common with the stretch of its unitary alignment.

        A unit without length has nothing to share, and is near wherever it was put.
        """
        first, last = starts[self.number], ends[self.number]
        shared = np.minimum(last, self.ends) - np.maximum(first, self.starts)
        union = np.maximum(last, self.ends) - np.minimum(first, self.starts)
        # Some length must be common, however small a share is asked for; a hair is left for rounding.
        near = (shared > 0) & (shared >= overlap * union * (1 - 1e-9))
        return np.asarray(near | (self.starts == self.ends))

    def count(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of the units of each unitary alignment are chosen."""
        return self._sums(chosen.astype(np.int64))

    def of_those(self, chosen: NDArray[np.bool_]) -> Ballots:
        """The same ballots, but the vote of whoever is not chosen does not count."""
        return replace(self, votes=np.where(chosen, self.votes, 0))

    def _middle(self, positions: PositionArray) -> tuple[PositionArray, PositionArray]:
        """The lower and the upper weighted median: half of the votes are not above the one, not below the other."""
        order = np.lexsort((positions, self.number))
        position, votes = positions[order], self.votes[order]
        upto = np.cumsum(votes)
        before = np.concatenate(([0], upto))[self.firsts[:-1]]
        total = self.support
        # Twice the votes up to here, to stay whole: the first place to reach half, the first to go beyond it.
        low = np.searchsorted(upto, before + (total + 1) // 2)
        high = np.searchsorted(upto, before + total // 2 + 1)
        last = self.firsts[1:] - 1  # where nobody has a vote
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
        first = np.searchsorted(number, np.arange(len(self)))  # numbers are in order before and after
        second = np.minimum(first + 1, len(number) - 1)
        tied = (second > first) & (number[second] == number[first]) & (votes[order][second] == votes[order][first])
        return position[order][first], tied

    def _sums(self, values: Votes) -> Votes:
        total = np.concatenate(([0], np.cumsum(values)))
        return np.asarray(total[self.firsts[1:]] - total[self.firsts[:-1]])
