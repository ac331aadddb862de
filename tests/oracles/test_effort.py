# SPDX-License-Identifier: MIT
"""Limits by counted work: the same bits under any load, and ranges that hold the value of a run without limits."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unisono
from generators import spread_continuum
from unisono import Corpus, Result
from unisono.alignment.observed import How
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity, FunctionPositional
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures.pooling import overall
from unisono.sampling import Sampling, expected
from unisono.sampling.draws import draws
from unisono.sampling.repeats import samples_to_repeat

#: Stops every alignment of `HARD` before its proof.
SMALL = 20.0
HARD = spread_continuum(12, 12, 0, seed=3)
NAMES = ["gamma", "soft-gamma", "gamma-cat", "gamma-k"]


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Other processes that keep the processors busy."""
    burn = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in burn:
            process.kill()
            process.wait()


def bits(result: Result) -> str:
    return json.dumps(result.to_dict())


def test_the_same_bits_on_any_number_of_threads_and_under_load() -> None:
    """Oracle: the same measurement on one thread."""
    one = unisono.measure(HARD, NAMES, seed=1, samples=12, effort=SMALL, threads=1)
    assert (one["gamma"].gap or 0) > 0.01  # or nothing was stopped
    assert bits(unisono.measure(HARD, NAMES, seed=1, samples=12, effort=SMALL, threads=2)) == bits(one)
    with load(2):
        assert bits(unisono.measure(HARD, NAMES, seed=1, samples=12, effort=SMALL, threads=2)) == bits(one)


@pytest.mark.long
def test_the_same_bits_on_34_annotators(shared: Path) -> None:
    """Oracle: the same measurement on one thread of the machine as it is."""
    folder = shared / "corpora" / "llm_span_annotation"
    corpus = unisono.read(folder / "d2t_iaa.csv.gz", participation=folder / "d2t_iaa_participation.csv.gz")
    one = next(each for each in corpus if each.n_units == 253)
    settings = {"seed": 1, "samples": 6, "effort": 3000.0}
    alone = unisono.measure(one, ["gamma", "gamma-cat"], threads=1, **settings)
    assert not alone["gamma"].is_proven
    assert bits(unisono.measure(one, ["gamma", "gamma-cat"], threads=2, **settings)) == bits(alone)
    with load(4):
        assert bits(unisono.measure(one, ["gamma", "gamma-cat"], threads=1, **settings)) == bits(alone)
        assert bits(unisono.measure(one, ["gamma", "gamma-cat"], threads=2, **settings)) == bits(alone)


@pytest.mark.parametrize("effort", [1.0, 5.0, 20.0, 100.0])
@pytest.mark.parametrize("name", ["gamma", "soft-gamma"])
def test_the_range_holds_the_value_without_limits(name: str, effort: float) -> None:
    """Oracle: the unlimited run on the same samples, each document and all of them."""
    corpus = Corpus(tuple(spread_continuum(8, 10, 0, seed=seed) for seed in range(3)))
    free = unisono.measure(corpus, name, seed=1, samples=5, effort=None, intervals=False)
    limited = unisono.measure(corpus, name, seed=1, samples=5, effort=effort, intervals=False)
    pairs = [(free[name], limited[name])]
    pairs += [(a[name], b[name]) for a, b in zip(free.documents, limited.documents, strict=True)]
    if effort == 1.0:
        assert not limited[name].is_proven
    for exact, value in pairs:
        assert exact.range is None
        assert exact.is_proven
        assert exact.value is not None
        assert value.value is not None
        if value.is_proven:
            assert value.range is None
            assert value.value == exact.value
            continue
        assert value.range is not None
        low, high = value.range
        assert low - 1e-12 <= exact.value <= high + 1e-12
        assert low <= value.value <= high


def test_the_range_of_several_documents_is_one_of_sums() -> None:
    """Oracle: 1 - ΣwO/ΣwE_low and 1 - ΣwO_low/ΣwE by hand; a proven document has its disorders for bounds."""
    first = unisono.MeasureValue(
        0.5, observed=1.0, expected=2.0, gap=0.1, observed_bound=0.9, expected_bound=1.6, weight=3
    )
    second = unisono.MeasureValue(0.75, observed=1.0, expected=4.0, gap=0.0, weight=1)
    value = overall([first, second], 0.95)
    assert value.range == pytest.approx((1 - 4 / (3 * 1.6 + 4), 1 - (3 * 0.9 + 1) / 10))
    assert overall([second, replace(second)], 0.95).range is None


