# SPDX-License-Identifier: MIT
"""Real annotations: tied best alignments against brute force, soft alignments against brute force and γ's."""

from __future__ import annotations

from pathlib import Path

import pytest

from generators import Weights
from oracles.checks import slow
from oracles.test_corpora import continua
from oracles.test_soft import check_proven, check_soft_alignment
from oracles.test_ties import check_range
from reference.alignment import brute_force
from reference.soft import best_cover
from reference.ties import EVERY
from unisono.alignment import best_alignment
from unisono.alignment.soft import best_soft_alignment
from unisono.alignment.ties import gamma_cat_range, tied_optima


@pytest.mark.parametrize("step", [100, pytest.param(1, marks=pytest.mark.long)])
def test_toxic_spans(shared: Path, step: int) -> None:
    """Oracle: brute force, on the documents with 2 to 7 units (every 100th of them, or all): number, range, cover."""
    folder = shared / "corpora" / "toxic_spans"
    small = [
        c
        for c in continua(folder / "units.csv.gz", folder / "participation.csv.gz")
        if c.n_annotators >= 2 and 2 <= len(c) <= 7
    ]
    several = 0
    for continuum in small[::step]:
        best = brute_force(continuum, slow(Weights()), 1.0)
        tied = tied_optima(continuum)
        assert tied.number == len(best.tied), continuum.name
        several += tied.number > 1
        check_range(gamma_cat_range(tied), continuum, best, EVERY)
        soft = best_soft_alignment(continuum)
        assert soft.disorder == pytest.approx(best_cover(continuum, slow(Weights()), 1.0), abs=1e-9), continuum.name
    assert several >= 100 / step


def test_conll(shared: Path) -> None:
    """Oracle: the slow twin recomputes every disorder; γ's alignment costs no less and is itself a cover."""
    folder = shared / "corpora" / "conll_mturk_ner"
    measured = lower = 0
    for continuum in continua(folder / "units.csv.gz", folder / "participation.csv.gz"):
        if continuum.n_annotators < 2 or len(continuum) == 0:
            continue
        soft, hard = best_soft_alignment(continuum), best_alignment(continuum)
        check_proven(soft)
        check_soft_alignment(continuum, soft, slow(Weights()), 1.0)
        assert soft.disorder <= hard.disorder + 1e-12
        measured += 1
        lower += soft.disorder < hard.disorder - 1e-9
        tied = tied_optima(continuum, alignment=hard)
        assert tied.number is not None
        assert tied.number >= 1
    assert measured > 150
    assert lower > 50


@pytest.mark.parametrize("number", range(3))
def test_propaganda(shared: Path, number: int) -> None:
    """Eleven annotators, overlapping units, 18 categories. Oracle: as for the crowd's named entities."""
    folder = shared / "corpora" / "llm_span_annotation"
    name = f"propaganda-techniques|test|propaganda-techniques|{number}"
    (continuum,) = continua(folder / "propaganda.csv.gz", folder / "propaganda_participation.csv.gz", names={name})
    soft, hard = best_soft_alignment(continuum), best_alignment(continuum)
    check_proven(soft)
    check_soft_alignment(continuum, soft, slow(Weights()), 1.0)
    assert soft.disorder <= hard.disorder + 1e-12
    assert tied_optima(continuum, alignment=hard).number is not None
