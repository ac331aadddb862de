# SPDX-License-Identifier: MIT
"""Segmentations: continua whose units cover everything without overlap, so that their boundaries say it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.measures.atoms import in_atoms, is_cut
from unisono.measures.comparisons import Comparisons, Index, ranges
from unisono.measures.settings import Settings
from unisono.model import Continuum, FloatArray


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
    #: Whether positions are taken as they are, between the atoms of nothing: the limit of ever smaller steps.
    is_continuous: bool
    #: The window that was asked for, in atoms.
    window: float | None

    @classmethod
    def of(cls, continua: Sequence[Continuum], settings: Settings) -> Segmentations | str:
        """The segmentations that can be compared, or why they cannot be taken for such."""
        comparisons = Comparisons.of(continua, settings.reference)
        if isinstance(comparisons, str):
            return comparisons
        if settings.window is not None and not settings.window > 0:
            return f"needs a window above 0: found {settings.window:g}"
        if settings.step is not None and not settings.step > 0:
            return f"needs a step above 0: found {settings.step:g}"
        is_compared = np.zeros(len(continua), dtype=bool)
        is_compared[comparisons.document] = True
        cut = [
            _cut(continuum, settings) if is_compared[d] else _uncut(continuum) for d, continuum in enumerate(continua)
        ]
        pieces = [piece for piece in cut if not isinstance(piece, str)]
        if len(pieces) < len(cut):
            return next(piece for piece in cut if isinstance(piece, str))
        starts = np.concatenate([piece.starts for piece in pieces])
        ends = np.concatenate([piece.ends for piece in pieces])
        lengths = np.array([piece.length for piece in pieces], dtype=np.float64)
        problem = _not_a_segmentation(comparisons, starts, ends, lengths)
        if problem:
            return problem
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
            is_continuous=any(piece.is_continuous for piece in pieces),
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
        """For each comparison, the window if one was asked for, or half the mean unit of these rows' annotator.

        The mean is over all the documents that the pair shares. Atoms come whole, two at least: a window of one would
        see no near miss.
        """
        if self.window is not None:
            half = np.full(self.comparisons.n_pairs, self.window)
        else:
            lengths = self.comparisons.per_pair(self.lengths[self.comparisons.document])
            half = lengths / self.comparisons.per_pair(self.n_boundaries[rows] + 1) / 2
        if not self.is_continuous:
            half = np.maximum(np.round(half), 1.0 if self.window is not None else 2.0)
        return half[self.comparisons.pair]

    def discrete(self) -> str | None:
        """Why there are no potential boundaries to count, where there are none."""
        if not self.is_continuous:
            return None
        return "needs positions that are integers, or a step: how many boundaries there could be is not known"


@dataclass(frozen=True)
class _Cut:
    """One continuum in atoms, counted from where it begins."""

    starts: FloatArray
    ends: FloatArray
    length: float
    is_continuous: bool


def _uncut(continuum: Continuum) -> _Cut:
    """A continuum that is not looked at."""
    return _Cut(np.zeros(len(continuum)), np.zeros(len(continuum)), 0.0, False)


def _cut(continuum: Continuum, settings: Settings) -> _Cut | str:
    extent = continuum.extent
    if extent is None:
        return f"needs units that cover the whole continuum: {continuum.name!r} has none"
    if settings.atoms == "word" and continuum.text is None:
        return f"needs the text of every document, to find its words: {continuum.name!r} has none"
    positions = np.concatenate((continuum.starts, continuum.ends, [extent.end]))
    atoms = in_atoms(positions, extent.start, settings, continuum.text)
    n = len(continuum)
    return _Cut(atoms[:n], atoms[n : 2 * n], float(atoms[-1]), not is_cut(continuum, settings))


def _not_a_segmentation(
    comparisons: Comparisons, starts: FloatArray, ends: FloatArray, lengths: FloatArray
) -> str | None:
    """What the units of the rows that are compared lack to be a segmentation of their continuum; None if nothing."""
    n_units = comparisons.n_units
    is_compared = np.zeros(len(n_units), dtype=bool)
    is_compared[comparisons.rows] = True
    empty = np.flatnonzero(is_compared & (n_units == 0))
    if len(empty):
        return f"needs units that cover the whole continuum: {comparisons.where(int(empty[0]))} has none"
    # Where each unit should begin and end: next to its neighbours, or where the continuum does.
    row = np.repeat(np.arange(len(n_units)), n_units)
    before, after = np.zeros(len(starts)), lengths[comparisons.row_document[row]]
    inner = np.flatnonzero(row[1:] == row[:-1])
    before[inner + 1], after[inner] = ends[inner], starts[inner + 1]
    wrong = np.flatnonzero(is_compared[row] & ((starts != before) | (ends != after) | (starts == ends)))
    if len(wrong) == 0:
        return None
    unit = int(wrong[0])
    document = int(comparisons.row_document[row[unit]])
    continuum, where = comparisons.continua[document], comparisons.where(int(row[unit]))
    here = unit - int(comparisons.row_first[np.searchsorted(comparisons.row_document, document)])
    if starts[unit] == ends[unit]:
        return f"needs units of at least one atom: {where} has {_text(continuum, here)}"
    if ends[unit] > after[unit]:
        return f"needs units that do not overlap: {where} has {_text(continuum, here)} and {_text(continuum, here + 1)}"
    if starts[unit] > before[unit]:
        side = f"before {_text(continuum, here)}"
    elif unit in inner:
        side = f"between {_text(continuum, here)} and {_text(continuum, here + 1)}"
    else:
        side = f"after {_text(continuum, here)}"
    return f"needs units that cover the whole continuum: {where} left some of it unmarked {side}"


def _text(continuum: Continuum, unit: int) -> str:
    return f"{continuum.starts[unit]}-{continuum.ends[unit]}"
