# SPDX-License-Identifier: MIT
"""A table before it means anything: named columns of cells, where each row came from, the rows at fault."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem
from unisono.model import LARGEST_POSITION, IntArray, PositionArray

if TYPE_CHECKING:
    from unisono._core import Delimited

BoolArray = NDArray[np.bool_]

#: After so many faults of one kind in one file the rest are only counted.
FAULTS_OF_A_KIND = 10_000


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of numbers with the rows that have none."""

    values: PositionArray
    missing: BoolArray


#: Longer texts are cut in messages.
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Scanned:
    """A column of a text that was scanned: cells become Python's only when they are looked at."""

    scan: Delimited
    column: int
    #: The rows of the scan, -1 for a row whose cells are not to be trusted: they are empty then.
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> str:
        return self.scan.cell(int(self.rows[row]), self.column)

    def coded(self, rows: slice = slice(None)) -> tuple[IntArray, list[str]]:
        """Codes into the different cells, in the order of their first appearance."""
        return self.scan.coded(self.column, self.rows[rows])

    def numbers(self, decimal: str) -> Numbers | None:
        """The whole column at once, or None when a cell needs a closer look."""
        found = self.scan.numbers(self.column, self.rows, decimal)
        return None if found is None else Numbers(found[0], found[1].view(np.bool_))


#: A column: the cells' text ("" is an empty cell), scanned or in Python, or numbers where the format knows them.
Cells = list[str] | Scanned | Numbers


def first_cells(cells: list[str] | Scanned, n: int | None = None) -> list[str]:
    """The first cells of a column of text, or all."""
    if isinstance(cells, list):
        return cells[:n]
    codes, texts = cells.coded(slice(n))
    return list(map(texts.__getitem__, codes.tolist()))


def short(text: str) -> str:
    """A text cut to what a message can hold."""
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."


def listing(names: Sequence[str], n: int = 30) -> str:
    """Names one after the other: the first ones, cut, and dots for the others."""
    return ", ".join(map(short, names[:n])) + (", ..." if len(names) > n else "")


class Faults:
    """The rows of a table that cannot be used, with a problem for each reason."""

    def __init__(self, n_rows: int):
        self.bad: BoolArray = np.zeros(n_rows, dtype=np.bool_)
        self.counts: Counter[str] = Counter()
        self.n_blank = 0
        self._found: list[tuple[int, Problem]] = []
        self._rest: list[Problem] = []

    def add(self, code: str, rows: Iterable[int], describe: Callable[[int], tuple[str, str, str, str]]) -> None:
        """Mark rows as bad; `describe(row)` gives where, expected, found, remedy."""
        numbers = [int(row) for row in rows]
        if not numbers:
            return
        self.bad[numbers] = True
        self.counts[code] += len(numbers)
        shown = numbers[:FAULTS_OF_A_KIND]
        self._found += [(row, Problem(code, "error", *describe(row))) for row in shown]
        if len(numbers) > len(shown):
            where, expected, _, remedy = describe(numbers[len(shown)])
            self._rest.append(Problem(code, "error", where, expected, f"{len(numbers) - len(shown)} more rows", remedy))

    def leave_out(self, blank: NDArray[np.intp]) -> None:
        """Pass over rows that hold nothing: no fault, but no unit either."""
        self.bad[blank] = True
        self.n_blank = len(blank)

    def add_together(self, problem: Problem, rows: Sequence[int]) -> None:
        """Mark rows that share one problem, such as a column that is not what it was taken for."""
        self.bad[list(rows)] = True
        self.counts[problem.code] += len(rows)
        self._found.append((rows[0], problem))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Every fault in the order of the rows."""
        ordered = sorted(self._found, key=lambda item: item[0])
        return (*(problem for _, problem in ordered), *self._rest)


@dataclass(slots=True)
class Table:
    """Columns of cells; `place(row)` says where a row stands, for messages."""

    where: str
    #: Names the document where no column does.
    stem: str
    #: "CSV", "JSON lines", ...: for people.
    kind: str
    has_header: bool
    names: tuple[str, ...]
    columns: list[Cells]
    n_rows: int
    place: Callable[[int], str]
    #: Where the columns' names stand, for messages about columns.
    heading: str
    faults: Faults
    notes: list[Problem] = field(default_factory=list)

    def cell(self, column: int, row: int) -> str:
        """What stands in a cell, as text, cut if long."""
        cells = self.columns[column]
        if isinstance(cells, Numbers):
            return "" if cells.missing[row] else repr(cells.values[row].item())
        return short(cells[row].strip())

    def called(self, column: int) -> str:
        """A column's name for messages: `column start`, or `column 3` without a header."""
        return f"column {short(self.names[column])}" if self.has_header else f"column {column + 1}"


