# SPDX-License-Identifier: MIT
"""Tables for other programs: columns and rows as CSV, TSV, JSON or Parquet, by the ending of the path."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unisono.errors import ParameterError
from unisono.io.writers.formulas import escape_formula
from unisono.report import json_text, visible
from unisono.whole_files import replacement, write_whole

#: Formats by the endings that ask for them.
SUFFIXES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".json": "json", ".parquet": "parquet", ".pq": "parquet"}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))


@dataclass(frozen=True)
class Tabular:
    """Columns by name with their kinds (str, int, float, or `position`: int if all are), and rows of plain values."""

    columns: dict[str, type | str]
    rows: Sequence[Sequence[Any]]

    def text(self, format: str = "csv", *, escape_formulas: bool = False) -> str:
        """The table as CSV, TSV or JSON; control characters are escaped.

        escape_formulas: whether texts that a spreadsheet would take for formulas get an apostrophe before them.
        """
        if format == "json":
            return json_text([dict(zip(self.columns, row, strict=True)) for row in self.rows]) + "\n"
        file = io.StringIO()
        writer = csv.writer(file, delimiter="\t" if format == "tsv" else ",", lineterminator="\n")
        escape = escape_formula if escape_formulas else _identity
        writer.writerow(visible(escape(name)) for name in self.columns)
        writer.writerows([_cell(escape(value)) for value in row] for row in self.rows)
        return file.getvalue()

    def write(self, path: str, format: str | None = None, *, escape_formulas: bool = False) -> None:
        """Write the table in the format asked for, or by the path's ending."""
        kind = format or format_of(path)
        if kind == "parquet":
            with replacement(path) as draft:
                self._write_parquet(draft)
        else:
            write_whole(path, self.text(kind, escape_formulas=escape_formulas))

    def _write_parquet(self, path: Path) -> None:
        from unisono.io.tables.parquet import require

        arrow, parquet = require("writing Parquet"), require("writing Parquet", "pyarrow.parquet")
        types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.columns)
        arrays = []
        for kind, column in zip(self.columns.values(), columns, strict=True):
            if kind == "position":
                kind = float if any(isinstance(value, float) for value in column) else int
            arrays.append(arrow.array(column, type=types[kind]))  # type: ignore[index]
        parquet.write_table(arrow.Table.from_arrays(arrays, names=list(self.columns)), path)


def format_of(path: str) -> str:
    """The format that a path's ending asks for.

    >>> format_of("alignment.parquet")
    'parquet'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError.of(
            f"the ending of {path!r} is not that of a table",
            f"Let it end in {', '.join(SUFFIXES)}.",
            code="unknown-format",
        )
    return SUFFIXES[suffix]


def _identity(value: Any) -> Any:
    return value


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return visible(value) if isinstance(value, str) else repr(value) if isinstance(value, float) else value
