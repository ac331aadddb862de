# SPDX-License-Identifier: MIT
"""The 95 % chance interval, counted: how often it covers the value of a run of 200,000 samples (oracle: that run).

2,000 consecutive seeds on each of three small continua, with a fixed number of samples and with as many as a precision
asks for. A count is accepted within 93.4 to 96.6 %: binomial, 0.1 % two-sided. Sampling that ends when the interval is
narrow enough covers a little less than one of given length: from 93 %, as in test_control_variates.py.
"""

from __future__ import annotations

import pytest
from scipy import stats

from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.sampling import Sampling

SEEDS = range(1, 2001)
LONG_RUN = 200_000
LOW, HIGH = 0.934, 0.966

CONTINUA = {
    "two annotators": Continuum.of(
        {
            "ann": [(0, 6, "A"), (10, 14, "B"), (20, 27, "A")],
            "bob": [(1, 6, "A"), (9, 14, "A"), (22, 27, "B"), (33, 36, "B")],
        },
        extent=(0, 40),
        name="two annotators",
    ),
    "three annotators": Continuum.of(
        {
            "ann": [(1, 10, "A"), (13, 17, "B")],
            "bob": [(1, 10, "B"), (14, 18, "B")],
            "cem": [(2, 12, "A"), (16, 24, "C")],
        },
        extent=(0, 26),
        name="three annotators",
    ),
    "real numbers": Continuum.of(
        {
            "ann": [(0.5, 2.25, "A"), (4.0, 5.5, "B"), (7.75, 9.0, "C")],
            "bob": [(0.75, 2.5, "A"), (4.25, 5.0, "C"), (12.5, 14.0, "B")],
            "cem": [(0.5, 2.0, "B"), (7.5, 9.25, "C")],
            "dee": [(0.25, 2.0, "A"), (4.0, 5.25, "B")],
        },
        extent=(0.0, 18.0),
        name="real numbers",
    ),
}

#: One of four annotators marked nothing: random continua made of few units spread the disorders to one side.
SKEWED = Continuum.of(
    {**{name: CONTINUA["real numbers"].units_of(name) for name in ("ann", "bob", "cem")}, "dee": []},
    extent=(0.0, 18.0),
    name="skewed",
)


def test_the_bounds_are_those_of_the_binomial_law() -> None:
    """Oracle: scipy's binomial quantiles for 2,000 trials at 95 %."""
    low, high = stats.binom.ppf([0.0005, 0.9995], 2000, 0.95) / 2000
    assert (low, high) == pytest.approx((LOW, HIGH), abs=0.001)


def covered(continuum: Continuum, truth: float, sampling: Sampling) -> float:
    """The share of seeds whose interval holds the true value."""
    hits = 0
    for seed in SEEDS:
        found = gamma(continuum, sampling=sampling, seed=seed).intervals["chance"]
        hits += found.low <= truth <= found.high
    return hits / len(SEEDS)


@pytest.mark.long
@pytest.mark.parametrize(
    "sampling", [Sampling(samples=30), Sampling(precision=0.02)], ids=["30 samples", "precision 0.02"]
)
@pytest.mark.parametrize("name", CONTINUA)
def test_coverage(name: str, sampling: Sampling) -> None:
    continuum = CONTINUA[name]
    truth = gamma(continuum, sampling=Sampling(samples=LONG_RUN), seed=0, threads=2).value
    assert truth is not None
    share = covered(continuum, truth, sampling)
    print(f"{name}, {sampling.signature}: {share:.2%}")  # shown with pytest -s
    assert (LOW if sampling.samples else 0.93) <= share <= HIGH


@pytest.mark.long
def test_coverage_with_a_silent_annotator() -> None:
    """Student's interval takes means to be normal; 30 samples of so skewed a law (1.24) are a little few for that.

    Measured over 10,000 other seeds: 93.5 % with 30 samples, so a count of 2,000 is expected within 91.6 to 95.2 %.
    """
    truth = gamma(SKEWED, sampling=Sampling(samples=LONG_RUN), seed=0, threads=2).value
    assert truth is not None
    few, precise = (covered(SKEWED, truth, s) for s in (Sampling(samples=30), Sampling(precision=0.02)))
    print(f"skewed: {few:.2%}, {precise:.2%}")
    assert 0.916 <= few <= 0.952
    assert LOW <= precise <= HIGH
