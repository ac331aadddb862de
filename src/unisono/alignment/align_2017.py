# SPDX-License-Identifier: MIT
"""The best alignment where a pair of empty units costs nothing: exact, in Python, for small data. Experimental.

With C pairs of annotators, a unitary alignment with r of n units has r(n - r) pairs with one empty unit. These are
r(n - 1) less twice its pairs of real units, and the r of all unitary alignments add up to the number of units. So the
summed disorder is a constant less the sum of (2 delta_empty - d) / C over the pairs of real units that are aligned,
and the best alignment is the one with the largest sum of gains 2 delta_empty - d.

Units without a pair of positive gain between them are independent. Each independent part is solved along the
continuum: a state is the set of unitary alignments that a later unit can still join, and of all ways to reach a state
only the best one is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from unisono.dissimilarity import Dissimilarity, Program2017Dissimilarity
from unisono.dissimilarity.numbering import number_units
from unisono.errors import ParameterError
from unisono.model import Alignment, Continuum, FloatArray, IntArray

#: Sums of gains that differ by less are tied.
TIE = 1e-9

#: States kept at one unit, at most; beyond it the best are kept, and the alignment is not proven.
MOST_STATES = 20_000

#: Unitary alignments by the numbers of their units.
_Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """The best way to reach a state: its gain, the number of its unitary alignments, and those that are complete."""

    gain: float
    n_groups: int
    complete: _Groups

    def is_better_than(self, other: _Way | None) -> bool:
        """A larger gain; among ties more unitary alignments."""
        if other is None or self.gain > other.gain + TIE:
            return True
        return self.gain > other.gain - TIE and self.n_groups > other.n_groups


def refuse_program_2017(dissimilarity: Dissimilarity, search: str) -> None:
    """A ParameterError where a search is asked for that only the core has."""
    if isinstance(dissimilarity, Program2017Dissimilarity):
        raise ParameterError.of(
            f"{search} cannot be found where two empty units cost nothing (preset greyc-2017)",
            "Take another dissimilarity or [[preset]].",
            code="preset",
        )


def best_alignment_2017(
    continuum: Continuum, dissimilarity: Program2017Dissimilarity, *, time_limit: float | None = None
) -> Alignment:
    """The alignment with the least summed disorder when d(empty, empty) = 0; `disorder` is their mean.

    Ties: the one with the most unitary alignments. A search stopped by the time limit or by MOST_STATES has `limit`
    set and a proven `lower_bound`.
    """
    deadline = None if time_limit is None else monotonic() + time_limit
    # Units are known by their place along the continuum, and where that is equal by content: names break no tie.
    annotator_numbers, contents = number_units(continuum)
    order = np.lexsort((annotator_numbers, contents, continuum.starts, continuum.starts + continuum.ends))
    annotators = annotator_numbers[order]
    gains = _gains(continuum, dissimilarity)[np.ix_(order, order)]
    groups: list[tuple[int, ...]] = []
    most_gain = gain = 0.0
    limit: str | None = None
    for part in _parts(gains):
        way, stopped = _solve(part, gains, annotators, deadline)
        groups += way.complete
        gain += way.gain
        most_gain += way.gain if stopped is None else _gain_bound(part, gains, annotators)
        limit = limit or stopped
    groups.sort(key=min)
    group = np.empty(len(continuum), dtype=np.int32)
    for number, members in enumerate(groups):
        group[order[list(members)]] = number
    disorders = _unitary_disorders(groups, gains, continuum.n_annotators, dissimilarity.delta_empty)
    mean = float(disorders.mean())
    n_pairs = continuum.n_annotators * (continuum.n_annotators - 1) / 2
    # A better sum may have more unitary alignments, by which it is divided: as many as there are units, at most.
    least = float(disorders.sum()) - (most_gain - gain) / n_pairs
    bound = mean if limit is None else max(0.0, least / len(continuum))
    return Alignment(
        continuum, group, disorders, disorder=mean, lower_bound=bound, limit=limit, dissimilarity=dissimilarity
    )


def _gains(continuum: Continuum, dissimilarity: Program2017Dissimilarity) -> FloatArray:
    """2 delta_empty - d of every two units, minus infinity for two of one annotator."""
    m = len(continuum)
    u, v = (index.astype(np.int32) for index in np.triu_indices(m, k=1))
    gains = np.full((m, m), -np.inf)
    gains[u, v] = 2 * dissimilarity.delta_empty - dissimilarity.between(continuum, u, v)
    gains[v, u] = gains[u, v]
    codes = continuum.annotator_codes
    gains[codes[:, None] == codes[None, :]] = -np.inf
    return gains


def _parts(gains: FloatArray) -> Iterator[list[int]]:
    """The units that chains of positive gains connect, each part in the order of the units."""
    is_linked = gains > TIE
    seen = np.zeros(len(gains), dtype=bool)
    for first in range(len(gains)):
        if seen[first]:
            continue
        in_part = np.zeros(len(gains), dtype=bool)
        waiting = [first]
        in_part[first] = True
        while waiting:
            linked = np.flatnonzero(is_linked[waiting.pop()] & ~in_part)
            in_part[linked] = True
            waiting += linked.tolist()
        seen |= in_part
        yield np.flatnonzero(in_part).tolist()


def _solve(
    part: Sequence[int], gains: FloatArray, annotators: IntArray, deadline: float | None
) -> tuple[_Way, str | None]:
    """The unitary alignments of one part with the largest gain, and the limit that was reached, if any."""
    rank = {unit: i for i, unit in enumerate(part)}
    last = {unit: max([rank[unit], *(rank[v] for v in part if gains[unit, v] > TIE)]) for unit in part}
    between = {u: {v: float(gains[u, v]) for v in part} for u in part}
    annotator = {unit: int(annotators[unit]) for unit in part}
    states: dict[_Groups, _Way] = {(): _Way(0.0, 0, ())}
    limit: str | None = None
    for now, unit in enumerate(part):
        reached: dict[_Groups, _Way] = {}
        for open_groups, way in states.items():
            for k, members in enumerate((*open_groups, ())):
                if any(annotator[i] == annotator[unit] for i in members):
                    continue
                joined = [*open_groups[:k], (*members, unit), *open_groups[k + 1 :]]
                still_open = tuple(sorted(g for g in joined if any(last[i] > now for i in g)))
                complete = tuple(g for g in joined if all(last[i] <= now for i in g))
                new = _Way(
                    way.gain + sum(between[unit][i] for i in members),
                    way.n_groups + (not members),
                    way.complete + complete,
                )
                if new.is_better_than(reached.get(still_open)):
                    reached[still_open] = new
        most = MOST_STATES
        if deadline is not None and monotonic() > deadline:
            most, limit = 1, limit or "time"
        if len(reached) > most:
            limit = limit or "memory"
            best = sorted(reached, key=lambda state: -reached[state].gain)[:most]
            reached = {state: reached[state] for state in best}
        states = reached
    return states[()], limit


def _gain_bound(part: Sequence[int], gains: FloatArray, annotators: IntArray) -> float:
    """No alignment of the part gains more: each unit with the best earlier partner of every other annotator."""
    bound = 0.0
    for i, unit in enumerate(part):
        best: dict[int, float] = {}
        for v in part[:i]:
            code = int(annotators[v])
            best[code] = max(best.get(code, 0.0), float(gains[unit, v]))
        bound += sum(best.values())
    return bound


def _unitary_disorders(
    groups: Sequence[Sequence[int]], gains: FloatArray, n_annotators: int, delta_empty: float
) -> FloatArray:
    """Eq. 6 with nothing for two empty units: the summed dissimilarities of the pairs over the number of all pairs."""
    disorders = []
    for members in groups:
        real = [2 * delta_empty - gains[u, v] for k, u in enumerate(members) for v in members[k + 1 :]]
        n_half_empty = len(members) * (n_annotators - len(members))
        disorders.append((sum(real) + n_half_empty * delta_empty) / (n_annotators * (n_annotators - 1) / 2))
    return np.array(disorders)
