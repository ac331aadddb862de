# SPDX-License-Identifier: MIT
"""γ as a whole against the slow twin; the sampling of section 5.3; the undefined cases of docs/validity.md."""

from __future__ import annotations

from itertools import count, islice
from math import ceil, fsum, sqrt

import numpy as np
import pytest
from scipy import stats

from generators import Weights, described, random_weights, spread_continuum, tiny_continuum
from oracles.checks import fast, slow
from reference import gamma as twin
from unisono.chance import Shift
from unisono.errors import CorpusError, PrecisionWarning
from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.results import MeasureValue
from unisono.sampling import Sampling, required_samples


def measured(continuum: Continuum, weights: Weights | None = None, **options: object) -> MeasureValue:
    given = {"chance": Shift(), "sampling": Sampling(samples=30), "seed": 1, **options}
    return gamma(continuum, dissimilarity=fast(weights or Weights()), **given)


@pytest.mark.parametrize("rule", ["mean", "half-mean"])
def test_equals_the_twin(rule: str) -> None:
    """Oracle: brute force on the continuum and on the twin's random continua, sample by sample."""
    rng = np.random.default_rng(40)
    drawn = ((tiny_continuum(rng), random_weights(rng)) for _ in count())
    # A random continuum may be made of the busiest annotator alone: brute force must still be feasible.
    feasible = ((c, w) for c, w in drawn if c.n_annotators * max(c.counts) <= 9)
    for k, (continuum, weights) in enumerate(islice(feasible, 60)):
        expected = twin.gamma(continuum, slow(weights), weights.delta_empty, seed=k, samples=12, rule=rule)
        found = measured(continuum, weights, chance=Shift(minimum_distance=rule), sampling=Sampling(samples=12), seed=k)
        where = (k, weights, described(continuum))
        assert found.observed == pytest.approx(expected.observed, abs=1e-9), where
        np.testing.assert_allclose(found.chance_disorders, expected.disorders, rtol=0, atol=1e-9, err_msg=str(where))
        assert found.expected == pytest.approx(expected.expected, abs=1e-9), where
        if expected.value is None:
            assert found.value is None, where
        else:
            assert found.value == pytest.approx(expected.value, abs=1e-9), where
        assert found.n_samples == 12
        assert found.gap == 0


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_change_a_bit(threads: int) -> None:
    for continuum in (spread_continuum(3, 30, 0, seed=1), spread_continuum(5, 20, 1, seed=2, integers=True)):
        one, many = (measured(continuum, sampling=Sampling(samples=64), threads=t) for t in (1, threads))
        assert one.chance_disorders.tobytes() == many.chance_disorders.tobytes()
        assert (one.value, one.expected, one.observed) == (many.value, many.expected, many.observed)


def test_a_longer_run_extends_a_shorter_one() -> None:
    continuum = spread_continuum(4, 20, 0, seed=3)
    short, again, long = (measured(continuum, sampling=Sampling(samples=n)) for n in (30, 30, 100))
    assert short.chance_disorders.tobytes() == again.chance_disorders.tobytes()
    assert long.chance_disorders[:30].tobytes() == short.chance_disorders.tobytes()
    assert long.n_samples == 100
    precise = measured(continuum, sampling=Sampling(precision=0.01))
    n = min(100, precise.n_samples)
    assert precise.chance_disorders[:n].tobytes() == long.chance_disorders[:n].tobytes()


def test_expected_is_the_mean_and_gamma_equation_8() -> None:
    found = measured(spread_continuum(3, 25, 1, seed=4))
    assert found.expected == pytest.approx(fsum(found.chance_disorders) / 30, rel=1e-14)
    assert found.value == pytest.approx(1 - found.observed / found.expected, rel=1e-14)
    assert found.n_unitary_alignments == len(found.alignment)
    assert found.observed == found.alignment.disorder


def test_another_seed_another_sample() -> None:
    continuum = spread_continuum(3, 25, 1, seed=4)
    one, other = (measured(continuum, seed=seed) for seed in (1, 2))
    assert one.observed == other.observed
    assert one.chance_disorders.tolist() != other.chance_disorders.tolist()


# --- the sampling of section 5.3 ---------------------------------------------------------------------------------


def test_required_samples_equals_the_twin() -> None:
    rng = np.random.default_rng(41)
    for _ in range(100):
        mean, sd, n = rng.uniform(0.1, 5), rng.uniform(0, 1), int(rng.integers(2, 200))
        for precision, level in [(0.02, 0.95), (0.01, 0.99), (0.05, 0.9)]:
            expected = twin.required(mean, sd, n, precision=precision, level=level)
            found = required_samples(mean, sd, n, precision=precision, level=level)
            assert found == pytest.approx(expected, rel=1e-9)


