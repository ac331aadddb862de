# SPDX-License-Identifier: MIT
"""Sections: the units of all annotators and the gaps between them, in columns, for the unitizing alphas.

Several documents lie end to end; no section crosses a border. The alphas treat annotators as interchangeable, so that
the annotators of different documents need not be matched.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.measures.chunks import Index, in_chunks, merge_labels, sum_by_code
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import (
    NO_UNITS,
    UndefinedError,
    check_step,
    no_feature,
    too_few_annotators,
    units_overlap,
)
from unisono.model import Continuum, FloatArray
from unisono.nouns import quantity
from unisono.results import Reason, ReasonCode

ONE_VALUE = Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT, "the expected disagreement is 0: all sections have one value")
_CONTINUOUS = "no step, and positions that are not integers: the limit of ever smaller steps"


@dataclass(frozen=True)
class Sections:
    """Stretches of one value by one annotator, all documents in one table; positive lengths, in any order.

    `place` numbers the annotators of all documents: (document, annotator). `value` is a code into `labels` (None: a
    unit without a category), or `gap`. Lengths are counted in positions, or in steps where the settings name one.
    """

    continua: tuple[Continuum, ...]
    document: Index
    #: The number of the unit in its document; -1 for a gap.
    unit: Index
    place: Index
    starts: FloatArray
    ends: FloatArray
    value: Index
    labels: tuple[str | None, ...]
    #: m - 1 for each document with m annotators: the number of others that an annotator is compared with.
    others: FloatArray
    #: Extent of each place, and the document it belongs to.
    place_starts: FloatArray
    place_ends: FloatArray
    place_document: Index
    #: Whether lengths are not whole numbers of positions or steps: then values are the limit of ever smaller steps.
    is_continuous: bool
    left_out: tuple[str, ...] = ()

    @property
    def atom(self) -> float:
        """The length of an atom: 1, or 0 in the limit of ever smaller steps."""
        return 0.0 if self.is_continuous else 1.0

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on what was left out, and on how lengths are measured."""
        return (*self.left_out, *((_CONTINUOUS,) if self.is_continuous else ()))

    @property
    def gap(self) -> int:
        """The value of a gap."""
        return len(self.labels)

    @property
    def lengths(self) -> FloatArray:
        return self.ends - self.starts

    @property
    def place_lengths(self) -> FloatArray:
        return self.place_ends - self.place_starts

    @property
    def total(self) -> float:
        """The length of the continuum times the number of annotators: mL, over all documents."""
        return float(self.place_lengths.sum())

    @property
    def length(self) -> float:
        """The length of the continuum: L, over all documents."""
        _, first = np.unique(self.place_document, return_index=True)
        return float(self.place_lengths[first].sum())

    def take(self, index: NDArray[Any]) -> Sections:
        """Some of the sections, in this order."""
        return replace(
            self,
            document=self.document[index],
            unit=self.unit[index],
            place=self.place[index],
            starts=self.starts[index],
            ends=self.ends[index],
            value=self.value[index],
        )

    def gaps(self) -> Sections:
        """The gaps between the units of each place, before the first unit and after the last one included.

        The units of a place must not overlap.
        """
        units = self.take(np.lexsort((self.starts, self.place)))
        # The boundaries of a place: the start of its extent, starts and ends of its units, the end of its extent.
        n_places = len(self.place_starts)
        ends = np.concatenate((self.place_starts, units.ends))
        starts = np.concatenate((units.starts, self.place_ends))
        before = np.concatenate((np.arange(n_places), units.place))
        after = np.concatenate((units.place, np.arange(n_places)))
        # A stable sort by place keeps that order within each place.
        first = ends[np.argsort(before, kind="stable")]
        last = starts[np.argsort(after, kind="stable")]
        place = np.sort(before, kind="stable")
        free = first < last
        return replace(
            self,
            document=self.place_document[place[free]],
            unit=np.full(int(free.sum()), -1),
            place=place[free],
            starts=first[free],
            ends=last[free],
            value=np.full(int(free.sum()), self.gap),
        )

    def with_gaps(self) -> Sections:
        """Units and gaps together: each annotator's sections cover the continuum."""
        gaps = self.gaps()
        return replace(
            self,
            document=np.concatenate((self.document, gaps.document)),
            unit=np.concatenate((self.unit, gaps.unit)),
            place=np.concatenate((self.place, gaps.place)),
            starts=np.concatenate((self.starts, gaps.starts)),
            ends=np.concatenate((self.ends, gaps.ends)),
            value=np.concatenate((self.value, gaps.value)),
        )

    def sort(self, *, within_values: bool = False) -> Sections:
        """Sorted by document and start, as `intersections` needs them; with `within_values` by value first."""
        keys = (self.value,) if within_values else ()
        return self.take(np.lexsort((self.starts, self.document, *keys)))


