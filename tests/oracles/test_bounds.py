# SPDX-License-Identifier: MIT
"""What a stopped search proves for very many annotators, against all unitary alignments and brute force."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from generators import Weights, tiny_continuum
from oracles.checks import check_alignment, fast, slow
from reference.alignment import brute_force
from reference.panels import affine_plane, panel_bound
from unisono.alignment import best_alignment
from unisono.model import Continuum

KINDS = [(0, 20, "A"), (12, 40, "A"), (45, 60, "B"), (70, 110, "A"), (100, 125, "B")]


def crowd(seed: int) -> tuple[Continuum, list[int]]:
    """48 annotators with one of five units each, but for the first, who has all five; the kind of each unit."""
    rng = np.random.default_rng([2026, seed])
    kinds = [*range(5), *rng.permutation(np.arange(47) % 5).tolist()]
    units = {"a00": KINDS, **{f"a{i:02}": [KINDS[k]] for i, k in enumerate(kinds[5:], 1)}}
    continuum = Continuum.of(units)
    return continuum, [KINDS.index((unit.start, unit.end, unit.category)) for unit in continuum]


def largest_violation(continuum: Continuum, kinds: list[int], duals: list[float]) -> float:
    """The most by which the duals of some unitary alignment exceed its disorder, over all of them.

    Those with one unit each can be in any company: of each kind, those with the largest duals are the worst. So every
    number of units of each kind is tried, with each unit of the first annotator and without.
    """
    d, units, of = slow(Weights()), list(continuum), continuum.annotator_codes.tolist()
    one_of = [units[kinds.index(k)] for k in range(5)]
    saved = np.array([[(1 - d(one_of[i], one_of[j])) / comb(48, 2) for j in range(5)] for i in range(5)])
    worst = -np.inf
    own = [(kinds[i], duals[i]) for i in range(len(units)) if of[i] == 0]
    others = [sorted((duals[i] for i in range(len(units)) if of[i] and kinds[i] == k), reverse=True) for k in range(5)]
    sums = np.meshgrid(*([0, *np.cumsum(of_kind)] for of_kind in others), indexing="ij", sparse=True)
    counts = np.meshgrid(*(np.arange(len(of_kind) + 1) for of_kind in others), indexing="ij", sparse=True)
    for kind, dual in [(None, 0.0), *own]:
        n = [counts[k] + (k == kind) for k in range(5)]
        value = sum(sums) + dual - 1
        value = value + sum(saved[k, k] * n[k] * (n[k] - 1) / 2 for k in range(5))
        value = value + sum(saved[i, j] * n[i] * n[j] for i, j in combinations(range(5), 2))
        if kind is None:
            value[0, 0, 0, 0, 0] = -np.inf  # the empty one
        worst = max(worst, float(value.max()))
    return worst


@pytest.mark.parametrize("effort", [0.02, 0.5, 5.0, 20.0])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_proven_for_a_crowd(seed: int, effort: float) -> None:
    """Oracle: all unitary alignments, none of which the duals exceed: so their sum bounds every alignment."""
    continuum, kinds = crowd(seed)
    stopped = best_alignment(continuum, fast(Weights()), effort=effort)
    check_alignment(continuum, stopped, slow(Weights()), 1.0)
    assert stopped.lower_bound <= stopped.disorder + 1e-9
    assert stopped.duals.sum() / continuum.mean_units <= stopped.lower_bound + 1e-9
    assert largest_violation(continuum, kinds, stopped.duals.tolist()) <= 1e-9
    if effort >= 5:
        assert stopped.gap < 0.1
    assert best_alignment(continuum, fast(Weights()), effort=effort).lower_bound == stopped.lower_bound


@pytest.mark.parametrize("q", [2, 3, 5, 7])
def test_any_two_groups_share_one_panel(q: int) -> None:
    """Oracle: the definition of an affine plane."""
    lines = affine_plane(q)
    assert len(lines) == q * (q + 1)
    for a, b in combinations(range(q * q), 2):
        assert sum(1 for line in lines if line >= {a, b}) == 1


@pytest.mark.parametrize("seed", range(30))
def test_panels_bound_every_alignment(seed: int) -> None:
    """Oracle: brute force. Panels of two of four annotators, also with one of them in every panel."""
    rng = np.random.default_rng(seed)
    continuum = tiny_continuum(rng, most_units=6, most_annotators=4)
    d = slow(Weights())
    best = brute_force(continuum, d, 1.0).disorder * continuum.mean_units
    everyone = range(continuum.n_annotators)
    panels = [frozenset(pair) for pair in combinations(everyone, 2)]
    assert panel_bound(continuum, panels, d, 1.0) <= best + 1e-9
    with_first = [panel | {0} for panel in panels]
    assert panel_bound(continuum, with_first, d, 1.0) <= best + 1e-9
    assert panel_bound(continuum, [frozenset(everyone)], d, 1.0) == pytest.approx(best)
