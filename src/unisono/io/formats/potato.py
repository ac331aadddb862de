# SPDX-License-Identifier: MIT
"""Potato's annotations: `user_state.json` in a folder for each annotator, or its lines of JSON, one for each instance.

Marked spans are units; the schema is the layer, the label the category, the instance the document. The annotator is
`user_id`, else told by the path. Whoever gave an instance any label, or spent time on it, has seen it. Labels of whole
instances mark nothing on a continuum and are counted. Lines of JSON may have the text (`displayed_text`), the state of
a user does not: give texts with `--documents`. Potato's offsets come from the browser (UTF-16 units): where the text
and those of the units are there, they tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import (
    LABEL,
    add_unit,
    fields_of,
    no_annotations,
    row_object,
    tell_passed_over,
    values,
)
from unisono.io.jsontree import get, malformed, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "Potato"
_SPANS = "instance_id_to_span_to_value"
_LABELS = "instance_id_to_label_to_value"
_TIMES = "instance_id_to_behavioral_data"


def read(file: File, settings: Settings) -> Record:
    """The units of a user, or of all lines."""
    builder = RecordBuilder(file, "Potato")
    passed_over: Counter[str] = Counter()
    content = decode(file.data(), file.where, settings.encoding)
    for where, value in values(content, file.where, _WHAT):
        row = row_object(value, where, _WHAT)
        if any(key in row for key in (_SPANS, _LABELS)):
            _state(builder, row, where, passed_over)
        else:
            _line(builder, row, where, passed_over)
    if not builder.sheets:
        raise no_annotations(builder, passed_over, "is it the folder of annotations?")
    tell_passed_over(builder, passed_over)
    return builder.record(category=LABEL, called={"annotator": "user_id", "document": "instances"})


def _state(builder: RecordBuilder, row: Mapping[str, Any], where: str, passed_over: Counter[str]) -> None:
    """Everything one user did."""
    spans, labels, times = (get(row, key, dict) or {} for key in (_SPANS, _LABELS, _TIMES))
    for instance in dict.fromkeys([*spans, *labels, *times]):
        common = {"document": instance, "annotator": word(row.get("user_id")), "where": f"{where} {instance}"}
        _instance(builder, spans.get(instance), labels.get(instance), common, passed_over)


def _line(builder: RecordBuilder, row: Mapping[str, Any], where: str, passed_over: Counter[str]) -> None:
    """What one user did with one instance."""
    instance = word(row.get("instance_id")) or word(row.get("id"))
    if instance is None:
        raise malformed(where, _WHAT, "a line without instance_id")
    spans = row.get("span_annotations", row.get("spans"))
    labels = row.get("label_annotations", row.get("labels"))
    common = {
        "document": instance,
        "annotator": word(row.get("user_id")),
        "text": get(row, "displayed_text", str) or get(row, "text", str),
        "fields": fields_of(row),
        "where": where,
    }
    _instance(builder, spans, labels, common, passed_over)


def _instance(
    builder: RecordBuilder, spans: Any, labels: Any, common: Mapping[str, Any], passed_over: Counter[str]
) -> None:
    where = common["where"]
    layers: dict[str, int] = {}
    for number, (schema, item) in enumerate(_spans(spans, where), start=1):
        if schema not in layers:
            layers[schema] = builder.sheet(layer=schema, **common)
        add_unit(builder, layers[schema], item, f"{where} span {number}")
    if labels and isinstance(labels, dict | list):
        passed_over["labels of whole instances"] += len(labels)
    # Without a layer: seen, whatever layer is asked for.
    builder.sheet(**common)


def _spans(spans: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Schemas and spans: by schema, as pairs of a span and its value, or plain."""
    if isinstance(spans, dict):
        for schema, items in spans.items():
            if not isinstance(items, list):
                raise malformed(where, _WHAT, f"spans of {schema} that are no list")
            yield from ((schema, _plain(item)) for item in items)
    elif isinstance(spans, list):
        for item in spans:
            span = item[0] if isinstance(item, list) and len(item) == 2 and isinstance(item[0], dict) else item
            yield word(get(span, "schema", str)) or "spans", _plain(span)
    elif spans is not None:
        raise malformed(where, _WHAT, "spans that are neither a list nor an object")


def _plain(item: Any) -> Any:
    """A span as others write it: its label is called name, its words title, its schema is told already."""
    if not isinstance(item, dict):
        return item
    label = item.get("label") or item.get("name") or item.get("annotation")
    known = ("schema", "name", "title", "annotation", "label", "span_id", "format_coords", "color")
    return {LABEL: label} | {key: value for key, value in item.items() if key not in known}
