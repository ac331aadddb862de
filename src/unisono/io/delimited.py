# SPDX-License-Identifier: MIT
"""CSV and its kin: text with a separator (comma, tab, semicolon, bar), with or without a header."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from unisono._core import Delimited
from unisono.errors import FormatError, Problem
from unisono.io.columns import Columns, Schema, by_name, is_header, is_numeric
from unisono.io.table import Cells, Faults, Scanned, Table, listing

KINDS = {",": "CSV", "\t": "TSV", ";": "semicolon-separated CSV", "|": "bar-separated CSV"}

#: The beginning of the text is enough to see which separator it uses.
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_ROWS = 200


def read_delimited(
    text: str,
    *,
    where: str,
    stem: str,
    separators: tuple[str, ...],
    schema: Schema,
    given: Columns,
    header: bool | None = None,
) -> Table:
    """The table in a text; ragged rows are faults, everything worse a FormatError."""
    separator = separators[0] if len(separators) == 1 else _separator(text, separators, schema)
    scan = _scanned(text, separator, where)
    lengths, lines = scan.lengths(), scan.lines()
    filled = lengths > 0
    filled[[row for row in np.flatnonzero(lengths == 1).tolist() if not scan.cell(row, 0).strip()]] = False
    rows = np.flatnonzero(filled).astype(np.int64)
    if not len(rows):
        raise FormatError.of(
            "a table with rows", "only blank lines", "check that it was saved", where=where, code="empty-file"
        )
    heading = f"{where}:{lines[rows[0]]}"
    first = _row(scan, rows[0], lengths)
    if header is None:
        sample = [_row(scan, row, lengths) for row in rows[1:1001]]
        below = [[row[i] for row in sample if i < len(row)] for i in range(len(first))]
        header = is_header(first, below, schema, given)
    if header:
        names = _names(first, heading)
        rows = rows[1:]
        width = len(names)
    else:
        heading = where
        width = Counter(lengths[rows].tolist()).most_common(1)[0][0]
        names = tuple(f"column_{i + 1}" for i in range(width))
    lines = lines[rows]
    place: Callable[[int], str] = lambda row: f"{where}:{lines[row]}"  # noqa: E731
    faults = Faults(len(rows))
    ragged = _ragged(scan, rows, lengths, width)
    faults.add(
        "ragged-row",
        ragged,
        lambda row: (
            place(row),
            f"{width} cells, {'one for each name in the header' if header else 'as in most rows'}",
            str(ragged[row]),
            "check the separators and the quotes on this line",
        ),
    )
    rows[list(ragged)] = -1
    notes: list[Problem] = []
    blank = _blank_rows(scan, rows, width, faults)
    if len(blank):
        count = f"{len(blank)} without any" if len(blank) > 1 else "one without any"
        notes.append(Problem("blank-rows", "note", place(int(blank[0])), "rows with cells filled", count, "left out"))
        faults.leave_out(blank)
    columns: list[Cells] = [Scanned(scan, i, rows) for i in range(width)]
    return Table(where, stem, KINDS[separator], header, names, columns, len(rows), place, heading, faults, notes)


def _scanned(text: str, separator: str, where: str) -> Delimited:
    """The cells of a text; a FormatError where its quotes make no sense."""
    data = text.encode("utf-8", "surrogatepass")
    scan = Delimited(data, separator, True)
    if not scan.fault:
        return scan
    if separator == "\t":
        # Text whose quotes mean nothing: accepted when all rows come out equally wide.
        plain = Delimited(data, separator, False)
        if len(set(plain.lengths().tolist()) - {0}) == 1:
            return plain
    never = "a quote that is never closed, in the row that begins here"
    raise FormatError.of(
        "quotes that are closed, and doubled inside a quoted cell",
        never if scan.fault == "unclosed" else "text after a closing quote, in the row that begins here",
        "close the quote, or double it",
        where=f"{where}:{scan.fault_line}",
        code="unclosed-quote",
    )


def _row(scan: Delimited, row: int, lengths: NDArray[np.int64]) -> list[str]:
    return scan.row(int(row), int(lengths[row]))


def _names(first: list[str], where: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in first)
    repeated = [name for name, count in Counter(filter(None, names)).items() if count > 1]
    if repeated:
        raise FormatError.of(
            "column names that differ",
            f"{listing([repr(name) for name in repeated])} more than once",
            "rename one of them",
            where=where,
            code="duplicate-header",
        )
    return names


def _ragged(scan: Delimited, rows: NDArray[np.int64], lengths: NDArray[np.int64], width: int) -> dict[int, int]:
    """The rows of another width in which cells would be lost or missed, and how many cells they have.

    Nothing is lost where there are only empty cells too many, or nothing but empty cells.
    """
    ragged = {}
    for row in np.flatnonzero(lengths[rows] != width).tolist():
        cells = _row(scan, rows[row], lengths)
        if any(map(str.strip, cells[width:])) or (len(cells) < width and any(map(str.strip, cells))):
            ragged[row] = len(cells)
    return ragged


def _blank_rows(scan: Delimited, rows: NDArray[np.int64], width: int, faults: Faults) -> NDArray[np.intp]:
    """Rows of nothing but empty cells, such as spreadsheets leave at the end."""
    blank = ~faults.bad
    for column in range(width):
        if not blank.any():
            break
        blank &= scan.blank(column, rows).view(np.bool_)
    return np.flatnonzero(blank)


def _separator(text: str, candidates: tuple[str, ...], schema: Schema) -> str:
    """The separator under which the beginning of the text makes most sense as the table that is expected."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, best_rank = candidates[0], (-1.0, -1.0, -1.0)
    for candidate in candidates:
        try:
            reader = csv.reader(io.StringIO(sample, newline=""), delimiter=candidate)
            rows = [row for _, row in zip(range(_SAMPLE_ROWS), reader, strict=False) if row]
        except csv.Error:
            continue
        width, count = Counter(map(len, rows)).most_common(1)[0]
        below = [[row[i] for row in rows if i < len(row)] for i in range(width)]
        known = by_name(rows[0], schema.roles, {})
        makes_sense = all(any(role in known for role in group) for group in schema.header_signs) or (
            bool(schema.numeric) and sum(map(is_numeric, below)) >= len(schema.numeric)
        )
        rank = (float(makes_sense), count / len(rows), float(width))
        if rank > best_rank:
            best, best_rank = candidate, rank
    return best
