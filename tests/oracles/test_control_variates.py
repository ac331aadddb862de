# SPDX-License-Identifier: MIT
"""The mean by control variates. Oracles: the slow twin (enumeration, deletion of samples), all shifts listed."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reference import chance
from reference import control_variates as twin
from unisono import sampling
from unisono._core import ControlVariates
from unisono.alignment.observed import How, observe
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity, FunctionDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum, Corpus, Unit
from unisono.sampling import Sampling, expected
from unisono.sampling.control_variates import average, samples_before
from unisono.sampling.draws import PythonDraws, draws
from unisono.sampling.estimate import range_of_mean

#: Annotators with one, two and no unit, two of them alike.
UNEQUAL = Continuum.of(
    {"ann": [(0, 3, "A"), (5, 9, "B")], "bob": [(1, 4, "A")], "cid": [(1, 4, "A")], "dan": []}, extent=(0, 16)
)
THREE = Continuum.of(
    {"ann": [(0, 2, "A"), (6, 8, "B")], "bob": [(0, 3, "A")], "cid": [(7, 9, "B"), (1, 2, "A"), (4, 5, "A")]},
    extent=(0, 10),
)
#: Half of the draws of sources have no unit and are repeated.
REDRAWN = Continuum.of(
    {"ann": [(0, 2, "A"), (6, 8, "B")], "bob": [(1, 3, "A")], "c": [], "d": [], "e": []}, extent=(0, 10)
)
CONTINUA = {"unequal": UNEQUAL, "three": THREE, "redrawn": REDRAWN}


def columns_of(continuum: Continuum) -> CoreDocuments:
    return CoreDocuments.of((continuum,), CombinedDissimilarity().fitted(Corpus((continuum,))), judged=False)


def variates_of(continuum: Continuum, n: int, seed: int = 1) -> ControlVariates:
    return ControlVariates(Shift().core_model(columns_of(continuum), seed), 0, n)


def twin_steps(
    continuum: Continuum, variates: ControlVariates
) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Rows and expectations of each step that the number of samples allows, by enumeration."""
    _, share, units = variates.kinds()
    draws = continuum.n_annotators
    counts = variates.counts().reshape(-1, len(share))
    empty = units.tolist().index(0.0) if 0.0 in units else None
    steps = [(3, twin.few_variates(units.tolist(), 3)), (4, twin.few_variates(units.tolist(), 4))]
    for degree in range(1, draws + 1):
        size = math.comb(len(share) + degree - 1, degree)
        steps.append((size, twin.shares(len(share), degree)))
    found = []
    for size, step in sorted(steps, key=lambda each: each[0]):
        if 10 * size <= len(counts):
            rows = np.array([step(row) for row in counts.tolist()])
            found.append((rows, twin.expectation(step, share.tolist(), draws, empty)))
    return found


def enumerated(continuum: Continuum) -> float:
    """The expected disorder: every choice of sources and shifts, those left out that have no unit."""
    distance = chance.minimum_distance(continuum)
    continua, numbers = [], []
    for units, labellings in chance.all_draws(continuum, distance):
        if any(units):
            continua.append(chance.as_continuum(continuum, units))
            numbers.append(labellings)
    columns = CoreDocuments.of(continua, CombinedDissimilarity().fitted(Corpus((continuum,))), judged=False)
    disorders = [found.alignment.disorder for found in observe(columns, How())]
    return float(np.average(disorders, weights=numbers))


@pytest.mark.parametrize("name", CONTINUA)
@pytest.mark.parametrize("n", [30, 45, 62])
def test_every_step_is_the_twins(name: str, n: int) -> None:
    """Mean, variance and weights of each step, with all values defined and with some that are not."""
    continuum = CONTINUA[name]
    variates = variates_of(continuum, n)
    steps = twin_steps(continuum, variates)
    values = np.random.default_rng(n).gamma(2.0, size=n)
    some = np.where(np.arange(n) % 17 == 3, np.nan, values)
    found = variates.means(values)
    assert found
    for step, coefficients, mean, variance in found:
        rows, exact = steps[step]
        assert coefficients == np.linalg.matrix_rank(rows)
        assert mean == pytest.approx(twin.mean(rows, exact, values), rel=1e-9)
        assert variance == pytest.approx(twin.variance(rows, exact, values), rel=1e-8)
        assert variates.weights(step) == pytest.approx(twin.weights(rows, exact), abs=1e-10)
    for step, _, mean, variance in variates.means(some):
        assert (mean, variance) == pytest.approx(twin.ratio(*steps[step], some), rel=1e-8)


def test_weights_reproduce_what_is_known() -> None:
    """Oracle: the expectations by enumeration: weighted means of the variates are equal to them."""
    variates = variates_of(THREE, 200)
    for step, *_ in variates.means(np.zeros(200)):
        rows, exact = twin_steps(THREE, variates)[step]
        weights = variates.weights(step)
        assert weights.sum() == pytest.approx(1, abs=1e-12)
        assert weights @ rows == pytest.approx(exact, abs=1e-10)


