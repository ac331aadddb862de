# SPDX-License-Identifier: MIT
"""Tied best alignments against brute force over all alignments: their number, which they are, ranges over them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from generators import Weights, note_case, random_weights, spread_continuum, tiny_continuum
from oracles.checks import check_alignment, fast, slow
from reference.alignment import brute_force, members_of
from reference.dissimilarity import combined, sporadic
from reference.ties import EVERY, category_disorder, range_over
from unisono.alignment import best_alignment
from unisono.alignment.ties import TieRange, gamma_cat_range, gamma_k_range, tied_optima
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import ParameterError
from unisono.model import Continuum

LONG = pytest.mark.long

d_cat = combined(alpha=0.0, beta=1.0)


def check_range(found: TieRange, continuum: Continuum, best: object, category: object, twice: bool = False) -> None:
    expected = range_over(continuum, best, sporadic, d_cat, category, twice=twice)
    if expected.low is None:
        assert found.low is None
        assert found.high is None
        assert found.reason
    else:
        assert found.low == pytest.approx(expected.low, abs=1e-9)
        assert found.high == pytest.approx(expected.high, abs=1e-9)
    assert found.may_be_undefined == expected.may_be_undefined


def check_against_brute_force(continuum: Continuum, weights: Weights) -> int:
    best = brute_force(continuum, slow(weights), weights.delta_empty)
    tied = tied_optima(continuum, fast(weights))
    assert tied.number == len(best.tied)
    listed = list(tied.alignments())
    assert len(listed) == tied.number
    partitions = {tuple(sorted(members_of(each.group.tolist()))) for each in listed}
    assert partitions == {tuple(sorted(parts)) for parts in best.tied}
    for each in listed[:5]:
        check_alignment(continuum, each, slow(weights), weights.delta_empty)
    assert set(tied.unitary_alignments) == {part for parts in best.tied for part in parts}
    check_range(gamma_cat_range(tied), continuum, best, EVERY)
    for category in continuum.categories:
        check_range(gamma_k_range(tied, category), continuum, best, category)
        check_range(gamma_k_range(tied, category, pairs="twice"), continuum, best, category, twice=True)
    check_range(gamma_k_range(tied, None), continuum, best, None)
    return len(best.tied)


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(s, marks=LONG) for s in range(20, 200))])
def test_equals_brute_force_on_tiny_continua(seed: int) -> None:
    """Oracle: brute force over all partitions, 2 to 5 annotators, few integer positions. 100 continua a seed."""
    rng = np.random.default_rng([seed, 30])
    several = 0
    for k in range(100):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        with note_case(f"seed {seed}, case {k}: {weights}", continuum):
            several += check_against_brute_force(continuum, weights) > 1
    assert several >= 10  # the test would say little without ties


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=LONG) for s in range(1, 15))])
def test_equals_brute_force_on_nine_units(seed: int) -> None:
    """Oracle: brute force, larger parts, up to seven annotators."""
    rng = np.random.default_rng([seed, 31])
    for k in range(25):
        continuum, weights = tiny_continuum(rng, most_units=9, most_annotators=7), random_weights(rng)
        with note_case(f"seed {seed}, case {k}: {weights}", continuum):
            check_against_brute_force(continuum, weights)


def crossed(copies: int) -> Continuum:
    """In each of some far-away places ann has two equal units, bob an A and a B: two ways each, by symmetry."""
    ann, bob = [], []
    for i in range(copies):
        at = 1000 * i
        ann += [(at, at + 10, "A"), (at, at + 10, "A")]
        bob += [(at, at + 10, "A"), (at, at + 10, "B")]
    return Continuum.of({"ann": ann, "bob": bob})


def test_numbers_beyond_any_machine_word() -> None:
    """Oracle: by hand, 2 to the power of the number of places; every alignment has the same pairs of categories."""
    tied = tied_optima(crossed(200))
    assert tied.number == 2**200
    assert gamma_cat_range(tied) == TieRange(0.5, 0.5)


def test_many_ways_inside_one_part() -> None:
    """Oracle: by hand. Equal units of two annotators can be paired in any order: 7! ways; the ranges stay points."""
    units = [(0, 10, "A")] * 7
    tied = tied_optima(Continuum.of({"ann": units, "bob": units}))
    assert tied.number == math.factorial(7)
    assert gamma_cat_range(tied) == TieRange(0.0, 0.0)


def test_a_range_by_hand() -> None:
    """Oracle: by hand. With alpha = 1, beta = 0 bob's A and B are as good for ann's A: disorder 0 or 1."""
    continuum = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "A"), (0, 10, "B")]})
    tied = tied_optima(continuum, CombinedDissimilarity(beta=0))
    assert tied.number == 2
    assert gamma_cat_range(tied) == TieRange(0.0, 1.0)
    assert gamma_k_range(tied, "A") == TieRange(0.0, 1.0)
    assert gamma_k_range(tied, "B") == TieRange(1.0, 1.0, may_be_undefined=True)
    assert gamma_cat_range(tied).agreement(0.5) == TieRange(-1.0, 1.0)
    assert gamma_cat_range(tied).agreement(0.0).low is None


@pytest.mark.parametrize(("p", "q", "gap"), [(2, 300, 0), (3, 150, 0), (3, 150, 1), (4, 40, 0), (6, 20, 1), (8, 10, 0)])
def test_continuous_positions_have_one_best_alignment(p: int, q: int, gap: int) -> None:
    """Oracle: the aligner. No two sums are equal, so the best alignment is the only one; ranges are its values."""
    continuum = spread_continuum(p, q, gap, seed=31)
    best = best_alignment(continuum)
    tied = tied_optima(continuum, alignment=best)
    assert tied.number == 1
    assert tied.is_unique
    (only,) = tied.alignments()
    assert only.group.tolist() == best.group.tolist()
    np.testing.assert_allclose(only.disorders, best.disorders, rtol=0, atol=1e-12)
    expected = category_disorder(continuum, members_of(best.group.tolist()), sporadic, d_cat)
    found = gamma_cat_range(tied)
    assert found.low == found.high == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("p", "q"), [(3, 60), (4, 30)])
def test_places_far_apart_multiply(p: int, q: int) -> None:
    """Oracle: the same on each place by itself; the number is the product, the range that of the summed parts."""
    rng = np.random.default_rng([p, q, 32])
    places = [tiny_continuum(rng, most_units=5, most_annotators=3) for _ in range(q // 10)]
    numbers = [tied_optima(place_with(place, 0, p)).number for place in places]
    whole = together([place_with(place, 10_000 * i, p) for i, place in enumerate(places)])
    assert tied_optima(whole).number == math.prod(numbers)


def place_with(continuum: Continuum, at: int, p: int) -> Continuum:
    names = [f"a{i}" for i in range(p)]
    units = {name: [] for name in names}
    for unit, code in zip(continuum, continuum.annotator_codes.tolist(), strict=True):
        units[names[code % p]].append((unit.start + at, unit.end + at, unit.category))
    return Continuum.of(units)


def together(places: list[Continuum]) -> Continuum:
    units = {name: [] for name in places[0].annotators}
    for place in places:
        for unit in place:
            units[unit.annotator].append((unit.start, unit.end, unit.category))
    return Continuum.of(units)


def test_a_limit_is_said() -> None:
    """Oracle: the unlimited number. 9! ways need more than ten states."""
    units = [(0, 10, "A")] * 9
    tied = tied_optima(Continuum.of({"ann": units, "bob": units}), limit=10)
    assert tied.number is None
    assert "limit" in tied.reason
    assert gamma_cat_range(tied).reason == gamma_k_range(tied, "A").reason == tied.reason
    with pytest.raises(ParameterError, match="the search for the tied alignments is not complete"):
        next(tied.alignments())


def test_an_alignment_that_is_not_proven_has_no_known_ties() -> None:
    continuum = spread_continuum(5, 20, 0, seed=1)
    tied = tied_optima(continuum, memory_limit=1)
    assert tied.number is None
    assert "not proven" in tied.reason


def test_wrong_alignments_are_refused() -> None:
    continuum = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "B")]})
    other = Continuum.of({"ann": [(0, 10, "A")], "bob": [(0, 10, "B")]})
    with pytest.raises(ParameterError, match="another continuum"):
        tied_optima(continuum, alignment=best_alignment(other))
    apart = best_alignment(continuum, CombinedDissimilarity(beta=5))
    with pytest.raises(ParameterError, match="best alignment under this dissimilarity"):
        tied_optima(continuum, alignment=apart)
    with pytest.raises(ParameterError, match="at least 1"):
        tied_optima(continuum, limit=0)
    with pytest.raises(ParameterError, match="The categories are: A, B"):
        gamma_k_range(tied_optima(continuum), "C")
