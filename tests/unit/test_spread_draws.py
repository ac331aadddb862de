# SPDX-License-Identifier: MIT
"""Oracle: the same document measured here. The samples of one long document are spread over an executor's workers."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

import unisono
from generators import spread_continuum
from unisono.measures import family
from unisono.parallel import processes


class CountingExecutor(Executor):
    """An executor that counts its pieces of work."""

    def __init__(self) -> None:
        self.count = 0
        self._inner = ThreadPoolExecutor(2)

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        return self._inner.submit(function, *args, **kwargs)


@pytest.mark.parametrize("names", [["gamma"], ["gamma", "gamma-cat", "gamma-k"], ["soft-gamma"]])
@pytest.mark.parametrize("estimating", [{"precision": 0.05}, {"samples": 70}])
def test_a_long_document_among_short_ones(
    names: list[str], estimating: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(family, "UNITS_TO_SEND", 1_000)
    sizes = (2, 14, 3, 12)
    corpus = unisono.Corpus(tuple(spread_continuum(3, n, 2, seed=n).rename(f"d{i}") for i, n in enumerate(sizes)))
    how: dict[str, Any] = {"seed": 4, "threads": 1, **estimating}
    here = unisono.measure(corpus, names, **how)
    executor = CountingExecutor()
    there = unisono.measure(corpus, names, executor=executor, **how)
    assert there.to_dict() == here.to_dict()
    for one, other in zip(here.documents, there.documents, strict=True):
        for name in names:
            drawn = one[name].chance_disorders
            assert drawn is None or drawn.tobytes() == other[name].chance_disorders.tobytes()
    assert executor.count > 30  # more pieces than documents


def test_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(family, "UNITS_TO_SEND", 1_000)
    document = spread_continuum(4, 12, 2, seed=1)
    here = unisono.measure(document, ["gamma", "gamma-cat"], seed=1, samples=30)
    with processes(2) as executor:
        there = unisono.measure(document, ["gamma", "gamma-cat"], seed=1, samples=30, executor=executor, threads=1)
    assert there.to_dict() == here.to_dict()
