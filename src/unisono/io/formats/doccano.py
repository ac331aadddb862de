# SPDX-License-Identifier: MIT
"""doccano's JSON lines: a text a line, its units as `[start, end, label]` or, with relations, as `entities`.

A project in which annotators do not share their work is exported as an archive with a file for each user, named after
them: the file's name is the annotator, but for `all.jsonl`, in which doccano puts shared work. The document is the
line's `id`, or its number where there is none. Units are read from `label`, `labels`, `entities` and from the
`annotations` of doccano before 2021, where each names its user, and users and labels go by numbers. Relations are
between units and no units; labels of whole texts (`"label": ["positive"]`) are counted and left out. doccano stores no
covered text: positions are taken as characters, and only that they lie in the text is checked.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import (
    LABEL,
    add_unit,
    fields_of,
    is_unit,
    no_annotations,
    row_object,
    tell_passed_over,
    values,
)
from unisono.io.jsontree import get, malformed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "doccano"
#: What doccano calls the file of all users together.
_SHARED = "all"
_LISTS = ("label", "labels", "entities", "annotations")


def read(file: File, settings: Settings) -> Record:
    """The units of all texts in a file."""
    builder = RecordBuilder(file, "doccano JSON lines")
    passed_over: Counter[str] = Counter()
    text = decode(file.data(), file.where, settings.encoding)
    for number, (where, value) in enumerate(values(text, file.where, _WHAT), start=1):
        row = row_object(value, where, _WHAT)
        units = next((row[name] for name in _LISTS if row.get(name) is not None), None)
        if units is None:
            passed_over["texts without a list of labels"] += 1
            continue
        if not isinstance(units, list):
            raise malformed(where, _WHAT, "labels that are no list")
        # Of classification: words, or, before 2021, objects with a label and no place.
        if units and all(
            isinstance(unit, str) or (isinstance(unit, dict) and not is_unit(unit) and LABEL in unit) for unit in units
        ):
            passed_over["labels of whole texts"] += len(units)
            continue
        common = {
            "annotator": None if file.stem == _SHARED else file.stem,
            "document": word(get(row, "id", (int, str))) or str(number),
            "text": get(row, "text", str) or get(row, "data", str),
            "fields": fields_of(row, "meta"),
            "where": where,
        }
        _units(builder, units, common, where)
        if relations := get(row, "relations", list):
            passed_over["relations"] += len(relations)
    if not builder.sheets:
        raise no_annotations(builder, passed_over, "export a project of sequence labeling as JSONL")
    tell_passed_over(builder, passed_over)
    return builder.record(category=LABEL, called={"annotator": "file names", "document": "id"})


def _is_of_text(label: Any) -> bool:
    """Whether a label is one of the whole text: a word, or, before 2021, an object with a label and no place."""
    return isinstance(label, str) or (isinstance(label, dict) and LABEL in label and not is_unit(label))


def _units(builder: RecordBuilder, units: list[Any], common: dict[str, Any], where: str) -> None:
    """The units of a text: all of the file's annotator, or, in old exports, of the user each of them names."""
    by_user: dict[str | None, int] = {}
    if not units:
        builder.sheet(**common)
    for number, unit in enumerate(units, start=1):
        user = word(get(unit, "user", (int, str)))
        if user not in by_user:
            by_user[user] = builder.sheet(**common | ({"annotator": user} if user else {}))
        item = {key: value for key, value in unit.items() if key != "user"} if user and is_unit(unit) else unit
        add_unit(builder, by_user[user], item, f"{where} unit {number}")