def test_strata_are_the_last_step() -> None:
    """Oracle: post-stratification by hand: the strata's means, weighted by their probabilities."""
    n = 400
    variates = variates_of(THREE, n)
    values = np.random.default_rng(1).normal(size=n) + 5
    counts = [tuple(row) for row in variates.counts().reshape(n, 3).tolist()]
    strata = [c for c in itertools.product(range(4), repeat=3) if sum(c) == 3]
    chances = [math.factorial(3) / math.prod(map(math.factorial, c)) / 27 for c in strata]
    assert sum(chances) == pytest.approx(1)
    means = [np.mean([v for v, c in zip(values, counts, strict=True) if c == stratum]) for stratum in strata]
    step, coefficients, mean, _ = variates.means(values)[-1]
    assert coefficients == len(strata) == 10
    assert mean == pytest.approx(float(np.dot(chances, means)), rel=1e-12)
    assert np.all(variates.weights(step) > 0)


def test_sources_are_those_of_the_draws() -> None:
    """Oracle: the twin of the chance model draws the same sources."""
    _, share, units = variates_of(REDRAWN, 50, seed=3).kinds()
    assert sorted(share.tolist()) == pytest.approx([0.2, 0.2, 0.6])
    counts = variates_of(REDRAWN, 50, seed=3).counts().reshape(50, 3)
    for sample, row in enumerate(counts.tolist()):
        drawn = chance.draw(REDRAWN, seed=3, sample=sample)
        by_units = [sum(REDRAWN.counts[source] == number for source in drawn.sources) for number in units.tolist()]
        assert row == by_units


def test_draws_in_python_make_one_model_for_all_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Property: the work is linear in the number of documents."""
    made = []
    core_model = Shift.core_model

    def count(self: Shift, *args: Any, **kwargs: Any) -> Any:
        made.append(self)
        return core_model(self, *args, **kwargs)

    monkeypatch.setattr(Shift, "core_model", count)
    columns = CoreDocuments.of(tuple(CONTINUA.values()), FunctionDissimilarity(_distance), judged=False)
    source = draws(Shift(), columns, 7)
    assert all(source.variates(case) is not None for case in range(len(CONTINUA)))
    assert len(made) == 1


def test_sources_are_those_of_draws_in_python() -> None:
    """Oracle: the numbers of units in the random continua that a user's function compares."""
    columns = CoreDocuments.of((UNEQUAL,), FunctionDissimilarity(_distance), judged=False)
    source = draws(Shift(), columns, 7)
    assert isinstance(source, PythonDraws)
    variates = source.variates(0)
    assert variates is not None
    counts = variates(0, 40).counts().reshape(40, 3)
    units = variates(0, 40).kinds()[2].astype(int)
    assert variates(15, 20).counts().reshape(20, 3).tolist() == counts[15:35].tolist()
    for sample, row in enumerate(counts.tolist()):
        drawn = Shift().draw(UNEQUAL, seed=7, sample=sample)
        assert sorted(np.repeat(units, row).tolist()) == sorted(drawn.counts.tolist())


def _distance(u: Unit, v: Unit) -> float:
    return abs(u.start - v.start) / 5


def test_a_sample_depends_on_nothing_else() -> None:
    """More samples extend fewer."""
    few, many = (variates_of(UNEQUAL, n).counts().reshape(n, -1) for n in (40, 90))
    assert np.array_equal(few, many[:40])


def test_no_step_where_all_annotators_are_alike() -> None:
    same = Continuum.of({name: [(0, 3, "A"), (5, 9, "B")] for name in "abc"}, extent=(0, 20))
    assert variates_of(same, 100).means(np.arange(100.0)) == []


def test_at_most_one_coefficient_for_ten_samples() -> None:
    """Also where values are undefined: the defined ones count."""
    variates = variates_of(THREE, 100)
    values = np.random.default_rng(1).normal(size=100)
    assert max(coefficients for _, coefficients, *_ in variates.means(values)) <= 10
    values[:45] = np.nan
    assert 0 < max(coefficients for _, coefficients, *_ in variates.means(values)) <= 5


def test_the_table_of_the_variates_is_bounded() -> None:
    """Property: 23 different annotators have 276 pairs, for which 2,760 samples suffice, but 40,000 are too many."""
    crowd = Continuum.of({f"a{i}": [(i, i + 5, "A")] for i in range(23)}, extent=(0, 60))
    variates = variates_of(crowd, 40_000)
    assert 2_760 in variates.samples_for_steps
    assert max(coefficients for _, coefficients, *_ in variates.means(np.arange(40_000.0))) == 23


def test_a_plain_mean_where_nothing_is_gained() -> None:
    """Oracle: the mean of numpy, for values that have nothing to do with the sources."""
    values = np.random.default_rng(5).normal(10, 1, size=60)
    found = average(values, variates_of(THREE, 60))
    assert found is not None
    assert (found.step, found.mean) == (None, np.mean(values))
    assert average(np.full(60, 2.0), variates_of(THREE, 60)) == average(np.full(60, 2.0), None)


