# SPDX-License-Identifier: MIT
"""Results as people read them: terminal, page, notebook, figure, saved file. Here: text that is safe to show anywhere.

Names come from other people's files. A category may contain terminal escapes, a document name a line break or a mark
that reverses the reading direction: shown as it is, it could overwrite the screen or forge a line of a table.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

#: Stands for the category of units that have none.
NO_CATEGORY = "(no category)"
#: Joiners: not printable on their own, but part of how Persian, Hindi and emoji are written.
_JOINERS = "\u200c\u200d"


def visible(text: str) -> str:
    r"""The text on one line, with characters that control the display written as escapes.

    >>> visible("Per\x1b[31mson\n")
    'Per\\x1b[31mson\\n'
    """
    if text.isprintable():
        return text
    return "".join(char if _is_harmless(char) else _escape_code(char) for char in text)


def some(names: Sequence[str], most: int | None = 8) -> str:
    """The first names, and how many more there are.

    >>> some(["ann", "bob", "cem"], 2)
    'ann, bob, ... and 1 more'
    """
    shown = names[:most]
    return ", ".join(shown) + (f", ... and {len(names) - len(shown):,} more" if len(shown) < len(names) else "")


def by_reason(documents: Iterable[tuple[str, str]], most: int | None = 8) -> Iterator[str]:
    """One line for each reason, with the documents it applies to.

    >>> list(by_reason([("one", "no unit"), ("two", "no annotator"), ("six", "no unit")]))
    ['no unit: one, six', 'no annotator: two']
    """
    names: dict[str, list[str]] = {}
    for name, reason in documents:
        names.setdefault(reason, []).append(visible(name) or "(no name)")
    for reason, group in names.items():
        yield f"{visible(reason)}: {some(group, most)}"


def without_numbers(text: str) -> str:
    """A message with its numbers replaced, so that messages that differ only in their numbers can be grouped."""
    return re.sub(r"[\d.]+", "0", text)


def json_text(data: Any) -> str:
    r"""JSON, indented, readable in any script, with control and direction characters escaped as JSON allows.

    >>> json_text(["Müller\x9b"])
    '[\n  "Müller\\u009b"\n]'
    """
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)
    # Outside of strings JSON is printable but for the line breaks of the indentation.
    return re.sub(r"[^\x20-\x7e\n]", _json_escape, text)


def script_json(data: Any) -> str:
    r"""JSON for a script element of a page: it cannot end the element or begin a comment.

    >>> script_json("</script>")
    '"\\u003c/script\\u003e"'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _json_escape(match: re.Match[str]) -> str:
    char = match.group()
    return char if _is_harmless(char) else json.dumps(char)[1:-1]


def _is_harmless(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"


def _escape_code(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
