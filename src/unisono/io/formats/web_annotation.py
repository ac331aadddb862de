# SPDX-License-Identifier: MIT
"""W3C web annotations as JSON-LD: a list, a page, a collection of annotations, or a single one.

An annotation whose target has a position is a unit: a TextPositionSelector, a fragment `char=0,5` of a text (RFC 5147)
or `t=1.5,3` of a recording (seconds). A target of several selectors' lists is one unit of several pieces. The document
is the target's source, the annotator the creator (name, nickname, address or identifier). Bodies that tag, classify or
identify give the category, other bodies (`commenting`) features named after their purpose. Annotations that only quote
their text, or point into pictures, are counted and left out. Text positions are characters, as the standard has it;
the annotated text is not part of the format: `--documents` can give it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import no_annotations, row_object, tell_passed_over, values
from unisono.io.jsontree import get, word
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "W3C web annotation"
_FRAGMENT = re.compile(r"(char|t)=(?:npt:)?([0-9]+(?:\.[0-9]+)?)?(?:,([0-9]+(?:\.[0-9]+)?))?(?:;.*)?")
_TAGGING = {"tagging", "classifying", "identifying"}
_WHO = ("name", "nickname", "email", "id", "@id")


def read(file: File, settings: Settings) -> Record:
    """The units of all annotations."""
    builder = RecordBuilder(file, "W3C web annotations")
    passed_over: Counter[str] = Counter()
    sheets: dict[tuple[str | None, str | None], int] = {}
    text = decode(file.data(), file.where, settings.encoding)
    for where, annotation in _annotations(text, file.where):
        creator = _creator(annotation.get("creator", annotation.get("dcterms:creator")))
        features = _features(annotation.get("body", annotation.get("bodyValue")))
        found: dict[str | None, list[tuple[Any, Any]]] = {}
        for target in _several(annotation.get("target")):
            source, positions = _target(target)
            found.setdefault(source, []).extend(positions)
        for source, pieces in found.items():
            if not pieces:
                passed_over["annotations without a position"] += 1
                continue
            key = (source, creator)
            if key not in sheets:
                sheets[key] = builder.sheet(document=source, annotator=creator, where=where)
            _add(builder, sheets[key], pieces, features, where)
    if not builder.sheets:
        raise no_annotations(builder, passed_over, "annotations need a TextPositionSelector, or a fragment char= or t=")
    tell_passed_over(builder, passed_over)
    return builder.record(category="tag", called={"annotator": "creator", "document": "source"})


def _annotations(text: str, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, value in values(text, where, _WHAT):
        row = row_object(value, place, _WHAT)
        # A collection has its first page inside, or its items at once.
        pages = [row, row.get("first")]
        lists = [get(page, name, list) for page in pages for name in ("items", "@graph", "resources")]
        inner = next((items for items in lists if items is not None), None)
        if inner is None or "target" in row:
            yield place, row
        else:
            yield from (
                (f"{place} item {number}", row_object(item, place, _WHAT)) for number, item in enumerate(inner, start=1)
            )


def _several(value: Any) -> list[Any]:
    """What may be one or a list of them; lists of the standard's own classes too."""
    if isinstance(value, dict) and isinstance(value.get("items"), list) and "source" not in value:
        return list(value["items"])
    return value if isinstance(value, list) else [] if value is None else [value]


def _creator(value: Any) -> str | None:
    who = next(iter(_several(value)), None)
    if isinstance(who, dict):
        return next((name for key in _WHO if (name := word(who.get(key)))), None)
    return word(who)


def _features(body: Any) -> dict[str, str | None]:
    """The category from the bodies that tag; the others by their purpose."""
    features: dict[str, list[str]] = {}
    for part in _several(body):
        if isinstance(part, dict):
            purpose = word(next(iter(_several(part.get("purpose", part.get("role")))), None)) or "tagging"
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
    for selector in _several(target.get("selector")):
        kind = word(get(selector, "type", str)) or word(get(selector, "@type", str)) or ""
        if kind.endswith("TextPositionSelector"):
            positions.append((selector.get("start"), selector.get("end")))
        elif kind.endswith("FragmentSelector") and (position := _fragment(get(selector, "value", str) or "")):
            positions.append(position)
    if name and not positions and "#" in name:
        name, _, fragment = name.partition("#")
        positions = [position] if (position := _fragment(fragment)) else []
    # Several selectors of one target are several ways to say the same.
    return name, positions[:1]


def _fragment(text: str) -> tuple[Any, Any] | None:
    """Start and end in a fragment.

    >>> _fragment("char=0,5"), _fragment("t=1.5,3"), _fragment("t=,3"), _fragment("xywh=1,2,3,4"), _fragment("t=4")
    (('0', '5'), ('1.5', '3'), ('0', '3'), None, None)
    """
    found = _FRAGMENT.fullmatch(text)
    return (found[2] or "0", found[3]) if found and found[3] else None


def _add(
    builder: RecordBuilder,
    sheet: int,
    pieces: list[tuple[Any, Any]],
    features: Mapping[str, str | None],
    where: str,
) -> None:
    if len(pieces) == 1:
        builder.unit(sheet, *pieces[0], features, where)
        return
    stretches = joined(pieces)
    if stretches is None:
        builder.fault("malformed", where, "pieces with start and end as numbers", str(pieces)[:60], "correct the file")
    else:
        builder.unit(sheet, stretches[0][0], max(e for _, e in stretches), features, where, pieces=stretches)


def joined(pieces: list[tuple[Any, Any]]) -> list[tuple[int, int]] | None:
    """Pieces in order, those that touch made one; None where they are no whole numbers in order.

    >>> joined([(5, 8), (0, 3), (3, 5)]), joined([(0, 2), (4, 6)]), joined([(0, "x")])
    ([(0, 8)], [(0, 2), (4, 6)], None)
    """
    if not all(type(bound) is int for piece in pieces for bound in piece) or any(end < start for start, end in pieces):
        return None
    found: list[tuple[int, int]] = []
    for start, end in sorted(pieces):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