def test_categories_have_no_range() -> None:
    """A bound on the disorders of alignments bounds neither γcat nor γk: they say that they are not proven."""
    result = unisono.measure(HARD, ["gamma-cat", "gamma-k"], seed=1, samples=5, effort=SMALL)
    assert result["gamma-cat"].range is None
    assert not result["gamma-cat"].is_proven
    assert any(note.startswith("not proven") for note in result["gamma-cat"].notes)
    per_category = result["gamma-k"].per_category
    assert per_category
    assert all(
        not value.is_proven and value.range is None for value in per_category.values() if value.value is not None
    )


def test_bounds_are_kept_in_saved_results(tmp_path: Path) -> None:
    """Oracle: the result before it was saved."""
    result = unisono.measure(HARD, "gamma", seed=1, samples=5, effort=SMALL)
    unisono.save(result, tmp_path / "result.unisono")
    loaded = unisono.load_result(tmp_path / "result.unisono")
    value, again = result.documents[0]["gamma"], loaded.documents[0]["gamma"]
    assert value.chance_bounds is not None
    assert again.chance_bounds is not None
    assert again.chance_bounds.tolist() == value.chance_bounds.tolist()
    assert (again.range, again.observed_bound, again.expected_bound) == (
        value.range,
        value.observed_bound,
        value.expected_bound,
    )


@pytest.mark.parametrize("chance", ["shift", "statistical"])
@pytest.mark.parametrize("name", ["gamma", "soft-gamma"])
def test_a_time_limit_ends_with_a_reason(name: str, chance: str) -> None:
    """No time at all: no value, and the reason says why. Samples beyond all time: those that were drawn."""
    none = unisono.measure(HARD, name, seed=1, samples=30, chance=chance, time_limit=1e-6)[name]
    assert (none.value, none.reason_code) == (None, "time-limit")
    assert "after 0 of 30 random continua" in (none.reason or "")
    small = unisono.continuum({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 4, "A")]})
    some = measure_within(0.3, small, name, chance=chance)
    assert some.signature.endswith("|time-limit:0.3")


def measure_within(seconds: float, *what: Any, **settings: Any) -> Result:
    """A measurement whose samples never end: stopped with a warning, or, before the thirtieth sample, with a reason.

    How many samples a loaded machine draws in that time is not judged.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = unisono.measure(*what, seed=1, samples=10**7, time_limit=seconds, **settings)
    (value,) = result.measures.values()
    if value.value is None:
        assert value.reason_code == "time-limit"
    else:
        assert any(issubclass(each.category, unisono.errors.PrecisionWarning) for each in caught)
        assert 30 <= (value.n_samples or 0) < 10**7
        assert value.is_precise is False
    return result


def test_a_time_limit_for_functions_of_users() -> None:
    """Oracle: the core's behaviour; a dissimilarity in Python is stopped likewise."""
    positional = FunctionPositional(lambda s, e, t, f: abs(s - t) + abs(e - f))
    small = unisono.continuum({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 4, "A")]})
    measure_within(0.5, small, "gamma", dissimilarity=CombinedDissimilarity(positional=positional))


@pytest.mark.long
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="kernels of x86 processors")
def test_the_same_bits_on_another_processor(tmp_path: Path) -> None:
    """Oracle: the same command with the kernels of another processor in the BLAS."""
    root = Path(unisono.__file__).parents[2]
    outputs = set()
    for processor in ("Haswell", "Prescott", "Sandybridge"):
        command = [sys.executable, "-m", "unisono", "measure", root / "examples" / "entities.csv", "--measure", "all"]
        run = subprocess.run(
            [*command, "--seed", "1", "--samples", "10", "--json"],
            env={**os.environ, "OPENBLAS_CORETYPE": processor},
            capture_output=True,
            check=False,
        )
        assert run.stdout
        outputs.add(run.stdout)
    assert len(outputs) == 1


# Gaps of random alignments are judged as a mean, against the precision.


def test_gaps_do_not_stop_the_sampling() -> None:
    """Oracle: the unlimited run, whose disorders hardly differ; every sample it needs is drawn with gaps, too.

    The mean is plain: otherwise short searches would take the place of some samples (test_two_levels.py).
    """
    continuum = spread_continuum(8, 10, 0, seed=3)
    settings = {"seed": 1, "precision": 0.01, "intervals": False, "plain_sampling": True}
    free = unisono.measure(continuum, effort=None, **settings)["gamma"]
    limited = unisono.measure(continuum, effort=20, **settings)["gamma"]
    assert (limited.gap or 0) > 0
    assert limited.is_precise
    assert (free.n_samples or 0) > 30
    assert (limited.n_samples or 0) >= 0.8 * (free.n_samples or 0)


