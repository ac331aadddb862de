# SPDX-License-Identifier: MIT
"""Units of a corpus as plain tuples, for tests of readers."""

from __future__ import annotations

from typing import Any

from unisono.model import Corpus

#: What the fixtures of several formats hold: the same annotations of a letter and a note, as `covered` lists them.
LETTER_AND_NOTE = [
    ("letter", "ann", "Anna", "Person"),
    ("letter", "ann", "New York", "Place"),
    ("letter", "bob", "Anna 😀", "Person"),
    ("note", "bob", "Nobody", "Person"),
]


def marks(corpus: Corpus) -> list[tuple[Any, ...]]:
    """Document, annotator, start, end, category of every unit."""
    return [(c.name, u.annotator, u.start, u.end, u.category) for c in corpus for u in c]


def covered(corpus: Corpus) -> list[tuple[Any, ...]]:
    """Document, annotator, covered text, category of every unit of documents that have a text."""
    return [
        (c.name, u.annotator, c.text[u.start : u.end], u.category)  # type: ignore[misc]
        for c in corpus
        if c.text is not None
        for u in c
    ]


def seen(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """The annotators of every document, those who marked nothing too."""
    return {c.name: c.annotators for c in corpus}
