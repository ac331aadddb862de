# SPDX-License-Identifier: MIT
"""The documents table: where each continuum begins and ends, and its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from unisono.errors import InputError
from unisono.io.columns import Columns, Schema, by_name, is_numeric, resolve
from unisono.io.rows import positions
from unisono.io.table import Labels, Numbers, Table
from unisono.model import Extent

DOCUMENTS = Schema(
    roles=("document", "start", "end", "duration", "text"),
    required=(("end", "duration", "text"),),
    header_signs=(("document", "end", "duration", "text"),),
    layouts=(("document", "end"), ("document", "start", "end"), ("document", "text")),
    numeric=("start", "end"),
    remedy="name the columns document, start, end, text in the first line",
)


@dataclass(frozen=True, slots=True)
class DocumentExtent:
    """What the documents table says about one document."""

    extent: Extent
    text: str | None
    place: str


def read_documents(table: Table, *, decimal: str) -> Mapping[str | None, DocumentExtent]:
    """Extent and text by document name; under None where the table has no document column (one row then)."""
    given = Columns()
    if table.has_header and not {"end", "duration", "text"} & by_name(table.names, DOCUMENTS.roles, {}).keys():
        # A length by another name: the only column of numbers beside the document's name.
        claimed = {columns[0] for columns in by_name(table.names, DOCUMENTS.roles, {}).values()}
        free = [i for i, cells in enumerate(table.columns) if i not in claimed and is_numeric(cells)]
        if len(free) == 1:
            given = Columns(duration=free[0] + 1)
    roles = resolve(
        table.names, table.columns, has_header=table.has_header, schema=DOCUMENTS, given=given, where=table.heading
    ).roles
    faults, usable = table.faults, ~table.faults.bad
    names = Labels.of(table.columns[roles["document"]]) if "document" in roles else None
    if names is not None:
        faults.add(
            "missing-document",
            np.flatnonzero(usable & (names.codes < 0)).tolist(),
            lambda row: (table.place(row), "the document's name", "an empty cell", "name the document"),
        )
    columns = {
        role: positions(table, roles[role], usable, decimal) for role in ("start", "end", "duration") if role in roles
    }
    texts = table.columns[roles["text"]] if "text" in roles else None
    found: dict[str | None, DocumentExtent] = {}
    for row in np.flatnonzero(usable & ~faults.bad).tolist():
        name = None if names is None else names.labels[names.codes[row]]
        text = None if texts is None or isinstance(texts, Numbers) else texts[row]
        extent = _extent(columns, text, row)
        if extent is None:
            faults.add(
                "missing-extent",
                [row],
                lambda row: (table.place(row), "an end, a length or a text", "empty cells", "fill one of them"),
            )
        elif extent.end < extent.start:
            faults.add(
                "end-before-start",
                [row],
                lambda row, extent=extent: (  # type: ignore[misc]
                    table.place(row),
                    "a document must end after it starts",
                    f"start={extent.start}, end={extent.end}",
                    "swap the columns?",
                ),
            )
        elif name in found:
            other = found[name].place
            faults.add(
                "repeated-document",
                [row],
                lambda row, name=name, other=other: (  # type: ignore[misc]
                    table.place(row),
                    "one row for each document",
                    f"{name!r} again (first {other})" if name else f"a second row (first {other})",
                    "keep one of them" if name else "add a column named document",
                ),
            )
        else:
            found[name] = DocumentExtent(extent, text or None, table.place(row))
    if faults.counts:
        raise InputError(faults.problems)
    return found


def _extent(columns: Mapping[str, Numbers], text: str | None, row: int) -> Extent | None:
    def at(role: str) -> int | float | None:
        column = columns.get(role)
        return None if column is None or column.missing[row] else column.values[row].item()

    start, end, duration = at("start") or 0, at("end"), at("duration")
    if end is None and duration is not None:
        end = start + duration
    if end is not None:
        return Extent(start, end, "documents")
    return Extent(0, len(text), "text") if text else None
