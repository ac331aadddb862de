# SPDX-License-Identifier: MIT
"""RTTM: a folder for each annotator, a file for each document; start and duration, the category as the speaker."""

from __future__ import annotations

from pathlib import Path

from unisono.io.writers import Losses, file_names
from unisono.model import CATEGORY, Corpus, Position


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Units with a category of one word; empty files for annotators who marked nothing."""
    folders = file_names(corpus.annotators, losses)
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    features = sorted({name for continuum in corpus for name in continuum.features} - {CATEGORY})
    losses.add(f"features ({', '.join(features)})", len(features))
    for continuum in corpus:
        document = "_".join(continuum.name.split())
        if document != continuum.name:
            losses.note("names of documents without blanks", repr(continuum.name), f"written as {document}")
        for annotator in continuum.annotators:
            lines = []
            for unit in continuum.units_of(annotator):
                if unit.category is None or len(unit.category.split()) != 1 or unit.category == "<NA>":
                    losses.add("units without a category, or with one that has blanks")
                    continue
                length = duration(unit.start, unit.end)
                lines.append(f"SPEAKER {document} 1 {unit.start} {length} <NA> <NA> {unit.category} <NA> <NA>\n")
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            (folder / f"{documents[continuum.name]}.rttm").write_text("".join(lines), encoding="utf-8", newline="")


def duration(start: Position, end: Position) -> Position:
    """A length that gives the end back when the start is added, where floating-point numbers have one."""
    from math import inf, nextafter

    length = end - start
    if isinstance(length, float):
        for candidate in (length, nextafter(length, inf), nextafter(length, -inf)):
            if start + candidate == end:
                return candidate
    return length
