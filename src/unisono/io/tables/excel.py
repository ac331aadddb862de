# SPDX-License-Identifier: MIT
"""Excel files, through python-calamine (the extra `tables`): one sheet as a table."""

from __future__ import annotations

import datetime
import io
from collections.abc import Sequence
from typing import Any

from unisono.errors import FormatError, Problem, load_optional
from unisono.io.faults import Faults
from unisono.io.files.opening import DAMAGE, File
from unisono.io.tables.cells import Cells, Table
from unisono.io.tables.column_roles import Columns, Schema, is_header
from unisono.io.tables.delimited import check_distinct
from unisono.io.tables.jsonlines import cells_of_values
from unisono.io.tables.workbook_size import check_workbook, unreadable_workbook
from unisono.io.wording import listing
from unisono.nouns import quantity

#: This many rows are enough to see whether the first row is a header.
_SAMPLE_ROWS = 1000


def read_excel(
    file: File, data: bytes, *, sheet: str | None, schema: Schema, given: Columns, header: bool | None
) -> Table:
    """The table on a sheet, by name or by number from 1, or on the first one; empty rows are left out."""
    check_workbook(file, data)
    names, name, values = _sheet(file, data, sheet)
    where = f"{file.where} sheet {name}"
    filled = [i for i, row in enumerate(values) if any(cell not in ("", None) for cell in row)]
    if not filled:
        raise FormatError.of(
            "the sheet is empty", "Choose another sheet with [[sheet]].", where=where, code="empty-file"
        )
    rows = [[_value(cell) for cell in values[i]] for i in filled]
    # Columns without any content are no columns.
    width = max(map(len, rows))
    kept = [i for i in range(width) if any(len(row) > i and row[i] is not None for row in rows)]
    rows = [[row[column] if len(row) > column else None for column in kept] for row in rows]
    first = ["" if cell is None else str(cell).strip() for cell in rows[0]]
    if header is None:
        sample = rows[1 : _SAMPLE_ROWS + 1]
        below: list[Cells] = [["" if row[i] is None else str(row[i]) for row in sample] for i in range(len(kept))]
        header = is_header(first, below, schema, given)
    heading = f"{where} row {filled[0] + 1}" if header else where
    if header:
        rows, filled = rows[1:], filled[1:]
        check_distinct(tuple(first), heading)
    column_names = tuple(first) if header else tuple(f"column_{i + 1}" for i in range(len(kept)))
    table = Table(
        where,
        file.stem,
        "Excel",
        header,
        column_names,
        [cells_of_values([row[i] for row in rows]) for i in range(len(kept))],
        len(rows),
        lambda row: f"{where} row {filled[row] + 1}",
        heading,
        Faults(len(rows)),
    )
    if len(names) > 1 and sheet is None:
        others = f"{'the other is' if len(names) == 2 else 'the others are'} {listing(names[1:], 5)}"
        message = f"the first of {quantity(len(names), 'sheet')} was read, {name!r}; {others}"
        table.notes.append(Problem("sheet-choice", "note", file.where, message, "Choose another with [[sheet]]."))
    return table


def _sheet(file: File, data: bytes, wanted: str | None) -> tuple[list[str], str, Sequence[Sequence[Any]]]:
    """The names of all sheets, the name of the one asked for, and its cells."""
    python_calamine = load_optional("python_calamine", "reading Excel files", "tables")
    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = list(book.sheet_names)
    except (python_calamine.CalamineError, *DAMAGE) as error:
        raise unreadable_workbook(file, error) from None
    if wanted is None:
        name = names[0] if names else ""
    elif wanted in names:
        name = wanted
    elif wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        name = names[int(wanted) - 1]
    else:
        raise FormatError.of(
            f"there is no sheet {wanted!r}: the {'sheet is' if len(names) == 1 else 'sheets are'} {listing(names)}",
            "Give [[sheet]] one of these names, or a number counted from 1.",
            where=file.where,
            code="unknown-sheet",
        )
    try:
        return names, name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, *DAMAGE) as error:
        raise unreadable_workbook(file, error) from None


def _value(cell: Any) -> Any:
    """A cell as the number or text that it shows; times of day and durations as time codes."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**63:
        return int(cell)
    if isinstance(cell, datetime.datetime) and cell.year < 1901:  # a time of day, which Excel keeps as a date
        cell = datetime.timedelta(days=(cell.date() - datetime.date(1899, 12, 31)).days) + (
            cell - datetime.datetime.combine(cell.date(), datetime.time())
        )
    if isinstance(cell, datetime.time):
        return _time_code(
            datetime.timedelta(hours=cell.hour, minutes=cell.minute, seconds=cell.second, microseconds=cell.microsecond)
        )
    if isinstance(cell, datetime.timedelta):
        return _time_code(cell)
    if isinstance(cell, datetime.datetime | datetime.date):
        return cell.isoformat()
    return cell


def _time_code(time: datetime.timedelta) -> str:
    """A duration as hh:mm:ss with decimals.

    >>> _time_code(datetime.timedelta(minutes=62, seconds=2, milliseconds=500))
    '1:02:02.5'
    """
    seconds = time // datetime.timedelta(seconds=1)
    part = (time % datetime.timedelta(seconds=1)).microseconds
    decimals = f".{part:06d}".rstrip("0") if part else ""
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{decimals}"
