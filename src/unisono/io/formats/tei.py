# SPDX-License-Identifier: MIT
"""TEI P5: units in the text (`<seg>`, `<said>`, `<persName>`, ...) and stand-off (`<span>`, `<annotation>`).

Every element inside `<text>` is a unit of the layer of its name. Elements that only structure the text (`<p>`, `<div>`,
`<l>`, `<s>`, `<w>`, `<hi>`, ...) are layers that are read only if asked for. Elements without content, such as
milestones, are not units. Elements linked by `next` and `prev` are one unit of several pieces.

The stand-off elements `<span>` and `<annotation>` point at identifiers in the text, with `from` and `to` or with
`target` (one or several), plain or as `#string-range(name, offset, length)`. Their layer is the `type` of the
`<spanGrp>` (or else `span`, `annotation`); `resp`, their own or that of an enclosing element, is the annotator.

The category is `type`, or else `ana`, or else (of a span) its own text, or else the element's name; all attributes are
features. Positions are characters of the text inside `<front>`, `<body>` and `<back>`. A run of white space counts as
one blank, and paragraphs and other blocks end in a line end, so indentation does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from unisono.io.files.jsontree import malformed
from unisono.io.files.opening import File
from unisono.io.files.xmltree import Element, line, local, parse_xml, text
from unisono.io.formats.stretches import join_stretches
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import listing

_WHAT = "TEI"
_BLOCKS = frozenset({
    "text", "front", "body", "back", "group", "div", "div1", "div2", "div3", "div4", "div5", "div6", "div7", "p",
    "ab", "l", "lg", "head", "item", "list", "row", "table", "cell", "sp", "stage", "speaker", "opener", "closer",
    "salute", "signed", "dateline", "byline", "epigraph", "trailer", "titlePage", "docTitle", "titlePart", "u",
})  # fmt: skip
#: Elements that structure the text or describe its rendering; they are units only if asked for.
_STRUCTURE = _BLOCKS | frozenset({
    "s", "w", "pc", "c", "m", "phr", "cl", "hi", "note", "ref", "graphic", "figure", "figDesc", "formula",
    "choice", "orig", "reg", "sic", "corr", "abbr", "expan", "unclear", "gap", "supplied", "del", "add", "subst",
    "app", "lem", "rdg", "foreign", "emph", "q", "quote", "fs", "f",
})  # fmt: skip
#: Elements inside `<text>` whose content is not part of the text.
_NOT_TEXT = frozenset(("fs", "spanGrp", "span", "standOff", "listAnnotation", "annotation", "linkGrp", "joinGrp"))
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_RANGE = re.compile(r"#?string-range\(\s*#?([^,()\s]+)\s*,\s*([0-9]{1,15})\s*(?:,\s*([0-9]{1,15})\s*)?\)")
_POINTER = re.compile(r"#?string-range\([^()]*\)|\S+")


@dataclass(slots=True)
class _Text:
    """The text while it is put together, and where each element begins and ends in it."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    #: Whether the last character is a blank or a line end, so that further blanks are dropped.
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
        """Add a line end, which replaces a blank before it."""
        if not self.parts or self.parts[-1] == "\n":
            return
        if self.parts[-1].endswith(" "):
            self.parts[-1] = self.parts[-1][:-1]
            self.length -= 1
        self.parts.append("\n")
        self.length += 1
        self.is_blank = True


def read(file: File, settings: Settings) -> Record:
    """The units in the text and the stand-off units."""
    root = parse_xml(file.data(), file.where, _WHAT)
    if local(root) == "teiCorpus":
        raise malformed(file.where, _WHAT, "it is a <teiCorpus> of several texts", "Give one file for each text.")
    if local(root) not in ("TEI", "TEI.2"):
        raise malformed(file.where, _WHAT, f"its root element is <{local(root)}>, not <TEI>")
    body = _child(root, "text")
    if body is None:
        raise malformed(file.where, _WHAT, "it has no element <text>")
    draft = _Text()
    inner = [child for child in body.iterchildren("*") if local(child) in ("front", "body", "back", "group")]
    for element in inner or [body]:
        _lay_out(element, draft)
    whole = "".join(draft.parts)
    places = {element: _trim(whole, *place) for element, place in draft.places.items()}
    builder = RecordBuilder(file, "TEI")
    fields = _fields(root)
    names: dict[str, Element] = {}
    for element in places:
        for attribute in (_XML_ID, "id"):
            if name := element.get(attribute):
                names.setdefault(name, element)
    _add_inline(builder, places, names, whole, fields)
    _add_stand_off(builder, root, places, names, whole, fields)
    # The annotators named by `resp`, or else the annotator of the file, have seen the text.
    annotators = dict.fromkeys(sheet.annotator for sheet in builder.sheets if sheet.annotator)
    for annotator in annotators or (None,):
        builder.sheet(annotator=annotator, text=whole, fields=fields)
    return builder.record(category="category", called={"annotator": "resp", "category": "type or ana"})


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element.iterchildren("*") if local(child) == name), None)


def _fields(root: Element) -> dict[str, str]:
    """What the header says: the title, and who is responsible."""
    fields: dict[str, str] = {}
    header = _child(root, "teiHeader")
    for element in () if header is None else header.iter("*"):
        name = local(element)
        if name in ("title", "author", "editor", "idno", "resp", "name", "persName") and len(element) == 0:
            value = " ".join(text(element).split())
            if value:
                fields.setdefault(name, value)
    return fields


