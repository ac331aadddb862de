# SPDX-License-Identifier: MIT
"""pygamma-agreement 0.5.9 in our numbers: the chance model `statistical` and the preset `pygamma`.

Oracles: its laws, which draw its own random continua number for number (reference/pygamma.py), closed forms, and its
recorded answers (pygamma_family.json, see test_pygamma_family.py).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import erf, exp, fsum, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import unisono
from reference import pygamma
from reference.alignment import members_of
from reference.gamma_cat import rows
from unisono.alignment import best_alignment
from unisono.chance import Statistical
from unisono.chance.statistical import gaps
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.numbering import numbering_of
from unisono.model import Continuum, Unit


def annotations(continuum: Continuum) -> list[tuple[Unit, ...]]:
    return [continuum.units_of(name) for name in continuum.annotators]


# --- statistical: pygamma-agreement's law ----------------------------------------------------------------------------

REAL = {
    "a": [(3, 10, "A"), (13, 17, "B"), (12, 15, "B"), (40, 44, "A")],
    "b": [(1, 10, "B"), (14, 18, "B")],
    "c": [(2, 12, "A"), (16, 24, "C"), (30, 31, "A")],
}


def phi(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


@dataclass(frozen=True)
class Facts:
    """What was drawn, annotator by annotator; the first one, who always has a unit, apart."""

    first_counts: np.ndarray
    counts: np.ndarray
    first_starts: np.ndarray
    gaps: np.ndarray
    lengths: np.ndarray
    categories: Counter[str | None]

    @classmethod
    def of(cls, drawn: Sequence[Sequence[Sequence[Unit]]]) -> Facts:
        everyone = [units for annotators in drawn for units in annotators]
        alone = [units[0] for units in everyone if len(units) == 1]
        return cls(
            np.array([len(annotators[0]) for annotators in drawn]),
            np.array([len(units) for annotators in drawn for units in annotators[1:]]),
            # Units are sorted when drawn, so the first in time is known where there is one only.
            np.array([unit.start for unit in alone]),
            np.array([b.start - a.end for units in everyone for a, b in pairwise(units)]),
            np.array([unit.length for units in everyone for unit in units]),
            Counter(unit.category for units in everyone for unit in units),
        )


@pytest.fixture(scope="module")
def statistical() -> tuple[Facts, Facts]:
    """2,000 random continua of ours, and as many of theirs."""
    continuum = Continuum.of(REAL, name="statistical")
    real = {name: [Unit(*unit) for unit in units] for name, units in REAL.items()}
    random = np.random.RandomState(1)
    draw, names = Statistical().sampler(continuum, seed=1), numbering_of(continuum).annotators
    ours = [[drawn.units_of(name) for name in names] for drawn in map(draw, range(2000))]
    theirs = [list(pygamma.statistical(real, random).values()) for _ in range(2000)]
    return Facts.of(ours), Facts.of(theirs)


@pytest.mark.parametrize("name", ["first_counts", "counts", "first_starts", "gaps", "lengths"])
def test_statistical_has_the_distributions_of_pygamma(statistical: tuple[Facts, Facts], name: str) -> None:
    """Oracle: its law (reference/pygamma.py, its own draws number for number); Kolmogorov and Smirnov, moments."""
    ours, theirs = (getattr(facts, name) for facts in statistical)
    assert min(len(ours), len(theirs)) > 300
    assert stats.ks_2samp(ours, theirs).pvalue > 1e-3
    error = sqrt(np.var(ours) / len(ours) + np.var(theirs) / len(theirs))
    assert abs(np.mean(ours) - np.mean(theirs)) < 4 * error
    assert np.std(ours) == pytest.approx(np.std(theirs), rel=0.05)


def test_statistical_has_the_categories_of_pygamma(statistical: tuple[Facts, Facts]) -> None:
    ours, theirs = (facts.categories for facts in statistical)
    labels = sorted(ours)
    assert labels == sorted(theirs) == ["A", "B", "C"]
    table = [[counts[k] for k in labels] for counts in (ours, theirs)]
    assert stats.chi2_contingency(table).pvalue > 1e-3
    frequencies = np.array([4, 4, 1]) / 9
    assert stats.chisquare([ours[k] for k in labels], frequencies * sum(ours.values())).pvalue > 1e-3


def test_statistical_has_the_closed_forms(statistical: tuple[Facts, Facts]) -> None:
    """Oracle: P(|trunc X| = j) of a normal number, the mean of a folded normal one, the mean gap."""
    facts, _ = statistical
    continuum = Continuum.of(REAL)
    mean, sd = float(np.mean(continuum.counts)), float(np.std(continuum.counts))

    def between(low: float, high: float) -> float:
        return phi((high - mean) / sd) - phi((low - mean) / sd)

    law = [between(-1, 1), *(between(j, j + 1) + between(-j - 1, -j) for j in range(1, 9))]
    assert fsum(law) == pytest.approx(1, abs=1e-6)
    n = len(facts.counts)
    for j, share in enumerate(law):
        assert abs(np.mean(facts.counts == j) - share) < 4.5 * sqrt(share * (1 - share) / n) + 1e-9, j
    at_least_one = [0.0, law[0] + law[1], *law[2:]]
    for j, share in enumerate(at_least_one):
        error = sqrt(share * (1 - share) / len(facts.first_counts))
        assert abs(np.mean(facts.first_counts == j) - share) < 4.5 * error + 1e-9, j
    lengths = continuum.ends - continuum.starts
    mu, sigma = float(np.mean(lengths)), float(np.std(lengths))
    folded = sigma * sqrt(2 / pi) * exp(-(mu**2) / 2 / sigma**2) + mu * (1 - 2 * phi(-mu / sigma))
    assert abs(np.mean(facts.lengths) - folded) < 4 * np.std(facts.lengths) / sqrt(len(facts.lengths))
    starts = facts.first_starts
    assert abs(np.mean(starts) - np.mean(gaps(continuum))) < 4 * np.std(starts) / sqrt(len(starts))
    assert np.std(starts) == pytest.approx(np.std(gaps(continuum)), rel=0.1)


def test_statistical_gaps_begin_with_a_0() -> None:
    """By hand: the odd 0, the gaps between an annotator's units, the first starts above 0."""
    continuum = Continuum.of({"a": [(0, 4), (6, 9)], "b": [(2, 5), (4, 8)], "c": []})
    assert sorted(gaps(continuum).tolist()) == [-1, 0, 2, 2]


