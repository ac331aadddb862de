# SPDX-License-Identifier: MIT
"""What the writers of XML files share."""

from __future__ import annotations

from pathlib import Path

from unisono.io.files.xmltree import Element, load_etree
from unisono.io.writers import Losses


def xml_text(text: str, losses: Losses) -> str:
    """The text without the characters that XML cannot hold, which are counted."""
    kept = "".join(
        c for c in text if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
    )
    losses.add("character(s) that XML does not allow", len(text) - len(kept))
    return kept


def write_xml(root: Element, path: Path) -> None:
    """Write an element as a file of its own, indented."""
    etree = load_etree()

    path.write_bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True))
