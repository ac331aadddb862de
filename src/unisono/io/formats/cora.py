# SPDX-License-Identifier: MIT
"""CorA-XML, the files of the annotation tool CorA: tokens in a modern (`mod`) and a diplomatic (`dipl`) division.

Each `<mod>` is a unit of the layer `mod`; its children with a `tag` are its features (`pos`, `lemma`, `morph`, ...),
and `pos` is the category. Comments are none of them, nor are suggestions. Each `<dipl>` is a unit of the layer `dipl`,
read on demand. Tags that say that there is none (`--`, `<none>`) are empty.

Positions are characters of a text made of the units: a blank after each `<token>`, nothing between the parts of one.
Their words are in the attribute `utf`, `trans`, `simple` or `ascii`: the first of these that all units of the layer
have.
"""

from __future__ import annotations

from collections.abc import Sequence

from unisono.io.cora import LAYERS, TEXTS, features_of
from unisono.io.files import File
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short
from unisono.io.xmltree import Element, line, local, malformed, parsed

_WHAT = "CorA-XML"


def read(file: File, settings: Settings) -> Record:
    """The units of both divisions."""
    root = parsed(file.data(), file.where, _WHAT)
    tokens = [] if local(root) != "text" else list(root.iterfind("token"))
    if not tokens:
        raise malformed(file.where, _WHAT, f"an element {local(root)} without tokens instead of text with them")
    header = root.find("cora-header")
    fields = {name: header.get(name) for name in ("name", "sigle") if header is not None and header.get(name)}
    builder = RecordBuilder(file, "CorA-XML")
    for layer in LAYERS:
        groups = [list(token.iterfind(layer)) for token in tokens]
        elements = [element for group in groups for element in group]
        if not elements:
            continue
        name = next((name for name in TEXTS if all(element.get(name) for element in elements)), None)
        if name is None:
            element = next(element for element in elements if not element.get("trans"))
            found = f"<{layer} id={short(element.get('id', ''))!r}> without trans, and no other words that all have"
            raise malformed(line(element, file.where), _WHAT, found)
        _units(builder, layer, groups, name, fields)
    return builder.record(category="pos", called={"category": "pos"})


def _units(
    builder: RecordBuilder, layer: str, groups: Sequence[Sequence[Element]], name: str, fields: dict[str, str]
) -> None:
    text = " ".join("".join(element.get(name) for element in group) for group in groups if group)
    sheet = builder.sheet(layer=layer, text=text, fields=fields, is_dependent=layer != "mod")
    at = 0
    for group in filter(None, groups):
        for element in group:
            word = element.get(name)
            builder.unit(
                sheet, at, at + len(word), features_of(element), line(element, builder.file.where), covered=word
            )
            at += len(word)
        at += 1
