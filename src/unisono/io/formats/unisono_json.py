# SPDX-License-Identifier: MIT
"""unisono's own JSON, as `unisono convert IN out.json` writes it: documents with text, extent, annotators, units."""

from __future__ import annotations

from typing import Any, cast, get_args

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, words
from unisono.io.files.opening import File
from unisono.io.formats.text_versions import version_from_dict
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.model import CATEGORY, LARGEST_POSITION, Extent, TimeUnit

_WHAT = "a unisono corpus"


def read(file: File, settings: Settings) -> Record:
    """The units of all documents."""
    value = parse_json(decode(file.data(), file.where, settings.encoding), file.where, _WHAT)
    if get(value, "unisono-corpus", int) != 1:
        raise malformed(file.where, _WHAT, "it has another version", "Write it again with this version of unisono.")
    documents = get(value, "documents", list)
    if documents is None:
        raise malformed(file.where, _WHAT, "it has no list of documents")
    builder = RecordBuilder(file, "unisono JSON")
    bases = {}
    for number, document in enumerate(documents, start=1):
        where = f"{file.where} document {get(document, 'name', str) or number}"
        annotators = get(document, "annotators", list)
        if annotators is None:
            raise malformed(where, _WHAT, "the document has no list of annotators")
        if (base := get(document, "base", dict)) is not None:
            bases[get(document, "name", str) or str(number)] = version_from_dict(base, f"{where}: base")
        for annotator in annotators:
            units = get(annotator, "units", list)
            if units is None:
                raise malformed(where, _WHAT, "an annotator has no list of units")
            sheet = builder.sheet(
                document=get(document, "name", str) or str(number),
                annotator=get(annotator, "name", str),
                text=get(document, "text", str) if (own := get(annotator, "text", str)) is None else own,
                extent=_extent(get(document, "extent", list), where),
                where=where,
            )
            for i, unit in enumerate(units, start=1):
                features = {key: words(item) for key, item in (get(unit, "features", dict) or {}).items()}
                features[CATEGORY] = words(unit.get(CATEGORY)) if isinstance(unit, dict) else None
                builder.unit(
                    sheet,
                    get(unit, "start", (int, float)),
                    get(unit, "end", (int, float)),
                    features,
                    f"{where} unit {i}",
                )
    units = {get(document, "time_unit", str) for document in documents}
    unit = units.pop() if len(units) == 1 else None
    return builder.record(
        category=CATEGORY,
        bases=bases,
        called={"annotator": "the file", "document": "the file"},
        time_unit=cast("TimeUnit", unit) if unit in get_args(TimeUnit) else None,
    )


def _extent(bounds: list[Any] | None, where: str) -> Extent | None:
    if bounds is None:
        return None
    numbers = [
        b for b in bounds if isinstance(b, int | float) and not isinstance(b, bool) and abs(b) <= LARGEST_POSITION
    ]
    if len(bounds) != 2 or len(numbers) != 2 or numbers[1] < numbers[0]:
        raise malformed(where, _WHAT, "the extent is not a pair of numbers in order")
    return Extent(numbers[0], numbers[1], "documents")
