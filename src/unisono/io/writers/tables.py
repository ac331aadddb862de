# SPDX-License-Identifier: MIT
"""A table of units, and beside it a table of documents if there are texts or extents to keep."""

from __future__ import annotations

import csv
from pathlib import Path

from unisono.io.writers import Losses
from unisono.io.writers.unit_table import write_table
from unisono.model import Corpus


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the units; texts and known extents go to NAME.documents.csv."""
    write_table(corpus, path, format=losses.name)
    known = [c for c in corpus if c.extent is not None and c.extent.source != "guessed"]
    if not known:
        return
    beside = path.with_name(f"{path.name.partition('.')[0]}.documents.csv")
    texts = any(continuum.text is not None for continuum in known)
    with beside.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(["document", "start", "end", *(["text"] if texts else [])])
        for continuum in known:
            extent = continuum.extent
            assert extent is not None
            rows.writerow([continuum.name, extent.start, extent.end, *([continuum.text or ""] if texts else [])])
    losses.note(f"texts and extents are written to {beside}", "Read that file with [[documents]].")
