# SPDX-License-Identifier: MIT
"""CSV and its kin: text with a separator (comma, tab, semicolon, bar), with or without a header."""

from __future__ import annotations

import csv
import io
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from operator import itemgetter

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.columns import Columns, Schema, by_name, is_header, is_numeric
from unisono.io.table import Cells, Faults, Table, listing

KINDS = {",": "CSV", "\t": "TSV", ";": "semicolon-separated CSV", "|": "bar-separated CSV"}

#: The beginning of the text is enough to see which separator it uses.
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_ROWS = 200

_field_limit = threading.Lock()


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
    rows, line = _parse(text, separator, where)
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    filled = lengths > 0
    filled[[i for i in np.flatnonzero(lengths == 1).tolist() if not rows[i][0].strip()]] = False
    numbers = np.flatnonzero(filled)
    if len(numbers) < len(rows):
        rows = [rows[i] for i in numbers.tolist()]
    lines: Callable[[int], int] = lambda row: line(int(numbers[row]))  # noqa: E731
    if not rows:
        raise FormatError.of(
            "a table with rows", "only blank lines", "check that it was saved", where=where, code="empty-file"
        )
    first = rows[0]
    if header is None:
        below = [[row[i] for row in rows[1:1001] if i < len(row)] for i in range(len(first))]
        header = is_header(first, below, schema, given)
    notes: list[Problem] = []
    if header:
        names = _names(first, f"{where}:{lines(0)}")
        rows = rows[1:]
        width = len(names)
    else:
        width = Counter(map(len, rows)).most_common(1)[0][0]
        names = tuple(f"column_{i + 1}" for i in range(width))
    skipped = 1 if header else 0
    place: Callable[[int], str] = lambda row: f"{where}:{lines(row + skipped)}"  # noqa: E731
    faults = Faults(len(rows))
    ragged = _squared(rows, width)
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
    columns: list[Cells] = [list(map(itemgetter(i), rows)) for i in range(width)]
    blank = _blank_rows(columns, faults)
    if len(blank):
        count = f"{len(blank)} without any" if len(blank) > 1 else "one without any"
        notes.append(Problem("blank-rows", "note", place(int(blank[0])), "rows with cells filled", count, "left out"))
        faults.leave_out(blank)
    heading = f"{where}:{lines(0)}" if header else where
    return Table(where, stem, KINDS[separator], header, names, columns, len(rows), place, heading, faults, notes)


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


def _squared(rows: list[list[str]], width: int) -> dict[int, int]:
    """Bring every row to one width in place; returns the rows that had another, and how many cells they had."""
    ragged = {}
    lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
    for row in np.flatnonzero(lengths != width).tolist():
        cells = rows[row]
        if any(map(str.strip, cells[width:])) or (len(cells) < width and any(map(str.strip, cells))):
            ragged[row] = len(cells)
            rows[row] = [""] * width
        else:  # nothing is lost: only empty cells too many, or nothing but empty cells
            rows[row] = (cells + [""] * width)[:width]
    return ragged


def _blank_rows(columns: list[Cells], faults: Faults) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Rows of nothing but empty cells, such as spreadsheets leave at the end."""
    blank = ~faults.bad
    for cells in columns:
        assert isinstance(cells, list)
        if not blank.any():
            break
        if "" not in cells and not any(map(str.isspace, cells)):
            blank[:] = False
            break
        blank &= np.fromiter((not cell or cell.isspace() for cell in cells), dtype=np.bool_, count=len(cells))
    return np.flatnonzero(blank)


def _parse(text: str, separator: str, where: str) -> tuple[list[list[str]], Callable[[int], int]]:
    """The rows of a text, blank lines included, and the physical line each begins on."""
    try:
        with _roomy():
            rows = list(_reader(text, separator))
    except csv.Error as error:
        rows = _unquoted(text, separator) if separator == "\t" else []
        if rows:
            return rows, lambda row: row + 1
        never = "a quote that is never closed, in the row that begins here"
        raise FormatError.of(
            "quotes that are closed, and doubled inside a quoted cell",
            never if "end of data" in str(error) else "text after a closing quote, in the row that begins here",
            "close the quote, or double it",
            where=f"{where}:{_last_line(text, separator)}",
            code="unclosed-quote",
        ) from None
    if '"' not in text:
        return rows, lambda row: row + 1

    @lru_cache(maxsize=1)
    def lines() -> list[int]:
        with _roomy():
            return list(_line_numbers(text, separator))

    return rows, lambda row: lines()[row]


def _reader(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)


def _line_numbers(text: str, separator: str) -> Iterator[int]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    for _ in reader:
        yield line
        line = reader.line_num + 1


def _last_line(text: str, separator: str) -> int:
    """The line on which the row begins that cannot be parsed."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        with _roomy():
            for _ in reader:
                line = reader.line_num + 1
    except csv.Error:
        pass
    return line


def _unquoted(text: str, separator: str) -> list[list[str]]:
    """Tab-separated text whose quotes mean nothing: accepted when all rows come out equally wide."""
    with _roomy():
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE))
    return rows if len({len(row) for row in rows if row}) == 1 else []


@contextmanager
def _roomy() -> Iterator[None]:
    """Cells of any length: the csv module's own limit is too low for texts, and global."""
    with _field_limit:
        limit = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        try:
            yield
        finally:
            csv.field_size_limit(limit)


def _separator(text: str, candidates: tuple[str, ...], schema: Schema) -> str:
    """The separator under which the beginning of the text makes most sense as the table that is expected."""
    sample = text[:_SAMPLE_CHARACTERS]
    if len(sample) < len(text):
        sample = sample[: sample.rfind("\n") + 1] or sample
    best, best_rank = candidates[0], (-1.0, -1.0, -1.0)
    for candidate in candidates:
        try:
            with _roomy():
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
