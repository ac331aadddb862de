# SPDX-License-Identifier: MIT
"""What a stopped search proves for very many annotators, against an integer program, proven optima and brute force."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from generators import Weights, tiny_continuum
from oracles.checks import check_alignment, fast, slow
from reference.alignment import brute_force
from reference.panels import affine_plane, panel_bound
from unisono.alignment import best_alignment
from unisono.model import Continuum


def crowd(annotators: int, *, places: int, seed: int) -> Continuum:
    """Each annotator marks some of a few places, a few annotators many of them; ends and categories differ."""
    rng = np.random.default_rng([2026, annotators, places, seed])
    starts = np.sort(rng.integers(0, 30 * places, places))
    lengths = rng.integers(5, 60, places)
    units: dict[str, list[tuple[int, int, str]]] = {}
    for a in range(annotators):
        marked = np.flatnonzero(rng.random(places) < (0.8 if a < 3 else 0.15))
        if not len(marked):
            marked = rng.integers(places, size=1)
        units[f"a{a:02}"] = []
        for k in marked:
            start = int(starts[k] + rng.integers(-6, 7))
            end = start + int(max(2, lengths[k] + rng.integers(-6, 7)))
            units[f"a{a:02}"].append((start, end, "AB"[rng.integers(2)]))
    return Continuum.of(units, name=f"crowd {annotators} seed {seed}")


def largest_violation(continuum: Continuum, duals: list[float]) -> float:
    """The most by which the duals of some unitary alignment exceed its disorder, by an integer program over all.

    x says which units are in it, y which pairs are.
    """
    d, units = slow(Weights()), list(continuum)
    of, m, n_pairs = continuum.annotator_codes.tolist(), len(units), comb(continuum.n_annotators, 2)
    pairs = [(i, j) for i, j in combinations(range(m), 2) if of[i] != of[j]]
    gains = [(1 - d(units[i], units[j])) / n_pairs for i, j in pairs]
    rows: list[tuple[int, int, float]] = []
    high: list[float] = []
    for k, ((i, j), gain) in enumerate(zip(pairs, gains, strict=True)):
        # A pair that costs is in where both units are; one that gains is in only where both are.
        if gain < 0:
            conditions = [([(i, 1), (j, 1), (m + k, -1)], 1)]
        else:
            conditions = [([(m + k, 1), (i, -1)], 0), ([(m + k, 1), (j, -1)], 0)]
        for terms, most in conditions:
            rows += [(len(high), column, value) for column, value in terms]
            high.append(most)
    for a in range(continuum.n_annotators):
        rows += [(len(high), i, 1) for i in range(m) if of[i] == a]
        high.append(1)
    row, column, value = zip(*rows, strict=True)
    matrix = csr_array((value, (row, column)), shape=(len(high), m + len(pairs)))
    some = csr_array((np.ones(m), (np.zeros(m, int), np.arange(m))), shape=(1, m + len(pairs)))
    result = milp(
        -np.concatenate([duals, gains]),
        integrality=np.concatenate([np.ones(m), np.zeros(len(pairs))]),
        bounds=Bounds(0, 1),
        constraints=[LinearConstraint(matrix, -np.inf, high), LinearConstraint(some, 1, np.inf)],
    )
    assert result.success, result.message
    return -result.fun - 1


@pytest.mark.parametrize("effort", [0.05, 1.0, 10.0, 60.0])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_proven_for_a_crowd(seed: int, effort: float) -> None:
    """Oracles: an integer program over all unitary alignments, none of which the duals exceed; the proven optimum."""
    continuum = crowd(48, places=5, seed=seed)
    free = best_alignment(continuum, fast(Weights()))
    stopped = best_alignment(continuum, fast(Weights()), effort=effort)
    check_alignment(continuum, stopped, slow(Weights()), 1.0)
    assert free.is_proven
    assert stopped.lower_bound <= free.disorder + 1e-9 <= stopped.disorder + 2e-9
    assert stopped.duals.sum() / continuum.mean_units <= stopped.lower_bound + 1e-9
    assert largest_violation(continuum, stopped.duals.tolist()) <= 1e-6
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
