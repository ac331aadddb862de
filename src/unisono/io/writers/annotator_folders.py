# SPDX-License-Identifier: MIT
"""A folder for each annotator, with the text of each document they saw: what brat and Glozz have in common."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from unisono.io.writers import Losses, file_names
from unisono.model import Continuum, Corpus
from unisono.nouns import quantity


def write_texts(
    corpus: Corpus, path: Path, losses: Losses, *, tool: str, suffix: str
) -> Iterator[tuple[Continuum, str, str]]:
    """Write the texts; give each document and annotator with the path, without ending, for the units.

    An annotator who saw a document and marked nothing is among them.
    """
    folders = file_names(corpus.annotators, losses)
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    if n_without := sum(continuum.text is None for continuum in corpus):
        message = f"{quantity(n_without, 'text file')} not written, because the document has no text"
        losses.warn(message, f"Give the texts with [[documents]]; {tool} cannot show annotations without them.")
    for continuum in corpus:
        for annotator in continuum.annotators:
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            stem = f"{folder / documents[continuum.name]}"
            if continuum.text is not None:
                Path(f"{stem}{suffix}").write_text(continuum.text, encoding="utf-8", newline="")
            yield continuum, annotator, stem
