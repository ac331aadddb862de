# SPDX-License-Identifier: MIT
"""Potato's annotations: `user_state.json` in a folder for each annotator, or JSON lines with one line per instance.

Marked spans are units; the schema is the layer, the label the category, the instance the document. The annotator is
`user_id`, or else taken from the path. A user who gave an instance any label, or spent time on it, has seen it. Labels
of whole instances have no position; they are counted and left out. JSON lines may contain the text (`displayed_text`),
`user_state.json` does not: give texts with `--documents`. Potato's offsets come from the browser, so they may count
UTF-16 units; the texts stored with the units show whether they do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.files.jsontree import get, malformed, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import LABEL, add_unit, fields_of, finish, objects
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "Potato"
_SPANS = "instance_id_to_span_to_value"
_LABELS = "instance_id_to_label_to_value"
_TIMES = "instance_id_to_behavioral_data"


def read(file: File, settings: Settings) -> Record:
    """The units of a user, or of all lines."""
    builder = RecordBuilder(file, "Potato", decimal_unit="s")
    left_out: Counter[str] = Counter()
    for where, row in objects(file, settings, _WHAT):
        if any(key in row for key in (_SPANS, _LABELS)):
            _add_user(builder, row, where, left_out)
        else:
            _add_line(builder, row, where, left_out)
    remedy = "Is it a file from Potato's folder of annotations?"
    return finish(builder, left_out, remedy, called={"annotator": "user_id", "document": "instances"})


def _add_user(builder: RecordBuilder, row: Mapping[str, Any], where: str, left_out: Counter[str]) -> None:
    """Add everything one user did."""
    spans, labels, times = (get(row, key, dict) or {} for key in (_SPANS, _LABELS, _TIMES))
    for instance in dict.fromkeys([*spans, *labels, *times]):
        common = {"document": instance, "annotator": word(row.get("user_id")), "where": f"{where} {instance}"}
        _add_instance(builder, spans.get(instance), labels.get(instance), common, left_out)


def _add_line(builder: RecordBuilder, row: Mapping[str, Any], where: str, left_out: Counter[str]) -> None:
    """Add what one user did with one instance."""
    instance = word(row.get("instance_id")) or word(row.get("id"))
    if instance is None:
        raise malformed(where, _WHAT, "the line has no instance_id")
    spans = row.get("span_annotations", row.get("spans"))
    labels = row.get("label_annotations", row.get("labels"))
    common = {
        "document": instance,
        "annotator": word(row.get("user_id")),
        "text": get(row, "displayed_text", str) or get(row, "text", str),
        "fields": fields_of(row),
        "where": where,
    }
    _add_instance(builder, spans, labels, common, left_out)


def _add_instance(
    builder: RecordBuilder, spans: Any, labels: Any, common: Mapping[str, Any], left_out: Counter[str]
) -> None:
    where = common["where"]
    layers: dict[str, int] = {}
    for number, (schema, item) in enumerate(_spans(spans, where), start=1):
        if schema not in layers:
            layers[schema] = builder.sheet(layer=schema, **common)
        add_unit(builder, layers[schema], item, f"{where} span {number}")
    if labels and isinstance(labels, dict | list):
        left_out["label(s) of whole instances"] += len(labels)
    # A sheet without a layer: the user has seen the instance, whichever layer is read.
    builder.sheet(**common)


def _spans(spans: Any, where: str) -> Iterator[tuple[str, Any]]:
    """Schemas and spans, which are stored by schema, as pairs of a span and its value, or as a plain list."""
    if isinstance(spans, dict):
        for schema, items in spans.items():
            if not isinstance(items, list):
                raise malformed(where, _WHAT, f"the spans of {schema} are not a list")
            yield from ((schema, _plain_span(item)) for item in items)
    elif isinstance(spans, list):
        for item in spans:
            span = item[0] if isinstance(item, list) and len(item) == 2 and isinstance(item[0], dict) else item
            yield word(get(span, "schema", str)) or "spans", _plain_span(span)
    elif spans is not None:
        raise malformed(where, _WHAT, "the spans are neither a list nor an object")


def _plain_span(item: Any) -> Any:
    """A span with the keys that `add_unit` knows, without those that only Potato needs."""
    if not isinstance(item, dict):
        return item
    label = item.get("label") or item.get("name") or item.get("annotation")
    known = ("schema", "name", "title", "annotation", "label", "span_id", "format_coords", "color")
    return {LABEL: label} | {key: value for key, value in item.items() if key not in known}