def test_the_worst_samples_are_searched_again() -> None:
    """Oracle: the same sampling without repeats, and the bounds by hand: none is worse, one chosen at least better."""
    continuum = spread_continuum(10, 8, 0, seed=3)
    columns = CoreDocuments.of([continuum], CombinedDissimilarity(), judged=True)
    plan, first = Sampling(samples=30), How(effort=1.5)
    (once,) = expected(columns, Shift(), plan, seed=1, how=first)
    (twice,) = expected(columns, Shift(), plan, seed=1, how=first, again=How(effort=100))
    (proven,) = expected(columns, Shift(), plan, seed=1, how=How(effort=100))
    chosen = samples_to_repeat(once.disorders, once.bounds, np.zeros(30, np.bool_), plan.tolerated)
    assert 0 < len(chosen) < 30
    assert proven.gap == 0
    assert twice.gap <= 0.1 * plan.tolerated < once.gap
    assert twice.disorders[chosen].tolist() == proven.disorders[chosen].tolist()
    assert twice.categories is not None
    assert proven.categories is not None
    assert twice.categories[chosen].tolist() == proven.categories[chosen].tolist()
    others = np.delete(np.arange(30), chosen)
    assert twice.disorders[others].tolist() == once.disorders[others].tolist()
    # The labels' estimates rest on the repeated samples, too.
    (alone,) = expected(columns, Shift(), plan, seed=1, how=How(effort=1.5), again=How(effort=100), drawn=draws)
    assert alone.per_label == twice.per_label
    assert twice.per_label != once.per_label


def test_which_samples_are_searched_again() -> None:
    """Oracle: by hand. Three disorders of 1 may leave 0.1 * 0.02 * 3 = 0.006 open."""
    ones, fresh = np.ones(3), np.zeros(3, np.bool_)
    assert samples_to_repeat(ones, ones - [0.0005, 0.003, 0.002], fresh, 0.02).tolist() == []
    assert samples_to_repeat(ones, ones - [0.001, 0.004, 0.002], fresh, 0.02).tolist() == [1]
    assert samples_to_repeat(ones, ones - [0.005, 0.004, 0.008], fresh, 0.02).tolist() == [0, 2]
    # Not twice, and not where it could not help: nothing but the second may be chosen, and that is not enough.
    assert samples_to_repeat(ones, ones - [0.005, 0.004, 0.008], np.array([True, False, True]), 0.02).tolist() == []
    many = np.ones(100)
    assert samples_to_repeat(many, many - 0.01, np.zeros(100, np.bool_), 0.02).tolist() == []


def test_no_limit_proves_everything() -> None:
    """Oracle: the range of the limited run holds it; here no gap is left, whatever the precision allows."""
    value = unisono.measure(HARD, seed=1, samples=12, effort=None, intervals=False)["gamma"]
    assert value.is_proven
    assert (value.gap, value.range, value.is_settled) == (0.0, None, None)


def test_a_small_gap_is_no_failure_and_a_large_one_is() -> None:
    """Oracle: a tenth of the precision, by hand, from the documents' gaps."""
    corpus = Corpus((HARD, unisono.continuum({"a": [(0, 5, "A")], "b": [(0, 4, "A")]}, name="easy")))
    for effort in (20.0, 2000.0):
        result = unisono.measure(corpus, seed=1, samples=12, effort=effort, intervals=False)
        gaps = [document["gamma"].gap or 0.0 for document in result.documents]
        assert gaps[0] > 0
        assert gaps[1] == 0
        assert result["gamma"].is_settled is (gaps[0] <= 0.1 * 0.02)
        assert result["gamma"].is_near_enough is result["gamma"].is_settled


def test_memory_of_the_machine_ends_a_document_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: the measurement without it: the other documents have the same values, this one none and the reason."""
    corpus = Corpus((HARD, unisono.continuum({"a": [(0, 5, "A")], "b": [(0, 4, "A")]}, name="easy")))
    free = unisono.measure(corpus, seed=1, samples=5, intervals=False)
    monkeypatch.setattr("unisono.measures.family.MEMORY_SHARE", 1e-9)
    ended = unisono.measure(corpus, seed=1, samples=5, intervals=False)
    assert ended.documents[0]["gamma"].value is None
    assert ended.documents[0]["gamma"].reason_code == "memory-limit"
    assert ended.documents[1]["gamma"].value == free.documents[1]["gamma"].value
    # A limit that is given stops the search instead, and is part of the signature.
    given = unisono.measure(corpus, seed=1, samples=5, intervals=False, memory_limit=10)
    assert given.documents[0]["gamma"].value is not None
    assert "memory-limit:10" in given.signature
