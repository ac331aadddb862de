# SPDX-License-Identifier: MIT
"""How large a workbook is in memory, found out before it is opened.

The library that reads workbooks makes room for every cell from the first to the last filled one, and ends the process
where there is none: two cells of an Excel file at opposite corners, or one cell of an OpenDocument file that is said to
be repeated, need hundreds of gigabytes.

The library accepts malformed XML, which can mislead a search for patterns: a sheet is measured by patterns only where
all its cells are written in the usual way, otherwise by a strict parser.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from xml.parsers import expat

from unisono.errors import FormatError
from unisono.io.files.opening import DAMAGE, File, too_large

#: Bytes that a cell takes in memory.
_BYTES_OF_A_CELL = 32
#: Bytes of a sheet that are looked at together.
_STEP = 2**22

#: Whatever may be a cell or a row of an Excel file, or its name.
_TAG = re.compile(rb"<(?:[^\s<>/]*:)?(?:c|row)(?=[\s/>])")
_ANY_NAME = re.compile(rb"\br\s*=")
#: A cell or a row whose first attribute is its name: the letters of the column and the number of the row.
_NAMED = re.compile(rb"""<(?:\w+:)?(?:c|row) r=["']([A-Za-z]{0,3})([0-9]{1,7})["']""")
_NAME = re.compile(r"([A-Za-z]{0,3})0*([0-9]{1,7})")


def check_workbook(file: File, data: bytes) -> None:
    """Refuse a workbook that unpacks to more than the limit, or whose cells take more than that in memory."""
    if not data.startswith(b"PK"):
        return
    most_cells = file.limits.size // _BYTES_OF_A_CELL
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > file.limits.size:
                raise too_large(file.where, file.limits.size)
            sizes = [*_sheet_sizes(archive, most_cells)]
    except (*DAMAGE, expat.ExpatError) as error:
        raise unreadable_workbook(file, error) from None
    for n_rows, n_columns in sizes:
        if n_rows * n_columns > most_cells:
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


def _sheet_sizes(archive: zipfile.ZipFile, most_cells: int) -> Iterator[tuple[int, int]]:
    """The last row and the last column with content on each sheet, wherever in the archive it is."""
    for name in archive.namelist():
        if name.lower() == "xl/workbook.bin":
            raise ValueError("it is a binary workbook")
        content = archive.read(name)
        if name == "content.xml":
            sheets = _OpenDocumentSheets()
            sheets.parse(content)
            yield from sheets.sizes
        elif b"sheetData" in content:
            n_rows, n_columns = _usual_size(content) or (most_cells + 1, 1)
            if n_rows * n_columns > most_cells:  # possibly too large: cells without content do not count
                sheet = _ExcelSheet()
                sheet.parse(content)
                n_rows, n_columns = sheet.n_rows, sheet.n_columns
            yield n_rows, n_columns


def _usual_size(sheet: bytes) -> tuple[int, int] | None:
    """The last row and column of an Excel sheet, with content or not; None if some cell is not written as usual."""
    n_rows = n_columns = begin = 0
    while begin < len(sheet):
        end = sheet.find(b"</", begin + _STEP)  # no pattern matches across this place
        end = len(sheet) if end < 0 else end
        names = _NAMED.findall(sheet, begin, end)
        if not len(names) == len(_TAG.findall(sheet, begin, end)) == len(_ANY_NAME.findall(sheet, begin, end)):
            return None
        n_rows = max(n_rows, max((int(row) for _, row in names), default=0))
        columns = {column for column, _ in names}
        n_columns = max(n_columns, max((_column_number(column.decode()) for column in columns), default=0))
        begin = end
    return n_rows, n_columns


def _column_number(letters: str) -> int:
    """The number of a column, from 1; 0 for no letters.

    >>> _column_number("A"), _column_number("Z"), _column_number("AA"), _column_number("XFD")
    (1, 26, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


class _Sheet:
    """XML, element by element; `open` and `close` are called with local names."""

    def parse(self, content: bytes) -> None:
        """Read all elements; an ExpatError or ValueError where a sheet has what no program writes."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = lambda name, attributes: self.open(name.rpartition(":")[2], attributes)
        parser.EndElementHandler = lambda name: self.close(name.rpartition(":")[2])
        parser.StartDoctypeDeclHandler = self._refuse_type
        parser.Parse(content, True)

    def open(self, name: str, attributes: dict[str, str]) -> None:
        raise NotImplementedError

    def close(self, name: str) -> None:
        raise NotImplementedError

    def _refuse_type(self, *_: object) -> None:
        raise ValueError("a sheet declares a document type")


class _ExcelSheet(_Sheet):
    """The last row and column with content; a cell or a row without a name is the one after the last."""

    def __init__(self) -> None:
        self.n_rows = self.n_columns = 0
        self._row = self._column = 0
        self._cell: tuple[int, int] | None = None

    def open(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            _, row = _place(attributes)
            self._row, self._column = row or self._row + 1, 0
        elif name == "c":
            column, row = _place(attributes)
            column, row = column or self._column + 1, row or max(self._row, 1)
            self._row, self._column = max(self._row, row), max(self._column, column)
            self._cell = row, column
        elif self._cell is not None:
            row, column = self._cell
            self.n_rows, self.n_columns = max(self.n_rows, row), max(self.n_columns, column)

    def close(self, name: str) -> None:
        if name == "c":
            self._cell = None


def _place(attributes: dict[str, str]) -> tuple[int, int]:
    """Column and row of a name, from 1; 0 where it does not say."""
    if "r" not in attributes:
        return 0, 0
    match = _NAME.fullmatch(attributes["r"])
    if match is None:
        raise ValueError(f"{attributes['r'][:20]!r} is not the name of a cell or row")
    return _column_number(match[1]), int(match[2])


class _OpenDocumentSheets(_Sheet):
    """The last row and column with content on each sheet."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []
        self._n_rows = self._n_cells = self._n_filled = 0
        self._is_in_cell = False

    def open(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table":
            self.sizes.append((0, 0))
            self._n_rows = 0
        elif name == "table-row":
            self._n_rows += _times(attributes, "rows")
            self._n_cells = self._n_filled = 0
        elif name in ("table-cell", "covered-table-cell"):
            self._n_cells += _times(attributes, "columns")
            self._is_in_cell = True
            if any(key.startswith("office:") for key in attributes):
                self._n_filled = self._n_cells
        elif self._is_in_cell:
            self._n_filled = self._n_cells

    def close(self, name: str) -> None:
        if name in ("table-cell", "covered-table-cell"):
            self._is_in_cell = False
        elif name == "table-row" and self._n_filled and self.sizes:
            self.sizes[-1] = self._n_rows, max(self.sizes[-1][1], self._n_filled)


def _times(attributes: dict[str, str], what: str) -> int:
    """How often a row or a cell is repeated."""
    times = attributes.get(f"table:number-{what}-repeated", "1")
    if not (times.isascii() and times.isdecimal()):
        raise ValueError(f"{times[:20]!r} is not a number of {what}")
    return int(times)
