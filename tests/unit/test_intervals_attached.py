# SPDX-License-Identifier: MIT
"""A result with its intervals. Oracle: the intervals of the documents' pairs and of the alignment, computed apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import unisono
from generators import renamed, spread_continuum
from unisono.intervals.attach import with_intervals
from unisono.intervals.bootstrap import stretches_interval
from unisono.intervals.category_stretches import category_stretches
from unisono.intervals.jackknife import documents_interval, jackknife_interval
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
    known = documents_interval(top, bottom, level=0.9).interval
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


def test_categories_of_one_long_continuum() -> None:
    """The stretches of γcat and γk add up to the values themselves."""
    rng = np.random.default_rng(3)
    labels = rng.choice(["A", "B"], 90).tolist()
    others = [label if rng.random() < 0.7 else "A" for label in labels]
    moves = rng.integers(0, 4, 90).tolist()
    continuum = Continuum.of(
        {
            "ann": [(10 * i, 10 * i + 7, label) for i, label in enumerate(labels)],
            "bob": [
                (10 * i + move, 10 * i + 7, label) for i, (move, label) in enumerate(zip(moves, others, strict=True))
            ],
        },
        extent=(0, 900),
    )
    result = unisono.measure(continuum, ["gamma", "gamma-cat", "gamma-k"], seed=5, samples=30)
    alignment = result["gamma"].alignment
    assert alignment is not None
    sums = category_stretches(alignment, result.dissimilarity, "once")
    cat, by_category = result["gamma-cat"], result["gamma-k"].per_category
    assert by_category is not None
    assert sums.disorders.sum() / sums.weights.sum() == pytest.approx(cat.observed)
    assert sums.weights.sum() == pytest.approx(cat.weight)
    for category, value in by_category.items():
        disorders, weights = sums.by_category[category]
        assert disorders.sum() / weights.sum() == pytest.approx(value.observed)
        assert weights.sum() == pytest.approx(value.weight)
        interval = value.intervals["stretches"]
        assert interval.low < (value.value or 0) < interval.high
    assert cat.intervals["stretches"].low < (cat.value or 0) < cat.intervals["stretches"].high
    alone = unisono.measure(continuum, "gamma-cat", seed=5, samples=30)["gamma-cat"]
    assert alone.uncertainty_reason_code == "one-document"


def test_where_the_uncertainty_is_unknown_a_reason_says_so() -> None:
    short = Continuum.of({"a": [(0, 5)], "b": [(0, 4)]}, extent=(0, 20), name="short")
    once = with_intervals(unisono.measure(short, seed=1, samples=5))["gamma"]
    assert once.uncertainty_reason == (
        "an interval over stretches needs at least 20 that no unitary alignment crosses; there is 1"
    )
    assert (once.uncertainty_reason_code, set(once.intervals)) == ("too-few-stretches", {"chance"})
    empty = Continuum.of({"a": [], "b": []}, name="empty")
    two = unisono.measure(Corpus((short, empty)), seed=1, samples=5)["gamma"]
    assert two.uncertainty_reason == "an interval over documents needs at least 5 documents with a value; there is 1"
    assert two.to_dict()["uncertainty_reason_code"] == "too-few-documents"


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
    assert found[None].uncertainty_reason_code == "too-few-documents"


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


def corpus_of(n: int, imperfect: int, *, covers: bool = False) -> Corpus:
    """Documents in which two annotators label (and, with `covers`, cut) the same stretch, some of them differently."""
    rng = np.random.default_rng(n)
    documents = []
    for i in range(n):
        cuts = [0, *sorted(rng.choice(np.arange(5, 60), 6, replace=False).tolist()), 64]
        others = [0, *(cut + (i < imperfect and j % 2 == 0) for j, cut in enumerate(cuts[1:-1])), 64]
        labels = rng.choice(["A", "B"], len(cuts) - 1)
        changed = ["A" if i < imperfect and j % 3 == 0 else label for j, label in enumerate(labels.tolist())]
        rows = [
            [(a, b, c) for a, b, c in zip(ends[:-1], ends[1:], names, strict=True)]
            for ends, names in ((cuts, labels.tolist()), (others if covers else cuts, changed))
        ]
        documents.append(Continuum.of({"ann": rows[0], "bob": rows[1]}, extent=(0, 64), name=f"d{i:02}"))
    return Corpus(tuple(documents))


@pytest.mark.parametrize("covers", [False, True])
@pytest.mark.parametrize(("n", "imperfect"), [(5, 2), (8, 3), (20, 3)])
def test_every_measure_has_an_interval_or_a_reason(n: int, imperfect: int, covers: bool) -> None:
    """All measures and all categories: an interval over documents that holds the value, or the reason for none."""
    data = corpus_of(n, imperfect, covers=covers)
    result = unisono.measure(data, "all", seed=1, samples=30, predefined=None if covers else True)
    with_interval = set()
    for name, overall in result.measures.items():
        for value in (overall, *(overall.per_category or {}).values()):
            interval = value.intervals.get("documents")
            if value.value is None:
                assert interval is None
            elif interval is None:
                assert value.uncertainty_reason, name
                assert value.uncertainty_reason_code, name
            else:
                assert value.uncertainty_reason is None
                assert interval.low <= value.value <= interval.high <= 1, name
                assert interval.high - interval.low <= 2, name
                with_interval.add(name)
    expected = {"gamma", "gamma-cat", "gamma-k", "soft-gamma", "f1-exact", "ser", "kappa-on-alignment", "cu-alpha"}
    expected |= {"window-diff", "pk", "ghd"} if covers else {"alpha", "kappa", "pi", "ac1", "percentage"}
    if n == 20:
        assert expected <= with_interval


def test_measures_that_are_not_pooled_are_computed_again() -> None:
    """κ without each document, computed apart; the interval follows from these values."""
    data = corpus_of(12, 4)
    found = unisono.measure(data, "kappa", seed=1)["kappa"]
    left_out = []
    for i in range(12):
        rest = Corpus((*data.continua[:i], *data.continua[i + 1 :]))
        left_out.append(unisono.measure(rest, "kappa", seed=1, intervals=False)["kappa"].value or 0.0)
    assert found.value is not None
    known = jackknife_interval(found.value, left_out, n=12, level=0.95).interval
    assert known is not None
    interval = found.intervals["documents"]
    assert (interval.low, interval.high) == pytest.approx((known.low, known.high), rel=1e-9)


def test_a_tiny_category_has_too_few_units_to_say() -> None:
    """A category with 11 units in 8 documents, of which one is disputed, gave -791,212 to 0.001."""
    documents = []
    for i in range(8):
        units = [(0, 9, "common"), (20, 29, "common"), (40, 49, "rare" if i < 6 else "common")]
        other = [(0, 9, "common"), (20, 29, "common"), (40, 49, "rare" if i < 5 else "common")]
        documents.append(Continuum.of({"ann": units, "bob": other}, extent=(0, 60), name=f"d{i}"))
    found = unisono.measure(Corpus(tuple(documents)), "gamma-k", seed=1, samples=50)["gamma-k"].per_category
    assert found is not None
    rare = found["rare"]
    if "documents" in rare.intervals:
        assert rare.intervals["documents"].high - rare.intervals["documents"].low <= 2
    else:
        assert (rare.uncertainty_reason or "").startswith("too few units to say")
