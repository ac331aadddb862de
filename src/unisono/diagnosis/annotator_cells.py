# SPDX-License-Identifier: MIT
"""What each annotator did in each unitary alignment: missed it, added it, split it, merged it, shifted or renamed it.

A cell is an annotator in a group (a unitary alignment): one who has a unit there, or, for units that are missed or
added, one who saw the document. All statements on annotators are sums over cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.arrays import repeat
from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices
from unisono.diagnosis.pieces import Pieces
from unisono.model import FloatArray

#: The habits of annotators, in the order in which tables have them.
HABITS = ("misses", "adds", "starts", "ends", "splits", "merges", "categories")
#: Those that are a share of what an annotator could do; the others are mean shifts in lengths of the unit.
SHARES = frozenset({"misses", "adds", "splits", "merges", "categories"})


@dataclass(frozen=True)
class Cells:
    """The cells of one habit.

    group, seat: where and who; value: what they did there; counts: whether the cell counts for the share or the mean
    that is shown (a unit can be missed only where most others marked one; the test needs the other cells too).
    """

    group: Indices
    seat: Indices
    value: FloatArray
    counts: Flags
    #: The shift in positions, for boundaries.
    positions: FloatArray | None = None


def cells_of(units: AlignedUnits) -> dict[str, Cells]:
    """The cells of every habit."""
    pieces = Pieces.of(units)
    is_extra, is_part = pieces.split_units(units)
    merged_group, merged_seat, whole = pieces.merged_seats(units)
    is_whole = np.zeros(len(units), dtype=bool)
    is_whole[whole] = True
    cells = _presence(units, is_extra, merged_group, merged_seat)
    shared = np.flatnonzero(units.size[units.group] >= 2)
    for habit, did in (("splits", is_part), ("merges", is_whole)):
        cells[habit] = Cells(
            units.group[shared], units.seat[shared], did[shared].astype(np.float64), np.ones(len(shared), dtype=bool)
        )
    cells |= _boundaries(units, np.flatnonzero((units.size[units.group] >= 2) & ~is_part & ~is_whole))
    cells["categories"] = _categories(units, shared[~is_extra[shared]])
    return {habit: cells[habit] for habit in HABITS}


def _presence(units: AlignedUnits, is_extra: Flags, merged_group: Indices, merged_seat: Indices) -> dict[str, Cells]:
    """Units that were missed (most of the others marked one) and added (most of the others did not).

    A part of what an annotator marked as one unit is not missed, and an extra piece of a unit is not added.
    """
    first = np.concatenate(([0], np.cumsum(units.n_seats)))
    group = repeat(np.arange(units.n_groups), units.n_seats)
    seat = np.arange(len(group)) - first[group] + units.first_seat[units.group_document[group]]

    def cell(groups: Indices, seats: Indices) -> Indices:
        return first[groups] + seats - units.first_seat[units.group_document[groups]]

    of_unit = cell(units.group, units.seat)
    marked = np.zeros(len(group), dtype=bool)
    marked[of_unit] = True
    merged = np.zeros(len(group), dtype=bool)
    merged[cell(merged_group, merged_seat)] = True
    extra = np.zeros(len(group), dtype=bool)
    extra[of_unit[is_extra]] = True
    others = units.size[group] - marked
    expected = 2 * others > units.n_seats[group] - 1
    unexpected = 2 * others < units.n_seats[group] - 1
    missed = expected & ~marked & ~merged
    added = unexpected & marked & ~extra
    return {
        "misses": Cells(group, seat, missed.astype(np.float64), expected),
        "adds": Cells(group, seat, added.astype(np.float64), marked),
    }


def _boundaries(units: AlignedUnits, which: Indices) -> dict[str, Cells]:
    """How far each start and each end is from the median of the others', in lengths of the unit (at most one)."""
    group = units.group[which]
    size = np.bincount(group, minlength=units.n_groups)
    which = which[size[group] >= 2]
    group = units.group[which]
    size = np.bincount(group, minlength=units.n_groups)
    length = np.maximum(median_of_others(units.length[which], group, size), 1e-12)
    cells = {}
    for habit, column in (("starts", units.start), ("ends", units.end)):
        shift = column[which] - median_of_others(column[which], group, size)
        share = np.clip(shift / length, -1.0, 1.0)
        cells[habit] = Cells(group, units.seat[which], share, np.ones(len(which), dtype=bool), shift)
    return cells


def median_of_others(values: FloatArray, group: Indices, size: Indices) -> FloatArray:
    """For each value the median of the other values of its group; groups are in ascending order, of two or more.

    >>> median_of_others(np.array([1.0, 5.0, 9.0, 2.0, 3.0]), np.array([0, 0, 0, 1, 1]), np.array([3, 2]))
    array([7., 5., 3., 3., 2.])
    """
    if not len(values):
        return np.empty(0)
    order = np.lexsort((values, group))
    ordered = values[order]
    first = (np.cumsum(size) - size)[group[order]]
    rank = np.arange(len(values)) - first
    left = size[group[order]] - 1
    middle = [ordered[first + k + (k >= rank)] for k in ((left - 1) // 2, left // 2)]
    medians = np.empty(len(values))
    medians[order] = (middle[0] + middle[1]) / 2
    return medians


def _categories(units: AlignedUnits, which: Indices) -> Cells:
    """Whether a unit has another category than most of the others in its group."""
    own, most, _ = label_counts(units, which)
    differs = own - 1 < most
    return Cells(units.group[which], units.seat[which], differs.astype(np.float64), np.ones(len(which), dtype=bool))


def label_counts(units: AlignedUnits, which: Indices) -> tuple[Indices, Indices, Indices]:
    """For each of these units how many in its group have its label; how many have the most frequent other one; which.

    The count is 0 where there is no other label, and the label -1.
    """
    nothing = np.empty(0, np.int64)
    if not len(which):
        return nothing, nothing, nothing
    width = len(units.labels) + 1
    keys, place, counts = np.unique(
        units.group[which] * width + units.label[which] + 1, return_inverse=True, return_counts=True
    )
    owner = keys // width
    order = np.lexsort((-counts, owner))  # the most frequent label of each group first
    begins = np.flatnonzero(np.append(True, owner[order][1:] != owner[order][:-1]))
    runs = np.diff(np.append(begins, len(order)))
    first = np.empty(len(keys), dtype=np.int64)
    first[order] = repeat(order[begins], runs)
    runner_up = np.where(runs > 1, order[np.minimum(begins + 1, len(order) - 1)], -1)
    second = np.empty(len(keys), dtype=np.int64)
    second[order] = repeat(runner_up, runs)
    other = np.where(first == np.arange(len(keys)), second, first)
    most = np.where(other >= 0, counts[other], 0)
    return counts[place], most[place], np.where(other >= 0, keys[other] % width - 1, -1)[place]
