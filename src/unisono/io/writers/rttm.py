# SPDX-License-Identifier: MIT
"""RTTM: a folder for each annotator, a file for each document; start and duration, the category as the speaker."""

from __future__ import annotations

from decimal import Decimal, localcontext
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


def duration(start: Position, end: Position) -> str:
    """A length that gives the end back when the start is added, as decimals: from 0.1 to 2.3 it is 2.2.

    >>> 2.3 - 0.1, duration(0.1, 2.3), duration(2, 5)
    (2.1999999999999997, '2.2', '3')
    """
    # Exact for any two positions below 2**53: 16 digits before the point, and up to 17 that count after 300 zeros.
    with localcontext() as context:
        context.prec = 400
        return format(Decimal(repr(end)) - Decimal(repr(start)), "f")
