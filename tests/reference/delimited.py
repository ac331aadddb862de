# SPDX-License-Identifier: MIT
"""The slow twin of the scanner of delimited text: Python's csv.reader, int and float, cell by cell."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Delimited:
    """What `unisono._core.Delimited` does, on rows of Python's own making."""

    def __init__(self, text: bytes, separator: str, has_quotes: bool):
        self._rows: list[list[str]] = []
        self._lines: list[int] = []
        self.fault = ""
        self.fault_line = 1
        with _any_length():
            quoting = csv.QUOTE_MINIMAL if has_quotes else csv.QUOTE_NONE
            stream = io.StringIO(text.decode("utf-8", "surrogatepass"), newline="")
            reader = csv.reader(stream, delimiter=separator, strict=True, quoting=quoting)
            try:
                for row in reader:
                    self._rows.append(row)
                    self._lines.append(self.fault_line)
                    self.fault_line = reader.line_num + 1
            except csv.Error as error:
                self.fault = "unclosed" if "end of data" in str(error) else "after"

    def lines(self) -> Any:
        return np.array(self._lines, dtype=np.int64)

    def lengths(self) -> Any:
        return np.array([len(row) for row in self._rows], dtype=np.int64)

    def row(self, row: int, width: int) -> list[str]:
        return [self.cell(row, column) for column in range(width)]

    def cell(self, row: int, column: int) -> str:
        return self._rows[row][column] if 0 <= row < len(self._rows) and column < len(self._rows[row]) else ""

    def coded(self, column: int, rows: Any) -> tuple[Any, list[str]]:
        cells = [self.cell(row, column) for row in rows.tolist()]
        different = list(dict.fromkeys(cells))
        return np.array([different.index(cell) for cell in cells], dtype=np.int32), different

    def numbers(self, column: int, rows: Any, decimal: str) -> tuple[Any, Any] | None:
        cells = [self.cell(row, column).strip().replace(decimal, ".") for row in rows.tolist()]
        values: list[int | float] = []
        for cell in cells:
            if not _DECIMAL.fullmatch(cell or "0") or len(cell) > 1000:
                return None
            values.append(int(cell or "0") if _WHOLE.fullmatch(cell or "0") else float(cell))
            if abs(values[-1]) > 2**53:
                return None
        missing = np.array([not cell for cell in cells], dtype=np.uint8)
        is_whole = all(type(value) is int for value in values)
        return np.array(values, dtype=np.int64 if is_whole else np.float64), missing

    def blank(self, column: int, rows: Any) -> Any:
        return np.array([not self.cell(row, column).strip() for row in rows.tolist()], dtype=np.uint8)


@contextmanager
def _any_length() -> Iterator[None]:
    limit = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(limit)
