# SPDX-License-Identifier: MIT
"""Work through the one door. Oracle: the same work done here, one piece after the other."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import unisono
from generators import spread_continuum
from unisono import parallel
from unisono.measures import family
from unisono.model import Continuum, Corpus


def corpus() -> Corpus:
    made = [spread_continuum(3, 4 + i % 5, 1, seed=i) for i in range(12)]
    return Corpus(
        tuple(
            Continuum(
                starts=c.starts,
                ends=c.ends,
                annotator_codes=c.annotator_codes,
                annotators=c.annotators,
                features=c.features,
                extent=c.extent,
                name=f"d{i}",
            )
            for i, c in enumerate(made)
        )
    )


def executors() -> list[Executor]:
    return [ThreadPoolExecutor(2), ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))]


def test_an_executor_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "UNITS_AT_ONCE", 500)  # several handfuls
    data = corpus()
    names = ["gamma", "gamma-cat", "gamma-k", "soft-gamma"]
    alone = unisono.measure(data, names, seed=3, samples=20).to_dict()
    for executor in executors():
        with executor:
            assert unisono.measure(data, names, seed=3, samples=20, executor=executor).to_dict() == alone


def test_work_that_is_not_wanted_any_more_is_taken_back() -> None:
    with ThreadPoolExecutor(1) as executor:
        results = parallel.in_order(abs, range(-500, 0), executor)
        assert next(results) == (-500, 500)
        results.close()


def test_errors_come_out() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(ZeroDivisionError):
        list(parallel.in_order(lambda x: 1 // x, [1, 0, 2], executor))
