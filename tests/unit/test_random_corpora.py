# SPDX-License-Identifier: MIT
"""Oracle: random corpora drawn in Python, one document at a time, and summed with fractions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.diagnosis.significance import significance
from unisono.intervals.random_words import RandomWords
from unisono.measures.random_corpora import CORPORA, RandomCorpora
from unisono.results import MeasureValue
from unisono.shuffling import PositionErrors, ReferenceModel, shuffled_corpus


def _values(n: int, seed: int = 1) -> list[MeasureValue]:
    random = np.random.default_rng(seed)
    return [
        MeasureValue(
            0.5,
            observed=float(random.uniform(0.5, 1.5)),
            weight=float(random.uniform(0.5, 20)),
            n_samples=size,
            chance_disorders=random.uniform(0.2, 2.0, size),
            chance_case=f"case {i}",
        )
        for i, size in enumerate(random.integers(2, 50, n).tolist())
    ]


def test_sums_by_definition() -> None:
    values = _values(7)
    values.append(values[0])  # a document of equal content: drawn independently, by how often it came before
    corpora = RandomCorpora(3)
    corpora.add(values)
    sums = [Fraction(0)] * CORPORA
    for i, value in enumerate(values):
        content = f"significance {value.chance_case} {value.weight.hex()} {value.observed.hex()} {value.n_samples}"
        words = RandomWords(3, f"{content} 1" if i == 7 else content)
        for at, pick in enumerate(words.integers(CORPORA, value.n_samples).tolist()):
            sums[at] += Fraction(value.weight * value.chance_disorders[pick])
    weight = sum(value.weight for value in values)
    found = corpora.fields()
    np.testing.assert_allclose(found["chance_disorders"], [float(each) / weight for each in sums], rtol=1e-13)
    observed = sum(value.weight * value.observed for value in values)
    assert found["chance_low"] == sum(each <= observed for each in sums)
    assert found["chance_bounds"] is None


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_neither_order_nor_blocks_nor_threads_change_a_bit(threads: int) -> None:
    values = _values(300)
    one = RandomCorpora(1)
    one.add(values)
    other = RandomCorpora(1, threads=threads)
    shuffled = [values[i] for i in np.random.default_rng(5).permutation(len(values)).tolist()]
    for i in range(0, len(values), 130):
        other.add(shuffled[i : i + 130])
    assert one.fields()["chance_disorders"].tobytes() == other.fields()["chance_disorders"].tobytes()
    assert one.fields()["chance_low"] == other.fields()["chance_low"]


def test_bounds_of_stopped_alignments() -> None:
    values = _values(3)
    values[1] = values[1].with_fields(chance_bounds=values[1].chance_disorders / 2)
    corpora = RandomCorpora(1)
    corpora.add(values)
    all_low = RandomCorpora(1)
    all_low.add([values[0], values[1].with_fields(chance_disorders=values[1].chance_bounds), values[2]])
    np.testing.assert_allclose(corpora.fields()["chance_bounds"], all_low.fields()["chance_disorders"], rtol=1e-12)
    assert corpora.fields()["chance_low"] == all_low.fields()["chance_low"]


@pytest.mark.parametrize("chance", ["shift", "corpus"])
def test_the_same_is_known_without_the_samples(chance: str) -> None:
    corpus = shuffled_corpus(ReferenceModel(units=6), PositionErrors(), 0.9, sets=12, seed=2)
    corpus = unisono.Corpus((*corpus, corpus[0].rename("again")))
    kept, lean = (
        unisono.measure(corpus, ["gamma", "gamma-cat"], seed=1, samples=40, chance=chance, keep_samples=keep)
        for keep in (True, False)
    )
    assert kept.to_dict() == lean.to_dict()
    assert all(document["gamma"].chance_disorders is None for document in lean.documents)
    assert lean["gamma"].chance_disorders is not None
    assert significance(kept) == significance(lean)
    from unisono.report.data import ReportData

    one, other = (ReportData.of(result).chance for result in (kept, lean))
    assert one is not None
    assert other is not None
    assert one.disorders.tobytes() == other.disorders.tobytes()


def test_a_saved_result_without_samples_has_its_p_value(tmp_path: Path) -> None:
    corpus = shuffled_corpus(ReferenceModel(units=6), PositionErrors(), 0.9, sets=6, seed=2)
    result = unisono.measure(corpus, seed=1, samples=30, keep_samples=False)
    unisono.save(result, tmp_path / "r.unisono")
    assert significance(unisono.load_result(tmp_path / "r.unisono")) == significance(result)


def test_one_document_keeps_its_samples() -> None:
    corpus = shuffled_corpus(ReferenceModel(units=6), PositionErrors(), 0.9, sets=1, seed=2)
    value = unisono.measure(corpus, seed=1, samples=20, keep_samples=False).documents[0]["gamma"]
    assert value.chance_disorders is not None
