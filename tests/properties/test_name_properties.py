# SPDX-License-Identifier: MIT
"""Names and order change no bit of any value that rests on samples; documents of equal content share their samples."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono
from properties.strategies import continua
from unisono.chance import Shift, number_like
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, FunctionDissimilarity, Ordinal
from unisono.measures.gamma import gamma
from unisono.model import Continuum, Corpus, Unit
from unisono.results import MeasureValue, Result
from unisono.sampling import Sampling

ENTITIES = Path(__file__).parents[2] / "examples" / "entities.csv"
MEASURES = ["gamma", "gamma-cat", "gamma-k", "soft-gamma"]
Rows = dict[str, list[tuple[int, int, str | None]]]

#: Few places and few categories: equal units, equal annotators, documents that are equal but for names.
crowded = st.lists(
    st.lists(
        st.tuples(st.sampled_from([(0, 5), (0, 5), (7, 9), (3, 3)]), st.sampled_from([None, "A", "B", "C"])).map(
            lambda unit: (*unit[0], unit[1])
        ),
        max_size=4,
    ),
    min_size=2,
    max_size=4,
).filter(any)


@dataclass(frozen=True)
class Renaming:
    """Another name for each document, annotator (document by document) and category, and another order of it all."""

    documents: list[str]
    annotators: list[list[str]]
    categories: dict[str | None, str | None]


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    spread = continua(most=4, annotators=4).map(lambda c: [[*c.units_of(name)] for name in c.annotators])
    documents = draw(st.lists(st.one_of(spread, crowded), min_size=1, max_size=6))
    if draw(st.booleans()):
        documents.append(documents[0])
    return Corpus(
        tuple(
            Continuum.of({f"a{i}": rows for i, rows in enumerate(of_document)}, extent=(0, 45), name=f"d{k}")
            for k, of_document in enumerate(documents)
        )
    )


@st.composite
def renamings(draw: st.DrawFn) -> Renaming:
    categories = draw(st.permutations(["x", "y", "z"]))
    return Renaming(
        draw(st.permutations([f"name {k}" for k in range(7)])),
        [draw(st.permutations(["v", "w", "x", "y", "z"])) for _ in range(7)],
        {None: None, **dict(zip("ABC", categories, strict=True))},
    )


def rename(corpus: Corpus, renaming: Renaming) -> Corpus:
    """The corpus under other names; rows and documents in another order."""
    documents = []
    for continuum, name, names in zip(corpus, renaming.documents, renaming.annotators, strict=False):
        rows: Rows = {}
        for annotator, new in reversed(list(zip(continuum.annotators, names, strict=False))):
            units = reversed(continuum.units_of(annotator))
            rows[new] = [(unit.start, unit.end, renaming.categories[unit.category]) for unit in units]
        documents.append(Continuum.of(rows, extent=continuum.extent, name=name))
    return Corpus(tuple(sorted(documents, key=lambda continuum: continuum.name)))


def numbers(value: MeasureValue) -> tuple[Any, ...]:
    """Everything about a value that is a number."""
    intervals = {kind: (interval.low, interval.high) for kind, interval in value.intervals.items()}
    sampled = None if value.chance_disorders is None else value.chance_disorders.tobytes()
    return (
        value.value,
        value.observed,
        value.expected,
        value.n_samples,
        value.weight,
        value.chance_sd,
        intervals,
        sampled,
    )


def symmetric(continua: Iterable[Continuum]) -> set[str | None]:
    """Categories that may be symmetric: another one occurs at the same places, in the same or in a similar document.

    Nothing tells symmetric categories apart but their names, so their values of γk may change places.
    """
    places: dict[str | None, list[tuple[object, ...]]] = {}
    for continuum in continua:
        for unit in continuum:
            places.setdefault(unit.category, []).append((continuum.n_annotators, unit.start, unit.end))
    counts = Counter(tuple(sorted(rows)) for rows in places.values())
    return {category for category, rows in places.items() if counts[tuple(sorted(rows))] > 1}


def check(
    corpus: Corpus, one: Result, two: Result, names: dict[str, str], categories: dict[str | None, str | None]
) -> None:
    of_all = symmetric(corpus)
    unsure = of_all.union(*(symmetric([continuum]) for continuum in corpus))
    pairs = [("all", name, one[name], two[name], unsure) for name in one.measures]
    documents = {document.name: document for document in two.documents}
    for continuum, document in zip(corpus, one.documents, strict=True):
        other = documents[names[document.name]]
        here = of_all | symmetric([continuum])
        pairs += [(document.name, name, document[name], other[name], here) for name in one.measures]
    for where, name, a, b, unsure_here in pairs:
        assert numbers(a) == numbers(b), (where, name)
        of_b = b.per_category or {}
        assert {categories[label] for label in a.per_category or {}} == set(of_b), (where, name)
        for label, value in (a.per_category or {}).items():
            if label not in unsure_here:
                assert numbers(value) == numbers(of_b[categories[label]]), (where, name, label)


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "positions-kept"])
@given(corpora(), renamings(), st.sampled_from([0.0, 1.0]))
@settings(max_examples=40)
def test_names_and_order_change_no_bit(chance: str, corpus: Corpus, renaming: Renaming, beta: float) -> None:
    """Ties included: equal units, equal annotators, equal documents; beta = 0 ties categories as well."""
    if chance == "corpus" and len(corpus) < 2:
        return
    other = rename(corpus, renaming)
    options: dict[str, Any] = {
        "chance": chance,
        "samples": 8,
        "seed": 3,
        "dissimilarity": CombinedDissimilarity(beta=beta),
    }
    names = {continuum.name: name for continuum, name in zip(corpus, renaming.documents, strict=False)}
    check(
        corpus,
        unisono.measure(corpus, MEASURES, **options),
        unisono.measure(other, MEASURES, **options),
        names,
        renaming.categories,
    )


def far_apart(u: Unit, v: Unit) -> float:
    """A dissimilarity of a user: any symmetric function."""
    return abs(u.start - v.start) / 7 + abs(u.end - v.end) / 9 + (u.category != v.category) / 3


@given(corpora(), renamings())
@settings(max_examples=15)
def test_names_and_order_change_no_bit_of_ones_own_dissimilarity(corpus: Corpus, renaming: Renaming) -> None:
    options: dict[str, Any] = {"samples": 4, "seed": 3, "dissimilarity": FunctionDissimilarity(far_apart)}
    names = {continuum.name: name for continuum, name in zip(corpus, renaming.documents, strict=False)}
    measures = ["gamma", "soft-gamma"]
    one = unisono.measure(corpus, measures, **options)
    two = unisono.measure(rename(corpus, renaming), measures, **options)
    check(corpus, one, two, names, renaming.categories)


def long_rows(seed: int) -> Rows:
    """Thirty well separated places, so that there is an interval over stretches."""
    rng = np.random.default_rng(seed)
    rows: Rows = {"ann": [], "bob": [], "cem": []}
    for i in range(30):
        for name in rows:
            start = 100 * i + int(rng.integers(0, 9))
            rows[name].append((start, start + int(rng.integers(3, 20)), "ABC"[int(rng.integers(3))]))
    return rows


def test_intervals_over_stretches_and_documents() -> None:
    """Bit for bit, with renamed annotators and categories."""
    names, labels = {"ann": "z", "bob": "x", "cem": "y"}, {"A": "n", "B": "l", "C": "m"}

    def renamed_rows(rows: Rows) -> Rows:
        return {names[who]: [(s, e, labels[str(c)]) for s, e, c in units] for who, units in rows.items()}

    one = {f"d{k}": long_rows(k) for k in range(6)}
    two = {f"e{9 - k}": renamed_rows(long_rows(k)) for k in range(6)}
    for a, b in ((one, two), ({"d0": one["d0"]}, {"e9": two["e9"]})):
        first, second = (unisono.measure(unisono.corpus(x), MEASURES, samples=10, seed=1) for x in (a, b))
        kind = "documents" if len(a) > 1 else "stretches"
        assert kind in first["gamma"].intervals
        check(unisono.corpus(a), first, second, {f"d{k}": f"e{9 - k}" for k in range(6)}, dict(labels))


def test_a_file_a_renamed_copy_and_a_data_frame_agree_to_the_bit(tmp_path: Path) -> None:
    """examples/entities.csv; its rows in another order, too."""
    copy = shutil.copy(ENTITIES, tmp_path / "other.csv")
    frame = pd.read_csv(ENTITIES)
    sources = [ENTITIES, copy, frame, frame.sample(frac=1, random_state=1)]
    options: dict[str, Any] = {"seed": 42, "samples": 30}
    results = [unisono.measure(source, MEASURES, **options) for source in sources]
    for result in results[1:]:
        for name in MEASURES:
            assert numbers(result[name]) == numbers(results[0][name])
    assert results[0].signature == results[1].signature


def test_documents_of_equal_content_share_their_samples() -> None:
    """They are told apart by nothing, so the interval of the whole is that of one of them, and samples count once."""
    rows: Rows = {"ann": [(0, 5, "A"), (9, 14, "B")], "bob": [(1, 5, "A"), (8, 14, "A")]}
    other = {"cem": [(s, e, "x" if c == "A" else "y") for s, e, c in rows["ann"]], "dee": [(1, 5, "x"), (8, 14, "x")]}
    alone = unisono.measure(unisono.corpus({"one": rows}), samples=20, seed=1)["gamma"]
    both = unisono.measure(unisono.corpus({"one": rows, "two": other}), samples=20, seed=1)
    assert [document["gamma"].value for document in both.documents] == [alone.value] * 2
    assert both.documents[0]["gamma"].chance_case == both.documents[1]["gamma"].chance_case
    assert both["gamma"].n_samples == 20
    found, expected = both["gamma"].intervals["chance"], alone.intervals["chance"]
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_document_alone_has_the_value_that_it_has_in_its_corpus() -> None:
    corpus = unisono.corpus({f"d{k}": long_rows(k) for k in range(4)})
    whole = unisono.measure(corpus, MEASURES, samples=10, seed=5)
    for document in whole.documents:
        alone = unisono.measure(corpus[document.name], MEASURES, samples=10, seed=5)
        for name in MEASURES:
            values = (numbers(document[name]), numbers(alone.documents[0][name]))
            assert values[0] == values[1]


def test_a_variant_is_drawn_with_the_random_numbers_of_the_original() -> None:
    """A unit moved by one: the difference has far less noise under the original's key than under its own."""
    original = Continuum.of(long_rows(1), extent=(0, 3000), name="original")
    rows = long_rows(1)
    start, end, label = rows["ann"][0]
    rows["ann"][0] = (start + 1, end + 1, label)
    variant = Continuum.of(rows, extent=original.extent, name="variant")

    def expected(continuum: Continuum, seed: int) -> float:
        value = gamma(continuum, chance=Shift(), sampling=Sampling(samples=5), seed=seed).expected
        assert value is not None
        return value

    def spread(of: Callable[[], Continuum]) -> float:
        return float(np.std([expected(of(), seed) - expected(original, seed) for seed in range(20)]))

    assert spread(lambda: number_like(variant, original)) < 0.2 * spread(lambda: variant)
    keyed = unisono.measure(Corpus((number_like(variant, original),)), samples=5, seed=1)
    plain = unisono.measure(Corpus((original,)), samples=5, seed=1)
    assert keyed["gamma"].chance_case == plain["gamma"].chance_case


def test_a_dissimilarity_of_labels_shares_keys_and_not_values() -> None:
    """Documents that differ by labels alone share random numbers, also where labels have distances."""
    scale: Dissimilarity = CombinedDissimilarity(categorial=Ordinal(("low", "mid", "high")))
    one = Continuum.of({"ann": [(0, 5, "low"), (9, 12, "mid")], "bob": [(0, 5, "mid"), (9, 12, "low")]}, name="one")
    two = Continuum.of({"ann": [(0, 5, "low"), (9, 12, "high")], "bob": [(0, 5, "high"), (9, 12, "low")]}, name="two")
    result = unisono.measure(Corpus((one, two)), dissimilarity=scale, samples=20, seed=1)
    first, second = (document["gamma"] for document in result.documents)
    assert first.chance_case == second.chance_case
    assert first.expected != second.expected
