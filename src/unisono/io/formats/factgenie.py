# SPDX-License-Identifier: MIT
"""factgenie's JSON lines: an annotated output of a system a line, its annotations with `start`, `text` and `type`.

`type` is a number: the name of the category is taken from `annotation_span_categories`, which stands in the line's
metadata, in `metadata.json` or `config.yaml` beside the file; without them the number is the category. A unit ends
where its text does. The document is factgenie's own name of an example, `DATASET_SPLIT_SETUP_INDEX`; the annotator is
the `annotator_group`, as in factgenie's own gamma. Several campaigns count their groups from 0 each: read together,
name the annotators by `--annotator-from field:campaign_group`; people by `field:annotator_id`, where it was kept.
Positions of browsers count UTF-16 units; where the line has the `output`, the stored texts tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unisono.errors import InputError
from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import fields_of, row_object, values
from unisono.io.jsontree import get, malformed, parsed, word, words
from unisono.io.offsets import code_point
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "factgenie"
_CATEGORIES = "annotation_span_categories"
_DOCUMENT = ("dataset", "split", "setup_id", "example_idx")


def read(file: File, settings: Settings) -> Record:
    """The units of all annotated outputs."""
    builder = RecordBuilder(file, "factgenie JSON lines")
    beside = _categories_beside(file, settings)
    n_converted = 0
    text = decode(file.data(), file.where, settings.encoding)
    for where, value in values(text, file.where, _WHAT):
        row = row_object(value, where, _WHAT)
        annotations = row.get("annotations")
        if not isinstance(annotations, list):
            raise malformed(where, _WHAT, "a line without a list of annotations")
        metadata = get(row, "metadata", dict) or {}
        group = word(row.get("annotator_group", metadata.get("annotator_group")))
        campaign = word(metadata.get("campaign_id")) or (file.parts[-2] if len(file.parts) > 1 else "")
        fields = fields_of(row, "metadata") | fields_of(metadata)
        if group:
            fields |= {"campaign_group": f"{campaign}-{group}", "annotator_group": group}
        sheet = builder.sheet(
            document="_".join(filter(None, (word(row.get(name)) for name in _DOCUMENT))) or None,
            annotator=group,
            text=get(row, "output", str),
            fields=fields,
            where=where,
        )
        names = _names(metadata) or beside
        position = code_point(get(row, "output", str) or "")
        for number, annotation in enumerate(annotations, start=1):
            n_converted += _unit(builder, sheet, annotation, names, position, f"{where} annotation {number}")
    if not builder.sheets:
        raise malformed(file.where, _WHAT, "no lines")
    if n_converted:
        found = f"positions of {n_converted} units in UTF-16 units, as their texts tell"
        builder.note("utf-16-offsets", "positions in characters", found, "converted to characters")
    return builder.record(category="type", called={"annotator": "annotator_group", "document": "examples"})


def _unit(
    builder: RecordBuilder,
    sheet: int,
    annotation: Any,
    names: Sequence[str],
    position: Callable[[int], int],
    where: str,
) -> bool:
    """Add a unit; whether its start was counted in UTF-16 units and converted."""
    annotation = row_object(annotation, where, _WHAT)
    start, covered = get(annotation, "start", int), get(annotation, "text", str)
    if start is None or covered is None or not 0 <= start < 2**53:
        found = f"start={word(start) or 'none'}, text {'missing' if covered is None else 'there'}"
        builder.fault("missing-position", where, "an annotation with start and text", found, "remove it")
        return False
    kind = annotation.get("type", annotation.get("annotation_type"))
    is_known = isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind < len(names)
    features = {"type": names[kind] if is_known else word(kind), "reason": words(annotation.get("reason"))}
    # The end is counted from the start, so the start alone decides: the length is known in characters.
    text, first = builder.sheets[sheet].text or "", position(start)
    is_utf16 = text[start : start + len(covered)] != covered == text[first : first + len(covered)]
    start = first if is_utf16 else start
    builder.unit(sheet, start, start + len(covered), features, where, covered=covered)
    return bool(is_utf16)


def _names(metadata: Mapping[str, Any]) -> list[str]:
    """The names of categories, in the order that their numbers mean."""
    config = get(metadata, "config", dict) or metadata
    found = get(config, _CATEGORIES, list) or []
    names = [word(get(entry, "name", str)) if isinstance(entry, dict) else word(entry) for entry in found]
    return [name or str(number) for number, name in enumerate(names)]


def _categories_beside(file: File, settings: Settings) -> list[str]:
    for name in ("metadata.json", "config.json"):
        if (other := file.beside(name)) is not None:
            try:
                found = parsed(decode(other.data(), other.where, settings.encoding), other.where, _WHAT)
            except InputError:  # not what we look for; the numbers will do
                continue
            if isinstance(found, dict) and (names := _names(found)):
                return names
    for name in ("config.yaml", "config.yml"):
        if (other := file.beside(name)) is not None:
            return _names_in_yaml(decode(other.data(), other.where, settings.encoding))
    return []


def _names_in_yaml(text: str) -> list[str]:
    """The names in the list of categories of a YAML file, which is all that is needed of YAML here.

    >>> _names_in_yaml("annotation_span_categories:\\n- name: Contradictory\\n  color: red\\n- name: 'Other'\\nx: 1\\n")
    ['Contradictory', 'Other']
    """
    block = re.search(rf"^{_CATEGORIES}:[ \t]*\n((?:[ \t-].*\n?|\n)*)", text, re.MULTILINE)
    entries = re.findall(r"^[ \t]*(?:-[ \t]+)?name:[ \t]*(.+?)[ \t]*$", block[1], re.MULTILINE) if block else []
    return [entry.strip("'\"") for entry in entries]
