# SPDX-License-Identifier: MIT
"""The slow twin of the preset `greyc-2017`: d(empty, empty) = 0, the mean disorder of the unitary alignments.

A hypothesis about the program behind Mathet 2017 (docs/validity.md). The best alignment minimises the summed disorder
of its unitary alignments, as in 2015; only then is the sum divided, by their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum

from reference.alignment import TIE, Members, alignments
from reference.dissimilarity import Pairwise
from unisono.model import Continuum, Unit


def unitary_disorder(units: Sequence[Unit | None], d: Pairwise, delta_empty: float) -> float:
    """Eq. 6, but two empty units cost nothing."""
    total = 0.0
    for u, v in combinations(units, 2):
        if u is not None and v is not None:
            total += d(u, v)
        elif u is not None or v is not None:
            total += delta_empty
    return total / comb(len(units), 2)


@dataclass(frozen=True)
class Best:
    """The lowest sum there is, and every alignment that has it."""

    total: float
    tied: tuple[tuple[Members, ...], ...]

    @property
    def most(self) -> int:
        return max(len(alignment) for alignment in self.tied)


def brute_force(continuum: Continuum, d: Pairwise, delta_empty: float) -> Best:
    """The best alignments, by looking at every one of them."""

    def disorder(members: Members) -> float:
        row: list[Unit | None] = [None] * continuum.n_annotators
        for i in members:
            row[continuum.annotator_codes[i]] = continuum[i]
        return unitary_disorder(row, d, delta_empty)

    known: dict[Members, float] = {}
    totals = []
    for alignment in alignments(continuum):
        for members in alignment:
            if members not in known:
                known[members] = disorder(members)
        totals.append((fsum(known[members] for members in alignment), alignment))
    lowest = min(total for total, _ in totals)
    return Best(lowest, tuple(tuple(sorted(alignment)) for total, alignment in totals if total <= lowest + TIE))
