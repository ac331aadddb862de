# SPDX-License-Identifier: MIT
"""CorA-XML, the files of the annotation tool CorA: tokens in a diplomatic and a modern layer, with features.

A `<token>` holds `<dipl>` and `<mod>` units; their text is in the attributes trans, utf, ascii or simple; each child of
a `<mod>` with an attribute `tag` is a feature.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unisono.errors import FormatError, Problem
from unisono.io.source import SIZE_LIMIT, load

LAYERS = ("mod", "dipl")
TEXTS = ("utf", "trans", "simple", "ascii")
#: Children with a tag that are remarks, not features.
_REMARKS = {"comment"}
#: Tags that say that there is none.
_NO_LABEL = {"", "<none>", "--"}


@dataclass(frozen=True, slots=True)
class CoraUnit:
    """One `<mod>` or `<dipl>`: its name, its text, its features, and the number of the `<token>` it belongs to."""

    id: str
    text: str
    features: dict[str, str]
    token: int
    line: int


@dataclass(frozen=True, slots=True)
class CoraDocument:
    """The units of one layer, in the order of the text; `text_from` says which attribute their text is from."""

    name: str
    layer: str
    text_from: str
    units: tuple[CoraUnit, ...]


def read_cora(
    path: str | os.PathLike[str],
    *,
    layer: str = "mod",
    text_from: str | None = None,
    features: Sequence[str] | None = None,
    size_limit: int = SIZE_LIMIT,
) -> CoraDocument:
    """The units of a layer of a CorA-XML file.

    text_from: utf, trans, simple or ascii; the first of them, in this order, that every unit has, if not given.
    features: which ones to keep; all if not given. Every way this can fail is a FormatError with file and line.
    """
    where, stem, root, elements = _layer(path, layer, size_limit)
    attribute = _attribute([element for _, element in elements], layer, text_from, where)
    units = tuple(
        CoraUnit(
            element.get("id", ""),
            element.get(attribute, ""),
            features_of(element, features),
            number,
            int(element.sourceline or 0),
        )
        for number, element in elements
    )
    header = root.find("cora-header")
    return CoraDocument((header.get("name", "") if header is not None else "") or stem, layer, attribute, units)


def available_texts(
    path: str | os.PathLike[str], *, layer: str = "mod", size_limit: int = SIZE_LIMIT
) -> tuple[str, ...]:
    """The attributes in which every unit of the layer has a text, the preferred one first."""
    *_, elements = _layer(path, layer, size_limit)
    return tuple(name for name in TEXTS if all(element.get(name) for _, element in elements))


def _layer(path: str | os.PathLike[str], layer: str, size_limit: int) -> tuple[str, str, Any, list[tuple[int, Any]]]:
    """(how messages call the file, its stem, the root, the elements of the layer with the number of their token)."""
    source = load(path, size_limit=size_limit)
    root = _root(source.data, source.where)
    if root.tag != "text" or root.find("token") is None:
        raise FormatError.of(
            "a CorA-XML file: <text> with <token> elements", f"<{root.tag}>", where=source.where, code="cora"
        )
    if layer not in LAYERS:
        raise FormatError.of(f"a layer among {', '.join(LAYERS)}", repr(layer), where=source.where, code="cora")
    elements = [
        (number, element) for number, token in enumerate(root.iter("token")) for element in token.findall(layer)
    ]
    if not elements:
        raise FormatError.of(f"<{layer}> elements in the tokens", "none", where=source.where, code="cora")
    return source.where, source.stem, root, elements


def _root(data: bytes, where: str) -> Any:
    from lxml import etree  # here, because it is not needed for anything else

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = error.position[0] if error.position else 0
        raise FormatError.of(
            "XML that is well-formed",
            str(error.msg),
            "was the file copied to the end?",
            where=f"{where}:{line}",
            code="xml",
        ) from None


def _attribute(elements: Sequence[Any], layer: str, wanted: str | None, where: str) -> str:
    """The attribute that the text is read from: the one asked for, or the first that all units have."""
    if wanted is None:
        for name in TEXTS:
            if all(element.get(name) for element in elements):
                return name
        wanted = "trans"
    elif wanted not in TEXTS:
        raise FormatError.of(f"a text among {', '.join(TEXTS)}", repr(wanted), where=where, code="cora")
    problems = [
        Problem(
            "cora",
            "error",
            f"{where}:{element.sourceline}",
            f"a text in the attribute {wanted!r} of <{layer} id={element.get('id', '')!r}>",
            "none" if element.get(wanted) is None else "an empty one",
            f"choose another attribute among {', '.join(TEXTS)}",
        )
        for element in elements
        if not element.get(wanted)
    ]
    if problems:
        raise FormatError(problems)
    return wanted


def features_of(element: Any, wanted: Sequence[str] | None = None) -> dict[str, str]:
    """What the children of a unit say about it: all of them, or those wanted."""
    found = {}
    for child in element:
        label = child.get("tag") if isinstance(child.tag, str) else None
        if label is None or child.tag in _REMARKS or label in _NO_LABEL:
            continue
        if wanted is None or child.tag in wanted:
            found[child.tag] = label
    return found
