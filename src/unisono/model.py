# SPDX-License-Identifier: MIT
"""The nouns: Unit, Feature, Extent, Continuum, Corpus, UnitaryAlignment, Alignment. Nothing here computes.

Units live in columns (numpy arrays, labels as codes) and come out as `Unit` when indexed. A continuum is
canonical: annotators are sorted by name and units by (annotator, start, end, category, ...), so that the order
of the rows in a file can never change a number.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from unisono.errors import CorpusError, ParameterError, Problem, UnitError
from unisono.proof import Proven

Position = int | float
IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
PositionArray = NDArray[np.int64] | NDArray[np.float64]
ExtentSource = Literal["given", "documents", "text", "duration", "guessed"]

#: Integers up to here are exact as floating-point numbers, which the core computes with.
LARGEST_POSITION = 2**53

CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch `[start, end)` of the continuum, marked by an annotator, with or without a category.

    >>> Unit(3, 9, "Person").category
    'Person'
    """

    start: Position
    end: Position
    category: str | None = None
    annotator: str | None = None
    features: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def length(self) -> Position:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Feature:
    """One label per unit, as codes into a sorted table; -1 means that the unit has none.

    >>> Feature(np.array([0, 2]), ("LOC", "PER"))
    Traceback (most recent call last):
    unisono.errors.ParameterError: codes from -1 to 1, for 2 labels; found codes from 0 to 2
    """

    codes: IntArray
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_codes(self.codes, -1, len(self.labels), "labels")

    def __getitem__(self, index: int) -> str | None:
        code = int(self.codes[index])
        return None if code < 0 else self.labels[code]

    @classmethod
    def encode(cls, values: Sequence[str | None]) -> Feature:
        """Labels to codes, the table sorted, so that equal data give equal codes."""
        labels = tuple(sorted({value for value in values if value is not None}))
        code = {label: i for i, label in enumerate(labels)}
        codes = np.fromiter((-1 if v is None else code[v] for v in values), dtype=np.int32, count=len(values))
        return cls(codes, labels)

    def take(self, index: NDArray[Any] | slice) -> Feature:
        return Feature(self.codes[index], self.labels)


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the continuum begins and ends, and how we know: half-open `[start, end)`."""

    start: Position
    end: Position
    source: ExtentSource = "given"

    @property
    def length(self) -> Position:
        return self.end - self.start


class Continuum:
    """One annotated medium with the units of all its annotators, those who marked nothing included.

    >>> c = Continuum.of({"ann": [(0, 5, "PER"), (7, 9, "LOC")], "bob": [(0, 4, "PER")], "cem": []})
    >>> len(c), c.annotators, c[0]
    (3, ('ann', 'bob', 'cem'), Unit(start=0, end=5, category='PER', annotator='ann', features={}))
    """

    __slots__ = ("__dict__", "annotator_codes", "annotators", "ends", "extent", "features", "name", "starts", "text")

    def __init__(
        self,
        *,
        starts: Sequence[Position] | PositionArray,
        ends: Sequence[Position] | PositionArray,
        annotator_codes: Sequence[int] | NDArray[Any],
        annotators: Sequence[str],
        features: Mapping[str, Feature] | None = None,
        extent: Extent | None = None,
        name: str = "",
        text: str | None = None,
    ):
        start_column, end_column = _positions(starts, ends, name)
        codes = np.asarray(annotator_codes, dtype=np.int32)
        columns = dict(features or {})
        columns.setdefault(CATEGORY, Feature(np.full(len(codes), -1, dtype=np.int32), ()))
        lengths = {len(start_column), len(end_column), len(codes), *(len(f.codes) for f in columns.values())}
        if len(lengths) != 1:
            raise ParameterError.of("columns of one length", f"lengths {sorted(lengths)}", where=name)
        # Sorted annotators, and unit order by contents: the canonical form.
        order_of_names = sorted(range(len(annotators)), key=lambda i: annotators[i])
        if len(set(annotators)) != len(annotators):
            raise ParameterError.of("annotator names that differ", f"{sorted(annotators)}", where=name)
        _check_codes(codes, 0, len(annotators), "annotators", where=name)
        new_code = np.empty(len(annotators), dtype=np.int32)
        new_code[order_of_names] = np.arange(len(annotators), dtype=np.int32)
        codes = new_code[codes]
        others = [columns[key].codes for key in sorted(columns, reverse=True) if key != CATEGORY]
        order = np.lexsort((*others, columns[CATEGORY].codes, end_column, start_column, codes))
        self._keep(
            start_column[order],
            end_column[order],
            codes[order],
            tuple(annotators[i] for i in order_of_names),
            {key: feature.take(order) for key, feature in columns.items()},
            extent,
            name,
            text,
        )
        self._check_extent()

    @classmethod
    def canonical(
        cls,
        *,
        starts: PositionArray,
        ends: PositionArray,
        annotator_codes: IntArray,
        annotators: tuple[str, ...],
        features: Mapping[str, Feature],
        extent: Extent | None = None,
        name: str = "",
        text: str | None = None,
    ) -> Continuum:
        """A continuum from columns that are canonical already: the constructor without its checks and its sorting.

        For callers that hold such columns: annotators sorted by name, units sorted by (annotator, start, end,
        category, other features by name), none outside the extent, columns of one length, the category among the
        features. To check and sort thousands of short documents one by one takes longer than to read the file they
        come from.
        """
        self = cls.__new__(cls)
        self._keep(starts, ends, annotator_codes, annotators, features, extent, name, text)
        return self

    def _keep(
        self,
        starts: PositionArray,
        ends: PositionArray,
        annotator_codes: IntArray,
        annotators: tuple[str, ...],
        features: Mapping[str, Feature],
        extent: Extent | None,
        name: str,
        text: str | None,
    ) -> None:
        """The one place where a continuum gets its columns; nobody can write to them from here on."""
        self.name = name
        self.text = text
        self.annotators = annotators
        self.starts: PositionArray = _frozen(starts)
        self.ends: PositionArray = _frozen(ends)
        self.annotator_codes: IntArray = _frozen(annotator_codes)
        self.features = features
        for feature in features.values():
            _frozen(feature.codes)
        self.extent: Extent | None = extent or self._guessed_extent(text)

    def _guessed_extent(self, text: str | None) -> Extent | None:
        if text is not None:
            return Extent(0, len(text), "text")
        if len(self.starts) == 0:
            return None
        return Extent(self.starts.min().item(), self.ends.max().item(), "guessed")

    def _check_extent(self) -> None:
        if self.extent is None or len(self.starts) == 0:
            return
        outside = np.flatnonzero((self.starts < self.extent.start) | (self.ends > self.extent.end))
        if len(outside):
            raise UnitError(
                [
                    Problem(
                        "outside-extent",
                        "error",
                        self.name,
                        f"units inside the extent [{self.extent.start}, {self.extent.end})",
                        f"{self.starts[i]}-{self.ends[i]} by {self.annotators[self.annotator_codes[i]]}",
                        "widen the extent, or correct the unit",
                    )
                    for i in outside.tolist()
                ]
            )

    @classmethod
    def of(
        cls,
        units: Mapping[str, Iterable[Sequence[Any] | Unit]],
        *,
        extent: tuple[Position, Position] | Extent | None = None,
        name: str = "",
        text: str | None = None,
    ) -> Continuum:
        """A continuum from `{annotator: [(start, end, category), ...]}`; the category may be left out."""
        rows = [(annotator, _unit(item)) for annotator, items in units.items() for item in items]
        annotators = list(units)
        code = {annotator: i for i, annotator in enumerate(annotators)}
        names = sorted({key for _, unit in rows for key in unit.features})
        features = {CATEGORY: Feature.encode([unit.category for _, unit in rows])}
        features |= {key: Feature.encode([unit.features.get(key) for _, unit in rows]) for key in names}
        return cls(
            starts=[unit.start for _, unit in rows],
            ends=[unit.end for _, unit in rows],
            annotator_codes=[code[annotator] for annotator, _ in rows],
            annotators=annotators,
            features=features,
            extent=Extent(*extent) if isinstance(extent, tuple) else extent,
            name=name,
            text=text,
        )

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    @property
    def n_units(self) -> int:
        return len(self.starts)

    @property
    def mean_units(self) -> float:
        """x̄: the mean number of units per annotator, those without units included (2015, section 4.3)."""
        return self.n_units / self.n_annotators

    @property
    def categories(self) -> tuple[str, ...]:
        return self.features[CATEGORY].labels

    @property
    def category_codes(self) -> IntArray:
        return self.features[CATEGORY].codes

    @property
    def has_integer_positions(self) -> bool:
        return self.starts.dtype.kind == "i"

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """Number of units of each annotator."""
        return np.bincount(self.annotator_codes, minlength=self.n_annotators)

    def __len__(self) -> int:
        return self.n_units

    def __getitem__(self, index: int) -> Unit:
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return Unit(
            self.starts[index].item(),
            self.ends[index].item(),
            self.features[CATEGORY][index],
            self.annotators[self.annotator_codes[index]],
            {key: feature[index] for key, feature in self.features.items() if key != CATEGORY},
        )

    def __iter__(self) -> Iterator[Unit]:
        return (self[i] for i in range(len(self)))

    def units_of(self, annotator: str) -> tuple[Unit, ...]:
        code = self.annotators.index(annotator)
        return tuple(self[i] for i in np.flatnonzero(self.annotator_codes == code).tolist())

    def without_equal_units(self) -> Continuum:
        """The same continuum with one unit where an annotator marked several that are equal in every respect.

        >>> Continuum.of({"ann": [(0, 5, "A"), (0, 5, "A")], "bob": [(0, 5, "B")]}).without_equal_units()
        <Continuum '': 2 units by 2 annotators>
        """
        columns = [self.annotator_codes, self.starts, self.ends, *(f.codes for f in self.features.values())]
        same = np.ones(max(0, len(self) - 1), dtype=bool)  # equal units are neighbours
        for column in columns:
            same &= column[1:] == column[:-1]
        units = np.flatnonzero(np.concatenate((np.ones(min(1, len(self)), dtype=bool), ~same)))
        return Continuum.canonical(
            starts=self.starts[units],
            ends=self.ends[units],
            annotator_codes=self.annotator_codes[units],
            annotators=self.annotators,
            features={name: feature.take(units) for name, feature in self.features.items()},
            extent=self.extent,
            name=self.name,
            text=self.text,
        )

    def __repr__(self) -> str:
        return f"<Continuum {self.name!r}: {self.n_units} units by {self.n_annotators} annotators>"


@dataclass(frozen=True)
class Corpus:
    """Several continua of one annotation effort, by name; indexable by position or by name."""

    continua: tuple[Continuum, ...]
    #: What was skipped or noticed on reading, for the result to carry.
    problems: tuple[Problem, ...] = ()

    def __post_init__(self) -> None:
        names = [continuum.name for continuum in self.continua]
        if len(set(names)) != len(names):
            raise CorpusError.of("document names that differ", f"{len(names) - len(set(names))} repeated")

    @cached_property
    def _by_name(self) -> dict[str, Continuum]:
        return {continuum.name: continuum for continuum in self.continua}

    @overload
    def __getitem__(self, key: int) -> Continuum: ...
    @overload
    def __getitem__(self, key: str) -> Continuum: ...
    def __getitem__(self, key: int | str) -> Continuum:
        return self._by_name[key] if isinstance(key, str) else self.continua[key]

    def __len__(self) -> int:
        return len(self.continua)

    def __iter__(self) -> Iterator[Continuum]:
        return iter(self.continua)

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(sorted({name for continuum in self for name in continuum.annotators}))

    @property
    def n_units(self) -> int:
        return sum(continuum.n_units for continuum in self)

    def labels(self, feature: str = CATEGORY) -> tuple[str, ...]:
        """Every label of a feature in the corpus, sorted."""
        tables = (continuum.features[feature].labels for continuum in self if feature in continuum.features)
        # Documents that were read together share one table, which may be large: look at each once.
        distinct = {id(table): table for table in tables}
        return tuple(sorted({label for table in distinct.values() for label in table}))

    def __repr__(self) -> str:
        return f"<Corpus: {len(self)} documents, {self.n_units} units, {len(self.annotators)} annotators>"


@dataclass(frozen=True, slots=True)
class UnitaryAlignment:
    """At most one unit of each annotator, held to mark the same thing; None is the empty unit (section 4.5)."""

    units: tuple[Unit | None, ...]
    disorder: float


class Alignment(Proven):
    """A partition of a continuum's units into unitary alignments, with its disorder and the proof of it.

    `group[i]` is the number of the unitary alignment that unit i belongs to, `disorders` has one value for each
    (Eq. 6); `disorder` is their sum over the mean number of units per annotator (Eq. 7). `lower_bound` is a proven
    bound on the disorder of every alignment; `gap` is how far the disorder may be above the best, relative to it:
    0.0 when the alignment is proven to be the best. `duals` (one value per unit, no unitary alignment cheaper than
    the sum of its units' values) is what the bound rests on; where it does not reach the disorder, an exhaustive
    search closed the difference.
    """

    __slots__ = ("__dict__", "continuum", "disorder", "disorders", "duals", "group", "limit", "lower_bound")

    def __init__(
        self,
        continuum: Continuum,
        group: IntArray,
        disorders: FloatArray,
        *,
        disorder: float,
        lower_bound: float,
        duals: FloatArray | None = None,
        limit: str | None = None,
        dissimilarity: Any = None,
    ):
        self.continuum = continuum
        self.group = _frozen(group)
        self.disorders = _frozen(disorders)
        self.disorder = disorder
        self.lower_bound = lower_bound
        self.duals = duals
        self.limit = limit
        #: What it was made with, where that is known: who shows the alignment can say what a disorder is made of.
        self.dissimilarity = dissimilarity

    @cached_property
    def unitary_alignments(self) -> tuple[UnitaryAlignment, ...]:
        """The unitary alignments, in the order of the continuum, complete with empty units."""
        rows: list[list[Unit | None]] = [[None] * self.continuum.n_annotators for _ in range(len(self))]
        for unit, (group, annotator) in enumerate(
            zip(self.group.tolist(), self.continuum.annotator_codes.tolist(), strict=True)
        ):
            rows[group][annotator] = self.continuum[unit]
        return tuple(UnitaryAlignment(tuple(row), d) for row, d in zip(rows, self.disorders.tolist(), strict=True))

    def __repr__(self) -> str:
        return f"<Alignment: {len(self)} unitary alignments, disorder {self.disorder:.6g}, gap {self.gap:.2g}>"

    def _repr_html_(self) -> str:
        # The one named exception to the layers: in a notebook it shows itself through the report, loaded by name.
        return str(importlib.import_module("unisono.report.notebook").html(self))


def _unit(item: Sequence[Any] | Unit) -> Unit:
    if isinstance(item, Unit):
        return item
    if not 2 <= len(item) <= 3:
        raise UnitError.of("a unit as (start, end) or (start, end, category)", repr(item))
    category = item[2] if len(item) == 3 else None
    return Unit(item[0], item[1], None if category is None else str(category))


def _positions(starts: Any, ends: Any, name: str) -> tuple[PositionArray, PositionArray]:
    """Both columns as int64 when every position is an integer, as float64 otherwise; every fault reported."""
    first, last = np.asarray(starts), np.asarray(ends)
    integers = all(column.dtype.kind in "iu" or len(column) == 0 for column in (first, last))
    dtype = np.int64 if integers else np.float64
    try:
        first, last = first.astype(dtype), last.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        raise UnitError.of(
            "positions that are numbers", f"{first.dtype} and {last.dtype} columns", where=name
        ) from None
    bad = ~(np.isfinite(first) & np.isfinite(last)) | (last < first)
    bad |= (np.abs(first) > LARGEST_POSITION) | (np.abs(last) > LARGEST_POSITION)
    if bad.any():
        raise UnitError(
            [
                Problem(
                    "bad-bounds",
                    "error",
                    name,
                    "finite positions below 2**53, the end not before the start",
                    f"start={first[i]}, end={last[i]}",
                )
                for i in np.flatnonzero(bad).tolist()
            ]
        )
    return first, last


def _check_codes(codes: NDArray[Any], lowest: int, count: int, what: str, *, where: str = "") -> None:
    """Codes must stand for something: the core looks them up without asking."""
    if len(codes) and not lowest <= codes.min() <= codes.max() < count:
        raise ParameterError.of(
            f"codes from {lowest} to {count - 1}, for {count} {what}",
            f"codes from {codes.min()} to {codes.max()}",
            where=where,
        )


def _frozen(array: NDArray[Any]) -> Any:
    array.flags.writeable = False
    return array
