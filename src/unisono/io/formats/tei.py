# SPDX-License-Identifier: MIT
"""TEI P5: units in the text (`<seg>`, `<said>`, `<persName>`, ...) and beside it (`<span>`, `<annotation>`).

In the text, every element inside `<text>` is a unit of the layer of its name; those that only structure the text
(`<p>`, `<div>`, `<l>`, `<s>`, `<w>`, `<hi>`, ...) are layers read on demand. Elements without content, such as
milestones, mark places and are no units. Elements linked by `next` and `prev` are one unit of several pieces.

Beside it, `<span>` and `<annotation>` point at names in the text: `from` and `to`, `target` (one or several), plain or
as `#string-range(name, offset, length)`. Their layer is the `type` of the `<spanGrp>` (else `span`, `annotation`);
`resp`, their own or of what they stand in, is the annotator.

The category is `type`, else `ana`, else (of a span) its own text, else the element's name; all attributes are
features. Positions are characters of the text inside `<front>`, `<body>` and `<back>`: blanks and line ends in a row
count as one blank, and paragraphs and other blocks end in a line end, so that indentation does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import listing, short
from unisono.io.xmltree import Element, line, local, malformed, parsed, text

_WHAT = "TEI"
_BLOCKS = frozenset({
    "text", "front", "body", "back", "group", "div", "div1", "div2", "div3", "div4", "div5", "div6", "div7", "p",
    "ab", "l", "lg", "head", "item", "list", "row", "table", "cell", "sp", "stage", "speaker", "opener", "closer",
    "salute", "signed", "dateline", "byline", "epigraph", "trailer", "titlePage", "docTitle", "titlePart", "u",
})  # fmt: skip
#: Elements that structure the text or render it, no units unless asked for.
_STRUCTURE = _BLOCKS | frozenset({
    "s", "w", "pc", "c", "m", "phr", "cl", "hi", "note", "ref", "graphic", "figure", "figDesc", "formula",
    "choice", "orig", "reg", "sic", "corr", "abbr", "expan", "unclear", "gap", "supplied", "del", "add", "subst",
    "app", "lem", "rdg", "foreign", "emph", "q", "quote", "fs", "f",
})  # fmt: skip
#: Inside `<text>`, but about it.
_APART = frozenset(("fs", "spanGrp", "span", "standOff", "listAnnotation", "annotation", "linkGrp", "joinGrp"))
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_RANGE = re.compile(r"#?string-range\(\s*#?([^,()\s]+)\s*,\s*([0-9]{1,15})\s*(?:,\s*([0-9]{1,15})\s*)?\)")
_POINTER = re.compile(r"#?string-range\([^)]*\)|\S+")


@dataclass(slots=True)
class _Text:
    """The text, and where each element begins and ends in it."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    #: The last character is a blank or a line end that further blanks fall into.
    is_blank: bool = True
    places: dict[Element, tuple[int, int]] = field(default_factory=dict)

    def add(self, string: str | None) -> None:
        if not string:
            return
        words = re.sub(r"\s+", " ", string)
        if self.is_blank:
            words = words.removeprefix(" ")
        if words:
            self.parts.append(words)
            self.length += len(words)
            self.is_blank = words.endswith(" ")

    def end_block(self) -> None:
        """A line end, in place of the blank before it."""
        if not self.parts or self.parts[-1] == "\n":
            return
        if self.parts[-1].endswith(" "):
            self.parts[-1] = self.parts[-1][:-1]
            self.length -= 1
        self.parts.append("\n")
        self.length += 1
        self.is_blank = True


