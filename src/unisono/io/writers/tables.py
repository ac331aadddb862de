# SPDX-License-Identifier: MIT
"""A table of units, and beside it a table of documents if there are texts or extents to keep."""

from __future__ import annotations

import csv
from pathlib import Path

from unisono.io.writers import WRITERS, Losses
from unisono.io.writers.formulas import BEGINNINGS, escape_rows
from unisono.io.writers.unit_table import rows as unit_rows
from unisono.io.writers.unit_table import titles, write_units
from unisono.model import Corpus
from unisono.nouns import quantity
from unisono.whole_files import is_stream


def write(corpus: Corpus, path: Path, losses: Losses, *, escape_formulas: bool = False) -> None:
    """Write the units; texts and known extents go to NAME.documents.csv."""
    write_units(corpus, path, format=losses.name, escape_formulas=escape_formulas)
    for feature, column in titles(corpus).items():
        if column != feature:
            losses.note(
                f"the feature {feature} is written as the column {column}: the table already has a column of that name"
            )
    if escape_formulas:
        cells = [cell for row in unit_rows(corpus) for cell in row if isinstance(cell, str)]
        n = sum(cell.startswith(BEGINNINGS) for cell in cells)
        losses.note(f"{quantity(n, 'cell')} that a spreadsheet would take for formulas have an apostrophe before them")
    known = [c for c in corpus if c.extent is not None and c.extent.source != "guessed"]
    if not known:
        return
    if is_stream(losses.where):
        losses.warn("the texts and extents were left out: there is no place for them beside a stream", "Name a file.")
        return
    target = Path(losses.where)
    ending = next((end for end in WRITERS[losses.name].suffixes if target.name.lower().endswith(end)), "")
    name = f"{target.name[: len(target.name) - len(ending)] or 'units'}.documents.csv"
    beside = path.with_name(name)
    texts = any(continuum.text is not None for continuum in known)
    with beside.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(["document", "start", "end", *(["text"] if texts else [])])
        content = (
            [c.name, c.extent.start, c.extent.end, *([c.text or ""] if texts else [])] for c in known if c.extent
        )
        rows.writerows(escape_rows(content) if escape_formulas else content)
    what = "texts and extents" if texts else "extents"
    losses.note(f"{what} are written to {target.with_name(name)}", "Read that file with [[documents]].")
