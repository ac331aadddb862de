# SPDX-License-Identifier: MIT
"""Results as people read them. `terminal` makes tables; here is what every way of showing needs: safe text.

Names come from other people's files. A category may carry terminal escapes, a document name a line break or a mark
that turns the reading direction: shown raw, it could paint over the screen or forge a line of the table.
"""

from __future__ import annotations

import json
import re
import unicodedata
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
