# SPDX-License-Identifier: MIT
"""Items: what several annotators said about the same things, as the measures for categorisation need it.

Three ways from units to items: predefined units (each position is an item), atoms of the continuum (each small piece
of it is an item, "blank" where nothing is marked), and γ's alignment (each unitary alignment is an item).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.dissimilarity import CombinedDissimilarity, Nominal
from unisono.dissimilarity.categorial import Categorial
from unisono.dissimilarity.checks import short
from unisono.measures.atoms import in_atoms
from unisono.model import CATEGORY, Alignment, Continuum, Feature, FloatArray, IntArray

if TYPE_CHECKING:
    from unisono.measures.settings import Settings

#: The label of an atom on which nothing is marked.
BLANK = "blank"

#: Pairs of values looked at together; more of them take more memory.
BLOCK = 2_000_000

Index = NDArray[np.int64]
#: From two columns of value codes to their distances.
Distance = Callable[[NDArray[Any], NDArray[Any]], FloatArray]


@dataclass(frozen=True)
class Items:
    """At most one value of each annotator for each item; a value that is not there is missing.

    Row i says that `annotators[annotator[i]]` gave the value `labels[value[i]]` to `item[i]`; rows are sorted by item,
    then annotator. An item counts `weights[item]` times: 1, or the number of equal atoms it stands for. With
    `is_continuous` the weights are lengths of a continuum that is not cut into atoms, so that only their proportions
    mean something. A label of None stands for a unit without a category, `blank` is the code of "nothing marked".

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
        """How many annotators gave each item a value."""
        return np.bincount(self.item, minlength=self.n_items)

    @cached_property
    def values(self) -> IntArray:
        """The matrix annotators x items, -1 where a value is missing. Large where many annotators share the items."""
        matrix = np.full((len(self.annotators), self.n_items), -1, dtype=np.int32)
        matrix[self.annotator, self.item] = self.value
        return matrix

    @cached_property
    def counts(self) -> tuple[Index, Index, Index]:
        """How many annotators gave which item which value, as (item, value, count), where there are any."""
        keys, count = np.unique(self.item.astype(np.int64) * len(self.labels) + self.value, return_counts=True)
        item, value = np.divmod(keys, max(len(self.labels), 1))
        return item, value, count


