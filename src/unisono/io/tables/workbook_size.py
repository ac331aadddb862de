# SPDX-License-Identifier: MIT
"""How large a workbook is in memory, found out before it is opened.

The library that reads workbooks makes room for every cell from the first to the last filled one, and ends the process
where there is none: two cells of an Excel file at opposite corners, or one cell of an OpenDocument file that is said to
be repeated, need hundreds of gigabytes.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from unisono.errors import FormatError
from unisono.io.files.opening import DAMAGE, File, too_large

#: Bytes that a cell takes in memory.
_BYTES_OF_A_CELL = 32
#: Bytes of a sheet that are looked at together.
_STEP = 2**22

#: A cell of an Excel file that has content, by its column and row. No tag goes beyond the next "<".
_FILLED = re.compile(
    rb"""<(?:\w+:)?c(?=\s)(?>[^<]*?\sr\s*=\s*["']([A-Za-z]{1,6})([0-9]{1,10})["'])[^<]*(?<!/)>\s*<(?!/)"""
)
#: A cell without its name, which is the one after the cell before it; the beginning of a row, and a row's number.
_UNNAMED = re.compile(rb"<(?:\w+:)?c(?! r=)(?=[\s/>])(?![^<]*\sr\s*=)")
_ROW = re.compile(rb"<(?:\w+:)?row(?=[\s/>])")
_ROW_NUMBER = re.compile(rb"""[^<]*?\sr\s*=\s*["']([0-9]{1,10})["']""")
#: The attributes of a cell of an OpenDocument file; they end in "/" if it has no content.
_CELL = re.compile(rb"<table:(?:covered-)?table-cell\b([^<>]*)>")
_REPEATED = {
    what: re.compile(rb"table:number-" + what.encode() + rb"-repeated\s*=\s*[\"']([0-9]{1,18})")
    for what in ("rows", "columns")
}


def check_workbook(file: File, data: bytes) -> None:
    """Refuse a workbook that unpacks to more than the limit, or whose cells take more than that in memory."""
    if not data.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > file.limits.size:
                raise too_large(file.where, file.limits.size)
            sizes = [*_sheet_sizes(archive)]
    except DAMAGE as error:
        raise unreadable_workbook(file, error) from None
    for n_rows, n_columns in sizes:
        if n_rows * n_columns * _BYTES_OF_A_CELL > file.limits.size:
            raise FormatError.of(
                f"the cells of a sheet reach to row {n_rows:,} and column {n_columns:,}, too many to hold in memory",
                "Remove what is far from the table, or save the sheet as CSV.",
                where=file.where,
                code="size-limit",
            )


def unreadable_workbook(file: File, error: Exception) -> FormatError:
    """The refusal of a damaged workbook, or of one with a password."""
    return FormatError.of(
        f"the Excel file cannot be read ({str(error) or type(error).__name__})",
        "Save it again, without a password, or save the sheet as CSV.",
        where=file.where,
        code="excel",
    )


def _sheet_sizes(archive: zipfile.ZipFile) -> Iterator[tuple[int, int]]:
    """The last row and the last column with content on each sheet, wherever in the archive it is."""
    for name in archive.namelist():
        content = archive.read(name)
        if name == "content.xml":
            for table in content.split(b"<table:table ")[1:]:
                yield _open_document_size(table)
        elif b"sheetData" in content:
            yield _excel_size(content)


def _excel_size(sheet: bytes) -> tuple[int, int]:
    n_rows = n_columns = begin = 0
    while begin < len(sheet):
        end = sheet.find(b"</", begin + _STEP)  # between cells, not inside a tag
        end = len(sheet) if end < 0 else end
        names = _FILLED.findall(sheet, begin, end)
        n_rows = max(n_rows, max((int(row) for _, row in names), default=0))
        n_columns = max(n_columns, max(map(_column_number, {column for column, _ in names}), default=0))
        begin = end
    if _UNNAMED.search(sheet) is None:
        return n_rows, n_columns
    # At most so many: each row may follow the last one, and the cells of a row the last one that is named.
    rows = _ROW.split(sheet)[1:]
    numbers = [int(match[1]) for row in rows if (match := _ROW_NUMBER.match(row)) is not None]
    n_rows = max(n_rows, max(numbers, default=0)) + len(rows) - len(numbers)
    return n_rows, n_columns + max((len(_UNNAMED.findall(row)) for row in rows), default=0)


def _column_number(letters: bytes) -> int:
    """The number of a column, from 1.

    >>> _column_number(b"A"), _column_number(b"Z"), _column_number(b"AA"), _column_number(b"XFD")
    (1, 26, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number


def _open_document_size(table: bytes) -> tuple[int, int]:
    n_rows = last_row = last_column = 0
    for row in table.split(b"<table:table-row")[1:]:
        n_rows += _times(row.partition(b">")[0], "rows")
        n_cells = n_filled = 0
        for attributes in _CELL.findall(row):
            n_cells += _times(attributes, "columns")
            n_filled = n_filled if attributes.endswith(b"/") and b"office:" not in attributes else n_cells
        if n_filled:
            last_row, last_column = n_rows, max(last_column, n_filled)
    return last_row, last_column


def _times(attributes: bytes, what: str) -> int:
    """How often a row or a cell is repeated."""
    match = _REPEATED[what].search(attributes)
    return int(match[1]) if match else 1
