# SPDX-License-Identifier: MIT
"""γ: full agreement, place and scale, threads, extension."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import NAMES, Weights, moved
from oracles.checks import fast
from properties.strategies import continua, weights
from unisono.chance import Shift
from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.results import MeasureValue
from unisono.sampling import Sampling


def measured(continuum: Continuum, w: Weights, *, samples: int = 12, seed: int = 1, threads: int = 1) -> MeasureValue:
    return gamma(
        continuum,
        dissimilarity=fast(w),
        chance=Shift(),
        sampling=Sampling(samples=samples),
        seed=seed,
        threads=threads,
    )


@given(continua(most=4, annotators=2), st.integers(2, 5), weights, st.integers(0, 2**32))
@settings(max_examples=50)
def test_identical_annotators_agree_fully(continuum: Continuum, n: int, w: Weights, seed: int) -> None:
    rows = next(units for name in continuum.annotators if (units := continuum.units_of(name)))
    found = measured(Continuum.of(dict.fromkeys(NAMES[:n], rows)), w, seed=seed)
    assert found.observed == 0
    assert found.value == 1


@given(continua(), weights, st.integers(0, 2**32), st.sampled_from([10**9, -7]))
@settings(max_examples=50)
def test_place_does_not_count(continuum: Continuum, w: Weights, seed: int, shift: int) -> None:
    """The shifts are drawn within the extent, wherever it begins: the same samples, the same bits."""
    first, other = measured(continuum, w, seed=seed), measured(moved(continuum, shift=shift), w, seed=seed)
    assert other.chance_disorders.tobytes() == first.chance_disorders.tobytes()
    assert other.value == first.value


@given(continua(), weights, st.integers(0, 2**32), st.integers(2, 4), st.integers(2, 20), st.integers(1, 20))
@settings(max_examples=50)
def test_threads_and_extension(continuum: Continuum, w: Weights, seed: int, threads: int, some: int, more: int) -> None:
    """One thread or several, a short run or a long one: the first samples are the same bits."""
    short = measured(continuum, w, samples=some, seed=seed)
    long = measured(continuum, w, samples=some + more, seed=seed, threads=threads)
    assert long.chance_disorders[:some].tobytes() == short.chance_disorders.tobytes()


@given(continua(), weights, st.integers(0, 2**32))
@settings(max_examples=50)
def test_gamma_is_at_most_one(continuum: Continuum, w: Weights, seed: int) -> None:
    found = measured(continuum, w, seed=seed)
    if found.value is None:
        assert found.reason
        assert found.expected == 0
    else:
        assert found.value <= 1
        assert found.value == pytest.approx(1 - found.observed / found.expected if found.expected else 1)
