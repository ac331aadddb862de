# SPDX-License-Identifier: MIT
"""The documents table: where each document begins and ends, and its text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.errors import FormatError, InputError, Problem
from unisono.io.tables.cells import Table, labels_of
from unisono.io.tables.column_roles import Columns, Schema, find_roles, is_numeric
from unisono.io.tables.header_names import match_names
from unisono.io.tables.numbers import Numbers
from unisono.io.tables.unit_table import check_names, positions
from unisono.io.tables.written_numbers import NumberStyle
from unisono.io.wording import listing
from unisono.model import Extent

#: The path of a file that may hold a text or a recording.
_PATH = re.compile(
    r"(?:[\w.-]+:)?[^\n<>|]*[^\s<>|/\\]\.(?:txt|text|ac|md|xml|tei|html?|rtf|docx?|odt|pdf|json|csv|tsv|wav|mp[34]|gz|zip)",
    re.IGNORECASE,
)

DOCUMENTS = Schema(
    roles=("document", "start", "end", "duration", "text"),
    required=(("end", "duration", "text"),),
    header_signs=(("document", "end", "duration", "text"),),
    layouts=(("document", "end"), ("document", "start", "end"), ("document", "text")),
    numeric=("start", "end"),
    remedy="Name the columns document, start, end, text in the first line.",
)


@dataclass(frozen=True, slots=True)
class DocumentExtent:
    """The extent and the text of one document, and where the documents table has them."""

    extent: Extent
    text: str | None
    place: str


def read_documents(table: Table, *, style: NumberStyle) -> Mapping[str | None, DocumentExtent]:
    """Extent and text by document name; under None where the table has no document column (one row then)."""
    roles = find_roles(table, DOCUMENTS, _length_column(table)).roles
    faults, usable = table.faults, ~table.faults.bad
    names = labels_of(table.columns[roles["document"]]) if "document" in roles else None
    if names is not None:
        check_names(table, "document", names, usable, roles["document"])
    columns = {
        role: positions(table, roles[role], usable, style) for role in ("start", "end", "duration") if role in roles
    }
    texts = table.columns[roles["text"]] if "text" in roles else None
    if texts is not None and not isinstance(texts, Numbers):
        _refuse_paths(table, [texts[row] for row in np.flatnonzero(usable).tolist()])
    documents: dict[str | None, DocumentExtent] = {}
    for row in np.flatnonzero(usable & ~faults.bad).tolist():
        name = None if names is None else names.labels[names.codes[row]]
        text = None if texts is None or isinstance(texts, Numbers) else texts[row]
        place = table.place(row)
        extent = _extent(columns, text, row)
        if extent is None:
            message = "the document has no end, no length and no text"
            problem = Problem("missing-extent", "error", place, message, "Fill in one of them.")
        elif extent.end < extent.start:
            message = f"the document ends ({extent.end}) before it starts ({extent.start})"
            problem = Problem("end-before-start", "error", place, message, "Are the two columns swapped?")
        elif name in documents and name is None:
            message = f"this is a second row (the first is {documents[name].place}), and no column names the document"
            problem = Problem("repeated-document", "error", place, message, "Add a column named document.")
        elif name in documents:
            message = f"the document {name!r} is here again (first in {documents[name].place})"
            problem = Problem("repeated-document", "error", place, message, "Keep one of the rows.")
        else:
            documents[name] = DocumentExtent(extent, text or None, place)
            continue
        faults.add_together(problem, [row])
    if faults.counts:
        raise InputError(faults.problems)
    return documents


def _refuse_paths(table: Table, texts: Sequence[str]) -> None:
    """Refuse a column of texts of which most are paths of files: they are never opened, and are no texts."""
    filled = [text.strip() for text in texts if text.strip()]
    paths = [text for text in filled if len(text) < 1000 and len(text.split()) < 5 and _PATH.fullmatch(text)]
    if 2 * len(paths) > len(filled):
        raise FormatError.of(
            f"the column text has paths of files ({listing(paths, 3)}), not texts",
            "Put the texts themselves into the column, or leave it out.",
            where=table.heading,
            code="text-paths",
        )


def _length_column(table: Table) -> Columns:
    """A length under an unknown name: the only column of numbers without a role, if no other role gives the end."""
    matches = match_names(table.names, DOCUMENTS.roles, {})
    if table.has_header and not {"end", "duration", "text"} & matches.keys():
        claimed = {columns[0] for columns in matches.values()}
        free = [i for i, cells in enumerate(table.columns) if i not in claimed and is_numeric(cells)]
        if len(free) == 1:
            return Columns(duration=free[0] + 1)
    return Columns()


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
