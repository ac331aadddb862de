# SPDX-License-Identifier: MIT
"""GATE documents: XML as GATE Developer and Teamware save it, and bdoc JSON (`.bdocjs`), which python-gatenlp writes.

Annotations are units; their type is the category, their features are features (structured ones as JSON). By custom each
annotator has an annotation set of their own, so the named sets are annotators. The default set, which has no name, is
where GATE's own components put tokens and sentences: beside named sets it is read only when asked for
(`--layer default`), as `Original markups` always is; in a document without named sets it holds the units, and the path
tells the annotator. Positions: in XML by the place of the nodes in the text, in bdoc characters or, where it says
`"offset_type": "j"`, UTF-16 units, which are converted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.jsontree import get, word
from unisono.io.jsontree import malformed as malformed_json
from unisono.io.jsontree import parsed as parsed_json
from unisono.io.offsets import code_point
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.xmltree import Element, line, local, malformed, parsed, text

_WHAT = "GATE"
_DEFAULT = "default"
#: Sets that are no annotator's: what the document was before it was annotated.
_NO_ANNOTATOR = {_DEFAULT, "Original markups"}

#: Type, start, end, features, covered text, place.
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
    root = parsed(data, file.where, _WHAT)
    nodes = root.find("TextWithNodes")
    if local(root) != "GateDocument" or nodes is None:
        raise malformed(file.where, _WHAT, f"<{local(root)}> without TextWithNodes")
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
                found = f"StartNode={element.get('StartNode')}, EndNode={element.get('EndNode')}"
                builder.fault("missing-position", where, "nodes that are in the text", found, "correct the file")
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
    document = parsed_json(content, file.where, _WHAT)
    inner, groups = get(document, "text", str), get(document, "annotation_sets", (dict, list))
    if inner is None or groups is None:
        raise malformed_json(file.where, _WHAT, "no text or no annotation sets")
    named = groups.items() if isinstance(groups, dict) else ((get(group, "name", str), group) for group in groups)
    position = code_point(inner if document.get("offset_type") == "j" else "")
    sets = []
    for name, group in named:
        units: list[_Unit] = []
        for number, item in enumerate(get(group, "annotations", list) or [], start=1):
            where = f"{file.where} {name or _DEFAULT} annotation {number}"
            start, end = get(item, "start", int), get(item, "end", int)
            if start is None or end is None or max(abs(start), abs(end)) > 2**53:
                builder.fault("missing-position", where, "start and end as whole numbers", "none", "correct the file")
                continue
            features = {
                f"{key}_feature" if key == "type" else key: word(value) or (json.dumps(value) if value else None)
                for key, value in (get(item, "features", dict) or {}).items()
            }
            units.append((word(item.get("type")), position(start), position(end), features, where))
        sets.append((name or "", units))
    fields = {key: text for key, value in (get(document, "features", dict) or {}).items() if (text := word(value))}
    return _record(builder, inner, sets, fields | ({"name": name} if (name := get(document, "name", str)) else {}))
