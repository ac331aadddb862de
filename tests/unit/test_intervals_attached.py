# SPDX-License-Identifier: MIT
"""A result with its intervals. Oracle: the intervals of the documents' pairs and of the alignment, computed apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unisono
from generators import renamed, spread_continuum
from unisono.inference.attach import with_intervals
from unisono.inference.bootstrap import documents_interval, stretches_interval
from unisono.model import Continuum, Corpus
from unisono.results import DocumentResult, MeasureValue


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(tuple(spread_continuum(3, 6, 1, seed=seed) for seed in range(35)))


def test_several_documents(corpus: Corpus) -> None:
    plain = unisono.measure(corpus, seed=5, samples=20, level=0.9)
    found = with_intervals(plain)["gamma"]
    pairs = [
        (continuum.mean_units * (d["gamma"].observed or 0), continuum.mean_units * (d["gamma"].expected or 0))
        for continuum, d in zip(corpus, plain.documents, strict=True)
    ]
    top, bottom = np.array(pairs).T
    known = documents_interval(top, bottom, level=0.9, seed=5).interval
    assert known is not None
    interval = found.intervals["documents"]
    assert (interval.kind, interval.level) == ("documents", 0.9)
    assert (interval.low, interval.high) == pytest.approx((known.low, known.high), rel=1e-9)
    assert set(found.intervals) == {"chance", "documents"}
    assert found.notes == ()


def test_one_long_continuum() -> None:
    continuum = spread_continuum(3, 80, 1, seed=2)
    found = with_intervals(unisono.measure(continuum, seed=5, samples=20))["gamma"]
    assert found.alignment is not None
    assert found.expected is not None
    known = stretches_interval(found.alignment, found.expected, level=0.95, seed=5).interval
    assert found.intervals["stretches"] == known
    assert "documents" not in found.intervals


def test_reasons_are_notes_said_once() -> None:
    short = Continuum.of({"a": [(0, 5)], "b": [(0, 4)]}, extent=(0, 20), name="short")
    once = with_intervals(unisono.measure(short, seed=1, samples=5))
    expected = (
        "no interval over stretches: an interval over stretches needs at least 20 that no unitary alignment crosses; "
        "found 1"
    )
    assert once["gamma"].notes == (expected,)
    assert with_intervals(once)["gamma"].notes == (expected,)
    empty = Continuum.of({"a": [], "b": []}, name="empty")
    two = with_intervals(unisono.measure(Corpus((short, empty)), seed=1, samples=5))
    assert two["gamma"].notes[-1] == (
        "no interval over documents: an interval over documents needs at least 5; found 1"
    )


def test_an_undefined_value_stays_as_it_is() -> None:
    empty = Corpus(tuple(Continuum.of({"a": [], "b": []}, name=name) for name in "xy"))
    plain = unisono.measure(empty, seed=1, samples=5)
    assert with_intervals(plain)["gamma"] == plain["gamma"]


def test_categories_have_intervals_of_their_own(corpus: Corpus) -> None:
    """A measure per category, made up from γ: category c has a third of the documents, the weights as in γ."""
    plain = unisono.measure(corpus, seed=5, samples=20)

    def split(document: DocumentResult, number: int) -> DocumentResult:
        value = MeasureValue(None, reason="given per category", per_category={"abc"[number % 3]: document["gamma"]})
        return replace(document, measures={"gamma": value})

    overall = MeasureValue(
        None, reason="given per category", per_category={c: MeasureValue(0.5) for c in "abc"} | {None: MeasureValue(0)}
    )
    made = replace(
        plain,
        measures={"gamma": overall},
        documents=tuple(split(document, i) for i, document in enumerate(plain.documents)),
    )
    found = with_intervals(made)["gamma"].per_category
    assert found is not None
    third = unisono.measure(Corpus(corpus.continua[0::3]), seed=5, samples=20)
    assert found["a"].intervals["documents"] == with_intervals(third)["gamma"].intervals["documents"]
    assert found[None].notes[0].startswith("no interval over documents")


def test_names_of_annotators_do_not_matter(corpus: Corpus) -> None:
    names = {"a00": "z", "a01": "y", "a02": "x"}
    other = Corpus(tuple(renamed(continuum, names) for continuum in corpus))
    bounds = []
    for data in (corpus, other):
        result = unisono.measure(data, seed=5, samples=20)
        # The expected disorders depend on the order of annotators through the random numbers; the observed do not.
        same = replace(
            result,
            documents=tuple(
                replace(d, measures={"gamma": replace(d["gamma"], expected=1.5)}) for d in result.documents
            ),
        )
        interval = with_intervals(same)["gamma"].intervals["documents"]
        bounds.append((interval.low, interval.high))
    assert bounds[0] == pytest.approx(bounds[1], rel=1e-9)
