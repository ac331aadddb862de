# SPDX-License-Identifier: MIT
"""The aligner against brute force and against an independent integer program; its proofs, its limits."""

from __future__ import annotations

import numpy as np
import pytest

from generators import (
    Weights,
    crowded_continuum,
    described,
    long_segments,
    mirrored,
    note_case,
    random_weights,
    spread_continuum,
    tiny_continuum,
)
from oracles.checks import check_alignment, check_proven, contents, contents_of, fast, slow
from oracles.integer_program import n_tuples, solved
from reference import chance
from reference.alignment import brute_force, dual_slack, members_of
from unisono.alignment import best_alignment
from unisono.chance import Shift
from unisono.model import Continuum

LONG = pytest.mark.long


def check_against_brute_force(continuum: Continuum, weights: Weights) -> None:
    d = slow(weights)
    alignment = best_alignment(continuum, fast(weights))
    best = brute_force(continuum, d, weights.delta_empty)
    check_alignment(continuum, alignment, d, weights.delta_empty)
    check_proven(alignment)
    assert alignment.disorder == pytest.approx(best.disorder, abs=1e-9)
    slack = dual_slack(continuum, alignment.duals.tolist(), d, weights.delta_empty)
    assert slack >= -1e-9, f"a unitary alignment is cheaper than its duals by {-slack}"
    # The tie rule: one of the best, with the most unitary alignments among them.
    assert len(alignment) == best.most
    assert contents_of(alignment) in [contents(continuum, parts) for parts in best.tied]


@pytest.mark.parametrize("seed", [*range(30), *(pytest.param(s, marks=LONG) for s in range(30, 200))])
def test_equals_brute_force_on_tiny_continua(seed: int) -> None:
    """Oracle: brute force over all partitions; the duals, over all unitary alignments. 100 continua a seed."""
    rng = np.random.default_rng([seed, 10])
    for k in range(100):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        with note_case(f"seed {seed}, case {k}: {weights}", continuum):
            check_against_brute_force(continuum, weights)


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=LONG) for s in range(1, 15))])
def test_equals_brute_force_on_nine_and_ten_units(seed: int) -> None:
    """Oracle: brute force, where parts are larger; up to seven annotators."""
    rng = np.random.default_rng([seed, 11])
    done = 0
    while done < 40:
        continuum, weights = tiny_continuum(rng, most_units=10, most_annotators=7), random_weights(rng)
        if len(continuum) < 9:
            continue
        done += 1
        with note_case(f"seed {seed}, case {done}: {weights}", continuum):
            check_against_brute_force(continuum, weights)


KINDS = [(2, 60), (2, 100), (3, 12), (3, 20), (4, 8), (4, 10), (5, 6), (6, 4)]


@pytest.mark.parametrize(("p", "q"), KINDS)
@pytest.mark.parametrize("gap", [0, 1])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=LONG) for s in range(1, 6))])
def test_equals_the_integer_program_on_mid_size_continua(p: int, q: int, gap: int, shuffled: bool, seed: int) -> None:
    """Oracle: scipy.optimize.milp on all tuples that cost no more than their units alone (Eq. 9, sharpened).

    test_twins holds the program with that pruning against the one without; so does the test after this one.
    """
    continuum = spread_continuum(p, q, gap, seed=seed)
    if shuffled:
        continuum = chance.as_continuum(continuum, chance.draw(continuum, seed=seed, sample=0).units)
    for weights in (Weights(), Weights(alpha=3.0, beta=0.5, delta_empty=0.5)):
        alignment = best_alignment(continuum, fast(weights))
        check_alignment(continuum, alignment, slow(weights), weights.delta_empty)
        check_proven(alignment)
        expected = solved(continuum, slow(weights), weights.delta_empty, pruned=True)
        assert alignment.disorder == pytest.approx(expected, abs=1e-7), (weights, described(continuum))


@pytest.mark.parametrize(
    ("p", "q"),
    [(2, 60), (3, 8), (4, 6), *(pytest.param(p, q, marks=LONG) for p, q in [(2, 120), (3, 20), (4, 10), (5, 6)])],
)
@pytest.mark.parametrize("gap", [0, 1])
def test_equals_the_integer_program_on_all_tuples(p: int, q: int, gap: int) -> None:
    """Oracle: scipy.optimize.milp on the fully enumerated tuples, nothing pruned."""
    continuum = spread_continuum(p, q, gap, seed=20, integers=True)
    assert n_tuples(continuum) <= 20_000
    alignment = best_alignment(continuum, fast(Weights()))
    check_proven(alignment)
    assert alignment.disorder == pytest.approx(solved(continuum, slow(Weights()), 1.0), abs=1e-7)


