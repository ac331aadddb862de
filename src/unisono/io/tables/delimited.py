# SPDX-License-Identifier: MIT
"""CSV and similar: text with a separator (comma, tab, semicolon, bar), with or without a header."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisono._core import Delimited
from unisono.errors import FormatError, Problem
from unisono.io.faults import Faults
from unisono.io.tables.cells import Cells, ScannedCells, Table
from unisono.io.tables.column_roles import Columns, Schema, has_header_signs, is_header, is_numeric
from unisono.io.wording import listing
from unisono.nouns import quantity

KINDS = {",": "CSV", "\t": "TSV", ";": "semicolon-separated CSV", "|": "bar-separated CSV"}

#: Most columns of a table: as many as a sheet of Excel has.
MOST_COLUMNS = 16_384

#: The beginning of the text is enough to see which separator it uses.
_SAMPLE_BYTES = 65_536
_SAMPLE_ROWS = 200


@dataclass(frozen=True)
class LeftOut:
    """Lines of a file that are missing from the text: `n_lines` of them, after the first `after` lines of the text."""

    after: int = 0
    n_lines: int = 0

    def lines_in_file(self, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of lines of the text as those of the file.

        >>> LeftOut(after=1, n_lines=10).lines_in_file(np.array([1, 2, 3])).tolist()
        [1, 12, 13]
        """
        return lines + np.where(lines > self.after, self.n_lines, 0)


def read_delimited(
    data: bytes,
    *,
    where: str,
    stem: str,
    separators: tuple[str, ...],
    schema: Schema,
    given: Columns,
    header: bool | None = None,
    left_out: LeftOut | None = None,
) -> Table:
    """The table in a text in UTF-8; rows with too many or too few cells are faults.

    left_out: the lines of the file that are missing from the text; lines are counted as in the file.
    The text stays bytes: the core finds the cells in it, and only those that are asked for become strings.
    """
    separator = separators[0] if len(separators) == 1 else choose_separator(data, separators, schema)
    left_out = left_out or LeftOut()
    scan = _scan(data, separator, where, left_out)
    lengths, lines = scan.lengths(), left_out.lines_in_file(scan.lines())
    widest = int(lengths.argmax()) if len(lengths) else 0
    if len(lengths) and lengths[widest] > MOST_COLUMNS:
        raise FormatError.of(
            f"the row has {lengths[widest]:,} cells, more than {MOST_COLUMNS:,}",
            "Is the separator right, and is this a table with a row for each unit?",
            where=f"{where}:{lines[widest]}",
            code="too-many-columns",
        )
    is_filled = lengths > 0
    is_filled[[row for row in np.flatnonzero(lengths == 1).tolist() if not scan.cell(row, 0).strip()]] = False
    rows = np.flatnonzero(is_filled).astype(np.int64)
    if not len(rows):
        raise FormatError.of(
            "the file has only blank lines", "Was it saved, and copied to its end?", where=where, code="empty-file"
        )
    heading = f"{where}:{lines[rows[0]]}"
    first = _row(scan, rows[0], lengths)
    if header is None:
        sample = [_row(scan, row, lengths) for row in rows[1:1001]]
        below = [[row[i] for row in sample if i < len(row)] for i in range(len(first))]
        header = is_header(first, below, schema, given)
    if header:
        names = _column_names(first, heading)
        rows = rows[1:]
        width = len(names)
    else:
        heading = where
        width = Counter(lengths[rows].tolist()).most_common(1)[0][0]
        names = tuple(f"column_{i + 1}" for i in range(width))
    lines = lines[rows]
    place: Callable[[int], str] = lambda row: f"{where}:{lines[row]}"  # noqa: E731
    faults = Faults(len(rows))
    ragged = _ragged_rows(scan, rows, lengths, width)
    usual = f"the header has {width}" if header else f"most rows have {width}"
    faults.add(
        "ragged-row",
        ragged,
        lambda row: (
            place(row),
            f"the row has {quantity(ragged[row], 'cell')}, but {usual}",
            "Check the separators and the quotes on this line.",
        ),
    )
    rows[list(ragged)] = -1
    notes: list[Problem] = []
    blank = _blank_rows(scan, rows, width, faults)
    if len(blank):
        have, were = ("has", "was") if len(blank) == 1 else ("have", "were")
        message = f"{quantity(len(blank), 'row')} {have} only empty cells and {were} left out"
        notes.append(Problem("blank-rows", "note", place(int(blank[0])), message))
        faults.leave_out(blank)
    columns: list[Cells] = [ScannedCells(scan, i, rows) for i in range(width)]
    return Table(where, stem, KINDS[separator], header, names, columns, len(rows), place, heading, faults, notes)


