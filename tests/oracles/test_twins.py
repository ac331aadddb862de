# SPDX-License-Identifier: MIT
"""The slow twins prove each other before anything fast is held against them."""

from __future__ import annotations

from functools import cache
from math import comb, factorial

import numpy as np
import pytest
from scipy import stats

from generators import described, random_weights, tiny_continuum
from oracles.checks import slow
from oracles.integer_program import solved
from reference import chance, student
from reference.alignment import (
    TIE,
    alignment_disorder,
    alignments,
    brute_force,
    costs,
    members_disorder,
    unitary_alignments,
)
from unisono.model import Continuum


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(s, marks=pytest.mark.long) for s in range(4, 24))])
def test_brute_force_equals_the_integer_program(seed: int) -> None:
    """Oracle: scipy.optimize.milp on all tuples, with the safe pruning of Eq. 9 and without."""
    rng = np.random.default_rng([seed, 1])
    for _ in range(50):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        best = brute_force(continuum, slow(weights), weights.delta_empty)
        for pruned in (False, True):
            other = solved(continuum, slow(weights), weights.delta_empty, pruned=pruned)
            assert other == pytest.approx(best.disorder, abs=1e-9), (described(continuum), weights, pruned)


def test_brute_force_counts_every_tie() -> None:
    """Oracle: a second count, by recursion over the set of units left, that never lists an alignment."""
    rng = np.random.default_rng(2)
    several = 0
    for _ in range(200):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        cost = costs(continuum, slow(weights), weights.delta_empty)

        @cache
        def lowest(left: frozenset[int], cost: dict = cost) -> tuple[float, int]:
            if not left:
                return 0.0, 1
            first = min(left)
            found = []
            for members, price in cost.items():
                if first in members and left.issuperset(members):
                    rest, ways = lowest(left - set(members))
                    found.append((price + rest, ways))
            least = min(total for total, _ in found)
            return least, sum(ways for total, ways in found if total <= least + TIE)

        best = brute_force(continuum, slow(weights), weights.delta_empty)
        total, ways = lowest(frozenset(range(len(continuum))))
        assert total / continuum.mean_units == pytest.approx(best.disorder, abs=1e-9)
        assert ways == len(set(best.tied)) == len(best.tied), (described(continuum), weights)
        several += ways > 1
    assert several > 20, "ties must be common among the random continua"


def test_every_tied_alignment_has_the_lowest_disorder_by_equation_7() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        best = brute_force(continuum, slow(weights), weights.delta_empty)
        for alignment in best.tied:
            disorder = alignment_disorder(continuum, alignment, slow(weights), weights.delta_empty)
            assert disorder == pytest.approx(best.disorder, abs=1e-9)


def test_the_quick_costs_are_those_of_equation_6() -> None:
    rng = np.random.default_rng(4)
    for _ in range(50):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        d = slow(weights)
        for members, cost in costs(continuum, d, weights.delta_empty).items():
            assert cost == pytest.approx(members_disorder(continuum, members, d, weights.delta_empty), rel=1e-12)


def test_the_enumerations_are_complete() -> None:
    """Oracle: counting. Two annotators: choose k of each and match them; one unit each: the Bell numbers."""
    for p, q in [(1, 0), (2, 3), (4, 4)]:
        two = Continuum.of({"a": [(i, i + 1) for i in range(p)], "b": [(i, i + 1) for i in range(q)]})
        expected = sum(comb(p, k) * comb(q, k) * factorial(k) for k in range(min(p, q) + 1))
        found = list(alignments(two))
        assert len(found) == len({tuple(sorted(a)) for a in found}) == expected
        assert len(list(unitary_alignments(two))) == (p + 1) * (q + 1) - 1
    for n, bell in [(2, 2), (3, 5), (4, 15), (5, 52), (6, 203)]:
        assert len(list(alignments(Continuum.of({str(i): [(0, 1)] for i in range(n)})))) == bell


@pytest.mark.parametrize(("p", "df"), [(0.975, 1), (0.975, 2), (0.975, 29), (0.995, 4), (0.3, 7), (0.5, 3)])
def test_the_slow_quantile_is_students(p: float, df: int) -> None:
    """Oracle: scipy.stats.t."""
    assert student.quantile(p, df) == pytest.approx(stats.t.ppf(p, df), abs=1e-7)


@pytest.mark.parametrize(("n", "length", "distance"), [(2, 5, 1), (2, 9, 3), (3, 7, 2), (3, 11, 2.5), (4, 9, 1)])
def test_the_number_of_admissible_shifts(n: int, length: int, distance: float) -> None:
    """Oracle: stars and bars: n distinct places out of L - (n-1)(D-1), labelled."""
    steps = int(np.ceil(distance))
    expected = comb(length - (n - 1) * (steps - 1), n) * factorial(n)
    assert len(list(chance.admissible_shifts(n, length, distance))) == expected
