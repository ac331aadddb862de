# SPDX-License-Identifier: MIT
"""Documents pooled to one value. Oracles: by hand, scipy's Welch interval, a count over simulated corpora."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from unisono.measures.pooling import overall
from unisono.results import MeasureValue


def documents(*chance: list[float], gap: float = 0.0, weights: list[float] | None = None) -> list[MeasureValue]:
    """Documents of observed disorder 1 whose random continua had these disorders."""
    return [
        MeasureValue(
            1 - 1 / float(np.mean(c)),
            observed=1.0,
            expected=float(np.mean(c)),
            n_samples=len(c),
            gap=gap,
            weight=weight,
            chance_sd=float(np.std(c, ddof=1)),
        )
        for c, weight in zip(chance, weights or [1.0] * len(chance), strict=True)
    ]


def test_the_interval_of_equal_documents_is_that_of_two_samples() -> None:
    """Oracle: scipy's Welch interval for the difference of two means, which has the width of that of their sum."""
    first, second = [2.0, 2.2, 2.1, 1.9, 2.3], [3.0, 3.5, 2.5, 3.1]
    interval = overall(documents(first, second), 0.9).intervals["chance"]
    welch = stats.ttest_ind(first, second, equal_var=False)
    df = int(welch.df)
    error = math.sqrt(np.var(first, ddof=1) / 5 + np.var(second, ddof=1) / 4)
    margin = stats.t.ppf(0.95, df) * error
    total = np.mean(first) + np.mean(second)
    assert interval.low == pytest.approx(1 - 2 / (total - margin), rel=1e-9)
    assert interval.high == pytest.approx(1 - 2 / (total + margin), rel=1e-9)


def test_the_interval_of_the_corpus_holds_its_expected_disorder_as_often_as_it_says() -> None:
    """Oracle: a count over 400 simulated corpora with known expected disorders (binomial, 5 standard errors)."""
    rng = np.random.default_rng(1)
    means, sds, n = np.array([2.0, 3.0, 1.5]), np.array([0.1, 0.5, 0.2]), (30, 40, 30)
    weights = [3.0, 1.0, 5.0]
    truth = 1 - sum(weights) / float(np.dot(weights, means))
    hits = 0
    for _ in range(400):
        values = documents(
            *(rng.normal(m, s, k).tolist() for m, s, k in zip(means, sds, n, strict=True)), weights=weights
        )
        interval = overall(values, 0.9).intervals["chance"]
        hits += interval.low <= truth <= interval.high
    assert abs(hits / 400 - 0.9) < 5 * math.sqrt(0.9 * 0.1 / 400)


def test_gaps_are_documents() -> None:
    values = [*documents([2.0, 2.2], gap=0.5), *documents([4.0, 4.2], gap=0.0)]
    # Observed 1 and 1, expected 2.1 and 4.1: a gap of one half in the first is 1/4 of the observed sum.
    assert overall(values, 0.95).gap == pytest.approx(0.25)


def test_no_disorder_anywhere_is_full_agreement() -> None:
    flat = MeasureValue(1.0, observed=0.0, expected=0.0, n_samples=30, chance_sd=0.0, weight=1.0)
    found = overall([flat, flat], 0.95)
    assert (found.value, found.gap, found.intervals) == (1.0, 0.0, {})


def test_by_hand() -> None:
    """Two documents, weights 3 and 1, observed 0.5 and 1, expected 1 and 2: 1 - (1.5 + 1) / (3 + 2) = 0.5."""
    one = MeasureValue(0.5, observed=0.5, expected=1.0, weight=3.0)
    other = MeasureValue(0.5, observed=1.0, expected=2.0, weight=1.0)
    nothing = MeasureValue(None, reason="nobody marked any unit")
    found = overall([one, nothing, other], 0.95)
    assert found.value == 0.5
    assert (found.observed, found.expected) == (2.5 / 4, 5 / 4)
    assert (found.documents_measured, found.mean_over_documents) == (2, 0.5)


def test_categories_are_pooled_one_by_one() -> None:
    """Category A: 1 - (2*0.1 + 1*0.4) / (2*0.5 + 1*0.5) = 0.6; B is in the second document alone."""
    one = MeasureValue(
        None, reason="given per category", per_category={"A": MeasureValue(0.8, observed=0.1, expected=0.5, weight=2.0)}
    )
    other = MeasureValue(
        None,
        reason="given per category",
        per_category={
            "A": MeasureValue(0.2, observed=0.4, expected=0.5, weight=1.0),
            "B": MeasureValue(0.0, observed=0.5, expected=0.5, weight=1.0),
        },
    )
    found = overall([one, other], 0.95)
    assert found.value is None
    assert found.reason == "given per category"
    assert found.per_category["A"].value == pytest.approx(0.6)
    assert found.per_category["B"].value == 0.0
    assert found.per_category["A"].documents_measured == 2


def test_documents_that_share_their_random_continua_err_together() -> None:
    """Oracle: twice the same estimate has twice its standard error, not its square root of two."""
    alone = MeasureValue(0.5, observed=1.0, expected=2.0, n_samples=50, weight=1.0, chance_sd=0.3, chance_case="c")
    twice = overall([alone, alone], 0.95)
    margin = stats.t.ppf(0.975, 49) * 0.3 / math.sqrt(50)
    assert twice.intervals["chance"].low == pytest.approx(1 - 1 / (2 - margin), rel=1e-9)
    assert twice.n_samples == 50
