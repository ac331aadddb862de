# SPDX-License-Identifier: MIT
"""The best soft alignment: each unit in at least one unitary alignment instead of exactly one.

Soft alignments come from pygamma-agreement (Titeux and Riad 2021), whose program asks for "at least once" where that of
Mathet et al. 2015 (section 5.1.2) asks for "exactly once": a set covering problem, solved exactly in the core
(start reading in src/unisono/_core/soft.hpp).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import soft_align, soft_align_pairs
from unisono.alignment import alignable, core_limits
from unisono.alignment.align_2017 import refuse_program_2017
from unisono.alignment.pairs import near_pairs
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.core_documents import CoreColumns
from unisono.model import AlignmentBase, Continuum, Corpus, FloatArray, IntArray, Unit, UnitaryAlignment
from unisono.nouns import quantity


class SoftAlignment(AlignmentBase[UnitaryAlignment]):
    """Unitary alignments that hold every unit of a continuum at least once, with their disorder and the proof of it.

    Unitary alignment c has the units `members[firsts[c]:firsts[c + 1]]` (numbers of units) and the disorder
    `disorders[c]` (Eq. 6); `disorder` is their sum over the mean number of units per annotator (Eq. 7).
    `lower_bound` is a proven bound on the disorder of every soft alignment, `gap` how far the disorder may be above the
    best, relative to it; `duals` (one value per unit, none below 0, no unitary alignment cheaper than the sum of its
    units' values) is what the bound rests on.
    """

    __slots__ = ("__dict__", "continuum", "disorder", "disorders", "duals", "firsts", "limit", "lower_bound", "members")

    def __init__(
        self,
        continuum: Continuum,
        firsts: NDArray[np.int64],
        members: IntArray,
        disorders: FloatArray,
        *,
        disorder: float,
        lower_bound: float,
        duals: FloatArray,
        limit: str | None = None,
    ):
        self.continuum = continuum
        self.firsts = firsts
        self.members = members
        self.disorders = disorders
        self.disorder = disorder
        self.lower_bound = lower_bound
        self.duals = duals
        self.limit = limit
        for column in (firsts, members, disorders, duals):
            column.flags.writeable = False

    @cached_property
    def times_covered(self) -> NDArray[np.int64]:
        """The number of unitary alignments that each unit is in."""
        return np.bincount(self.members, minlength=self.continuum.n_units)

    @cached_property
    def unitary_alignments(self) -> tuple[UnitaryAlignment, ...]:
        """The unitary alignments, in the order of the continuum, complete with empty units."""
        units = list(self.continuum)
        codes = self.continuum.annotator_codes.tolist()
        rows = []
        for c, disorder in enumerate(self.disorders.tolist()):
            row: list[Unit | None] = [None] * self.continuum.n_annotators
            for unit in self.members[self.firsts[c] : self.firsts[c + 1]].tolist():
                row[codes[unit]] = units[unit]
            rows.append(UnitaryAlignment(tuple(row), disorder))
        return tuple(rows)

    def __repr__(self) -> str:
        size = quantity(len(self), "unitary alignment")
        return f"<SoftAlignment: {size}, disorder {self.disorder:.6g}, gap {self.gap:.2g}>"


def best_soft_alignment(
    data: Any,
    dissimilarity: Dissimilarity | None = None,
    *,
    effort: float | None = None,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> SoftAlignment:
    """The soft alignment of least disorder, for any number of annotators, with its proof.

    data: as for `best_alignment`.
    Unitary alignments may share units; costs and normalisation are those of `best_alignment`, so the disorder is never
    higher. effort, time_limit and memory_limit stop the search as for `best_alignment`; the best soft alignment so far
    then has `limit` set, a proven `lower_bound` and a `gap` above 0. Ties: the fewest unitary alignments, then the
    smallest sum of keys that depend on the contents of the units alone. Undefined: no units, fewer than two annotators
    (CorpusError).

    >>> c = Continuum.of({"ann": [(0, 20, "A")], "bob": [(0, 9, "A"), (10, 20, "A")]})
    >>> soft = best_soft_alignment(c)
    >>> [(u.start, v.start) for u, v in (row.units for row in soft.unitary_alignments)]
    [(0, 0), (0, 10)]
    """
    continuum = alignable(data)
    fitted = (dissimilarity or CombinedDissimilarity()).fitted(Corpus((continuum,)))
    refuse_program_2017(fitted, "the best soft alignment")
    columns = CoreColumns.of(continuum, fitted)
    limits = core_limits(time_limit, memory_limit, effort)
    if columns.kernel is not None:
        outcome = soft_align(columns.kernel, *columns.units, limits)
    else:
        outcome = soft_align_pairs(*columns.units, fitted.delta_empty, *near_pairs(continuum, fitted), limits)
    firsts, members, disorders, total, bound, duals, limit = outcome
    return SoftAlignment(
        continuum,
        firsts,
        members,
        disorders,
        disorder=total / continuum.mean_units,
        lower_bound=bound / continuum.mean_units,
        duals=duals,
        limit=limit or None,
    )
