# SPDX-License-Identifier: MIT
"""factgenie's JSON lines: one annotated system output per line, its annotations with `start`, `text` and `type`.

`type` is a number: the name of the category is taken from `annotation_span_categories` in the line's metadata, or in
`metadata.json` or `config.yaml` beside the file; without them the number is the category. A unit ends where its text
ends. The document is factgenie's own name of an example, `DATASET_SPLIT_SETUP_INDEX`; the annotator is the
`annotator_group`, as in factgenie's own gamma. Every campaign counts its groups from 0: if several campaigns are read
together, name the annotators by `--annotator-from field:campaign_group`, or by `field:annotator_id` if the file has it.
Positions may count UTF-16 units, as browsers do; if the line has the `output`, the stored texts show whether they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unisono.errors import InputError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word, words
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import fields_of, objects, require_object
from unisono.io.formats.offsets import code_point_converter
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.nouns import quantity

_WHAT = "factgenie"
_CATEGORIES = "annotation_span_categories"
_DOCUMENT = ("dataset", "split", "setup_id", "example_idx")


def read(file: File, settings: Settings) -> Record:
    """The units of all annotated outputs."""
    builder = RecordBuilder(file, "factgenie JSON lines")
    names_beside = _category_names_beside(file, settings)
    n_converted = 0
    for where, row in objects(file, settings, _WHAT):
        annotations = row.get("annotations")
        if not isinstance(annotations, list):
            raise malformed(where, _WHAT, "the line has no list of annotations")
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
        names = _category_names(metadata) or names_beside
        position = code_point_converter(get(row, "output", str) or "")
        for number, annotation in enumerate(annotations, start=1):
            n_converted += _add_unit(builder, sheet, annotation, names, position, f"{where} annotation {number}")
    if not builder.sheets:
        raise malformed(file.where, _WHAT, "it has no lines")
    if n_converted:
        positions = f"the positions of {quantity(n_converted, 'unit')}"
        builder.note("utf-16-offsets", f"{positions} count UTF-16 units; they were converted to characters")
    return builder.record(category="type", called={"annotator": "annotator_group", "document": "examples"})


def _add_unit(
    builder: RecordBuilder,
    sheet: int,
    annotation: Any,
    names: Sequence[str],
    position: Callable[[int], int],
    where: str,
) -> bool:
    """Add a unit; return whether its start was converted from UTF-16 units."""
    annotation = require_object(annotation, where, _WHAT)
    start, covered = get(annotation, "start", int), get(annotation, "text", str)
    if start is None or covered is None or not 0 <= start < 2**53:
        missing = "text" if covered is None else "start that is a position"
        builder.fault("missing-position", where, f"the annotation has no {missing}", "Correct it, or remove it.")
        return False
    kind = annotation.get("type", annotation.get("annotation_type"))
    is_known = isinstance(kind, int) and not isinstance(kind, bool) and 0 <= kind < len(names)
    features = {"type": names[kind] if is_known else word(kind), "reason": words(annotation.get("reason"))}
    # The length is that of the text, in characters, so only the start may have to be converted.
    text, first = builder.sheets[sheet].text or "", position(start)
    is_utf16 = text[start : start + len(covered)] != covered == text[first : first + len(covered)]
    start = first if is_utf16 else start
    builder.unit(sheet, start, start + len(covered), features, where, covered=covered)
    return bool(is_utf16)


def _category_names(metadata: Mapping[str, Any]) -> list[str]:
    """The names of categories; their places in the list are the numbers that `type` gives."""
    config = get(metadata, "config", dict) or metadata
    entries = get(config, _CATEGORIES, list) or []
    names = [word(get(entry, "name", str)) if isinstance(entry, dict) else word(entry) for entry in entries]
    return [name or str(number) for number, name in enumerate(names)]


def _category_names_beside(file: File, settings: Settings) -> list[str]:
    for name in ("metadata.json", "config.json"):
        if (other := file.beside(name)) is not None:
            try:
                metadata = parse_json(decode(other.data(), other.where, settings.encoding), other.where, _WHAT)
            except InputError:  # another tool's file, perhaps; the numbers can serve as categories
                continue
            if isinstance(metadata, dict) and (names := _category_names(metadata)):
                return names
    for name in ("config.yaml", "config.yml"):
        if (other := file.beside(name)) is not None:
            return _names_in_yaml(decode(other.data(), other.where, settings.encoding))
    return []


def _names_in_yaml(text: str) -> list[str]:
    """The names in the list of categories of a YAML file; nothing else of YAML is needed here.

    >>> _names_in_yaml("annotation_span_categories:\\n- name: Contradictory\\n  color: red\\n- name: 'Other'\\nx: 1\\n")
    ['Contradictory', 'Other']
    """
    lines = "\n".join(split_lines(text))
    block = re.search(rf"^{_CATEGORIES}:[ \t]*\n((?:[ \t-].*\n?|\n)*)", lines, re.MULTILINE)
    entries = re.findall(r"^[ \t]*(?:-[ \t]+)?name:[ \t]*(\S.*)$", block[1], re.MULTILINE) if block else []
    return [entry.rstrip(" \t").strip("'\"") for entry in entries]
