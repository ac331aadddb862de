# SPDX-License-Identifier: MIT
"""Sections: the units of all annotators and the gaps between them, in columns, as the unitizing alphas need them.

Several documents lie end to end; nothing crosses a border. The alphas take annotators as interchangeable, so that it
does not matter which annotator of one document is which of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.measures.chunks import in_chunks
from unisono.measures.items import summed
from unisono.measures.settings import Settings
from unisono.model import Continuum, Feature, FloatArray

Index = NDArray[np.int64]


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
    #: m - 1 for each document, m its number of annotators: how many others every annotator is held against.
    others: FloatArray
    #: Extent of each place, and the document it belongs to.
    place_starts: FloatArray
    place_ends: FloatArray
    place_document: Index
    #: 1 where lengths are whole numbers of positions or steps; 0: the limit of ever smaller steps.
    atom: float
    notes: tuple[str, ...] = ()

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
        """What the units of each place leave free, the stretches before the first and after the last included.

        The units of a place must not overlap.
        """
        units = self.take(np.lexsort((self.starts, self.place)))
        # Each place is a row of boundaries: its extent's start, then start and end of its units, then its end.
        n_places = len(self.place_starts)
        ends = np.concatenate((self.place_starts, units.ends))
        starts = np.concatenate((units.starts, self.place_ends))
        before = np.concatenate((np.arange(n_places), units.place))
        after = np.concatenate((units.place, np.arange(n_places)))
        # A stable sort by place alone keeps the order above: first boundary first, last boundary last.
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

    def ordered(self, *, within_values: bool = False) -> Sections:
        """Sorted by document and start, as `intersections` needs them; `within_values`: value by value."""
        keys = (self.value,) if within_values else ()
        return self.take(np.lexsort((self.starts, self.document, *keys)))


@dataclass(frozen=True)
class Intersections:
    """Pairs of sections p < q of two annotators that share a stretch of this length."""

    p: Index
    q: Index
    lengths: FloatArray
    #: All pairs of the sections before this one have been given, in these intersections or in earlier ones.
    done: int


def intersections(sections: Sections, *, within_values: bool = False) -> Iterator[Intersections]:
    """Every unordered pair of sections of two annotators of a document that intersect, in chunks.

    `within_values`: pairs of one value alone. The sections are `ordered`. Time follows the number of pairs, of which
    there are fewer than n (m - 1) for n sections of m annotators, as long as nobody's own sections overlap.
    """
    group = sections.document
    if within_values:
        group = group + len(sections.continua) * sections.value
    # Positions as ranks, group by group, so that one search finds the ends in all groups at once.
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
    nobody = np.empty(0, dtype=np.int64)
    yield Intersections(nobody, nobody, np.empty(0), n)  # the last sections have no later ones to intersect


@dataclass(frozen=True)
class Shared:
    """What these units share with each of the other annotators whose units they meet: a row for unit and annotator."""

    unit: Index
    lengths: FloatArray


class SharedLengths:
    """Adds up intersections to what a unit shares with all units of another annotator, a few units at a time.

    No unit's sums are kept longer than until its last intersection, so that memory does not grow with their number.
    """

    def __init__(self, units: Sections) -> None:
        self._units = units
        self._keys, self._lengths = np.empty(0, dtype=np.int64), np.empty(0)

    def add(self, found: Intersections) -> Shared:
        """The sums of the units that are done with."""
        place, n_places = self._units.place, len(self._units.place_starts)
        p, q = found.p, found.q
        keys = np.concatenate((self._keys, p * n_places + place[q], q * n_places + place[p]))
        different, which = np.unique(keys, return_inverse=True)
        lengths = summed(which, np.concatenate((self._lengths, found.lengths, found.lengths)), len(different))
        n_done = int(np.searchsorted(different, found.done * n_places))
        self._keys, self._lengths = different[n_done:], lengths[n_done:]
        return Shared(different[:n_done] // n_places, lengths[:n_done])


def units_of(continua: Sequence[Continuum], settings: Settings, feature: str) -> Sections | str:
    """The units of several documents as sections, without the gaps; or which need is not met.

    With a step, positions are counted in steps from where the document begins, to the nearest one. Documents with
    fewer than two annotators say nothing about agreement, units of no length cover nothing: both are left out.
    """
    if settings.step is not None and not settings.step > 0:
        return f"needs a step above 0; found {settings.step:g}"
    for continuum in continua:
        if feature not in continuum.features:
            known = ", ".join(map(repr, sorted(continuum.features)))
            return f"needs units with the feature {feature!r}; {continuum.name!r} has {known}"
    pairable = [continuum for continuum in continua if continuum.n_annotators >= 2]
    if not pairable:
        names = sorted({name for continuum in continua for name in continuum.annotators})
        return f"needs at least two annotators; found {f'only {names[0]!r}' if len(names) == 1 else 'none together'}"
    kept = tuple(continuum for continuum in pairable if continuum.extent is not None)
    if not any(len(continuum) for continuum in kept):
        return "nobody marked any unit"
    counts = np.array([continuum.n_annotators for continuum in kept])
    offsets = np.cumsum(counts) - counts
    n_units = np.array([len(continuum) for continuum in kept])
    document = np.repeat(np.arange(len(kept)), n_units)
    # Everything that has a position in one column: starts and ends of the units, then of the documents.
    origins = np.array([continuum.extent.start for continuum in kept if continuum.extent], dtype=np.float64)
    bounds = np.array([continuum.extent.end for continuum in kept if continuum.extent], dtype=np.float64)
    positions = np.concatenate((*(c.starts for c in kept), *(c.ends for c in kept), origins, bounds), dtype=np.float64)
    if settings.step is not None:
        # Halves down, as the discretised measures cut.
        origin = origins[np.concatenate((document, document, *(np.arange(len(kept)),) * 2))]
        positions = np.ceil((positions - origin) / settings.step - 0.5)
    starts, ends, origins, bounds = np.split(positions, np.cumsum((len(document), len(document), len(kept))))
    place_document = np.repeat(np.arange(len(kept)), counts)
    value, labels = _labelled([continuum.features[feature] for continuum in kept])
    is_continuous = settings.step is None and not all(continuum.has_integer_positions for continuum in kept)
    has_length = starts < ends
    if not has_length.any():
        return "needs units that have a length; all of them have none"
    units = Sections(
        continua=kept,
        document=document,
        unit=np.concatenate([np.arange(len(continuum)) for continuum in kept]),
        place=offsets[document] + np.concatenate([continuum.annotator_codes for continuum in kept]),
        starts=starts,
        ends=ends,
        value=value,
        labels=labels,
        others=counts - 1.0,
        place_starts=origins[place_document],
        place_ends=bounds[place_document],
        place_document=place_document,
        atom=0.0 if is_continuous else 1.0,
        notes=_notes(len(continua) - len(pairable), int((~has_length).sum()), is_continuous),
    )
    return units.take(np.flatnonzero(has_length))


def overlap(units: Sections, *, within_values: bool = False) -> str | None:
    """Which annotator's units overlap, if any do; `within_values`: units of one category."""
    keys = (units.value,) if within_values else ()
    order = np.lexsort((units.ends, units.starts, *keys, units.place))
    one, following = order[:-1], order[1:]
    is_same = units.place[one] == units.place[following]
    if within_values:
        is_same &= units.value[one] == units.value[following]
    found = np.flatnonzero(is_same & (units.ends[one] > units.starts[following]))
    if len(found) == 0:
        return None
    i, k = int(one[found[0]]), int(following[found[0]])
    continuum = units.continua[int(units.document[i])]
    first, second = continuum[int(units.unit[i])], continuum[int(units.unit[k])]
    what = f"units of category {units.labels[int(units.value[i])]!r}" if within_values else "units"
    return (
        f"needs {what} that do not overlap: annotator {first.annotator!r} in {continuum.name!r} has "
        f"{first.start}-{first.end} and {second.start}-{second.end}"
    )


