# SPDX-License-Identifier: MIT
"""What must hold for any documents: their order, their scale, which side is which. Oracle: the same, otherwise put."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.intervals.bootstrap import difference_interval
from unisono.intervals.jackknife import documents_interval, jackknife_interval
from unisono.intervals.permutation import exchange_test, swap_test
from unisono.intervals.ratios import Ratios

#: (observed over expected, weight times expected) of documents; many alike, some perfect.
DOCUMENTS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0, 1.3]), st.sampled_from([0.5, 1.0, 2.0, 3.5])),
    min_size=2,
    max_size=25,
)


def ratios(documents: list[tuple[float, float]]) -> Ratios:
    return Ratios.of([(str(i), ratio * weight, weight) for i, (ratio, weight) in enumerate(documents)])


def bounds(side: Ratios, level: float = 0.9) -> tuple[float, float] | str | None:
    found = documents_interval(side.numerators, side.denominators, level=level)
    return found.reason if found.interval is None else (found.interval.low, found.interval.high)


@settings(max_examples=60)
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(documents: list[tuple[float, float]], random) -> None:
    shuffled = list(documents)
    random.shuffle(shuffled)
    assert bounds(ratios(shuffled)) == pytest.approx(bounds(ratios(documents)))
    half = len(documents) // 2
    a, b = ratios(documents[:half]), ratios(documents[half:])
    other = documents[:half][::-1]
    test = exchange_test(a, b, permutations=39, seed=2)
    assert exchange_test(ratios(other), b, permutations=39, seed=2) == test


@settings(max_examples=60)
@given(DOCUMENTS, st.sampled_from([0.125, 4.0, 1024.0]))
def test_the_scale_of_weights_does_not_matter(documents: list[tuple[float, float]], scale: float) -> None:
    scaled = [(ratio, weight * scale) for ratio, weight in documents]
    assert bounds(ratios(scaled)) == pytest.approx(bounds(ratios(documents)))


@settings(max_examples=60)
@given(DOCUMENTS)
def test_higher_levels_give_wider_intervals_below_one(documents: list[tuple[float, float]]) -> None:
    narrow, wide = (bounds(ratios(documents), level) for level in (0.5, 0.95))
    if isinstance(narrow, tuple) and isinstance(wide, tuple):
        assert wide[0] <= narrow[0] <= narrow[1] <= wide[1] <= 1


@given(
    st.integers(5, 60),
    st.integers(0, 60),
    st.floats(1e-6, 1.0),
    st.sampled_from([1.0, 1 / 3, 1e-9, 1e9]),
)
def test_few_imperfect_documents_give_a_sane_interval_or_a_reason(n: int, k: int, ratio: float, scale: float) -> None:
    """Whatever the rounding of the disorders: within [-2, 1], around the value, at most 2 wide."""
    rng = np.random.default_rng(n * 100 + k)
    bottom = scale * rng.uniform(0.5, 3, n)
    top = np.where(np.arange(n) < k, ratio * bottom, 0.0)
    found = documents_interval(top, bottom, level=0.95)
    value = 1 - top.sum() / bottom.sum()
    if found.interval is None:
        assert found.reason
        assert found.code is not None
    else:
        assert found.interval.high - found.interval.low <= 2
        assert found.interval.low <= value <= found.interval.high <= 1


@given(st.lists(st.floats(0.0, 1.0), min_size=5, max_size=40), st.floats(0.0, 1.0))
def test_the_interval_of_a_share_is_made_of_shares(left_out: list[float], value: float) -> None:
    found = jackknife_interval(value, left_out, n=len(left_out), level=0.95, is_share=True).interval
    if found is not None:
        assert 0 <= found.low <= value + 1e-12
        assert value - 1e-12 <= found.high <= 1


@settings(max_examples=60)
@given(DOCUMENTS, st.randoms(use_true_random=False))
def test_which_side_is_which_only_turns_the_sign(documents: list[tuple[float, float]], random) -> None:
    other = [(random.choice([0.0, 0.2, 0.7]), weight) for _, weight in documents]
    a, b = ratios(documents), ratios(other)
    for permutations in (39, 9999):
        assert swap_test(a, b, permutations=permutations, seed=3) == swap_test(b, a, permutations=permutations, seed=3)
        assert exchange_test(a, b, permutations=permutations, seed=3).p == pytest.approx(
            exchange_test(b, a, permutations=permutations, seed=3).p
        )
    there, back = (
        difference_interval(x, y, paired=True, level=0.9, seed=1, resamples=199).interval for x, y in ((a, b), (b, a))
    )
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-9)


@settings(max_examples=40)
@given(DOCUMENTS, DOCUMENTS)
def test_p_is_a_probability_above_zero(a: list[tuple[float, float]], b: list[tuple[float, float]]) -> None:
    found = exchange_test(ratios(a), ratios(b), permutations=39, seed=1)
    if found.p is None:
        assert found.reason
    else:
        assert 1 / (found.n_permutations + 1) <= found.p <= 1
        assert np.isclose(found.p * (found.n_permutations + 1) % 1, [0, 1]).any()