def _scan(data: bytes, separator: str, where: str, left_out: LeftOut) -> Delimited:
    """The cells of a text; a FormatError where a quote is not closed."""
    scan = Delimited(data, separator, True)
    if not scan.fault:
        return scan
    if separator == "\t":
        # Many TSV files do not use quotes for quoting: accepted if all rows have the same number of cells.
        unquoted = Delimited(data, separator, False)
        if len(set(unquoted.lengths().tolist()) - {0}) == 1:
            return unquoted
    is_unclosed = scan.fault == "unclosed"
    raise FormatError.of(
        f"in the row that begins here {'a quote is never closed' if is_unclosed else 'text follows a closing quote'}",
        'Close the quote; inside a quoted cell write it twice ("").',
        where=f"{where}:{left_out.lines_in_file(np.array([scan.fault_line]))[0]}",
        code="unclosed-quote",
    )


def _row(scan: Delimited, row: int, lengths: NDArray[np.int64]) -> list[str]:
    return scan.row(int(row), int(lengths[row]))


def _column_names(first: list[str], where: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in first)
    check_distinct(names, where)
    return names


def check_distinct(names: tuple[str, ...], where: str) -> None:
    """Refuse two columns of one name; columns without a name may be several."""
    repeated = [repr(name) for name, count in Counter(filter(None, names)).items() if count > 1]
    if repeated:
        message = f"several columns are named {listing(repeated)}"
        raise FormatError.of(message, "Rename one of them.", where=where, code="duplicate-header")


def _ragged_rows(scan: Delimited, rows: NDArray[np.int64], lengths: NDArray[np.int64], width: int) -> dict[int, int]:
    """The rows of another width in which cells would be lost or are missing, and how many cells they have.

    Extra cells that are empty are no loss, and neither is a short row of empty cells.
    """
    ragged = {}
    for row in np.flatnonzero(lengths[rows] != width).tolist():
        cells = _row(scan, rows[row], lengths)
        if any(map(str.strip, cells[width:])) or (len(cells) < width and any(map(str.strip, cells))):
            ragged[row] = len(cells)
    return ragged


def _blank_rows(scan: Delimited, rows: NDArray[np.int64], width: int, faults: Faults) -> NDArray[np.intp]:
    """Rows of empty cells, such as spreadsheets leave at the end."""
    blank = ~faults.bad
    for column in range(width):
        if not blank.any():
            break
        blank &= scan.blank(column, rows).view(np.bool_)
    return np.flatnonzero(blank)


def choose_separator(data: bytes, candidates: tuple[str, ...], schema: Schema) -> str:
    """The separator under which the beginning of the text looks most like the table that is expected."""
    head = data[:_SAMPLE_BYTES]
    if len(head) < len(data):
        head = head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head
    sample = head.decode("utf-8", "ignore")
    best, best_rank = candidates[0], (-1.0, -1.0, -1.0)
    for candidate in candidates:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=candidate)
            rows = [row for _, row in zip(range(_SAMPLE_ROWS), reader, strict=False) if row]
        except csv.Error:
            continue
        if not rows:
            continue
        width, count = Counter(map(len, rows)).most_common(1)[0]
        below = [[row[i] for row in rows if i < len(row)] for i in range(width)]
        is_expected = has_header_signs(rows[0], schema) or (
            bool(schema.numeric) and sum(map(is_numeric, below)) >= len(schema.numeric)
        )
        rank = (float(is_expected), count / len(rows), float(width))
        if rank > best_rank:
            best, best_rank = candidate, rank
    return best