def lengths_are(continua: Sequence[Continuum], settings: Settings) -> str:
    """What lengths are counted in, for the signature: `integer`, `step=0.1`, or `continuous`."""
    if settings.step is not None:
        return f"step={settings.step:g}"
    return "integer" if all(continuum.has_integer_positions for continuum in continua) else "continuous"


def _labelled(columns: Sequence[Feature]) -> tuple[Index, tuple[str | None, ...]]:
    """The codes of all columns in one, over the labels in use, None last where some units have no label."""
    used = [np.unique(column.codes, return_inverse=True) for column in columns]
    names = [
        column.labels[code] if code >= 0 else None
        for column, (codes, _) in zip(columns, used, strict=True)
        for code in codes.tolist()
    ]
    table = Feature.encode(names)
    sizes = np.array([len(codes) for codes, _ in used])
    offsets = np.cumsum(sizes) - sizes
    codes = np.concatenate([table.codes[offset + place] for offset, (_, place) in zip(offsets, used, strict=True)])
    if None not in names:
        return codes.astype(np.int64), table.labels
    return np.where(codes < 0, len(table.labels), codes).astype(np.int64), (*table.labels, None)


def _notes(n_single: int, n_points: int, is_continuous: bool) -> tuple[str, ...]:
    notes = []
    if n_single:
        notes.append(f"{_many(n_single, 'document')} with fewer than two annotators left out")
    if n_points:
        notes.append(f"{_many(n_points, 'unit')} of no length left out")
    if is_continuous:
        notes.append("no step, and positions that are not integers: the limit of ever smaller steps")
    return tuple(notes)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
