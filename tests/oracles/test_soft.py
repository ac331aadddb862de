# SPDX-License-Identifier: MIT
"""Soft alignments against brute force over all covers, an integer program (at least once), and pygamma-agreement."""

from __future__ import annotations

import json
import os
import subprocess
from itertools import pairwise
from math import fsum
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import csc_array

from generators import (
    Weights,
    crowded_continuum,
    described,
    note_case,
    random_weights,
    renamed,
    spread_continuum,
    tiny_continuum,
)
from oracles.checks import fast, slow
from oracles.integer_program import enumerated
from reference import chance
from reference.alignment import costs, members_disorder
from reference.dissimilarity import Pairwise, sporadic
from reference.soft import best_cover
from unisono.alignment import best_alignment
from unisono.alignment.soft import SoftAlignment, best_soft_alignment
from unisono.dissimilarity import CombinedDissimilarity, FunctionPositional
from unisono.model import Continuum, Unit

LONG = pytest.mark.long


def members_of(alignment: SoftAlignment) -> list[tuple[int, ...]]:
    bounds, members = alignment.firsts.tolist(), alignment.members.tolist()
    return [tuple(sorted(members[a:b])) for a, b in pairwise(bounds)]


def check_soft_alignment(continuum: Continuum, alignment: SoftAlignment, d: Pairwise, delta_empty: float) -> None:
    """Every unit at least once, at most one unit of each annotator in a part, disorders recomputed, bounds in order."""
    parts = members_of(alignment)
    assert len(set(parts)) == len(parts) == len(alignment)
    assert {i for part in parts for i in part} == set(range(len(continuum)))
    recomputed = [members_disorder(continuum, part, d, delta_empty) for part in parts]  # fails on two of one annotator
    np.testing.assert_allclose(alignment.disorders, recomputed, rtol=0, atol=1e-9)
    assert alignment.disorder == pytest.approx(fsum(recomputed) / continuum.mean_units, rel=1e-12, abs=1e-12)
    assert alignment.lower_bound <= alignment.disorder
    assert alignment.duals.min() >= 0
    assert fsum(alignment.duals) / continuum.mean_units <= alignment.lower_bound + 1e-9
    assert alignment.times_covered.tolist() == [sum(i in part for part in parts) for i in range(len(continuum))]


def check_proven(alignment: SoftAlignment) -> None:
    assert alignment.limit is None
    assert alignment.lower_bound == alignment.disorder
    assert alignment.gap == 0


def covered(continuum: Continuum, d: Pairwise, delta_empty: float, *, pruned: bool = True) -> float:
    """The integer program with >= 1: scipy's milp (HiGHS) over all tuples.

    `pruned` leaves out tuples that cost more than their units alone, which no best cover contains.
    """
    tuples, cost = enumerated(continuum, d, delta_empty)
    kept = np.isfinite(cost)
    if pruned:
        kept &= cost <= (tuples >= 0).sum(axis=1) * delta_empty + 1e-9
    tuples, cost = tuples[kept], cost[kept]
    column, position = np.nonzero(tuples >= 0)
    incidence = csc_array((np.ones(len(column)), (tuples[column, position], column)), shape=(len(continuum), len(cost)))
    result = milp(
        cost,
        integrality=np.ones(len(cost)),
        constraints=LinearConstraint(incidence, 1, np.inf),
        options={"mip_rel_gap": 0},
    )
    assert result.success, result.message
    return float(cost[np.round(result.x).astype(bool)].sum() / continuum.mean_units)


def check_against_brute_force(continuum: Continuum, weights: Weights) -> bool:
    d = slow(weights)
    alignment = best_soft_alignment(continuum, fast(weights))
    check_soft_alignment(continuum, alignment, d, weights.delta_empty)
    check_proven(alignment)
    assert alignment.disorder == pytest.approx(best_cover(continuum, d, weights.delta_empty), abs=1e-9)
    slack = min(
        cost - fsum(alignment.duals[list(members)])
        for members, cost in costs(continuum, d, weights.delta_empty).items()
    )
    assert slack >= -1e-9, f"a unitary alignment is cheaper than its duals by {-slack}"
    hard = best_alignment(continuum, fast(weights)).disorder
    assert alignment.disorder <= hard + 1e-9
    return alignment.disorder < hard - 1e-9


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(s, marks=LONG) for s in range(20, 200))])
def test_equals_brute_force_on_tiny_continua(seed: int) -> None:
    """Oracle: brute force over all covers; the duals, over all unitary alignments. 100 continua a seed."""
    rng = np.random.default_rng([seed, 40])
    lower = 0
    for k in range(100):
        continuum, weights = tiny_continuum(rng, most_units=7), random_weights(rng)
        with note_case(f"seed {seed}, case {k}: {weights}", continuum):
            lower += check_against_brute_force(continuum, weights)
    assert lower >= 10  # the test would say little if soft alignments were hard ones


