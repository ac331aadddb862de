# SPDX-License-Identifier: MIT
"""Units, the labels of many units as one column, and the extent of a continuum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError, Problem, UnitError
from unisono.nouns import quantity
from unisono.settings.bounds import LARGEST_POSITION

Position = int | float
IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float64]
PositionArray = NDArray[np.int64] | NDArray[np.float64]
ExtentSource = Literal["given", "documents", "text", "duration", "guessed"]

#: What positions count, where they count time.
TimeUnit = Literal["s", "ms", "frames"]

CATEGORY = "category"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch `[start, end)` of the continuum, marked by an annotator, with or without a category.

    Units can be kept in sets. Equality compares the features too; the hash leaves them out, because they may be any
    mapping, so that equal units have equal hashes.

    >>> Unit(3, 9, "Person").category
    'Person'
    >>> len({Unit(3, 9, "Person"), Unit(3, 9, "Person"), Unit(3, 9, "Person", features={"sure": "no"})})
    2
    """

    start: Position
    end: Position
    category: str | None = None
    annotator: str | None = None
    features: Mapping[str, str | None] = field(default_factory=dict, hash=False)

    @property
    def length(self) -> Position:
        return self.end - self.start


#: Up to this many units a loop in Python is faster than numpy.
_FEW = 64


