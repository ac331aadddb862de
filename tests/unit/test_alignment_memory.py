# SPDX-License-Identifier: MIT
"""Alignments that are kept change no number and are made once. Oracle: the same alignments without the memory."""

from __future__ import annotations

from typing import Any

import pytest

import unisono
from unisono.alignment import kept_alignments as alignments
from unisono.alignment.kept_alignments import AlignmentMemory, align_softly_once, keep_alignments, observe_once
from unisono.alignment.observed import How, Observed, observe
from unisono.alignment.soft import best_soft_alignment
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum

ONE = Continuum.of({"ann": [(0, 5, "A"), (8, 12, "B")], "bob": [(0, 6, "A"), (9, 12, "A")]}, name="one")
TWO = Continuum.of({"ann": [(3, 9, "B")], "bob": [(2, 9, "A"), (20, 25, "B")]}, name="two")
D = CombinedDissimilarity()


def columns(*continua: Continuum, judged: bool = False, dissimilarity: Any = D) -> CoreDocuments:
    return CoreDocuments.of(continua, dissimilarity, judged=judged)


def numbers(observed: list[Observed]) -> list[tuple[Any, ...]]:
    return [
        (
            each.alignment.continuum.name,
            each.alignment.group.tolist(),
            each.alignment.disorder,
            each.n_pairs,
            each.categories and (each.categories.weight, each.categories.disorder),
        )
        for each in observed
    ]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents that were aligned, in order."""
    names: list[str] = []

    def count(documents: CoreDocuments, *how: Any, **start: Any) -> list[Observed]:
        names.extend(each.name for each in documents.continua)
        return observe(documents, *how, **start)

    monkeypatch.setattr(alignments, "observe", count)
    return names


def test_only_what_is_missing_is_aligned(counted: list[str]) -> None:
    with keep_alignments():
        observe_once(columns(TWO))
        both = observe_once(columns(ONE, TWO))
        again = observe_once(columns(ONE.restrict(["bob", "ann"]), TWO))
    assert counted == ["two", "one"]
    assert numbers(both) == numbers(again) == numbers(observe(columns(ONE, TWO)))


def test_categories_are_judged_when_they_are_wanted(counted: list[str]) -> None:
    with keep_alignments():
        assert observe_once(columns(ONE))[0].categories is None
        judged = observe_once(columns(ONE, judged=True))
        assert observe_once(columns(ONE))[0].categories is None
        assert numbers(observe_once(columns(ONE, judged=True))) == numbers(judged)
    assert counted == ["one", "one"]
    assert numbers(judged) == numbers(observe(columns(ONE, judged=True)))


def test_what_differs_is_aligned_again(counted: list[str]) -> None:
    """Another dissimilarity, other annotators, other units under the same name; nothing is kept outside."""
    with keep_alignments():
        observe_once(columns(ONE))
        observe_once(columns(ONE, dissimilarity=CombinedDissimilarity(alpha=3)))
        observe_once(columns(ONE.rename(annotators={"bob": "cem"})))
        observe_once(columns(TWO.rename("one")))
    observe_once(columns(ONE))
    assert counted == ["one"] * 5


def test_blocks_within_blocks_share(counted: list[str]) -> None:
    memory = AlignmentMemory()
    for _ in range(2):
        with keep_alignments(memory), keep_alignments():
            observe_once(columns(ONE))
    assert counted == ["one"]


def test_what_has_no_room_is_aligned_again(counted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignments, "MOST_UNITS", 4)
    with keep_alignments():
        observe_once(columns(ONE, TWO))
        observe_once(columns(ONE, TWO))
    assert counted == ["one", "two", "two"]


def test_what_a_limit_stopped_is_not_kept() -> None:
    memory = AlignmentMemory()
    (found,) = observe(columns(ONE))
    found.alignment.limit = "time"
    memory.put(found, D.signature, "once", judged=False)
    assert memory.get(ONE, D.signature, "once", judged=False) is None


def test_soft_alignments_are_kept_too() -> None:
    with keep_alignments():
        first, second = (align_softly_once(ONE, D, How()) for _ in range(2))
    assert first is second
    assert first.disorder == best_soft_alignment(ONE, D).disorder
    outside = align_softly_once(ONE, D, How())
    assert outside is not first


@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_annotators_of_a_result_are_those_of_its_data(chance: str) -> None:
    """Oracle: the functions called with the data and the settings."""
    corpus = unisono.corpus(
        {
            f"d{i}": {
                "ann": [(0, 5 + i, "A"), (9, 12, "B")],
                "bob": [(0, 6, "A"), (9, 12 + i, "A")],
                **({"cem": [(1, 5, "A"), (20, 24, "B")]} if i else {}),
            }
            for i in range(3)
        }
    )
    settings: dict[str, Any] = {"seed": 1, "samples": 12, "alpha": 2, "chance": chance, "level": 0.9}
    result = unisono.measure(corpus, **settings)
    assert unisono.pairwise(result).to_dict() == unisono.pairwise(corpus, **settings).to_dict()
    assert unisono.leave_one_out(result) == unisono.leave_one_out(corpus, **settings)
    other = unisono.pairwise(result, "gamma-cat")
    assert other.to_dict() == unisono.pairwise(corpus, "gamma-cat", **settings).to_dict()
    filled = unisono.measure(corpus, annotators=True, **settings)
    assert filled.details.annotators["pairs"] == unisono.pairwise(result).to_dict()["pairs"]
    assert filled.to_dict() == result.to_dict()


def test_a_result_keeps_its_settings() -> None:
    result = unisono.measure(unisono.corpus({"one": ONE}), seed=1, samples=5)
    with pytest.raises(unisono.ParameterError, match=r"own settings, and seed=, dissimilarity= cannot be changed"):
        unisono.pairwise(result, seed=2, dissimilarity=D)
    with pytest.raises(unisono.ParameterError, match="cannot be measured without its dissimilarity"):
        unisono.pairwise(unisono.Result.from_dict(result.to_dict()))


def test_a_gold_standard_of_a_result_is_that_of_its_data() -> None:
    corpus = unisono.corpus({"one": ONE, "two": TWO, "none": {"ann": [], "bob": []}})
    weights = CombinedDissimilarity(alpha=3)
    result = unisono.measure(corpus, seed=1, samples=5, dissimilarity=weights)
    for options in ({}, {"vote": "weighted"}):
        assert unisono.gold(result, **options).to_dict() == unisono.gold(
            corpus, dissimilarity=weights, **options
        ).to_dict()  # fmt: skip
    assert unisono.gold(result, dissimilarity=D).to_dict() == unisono.gold(corpus, dissimilarity=D).to_dict()
