# SPDX-License-Identifier: MIT
"""Glozz: annotations in `.aa` (XML) beside the text in `.ac`.

Units are units; their type is the category, their features are features. The units of type `paragraph`, which Glozz
makes from the text's paragraphs when a text is imported, are no annotator's work: they are read only when asked for,
with `--layer paragraph`; the others are the layer `unit`. Relations and schemas are between units and are counted. By
custom each annotator has a folder; where a file holds the work of several, `--annotator-from field:author` takes the
author Glozz keeps with each unit (or `field:lastModifier`). Glozz is written in Java and counts UTF-16 units, which are
converted where the text is there.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import tell_passed_over
from unisono.io.offsets import code_point, utf16_units
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import is_whole_number
from unisono.io.xmltree import Element, line, local, malformed, parsed, text

_WHAT = "Glozz"
_PARAGRAPH = "paragraph"
#: A path no system finds too long.
_LINK = re.compile(r"(?:\.\./){0,20}(?:[\w\-. ]{1,60}/){0,20}[\w\-. ]{1,60}")


def read(file: File, settings: Settings) -> Record:
    """The units of one `.aa` file; without its `.ac` there is no text to stand on, which is noted."""
    builder = RecordBuilder(file, "Glozz")
    root = parsed(file.data(), file.where, _WHAT)
    if local(root) != "annotations":
        raise malformed(file.where, _WHAT, f"a root element <{local(root)}>")
    content = _text(builder, root.find("metadata"), settings)
    position = code_point(content or "")
    units = builder.sheet(layer="unit", text=content)
    paragraphs = None
    passed_over: Counter[str] = Counter()
    for element in root.iterfind("unit"):
        where = line(element, file.where)
        unit = _unit(element)
        if unit.start is None or unit.end is None:
            found = f"start={unit.start}, end={unit.end}"
            builder.fault("missing-position", where, "a start and an end with an index", found, "correct the unit")
            continue
        sheet = units
        if unit.type == _PARAGRAPH:
            if paragraphs is None:
                paragraphs = builder.sheet(layer=_PARAGRAPH, text=content, is_dependent=True)
            sheet = paragraphs
        builder.unit(sheet, position(unit.start), position(unit.end), unit.features | {"type": unit.type}, where)
    passed_over["relations"] = sum(1 for _ in root.iterfind("relation"))
    passed_over["schemas"] = sum(1 for _ in root.iterfind("schema"))
    tell_passed_over(builder, +passed_over)
    return builder.record(category="type", called={"category": "type"})


@dataclass(slots=True)
class _Unit:
    type: str = ""
    start: int | None = None
    end: int | None = None
    features: dict[str, str | None] = field(default_factory=dict)


def _unit(element: Element) -> _Unit:
    """What a unit says, in one walk over its elements: there are a dozen, and a path for each would take far longer."""
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
    """The text beside a file: the one whose length Glozz noted; a link that was unpacked as a file is followed.

    Archives and some systems keep a link as a file with the path in it. Followed is only a path to a file of the same
    name, and its text must have the length noted.
    """
    name = f"{builder.file.stem}.ac"
    other = builder.file.beside(name)
    content = None if other is None else decode(other.data(), other.where, settings.encoding)
    noted = "" if metadata is None else (metadata.get("corpusHashcode") or "").partition("-")[0]
    is_link = content is not None and _LINK.fullmatch(content) and content.endswith(f"/{name}")
    if content is not None and is_link and noted.isdecimal():
        other = builder.file.beside(content)
        content = None if other is None else decode(other.data(), other.where, settings.encoding)
    found = "none" if content is None else f"one of {_length(content)} characters instead of {noted}"
    if content is not None and (not noted.isdecimal() or _length(content) == int(noted[:15])):
        return content
    builder.note("no-text", f"{name} with the text beside it", found, "positions cannot be checked")
    return None


def _length(content: str) -> int:
    """The length as Java counts it."""
    return int(utf16_units(content, [len(content)])[0])


def _index(bound: Element) -> int | None:
    """The index in a bound's first position."""
    position = next((place for place in bound if place.tag == "singlePosition"), None)
    index = "" if position is None else (position.get("index") or "").strip()
    return int(index) if is_whole_number(index) and len(index) <= 15 else None
