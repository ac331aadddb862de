# SPDX-License-Identifier: MIT
"""Verdicts of a benchmark. Oracle: the slow twin, on scipy's t distribution; and curves whose answer is plain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from reference import verdicts as twin
from unisono.experiments.verdicts import QUESTIONS, band, verdicts

MAGNITUDES = tuple(round(0.05 * i, 2) for i in range(21))


def answers(magnitudes: tuple[float, ...], values: np.ndarray) -> dict[str, str]:
    found = verdicts(magnitudes, values)
    return {name: getattr(found, name).answer for name in QUESTIONS}


def expected(magnitudes: tuple[float, ...], values: np.ndarray) -> dict[str, str]:
    rows = [[None if np.isnan(v) else float(v) for v in row] for row in values]
    return {
        "starts_at_1": twin.starts_at_1(magnitudes, rows),
        "reaches_0": twin.reaches_0(magnitudes, rows),
        "strictly_decreasing": twin.strictly_decreasing(rows),
        "never_below_0": twin.never_below_0(rows),
        "full_range": twin.full_range(magnitudes, rows),
    }


def curve(means: list[float], noise: float, sets: int = 40, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array(means)[:, None] + noise * rng.standard_normal((len(means), sets))


def test_a_band_is_students_interval() -> None:
    values = np.random.default_rng(1).normal(0.4, 0.1, 40)
    found = band(values, 0.9975)
    assert found is not None
    low, high = t.interval(0.9975, 39, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(40))
    assert (found.mean, found.low, found.high) == pytest.approx((values.mean(), low, high), abs=1e-12)
    assert found.n == 40
    with_gaps = np.append(values, [np.nan, np.nan])
    assert band(with_gaps, 0.9975) == found
    assert band(np.array([0.3, np.nan])) is None


def test_the_ideal_curve_meets_every_desideratum() -> None:
    values = curve([1 - m for m in MAGNITUDES], 0.01)
    values[0] = 1.0
    assert answers(MAGNITUDES, values) == dict.fromkeys(QUESTIONS, "yes")


def test_a_flat_part_is_not_strictly_decreasing() -> None:
    """uα under splits: 1 in every set at every magnitude."""
    assert answers(MAGNITUDES, np.ones((21, 40))) == {
        "starts_at_1": "yes",
        "reaches_0": "no",
        "strictly_decreasing": "no",
        "never_below_0": "yes",
        "full_range": "no",
    }


def test_a_rise_is_found_where_it_is() -> None:
    means = [1 - m for m in MAGNITUDES]
    means[10] = means[9] + 0.05
    found = verdicts(MAGNITUDES, curve(means, 0.01)).strictly_decreasing
    assert found.answer == "no"
    assert found.magnitudes == (0.45, 0.5)
    assert found.value == pytest.approx(0.05, abs=0.01)
    assert found.low is not None
    assert found.low > 0


def test_noise_leaves_it_open() -> None:
    found = verdicts(MAGNITUDES, curve([1 - m for m in MAGNITUDES], 0.5))
    assert found.strictly_decreasing.answer == "undecided"
    assert found.reaches_0.answer == "undecided"


def test_below_zero() -> None:
    """SER under splits goes to -0.28."""
    values = curve([1 - 1.28 * m for m in MAGNITUDES], 0.02)
    found = verdicts(MAGNITUDES, values)
    assert (found.never_below_0.answer, found.never_below_0.magnitudes) == ("no", (1.0,))
    assert found.full_range.answer == "no"


def test_rounding_is_neither_a_step_up_nor_down() -> None:
    values = np.ones((3, 40))
    values[1] -= 1e-15
    assert verdicts((0.0, 0.5, 1.0), values).strictly_decreasing.answer == "no"


def test_no_value_at_magnitude_1() -> None:
    """False negatives leave nothing at 1: the ends are undecided, with the nearest number; the rest is judged."""
    values = curve([1 - m for m in MAGNITUDES], 0.005)
    values[-1] = np.nan
    found = verdicts(MAGNITUDES, values)
    assert found.reaches_0.answer == found.full_range.answer == "undecided"
    assert found.reaches_0.magnitudes == (0.95,)
    assert str(found.reaches_0).endswith("at 0.95; no two sets have a value at 1")
    assert found.strictly_decreasing.answer == "yes"
    assert "at 1" in found.strictly_decreasing.note


@pytest.mark.parametrize("magnitudes", [(0.0,), (0.5,), (1.0,), (0.2, 0.8)])
def test_few_magnitudes(magnitudes: tuple[float, ...]) -> None:
    values = curve([1 - m for m in magnitudes], 0.001)
    assert answers(magnitudes, values) == expected(magnitudes, values)
    assert answers(magnitudes, np.full_like(values, np.nan)) == dict.fromkeys(QUESTIONS, "undecided")


def test_one_set_decides_nothing() -> None:
    values = np.array([[1.0], [0.5], [0.0]])
    assert answers((0.0, 0.5, 1.0), values) == dict.fromkeys(QUESTIONS, "undecided")


@given(
    seed=st.integers(0, 2**32 - 1),
    noise=st.sampled_from([0.0, 0.001, 0.01, 0.05, 0.3]),
    end=st.sampled_from([-0.3, -0.06, -0.02, 0.0, 0.04, 0.2, 1.0]),
    sets=st.integers(1, 12),
    lost=st.sampled_from([0.0, 0.1, 0.6]),
    magnitudes=st.sampled_from([MAGNITUDES, (0.0, 0.5, 1.0), (0.0, 1.0), (0.3, 0.6)]),
)
def test_against_the_twin(
    seed: int, noise: float, end: float, sets: int, lost: float, magnitudes: tuple[float, ...]
) -> None:
    values = curve([1 - (1 - end) * m for m in magnitudes], noise, sets, seed)
    values[np.random.default_rng(seed).random(values.shape) < lost] = np.nan
    assert answers(magnitudes, values) == expected(magnitudes, values)


def test_bonferroni_bands_hold_together() -> None:
    """On a curve with one flat step of true difference 0, `no` comes up in at most about 2.5 % / 20 of benchmarks."""
    means = [1 - m for m in MAGNITUDES]
    means[10] = means[9]
    wrong = sum(verdicts(MAGNITUDES, curve(means, 0.01, seed=seed)).strictly_decreasing.answer == "no"
                for seed in range(300))  # fmt: skip
    assert wrong <= 4
