# SPDX-License-Identifier: MIT
"""A search that begins with a known alignment. Oracles: the search without it, which brute force confirms elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from generators import spread_continuum
from unisono import _core
from unisono.alignment import kept_alignments
from unisono.alignment.observed import How, Observed, observe
from unisono.analysis.annotators import leave_one_out
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Alignment, Continuum, Corpus, FloatArray, IntArray

DISSIMILARITY = CombinedDissimilarity()


def align(
    continua: Sequence[Continuum], start: Sequence[Alignment | None] = (), *, judged: bool = True
) -> list[Observed]:
    return observe(CoreDocuments.of(continua, DISSIMILARITY, judged=judged), How(), start=start)


def crowd(n_annotators: int, n_units: int, seed: int) -> Continuum:
    """Units at any position, so that no two are equal; every third annotator marks fewer."""
    rng = np.random.default_rng([n_annotators, n_units, seed])
    return Continuum.of(
        {
            f"a{i:02}": [
                (float(at), float(at + rng.uniform(2, 12)), str(rng.choice(["X", "Y", "Z"])))
                for at in np.sort(rng.uniform(0, 60, n_units if i % 3 else max(1, n_units // 2)))
            ]
            for i in range(n_annotators)
        },
        extent=(0, 80),
        name=f"{n_annotators} x {n_units}, {seed}",
    )


def without_each(whole: Continuum) -> list[Continuum]:
    return [whole.restrict([other for other in whole.annotators if other != name]) for name in whole.annotators]


def change(alignment: Alignment, group: IntArray, duals: FloatArray | None) -> Alignment:
    return Alignment(
        alignment.continuum,
        group.astype(np.int32),
        alignment.disorders,
        disorder=alignment.disorder,
        lower_bound=alignment.lower_bound,
        duals=duals,
    )


def assert_same(found: Observed, plain: Observed) -> None:
    assert found.alignment.is_proven
    assert plain.alignment.is_proven
    assert found.alignment.disorder == plain.alignment.disorder
    assert found.alignment.group.tolist() == plain.alignment.group.tolist()
    assert (found.n_pairs, found.n_pairs_apart) == (plain.n_pairs, plain.n_pairs_apart)
    if found.categories is not None and plain.categories is not None:
        assert found.categories.disorder == plain.categories.disorder


@pytest.mark.parametrize(("n_annotators", "n_units"), [(3, 12), (5, 8), (8, 6), (12, 4), (20, 2), (35, 1)])
def test_everybody_but_one_is_aligned_as_without_a_start(n_annotators: int, n_units: int) -> None:
    for seed in range(4):
        whole = crowd(n_annotators, n_units, seed)
        subsets = without_each(whole)
        (known,) = align([whole])
        assert known.alignment.is_proven
        for found, plain in zip(align(subsets, [known.alignment] * len(subsets)), align(subsets), strict=True):
            assert_same(found, plain)


def test_a_bad_start_changes_no_alignment() -> None:
    """Groups and duals at random, everything in one group, each unit alone, duals that are far too large."""
    rng = np.random.default_rng(5)
    for seed in range(12):
        n_annotators = int(rng.integers(3, 13))
        whole = crowd(n_annotators, 24 // n_annotators, seed)
        (plain,) = align([whole])
        m = len(whole)
        starts = [
            (rng.integers(0, m, m), rng.normal(0, 5, m)),
            (np.zeros(m, dtype=np.int64), np.zeros(m)),
            (np.arange(m), np.full(m, 1e6)),
            (plain.alignment.group, np.full(m, -1e6)),
        ]
        for group, duals in starts:
            (found,) = align([whole], [change(plain.alignment, group, duals)])
            assert_same(found, plain)


def test_some_documents_have_a_start_and_others_none() -> None:
    wholes = [crowd(5, 6, seed) for seed in range(3)]
    subsets = [without_each(whole)[2] for whole in wholes]
    known = align([wholes[1]])[0].alignment
    for start in ([None, known, None], [None, None, None], [None, change(known, known.group, None), None]):
        for found, plain in zip(align(subsets, start), align(subsets), strict=True):
            assert_same(found, plain)
    with pytest.raises(ValueError, match="zip"):
        align(subsets, [known])


@pytest.mark.parametrize(
    ("groups", "duals", "message"),
    [
        ([0, 0], [1.0], "one length"),
        ([0], [1.0], "every unit"),
        ([0, 2], [1.0, 1.0], "out of range"),
        ([0, -1], [1.0, 1.0], "out of range"),
    ],
)
def test_the_core_checks_the_columns(groups: list[int], duals: list[float], message: str) -> None:
    columns = CoreDocuments.of([Continuum.of({"a": [(0, 1, "X")], "b": [(0, 2, "X")]}, name="d")], DISSIMILARITY)
    assert columns.kernel is not None
    start = np.array(groups, dtype=np.int32), np.array(duals)
    with pytest.raises(ValueError, match=message):
        _core.align_documents(columns.kernel, columns.documents, None, "once", True, 1, How().limits, *start)


def corpus_of(n_documents: int = 2) -> Corpus:
    return Corpus(tuple(spread_continuum(6, 8, 1, seed=i).rename(f"d{i}") for i in range(n_documents)))


def test_leave_one_out_begins_with_the_alignment_of_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[Continuum, Alignment | None]] = []

    def record(columns: CoreDocuments, how: How, start: Sequence[Alignment | None] = ()) -> list[Observed]:
        begun.extend(zip(columns.continua, start or [None] * len(columns.continua), strict=True))
        return observe(columns, how, start=start)

    monkeypatch.setattr(kept_alignments, "observe", record)
    corpus = corpus_of()
    leave_one_out(corpus, seed=1)
    by_size = {n: [(c, start) for c, start in begun if c.n_annotators == n] for n in (5, 6)}
    assert [start for _, start in by_size[6]] == [None, None]
    assert len(by_size[5]) == 12
    for subset, start in by_size[5]:
        assert start is not None
        assert start.continuum == corpus[subset.name]
        assert start.is_proven


def test_an_executor_changes_no_bit() -> None:
    corpus = corpus_of()
    here = leave_one_out(corpus, seed=1)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes):
            assert leave_one_out(corpus, seed=1, executor=executor) == here
