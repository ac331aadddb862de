# SPDX-License-Identifier: MIT
"""Documents with equal samples are drawn once. Oracles: each document measured alone, and a count of the samples."""

from __future__ import annotations

from typing import Any

import pytest

import unisono
from unisono.model import Continuum
from unisono.results import MeasureValue
from unisono.sampling.draws import CoreDraws

MEASURES = ["gamma", "gamma-cat", "gamma-k"]
ANN = [(0, 4, "A"), (9, 15, "B"), (30, 33, "A")]
BOB = [(1, 4, "A"), (10, 15, "A"), (35, 38, "B")]


def document(name: str, begin: float = 0, names: str = "ab", categories: str = "AB") -> Continuum:
    """The same content elsewhere, by other annotators, with other categories."""
    units = {
        annotator: [(begin + start, begin + end, categories["AB".index(category)]) for start, end, category in rows]
        for annotator, rows in zip(names, (ANN, BOB), strict=True)
    }
    return unisono.continuum(units, extent=(begin, begin + 50), name=name)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many random continua were drawn, call by call."""
    counted: list[int] = []
    sample = CoreDraws.sample

    def count_samples(draws: CoreDraws, cases: Any, firsts: Any, counts: Any, how: Any) -> Any:
        counted.append(int(counts.sum()))
        return sample(draws, cases, firsts, counts, how)

    monkeypatch.setattr(CoreDraws, "sample", count_samples)
    return counted


def numbers(value: MeasureValue) -> Any:
    """What must be the same to the last bit."""
    chance = None if value.chance_disorders is None else value.chance_disorders.tolist()
    per_category = {name: numbers(each) for name, each in (value.per_category or {}).items()}
    return value.value, value.observed, value.expected, value.n_samples, chance, per_category


@pytest.mark.parametrize("chance", ["shift", "statistical"])
def test_equal_documents_are_drawn_once(drawn: list[int], chance: str) -> None:
    """Wherever they begin, whoever annotated them, and however many documents lie between.

    The statistical model counts first starts from 0: documents that begin elsewhere have other samples.
    """
    others = [
        unisono.continuum({"a": [(0, 3 + i, "A"), (20, 24, "B")], "b": [(1, 5, "B")]}, extent=(0, 40), name=f"o{i}")
        for i in range(3)
    ]
    documents = (
        document("one"),
        others[0],
        document("two", 700),
        others[1],
        document("three", names="zy"),
        others[2],
        document("four", -30, names="ba"),
    )
    together = unisono.measure(unisono.Corpus(documents), MEASURES, seed=3, samples=40, chance=chance, intervals=False)
    assert sum(drawn) == (4 if chance == "shift" else 6) * 40
    for result, each in zip(together.documents, documents, strict=True):
        alone = unisono.measure(each, MEASURES, seed=3, samples=40, chance=chance, intervals=False)
        for name in MEASURES:
            assert numbers(result[name]) == numbers(alone[name])


@pytest.mark.parametrize("other", [document("other", categories="BC"), document("other", 0.1), document("other", 0.7)])
def test_documents_that_may_differ_are_drawn_apart(drawn: list[int], other: Continuum) -> None:
    """Categories may be compared by name; between positions that are no whole numbers differences are rounded."""
    documents = (document("one", 0.5 if other.starts.dtype.kind == "f" else 0), other)
    together = unisono.measure(unisono.Corpus(documents), MEASURES, seed=3, samples=40, intervals=False)
    assert sum(drawn) == 2 * 40
    for result, each in zip(together.documents, documents, strict=True):
        alone = unisono.measure(each, MEASURES, seed=3, samples=40, intervals=False)
        assert numbers(result["gamma"]) == numbers(alone["gamma"])


def test_the_precision_of_equal_documents(drawn: list[int]) -> None:
    alone = unisono.measure(document("one"), seed=3, intervals=False)
    n = sum(drawn)
    together = unisono.measure(unisono.Corpus((document("one"), document("two", 9))), seed=3, intervals=False)
    assert sum(drawn) == 2 * n
    assert [numbers(each["gamma"]) for each in together.documents] == [numbers(alone["gamma"])] * 2
    assert together["gamma"].n_samples == n
