# SPDX-License-Identifier: MIT
"""W3C web annotations as JSON-LD: a list, a page, a collection of annotations, or a single one.

An annotation whose target has a position is a unit: a TextPositionSelector, a fragment `char=0,5` of a text (RFC 5147)
or `t=1.5,3` of a recording (seconds). Several targets in one source are one unit of several pieces. The document is the
target's source, the annotator the creator (name, nickname, address or identifier). Bodies that tag, classify or
identify give the category, other bodies (`commenting`) features named after their purpose. Annotations that only quote
their text, or point into pictures, are counted and left out. Text positions are characters, as in the standard. The
annotated text is not part of the format: give it with `--documents`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.files.jsontree import get, word
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import finish, objects, require_object
from unisono.io.formats.stretches import join_stretches
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_WHAT = "W3C web annotation"
_FRAGMENT = re.compile(r"(char|t)=(?:npt:)?([0-9]+(?:\.[0-9]+)?)?(?:,([0-9]+(?:\.[0-9]+)?))?(?:;.*)?")
_TAGGING = {"tagging", "classifying", "identifying"}
_WHO = ("name", "nickname", "email", "id", "@id")


def read(file: File, settings: Settings) -> Record:
    """The units of all annotations."""
    builder = RecordBuilder(file, "W3C web annotations", decimal_unit="s")
    left_out: Counter[str] = Counter()
    sheets: dict[tuple[str | None, str | None], int] = {}
    for where, annotation in _annotations(file, settings):
        creator = _creator(annotation.get("creator", annotation.get("dcterms:creator")))
        features = _features(annotation.get("body", annotation.get("bodyValue")))
        by_source: dict[str | None, list[tuple[Any, Any]]] = {}
        for target in _as_list(annotation.get("target")):
            source, positions = _target(target)
            by_source.setdefault(source, []).extend(positions)
        for source, pieces in by_source.items():
            if not pieces:
                left_out["annotation(s) without a position"] += 1
                continue
            key = (source, creator)
            if key not in sheets:
                sheets[key] = builder.sheet(document=source, annotator=creator, where=where)
            _add_unit(builder, sheets[key], pieces, features, where)
    return finish(
        builder,
        left_out,
        "Annotations need a TextPositionSelector, or a fragment char= or t=.",
        called={"annotator": "creator", "document": "source"},
        category="tag",
    )


def _annotations(file: File, settings: Settings) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, row in objects(file, settings, _WHAT):
        # A collection contains its first page, or its items directly.
        pages = [row, row.get("first")]
        lists = [get(page, name, list) for page in pages for name in ("items", "@graph", "resources")]
        inner = next((items for items in lists if items is not None), None)
        if inner is None or "target" in row:
            yield place, row
        else:
            yield from (
                (f"{place} item {number}", require_object(item, place, _WHAT))
                for number, item in enumerate(inner, start=1)
            )


def _as_list(value: Any) -> list[Any]:
    """A value that may be one thing or a list of things, as a list; the standard's own list classes too."""
    if isinstance(value, dict) and isinstance(value.get("items"), list) and "source" not in value:
        return list(value["items"])
    return value if isinstance(value, list) else [] if value is None else [value]


def _creator(value: Any) -> str | None:
    who = next(iter(_as_list(value)), None)
    if isinstance(who, dict):
        return next((name for key in _WHO if (name := word(who.get(key)))), None)
    return word(who)


def _features(body: Any) -> dict[str, str | None]:
    """The category from the bodies that tag, other features named by the purpose of their bodies."""
    features: dict[str, list[str]] = {}
    for part in _as_list(body):
        if isinstance(part, dict):
            purpose = word(next(iter(_as_list(part.get("purpose", part.get("role")))), None)) or "tagging"
            text = next((t for key in ("value", "label", "source", "id", "@id") if (t := word(part.get(key)))), None)
        else:
            purpose, text = "tagging", word(part)
        if text:
            features.setdefault("tag" if purpose in _TAGGING else purpose, []).append(text)
    return {name: "|".join(texts) for name, texts in features.items()}


def _target(target: Any) -> tuple[str | None, list[tuple[Any, Any]]]:
    """The source of a target and its position, if it has one."""
    if isinstance(target, str):
        page, _, fragment = target.partition("#")
        position = _fragment(fragment)
        return page or None, [position] if position else []
    if not isinstance(target, dict):
        return None, []
    source = target.get("source", target.get("id", target.get("@id")))
    name = word(source.get("id", source.get("@id"))) if isinstance(source, dict) else word(source)
    positions: list[tuple[Any, Any]] = []
    for selector in _as_list(target.get("selector")):
        kind = word(get(selector, "type", str)) or word(get(selector, "@type", str)) or ""
        if kind.endswith("TextPositionSelector"):
            positions.append((selector.get("start"), selector.get("end")))
        elif kind.endswith("FragmentSelector") and (position := _fragment(get(selector, "value", str) or "")):
            positions.append(position)
    if name and not positions and "#" in name:
        name, _, fragment = name.partition("#")
        positions = [position] if (position := _fragment(fragment)) else []
    # Several selectors of one target describe the same place.
    return name, positions[:1]


def _fragment(text: str) -> tuple[Any, Any] | None:
    """Start and end in a fragment.

    >>> _fragment("char=0,5"), _fragment("t=1.5,3"), _fragment("t=,3"), _fragment("xywh=1,2,3,4"), _fragment("t=4")
    ((0, 5), (1.5, 3.0), (0.0, 3.0), None, None)
    """
    match = _FRAGMENT.fullmatch(text)
    if match is None or not match[3]:
        return None
    start, end = match[2] or "0", match[3]
    if match[1] == "t":
        return float(start), float(end)
    is_whole = all(bound.isdecimal() and len(bound) < 20 for bound in (start, end))
    return (int(start), int(end)) if is_whole else (start, end)  # others are reported when the record is made


def _add_unit(
    builder: RecordBuilder,
    sheet: int,
    pieces: list[tuple[Any, Any]],
    features: Mapping[str, str | None],
    where: str,
) -> None:
    if len(pieces) == 1:
        builder.unit(sheet, *pieces[0], features, where)
        return
    kinds = {type(bound) for piece in pieces for bound in piece}
    if kinds not in ({int}, {float}) or any(end < start for start, end in pieces):
        message = f"the pieces {short(str(pieces))} mix characters, times or other values, or one ends before it starts"
        builder.fault("malformed", where, message, "Correct the file.")
    else:
        stretches = join_stretches(pieces)
        builder.unit(sheet, stretches[0][0], max(e for _, e in stretches), features, where, pieces=stretches)
