# SPDX-License-Identifier: MIT
"""Tails of distributions. Oracle: scipy.stats and scipy.special."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from unisono.diagnosis.probability import binomial_tail, incomplete_beta, normal_tail, student_tail


def test_incomplete_beta() -> None:
    random = np.random.default_rng(1)
    a, b = np.exp(random.uniform(-2, 9, (2, 2000)))
    x = np.concatenate((random.random(1000), stats.beta(a[1000:], b[1000:]).rvs(random_state=random)))
    assert incomplete_beta(a, b, x) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-13)
    assert incomplete_beta(2, 3, [0.0, 1.0]).tolist() == [0, 1]


@pytest.mark.parametrize("df", [1, 2, 5, 29, 1000, 100_000])
def test_student(df: int) -> None:
    t = np.array([-50, -3, -0.1, 0, 0.5, 2, 7, 40, 1e9])
    assert student_tail(t, df) == pytest.approx(stats.t(df).sf(t), rel=1e-7, abs=1e-280)
    assert student_tail([np.inf, -np.inf], df).tolist() == [0, 1]


def test_student_without_degrees_of_freedom() -> None:
    assert student_tail([3.0, np.inf], 0).tolist() == [0.5, 0.5]


def test_binomial() -> None:
    random = np.random.default_rng(2)
    n = random.integers(1, 3000, 2000)
    k = random.integers(0, n + 1)
    p = random.random(2000)
    assert binomial_tail(k, n, p) == pytest.approx(stats.binom(n, p).sf(k - 1), rel=1e-7, abs=1e-280)
    assert binomial_tail([0, 4, 1], [3, 3, 3], [0.5, 0.5, 0.0]).tolist() == [1, 0, 0]


def test_normal() -> None:
    z = np.linspace(-8, 30, 50)
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-9)