def joined(low: Index, high: Index) -> tuple[Index, Index]:
    """Every i with each of the numbers from low[i] to high[i] - 1, as two columns.

    >>> [column.tolist() for column in joined(np.array([5, 0, 7]), np.array([7, 0, 8]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    count = high - low
    left = np.repeat(np.arange(len(low)), count)
    right = np.arange(len(left)) + np.repeat(low - (np.cumsum(count) - count), count)
    return left, right


def joined_blocks(low: Index, high: Index) -> Iterator[tuple[Index, Index]]:
    """As `joined`, in pieces of about BLOCK rows, so that memory does not limit how many there are."""
    so_far = np.cumsum(high - low)
    n_rows = int(so_far[-1]) if len(so_far) else 0
    bounds = np.searchsorted(so_far, np.arange(BLOCK, n_rows, BLOCK)).tolist()
    for first, last in pairwise([0, *bounds, len(low)]):
        left, right = joined(low[first:last], high[first:last])
        if len(left):
            yield left + first, right


def summed(codes: NDArray[Any], amounts: NDArray[Any], n: int) -> FloatArray:
    """The sum of the amounts of each code from 0 to n - 1.

    >>> summed(np.array([0, 2, 2]), np.array([1, 2, 0.5]), 3).tolist()
    [1.0, 0.0, 2.5]
    """
    return np.bincount(codes, amounts, minlength=n).astype(np.float64, copy=False)


def predefined_items(
    continua: Sequence[Continuum], feature: str = CATEGORY, *, predefined: bool | None = None
) -> Items | str:
    """An item for each position (document, start, end) that somebody marked, its values the labels; or why not.

    Units count as predefined when no two different positions of a document overlap. `predefined=True` takes the
    user's word for it and lets items overlap; False says that they are not. An annotator who did not mark an item
    has no value there, nor has a unit without a label.
    """
    if predefined is False:
        return "needs predefined units; these are said not to be"
    table = _Units.of(continua, feature)
    if isinstance(table, str):
        return table
    if not table.labels:
        return _unlabelled(table, feature)
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
        return f"needs one unit of each annotator at a position: {units(int(twice[0]))} are at the same"
    # Positions are sorted: where any two of them overlap, so do some that are neighbours.
    overlap = np.flatnonzero(same_document & ~same_item & (end[:-1] > start[1:]))
    if len(overlap) and not predefined:
        return f"needs predefined units, at the same positions for all annotators: {units(int(overlap[0]))} differ"
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


def aligned_items(alignments: Alignment | Sequence[Alignment], feature: str = CATEGORY) -> Items | str:
    """An item for each unitary alignment, its values the labels of its units (2017, section 4.2.1, Fig. 5); or why not.

    An empty unit is a missing value, and so is a unit without a label. The paper warns against measuring these
    items as if they had been given (section 4.2.6): γcat is the measure made for them.
    """
    parts = (alignments,) if isinstance(alignments, Alignment) else tuple(alignments)
    table = _Units.of([alignment.continuum for alignment in parts], feature)
    if isinstance(table, str):
        return table
    if not table.labels:
        return _unlabelled(table, feature)
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


def atoms(continua: Sequence[Continuum], settings: Settings) -> Items | str:
    """The continua cut into atoms, each an item: the label of the unit that holds its middle, or blank; or why not.

    Mathet et al. 2015, sections 3.4.1 and 6.2. An atom is an integer position, or a `step` counted from where the
    continuum begins, or a word of the text. Without a step, positions that are not integers are not cut: the
    value is the limit of ever smaller atoms. Equal neighbours are one item whose weight is their number, so that
    nothing depends on how long the continuum is. Every annotator of a document has a value for all its atoms.
    """
    table = _Units.of(continua, categorial_of(settings).feature)
    if isinstance(table, str):
        return table
    problem = _overlap(table, continua) or _uncuttable(continua, settings)
    if problem:
        return problem
    cuts = [_cut(continuum, settings) for continuum in continua]
    starts, ends, lows, highs = (np.concatenate(column) for column in zip(*cuts, strict=True))
    # Runs of equal atoms: the stretches between neighbouring boundaries of a document, all documents at once.
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
    # One row for each run and each annotator of its document: blank, but where a unit lies.
    n_annotators = np.array([continuum.n_annotators for continuum in continua])
    run, annotator = joined(np.zeros_like(documents), n_annotators[documents])
    first_row = np.cumsum(n_annotators[documents]) - n_annotators[documents]
    unlabelled, blank = len(table.labels), len(table.labels) + 1
    value = np.full(len(run), blank, dtype=np.int32)
    n = len(table.document)
    unit, covered = joined(run_at[boundary[:n]], run_at[boundary[n : 2 * n]])
    value[first_row[covered] + table.place[unit]] = np.where(table.value < 0, unlabelled, table.value)[unit]
    first_name = np.cumsum(n_annotators) - n_annotators
    is_continuous = _is_continuous(continua, settings)
    return _in_use(
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


def categorial_of(settings: Settings) -> Categorial:
    """The distance of labels that goes with the settings; a dissimilarity that knows none makes labels nominal."""
    dissimilarity = settings.dissimilarity
    return dissimilarity.categorial if isinstance(dissimilarity, CombinedDissimilarity) else Nominal()


def distance_of(categorial: Categorial, items: Items) -> Distance:
    """How far apart two values of the items are, as a function of their codes: the distance of their labels.

    Two values of which one is blank, or comes from a unit without a label, are 1 apart unless they are the same. The
    distances are taken as they are, before any f_cat. A label the distance cannot take raises an InputError.
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
    """The units of several continua in one table: annotators matched by name, labels by what they say."""

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
    def of(cls, continua: Sequence[Continuum], feature: str) -> _Units | str:
        """The table, or why there is none: fewer than two annotators, no unit, no label."""
        for continuum in continua:
            if len(continuum) and feature not in continuum.features:
                known = ", ".join(map(repr, sorted(continuum.features)))
                return f"needs units with the feature {feature!r}; {continuum.name!r} has {known}"
        annotators = tuple(sorted({name for continuum in continua for name in continuum.annotators}))
        if len(annotators) < 2:
            return f"needs at least two annotators; found {f'only {annotators[0]!r}' if annotators else 'none'}"
        if not any(len(continuum) for continuum in continua):
            return "nobody marked any unit"
        code = {name: i for i, name in enumerate(annotators)}
        places = [np.array([code[name] for name in c.annotators], dtype=np.int32) for c in continua]
        value, labels = _merged([continuum.features[feature] for continuum in continua if len(continuum)])
        return cls(
            document=np.repeat(np.arange(len(continua)), [len(continuum) for continuum in continua]),
            starts=np.concatenate([continuum.starts for continuum in continua]),
            ends=np.concatenate([continuum.ends for continuum in continua]),
            annotator=np.concatenate([p[c.annotator_codes] for p, c in zip(places, continua, strict=True)]),
            value=value,
            annotators=annotators,
            labels=labels,
            place=np.concatenate([continuum.annotator_codes for continuum in continua]),
            names=np.concatenate(places),
        )


