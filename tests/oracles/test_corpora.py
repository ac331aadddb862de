# SPDX-License-Identifier: MIT
"""Real annotations: every alignment proven, a partition, its disorder recomputed by the slow twin."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from generators import Weights
from oracles.checks import check_alignment, check_proven, fast, slow
from oracles.integer_program import n_tuples, solved
from unisono.alignment import best_alignment
from unisono.model import Continuum


def continua(units: Path, participation: Path, *, names: set[str] | None = None) -> list[Continuum]:
    """The documents of a table with its participation, read by the csv module alone."""
    documents: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    with gzip.open(participation, "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            documents.setdefault(row["document"], {})[row["annotator"]] = []
    with gzip.open(units, "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            unit = (int(row["start"]), int(row["end"]), row["category"])
            documents[row["document"]][row["annotator"]].append(unit)
    chosen = documents.items() if names is None else [(name, documents[name]) for name in sorted(names)]
    return [Continuum.of(units, name=name) for name, units in chosen]


@pytest.mark.parametrize("number", range(5))
def test_propaganda(shared: Path, number: int) -> None:
    """Eleven annotators, overlapping units, 18 categories."""
    folder = shared / "corpora" / "llm_span_annotation"
    name = f"propaganda-techniques|test|propaganda-techniques|{number}"
    (continuum,) = continua(folder / "propaganda.csv.gz", folder / "propaganda_participation.csv.gz", names={name})
    for weights in (Weights(), Weights(alpha=3.0)):
        alignment = best_alignment(continuum, fast(weights))
        check_proven(alignment)
        check_alignment(continuum, alignment, slow(weights), 1.0)


def test_conll(shared: Path) -> None:
    """Every document of the crowd's named entities; the small ones against the integer program as well."""
    folder = shared / "corpora" / "conll_mturk_ner"
    measured = compared = 0
    for continuum in continua(folder / "units.csv.gz", folder / "participation.csv.gz"):
        if continuum.n_annotators < 2 or len(continuum) == 0:
            continue
        alignment = best_alignment(continuum, fast(Weights()))
        check_proven(alignment)
        check_alignment(continuum, alignment, slow(Weights()), 1.0)
        measured += 1
        if n_tuples(continuum) <= 5000 and compared < 60:
            compared += 1
            expected = solved(continuum, slow(Weights()), 1.0, pruned=True)
            assert alignment.disorder == pytest.approx(expected, abs=1e-7), continuum.name
    assert measured > 150
    assert compared > 20
