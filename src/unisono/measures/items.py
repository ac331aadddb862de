# SPDX-License-Identifier: MIT
"""Items: the values that several annotators gave to the same things, for the measures of categorisation.

Three ways from units to items: predefined units (each position is an item), atoms of the continuum (each small piece
of it is an item, "blank" where nothing is marked), and γ's alignment (each unitary alignment is an item).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity, Nominal
from unisono.dissimilarity.categorial import Categorial
from unisono.dissimilarity.parameter_checks import short
from unisono.measures.atoms import in_atoms
from unisono.measures.chunks import Index, merge_labels, ranges
from unisono.measures.undefined import (
    NO_UNITS,
    UndefinedError,
    check_step,
    no_feature,
    no_text,
    too_few_annotators,
    units_overlap,
)
from unisono.model import CATEGORY, Alignment, Continuum, Feature, FloatArray, IntArray
from unisono.results import ReasonCode

if TYPE_CHECKING:
    from unisono.measures.resolved import Resolved

#: The label of an atom on which nothing is marked.
BLANK = "blank"

#: From two columns of value codes to their distances.
Distance = Callable[[NDArray[Any], NDArray[Any]], FloatArray]


@dataclass(frozen=True)
class Items:
    """At most one value of each annotator for each item; values may be missing.

    Row i says that `annotators[annotator[i]]` gave the value `labels[value[i]]` to `item[i]`; rows are sorted by item,
    then annotator. An item counts `weights[item]` times: 1, or the number of equal atoms it stands for. With
    `is_continuous` the weights are lengths of a continuum that is not cut into atoms, so that only their ratios
    matter. A label of None stands for a unit without a category, `blank` is the code of "nothing marked".

    >>> items = Items.of([["A", "B", None], ["A", "A", "B"]])
    >>> items.n_items, items.labels, items.values.tolist()
    (3, ('A', 'B'), [[0, 1, -1], [0, 0, 1]])
    """

    item: IntArray
    annotator: IntArray
    value: IntArray
    weights: FloatArray
    annotators: tuple[str, ...]
    labels: tuple[str | None, ...]
    blank: int | None = None
    is_continuous: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rows: Sequence[Sequence[object | None]],
        *,
        annotators: Sequence[str] | None = None,
        weights: Sequence[float] | FloatArray | None = None,
    ) -> Items:
        """Items from a table, one row for each annotator and one column for each item; None is a missing value."""
        names = tuple(annotators) if annotators is not None else tuple(f"{i + 1:02}" for i in range(len(rows)))
        n_items = max((len(row) for row in rows), default=0)
        column = Feature.encode([None if x is None else str(x) for entry in zip(*rows, strict=True) for x in entry])
        place = np.flatnonzero(column.codes >= 0)
        return cls(
            item=(place // max(len(rows), 1)).astype(np.int32),
            annotator=(place % max(len(rows), 1)).astype(np.int32),
            value=column.codes[place],
            weights=np.ones(n_items) if weights is None else np.asarray(weights, dtype=np.float64),
            annotators=names,
            labels=column.labels,
        )

    @property
    def n_items(self) -> int:
        return len(self.weights)

    @cached_property
    def n_values(self) -> Index:
        """The number of annotators who gave each item a value."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def values(self) -> IntArray:
        """The matrix annotators x items, -1 where a value is missing; large where there are many annotators."""
        matrix = np.full((len(self.annotators), self.n_items), -1, dtype=np.int32)
        matrix[self.annotator, self.item] = self.value
        return matrix

    @cached_property
    def counts(self) -> tuple[Index, Index, Index]:
        """The number of annotators who gave an item a value, as columns (item, value, count) with counts above 0."""
        keys, count = np.unique(self.item.astype(np.int64) * len(self.labels) + self.value, return_counts=True)
        item, value = np.divmod(keys, max(len(self.labels), 1))
        return item, value, count