@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=LONG) for s in range(1, 15))])
def test_equals_brute_force_on_more_annotators(seed: int) -> None:
    """Oracle: brute force, larger parts, up to seven annotators."""
    rng = np.random.default_rng([seed, 41])
    for k in range(20):
        continuum, weights = tiny_continuum(rng, most_units=9, most_annotators=7), random_weights(rng)
        with note_case(f"seed {seed}, case {k}: {weights}", continuum):
            check_against_brute_force(continuum, weights)


KINDS = [(2, 60), (2, 100), (3, 12), (3, 20), (4, 8), (4, 10), (5, 6), (6, 4)]


@pytest.mark.parametrize(("p", "q"), KINDS)
@pytest.mark.parametrize("gap", [0, 1])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=LONG) for s in range(1, 6))])
def test_equals_the_integer_program_on_mid_size_continua(p: int, q: int, gap: int, shuffled: bool, seed: int) -> None:
    """Oracle: scipy.optimize.milp with >= 1."""
    continuum = spread_continuum(p, q, gap, seed=seed)
    if shuffled:
        continuum = chance.as_continuum(continuum, chance.draw(continuum, seed=seed, sample=0).units)
    for weights in (Weights(), Weights(alpha=3.0, beta=0.5, delta_empty=0.5)):
        alignment = best_soft_alignment(continuum, fast(weights))
        check_soft_alignment(continuum, alignment, slow(weights), weights.delta_empty)
        check_proven(alignment)
        expected = covered(continuum, slow(weights), weights.delta_empty)
        assert alignment.disorder == pytest.approx(expected, abs=1e-7), (weights, described(continuum))


@pytest.mark.parametrize(("p", "q"), [(2, 60), (3, 8), (4, 6)])
def test_equals_the_integer_program_on_all_tuples(p: int, q: int) -> None:
    """Oracle: scipy.optimize.milp with >= 1 on the fully enumerated tuples, nothing pruned."""
    for gap in (0, 1):
        continuum = spread_continuum(p, q, gap, seed=20, integers=True)
        alignment = best_soft_alignment(continuum)
        assert alignment.disorder == pytest.approx(covered(continuum, slow(Weights()), 1.0, pruned=False), abs=1e-7)


@pytest.mark.parametrize(
    ("p", "q"),
    [(6, 2), (7, 2), (9, 1), (11, 1), *(pytest.param(p, q, marks=LONG) for p, q in [(6, 3), (8, 2), (12, 1)])],
)
def test_equals_the_integer_program_on_crowded_continua(p: int, q: int) -> None:
    """Oracle: scipy.optimize.milp. Too many columns per unit to list: they are priced."""
    rng = np.random.default_rng([p, q, 42])
    for k in range(4):
        continuum = crowded_continuum(rng, p, q)
        weights = (Weights(), Weights(alpha=3.0))[k % 2]
        alignment = best_soft_alignment(continuum, fast(weights))
        check_soft_alignment(continuum, alignment, slow(weights), 1.0)
        check_proven(alignment)
        expected = covered(continuum, slow(weights), 1.0)
        assert alignment.disorder == pytest.approx(expected, abs=1e-7), (weights, described(continuum))


def test_the_order_of_names_changes_nothing() -> None:
    """Oracle: the same continuum under other names: same disorder, same unitary alignments by contents."""
    rng = np.random.default_rng(43)
    for _ in range(100):
        continuum = tiny_continuum(rng)
        names = list(continuum.annotators)
        other = renamed(continuum, dict(zip(names, reversed(names), strict=True)))
        rows = [
            sorted(
                sorted((u.start, u.end, u.category or "") for u in row.units if u is not None)
                for row in best_soft_alignment(each).unitary_alignments
            )
            for each in (continuum, other)
        ]
        assert rows[0] == rows[1], described(continuum)


