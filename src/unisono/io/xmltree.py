# SPDX-License-Identifier: MIT
"""XML from strangers: no entities, no network, no DTD; every way it can be wrong is a FormatError with its line."""

from __future__ import annotations

from typing import Any

from unisono.errors import FormatError, InputError
from unisono.io.table import short

#: An element; lxml has no types of its own.
Element = Any


def parsed(data: bytes, where: str, what: str) -> Element:
    """The root element of an XML file; `what` is the format's name for messages.

    libxml2's own limits stay on: elements 256 deep, texts and attributes of ten million bytes.
    """
    from lxml import etree

    if not data.strip():
        raise malformed(where, what, "an empty file")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = getattr(error, "lineno", None) or 1
        raise malformed(
            f"{where}:{line}", what, f"XML that breaks a rule ({short(error.msg or 'no element')})"
        ) from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows, text that is none
        raise malformed(where, what, f"what is no XML ({short(str(error))})") from None
    subset: Any = root.getroottree().docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):
        raise FormatError.of(
            f"{what} without entities of its own",
            "a document type that declares some",
            "entities can hide other files or grow without end: remove them",
            where=where,
            code="xml-entities",
        )
    return root


def malformed(where: str, what: str, found: str, remedy: str = "export it again from the tool") -> InputError:
    """A file that is not what it claims to be."""
    return FormatError.of(f"a file of {what}", found, remedy, where=where, code="malformed")


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
