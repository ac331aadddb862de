# SPDX-License-Identifier: MIT
"""Tables of units as one reader among the others: CSV, TSV, JSON lines, Parquet, data frames."""

from __future__ import annotations

from typing import Any

from unisono.io.columns import resolve
from unisono.io.delimited import KINDS, read_delimited
from unisono.io.encoding import decode, filled
from unisono.io.files import File
from unisono.io.formats import format_of
from unisono.io.jsonlines import read_jsonlines
from unisono.io.record import Record
from unisono.io.rows import unit_record
from unisono.io.settings import Settings
from unisono.io.table import Table

_PARQUET = b"PAR1"


def read(file: File, settings: Settings) -> Record:
    """The units in a table, or, of Parquet, in lists of them: what it holds is told at its end only."""
    if file.head().startswith(_PARQUET):
        from unisono.io.formats import hugging_face
        from unisono.io.parquet import require

        require("reading Parquet")
        data = file.data()
        if hugging_face.fits(data):
            return hugging_face.record_of(file, data, settings)
        return _record(table(file, settings, data), settings, file)
    return _record(table(file, settings), settings, file)


def read_frame(frame: Any, settings: Settings) -> Record:
    """The units in a data frame."""
    from unisono.io import frame as frames

    return _record(frames.read_frame(frame), settings, None)


def _record(table: Table, settings: Settings, file: File | None) -> Record:
    resolved = resolve(
        table.names,
        table.columns,
        has_header=table.has_header,
        schema=settings.schema,
        given=settings.columns,
        where=table.heading,
    )
    return unit_record(table, resolved, file, decimal=settings.decimal)


def table(file: File, settings: Settings, data: bytes | None = None) -> Table:
    """A file as a table, whatever its format, before its columns mean anything; `data` where it was read already."""
    wanted = settings.format or format_of(file.suffix)
    data = file.data() if data is None else data
    if data.startswith(_PARQUET) or wanted == "parquet":
        from unisono.io.parquet import read_parquet

        return read_parquet(file, data)
    text = filled(decode(data, file.where, settings.encoding), file.where)
    if wanted == "jsonl" or (wanted is None and text.lstrip()[0] in "{["):
        return read_jsonlines(text, where=file.where, stem=file.stem)
    # A file's ending is a hint for the separator, a format given by option an order.
    separators = tuple(KINDS)
    if settings.format == "tsv":
        separators = ("\t",)
    elif settings.format == "csv":
        separators = (",", ";", "|")
    elif wanted == "tsv":
        separators = ("\t", ",", ";", "|")
    return read_delimited(
        text,
        where=file.where,
        stem=file.stem,
        separators=separators,
        schema=settings.schema,
        given=settings.columns,
        header=settings.header,
    )
