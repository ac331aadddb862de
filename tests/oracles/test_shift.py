# SPDX-License-Identifier: MIT
"""The shift chance model: the slow twin's draws to the last bit, the uniform law, the enumerated expected disorder."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from scipy import stats

from generators import Weights, described, spread_continuum, tiny_continuum
from oracles.checks import fast, slow
from reference import chance
from reference.alignment import brute_force
from unisono.alignment import best_alignment
from unisono.chance import Shift
from unisono.measures.gamma import gamma
from unisono.model import Continuum, Extent
from unisono.sampling import Sampling

RULES = ["mean", "half-mean", 3]


def rows(continuum: Continuum) -> list[list[tuple[float, float, str | None]]]:
    return [
        [(unit.start, unit.end, unit.category) for unit in continuum.units_of(name)] for name in continuum.annotators
    ]


def twin_rows(drawn: chance.Drawn) -> list[list[tuple[float, float, str | None]]]:
    return [[(unit.start, unit.end, unit.category) for unit in units] for units in drawn.units]


def widened(rng: np.random.Generator, continuum: Continuum) -> Continuum:
    """The continuum with an extent beyond its units, where shifts have room."""
    assert continuum.extent is not None
    return Continuum(
        starts=continuum.starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features=continuum.features,
        extent=type(continuum.extent)(
            int(continuum.extent.start - rng.integers(0, 20)), int(continuum.extent.end + rng.integers(0, 60))
        ),
        name=f"wide {rng.integers(10)}",
    )


@pytest.mark.parametrize("rule", RULES)
def test_integer_draws_equal_the_twin_exactly(rule: str | float) -> None:
    """Oracle: the law written out with numpy's Philox; room or not, points, empty annotators."""
    rng = np.random.default_rng(30)
    constrained = redrawn = 0
    for k in range(250):
        continuum = tiny_continuum(rng)
        if k % 3:
            continuum = widened(rng, continuum)
        seed = int(rng.integers(0, 2**31)) if k % 2 else k
        for sample in (0, 1, 29, 10_000):
            expected = chance.draw(continuum, seed=seed, sample=sample, rule=rule)
            drawn = Shift(minimum_distance=rule).draw(continuum, seed=seed, sample=sample)
            assert rows(drawn) == twin_rows(expected), (seed, sample, described(continuum))
            assert drawn.has_integer_positions
            constrained += expected.is_constrained
            redrawn += expected.redraws > 0
    assert 100 < constrained < 990, "both kinds of shift must have been tried"
    assert redrawn > 20, "draws without units must have been tried"


def test_large_positions_are_drawn_without_loss() -> None:
    """Oracle: the twin, whose integers have no limit."""
    continuum = Continuum.of(
        {"a": [(10**15 + 3, 10**15 + 900, "A")], "b": [(10**15, 10**15 + 77_777, None)], "c": []},
        extent=(10**15 - 11, 10**15 + 10**12),
    )
    for sample in range(50):
        expected = chance.draw(continuum, seed=1, sample=sample)
        assert rows(Shift().draw(continuum, seed=1, sample=sample)) == twin_rows(expected)


@pytest.mark.parametrize("rule", RULES)
def test_float_draws_equal_the_twin(rule: str | float) -> None:
    """Oracle: the twin, to rounding."""
    for seed in range(20):
        continuum = spread_continuum(4, 12, 1, seed=seed)
        for sample in range(5):
            expected = twin_rows(chance.draw(continuum, seed=seed, sample=sample, rule=rule))
            drawn = rows(Shift(minimum_distance=rule).draw(continuum, seed=seed, sample=sample))
            for units, twins in zip(drawn, expected, strict=True):
                assert [c for *_, c in units] == [c for *_, c in twins]
                np.testing.assert_allclose(
                    [u[:2] for u in units], [u[:2] for u in twins], rtol=0, atol=1e-9, err_msg=f"{seed} {sample}"
                )


