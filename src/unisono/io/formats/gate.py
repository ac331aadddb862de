# SPDX-License-Identifier: MIT
"""GATE documents: XML as GATE Developer and Teamware save it, and bdoc JSON (`.bdocjs`), which python-gatenlp writes.

Annotations are units; their type is the category, their features are features (structured ones as JSON). Annotators
usually have an annotation set each, so the named sets are annotators. The default set, which has no name, is where
GATE's own components put tokens and sentences. If there are named sets, it is read only if asked for
(`--layer default`), as `Original markups` always is; in a document without named sets it holds the units, and the
annotator is taken from the path. Positions are given in XML by nodes in the text, in bdoc as characters or, with
`"offset_type": "j"`, as UTF-16 units, which are converted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word
from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, parse_document, text
from unisono.io.formats.offsets import code_point_converter
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "GATE"
_DEFAULT = "default"
#: Sets that belong to no annotator.
_NO_ANNOTATOR = {_DEFAULT, "Original markups"}

#: Type, start, end, features, place.
_Unit = tuple[str | None, Any, Any, dict[str, str | None], str]


def read(file: File, settings: Settings) -> Record:
    """The units of all annotation sets of a document."""
    data = file.data()
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")) or file.suffix == ".bdocjs":
        return _bdoc(file, decode(data, file.where, settings.encoding))
    return _xml(file, data)


def _record(
    builder: RecordBuilder, content: str, sets: Sequence[tuple[str, list[_Unit]]], fields: Mapping[str, str]
) -> Record:
    has_annotators = any(name and name not in _NO_ANNOTATOR for name, _ in sets)
    for name, units in sets or [("", [])]:
        layer = name or _DEFAULT
        sheet = builder.sheet(
            layer=layer if has_annotators or layer != _DEFAULT else None,
            text=content,
            fields=fields,
            is_dependent=layer in _NO_ANNOTATOR,
        )
        for kind, start, end, features, where in units:
            builder.unit(sheet, start, end, features | {"type": kind}, where)
    return builder.record(
        category="type", called={"category": "type"}, annotator_from="tier" if has_annotators else None
    )


def _xml(file: File, data: bytes) -> Record:
    builder = RecordBuilder(file, "GATE XML")
    root = parse_document(data, file.where, _WHAT, "GateDocument")
    nodes = root.find("TextWithNodes")
    if nodes is None:
        raise malformed(file.where, _WHAT, "it has no element <TextWithNodes>")
    places: dict[str, int] = {}
    parts = [nodes.text or ""]
    length = len(parts[0])
    for node in nodes:
        if node.get("id") is not None:
            places[node.get("id")] = length
        parts.append(node.tail or "")
        length += len(parts[-1])
    sets = []
    for group in root.iterfind("AnnotationSet"):
        units: list[_Unit] = []
        for element in group.iterfind("Annotation"):
            where = line(element, file.where)
            start, end = (places.get(element.get(name, "")) for name in ("StartNode", "EndNode"))
            if start is None or end is None:
                node = "StartNode" if start is None else "EndNode"
                message = f"the annotation's {node} ({element.get(node)}) is not in the text"
                builder.fault("missing-position", where, message, "Correct the file, or save it again in GATE.")
                continue
            units.append((element.get("Type"), start, end, dict(map(_feature, element.iterfind("Feature"))), where))
        sets.append((group.get("Name") or "", units))
    return _record(builder, "".join(parts), sets, dict(map(_field, root.iterfind("GateDocumentFeatures/Feature"))))


def _feature(element: Element) -> tuple[str, str | None]:
    name = text(element.find("Name"))
    return f"{name}_feature" if name == "type" else name, text(element.find("Value"))


def _field(element: Element) -> tuple[str, str]:
    return text(element.find("Name")), text(element.find("Value"))[:200]


def _bdoc(file: File, content: str) -> Record:
    builder = RecordBuilder(file, "GATE bdoc")
    document = parse_json(content, file.where, _WHAT)
    inner, groups = get(document, "text", str), get(document, "annotation_sets", (dict, list))
    if inner is None or groups is None:
        raise malformed(file.where, _WHAT, "it has no text or no annotation sets")
    named = groups.items() if isinstance(groups, dict) else ((get(group, "name", str), group) for group in groups)
    position = code_point_converter(inner if document.get("offset_type") == "j" else "")
    sets = []
    for name, group in named:
        units: list[_Unit] = []
        for number, item in enumerate(get(group, "annotations", list) or [], start=1):
            where = f"{file.where} {name or _DEFAULT} annotation {number}"
            start, end = get(item, "start", int), get(item, "end", int)
            if start is None or end is None or max(abs(start), abs(end)) > 2**53:
                message = "the annotation's start and end are not both whole numbers"
                builder.fault("missing-position", where, message, "Correct the file.")
                continue
            features = {
                f"{key}_feature" if key == "type" else key: word(value) or (json.dumps(value) if value else None)
                for key, value in (get(item, "features", dict) or {}).items()
            }
            units.append((word(item.get("type")), position(start), position(end), features, where))
        sets.append((name or "", units))
    fields = {key: text for key, value in (get(document, "features", dict) or {}).items() if (text := word(value))}
    return _record(builder, inner, sets, fields | ({"name": name} if (name := get(document, "name", str)) else {}))