def test_a_function_of_ones_own_gives_the_same() -> None:
    """Oracle: the core's own computation of the same dissimilarity."""

    def own(start_u: float, end_u: float, start_v: float, end_v: float) -> float:
        return sporadic(Unit(start_u, end_u), Unit(start_v, end_v))

    rng = np.random.default_rng(44)
    mine = CombinedDissimilarity(FunctionPositional(own))
    for _ in range(30):
        continuum = tiny_continuum(rng)
        expected, found = best_soft_alignment(continuum), best_soft_alignment(continuum, mine)
        assert found.disorder == pytest.approx(expected.disorder, abs=1e-12)
        assert members_of(found) == members_of(expected)


@pytest.mark.parametrize(
    ("limit", "option"),
    [("effort", {"effort": 1.0}), ("time", {"time_limit": 0.001}), ("memory", {"memory_limit": 100_000})],
)
def test_a_limit_gives_the_best_found_with_its_gap(limit: str, option: dict) -> None:
    """Oracle: the unlimited run. Bound <= true optimum <= value, and the gap is said."""
    continuum = spread_continuum(7, 40, 0, seed=5)
    continuum = chance.as_continuum(continuum, chance.draw(continuum, seed=5, sample=0).units)
    free = best_soft_alignment(continuum)
    check_proven(free)
    stopped = best_soft_alignment(continuum, **option)
    check_soft_alignment(continuum, stopped, slow(Weights()), 1.0)
    assert stopped.limit == limit
    assert not stopped.is_proven
    assert stopped.lower_bound <= free.disorder + 1e-9
    assert free.disorder <= stopped.disorder + 1e-9
    assert stopped.gap > 0


PYGAMMA = Path(__file__).parents[2] / ".venv-pygamma" / "bin" / "python"

SCRIPT = """
import json, sys
from pyannote.core import Segment
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum
found = []
for case in json.load(sys.stdin):
    continuum = Continuum()
    for annotator, units in case["units"].items():
        continuum.add_annotator(annotator)
        for start, end, category in units:
            continuum.add(annotator, Segment(start, end), category)
    dissimilarity = CombinedCategoricalDissimilarity(alpha=case["alpha"], beta=1, delta_empty=1)
    found.append(float(continuum.get_best_soft_alignment(dissimilarity).disorder))
json.dump(found, sys.stdout)
"""


def pygamma() -> str:
    """The interpreter of the environment that has pygamma-agreement; `make bench` makes it."""
    home = os.environ.get("UNISONO_PYGAMMA", str(PYGAMMA))
    if not Path(home).exists():
        pytest.skip("no environment with pygamma-agreement: set UNISONO_PYGAMMA to its python")
    return home


@LONG
def test_equals_pygamma_agreement() -> None:
    """Oracle: pygamma-agreement's get_best_soft_alignment, run beside ours (it computes in single precision)."""
    rng = np.random.default_rng(45)
    cases, ours = [], []
    while len(cases) < 30:
        p, q = [(2, 8), (3, 6), (4, 3)][len(cases) % 3]
        continuum = spread_continuum(p, q, 0, seed=int(rng.integers(1000)), categories=3)
        if len(cases) % 2:
            continuum = chance.as_continuum(continuum, chance.draw(continuum, seed=45, sample=len(cases)).units)
        if continuum.counts.min() == 0:
            continue
        alpha = float(rng.choice([1.0, 3.0]))
        units = {
            name: [(float(u.start), float(u.end), u.category) for u in continuum.units_of(name)]
            for name in continuum.annotators
        }
        cases.append({"units": units, "alpha": alpha})
        ours.append(best_soft_alignment(continuum, fast(Weights(alpha=alpha))).disorder)
    run = subprocess.run([pygamma(), "-c", SCRIPT], input=json.dumps(cases), capture_output=True, text=True, check=True)
    np.testing.assert_allclose(ours, json.loads(run.stdout), rtol=0, atol=1e-5)