def test_as_many_samples_as_the_precision_asks() -> None:
    """Oracle: the twin's n0 on the disorders themselves: 30 first, then n0, checked again until it is reached."""
    grew = 0
    for seed in range(8):
        continuum = spread_continuum(3, 4 + seed, 1, seed=seed)
        for precision, level in [(0.02, 0.95), (0.01, 0.95), (0.02, 0.99)]:
            plan = Sampling(precision=precision, level=level, plain=True)
            found = measured(continuum, sampling=plan, seed=seed)
            disorders = found.chance_disorders.tolist()
            assert len(disorders) == found.n_samples
            n = 30
            while (needed := ceil(twin.required_of(disorders[:n], precision=precision, level=level))) > n:
                n = min(needed, len(disorders))
                if n == len(disorders):
                    break
            assert n == found.n_samples
            assert twin.required_of(disorders, precision=precision, level=level) <= found.n_samples
            grew += n > 30
    assert grew > 5, "some must have asked for more than the first 30"


def test_the_cap_on_samples() -> None:
    continuum = spread_continuum(3, 4, 1, seed=1)
    with pytest.warns(PrecisionWarning, match="was not reached: the note says how many"):
        found = measured(continuum, sampling=Sampling(precision=0.0005, cap=50))
    assert found.n_samples == 50
    assert any("50 were drawn" in note for note in found.notes)


def test_chance_interval_holds_the_value() -> None:
    """The expected disorder is a mean of n samples: Student's interval around it, carried through Eq. 8."""
    found = measured(spread_continuum(3, 20, 1, seed=5))
    interval = found.intervals["chance"]
    sd = float(np.std(found.chance_disorders, ddof=1))
    half = stats.t.ppf(0.975, 29) * sd / sqrt(30)
    assert interval.level == 0.95
    assert interval.low == pytest.approx(1 - found.observed / (found.expected - half), abs=1e-9)
    assert interval.high == pytest.approx(1 - found.observed / (found.expected + half), abs=1e-9)
    assert interval.low < found.value < interval.high


# --- the undefined and the odd cases of docs/validity.md --------------------------------------------------------------


@pytest.mark.parametrize("units", [{}, {"a": [(0, 5, "A")]}])
def test_fewer_than_two_annotators_is_an_error(units: dict) -> None:
    with pytest.raises(CorpusError, match="annotator"):
        measured(Continuum.of(units))


def test_no_units_at_all_is_undefined() -> None:
    found = measured(Continuum.of({"a": [], "b": []}, extent=(0, 100)))
    assert found.value is None
    assert found.reason


def test_identical_annotators_agree_fully() -> None:
    units = [(0, 5, "A"), (7, 9, "B"), (20, 31, "A")]
    found = measured(Continuum.of({"a": units, "b": units, "c": units}))
    assert found.observed == 0
    assert found.value == 1


def test_nothing_expected_and_nothing_observed_is_full_agreement() -> None:
    """docs/validity.md: delta_e = 0 gives 1 when delta = 0: all at one place, one category."""
    found = measured(Continuum.of({"a": [(5, 5, "A")], "b": [(5, 5, "A")]}))
    assert (found.observed, found.expected, found.value) == (0, 0, 1)


def test_nothing_expected_but_something_observed_is_undefined() -> None:
    """docs/validity.md: delta_e = 0 and delta > 0: points at one place; a seed whose one sample repeats one source."""
    continuum = Continuum.of({"a": [(5, 5, "A")], "b": [(5, 5, "B")]})
    found = [measured(continuum, sampling=Sampling(samples=2), seed=seed) for seed in range(20)]
    undefined = [value for value in found if value.expected == 0]
    assert undefined, "half of the samples repeat one source"
    assert all(value.observed == 1 and value.value is None and value.reason for value in undefined)


def test_chance_from_a_single_annotator_is_flagged() -> None:
    """docs/validity.md: samples cannot hold two annotators' units: measured all the same, and said."""
    found = measured(Continuum.of({"a": [(0, 4, "A"), (10, 15, "B")], "b": [], "c": []}, extent=(0, 100)))
    assert found.value is not None
    assert any(note.startswith("degenerate chance") for note in found.notes)
    sound = measured(Continuum.of({"a": [(0, 4, "A")], "b": [(1, 5, "A")]}, extent=(0, 100)))
    assert not any(note.startswith("degenerate chance") for note in sound.notes)


def test_too_short_an_extent_is_said() -> None:
    found = measured(Continuum.of({"a": [(0, 10, "A")], "b": [(1, 10, "A")], "c": [(0, 9, "B")]}))
    assert any("unconstrained" in note for note in found.notes)
    roomy = measured(Continuum.of({"a": [(0, 10, "A")], "b": [(1, 10, "A")], "c": [(0, 9, "B")]}, extent=(0, 500)))
    assert not any("unconstrained" in note for note in roomy.notes)


def test_an_annotator_without_units_counts() -> None:
    """Oracle: Eqs 6 and 7 by hand: three pairs, two with an empty unit; the mean number of units is 2/3."""
    found = measured(Continuum.of({"a": [(0, 10, "A")], "b": [(0, 10, "A")], "c": []}, extent=(0, 100)))
    assert found.observed == pytest.approx((2 / 3) / (2 / 3))