def predefined_items(
    continua: Sequence[Continuum], feature: str = CATEGORY, *, predefined: bool | None = None
) -> Items:
    """An item for each position (document, start, end) that somebody marked; its values are the labels.

    Units are taken as predefined if no two different positions of a document overlap. With `predefined=True` items
    may overlap, because the user says that they were given; with False the units are not predefined. The value of an
    annotator who did not mark the item, or whose unit has no label, is missing.
    """
    if predefined is False:
        raise UndefinedError.of(
            ReasonCode.NOT_PREDEFINED, "needs predefined units: the settings say that these are not"
        )
    table = _Units.of(continua, feature)
    table.check_labels(feature)
    order = np.lexsort((table.annotator, table.ends, table.starts, table.document))
    document, start, end = table.document[order], table.starts[order], table.ends[order]
    annotator, value = table.annotator[order], table.value[order]
    same_document = document[1:] == document[:-1]
    same_item = same_document & (start[1:] == start[:-1]) & (end[1:] == end[:-1])

    def units(i: int) -> str:
        two = [f"{short(start[k])}-{short(end[k])} by {table.annotators[annotator[k]]!r}" for k in (i, i + 1)]
        return f"in {continua[document[i]].name!r}, {two[0]} and {two[1]}"

    twice = np.flatnonzero(same_item & (annotator[1:] == annotator[:-1]))
    if len(twice):
        what = units(int(twice[0]))
        raise UndefinedError.of(
            ReasonCode.SAME_POSITION, f"needs one unit of each annotator at a position: {what} are at the same one"
        )
    # Positions are sorted: if any two of them overlap, then two neighbours do.
    overlap = np.flatnonzero(same_document & ~same_item & (end[:-1] > start[1:]))
    if len(overlap) and not predefined:
        what = units(int(overlap[0]))
        raise UndefinedError.of(
            ReasonCode.NOT_PREDEFINED,
            f"needs predefined units, at the same positions for all annotators: {what} differ",
        )
    item = np.concatenate(([0], np.cumsum(~same_item)))
    kept = value >= 0
    notes = []
    if not kept.all():
        n_missing = int((~kept).sum())
        notes.append(f"{n_missing} unit{'s' if n_missing > 1 else ''} without a label: missing values")
    return Items(
        item=item[kept].astype(np.int32),
        annotator=annotator[kept],
        value=value[kept],
        weights=np.ones(int(item[-1]) + 1),
        annotators=table.annotators,
        labels=table.labels,
        notes=tuple(notes),
    )


def aligned_items(alignments: Alignment | Sequence[Alignment], feature: str = CATEGORY) -> Items:
    """An item for each unitary alignment; its values are the labels of its units (2017, section 4.2.1, Fig. 5).

    Empty units and units without a label are missing values. The paper warns against measuring these items as if they
    had been given (section 4.2.6): γcat is the measure made for them.
    """
    parts = (alignments,) if isinstance(alignments, Alignment) else tuple(alignments)
    table = _Units.of([alignment.continuum for alignment in parts], feature)
    table.check_labels(feature)
    sizes = np.array([len(alignment) for alignment in parts])
    offsets = np.cumsum(sizes) - sizes
    item = np.concatenate([alignment.group + offset for alignment, offset in zip(parts, offsets, strict=True)])
    order = np.lexsort((table.annotator, item))
    order = order[table.value[order] >= 0]
    return Items(
        item=item[order].astype(np.int32),
        annotator=table.annotator[order],
        value=table.value[order],
        weights=np.ones(int(sizes.sum())),
        annotators=table.annotators,
        labels=table.labels,
    )