@pytest.mark.parametrize(
    ("p", "q"),
    [(6, 2), (7, 2), (9, 1), (11, 1), *(pytest.param(p, q, marks=LONG) for p, q in [(6, 3), (8, 2), (12, 1)])],
)
def test_equals_the_integer_program_on_crowded_continua(p: int, q: int) -> None:
    """Oracle: scipy.optimize.milp, duals over all tuples. Too many columns per unit to list: they are priced."""
    rng = np.random.default_rng([p, q, 22])
    for k in range(4):
        continuum = crowded_continuum(rng, p, q)
        weights = (Weights(), Weights(alpha=3.0))[k % 2]
        alignment = best_alignment(continuum, fast(weights))
        check_alignment(continuum, alignment, slow(weights), 1.0)
        check_proven(alignment)
        expected = solved(continuum, slow(weights), 1.0, pruned=True)
        assert alignment.disorder == pytest.approx(expected, abs=1e-7), (weights, described(continuum))
        slack = dual_slack(continuum, alignment.duals.tolist(), slow(weights), 1.0)
        assert slack >= -1e-9, (weights, described(continuum))


@pytest.mark.parametrize(
    "continuum",
    [
        *(spread_continuum(p, q, gap, seed=p) for p, q, gap in ((20, 4, 1), (24, 6, 0), (30, 4, 1), (35, 3, 0))),
        *(long_segments(5, 60, seed=seed) for seed in range(4)),
        pytest.param(spread_continuum(35, 8, 1, seed=1), marks=LONG),
        *(pytest.param(long_segments(5, 150, seed=seed), marks=LONG) for seed in range(10)),
    ],
    ids=lambda continuum: continuum.name,
)
def test_the_mirrored_continuum_has_the_same_optimum(continuum: Continuum) -> None:
    """Oracle: the same problem in another order, which is searched in another way and has a proof of its own."""
    there, back = best_alignment(continuum), best_alignment(mirrored(continuum))
    assert there.is_proven
    assert back.is_proven
    assert there.disorder == pytest.approx(back.disorder, rel=1e-9)


def test_duals_hold_for_every_tuple_of_a_mid_size_continuum() -> None:
    """Oracle: all tuples; no column has a negative reduced cost."""
    for p, q, gap in [(2, 60, 0), (3, 15, 0), (4, 8, 1), (5, 5, 0)]:
        continuum = spread_continuum(p, q, gap, seed=21)
        for weights in (Weights(), Weights(alpha=3.0, delta_empty=2.0)):
            alignment = best_alignment(continuum, fast(weights))
            slack = dual_slack(continuum, alignment.duals.tolist(), slow(weights), weights.delta_empty)
            assert slack >= -1e-9, (p, q, gap, weights)


@pytest.fixture(scope="module")
def hard() -> Continuum:
    """Ten annotators, sixty units each without gaps, every annotator shifted: nothing fits well."""
    continuum = spread_continuum(10, 60, 0, seed=5)
    return chance.as_continuum(continuum, chance.draw(continuum, seed=5, sample=0).units)


@pytest.fixture(scope="module")
def optimum(hard: Continuum) -> float:
    alignment = best_alignment(hard, fast(Weights()))
    check_proven(alignment)
    check_alignment(hard, alignment, slow(Weights()), 1.0)
    return alignment.disorder


@pytest.mark.parametrize(
    ("limit", "option"),
    [("effort", {"effort": 1.0}), ("time", {"time_limit": 0.001}), ("memory", {"memory_limit": 200_000})],
)
def test_a_limit_gives_the_best_found_with_its_gap(hard: Continuum, optimum: float, limit: str, option: dict) -> None:
    """Oracle: the unlimited run. Bound <= true optimum <= value, and the gap is said."""
    alignment = best_alignment(hard, fast(Weights()), **option)
    check_alignment(hard, alignment, slow(Weights()), 1.0)
    assert alignment.limit == limit
    assert not alignment.is_proven
    assert alignment.lower_bound <= optimum + 1e-9
    assert optimum <= alignment.disorder + 1e-9
    assert alignment.gap > 0


