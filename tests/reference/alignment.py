# SPDX-License-Identifier: MIT
"""The slow twin of the aligner: disorder by the letter of the paper, the best alignment by trying everything.

Mathet, Widlöcher, Métivier 2015, sections 4.5 to 4.7. Units are numbered as in the continuum; a unitary alignment
is the sorted tuple of its units' numbers (the empty units are understood), an alignment a tuple of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, fsum

from reference.dissimilarity import Pairwise
from unisono.model import Continuum, Unit

Members = tuple[int, ...]

#: Two alignments whose summed disorders differ by less are tied.
TIE = 1e-9


def unitary_disorder(units: Sequence[Unit | None], d: Pairwise, delta_empty: float) -> float:
    """Eq. 6: the mean dissimilarity over all pairs of an n-tuple; a pair with an empty unit costs delta_empty."""
    pairs = [delta_empty if u is None or v is None else d(u, v) for u, v in combinations(units, 2)]
    return fsum(pairs) / comb(len(units), 2)


def members_disorder(continuum: Continuum, members: Iterable[int], d: Pairwise, delta_empty: float) -> float:
    """Eq. 6 for a unitary alignment given by the numbers of its units."""
    row: list[Unit | None] = [None] * continuum.n_annotators
    for i in members:
        annotator = int(continuum.annotator_codes[i])
        assert row[annotator] is None, f"two units of {continuum.annotators[annotator]} in one unitary alignment"
        row[annotator] = continuum[i]
    return unitary_disorder(row, d, delta_empty)


def alignment_disorder(
    continuum: Continuum, alignment: Iterable[Iterable[int]], d: Pairwise, delta_empty: float
) -> float:
    """Eq. 7: the summed disorders of the unitary alignments over the mean number of units per annotator."""
    total = fsum(members_disorder(continuum, members, d, delta_empty) for members in alignment)
    return total / continuum.mean_units


def members_of(group: Sequence[int]) -> list[Members]:
    """The unitary alignments of an alignment given by one group number per unit; every number must be used."""
    rows: list[list[int]] = [[] for _ in range(max(group, default=-1) + 1)]
    for unit, number in enumerate(group):
        rows[number].append(unit)
    assert all(rows), "a group number without units"
    return [tuple(row) for row in rows]


def unitary_alignments(continuum: Continuum) -> Iterator[Members]:
    """Every possible unitary alignment but the wholly empty one: a unit or none of each annotator."""
    choices: list[list[int | None]] = [[None] for _ in continuum.annotators]
    for i, annotator in enumerate(continuum.annotator_codes.tolist()):
        choices[annotator].append(i)
    for row in product(*choices):
        members = tuple(i for i in row if i is not None)
        if members:
            yield members


def costs(continuum: Continuum, d: Pairwise, delta_empty: float) -> dict[Members, float]:
    """The disorder of every possible unitary alignment."""
    units = list(continuum)
    between = [[d(u, v) for v in units] for u in units]
    n_pairs = comb(continuum.n_annotators, 2)
    return {
        members: fsum(
            [between[i][j] for i, j in combinations(members, 2)]
            + [delta_empty] * (n_pairs - comb(len(members), 2))  # the pairs with an empty unit
        )
        / n_pairs
        for members in unitary_alignments(continuum)
    }


def alignments(continuum: Continuum) -> Iterator[tuple[Members, ...]]:
    """Every possible alignment: every partition with at most one unit of each annotator in a part."""
    annotators = continuum.annotator_codes.tolist()

    def extended(unit: int, parts: list[Members]) -> Iterator[tuple[Members, ...]]:
        if unit == len(annotators):
            yield tuple(parts)
            return
        for k, part in enumerate(parts):
            if all(annotators[i] != annotators[unit] for i in part):
                yield from extended(unit + 1, [*parts[:k], (*part, unit), *parts[k + 1 :]])
        yield from extended(unit + 1, [*parts, (unit,)])

    return extended(0, [])


@dataclass(frozen=True)
class Best:
    """The lowest disorder there is, and every alignment that has it."""

    disorder: float
    tied: tuple[tuple[Members, ...], ...]

    @property
    def most(self) -> int:
        """The largest number of unitary alignments among the tied alignments."""
        return max(len(alignment) for alignment in self.tied)


def brute_force(continuum: Continuum, d: Pairwise, delta_empty: float) -> Best:
    """The best alignments (section 4.7), by looking at every alignment."""
    cost = costs(continuum, d, delta_empty)
    lowest, tied = float("inf"), []
    for alignment in alignments(continuum):
        total = sum([cost[members] for members in alignment])
        if total <= lowest + TIE:
            lowest = min(lowest, total)
            tied.append((total, alignment))
    kept = tuple(sorted(alignment) for total, alignment in tied if total <= lowest + TIE)
    return Best(lowest / continuum.mean_units, tuple(tuple(alignment) for alignment in kept))


def dual_slack(continuum: Continuum, duals: Sequence[float], d: Pairwise, delta_empty: float) -> float:
    """The smallest disorder minus summed duals over every possible unitary alignment.

    If it is not negative, every alignment costs at least the sum of all duals: the proof that the solver gives.
    """
    return min(cost - fsum(duals[i] for i in members) for members, cost in costs(continuum, d, delta_empty).items())