def atoms(continua: Sequence[Continuum], settings: Resolved) -> Items:
    """The continua cut into atoms, each an item: the label of the unit that holds its middle, or blank.

    Mathet et al. 2015, sections 3.4.1 and 6.2. An atom is an integer position, or a `step` counted from where the
    continuum begins, or a word of the text. Without a step, positions that are not integers are not cut, and values
    are the limit of ever smaller atoms. Equal neighbours are one item whose weight is their number, so that time does
    not depend on the length of the continuum. Every annotator of a document has a value for all its atoms.
    """
    table = _Units.of(continua, categorial_of(settings).feature)
    _check_no_overlap(table, continua)
    check_step(settings)
    if settings.atoms == "word":
        for continuum in continua:
            if continuum.text is None:
                raise no_text(continuum.name)
    cuts = [_cut(continuum, settings) for continuum in continua]
    starts, ends, lows, highs = (np.concatenate(column) for column in zip(*cuts, strict=True))
    # Runs of equal atoms: the stretches between neighbouring boundaries, in all documents.
    where = np.arange(len(continua))
    points = np.concatenate((starts, ends, lows, highs))
    documents = np.concatenate((table.document, table.document, where, where))
    order = np.lexsort((points, documents))
    is_new = np.append(True, (np.diff(documents[order]) != 0) | (np.diff(points[order]) != 0))
    boundary = np.empty(len(order), dtype=np.int64)
    boundary[order] = np.cumsum(is_new) - 1
    documents, points = documents[order][is_new], points[order][is_new]
    is_run = np.append(documents[1:] == documents[:-1], False)  # whether a run begins at the boundary
    run_at = np.cumsum(is_run) - is_run
    documents, weights = documents[is_run], np.diff(points, append=points[-1:])[is_run]
    # One row for each run and each annotator of its document; its value is blank unless a unit covers it.
    n_annotators = np.array([continuum.n_annotators for continuum in continua])
    run, annotator = ranges(np.zeros_like(documents), n_annotators[documents])
    first_row = np.cumsum(n_annotators[documents]) - n_annotators[documents]
    unlabelled, blank = len(table.labels), len(table.labels) + 1
    value = np.full(len(run), blank, dtype=np.int32)
    n = len(table.document)
    unit, covered = ranges(run_at[boundary[:n]], run_at[boundary[n : 2 * n]])
    value[first_row[covered] + table.place[unit]] = np.where(table.value < 0, unlabelled, table.value)[unit]
    first_name = np.cumsum(n_annotators) - n_annotators
    is_continuous = _is_continuous(continua, settings)
    return _drop_unused_labels(
        Items(
            item=run.astype(np.int32),
            annotator=table.names[first_name[documents[run]] + annotator],
            value=value,
            weights=weights.astype(np.float64),
            annotators=table.annotators,
            labels=(*table.labels, None, BLANK),
            blank=blank,
            is_continuous=is_continuous,
            notes=_atom_notes(int((starts == ends).sum()), is_continuous),
        )
    )


def categorial_of(settings: Resolved) -> Categorial:
    """The distance of labels in the settings; nominal for a dissimilarity without a categorial part."""
    dissimilarity = settings.dissimilarity
    return dissimilarity.categorial if isinstance(dissimilarity, CombinedDissimilarity) else Nominal()


def distance_of(categorial: Categorial, items: Items) -> Distance:
    """The distance of two values of the items, as a function of their codes.

    A blank, or the value of a unit without a label, is at distance 1 from every other value. f_cat is not applied.
    InputError for labels that the distance cannot take.
    """
    named = [code for code, label in enumerate(items.labels) if label is not None and code != items.blank]
    kind, table = categorial.table([str(items.labels[code]) for code in named])
    if kind == "nominal" or not named:
        return nominal
    place = np.full(len(items.labels), -1, dtype=np.int64)
    place[named] = np.arange(len(named))

    def distance(u: NDArray[Any], v: NDArray[Any]) -> FloatArray:
        a, b = place[u], place[v]
        between = np.abs(table[a] - table[b]) if kind == "values" else table[a * len(named) + b]
        apart: FloatArray = np.where((a < 0) | (b < 0), nominal(u, v), between)
        return apart

    return distance


def nominal(u: NDArray[Any], v: NDArray[Any]) -> FloatArray:
    """0 for equal values, 1 for others."""
    apart: FloatArray = (u != v).astype(np.float64)
    return apart