def test_events_that_no_sample_shows() -> None:
    """Values that the sources explain to the last bit: the variance is at least what the rule of three leaves open."""
    variates = variates_of(THREE, 100)
    values = variates.counts().reshape(100, 3)[:, 0] * 1.0
    found = average(values, variates)
    assert found is not None
    assert found.mean == pytest.approx(1.0, abs=1e-12)
    assert found.sd**2 == pytest.approx(0.03 * np.var(values, ddof=1))
    assert found.reduction == pytest.approx(100 / 3)


def test_looks_at_richer_steps_early() -> None:
    variates = variates_of(THREE, 30)
    assert samples_before(2_000, variates, 30) == 100
    assert samples_before(80, variates, 30) == 80  # no step takes a third of it
    assert samples_before(500, variates_of(THREE, 100), 100) == 500


@pytest.mark.parametrize("name", CONTINUA)
def test_the_mean_has_no_bias(name: str) -> None:
    """Oracle: all sources and shifts listed."""
    continuum = CONTINUA[name]
    exact, columns = enumerated(continuum), columns_of(continuum)
    found = [expected(columns, Shift(), Sampling(samples=60), seed=seed)[0].disorder for seed in range(1_000)]
    means = np.array([each.mean for each in found if each is not None])
    assert abs(means.mean() - exact) < (0.1 + 3 / math.sqrt(len(means))) * means.std()


@pytest.mark.long
@pytest.mark.parametrize("name", CONTINUA)
@pytest.mark.parametrize("samples", [None, 40, 100])
def test_the_mean_over_ten_thousand_seeds(name: str, samples: int | None) -> None:
    """Oracle: all sources and shifts listed; within a tenth of the standard error (and three of the mean's own)."""
    continuum = CONTINUA[name]
    exact, columns = enumerated(continuum), columns_of(continuum)
    found = [expected(columns, Shift(), Sampling(samples=samples), seed=seed)[0].disorder for seed in range(10_000)]
    means = np.array([each.mean for each in found if each is not None])
    held = [low <= exact <= high for low, high in (each.interval(0.95) or (0, 0) for each in found if each is not None)]
    assert abs(means.mean() - exact) < 0.13 * means.std()
    assert 0.93 <= np.mean(held) <= 0.97


def test_threads_change_no_bit() -> None:
    columns = columns_of(THREE)
    one, two = (expected(columns, Shift(), Sampling(), seed=4, how=How(threads=threads))[0] for threads in (1, 2))
    assert one.disorder == two.disorder
    assert one.n_samples == two.n_samples


@pytest.mark.parametrize("samples", [None, 90])
def test_the_sources_of_one_case_are_in_memory_at_a_time(monkeypatch: pytest.MonkeyPatch, samples: int | None) -> None:
    """Oracle: objects counted as they come and go. Those of all cases at once would take many times the disorders."""
    alive: list[object] = []
    most = []

    class Counted(ControlVariates):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            alive.append(None)
            most.append(len(alive))

        def __del__(self) -> None:
            alive.pop()

    monkeypatch.setattr(sampling.control_variates, "ControlVariates", Counted)
    dissimilarity = CombinedDissimilarity().fitted(Corpus((UNEQUAL,)))
    columns = CoreDocuments.of(tuple(CONTINUA.values()), dissimilarity, judged=True)
    plan = Sampling(samples=samples, precision=0.01)
    found = expected(columns, Shift(), plan, seed=4)
    assert len(most) >= len(CONTINUA)
    assert max(most) == 1
    assert any(each.category and each.category.step is not None for each in found)


def test_the_level_of_the_interval_changes_no_value() -> None:
    """Property: a given number of samples has one mean; the level is not in the signature of such a measurement."""
    numbers = {"ann": 3, "bob": 1, "cid": 4, "dan": 2, "eve": 9}
    units = {name: [(100 * k // n, 100 * (k + 1) // n, "A") for k in range(n)] for name, n in numbers.items()}
    columns = columns_of(Continuum.of(units, extent=(0, 100)))
    for seed in range(14, 40):
        plans = (Sampling(samples=40, level=level) for level in (0.5, 0.95, 0.9999))
        found = [expected(columns, Shift(), plan, seed=seed)[0].disorder for plan in plans]
        assert found[0] == found[1] == found[2], seed


def test_a_range_holds_the_mean_of_the_true_disorders() -> None:
    """Any true disorders between the bounds and those found give a mean within the range; negative weights occur."""
    rng = np.random.default_rng(2)
    disorders = rng.normal(3, 1, 50)
    bounds = disorders - rng.uniform(0, 0.5, 50) * (rng.random(50) < 0.3)
    weights = rng.normal(0.02, 0.03, 50)
    weights /= weights.sum()
    assert np.any(weights < 0)
    ends = range_of_mean(disorders, bounds, weights)
    assert ends is not None
    for _ in range(200):
        true = bounds + rng.random(50).round() * (disorders - bounds)
        assert ends[0] - 1e-12 <= weights @ true <= ends[1] + 1e-12
    assert range_of_mean(disorders, disorders, weights) is None
