# SPDX-License-Identifier: MIT
"""Glozz: annotations in `.aa` (XML) beside the text in `.ac`.

The type of a unit is the category, its features are features. Units of type `paragraph`, which Glozz makes when it
imports a text, are not an annotator's work: they are read only if asked for with `--layer paragraph`; all other units
are the layer `unit`. Relations and schemas are counted and left out. Annotators usually have a folder each; if a file
holds the work of several, `--annotator-from field:author` takes the author that Glozz stores with each unit (or
`field:lastModifier`). Glozz counts UTF-16 units, which are converted if the text is there.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from unisono.io.files.encoding import decode
from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, parse_document, text
from unisono.io.formats.json_spans import note_left_out
from unisono.io.formats.offsets import code_point_converter, utf16_converter
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.tables.numbers import is_whole_number

_WHAT = "Glozz"
_PARAGRAPH = "paragraph"
#: A relative path that is not too long for any file system.
_LINK = re.compile(r"(?:\.\./){0,20}(?:[\w\-. ]{1,60}/){0,20}[\w\-. ]{1,60}")


def read(file: File, settings: Settings) -> Record:
    """The units of one `.aa` file; if its `.ac` is missing, positions cannot be checked, which is noted."""
    builder = RecordBuilder(file, "Glozz")
    root = parse_document(file.data(), file.where, _WHAT, "annotations")
    content = _text(builder, root.find("metadata"), settings)
    position = code_point_converter(content or "")
    units = builder.sheet(layer="unit", text=content)
    paragraphs = None
    for element in root.iterfind("unit"):
        where = line(element, file.where)
        unit = _unit(element)
        if unit.start is None or unit.end is None:
            message = f"the unit has no index for its {'start' if unit.start is None else 'end'}"
            builder.fault("missing-position", where, message, "Correct the unit.")
            continue
        sheet = units
        if unit.type == _PARAGRAPH:
            if paragraphs is None:
                paragraphs = builder.sheet(layer=_PARAGRAPH, text=content, is_dependent=True)
            sheet = paragraphs
        builder.unit(sheet, position(unit.start), position(unit.end), unit.features | {"type": unit.type}, where)
    left_out = Counter({f"{name}(s)": sum(1 for _ in root.iterfind(name)) for name in ("relation", "schema")})
    note_left_out(builder, +left_out)
    return builder.record(category="type", called={"category": "type"})


@dataclass(slots=True)
class _Unit:
    type: str = ""
    start: int | None = None
    end: int | None = None
    features: dict[str, str | None] = field(default_factory=dict)


def _unit(element: Element) -> _Unit:
    """The content of a unit, from one walk over its elements, which is much faster than a dozen searches by path."""
    unit = _Unit()
    for part in element:
        kind = part.tag
        for item in part:
            match kind, item.tag:
                case "metadata", ("author" | "lastModifier") as name:
                    unit.features.setdefault(name, (item.text or "").strip())
                case "characterisation", "type":
                    unit.type = unit.type or (item.text or "").strip()
                case "characterisation", "featureSet":
                    for feature in item:
                        if feature.tag == "feature" and (name := feature.get("name")):
                            unit.features[f"{name}_feature" if name == "type" else name] = text(feature).strip()
                case "positioning", ("start" | "end") as bound:
                    if getattr(unit, bound) is None:
                        setattr(unit, bound, _index(item))
    return unit


def _text(builder: RecordBuilder, metadata: Element | None, settings: Settings) -> str | None:
    """The text in the `.ac` file beside the `.aa` file, if it has the length that Glozz stored.

    Some archives and systems store a symbolic link as a file that contains the path. Such a path is followed if it
    leads to a file of the same name.
    """
    name = f"{builder.file.stem}.ac"
    other = builder.file.beside(name)
    content = None if other is None else decode(other.data(), other.where, settings.encoding)
    length = "" if metadata is None else (metadata.get("corpusHashcode") or "").partition("-")[0]
    is_link = content is not None and _LINK.fullmatch(content) and content.endswith(f"/{name}")
    if content is not None and is_link and length.isdecimal():
        other = builder.file.beside(content)
        content = None if other is None else decode(other.data(), other.where, settings.encoding)
    if content is None:
        fault, remedy = f"there is no {name} beside it", "Put the text there, or give it with [[documents]]."
    elif length.isdecimal() and _length(content) != int(length[:15]):
        fault = f"the text in {name} has {_length(content)} characters, the annotated text had {length}"
        remedy = "Put the text that was annotated there, or give it with [[documents]]."
    else:
        return content
    builder.note("no-text", f"{fault}, so positions cannot be checked against the text", remedy)
    return None


def _length(content: str) -> int:
    """The length as Java counts it."""
    return utf16_converter(content)(len(content))


def _index(bound: Element) -> int | None:
    """The index in a bound's first position."""
    position = next((place for place in bound if place.tag == "singlePosition"), None)
    index = "" if position is None else (position.get("index") or "").strip()
    return int(index) if is_whole_number(index) and len(index) <= 15 else None
