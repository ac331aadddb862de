# SPDX-License-Identifier: MIT
"""Parsing of untrusted XML: no entities, no network, no DTD; a FormatError with its line where it is malformed."""

from __future__ import annotations

from typing import Any

from unisono.errors import FormatError
from unisono.io.files.jsontree import malformed
from unisono.io.wording import short

#: An element; lxml has no types of its own.
Element = Any


def parse_xml(data: bytes, where: str, what: str) -> Element:
    """The root element of an XML file; `what` is the format's name for messages.

    libxml2's own limits stay on: elements 256 deep, texts and attributes of ten million bytes.
    """
    etree = load_etree(where)
    if not data.strip():
        raise malformed(where, what, "the file is empty")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = getattr(error, "lineno", None) or 1
        fault = f"it is not well-formed XML ({short(error.msg or 'there is no element')})"
        raise malformed(f"{where}:{line}", what, fault) from None
    except (ValueError, LookupError) as error:  # an unknown encoding, bytes that are not text
        raise malformed(where, what, f"it is not XML ({short(str(error))})") from None
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):
        raise FormatError.of(
            "the document type declares entities, which are not read: they can include other files or grow without end",
            "Replace the entities by their text and remove their declarations.",
            where=where,
            code="xml-entities",
        )
    return root


def load_etree(where: str = "") -> Any:
    """The library for XML; a FormatError where it cannot be loaded, as on the page without a server."""
    try:
        from lxml import etree
    except ImportError as error:
        raise FormatError.of(
            f"XML is read and written with the library lxml, which cannot be loaded here ({error})",
            "Install it with pip install lxml. The page without a server has none: give these files to `unisono "
            "measure` or to the page of `unisono serve`.",
            where=where,
            code="missing-dependency",
        ) from None
    return etree


def parse_document(data: bytes, where: str, what: str, root_name: str) -> Element:
    """The root element of an XML file, which must have this name."""
    root = parse_xml(data, where, what)
    if local(root) != root_name:
        raise malformed(where, what, f"its root element is <{local(root)}>, not <{root_name}>")
    return root


def line(element: Element, where: str) -> str:
    """Where an element stands."""
    return f"{where}:{element.sourceline}" if element.sourceline else where


def local(element: Element) -> str:
    """An element's name without its namespace; "" for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def text(element: Element | None) -> str:
    """All text below an element."""
    return "" if element is None else "".join(element.itertext())