@dataclass(frozen=True)
class Intersections:
    """Pairs of sections p < q of two annotators that share a stretch of this length."""

    p: Index
    q: Index
    lengths: FloatArray
    #: All pairs of the sections before this one are in these intersections or in earlier ones.
    done: int


def intersections(sections: Sections, *, within_values: bool = False) -> Iterator[Intersections]:
    """Every unordered pair of sections of two annotators of a document that intersect, in chunks.

    `within_values`: only pairs of one value. The sections must be sorted (`sort`). The time is proportional to the
    number of pairs, which is below n (m - 1) for n sections of m annotators if no annotator's own sections overlap.
    """
    group = sections.document
    if within_values:
        group = group + len(sections.continua) * sections.value
    # Positions become ranks, group by group, so that one search finds the ends in all groups.
    n = len(group)
    groups, points = np.concatenate((group, group)), np.concatenate((sections.starts, sections.ends))
    order = np.lexsort((points, groups))
    is_new = (np.diff(groups[order], prepend=-1) != 0) | (np.diff(points[order], prepend=np.nan) != 0)
    rank = np.empty(2 * n, dtype=np.int64)
    rank[order] = np.cumsum(is_new)
    # Of two sections, the later one starts before the earlier one ends.
    for p, q in in_chunks(np.arange(1, n + 1), np.searchsorted(rank[:n], rank[n:])):
        done = int(p[-1]) + 1
        differ = sections.place[p] != sections.place[q]
        p, q = p[differ], q[differ]
        common = np.minimum(sections.ends[p], sections.ends[q]) - np.maximum(sections.starts[p], sections.starts[q])
        yield Intersections(p, q, common, done)
    none = np.empty(0, dtype=np.int64)
    yield Intersections(none, none, np.empty(0), n)  # marks the last sections as done, which intersect no later ones


@dataclass(frozen=True)
class Shared:
    """The length that units share with each other annotator whose units they meet: a row for unit and annotator."""

    unit: Index
    lengths: FloatArray


