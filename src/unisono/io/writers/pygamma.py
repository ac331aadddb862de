# SPDX-License-Identifier: MIT
"""pygamma-agreement's CSV: annotator, category, start, end without a header; a file for each document."""

from __future__ import annotations

import csv
from pathlib import Path

from unisono.io.writers import Losses, file_names
from unisono.model import Corpus


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the units with a category; there is no place for other units, annotators without units, and features."""
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    losses.add_features(corpus)
    for continuum in corpus:
        losses.add("annotator(s) who marked nothing", int((continuum.counts == 0).sum()))
        with (path / f"{documents[continuum.name]}.csv").open("w", encoding="utf-8", newline="") as stream:
            rows = csv.writer(stream, lineterminator="\n")
            for unit in continuum:
                if unit.category is None:
                    losses.add("unit(s) without category")
                else:
                    rows.writerow([unit.annotator, unit.category, unit.start, unit.end])