def test_all_units_at_one_place() -> None:
    """docs/validity.md: an extent without length leaves nothing to shift."""
    continuum = Continuum.of({"a": [(5, 5, "A"), (5, 5, "B")], "b": [(5, 5, "A")]})
    for sample in range(20):
        drawn = Shift().draw(continuum, seed=1, sample=sample)
        assert rows(drawn) == twin_rows(chance.draw(continuum, seed=1, sample=sample))
        assert set(drawn.starts.tolist()) == {5}


def marked(length: int, *, floats: bool = False) -> Continuum:
    """Three annotators, one unit each at the start of the extent: a drawn continuum shows its sources and shifts.

    The mean length is 2.
    """
    one = 1.0 if floats else 1
    units = {"a": [(0 * one, 1 * one, "a")], "b": [(0 * one, 2 * one, "b")], "c": [(0 * one, 3 * one, "c")]}
    return Continuum.of(units, extent=(0, length), name="marked")


def sources_and_shifts(drawn: Continuum, length: int) -> tuple[tuple[str, ...], tuple[float, ...]]:
    units = [drawn.units_of(name)[0] for name in drawn.annotators]
    return tuple(str(unit.category) for unit in units), tuple((-unit.start) % length for unit in units)


def test_integer_shifts_are_uniform_over_the_admissible_ones() -> None:
    """Oracle: all choices enumerated; chi-square at a fixed seed. 60 choices of shifts, 27 of sources."""
    continuum, length, draws = marked(7), 7, 9000
    shifts: Counter[tuple[float, ...]] = Counter()
    sources: Counter[tuple[str, ...]] = Counter()
    for sample in range(draws):
        who, where = sources_and_shifts(Shift().draw(continuum, seed=4, sample=sample), length)
        shifts[where] += 1
        sources[who] += 1
    admissible = list(chance.admissible_shifts(3, length, 2))
    assert len(admissible) == 60
    assert set(shifts) == set(admissible)
    assert stats.chisquare([shifts[choice] for choice in admissible]).pvalue > 1e-3
    assert len(sources) == 27
    assert stats.chisquare(list(sources.values())).pvalue > 1e-3


def test_shifts_without_room_are_uniform_and_unconstrained() -> None:
    """Oracle: all choices. On an extent of 4 a distance of 2 leaves no room for three shifts."""
    continuum, draws = marked(4), 6400
    shifts = Counter(
        sources_and_shifts(Shift().draw(continuum, seed=4, sample=sample), 4)[1] for sample in range(draws)
    )
    assert len(shifts) == 4**3
    assert stats.chisquare(list(shifts.values())).pvalue > 1e-3


def test_float_shifts_have_the_law_of_joint_rejection() -> None:
    """Oracle: uniform triples on [0, L) kept when no two are nearer than 2; Kolmogorov-Smirnov, fixed seeds."""
    continuum, length = marked(9, floats=True), 9.0
    drawn = np.array([sources_and_shifts(Shift().draw(continuum, seed=6, sample=k), 9)[1] for k in range(4000)])
    kept = np.random.default_rng(7).uniform(0, length, (40_000, 3))
    gaps = np.diff(np.sort(kept, axis=1), axis=1)
    kept = kept[(gaps >= 2).all(axis=1)]
    assert (np.diff(np.sort(drawn, axis=1), axis=1) >= 2 - 1e-9).all()
    for column in range(3):
        assert stats.ks_2samp(drawn[:, column], kept[:, column]).pvalue > 1e-3
        assert stats.ks_2samp(np.sort(drawn, axis=1)[:, column], np.sort(kept, axis=1)[:, column]).pvalue > 1e-3
    assert stats.ks_2samp(np.diff(np.sort(drawn)).ravel(), np.diff(np.sort(kept)).ravel()).pvalue > 1e-3


def test_documents_and_samples_and_seeds_are_independent_streams() -> None:
    """A document of other content has other random numbers; one of another name has the same."""
    base = spread_continuum(3, 10, 1, seed=1, integers=True)
    assert base.extent is not None

    def copied(name: str, longer: int) -> Continuum:
        return Continuum(
            starts=base.starts,
            ends=base.ends,
            annotator_codes=base.annotator_codes,
            annotators=base.annotators,
            features=base.features,
            extent=Extent(int(base.extent.start), int(base.extent.end) + longer),
            name=name,
        )

    draws = [(base, 1, 0), (base, 1, 1), (base, 2, 0), (copied(base.name, 1), 1, 0)]
    found = {repr(rows(Shift().draw(continuum, seed=seed, sample=sample))) for continuum, seed, sample in draws}
    assert len(found) == len(draws)
    again = Shift().draw(copied("another name", 0), seed=1, sample=0)
    assert rows(again) == rows(Shift().draw(base, seed=1, sample=0))