def read(file: File, settings: Settings) -> Record:
    """The units in and beside the text."""
    root = parsed(file.data(), file.where, _WHAT)
    if local(root) not in ("TEI", "TEI.2"):
        found = "several texts in one file" if local(root) == "teiCorpus" else f"an element {local(root)}"
        raise malformed(file.where, _WHAT, f"{found} instead of TEI", "give one text a file")
    body = _child(root, "text")
    if body is None:
        raise malformed(file.where, _WHAT, "no <text>")
    laid = _Text()
    inner = [child for child in body.iterchildren("*") if local(child) in ("front", "body", "back", "group")]
    for element in inner or [body]:
        _lay_out(element, laid)
    whole = "".join(laid.parts)
    places = {element: _trimmed(whole, *place) for element, place in laid.places.items()}
    builder = RecordBuilder(file, "TEI")
    fields = _fields(root)
    names: dict[str, Element] = {}
    for element in places:
        for attribute in (_XML_ID, "id"):
            if name := element.get(attribute):
                names.setdefault(name, element)
    _inline(builder, places, names, whole, fields)
    _beside(builder, root, places, names, whole, fields)
    # Whoever is responsible for something in it, or else whoever the file is by, has seen the text.
    named = dict.fromkeys(sheet.annotator for sheet in builder.sheets if sheet.annotator)
    for annotator in named or (None,):
        builder.sheet(annotator=annotator, text=whole, fields=fields)
    return builder.record(category="category", called={"annotator": "resp", "category": "type or ana"})


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element.iterchildren("*") if local(child) == name), None)


def _fields(root: Element) -> dict[str, str]:
    """What the header says: title, and who is responsible."""
    found: dict[str, str] = {}
    header = _child(root, "teiHeader")
    for element in () if header is None else header.iter("*"):
        name = local(element)
        if name in ("title", "author", "editor", "idno", "resp", "name", "persName") and len(element) == 0:
            value = " ".join(text(element).split())
            if value:
                found.setdefault(name, value)
    return found


def _lay_out(top: Element, laid: _Text) -> None:
    """Walk an element without recursion: elements 256 deep are legal."""
    stack: list[tuple[Element, bool]] = [(top, False)]
    begun: dict[Element, int] = {}
    while stack:
        element, is_done = stack.pop()
        name = local(element)
        if is_done:
            laid.places[element] = (begun.pop(element), laid.length)
            if name in _BLOCKS:
                laid.end_block()
            if element is not top:
                laid.add(element.tail)
            continue
        if not name or name in _APART:  # a comment, an instruction, or what is about the text
            if element is not top:
                laid.add(element.tail)
            continue
        if name in _BLOCKS:
            laid.end_block()
        elif name in ("lb", "pb", "cb"):
            laid.add("" if element.get("break") == "no" else " ")
        begun[element] = laid.length
        laid.add(element.text)
        stack.append((element, True))
        stack += [(child, False) for child in reversed(list(element.iterchildren()))]


def _trimmed(whole: str, start: int, end: int) -> tuple[int, int]:
    """A place without the blanks at its ends; a blank that went with a line end is no place."""
    end = min(end, len(whole))
    start = min(start, end)
    inside = whole[start:end]
    if not inside.strip():
        return start, start
    return start + len(inside) - len(inside.lstrip()), end - (len(inside) - len(inside.rstrip()))


def _inline(
    builder: RecordBuilder,
    places: Mapping[Element, tuple[int, int]],
    names: Mapping[str, Element],
    whole: str,
    fields: Mapping[str, str],
) -> None:
    sheets: dict[str, int] = {}
    after: set[Element] = set()
    chains: dict[Element, list[Element]] = {}
    for element in places:
        if element.get("next") and not element.get("prev"):
            chains[element] = _chain(element, names)
            after.update(chains[element][1:])
    for element, (start, end) in sorted(places.items(), key=lambda item: (item[1][0], -item[1][1])):
        name = local(element)
        if start == end or element in after or name in ("text", "front", "body", "back", "group"):
            continue
        if name not in sheets:
            sheets[name] = builder.sheet(layer=name, text=whole, fields=fields, is_dependent=name in _STRUCTURE)
        pieces = sorted(places[part] for part in chains.get(element, [element]) if part in places)
        pieces = [(a, b) for a, b in pieces if a < b]
        where = line(element, builder.file.where)
        features = _features(element, element.get("type") or _plain(element.get("ana")) or name)
        builder.unit(sheets[name], pieces[0][0], max(b for _, b in pieces), features, where, pieces=pieces)


