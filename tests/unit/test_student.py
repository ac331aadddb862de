# SPDX-License-Identifier: MIT
"""Student's quantile. Oracles: scipy.stats.t.ppf; the slow twin in tests/reference/student.py; symmetry."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reference import student
from unisono.sampling.student import MANY, student_quantile

PROBABILITIES = [*np.linspace(0.5, 0.9999, 41).tolist(), 0.50001, 0.975, 0.995, 0.9995, 0.99995, 0.999999]


@pytest.mark.parametrize("df", [*range(1, 12), 29, 30, 61, 200, MANY - 1, MANY, MANY + 1, 999, 9_999, 100_000])
def test_the_quantile_is_scipys(df: int) -> None:
    """To 1e-9, whichever way it is computed."""
    for p in PROBABILITIES:
        assert student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9, abs=1e-9), p


@pytest.mark.parametrize("df", [1, 2, 29, 10_000])
def test_the_distribution_is_symmetric(df: int) -> None:
    for p in (0.025, 0.2, 0.4999):
        assert student_quantile(p, df) == -student_quantile(1 - p, df)
        assert student_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("df", [2, 29, MANY])
def test_the_quantile_equals_the_twin(df: int) -> None:
    """The density integrated by Simpson's rule."""
    assert student_quantile(0.975, df) == pytest.approx(student.quantile(0.975, df), abs=1e-7)