@dataclass(frozen=True, slots=True)
class Feature:
    """One label per unit, as codes into a sorted table; -1 means that the unit has none.

    >>> Feature(np.array([0, 2]), ("LOC", "PER"))
    Traceback (most recent call last):
    unisono.errors.ParameterError: the codes go from 0 to 2, but there are only 2 labels. Use codes from -1 to 1.
    """

    codes: IntArray
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        check_codes(self.codes, -1, self.labels, "label")

    def __getitem__(self, index: int) -> str | None:
        code = int(self.codes[index])
        return None if code < 0 else self.labels[code]

    @classmethod
    def encode(cls, values: Sequence[str | None]) -> Feature:
        """The feature with these labels; its table is sorted, so that equal data have equal codes."""
        labels = tuple(sorted({value for value in values if value is not None}))
        code = {label: i for i, label in enumerate(labels)}
        codes = np.fromiter((-1 if v is None else code[v] for v in values), dtype=np.int32, count=len(values))
        return cls(codes, labels)

    def take(self, index: NDArray[Any] | slice) -> Feature:
        return Feature(self.codes[index], self.labels)

    def rename(self, mapping: Mapping[str, str], is_changed: NDArray[np.bool_] | None = None) -> Feature:
        """The feature with other labels: {old label: new label}; those not in the mapping stay.

        is_changed: of which units; of all if left out. Labels that no unit has any more stay in the table.

        >>> Feature(np.array([1, -1, 1]), ("LOC", "PERSON")).rename({"PERSON": "PER"}, np.array([True, True, False]))
        Feature(codes=array([ 1, -1,  2], dtype=int32), labels=('LOC', 'PER', 'PERSON'))
        """
        labels = tuple(sorted({*self.labels, *(mapping[label] for label in self.labels if label in mapping)}))
        rank = {label: i for i, label in enumerate(labels)}
        # The last entry is what the code -1 of a unit without a label indexes.
        kept = np.array([*(rank[label] for label in self.labels), -1], dtype=np.int32)
        changed = np.array([*(rank[mapping.get(label, label)] for label in self.labels), -1], dtype=np.int32)
        codes = (
            changed[self.codes] if is_changed is None else np.where(is_changed, changed[self.codes], kept[self.codes])
        )
        return Feature(codes, labels)

    def compact(self) -> Feature:
        """The same labels with a sorted table of only those that some unit has.

        Only the codes are looped over: documents may share a table with as many labels as the corpus has units.

        >>> Feature(np.array([2, -1, 2]), ("LOC", "ORG", "PER")).compact()
        Feature(codes=array([ 0, -1,  0], dtype=int32), labels=('PER',))
        """
        if len(self.codes) <= _FEW:  # for so few, a loop is faster than numpy
            names = [None if code < 0 else self.labels[code] for code in self.codes.tolist()]
            return Feature.encode(names)
        used, place = np.unique(self.codes, return_inverse=True)
        in_use = [None if code < 0 else self.labels[code] for code in used.tolist()]
        labels = tuple(sorted({label for label in in_use if label is not None}))
        rank = {label: i for i, label in enumerate(labels)}
        ranks = np.array([-1 if label is None else rank[label] for label in in_use], dtype=np.int32)
        return Feature(ranks[place.reshape(-1)], labels)


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the continuum begins and ends, half-open `[start, end)`, and what this was taken from."""

    start: Position
    end: Position
    source: ExtentSource = "given"
    #: What positions count, where they count time; drawings label their axis by it.
    unit: TimeUnit | None = field(default=None, compare=False, repr=False)

    @property
    def length(self) -> Position:
        return self.end - self.start


def check_codes(codes: NDArray[Any], lowest: int, labels: Sequence[str], noun: str, *, where: str = "") -> None:
    """Raise a ParameterError unless every code is the index of a label: the core does not check its indices."""
    if len(codes) and not lowest <= codes.min() <= codes.max() < len(labels):
        raise ParameterError.of(
            f"the codes go from {codes.min()} to {codes.max()}, but there {_is_only(len(labels), noun)}",
            f"Use codes from {lowest} to {len(labels) - 1}." if labels else f"Name every {noun}.",
            where=where,
        )


def _is_only(n: int, noun: str) -> str:
    if n == 0:
        return f"is no {noun}"
    return f"{'is' if n == 1 else 'are'} only {quantity(n, noun)}"


def unit_text(unit: Unit | None) -> str:
    """A unit in a cell: `start-end category`, or `-` for the empty unit.

    >>> unit_text(Unit(3, 9, "Person")), unit_text(None)
    ('3-9 Person', '-')
    """
    if unit is None:
        return "-"
    return f"{unit.start}-{unit.end}" + ("" if unit.category is None else f" {unit.category}")


def unknown_annotators(unknown: Sequence[str], known: Sequence[str], *, where: str = "") -> ParameterError:
    """The exception for annotators that are not in the data; it suggests names that are similar."""
    from difflib import get_close_matches

    close = [match for name in unknown[:3] for match in get_close_matches(name, known, n=2, cutoff=0.5)]
    if close:
        remedy = f"Did you mean {' or '.join(map(repr, dict.fromkeys(close)))}?"
    else:
        names = ", ".join(map(repr, known[:10])) + (", ..." if len(known) > 10 else "")
        remedy = f"The annotators are {names}." if known else "There are no annotators."
    return ParameterError.of(
        f"no annotator is called {' or '.join(map(repr, unknown))}", remedy, where=where, code="unknown-annotator"
    )


def freeze(array: NDArray[Any]) -> Any:
    """The array itself, made read-only."""
    array.flags.writeable = False
    return array


def check_positions(starts: Any, ends: Any, name: str) -> tuple[PositionArray, PositionArray]:
    """Both columns as int64 if every position is an integer, otherwise as float64; a UnitError lists every bad unit."""
    first, last = np.asarray(starts), np.asarray(ends)
    integers = all(column.dtype.kind in "iu" or len(column) == 0 for column in (first, last))
    dtype = np.int64 if integers else np.float64
    try:
        first, last = first.astype(dtype), last.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        raise UnitError.of(
            f"some positions are not numbers (starts are {first.dtype}, ends are {last.dtype})",
            "Give start and end of every unit as numbers.",
            where=name,
        ) from None
    bad = ~(np.isfinite(first) & np.isfinite(last)) | (last < first)
    bad |= (np.abs(first) > LARGEST_POSITION) | (np.abs(last) > LARGEST_POSITION)
    if bad.any():
        raise UnitError([_bad_bounds(first[i], last[i], name) for i in np.flatnonzero(bad).tolist()])
    return first, last


def _bad_bounds(start: Any, end: Any, name: str) -> Problem:
    if not (np.isfinite(start) and np.isfinite(end)):
        message, remedy = f"the unit from {start} to {end} has a bound that is not finite", "Give finite positions."
    elif end < start:
        message, remedy = f"the unit ends ({end}) before it starts ({start})", "Are start and end swapped?"
    else:
        message = f"the unit from {start} to {end} has a bound beyond 2**53"
        remedy = "Use a coarser unit of measurement, or count from a later origin."
    return Problem("bad-bounds", "error", name, message, remedy)
