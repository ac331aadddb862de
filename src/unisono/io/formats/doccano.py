# SPDX-License-Identifier: MIT
"""doccano's JSON lines: one text per line, with its units as `[start, end, label]` or, with relations, as `entities`.

A project whose annotators do not share their work is exported as an archive with one file per user. The file's name is
then the annotator, except for `all.jsonl`, where doccano puts shared work. The document is the line's `id`, or the
line's number if it has none. Units are read from `label`, `labels`, `entities` and, in exports from before 2021, from
`annotations`, where each unit names its user and users and labels are numbers. Relations and labels of whole texts
(`"label": ["positive"]`) are counted and left out. doccano does not store the text that a unit covers, so positions
are taken as characters, and the only check is that they lie in the text.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from unisono.io.files.jsontree import get, malformed, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import LABEL, add_unit, fields_of, finish, is_unit, objects
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "doccano"
#: The stem of the file in which doccano puts the work of all users.
_SHARED = "all"
_LISTS = ("label", "labels", "entities", "annotations")


def read(file: File, settings: Settings) -> Record:
    """The units of all texts in a file."""
    builder = RecordBuilder(file, "doccano JSON lines")
    left_out: Counter[str] = Counter()
    for number, (where, row) in enumerate(objects(file, settings, _WHAT), start=1):
        units = next((row[name] for name in _LISTS if row.get(name) is not None), None)
        if units is None:
            left_out["text(s) without a list of labels"] += 1
            continue
        if not isinstance(units, list):
            raise malformed(where, _WHAT, "the labels are not a list")
        if units and all(map(_is_text_label, units)):
            left_out["label(s) of whole texts"] += len(units)
            continue
        common = {
            "annotator": None if file.stem == _SHARED else file.stem,
            "document": word(get(row, "id", (int, str))) or str(number),
            "text": get(row, "text", str) or get(row, "data", str),
            "fields": fields_of(row, "meta"),
            "where": where,
        }
        _add_units(builder, units, common, where)
        if relations := get(row, "relations", list):
            left_out["relation(s)"] += len(relations)
    remedy = "Export a project of sequence labeling as JSONL."
    return finish(builder, left_out, remedy, called={"annotator": "file names", "document": "id"})


def _is_text_label(label: Any) -> bool:
    """Whether a label classifies the whole text: a word or, before 2021, an object with a label and no position."""
    return isinstance(label, str) or (isinstance(label, dict) and LABEL in label and not is_unit(label))


def _add_units(builder: RecordBuilder, units: list[Any], common: dict[str, Any], where: str) -> None:
    """Add the units of a text: to the file's annotator or, in old exports, to the user that each unit names."""
    by_user: dict[str | None, int] = {}
    if not units:
        builder.sheet(**common)
    for number, unit in enumerate(units, start=1):
        user = word(get(unit, "user", (int, str)))
        if user not in by_user:
            by_user[user] = builder.sheet(**common | ({"annotator": user} if user else {}))
        item = {key: value for key, value in unit.items() if key != "user"} if user and is_unit(unit) else unit
        add_unit(builder, by_user[user], item, f"{where} unit {number}")