def test_a_sample_always_has_units() -> None:
    """docs/validity.md: a sample without any unit is drawn again."""
    continuum = Continuum.of({"a": [(0, 4, "A")], "b": [], "c": [], "d": []}, extent=(0, 50))
    assert all(len(Shift().draw(continuum, seed=1, sample=sample)) for sample in range(200))


# Mathet 2017, Figs 3 and 16, a layout reconstructed from the print (verified example fig3_gamma): regression targets
# for this layout, not the paper's numbers.
FIG3 = {
    "1": [(1, 10, "A"), (13, 17, "B")],
    "2": [(1, 10, "B"), (14, 18, "B")],
    "3": [(2, 12, "A"), (16, 24, "C")],
}
# alpha, minimum distance, circular, number of choices, observed and expected disorder, from the same entry.
ENUMERATED = [
    pytest.param(3.0, 7.33333, False, 35_640, 1.22285, 1.71566, id="mean"),
    pytest.param(1.0, 7.33333, False, 35_640, 0.87521, 1.29617, id="mean, alpha 1"),
    pytest.param(3.0, 7.33333, True, 8_424, 1.22285, 1.82877, id="circular"),
    pytest.param(3.0, 3.66667, False, 184_680, 1.22285, 1.73414, id="half", marks=pytest.mark.long),
    pytest.param(1.0, 3.0, False, 249_480, 0.87521, 1.25212, id="3, alpha 1", marks=pytest.mark.long),
    pytest.param(3.0, 3.0, False, 249_480, 1.22285, 1.70634, id="3", marks=pytest.mark.long),
]


@pytest.fixture(scope="module")
def fig3() -> Continuum:
    return Continuum.of(FIG3, extent=(0, 26), name="fig3")


@pytest.mark.parametrize(("alpha", "distance", "circular", "n", "observed", "expected"), ENUMERATED)
def test_enumerated_expected_disorder(
    fig3: Continuum, alpha: float, distance: float, circular: bool, n: int, observed: float, expected: float
) -> None:
    """Oracle: docs/validity.md: every random continuum of the model, each aligned by the engine."""
    d = fast(Weights(alpha=alpha))
    assert best_alignment(fig3, d).disorder == pytest.approx(observed, abs=1e-5)
    total, count = 0.0, 0
    for units, labellings in chance.all_draws(fig3, distance, circular=circular):
        total += labellings * best_alignment(chance.as_continuum(fig3, units), d).disorder
        count += labellings
    assert count == n
    assert total / count == pytest.approx(expected, abs=1e-5)


def test_enumerated_expected_disorder_by_brute_force(fig3: Continuum) -> None:
    """Oracle: docs/validity.md, with the twins alone: what the engine's test above rests on."""
    d = slow(Weights(alpha=3.0))
    draws = [chance.as_continuum(fig3, units) for units, _ in chance.all_draws(fig3, 7.33333)]
    mean = sum(brute_force(continuum, d, 1.0).disorder for continuum in draws) / len(draws)
    assert mean == pytest.approx(1.71566, abs=1e-5)


@pytest.mark.parametrize(("alpha", "expected"), [(3.0, 1.71566), (1.0, 1.29617)])
def test_sampled_expected_disorder_is_the_enumerated_one(fig3: Continuum, alpha: float, expected: float) -> None:
    """Oracle: the enumeration, within four standard errors of the mean of 3000 samples."""
    found = gamma(
        fig3, dissimilarity=fast(Weights(alpha=alpha)), chance=Shift(), sampling=Sampling(samples=3000), seed=1
    )
    assert found.chance_disorders is not None
    error = float(np.std(found.chance_disorders, ddof=1)) / sqrt(3000)
    assert abs(found.expected - expected) < 4 * error