class SharedLengths:
    """Sums up intersections: the length that a unit shares with all units of another annotator.

    The sums of a unit are dropped after its last intersection, so that memory does not grow with the number of units.
    """

    def __init__(self, units: Sections) -> None:
        self._units = units
        self._keys, self._lengths = np.empty(0, dtype=np.int64), np.empty(0)

    def add(self, part: Intersections) -> Shared:
        """Add intersections; returns the sums of the units that have no further ones."""
        place, n_places = self._units.place, len(self._units.place_starts)
        p, q = part.p, part.q
        keys = np.concatenate((self._keys, p * n_places + place[q], q * n_places + place[p]))
        different, which = np.unique(keys, return_inverse=True)
        lengths = sum_by_code(which, np.concatenate((self._lengths, part.lengths, part.lengths)), len(different))
        n_done = int(np.searchsorted(different, part.done * n_places))
        self._keys, self._lengths = different[n_done:], lengths[n_done:]
        return Shared(different[:n_done] // n_places, lengths[:n_done])


def units_of(continua: Sequence[Continuum], settings: Resolved, feature: str) -> Sections:
    """The units of several documents as sections, without the gaps; UndefinedError where a need is not met.

    With a step, positions are counted in steps from where the document begins, to the nearest one. Documents with
    fewer than two annotators and units of no length are left out.
    """
    check_step(settings)
    for continuum in continua:
        if feature not in continuum.features:
            raise no_feature(feature, continuum)
    pairable = [continuum for continuum in continua if continuum.n_annotators >= 2]
    if not pairable:
        raise too_few_annotators(sorted({name for continuum in continua for name in continuum.annotators}))
    kept = tuple(continuum for continuum in pairable if continuum.extent is not None)
    if not any(len(continuum) for continuum in kept):
        raise UndefinedError(NO_UNITS)
    counts = np.array([continuum.n_annotators for continuum in kept])
    offsets = np.cumsum(counts) - counts
    n_units = np.array([len(continuum) for continuum in kept])
    document = repeat(np.arange(len(kept)), n_units)
    # All positions in one column: starts and ends of the units, then of the documents.
    origins = np.array([continuum.extent.start for continuum in kept if continuum.extent], dtype=np.float64)
    bounds = np.array([continuum.extent.end for continuum in kept if continuum.extent], dtype=np.float64)
    positions = np.concatenate((*(c.starts for c in kept), *(c.ends for c in kept), origins, bounds), dtype=np.float64)
    if settings.step is not None:
        # Halves are rounded down, as for the discretised measures.
        origin = origins[np.concatenate((document, document, *(np.arange(len(kept)),) * 2))]
        positions = np.ceil((positions - origin) / settings.step - 0.5)
    starts, ends, origins, bounds = np.split(positions, np.cumsum((len(document), len(document), len(kept))))
    place_document = repeat(np.arange(len(kept)), counts)
    codes, labels = merge_labels([continuum.features[feature] for continuum in kept])
    has_unlabelled = bool((codes < 0).any())
    value = np.where(codes < 0, len(labels), codes).astype(np.int64)
    is_continuous = settings.step is None and not all(continuum.has_integer_positions for continuum in kept)
    has_length = starts < ends
    if not has_length.any():
        raise UndefinedError.of(ReasonCode.NO_LENGTH, "needs units with a length above 0: no unit has one")
    units = Sections(
        continua=kept,
        document=document,
        unit=np.concatenate([np.arange(len(continuum)) for continuum in kept]),
        place=offsets[document] + np.concatenate([continuum.annotator_codes for continuum in kept]),
        starts=starts,
        ends=ends,
        value=value,
        labels=(*labels, None) if has_unlabelled else labels,
        others=counts - 1.0,
        place_starts=origins[place_document],
        place_ends=bounds[place_document],
        place_document=place_document,
        left_out=_left_out_notes(len(continua) - len(pairable), int((~has_length).sum())),
        is_continuous=is_continuous,
    )
    return units.take(np.flatnonzero(has_length))


def check_no_overlap(units: Sections, *, within_values: bool = False) -> None:
    """UndefinedError where units of one annotator overlap; `within_values`: where units of one category do."""
    keys = (units.value,) if within_values else ()
    order = np.lexsort((units.ends, units.starts, *keys, units.place))
    one, following = order[:-1], order[1:]
    is_same = units.place[one] == units.place[following]
    if within_values:
        is_same &= units.value[one] == units.value[following]
    overlaps = np.flatnonzero(is_same & (units.ends[one] > units.starts[following]))
    if len(overlaps) == 0:
        return
    i, k = int(one[overlaps[0]]), int(following[overlaps[0]])
    continuum = units.continua[int(units.document[i])]
    first, second = continuum[int(units.unit[i])], continuum[int(units.unit[k])]
    what = f"units of category {units.labels[int(units.value[i])]!r}" if within_values else "units"
    where = f"annotator {first.annotator!r} in {continuum.name!r}"
    raise units_overlap(where, f"{first.start}-{first.end}", f"{second.start}-{second.end}", what)


def _left_out_notes(n_single: int, n_points: int) -> tuple[str, ...]:
    documents = (f"{quantity(n_single, 'document')} with fewer than two annotators left out",) if n_single else ()
    return (*documents, *((f"{quantity(n_points, 'unit')} of no length left out",) if n_points else ()))
