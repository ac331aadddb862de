# SPDX-License-Identifier: MIT
"""The documents of shared corpora as continua, read by code that earlier builds of the package can run too."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

from unisono.model import Continuum


def documents(units: Path, participation: Path) -> list[Continuum]:
    """Documents with units; everyone who took part is an annotator."""
    found: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    with gzip.open(participation, "rt", newline="") as stream:
        for row in csv.DictReader(stream):
            found.setdefault(row["document"], {})[row["annotator"]] = []
    with gzip.open(units, "rt", newline="") as stream:
        for row in csv.DictReader(stream):
            found[row["document"]][row["annotator"]].append((int(row["start"]), int(row["end"]), row["category"]))
    continua = [Continuum.of(annotators, name=name) for name, annotators in found.items()]
    return [continuum for continuum in continua if len(continuum)]
