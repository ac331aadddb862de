# SPDX-License-Identifier: MIT
"""Sentences (lines) and tokens (words, punctuation) of a text, for formats with a line for each token."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A line of the text with the bounds of its tokens on the whole text."""

    text: str
    start: int
    tokens: tuple[tuple[int, int], ...]


def sentences(text: str) -> list[Sentence]:
    """The lines that have tokens.

    >>> [(s.start, s.tokens) for s in sentences("Hi you!\\n\\nBye")]
    [(0, ((0, 2), (3, 6), (6, 7))), (9, ((9, 12),))]
    """
    lines = []
    start = 0
    for line in text.split("\n"):
        tokens = tuple((start + m.start(), start + m.end()) for m in _TOKEN.finditer(line))
        if tokens:
            lines.append(Sentence(line, start, tokens))
        start += len(line) + 1
    return lines