@dataclass(frozen=True)
class _Units:
    """The units of several continua in one table; annotators of different documents are matched by name."""

    document: Index
    starts: NDArray[Any]
    ends: NDArray[Any]
    annotator: IntArray
    value: IntArray
    annotators: tuple[str, ...]
    labels: tuple[str, ...]
    #: The number of a unit's annotator within its document.
    place: IntArray
    #: All documents' annotators, one document after the other.
    names: IntArray

    @classmethod
    def of(cls, continua: Sequence[Continuum], feature: str) -> _Units:
        """The table; UndefinedError where there are fewer than two annotators, no units, or not this feature."""
        for continuum in continua:
            if len(continuum) and feature not in continuum.features:
                raise no_feature(feature, continuum)
        annotators = tuple(sorted({name for continuum in continua for name in continuum.annotators}))
        if len(annotators) < 2:
            raise too_few_annotators(annotators)
        if not any(len(continuum) for continuum in continua):
            raise UndefinedError(NO_UNITS)
        code = {name: i for i, name in enumerate(annotators)}
        places = [np.array([code[name] for name in c.annotators], dtype=np.int32) for c in continua]
        value, labels = merge_labels([continuum.features[feature] for continuum in continua if len(continuum)])
        return cls(
            document=repeat(np.arange(len(continua)), [len(continuum) for continuum in continua]),
            starts=np.concatenate([continuum.starts for continuum in continua]),
            ends=np.concatenate([continuum.ends for continuum in continua]),
            annotator=np.concatenate([p[c.annotator_codes] for p, c in zip(places, continua, strict=True)]),
            value=value,
            annotators=annotators,
            labels=labels,
            place=np.concatenate([continuum.annotator_codes for continuum in continua]),
            names=np.concatenate(places),
        )

    def check_labels(self, feature: str) -> None:
        """UndefinedError where no unit has a label."""
        if not self.labels:
            what = "a category" if feature == CATEGORY else f"the feature {feature!r}"
            raise UndefinedError.of(
                ReasonCode.NO_LABELS, f"needs units with {what}: none of the {len(self.value)} units has it"
            )


def _check_no_overlap(table: _Units, continua: Sequence[Continuum]) -> None:
    """UndefinedError where units of one annotator overlap. Units of length 0 cover nothing."""
    real = np.flatnonzero(table.ends > table.starts)  # sorted by document, annotator and start, as continua are
    one, next_one = real[:-1], real[1:]
    overlaps = np.flatnonzero(
        (table.document[one] == table.document[next_one])
        & (table.annotator[one] == table.annotator[next_one])
        & (table.ends[one] > table.starts[next_one])
    )
    if len(overlaps) == 0:
        return
    i, k = int(one[overlaps[0]]), int(next_one[overlaps[0]])
    first, second = (f"{short(table.starts[j])}-{short(table.ends[j])}" for j in (i, k))
    who, where = table.annotators[table.annotator[i]], continua[table.document[i]].name
    raise units_overlap(f"annotator {who!r} in {where!r}", first, second)


def _is_continuous(continua: Sequence[Continuum], settings: Resolved) -> bool:
    cut = settings.atoms == "word" or settings.step is not None
    return not cut and not all(continuum.has_integer_positions for continuum in continua)


def _cut(continuum: Continuum, settings: Resolved) -> tuple[FloatArray, FloatArray, list[float], list[float]]:
    """Starts and ends of the units, then of the continuum, as numbers of atoms whose middle lies before them."""
    extent = continuum.extent
    if extent is None:
        return np.empty(0), np.empty(0), [0.0], [0.0]
    bounds = np.array([extent.start, extent.end], dtype=np.float64)
    positions = np.concatenate((continuum.starts, continuum.ends, bounds)).astype(np.float64)
    positions = in_atoms(positions, extent.start, settings, continuum.text)
    n = len(continuum)
    return positions[:n], positions[n : 2 * n], positions[-2:-1].tolist(), positions[-1:].tolist()


def _atom_notes(n_unseen: int, is_continuous: bool) -> tuple[str, ...]:
    notes = []
    if n_unseen:
        notes.append(f"{n_unseen} unit{'s' if n_unseen > 1 else ''} too short to hold an atom: not seen")
    if is_continuous:
        notes.append("no step: lengths are compared, the limit of ever smaller atoms")
    return tuple(notes)


def _drop_unused_labels(items: Items) -> Items:
    """The same items without the labels that no value has."""
    used, value = np.unique(items.value, return_inverse=True)
    codes = used.tolist()
    return replace(
        items,
        value=value.astype(np.int32),
        labels=tuple(items.labels[code] for code in codes),
        blank=codes.index(items.blank) if items.blank in codes else None,
    )
