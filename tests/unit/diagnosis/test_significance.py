# SPDX-License-Identifier: MIT
"""Oracle: the definitions, computed by loops over the random disorders that a result holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unisono
from unisono.diagnosis.significance import CORPORA, LEVEL, benjamini_hochberg, significance
from unisono.intervals.random_words import RandomWords
from unisono.shuffling import PositionErrors, ReferenceModel, shuffled_corpus


def _result(magnitude: float, *, sets: int = 6, samples: int = 40, seed: int = 3) -> unisono.Result:
    corpus = shuffled_corpus(ReferenceModel(units=8), PositionErrors(), magnitude, sets=sets, seed=seed)
    return unisono.measure(corpus, seed=seed, samples=samples)


def test_documents_by_definition() -> None:
    result = _result(0.9)
    found = significance(result)
    for row, document in zip(found.documents, result.documents, strict=True):
        value = document["gamma"]
        low = sum(disorder <= value.observed for disorder in value.chance_disorders.tolist())
        assert row.p == (1 + low) / (1 + 40)
        assert row.smallest_p == 1 / 41
    assert found.n_documents == 6
    assert found.n_significant == sum(row.is_significant for row in found.documents)


def test_corpus_by_definition() -> None:
    result = _result(1.0, sets=3)
    values = [document["gamma"] for document in result.documents]
    pooled = [0.0] * CORPORA
    for value in values:
        content = f"significance {value.chance_case} {value.weight.hex()} {value.observed.hex()} 40"
        picks = RandomWords(result.seed, content).integers(CORPORA, len(value.chance_disorders)).tolist()
        pooled = [
            total + value.weight * value.chance_disorders[pick] for total, pick in zip(pooled, picks, strict=True)
        ]
    observed = sum(value.weight * value.observed for value in values)
    assert significance(result).p == (1 + sum(total <= observed for total in pooled)) / (1 + CORPORA)


def test_chance_is_not_significant_and_agreement_is() -> None:
    assert significance(_result(0.1, sets=20)).p == 1 / (1 + CORPORA)
    one = {"ann": [(0, 10, "A"), (40, 60, "B")], "bob": [(70, 90, "B"), (20, 24, "A")]}
    found = significance(unisono.measure(unisono.continuum(one), seed=1, samples=200))
    assert found.p > LEVEL
    assert "may be chance" in found.sentence
    lone = significance(unisono.measure(unisono.continuum({"ann": [(0, 5)], "bob": []}), seed=1, samples=30))
    assert lone.p == 1
    assert "in 100 % of cases (p = 1)" in lone.sentence


def test_too_few_samples_are_mentioned_where_no_document_is_above_chance() -> None:
    """One of six documents needs p <= 0.05 / 6; 40 samples give 1 / 41 at least, 200 give 1 / 201."""
    words = "if only one of them were, so few samples could not show it"
    apart = {
        str(i): {"ann": [(0, 10, "A"), (40 + i, 60, "B")], "bob": [(70, 90, "B"), (20, 24 + i, "A")]} for i in range(6)
    }
    none, few = (significance(unisono.measure(unisono.corpus(apart), seed=1, samples=n)) for n in (200, 40))
    every = significance(_result(0.0))
    assert (none.n_significant, few.n_significant, every.n_significant) == (0, 0, 6)
    assert words in few.sentence
    assert words not in none.sentence
    assert words not in every.sentence


def test_one_document_has_the_p_of_the_document() -> None:
    found = significance(_result(0.3, sets=1))
    assert (found.p, found.smallest_p, found.n_random) == (found.documents[0].p, 1 / 41, 40)


def test_few_samples_of_few_documents_bound_p() -> None:
    corpus = shuffled_corpus(ReferenceModel(units=8), PositionErrors(), 0.0, sets=2, seed=1)
    found = significance(unisono.measure(corpus, seed=1, samples=9))
    assert found.p == found.smallest_p == pytest.approx(1 / 100)


def test_names_and_order_do_not_matter() -> None:
    corpus = shuffled_corpus(ReferenceModel(units=8), PositionErrors(), 0.9, sets=5, seed=1)
    renamed = unisono.Corpus(tuple(document.rename(f"z{9 - i}") for i, document in enumerate(corpus))[::-1])
    one, other = (significance(unisono.measure(each, seed=1, samples=30)) for each in (corpus, renamed))
    assert one.p == other.p
    assert [row.p for row in one.documents] == [row.p for row in other.documents][::-1]


def test_documents_with_shared_samples_are_drawn_independently() -> None:
    document = shuffled_corpus(ReferenceModel(units=5), PositionErrors(), 1.0, sets=1, seed=2)[0]
    corpus = unisono.Corpus(tuple(document.rename(str(i)) for i in range(30)))
    result = unisono.measure(corpus, seed=1, samples=50)
    assert len({each["gamma"].chance_case for each in result.documents}) == 1
    # At the 25th of 100 equal steps. One draw for all documents would leave p there; 30 draws make it tiny.
    values = replace(result.documents[0]["gamma"], observed=0.25, chance_disorders=np.arange(1, 101) / 100)
    shared = tuple(replace(each, measures={"gamma": values}) for each in result.documents)
    found = significance(replace(result, documents=shared))
    assert found.documents[0].p == 26 / 101
    assert found.p == 1 / (1 + CORPORA)


def test_stopped_alignments_count_with_their_bounds() -> None:
    result = _result(0.5, sets=1)
    value = result.documents[0]["gamma"]
    low = replace(value, chance_bounds=np.zeros(len(value.chance_disorders)))
    changed = replace(result, documents=(replace(result.documents[0], measures={"gamma": low}),))
    assert significance(changed).p == 1.0


def test_without_random_continua_there_is_a_reason() -> None:
    corpus = shuffled_corpus(ReferenceModel(units=8), PositionErrors(), 0.3, sets=2, seed=1)
    found = significance(unisono.measure(corpus, "f1-exact", seed=1))
    assert found.p is None
    assert found.reason == "no measure of the result has a disorder for each random continuum, as γ has"
    assert found.to_dict()["documents"] == []


def test_benjamini_hochberg_by_definition() -> None:
    p = np.array([0.01, 0.02, 0.03, 0.04, 0.9])
    # The fourth is below 4/5 of the level, so all before it are significant, whether or not they are below theirs.
    assert benjamini_hochberg(p, 0.05).tolist() == [True, True, True, True, False]
    assert not benjamini_hochberg(np.array([0.2, 0.9]), 0.05).any()
    assert not benjamini_hochberg(np.empty(0), 0.05).any()