def test_points_alone_have_no_length() -> None:
    """Lengths of 0 throughout cannot be drawn again until they are longer; they stay points."""
    points = Continuum.of({"a": [(1, 1, "A"), (5, 5, "B")], "b": [(2, 2, "A")]}, name="points")
    drawn = Statistical().draw(points, seed=1, sample=0)
    assert len(drawn) > 0
    assert (drawn.ends == drawn.starts).all()


# --- preset pygamma --------------------------------------------------------------------------------------------------


def recorded_cases() -> list[Any]:
    recorded = json.loads((Path(__file__).parent / "pygamma_family.json").read_text(encoding="utf-8"))
    return [
        pytest.param(case, answer, id=f"{case['name']}, alpha {case['alpha']:g}")
        for case, answer in zip(recorded["cases"], recorded["answers"], strict=True)
        if case["delta_empty"] == 1
    ]


@pytest.mark.parametrize(("case", "answer"), recorded_cases())
def test_preset_pygamma_observes_what_it_observes(case: dict[str, Any], answer: dict[str, Any]) -> None:
    """Oracle: pygamma-agreement 0.5.9, its recorded answers; 32-bit floats there. Ties: its own alignment is judged."""
    continuum = Continuum.of({name: [tuple(u) for u in units] for name, units in case["units"].items()})
    dissimilarity = CombinedDissimilarity(alpha=case["alpha"])
    result = unisono.measure(
        continuum, ["gamma", "gamma-cat", "gamma-k"], preset="pygamma", dissimilarity=dissimilarity, seed=1
    )
    assert result["gamma"].observed == pytest.approx(answer["best"]["disorder"], abs=2e-5)
    assert result["gamma"].n_samples == 30
    rows_there = {tuple(tuple(u[:3]) if u else None for u in row) for row in answer["best"]["rows"]}
    rows_here = {
        tuple(None if u is None else (u.start, u.end, u.category) for u in unitary.units)
        for unitary in result["gamma"].alignment.unitary_alignments
    }
    assert rows_here == rows_there, "no ties among these: the same alignment"
    assert result["gamma-cat"].observed == pytest.approx(answer["best"]["gamma_cat"], abs=2e-5)
    theirs = {k: value for k, value in answer["best"]["gamma_k"].items() if k in continuum.categories}
    ours = {k: of_k.observed for k, of_k in (result["gamma-k"].per_category or {}).items()}
    assert ours == pytest.approx(theirs, abs=2e-5)


@pytest.mark.parametrize(("case", "answer"), recorded_cases())
def test_preset_pygamma_expects_what_it_expects(case: dict[str, Any], answer: dict[str, Any]) -> None:
    """Oracle: its sampler and its γcat (reference/pygamma.py), 600 random continua; within 4.5 standard errors."""
    real = {name: [Unit(*unit) for unit in units] for name, units in case["units"].items()}
    dissimilarity = CombinedDissimilarity(alpha=case["alpha"])
    random = np.random.RandomState(3)
    disorders, categories = [], []
    for _ in range(600):
        drawn = Continuum.of(pygamma.statistical(real, random))
        alignment = best_alignment(drawn, dissimilarity)
        disorders.append(alignment.disorder)
        aligned_units = rows(drawn, members_of(alignment.group.tolist()))
        categories.append(pygamma.categorial_disorder(aligned_units, alpha=case["alpha"]))
    result = unisono.measure(
        Continuum.of(real),
        ["gamma", "gamma-cat"],
        preset="pygamma",
        dissimilarity=dissimilarity,
        samples=3000,
        seed=1,
    )
    for name, theirs in (("gamma", disorders), ("gamma-cat", categories)):
        found = result[name]
        error = sqrt(np.var(theirs, ddof=1) / 600 + (found.chance_sd or 0) ** 2 / 3000)
        assert abs(found.expected - np.mean(theirs)) <= 4.5 * error + 1e-9, name
    # Eq. 8 and Eq. 1 of 2017, with its 1 and its 0.
    gamma_theirs = 1.0 if answer["best"]["disorder"] == 0 else 1 - answer["best"]["disorder"] / result["gamma"].expected
    assert result["gamma"].value == pytest.approx(gamma_theirs, abs=1e-4)
    cat_theirs = pygamma.agreement(answer["best"]["gamma_cat"], [result["gamma-cat"].expected])
    assert result["gamma-cat"].value == pytest.approx(cat_theirs, abs=1e-4)


def test_preset_pygamma_is_in_the_signature() -> None:
    result = unisono.measure(Continuum.of(REAL), "gamma-cat", preset="pygamma", seed=1)
    assert "|preset:pygamma|" in result.signature
    assert "|chance:statistical|pairs:pygamma|samples:30|" in result.signature
