# SPDX-License-Identifier: MIT
"""Phrases that messages about input and output share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: Longer texts are cut in messages.
_SHOWN_CHARACTERS = 60


def list_counts(counts: Mapping[str, int]) -> str:
    """Numbers of several things, each with its noun, in alphabetical order; `(s)` in a name is its plural ending.

    >>> list_counts({"relation(s)": 1, "label(s) of whole texts": 2})
    '2 labels of whole texts and 1 relation'
    """
    parts = [f"{n:,} {name.replace('(s)', '' if n == 1 else 's', 1)}" for name, n in sorted(counts.items())]
    return join_phrases(parts)


def join_phrases(parts: list[str]) -> str:
    """Phrases as a list in a sentence.

    >>> join_phrases(["a"]), join_phrases(["a", "b"]), join_phrases(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def short(text: str) -> str:
    """The text, cut to 60 characters."""
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."


def listing(names: Sequence[str], n: int = 30) -> str:
    """The first n names, each cut to 60 characters, separated by commas; dots stand for the others."""
    return ", ".join(map(short, names[:n])) + (", ..." if len(names) > n else "")
