# SPDX-License-Identifier: MIT
"""A user's Python function goes through the same solver: the formula of sporadic and nominal gives the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

from generators import Weights, described, random_weights, spread_continuum, tiny_continuum
from oracles.checks import check_alignment, check_proven, contents_of, fast, slow
from reference.alignment import brute_force
from unisono.alignment import best_alignment
from unisono.chance import Shift
from unisono.dissimilarity import FunctionDissimilarity
from unisono.measures.gamma import gamma
from unisono.model import Continuum, FloatArray, IntArray
from unisono.sampling import Sampling


def pairwise(weights: Weights) -> FunctionDissimilarity:
    """The slow twin itself as a user's function."""
    return FunctionDissimilarity(slow(weights), delta_empty=weights.delta_empty, name="twin")


def vectorised(weights: Weights) -> FunctionDissimilarity:
    """Sporadic and nominal as a user would write them with numpy."""

    def function(continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
        starts, ends, codes = continuum.starts, continuum.ends, continuum.category_codes
        apart = np.abs(starts[u] - starts[v]) + np.abs(ends[u] - ends[v])
        lengths = (ends[u] - starts[u]) + (ends[v] - starts[v])
        positional = np.where(apart == 0, 0.0, np.inf)
        np.divide(apart, lengths, out=positional, where=lengths > 0)
        total = np.zeros(len(u))
        if weights.alpha:
            total += weights.alpha * positional**2
        if weights.beta:
            total += weights.beta * (codes[u] != codes[v])
        return total * weights.delta_empty

    return FunctionDissimilarity(function, delta_empty=weights.delta_empty, vectorised=True, name="numpy")


@pytest.mark.parametrize("form", [pairwise, vectorised])
def test_equals_the_kernel_on_tiny_continua(form) -> None:
    """Oracles: brute force, and the path through the core's own formulas."""
    rng = np.random.default_rng(50)
    for k in range(150):
        continuum, weights = tiny_continuum(rng), random_weights(rng)
        where = (k, weights, described(continuum))
        own, ours = best_alignment(continuum, form(weights)), best_alignment(continuum, fast(weights))
        check_alignment(continuum, own, slow(weights), weights.delta_empty)
        check_proven(own)
        assert own.disorder == pytest.approx(ours.disorder, abs=1e-9), where
        assert own.disorder == pytest.approx(brute_force(continuum, slow(weights), weights.delta_empty).disorder)
        assert contents_of(own) == contents_of(ours), where


@pytest.mark.parametrize("form", [pairwise, vectorised])
@pytest.mark.parametrize(("p", "q", "gap"), [(2, 80, 0), (3, 40, 1), (5, 15, 0)])
def test_equals_the_kernel_on_larger_continua(form, p: int, q: int, gap: int) -> None:
    continuum = spread_continuum(p, q, gap, seed=51)
    own, ours = best_alignment(continuum, form(Weights())), best_alignment(continuum, fast(Weights()))
    check_proven(own)
    assert own.disorder == pytest.approx(ours.disorder, abs=1e-9)
    assert contents_of(own) == contents_of(ours)


def test_gamma_equals_the_kernels() -> None:
    continuum = spread_continuum(3, 8, 1, seed=52)
    own, ours = (
        gamma(continuum, dissimilarity=d, chance=Shift(), sampling=Sampling(samples=10), seed=3)
        for d in (pairwise(Weights()), fast(Weights()))
    )
    np.testing.assert_allclose(own.chance_disorders, ours.chance_disorders, rtol=0, atol=1e-9)
    assert own.value == pytest.approx(ours.value, abs=1e-9)