def _chain(element: Element, names: Mapping[str, Element]) -> list[Element]:
    chain = [element]
    while (following := names.get((chain[-1].get("next") or "").lstrip("#"))) is not None and following not in chain:
        chain.append(following)
        if len(chain) > 1000:
            break
    return chain


def _features(element: Element, category: str) -> dict[str, str | None]:
    features: dict[str, str | None] = {"category": category}
    for name, value in element.attrib.items():
        plain = name.rpartition("}")[2]
        features["category_attribute" if plain == "category" else plain] = " ".join(value.split())
    return features


def _plain(value: str | None) -> str | None:
    """Names that an attribute points at, `a|b` if several."""
    return None if value is None else "|".join(name.rpartition("#")[2] for name in value.split()) or None


def _beside(
    builder: RecordBuilder,
    root: Element,
    places: Mapping[Element, tuple[int, int]],
    names: Mapping[str, Element],
    whole: str,
    fields: Mapping[str, str],
) -> None:
    sheets: dict[tuple[str, str | None], int] = {}
    for element in root.iter("*"):
        name = local(element)
        if name not in ("span", "annotation") or not (element.get("from") or element.get("target")):
            continue
        where = line(element, builder.file.where)
        group = element.getparent() if element.getparent() is not None else element
        is_group = local(group) in ("spanGrp", "listAnnotation")
        layer = (group.get("type") if is_group else None) or name
        annotator = _plain(next((r for e in (element, *element.iterancestors()) if (r := e.get("resp"))), None))
        pieces, missing = _targets(element, places, names, whole)
        if missing or not pieces:
            builder.fault(
                "missing-position",
                where,
                "names of elements in the text",
                listing([short(name) for name in missing], 3) or "none",
                "correct what it points at",
            )
            continue
        key = (layer, annotator)
        if key not in sheets:
            sheets[key] = builder.sheet(layer=layer, annotator=annotator, text=whole, fields=fields, where=where)
        own = " ".join(text(element).split())
        inherited = _plain(group.get("ana")) if is_group else None
        category = element.get("type") or _plain(element.get("ana")) or own or inherited or name
        features = _features(element, category)
        builder.unit(sheets[key], pieces[0][0], max(b for _, b in pieces), features, where, pieces=pieces)


def _targets(
    element: Element, places: Mapping[Element, tuple[int, int]], names: Mapping[str, Element], whole: str
) -> tuple[list[tuple[int, int]], list[str]]:
    """The stretches an element points at, those that touch but for blanks joined; and pointers that lead
    nowhere."""
    if element.get("from"):
        ends = [element.get("from"), element.get("to") or element.get("from")]
        found = [_pointed(pointer.strip(), places, names) for pointer in ends]
        missing = [pointer for pointer, place in zip(ends, found, strict=True) if place is None]
        if missing:
            return [], missing
        first, last = (place for place in found if place is not None)
        start, end = _trimmed(whole, first[0], max(first[1], last[1]))
        return [(start, end)], []
    pointers = _POINTER.findall(element.get("target"))
    found = [_pointed(pointer, places, names) for pointer in pointers]
    missing = [pointer for pointer, place in zip(pointers, found, strict=True) if place is None]
    return _merged(sorted(place for place in found if place is not None), whole), missing


def _merged(pieces: Sequence[tuple[int, int]], whole: str) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in pieces:
        if merged and not whole[merged[-1][1] : start].strip():
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _pointed(
    pointer: str, places: Mapping[Element, tuple[int, int]], names: Mapping[str, Element]
) -> tuple[int, int] | None:
    """Where a pointer leads in the text."""
    ranged = _RANGE.fullmatch(pointer)
    element = names.get(ranged[1] if ranged else pointer.rpartition("#")[2])
    if element is None or element not in places:
        return None
    start, end = places[element]
    if ranged is None:
        return start, end
    first = start + int(ranged[2])
    last = end if ranged[3] is None else first + int(ranged[3])
    return (first, last) if last <= end else None
