# SPDX-License-Identifier: MIT
"""pygamma-agreement's CSV: annotator, category, start, end without a header; a file for each document."""

from __future__ import annotations

import csv
from pathlib import Path

from unisono.io.writers import Losses, file_names
from unisono.model import Corpus


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Units with a category; pygamma knows neither units without, nor annotators without units, nor features."""
    documents = file_names(tuple(continuum.name for continuum in corpus), losses)
    features = sorted({name for continuum in corpus for name in continuum.features} - {"category"})
    losses.add(f"features ({', '.join(features)})" if len(features) > 1 else f"feature {features}", len(features))
    for continuum in corpus:
        losses.add("annotators who marked nothing", int((continuum.counts == 0).sum()))
        with (path / f"{documents[continuum.name]}.csv").open("w", encoding="utf-8", newline="") as stream:
            rows = csv.writer(stream, lineterminator="\n")
            for unit in continuum:
                if unit.category is None:
                    losses.add("units without category")
                else:
                    rows.writerow([unit.annotator, unit.category, unit.start, unit.end])
