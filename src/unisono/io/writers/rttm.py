# SPDX-License-Identifier: MIT
"""RTTM: a folder for each annotator, a file for each document; start and duration, the category as the speaker."""

from __future__ import annotations

from decimal import Decimal, localcontext
from pathlib import Path

from unisono.io.writers import NO_WORD, Losses, file_names
from unisono.model import Corpus, Position


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the units with a category of one word, and empty files for annotators who marked nothing."""
    folders = file_names(corpus.annotators, losses)
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    losses.add_features(corpus)
    taken = {continuum.name for continuum in corpus}
    for continuum in corpus:
        document = "_".join(continuum.name.split()) or "_"
        if document != continuum.name:
            while document in taken:
                document += "_"
            taken.add(document)
            losses.note(f"RTTM allows no blanks in names of documents; {continuum.name!r} is written as {document}")
        for annotator in continuum.annotators:
            lines = []
            for unit in continuum.units_of(annotator):
                if unit.category is None or len(unit.category.split()) != 1 or unit.category == "<NA>":
                    losses.add(NO_WORD)
                    continue
                length = duration(unit.start, unit.end)
                lines.append(f"SPEAKER {document} 1 {unit.start} {length} <NA> <NA> {unit.category} <NA> <NA>\n")
            folder = path / folders[annotator]
            folder.mkdir(exist_ok=True)
            (folder / f"{documents[continuum.name]}.rttm").write_text("".join(lines), encoding="utf-8", newline="")


def duration(start: Position, end: Position) -> str:
    """The length that, added to the start as decimals, gives the end: from 0.1 to 2.3 it is 2.2.

    >>> 2.3 - 0.1, duration(0.1, 2.3), duration(2, 5)
    (2.1999999999999997, '2.2', '3')
    """
    # Exact for any two positions below 2**53: 16 digits before the point, 17 significant ones after up to 300 zeros.
    with localcontext() as context:
        context.prec = 400
        return format(Decimal(repr(end)) - Decimal(repr(start)), "f")
