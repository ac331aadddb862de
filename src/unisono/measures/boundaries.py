# SPDX-License-Identifier: MIT
"""Segmentations: units that cover the continuum without overlap, so that their boundaries describe them fully."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.measures.atoms import in_atoms, is_cut
from unisono.measures.chunks import Index, ranges
from unisono.measures.comparisons import Comparisons
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import UndefinedError, check_step, no_text, units_overlap
from unisono.model import Continuum, FloatArray
from unisono.results import ReasonCode


@dataclass(frozen=True)
class Segmentations:
    """The boundaries inside each continuum, in atoms from where it begins; the columns follow the comparisons' rows.

    `row_first[r]` to `row_first[r + 1]` are the boundaries of row r, ascending; one fewer than it has units.
    """

    comparisons: Comparisons
    boundaries: FloatArray
    row_first: Index
    #: The length of each document, in atoms; it has one potential boundary fewer.
    lengths: FloatArray
    #: Whether there are no atoms: values are then the limit of ever smaller steps.
    is_continuous: bool
    #: The window that was asked for, in atoms.
    window: float | None

    @classmethod
    def of(cls, continua: Sequence[Continuum], settings: Resolved) -> Segmentations:
        """The segmentations that can be compared; UndefinedError where there are none."""
        comparisons = Comparisons.of(continua, settings.reference)
        if settings.window is not None and not settings.window > 0:
            raise UndefinedError.of(ReasonCode.BAD_SETTING, f"needs a window above 0: it is {settings.window:g}")
        check_step(settings)
        cut = [_cut(continuum, settings) for continuum in comparisons.continua]
        starts = np.concatenate([piece.starts for piece in cut])
        ends = np.concatenate([piece.ends for piece in cut])
        lengths = np.array([piece.length for piece in cut])
        # Documents that are no segmentations are left out where there are others.
        is_bad, error = _find_bad_documents(comparisons, cut, starts, ends, lengths)
        if error is not None:
            comparisons = comparisons.without(is_bad, error.reason.sentence)
            if len(comparisons.first) == 0:
                raise error
        # The start of every unit but the row's first.
        n_units = comparisons.n_units
        kept = np.ones(len(starts), dtype=bool)
        kept[comparisons.row_first[:-1][n_units > 0]] = False
        row_first = np.concatenate(([0], np.cumsum(np.maximum(n_units - 1, 0))))
        in_atoms = 1.0 if settings.atoms == "word" or settings.step is None else settings.step
        return cls(
            comparisons=comparisons,
            boundaries=starts[kept],
            row_first=row_first,
            lengths=lengths,
            is_continuous=any(cut[d].is_continuous for d in np.unique(comparisons.document).tolist()),
            window=None if settings.window is None else settings.window / in_atoms,
        )

    @cached_property
    def n_boundaries(self) -> Index:
        """The number of boundaries of each row."""
        return np.diff(self.row_first)

    def boundaries_of(self, rows: Index) -> tuple[Index, FloatArray]:
        """The boundaries of one row for each comparison: the comparison, the boundary."""
        comparison, at = ranges(self.row_first[rows], self.row_first[rows + 1])
        return comparison, self.boundaries[at]

    def windows(self, rows: Index) -> FloatArray:
        """The window of each comparison: the one asked for, or half the mean unit of these rows' annotator.

        The mean is over all the documents that the pair shares. The window is a whole number of atoms, at least two:
        with one atom, near misses would count as misses.
        """
        if self.window is not None:
            half = np.full(self.comparisons.n_pairs, self.window)
        else:
            lengths = self.comparisons.per_pair(self.lengths[self.comparisons.document])
            half = lengths / self.comparisons.per_pair(self.n_boundaries[rows] + 1) / 2
        if not self.is_continuous:
            half = np.maximum(np.round(half), 1.0 if self.window is not None else 2.0)
        return half[self.comparisons.pair]

    def check_discrete(self) -> None:
        """UndefinedError where there are no atoms, so that potential boundaries cannot be counted."""
        if self.is_continuous:
            raise UndefinedError.of(
                ReasonCode.NOT_DISCRETE,
                "needs positions that are integers, or a step: how many boundaries there could be is not known",
            )


@dataclass(frozen=True)
class _Cut:
    """One continuum in atoms, counted from where it begins; `error` says why it cannot be cut."""

    starts: FloatArray
    ends: FloatArray
    length: float = 0.0
    is_continuous: bool = False
    error: UndefinedError | None = None


def _cut(continuum: Continuum, settings: Resolved) -> _Cut:
    n, extent = len(continuum), continuum.extent
    if extent is None:
        where = repr(continuum.name) if continuum.name else "the document"
        return _Cut(np.empty(0), np.empty(0), error=_not_covering_error(f"{where} has none"))
    if settings.atoms == "word" and continuum.text is None:
        return _Cut(np.zeros(n), np.zeros(n), error=no_text(continuum.name))
    positions = np.concatenate((continuum.starts, continuum.ends, [extent.end]))
    atoms = in_atoms(positions, extent.start, settings, continuum.text)
    return _Cut(atoms[:n], atoms[n : 2 * n], float(atoms[-1]), not is_cut(continuum, settings))


def _not_covering_error(what: str) -> UndefinedError:
    return UndefinedError.of(ReasonCode.NOT_COVERING, f"needs units that cover the whole continuum: {what}")


def _find_bad_documents(
    comparisons: Comparisons, cut: Sequence[_Cut], starts: FloatArray, ends: FloatArray, lengths: FloatArray
) -> tuple[NDArray[np.bool_], UndefinedError | None]:
    """Which documents are not segmented by all annotators who are compared, and what the first of them lacks."""
    row_document, n_units = comparisons.row_document, comparisons.n_units
    is_compared = np.zeros(len(n_units), dtype=bool)
    is_compared[comparisons.rows] = True
    # Where each unit should begin and end: at its neighbours, or at the ends of the continuum.
    row = repeat(np.arange(len(n_units)), n_units)
    before, after = np.zeros(len(starts)), lengths[row_document[row]]
    inner = np.flatnonzero(row[1:] == row[:-1])
    before[inner + 1], after[inner] = ends[inner], starts[inner + 1]
    is_wrong = (starts != before) | (ends != after) | (starts == ends)
    is_bad_row = (n_units == 0) | (np.bincount(row[is_wrong], minlength=len(n_units)) > 0)
    is_bad_row |= np.array([piece.error is not None for piece in cut])[row_document]
    is_bad_row &= is_compared
    is_bad = np.bincount(row_document[is_bad_row], minlength=len(cut)) > 0
    if not is_bad.any():
        return is_bad, None
    first = int(np.flatnonzero(is_bad_row)[0])
    document, where = int(row_document[first]), comparisons.where(first)
    if cut[document].error is not None:
        return is_bad, cut[document].error
    if n_units[first] == 0:
        return is_bad, _not_covering_error(f"{where} has none")
    unit = int(np.flatnonzero(is_wrong & (row == first))[0])
    continuum = comparisons.continua[document]
    here = unit - int(comparisons.row_first[np.searchsorted(row_document, document)])
    this = _text(continuum, here)
    following = _text(continuum, here + 1) if unit + 1 < comparisons.row_first[first + 1] else ""
    if starts[unit] == ends[unit]:
        return is_bad, UndefinedError.of(ReasonCode.NO_LENGTH, f"needs units of at least one atom: {where} has {this}")
    if ends[unit] > after[unit]:
        return is_bad, units_overlap(where, this, following)
    if starts[unit] > before[unit]:
        side = f"before {this}"
    else:
        side = f"between {this} and {following}" if following else f"after {this}"
    return is_bad, _not_covering_error(f"{where} left some of it unmarked {side}")


def _text(continuum: Continuum, unit: int) -> str:
    return f"{continuum.starts[unit]}-{continuum.ends[unit]}"
