# SPDX-License-Identifier: MIT
"""Results as people read them. `terminal` makes tables; here is what every way of showing needs: words, safe text.

Names come from other people's files. A category may carry terminal escapes, a document name a line break or a mark
that turns the reading direction: shown raw, it could paint over the screen or forge a line of the table.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

#: Joiners: not printable on their own, but part of how Persian, Hindi and emoji are written.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""The text with whatever could steer the display written out; one line, whatever comes in.

    >>> visible("Per\x1b[31mson\n")
    'Per\\x1b[31mson\\n'
    """
    if text.isprintable():
        return text
    return "".join(char if _is_harmless(char) else _written_out(char) for char in text)


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """`1 unit`, `3 units`, `12,345 units`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def some(names: Sequence[str], most: int | None = 8) -> str:
    """The first names, and how many more there are.

    >>> some(["ann", "bob", "cem"], 2)
    'ann, bob, ... and 1 more'
    """
    shown = names[:most]
    return ", ".join(shown) + (f", ... and {len(names) - len(shown):,} more" if len(shown) < len(names) else "")


def by_reason(documents: Iterable[tuple[str, str]], most: int | None = 8) -> Iterator[str]:
    """Documents, each with the reason why something could not be done, as one line for each reason.

    >>> list(by_reason([("one", "no unit"), ("two", "no annotator"), ("six", "no unit")]))
    ['no unit: one, six', 'no annotator: two']
    """
    names: dict[str, list[str]] = {}
    for name, reason in documents:
        names.setdefault(reason, []).append(visible(name) or "(no name)")
    for reason, group in names.items():
        yield f"{visible(reason)}: {some(group, most)}"


def alike(text: str) -> str:
    """What is left of a message without its numbers: the same for messages that say the same of different data."""
    return re.sub(r"[\d.]+", "0", text)


def json_text(data: Any) -> str:
    r"""JSON, indented, readable in any script, with control and direction characters escaped as JSON allows.

    >>> json_text(["Müller\x9b"])
    '[\n  "Müller\\u009b"\n]'
    """
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    # Outside of strings JSON is printable but for the line breaks of the indentation.
    return re.sub(r"[^\x20-\x7e\n]", _json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    char = match.group()
    return char if _is_harmless(char) else json.dumps(char)[1:-1]


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"


def _written_out(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