@pytest.mark.parametrize("memory_limit", [12_000, 16_000, 18_000, 22_000])
@pytest.mark.parametrize("seed", range(4))
def test_what_a_stopped_search_proves(seed: int, memory_limit: int) -> None:
    """Oracles: all tuples, of which none may have a negative reduced cost; the unlimited run.

    The limits stop the search before its pool of columns, or while that grows.
    """
    observed = spread_continuum(6, 6, 0, seed=seed)
    continuum = chance.as_continuum(observed, chance.draw(observed, seed=5, sample=0).units)
    free = best_alignment(continuum, fast(Weights()))
    stopped = best_alignment(continuum, fast(Weights()), memory_limit=memory_limit)
    check_alignment(continuum, stopped, slow(Weights()), 1.0)
    assert dual_slack(continuum, stopped.duals.tolist(), slow(Weights()), 1.0) >= -1e-9
    assert stopped.duals.sum() / continuum.mean_units <= stopped.lower_bound + 1e-9
    assert stopped.lower_bound <= free.disorder + 1e-9
    assert free.disorder <= stopped.disorder + 1e-9 <= 1.1 * free.disorder
    if memory_limit == 12_000:
        assert stopped.limit == "memory"


def test_what_a_limit_gives_does_not_depend_on_the_calls_before(hard: Continuum, optimum: float) -> None:
    """Buffers kept from a large continuum are no part of what a small one needs. Oracle: the same call before it."""
    observed = spread_continuum(6, 6, 0, seed=0)
    small = chance.as_continuum(observed, chance.draw(observed, seed=5, sample=0).units)
    before = best_alignment(small, fast(Weights()), memory_limit=100_000)
    assert best_alignment(hard, fast(Weights())).disorder == optimum
    after = best_alignment(small, fast(Weights()), memory_limit=100_000)
    check_proven(before)
    check_proven(after)


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    continuum = spread_continuum(4, 30, 0, seed=6)
    free = best_alignment(continuum, fast(Weights()))
    limited = best_alignment(continuum, fast(Weights()), time_limit=600, memory_limit=2**32)
    check_proven(limited)
    assert limited.disorder == free.disorder
    assert limited.group.tolist() == free.group.tolist()


def test_the_same_alignment_every_time() -> None:
    continuum = spread_continuum(6, 40, 0, seed=7)
    first, again = (best_alignment(continuum, fast(Weights())) for _ in range(2))
    assert first.group.tolist() == again.group.tolist()
    assert first.disorders.tolist() == again.disorders.tolist()


def test_two_units_stay_together_below_the_threshold() -> None:
    """docs/validity.md: with the other annotators silent, two units stay together iff d < (C + 1) delta_empty."""
    for n, threshold in [(2, 2), (3, 4), (4, 7)]:
        silent = {f"silent {i}": [] for i in range(n - 2)}
        for beta, together in [(threshold - 0.01, 1), (threshold + 0.01, 2)]:
            continuum = Continuum.of({"a": [(0, 10, "A")], "b": [(0, 10, "B")], **silent})
            alignment = best_alignment(continuum, fast(Weights(beta=beta)))
            assert len(alignment) == together
            assert len(members_of(alignment.group.tolist())) == together


#: Units of two annotators and a third without any, found by fuzzing.
_FUZZED = {
    "a": "8 9 2, 12 32 X, 14 18 1, 15 15 X, 22 22 2, 24 25 1, 24 44 1, 26 30 X",
    "b": "2 2 1, 6 7 Y, 10 11 X, 11 11 1, 12 32 Z, 17 21 Y, 24 25 Y, 30 30 W",
    "c": "",
}


@pytest.mark.parametrize("sample", range(12))
def test_costs_that_hardly_differ(sample: int) -> None:
    """Oracle: the integer program. Where positions cost next to nothing, nearly all alignments cost the same."""
    marked = {
        name: [(float(row.split()[0]), float(row.split()[1]), row.split()[2]) for row in rows.split(", ") if row]
        for name, rows in _FUZZED.items()
    }
    continuum = Shift().draw(Continuum.of(marked, extent=(0, 45)), seed=0, sample=sample)
    weights = Weights(alpha=1e-9)
    alignment = best_alignment(continuum, fast(weights))
    check_proven(alignment)
    expected = solved(continuum, slow(weights), 1.0)
    assert expected - 1e-6 <= alignment.disorder <= expected + 1e-9  # HiGHS leaves a millionth open
