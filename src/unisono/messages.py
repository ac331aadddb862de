# SPDX-License-Identifier: MIT
"""The explanations of all codes of problems: docs/messages.md, which is part of the package."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class MessageEntry:
    """One entry: the code, the chapter it stands in, its text in Markdown."""

    code: str
    chapter: str
    text: str


def message_entries() -> dict[str, MessageEntry]:
    """Every entry by its code, in the order of the page.

    >>> message_entries()["no-units"].chapter
    'The units'
    """
    entries: dict[str, MessageEntry] = {}
    for chapter in re.split(r"^## +", _page().read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, *parts = re.split(r"^### +", chapter, flags=re.MULTILINE)
        for part in parts:
            heading, _, text = part.partition("\n")
            code = heading.strip().strip("`")
            entries[code] = MessageEntry(code, title.splitlines()[0].strip(), text.strip())
    return entries


def _page() -> Path:
    """The page as installed beside this module; in a checkout of the sources, in docs/."""
    installed = Path(__file__).with_name("messages.md")
    return installed if installed.exists() else Path(__file__).parents[2] / "docs" / "messages.md"
