# SPDX-License-Identifier: MIT
"""Splits and merges: one annotator's unit where another one has two.

The alignment puts at most one unit of each annotator into a unitary alignment. Where one annotator splits what another
one marks as a whole, one part is aligned with the whole, and the other part stands without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unisono.arrays import repeat
from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices
from unisono.model import FloatArray

#: Pairs of units that are compared at once.
_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class Pieces:
    """Every case in which one annotator has two units and another one a single unit over both.

    whole: the single unit; part: the unit that is aligned with it; extra: the other unit, by the annotator of the part,
    in a group in which the annotator of the whole has none. Part and extra do not overlap, have the same category, and
    at least half of each lies inside the whole.
    """

    whole: Indices
    part: Indices
    extra: Indices

    @classmethod
    def of(cls, units: AlignedUnits) -> Pieces:
        """All cases in the documents."""
        # A group in which everybody has a unit cannot have an extra one.
        queries = np.flatnonzero((units.size < units.n_seats)[units.group] & (units.length > 0))
        found = [np.empty((3, 0), dtype=np.int64)]
        if len(queries):
            order, low, high = _overlap_ranges(units, queries)
            counts = high - low
            until = np.cumsum(counts)
            cuts = np.searchsorted(until, np.arange(_AT_ONCE, until[-1], _AT_ONCE))
            for first, last in pairwise(np.unique([0, *cuts.tolist(), len(queries)]).tolist()):
                some = slice(first, last)
                extra = repeat(queries[some], counts[some])
                number = np.arange(len(extra)) - repeat(np.cumsum(counts[some]) - counts[some], counts[some])
                whole = order[repeat(low[some], counts[some]) + number]
                found.append(_keep_pieces(units, whole, extra))
        whole, part, extra = np.concatenate(found, axis=1)
        return cls(whole, part, extra)

    def split_units(self, units: AlignedUnits) -> tuple[Flags, Flags]:
        """Which units are extra pieces in the eyes of most others, and which are the parts that were left of a split.

        Most others: more than half of those who are in the group of the part.
        """
        is_extra, is_part = np.zeros((2, len(units)), dtype=bool)
        if not len(self.whole):
            return is_extra, is_part
        is_few = 2 * (units.size - 1) < units.n_seats - 1
        keys = self.extra * units.n_groups + units.group[self.whole]
        _, first, votes = np.unique(keys, return_index=True, return_counts=True)
        extra, part = self.extra[first], self.part[first]
        enough = (2 * votes > units.size[units.group[part]] - 1) & is_few[units.group[extra]]
        is_extra[extra[enough]] = True
        is_part[part[enough]] = True
        return is_extra, is_part

    def merged_seats(self, units: AlignedUnits) -> tuple[Indices, Indices, Indices]:
        """Groups and seats where an annotator's unit covers what most others mark as two; and that unit.

        The annotator has no unit in the group, which most of the others have: it is part of a unit in another group.
        """
        if not len(self.whole):
            return self.whole, self.whole, self.whole
        group = units.group[self.extra]
        keys = group * len(units) + self.whole
        _, first, votes = np.unique(keys, return_index=True, return_counts=True)
        group, whole = group[first], self.whole[first]
        enough = (2 * votes > units.size[group]) & (2 * units.size[group] > units.n_seats[group] - 1)
        return group[enough], units.seat[whole[enough]], whole[enough]


def _overlap_ranges(units: AlignedUnits, queries: Indices) -> tuple[Indices, Indices, Indices]:
    """Units in order of document and start, and for each query the range that holds every unit that overlaps it."""
    _, rank = np.unique(np.concatenate((units.start, units.end)), return_inverse=True)
    width = int(rank.max()) + 2
    starts = units.document * width + rank[: len(units)]
    ends = units.document * width + rank[len(units) :]
    order = np.argsort(starts, kind="stable")
    # The furthest end so far never falls; units of earlier documents end before this document begins.
    furthest = np.maximum.accumulate(ends[order])
    low = np.searchsorted(furthest, starts[queries], side="right")
    high = np.searchsorted(starts[order], ends[queries], side="left")
    return order, low, np.maximum(low, high)


def _keep_pieces(units: AlignedUnits, whole: Indices, extra: Indices) -> Indices:
    """Wholes, parts and extras among these pairs of a unit and a possible piece of it."""
    differ = (units.seat[whole] != units.seat[extra]) & (units.group[whole] != units.group[extra])
    differ &= 2 * _overlap(units, whole, extra) >= units.length[extra]
    whole, extra = whole[differ], extra[differ]
    part = units.find_unit(units.group[whole], units.seat[extra])
    rival = units.find_unit(units.group[extra], units.seat[whole])
    kept = (part >= 0) & (rival < 0)
    whole, extra, part = whole[kept], extra[kept], part[kept]
    kept = (units.label[part] == units.label[extra]) & (_overlap(units, part, extra) <= 0)
    kept &= (units.length[part] > 0) & (2 * _overlap(units, whole, part) >= units.length[part])
    return np.stack((whole[kept], part[kept], extra[kept]))


def _overlap(units: AlignedUnits, first: Indices, second: Indices) -> FloatArray:
    return np.minimum(units.end[first], units.end[second]) - np.maximum(units.start[first], units.start[second])