def _merged(columns: Sequence[Feature]) -> tuple[IntArray, tuple[str, ...]]:
    """The codes of all columns in one, over the labels in use, sorted: equal data give equal codes."""
    index: dict[str, int] = {}
    codes = []
    for column in columns:
        # A table may have as many labels as the corpus has units: look only at those that are used.
        used, place = np.unique(column.codes, return_inverse=True)
        numbers = [-1 if code < 0 else index.setdefault(column.labels[code], len(index)) for code in used.tolist()]
        codes.append(np.array(numbers, dtype=np.int64)[place])
    labels = sorted(index)
    rank = np.empty(len(labels) + 1, dtype=np.int32)
    rank[[index[label] for label in labels]] = np.arange(len(labels), dtype=np.int32)
    rank[-1] = -1
    return rank[np.concatenate(codes)], tuple(labels)


def _unlabelled(table: _Units, feature: str) -> str:
    what = "a category" if feature == CATEGORY else f"the feature {feature!r}"
    return f"needs units with {what}; none of the {len(table.value)} units has it"


def _overlap(table: _Units, continua: Sequence[Continuum]) -> str | None:
    """Which annotator's units overlap, if any do. A unit of length 0 covers nothing."""
    real = np.flatnonzero(table.ends > table.starts)  # sorted by document, annotator and start, as continua are
    one, next_one = real[:-1], real[1:]
    found = np.flatnonzero(
        (table.document[one] == table.document[next_one])
        & (table.annotator[one] == table.annotator[next_one])
        & (table.ends[one] > table.starts[next_one])
    )
    if len(found) == 0:
        return None
    i, k = int(one[found[0]]), int(next_one[found[0]])
    units = " and ".join(f"{short(table.starts[j])}-{short(table.ends[j])}" for j in (i, k))
    who, where = table.annotators[table.annotator[i]], continua[table.document[i]].name
    return f"needs units that do not overlap: annotator {who!r} in {where!r} has {units}"


def _uncuttable(continua: Sequence[Continuum], settings: Settings) -> str | None:
    """What the cutting into atoms lacks, if anything."""
    if settings.step is not None and not settings.step > 0:
        return f"needs a step above 0; found {short(settings.step)}"
    if settings.atoms == "word":
        for continuum in continua:
            if continuum.text is None:
                return f"needs the text of every document, to find its words; {continuum.name!r} has none"
    return None


def _is_continuous(continua: Sequence[Continuum], settings: Settings) -> bool:
    cut = settings.atoms == "word" or settings.step is not None
    return not cut and not all(continuum.has_integer_positions for continuum in continua)


def _cut(continuum: Continuum, settings: Settings) -> tuple[FloatArray, FloatArray, list[float], list[float]]:
    """Starts and ends of the units, then of the continuum, counted in atoms: the number of middles before them."""
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


def _in_use(items: Items) -> Items:
    """The same items without the labels that nobody used."""
    used, value = np.unique(items.value, return_inverse=True)
    codes = used.tolist()
    return replace(
        items,
        value=value.astype(np.int32),
        labels=tuple(items.labels[code] for code in codes),
        blank=codes.index(items.blank) if items.blank in codes else None,
    )
