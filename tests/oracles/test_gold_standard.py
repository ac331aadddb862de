# SPDX-License-Identifier: MIT
"""How good the gold standard is. Oracles: a baseline and a count made position by position; the table in the docs."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

import unisono
from generators import tiny_continuum
from unisono.experiments.gold_standard import CASES, majority_per_character, quality, results
from unisono.model import Continuum, Corpus

DOCS = (Path(__file__).parents[2] / "docs" / "gold.md").read_text(encoding="utf-8")


def by_character(continuum: Continuum) -> set[tuple[int, int, str]]:
    """The baseline, position by position."""
    extent = continuum.extent
    assert extent is not None
    found = set()
    for category in continuum.categories:
        votes = [
            sum(
                any(u.category == category and u.start <= place < u.end for u in continuum.units_of(name))
                for name in continuum.annotators
            )
            for place in range(int(extent.start), int(extent.end))
        ]
        place = int(extent.start)
        for is_marked, run in itertools.groupby(2 * vote > continuum.n_annotators for vote in votes):
            length = len(list(run))
            if is_marked:
                found.add((place, place + length, category))
            place += length
    return found


def test_the_baseline() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        continuum = tiny_continuum(rng, most_units=10)
        if continuum.n_units:
            made = majority_per_character(continuum)
            assert {(u.start, u.end, u.category) for u in made} == by_character(continuum)


def test_precision_and_recall_by_hand() -> None:
    """Of three units one is exact, one has 8 of 12 in common, one has the wrong category; the reference has four."""
    reference = Continuum.of({"reference": [(0, 10, "A"), (20, 30, "A"), (40, 50, "B"), (60, 70, "B")]}, name="d")
    consensus = Continuum.of({"gold": [(0, 10, "A"), (22, 32, "A"), (40, 50, "A")]}, name="d")
    exact, iou = (quality([consensus], [reference], exact=exact).shares for exact in (True, False))
    assert (exact[0][0], exact[1][0]) == pytest.approx((1 / 3, 1 / 4))
    assert (iou[0][0], iou[1][0]) == pytest.approx((2 / 3, 2 / 4))


def test_one_unit_is_paired_once() -> None:
    reference = Continuum.of({"reference": [(0, 10, "A")]}, name="d")
    consensus = Continuum.of({"gold": [(0, 9, "A"), (1, 10, "A")]}, name="d")
    precision, recall = quality([consensus], [reference], exact=False).shares
    assert (precision[0], recall[0]) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("case", "magnitude"),
    [("category", 0.3), *(pytest.param(n, m, marks=pytest.mark.long) for n, _, _ in CASES for m in (0.1, 0.3, 0.5))],
)
def test_the_table_in_the_docs(case: str, magnitude: float) -> None:
    """The docs have the rows that are computed, digit by digit."""
    _, model, errors = next(each for each in CASES if each[0] == case)
    found = results(magnitude, model, errors)
    for which in (0, 1):
        shares = [share for method in found.values() for share in method[which].shares]
        cells = " | ".join(f"{value:.3f} ({low:.3f}-{high:.3f})" for value, low, high in shares)
        assert f"| {case} | {magnitude} | {cells} |" in DOCS


def test_nothing_is_lost_without_errors() -> None:
    _, model, errors = CASES[-1]
    for exact, iou in [results(0.0, model, errors, sets=3)["consensus"]]:
        assert exact.shares == iou.shares == ((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))


METHODS: dict[str, dict[str, object]] = {
    "consensus": {},
    "`--same-category`": {"same_category": True},
    "`--vote weighted`": {"vote": "weighted"},
    "`--min-annotators 1`": {"min_annotators": 1},
}


def test_crowd_workers_against_experts(shared: Path) -> None:
    """Real annotations with a reference by others: the table in the docs, and that weights help."""
    folder = shared / "corpora" / "conll_mturk_ner"
    crowd = unisono.read(folder / "units.csv.gz", participation=folder / "participation.csv.gz")
    experts = {continuum.name: continuum for continuum in unisono.read(folder / "gold.csv.gz")}
    documents = Corpus(tuple(continuum for continuum in crowd if continuum.n_annotators >= 2))
    references = []
    for document in documents:
        units = list(experts[document.name]) if document.name in experts else []
        references.append(
            Continuum.of({"reference": [(u.start, u.end, u.category) for u in units]}, name=document.name)
        )
    made = {name: list(unisono.gold(documents, **options).corpus()) for name, options in METHODS.items()}  # type: ignore[arg-type]
    made["baseline"] = [majority_per_character(document) for document in documents]
    f1 = {}
    for name, consensus in made.items():
        cells = []
        for exact in (True, False):
            shares = quality(consensus, references, exact=exact).shares
            p, r = shares[0][0], shares[1][0]
            f1[name, exact] = 2 * p * r / (p + r)
            cells += [f"{value:.3f} ({low:.3f}-{high:.3f})" for value, low, high in shares] + [f"{f1[name, exact]:.3f}"]
        assert f"| {name} | {' | '.join(cells)} |" in DOCS
    assert f1["`--vote weighted`", True] > f1["consensus", True] > f1["baseline", True]