def _lay_out(top: Element, draft: _Text) -> None:
    """Add the text of an element; without recursion, because elements may be nested 256 deep."""
    stack: list[tuple[Element, bool]] = [(top, False)]
    starts: dict[Element, int] = {}
    while stack:
        element, is_done = stack.pop()
        name = local(element)
        if is_done:
            draft.places[element] = (starts.pop(element), draft.length)
            if name in _BLOCKS:
                draft.end_block()
            if element is not top:
                draft.add(element.tail)
            continue
        if not name or name in _NOT_TEXT:  # a comment, a processing instruction, or stand-off markup
            if element is not top:
                draft.add(element.tail)
            continue
        if name in _BLOCKS:
            draft.end_block()
        elif name in ("lb", "pb", "cb"):
            draft.add("" if element.get("break") == "no" else " ")
        starts[element] = draft.length
        draft.add(element.text)
        stack.append((element, True))
        stack += [(child, False) for child in reversed(list(element.iterchildren()))]


def _trim(whole: str, start: int, end: int) -> tuple[int, int]:
    """A place without the blanks at its ends; empty if it has only blanks, or one that a line end replaced."""
    end = min(end, len(whole))
    start = first = min(start, end)
    while first < end and whole[first].isspace():
        first += 1
    while first < end and whole[end - 1].isspace():
        end -= 1
    return (first, end) if first < end else (start, start)


def _add_inline(
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
        features = _features(element, element.get("type") or _referenced_names(element.get("ana")) or name)
        builder.unit(sheets[name], pieces[0][0], max(b for _, b in pieces), features, where, pieces=pieces)


def _chain(element: Element, names: Mapping[str, Element]) -> list[Element]:
    """The elements that follow each other by `next`, at most 1000; the others are units of their own."""
    chain = {element: None}
    while (following := names.get((element.get("next") or "").lstrip("#"))) is not None and following not in chain:
        chain[following] = None
        element = following
        if len(chain) > 1000:
            break
    return list(chain)


def _features(element: Element, category: str) -> dict[str, str | None]:
    features: dict[str, str | None] = {"category": category}
    for name, value in element.attrib.items():
        plain = name.rpartition("}")[2]
        features["category_attribute" if plain == "category" else plain] = " ".join(value.split())
    return features


def _referenced_names(value: str | None) -> str | None:
    """The names that an attribute points at, as `a|b` if there are several."""
    return None if value is None else "|".join(name.rpartition("#")[2] for name in value.split()) or None


def _add_stand_off(
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
        annotator = _referenced_names(
            next((r for e in (element, *element.iterancestors()) if (r := e.get("resp"))), None)
        )
        pieces, fault = _targets(element, places, names, whole)
        if fault:
            builder.fault("missing-position", where, fault, "Correct what it points at.")
            continue
        key = (layer, annotator)
        if key not in sheets:
            sheets[key] = builder.sheet(layer=layer, annotator=annotator, text=whole, fields=fields, where=where)
        own = " ".join(text(element).split())
        inherited = _referenced_names(group.get("ana")) if is_group else None
        category = element.get("type") or _referenced_names(element.get("ana")) or own or inherited or name
        features = _features(element, category)
        builder.unit(sheets[key], pieces[0][0], max(b for _, b in pieces), features, where, pieces=pieces)


def _targets(
    element: Element, places: Mapping[Element, tuple[int, int]], names: Mapping[str, Element], whole: str
) -> tuple[list[tuple[int, int]], str]:
    """The stretches an element points at, joined if only blanks lie between; or what is wrong with its pointers."""
    if element.get("from"):
        ends = [element.get("from"), element.get("to") or element.get("from")]
        stretches = [_pointer_target(pointer.strip(), places, names) for pointer in ends]
        missing = [pointer for pointer, place in zip(ends, stretches, strict=True) if place is None]
        if missing:
            return [], _missing_targets(missing)
        first, last = (place for place in stretches if place is not None)
        if last[1] < first[0]:
            return [], f"it ends at {ends[1]}, which comes before its beginning, {ends[0]}"
        start, end = _trim(whole, first[0], max(first[1], last[1]))
        return [(start, end)], ""
    pointers = _POINTER.findall(element.get("target"))
    stretches = [_pointer_target(pointer, places, names) for pointer in pointers]
    missing = [pointer for pointer, place in zip(pointers, stretches, strict=True) if place is None]
    if missing or not pointers:
        return [], _missing_targets(missing)
    pieces = [place for place in stretches if place is not None]
    return join_stretches(pieces, lambda end, start: not whole[end:start].strip()), ""


def _missing_targets(pointers: list[str]) -> str:
    return f"it points at {listing(pointers, 3)}, which is not in the text" if pointers else "it points at nothing"


def _pointer_target(
    pointer: str, places: Mapping[Element, tuple[int, int]], names: Mapping[str, Element]
) -> tuple[int, int] | None:
    """The place in the text that a pointer leads to."""
    match = _RANGE.fullmatch(pointer)
    element = names.get(match[1] if match else pointer.rpartition("#")[2])
    if element is None or element not in places:
        return None
    start, end = places[element]
    if match is None:
        return start, end
    first = start + int(match[2])
    last = end if match[3] is None else first + int(match[3])
    return (first, last) if last <= end else None
