# SPDX-License-Identifier: MIT
"""Parquet, through pyarrow (the extra `tables`)."""

from __future__ import annotations

from typing import Any

from unisono.errors import FormatError, load_optional
from unisono.io.files.opening import File, too_large
from unisono.io.tables.cells import Table
from unisono.io.tables.data_frame import read_frame
from unisono.io.wording import short

#: Rows that are read before their size is checked; more where texts are read by number, because each is stored once.
_ROWS, _ROWS_BY_NUMBER = 1024, 2**16


def read_parquet(source: File, data: bytes) -> Table:
    """The table in a Parquet file; rows count from 1 in messages."""
    return read_frame(arrow_table(source, data), where=source.where, stem=source.stem, kind="Parquet")


def arrow_table(source: File, data: bytes) -> Any:
    """The content of a Parquet file with every value checked: damaged files may have text that is not UTF-8."""
    pyarrow = require("reading Parquet")
    parquet = require("reading Parquet", "pyarrow.parquet")
    limit = source.limits.size
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        if sum(group.total_byte_size for group in groups) > limit:
            raise too_large(source.where, limit)
        # `group.column()` ends the process where the metadata of a column are damaged (pyarrow 26). Reading a row
        # checks the same metadata and raises an exception.
        for i in range(len(groups)):
            next(file.iter_batches(1, row_groups=[i]), None)
        texts = [  # by the schema: chunks of damaged files may say something else
            (column.path, group.column(i))
            for group in groups
            for i in range(group.num_columns)
            if (column := file.schema.column(i)).physical_type == "BYTE_ARRAY"
        ]
        # A text that is stored once may be in every row. Columns that are not nested can be read as the numbers of
        # their texts, in all encodings but one.
        others = {name for name, chunk in texts if "." in name or "DELTA_BYTE_ARRAY" in chunk.encodings}
        by_number = sorted({name for name, _ in texts} - others)
        if _text_size(data, by_number, limit) > limit:
            raise too_large(source.where, limit)
        longest = max((chunk.total_uncompressed_size for name, chunk in texts if name in others), default=1)
        n_rows = max(1, min(_ROWS, limit // max(longest, 1)))
        batches, n_bytes = [], 0
        for batch in file.iter_batches(n_rows):
            batches.append(batch)
            n_bytes += batch.nbytes
            if n_bytes > limit:
                raise too_large(source.where, limit)
        table = pyarrow.Table.from_batches(batches, file.schema_arrow)
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, LookupError) as error:
        raise unreadable_parquet(source, error) from None
    return table


def _text_size(data: bytes, names: list[str], limit: int) -> int:
    """Bytes of the texts in these columns, counted without creating the texts; counting stops beyond the limit."""
    pyarrow = require("reading Parquet")
    parquet = require("reading Parquet", "pyarrow.parquet")
    compute = require("reading Parquet", "pyarrow.compute")
    file = parquet.ParquetFile(pyarrow.BufferReader(data), read_dictionary=names)
    n_bytes = 0
    for batch in file.iter_batches(_ROWS_BY_NUMBER, columns=names) if names else ():
        for column in batch.columns:
            if pyarrow.types.is_dictionary(column.type):
                lengths = compute.binary_length(column.dictionary).take(column.indices)
                n_bytes += column.indices.nbytes + (compute.sum(lengths).as_py() or 0)
        if n_bytes > limit:
            break
    return n_bytes


def unreadable_parquet(source: File, error: Exception) -> FormatError:
    """The refusal of a damaged file."""
    return FormatError.of(
        f"the Parquet file cannot be read ({short(str(error).partition(chr(10))[0]) or 'it is damaged'})",
        "Write it again.",
        where=source.where,
        code="parquet",
    )


def require(purpose: str, module: str = "pyarrow") -> Any:
    """A module of pyarrow; a MissingDependencyError says how to install it."""
    return load_optional(module, purpose, "tables")
