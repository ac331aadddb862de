# SPDX-License-Identifier: MIT
"""soft-γ against its slow twin: brute force covers of the continuum and of random continua, drawn by the twin."""

from __future__ import annotations

import numpy as np
import pytest

from generators import Weights, described, spread_continuum, tiny_continuum
from oracles.checks import fast, slow
from reference import chance
from reference.gamma import value
from reference.soft import best_cover
from unisono.chance import Shift
from unisono.errors import CorpusError
from unisono.measures.gamma import gamma
from unisono.measures.soft_gamma import soft_gamma
from unisono.model import Continuum
from unisono.sampling import Sampling


def test_equals_the_slow_twin() -> None:
    """Oracle: brute force on the continuum and on the draws of the reference chance model."""
    rng = np.random.default_rng(50)
    weights = Weights()
    for _ in range(40):
        continuum = tiny_continuum(rng, most_units=6, most_annotators=4)
        observed = best_cover(continuum, slow(weights), 1.0)
        disorders = [
            best_cover(
                chance.as_continuum(continuum, chance.draw(continuum, seed=3, sample=i).units), slow(weights), 1.0
            )
            for i in range(4)
        ]
        found = soft_gamma(continuum, dissimilarity=fast(weights), sampling=Sampling(samples=4), seed=3)
        assert found.observed == pytest.approx(observed, abs=1e-9), described(continuum)
        np.testing.assert_allclose(found.chance_disorders, disorders, rtol=0, atol=1e-9)
        expected = value(found.observed, float(np.mean(found.chance_disorders)))
        assert found.value == (None if expected is None else pytest.approx(expected, abs=1e-9))


def test_the_same_draws_as_gamma_and_never_a_higher_disorder() -> None:
    """Oracle: γ with the same seed. Each random continuum is the same; its soft disorder is at most its hard one."""
    continuum = spread_continuum(4, 20, 0, seed=9)
    hard = gamma(continuum, sampling=Sampling(samples=50), seed=7)
    soft = soft_gamma(continuum, sampling=Sampling(samples=50), seed=7)
    assert soft.observed <= hard.observed + 1e-12
    assert np.all(soft.chance_disorders <= hard.chance_disorders + 1e-12)
    assert np.any(soft.chance_disorders < hard.chance_disorders - 1e-9)


@pytest.mark.parametrize("threads", [2, 5])
def test_the_same_on_any_number_of_threads(threads: int) -> None:
    """Oracle: one thread; bit for bit."""
    continuum = spread_continuum(3, 200, 0, seed=10)
    one = soft_gamma(continuum, sampling=Sampling(samples=40), seed=1)
    many = soft_gamma(continuum, sampling=Sampling(samples=40), seed=1, threads=threads)
    assert one.chance_disorders.tolist() == many.chance_disorders.tolist()
    assert one.value == many.value


class Own:
    """The shift model behind a user's own class: drawn one by one in Python."""

    signature = "own"

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        return Shift().draw(continuum, seed=seed, sample=sample)

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        return ()


def test_a_chance_model_of_ones_own() -> None:
    """Oracle: the core's path for the same model."""
    continuum = spread_continuum(3, 10, 1, seed=11)
    core = soft_gamma(continuum, sampling=Sampling(samples=20), seed=2)
    own = soft_gamma(continuum, chance=Own(), sampling=Sampling(samples=20), seed=2)
    np.testing.assert_allclose(own.chance_disorders, core.chance_disorders, rtol=0, atol=1e-12)


def test_edge_cases() -> None:
    """Oracle: the definition of γ's edge cases, which soft-γ shares."""
    same = {"ann": [(0, 10, "A"), (30, 40, "B")], "bob": [(0, 10, "A"), (30, 40, "B")]}
    assert soft_gamma(Continuum.of(same)).value == 1.0
    empty = soft_gamma(Continuum.of({"ann": [], "bob": []}))
    assert empty.value is None
    assert empty.reason == "nobody marked any unit"
    with pytest.raises(CorpusError):
        soft_gamma(Continuum.of({"ann": [(0, 10, "A")]}))


def test_more_samples_until_the_precision_is_reached() -> None:
    """Oracle: the required number estimated from what was drawn, in the twin's words: never more than were drawn."""
    from reference.gamma import required_of

    continuum = spread_continuum(3, 5, 1, seed=12)
    found = soft_gamma(continuum, sampling=Sampling(precision=0.02, plain=True), seed=4)
    assert found.n_samples == len(found.chance_disorders) > 30
    assert required_of(found.chance_disorders.tolist(), precision=0.02, level=0.95) <= found.n_samples
