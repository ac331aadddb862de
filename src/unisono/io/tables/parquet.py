# SPDX-License-Identifier: MIT
"""Parquet, through pyarrow (the extra `tables`)."""

from __future__ import annotations

from typing import Any

from unisono.errors import FormatError, load_optional
from unisono.io.files.opening import File, too_large
from unisono.io.tables.cells import Table
from unisono.io.tables.data_frame import read_frame
from unisono.io.wording import short

#: Rows that are read before their size is looked at: a value that is stored once may be in each of them.
_ROWS = 1024


def read_parquet(source: File, data: bytes) -> Table:
    """The table in a Parquet file; rows count from 1 in messages."""
    return read_frame(arrow_table(source, data), where=source.where, stem=source.stem, kind="Parquet")


def arrow_table(source: File, data: bytes) -> Any:
    """The content of a Parquet file with every value checked: damaged files may have text that is not UTF-8."""
    pyarrow = require("reading Parquet")
    parquet = require("reading Parquet", "pyarrow.parquet")
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
        size = sum(file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        batches, n_bytes = [], 0
        for batch in file.iter_batches(_ROWS) if size <= source.limits.size else ():
            batches.append(batch)
            n_bytes += batch.nbytes
            if n_bytes > source.limits.size:
                break
        if max(size, n_bytes) > source.limits.size:
            raise too_large(source.where, source.limits.size)
        table = pyarrow.Table.from_batches(batches, file.schema_arrow)
        table.validate(full=True)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise unreadable_parquet(source, error) from None
    return table


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