@dataclass(frozen=True, slots=True)
class Labels:
    """A column of names as codes into a table of the different ones; -1 is an empty cell."""

    codes: IntArray
    labels: tuple[str, ...]
    #: Cells that had blanks around the name.
    n_stripped: int = 0

    @classmethod
    def constant(cls, label: str, n_rows: int) -> Labels:
        return cls(np.zeros(n_rows, dtype=np.int32), (label,))

    @classmethod
    def of(cls, cells: Cells) -> Labels:
        """The names in a column, blanks around them taken off."""
        if isinstance(cells, Numbers):
            return cls._of_numbers(cells)
        if isinstance(cells, Scanned):
            raw, different = cells.coded()
        else:
            position = {cell: i for i, cell in enumerate(dict.fromkeys(cells))}
            raw, different = np.fromiter(map(position.__getitem__, cells), np.int32, len(cells)), list(position)
        names = [cell.strip() for cell in different]
        code = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name))}
        of_raw = np.array([code.get(name, -1) for name in names], dtype=np.int32)
        changed = np.array([name != cell for name, cell in zip(names, different, strict=True)], dtype=np.bool_)
        n_stripped = int(changed[raw].sum()) if len(raw) and changed.any() else 0
        return cls(of_raw[raw] if len(raw) else raw, tuple(code), n_stripped)

    @classmethod
    def _of_numbers(cls, cells: Numbers) -> Labels:
        values, inverse = np.unique(cells.values, return_inverse=True)
        codes = np.where(cells.missing, -1, inverse).astype(np.int32)
        return cls(codes, tuple(repr(value) for value in values.tolist()))

    @property
    def is_empty(self) -> bool:
        return not len(self.codes) or int(self.codes.max()) < 0


def merged(
    parts: Sequence[Labels], *, key: Callable[[str], Any] | None = None
) -> tuple[list[IntArray], tuple[str, ...]]:
    """One sorted table of labels for several columns, and each column's codes into it."""
    used: set[str] = set()
    for part in parts:
        counts = np.bincount(part.codes + 1, minlength=len(part.labels) + 1)[1:]
        used.update(part.labels if counts.all() else (part.labels[i] for i in np.flatnonzero(counts).tolist()))
    labels = tuple(sorted(used, key=key))
    code = {label: i for i, label in enumerate(labels)}
    columns = []
    for part in parts:
        # One entry more than there are labels, so that code -1 finds -1 at the end.
        table = np.array([*(code.get(label, -1) for label in part.labels), -1], dtype=np.int32)
        columns.append(table[part.codes])
    return columns, labels


_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number, be it one that is refused later: nan, 3,5."""
    cell = cell.strip()
    return any(kind.fullmatch(cell) is not None for kind in (_NUMBER, _COMMA, _NOT_FINITE))


def is_whole_number(cell: str) -> bool:
    """Whether a text is an integer that int() takes: not one of thousands of digits."""
    return len(cell) < 100 and _WHOLE.fullmatch(cell) is not None


def numbers(cells: Cells, *, decimal: str = ".") -> tuple[Numbers, dict[str, list[int]]]:
    """A column as numbers, integers where all are, and the rows that are none, by problem code."""
    bad: dict[str, list[int]] = {}
    if isinstance(cells, Numbers):
        parsed = cells
    elif isinstance(cells, Scanned) and (scanned := cells.numbers(decimal)) is not None:
        parsed = scanned
    else:
        cells = first_cells(cells)
        if decimal != ".":
            cells = [cell.replace(decimal, ".") for cell in cells]
        parsed = fast_numbers(cells) or _slow_numbers(cells, bad)
    values = parsed.values
    present = ~parsed.missing
    finite = np.isfinite(values)
    if not finite[present].all():
        bad.setdefault("not-finite", []).extend(np.flatnonzero(present & ~finite).tolist())
    # The negated comparison also holds for the most negative integer, whose absolute value overflows.
    large = present & finite & ~((values <= LARGEST_POSITION) & (values >= -LARGEST_POSITION))
    if large.any():
        bad.setdefault("too-large", []).extend(np.flatnonzero(large).tolist())
    return parsed, bad


def fast_numbers(cells: list[str]) -> Numbers | None:
    """The whole column at once, or None when a cell needs a closer look."""
    joined = "".join(cells)
    if not joined.isascii() or "_" in joined:  # int() would take 1_000 and other scripts' digits
        return None
    missing = np.zeros(len(cells), dtype=np.bool_)
    if "" in cells:
        missing[:] = [not cell for cell in cells]
        cells = [cell or "0" for cell in cells]
    try:
        return Numbers(np.array(list(map(int, cells)), dtype=np.int64), missing)
    except OverflowError:
        return None
    except ValueError:
        pass
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
    return Numbers(values, missing) if np.isfinite(values).all() else None


def _slow_numbers(cells: list[str], bad: dict[str, list[int]]) -> Numbers:
    """Cell by cell, to find the culprits."""
    values: list[int | float] = [0] * len(cells)
    missing = np.zeros(len(cells), dtype=np.bool_)
    for row, cell in enumerate(map(str.strip, cells)):
        if not cell:
            missing[row] = True
        elif _NUMBER.fullmatch(cell):
            # A number with thousands of digits is beyond int(); as a float it is infinite, and refused as such.
            value = int(cell) if is_whole_number(cell) else float(cell)
            if abs(value) > LARGEST_POSITION:
                bad.setdefault("too-large", []).append(row)
            else:
                values[row] = value
        else:
            code = "not-a-number"
            if _NOT_FINITE.fullmatch(cell):
                code = "not-finite"
            elif _COMMA.fullmatch(cell):
                code = "decimal-comma"
            bad.setdefault(code, []).append(row)
    if all(type(value) is int for value in values):
        return Numbers(np.array(values, dtype=np.int64), missing)
    return Numbers(np.array(values, dtype=np.float64), missing)
