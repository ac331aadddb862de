# SPDX-License-Identifier: MIT
"""Our own JSON, as `unisono convert IN out.json` writes it: documents with text, extent, annotators and their units."""

from __future__ import annotations

from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.jsontree import get, malformed, parsed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.model import CATEGORY, LARGEST_POSITION, Extent

_WHAT = "a unisono corpus"


def read(file: File, settings: Settings) -> Record:
    """The units of all documents."""
    value = parsed(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    if get(value, "unisono-corpus", int) != 1:
        raise malformed(file.where, _WHAT, "another version", "write it again with this version of unisono")
    documents = get(value, "documents", list)
    if documents is None:
        raise malformed(file.where, _WHAT, "no list of documents")
    builder = RecordBuilder(file, "unisono JSON")
    for number, document in enumerate(documents, start=1):
        where = f"{file.where} document {get(document, 'name', str) or number}"
        annotators = get(document, "annotators", list)
        if annotators is None:
            raise malformed(where, _WHAT, "a document without a list of annotators")
        for annotator in annotators:
            units = get(annotator, "units", list)
            if units is None:
                raise malformed(where, _WHAT, "an annotator without a list of units")
            sheet = builder.sheet(
                document=get(document, "name", str) or str(number),
                annotator=get(annotator, "name", str),
                text=get(document, "text", str),
                extent=_extent(get(document, "extent", list), where),
                where=where,
            )
            for i, unit in enumerate(units, start=1):
                features = {key: word(item) for key, item in (get(unit, "features", dict) or {}).items()}
                features.pop(CATEGORY, None)
                builder.unit(
                    sheet,
                    get(unit, "start", (int, float)),
                    get(unit, "end", (int, float)),
                    {CATEGORY: get(unit, CATEGORY, str), **features},
                    f"{where} unit {i}",
                )
    return builder.record(category=CATEGORY, called={"annotator": "the file", "document": "the file"})


def _extent(bounds: list[Any] | None, where: str) -> Extent | None:
    if bounds is None:
        return None
    numbers = [
        b for b in bounds if isinstance(b, int | float) and not isinstance(b, bool) and abs(b) <= LARGEST_POSITION
    ]
    if len(bounds) != 2 or len(numbers) != 2 or numbers[1] < numbers[0]:
        raise malformed(where, _WHAT, "an extent that is no pair of numbers")
    return Extent(numbers[0], numbers[1], "documents")
