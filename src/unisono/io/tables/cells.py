# SPDX-License-Identifier: MIT
"""A table before its columns mean anything: named columns of cells, and where each row is in the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem
from unisono.io.faults import Faults
from unisono.io.labels import Labels
from unisono.io.tables.numbers import Numbers, fast_numbers, slow_numbers, unusable_numbers
from unisono.io.tables.written_numbers import USUAL_STYLE, NumberStyle, looks_like_points_between_thousands
from unisono.io.wording import short
from unisono.model import IntArray

if TYPE_CHECKING:
    from unisono._core import Delimited


@dataclass(frozen=True, slots=True)
class ScannedCells:
    """A column of a delimited text: the core knows where its cells are; Python strings are made when asked for."""

    scan: Delimited
    column: int
    #: The rows of the scan; -1 for a row that is left out, whose cells read as empty.
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, row: int) -> str:
        return self.scan.cell(int(self.rows[row]), self.column)

    def codes(self, rows: slice = slice(None)) -> tuple[IntArray, list[str]]:
        """Codes into the distinct cells, and these in the order of their first appearance."""
        return self.scan.coded(self.column, self.rows[rows])

    def numbers(self, decimal: str) -> Numbers | None:
        """The whole column at once, or None where it must be parsed cell by cell."""
        parsed = self.scan.numbers(self.column, self.rows, decimal)
        return None if parsed is None else Numbers(parsed[0], parsed[1].view(np.bool_))


#: This many cells are enough to see how the numbers of a column are written.
_FIRST_CELLS = 1000

#: A column: the cells' text ("" is an empty cell), scanned or in Python, or numbers where the format has types.
Cells = list[str] | ScannedCells | Numbers


def first_cells(cells: list[str] | ScannedCells, n: int | None = None) -> list[str]:
    """The first cells of a column of text, or all."""
    if isinstance(cells, list):
        return cells[:n]
    codes, texts = cells.codes(slice(n))
    return list(map(texts.__getitem__, codes.tolist()))


def distinct_cells(cells: list[str] | ScannedCells) -> list[str]:
    """The distinct cells of a column of text."""
    return list(dict.fromkeys(cells)) if isinstance(cells, list) else cells.codes()[1]


def has_colons(cells: Cells) -> bool:
    """Whether a cell of a column has a colon, as time codes have."""
    if isinstance(cells, Numbers) or (isinstance(cells, ScannedCells) and cells.numbers(".") is not None):
        return False
    return any(":" in cell for cell in distinct_cells(cells))


def labels_of(cells: Cells) -> Labels:
    """A column as names, without the blanks around them."""
    if isinstance(cells, Numbers):
        values, inverse = np.unique(cells.values, return_inverse=True)
        codes = np.where(cells.missing, -1, inverse).astype(np.int32)
        return Labels(codes, tuple(repr(value) for value in values.tolist()))
    return Labels.of_codes(*cells.codes()) if isinstance(cells, ScannedCells) else Labels.of(cells)


def parse_numbers(cells: Cells, style: NumberStyle = USUAL_STYLE) -> tuple[Numbers, dict[str, list[int]]]:
    """A column as numbers, integers where all are, and the rows that are not usable numbers, by problem code."""
    bad: dict[str, list[int]] = {}
    if isinstance(cells, Numbers):
        parsed = cells
    elif style.decimal != "." and any("." in cell for cell in first_cells(cells)):
        # A point may be a decimal sign or one between thousands, which takes a closer look.
        parsed = slow_numbers(first_cells(cells), bad, style)
    elif isinstance(cells, ScannedCells) and (scanned := cells.numbers(style.decimal)) is not None:
        parsed = scanned
    else:
        texts = first_cells(cells)
        quick = texts if style.decimal == "." else [cell.replace(style.decimal, ".") for cell in texts]
        parsed = fast_numbers(quick) or slow_numbers(texts, bad, style)
    is_usual = style.decimal == "." and style.thousands is None
    if is_usual and not isinstance(cells, Numbers) and parsed.values.dtype.kind == "f":
        first = first_cells(cells, _FIRST_CELLS)
        if looks_like_points_between_thousands(first):
            bad["question-number"] = [row for row, cell in enumerate(first) if "." in cell]
    unusable_numbers(parsed, bad)
    return parsed, bad


@dataclass(slots=True)
class Table:
    """Columns of cells; `place(row)` says where a row is, for messages."""

    where: str
    #: The name of the document where no column has one.
    stem: str
    #: "CSV", "JSON lines", ...: for people.
    kind: str
    has_header: bool
    names: tuple[str, ...]
    columns: list[Cells]
    n_rows: int
    place: Callable[[int], str]
    #: Where the columns' names are, for messages about columns.
    heading: str
    faults: Faults
    notes: list[Problem] = field(default_factory=list)

    @classmethod
    def with_names(
        cls,
        where: str,
        stem: str,
        kind: str,
        names: tuple[str, ...],
        columns: list[Cells],
        n_rows: int,
        place: Callable[[int], str],
    ) -> Table:
        """A table whose columns have names by their format, and whose rows are all sound."""
        return cls(where, stem, kind, True, names, columns, n_rows, place, where, Faults(n_rows))

    def cell(self, column: int, row: int) -> str:
        """The content of a cell as text, cut if long."""
        cells = self.columns[column]
        if isinstance(cells, Numbers):
            return "" if cells.missing[row] else repr(cells.values[row].item())
        return short(cells[row].strip())

    def column_name(self, column: int) -> str:
        """A column's name in messages: `column start`, or `column 3` without a header."""
        return f"column {short(self.names[column])}" if self.has_header else f"column {column + 1}"
