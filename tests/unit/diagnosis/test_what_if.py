# SPDX-License-Identifier: MIT
"""Oracle: for each row the data changed by hand, unit by unit, measured with the same random numbers."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from statistics import median_high, median_low

import pytest

import unisono
from unisono.chance import number_like
from unisono.diagnosis import what_if as module
from unisono.diagnosis.what_if import TEXT_ONLY, TWO_ANNOTATORS, WhatIf, what_if
from unisono.shuffling import (
    CategoryErrors,
    FalseNegatives,
    FalsePositives,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_corpus,
)

Units = dict[str, list[tuple[int, int, str]]]


def _corpus(sets: int = 4, annotators: int = 4, seed: int = 5) -> unisono.Corpus:
    errors = [
        FalseNegatives(magnitude_factor=0.6),
        CategoryErrors(),
        PositionErrors(magnitude_factor=0.6),
        Splits(magnitude_factor=0.7),
        FalsePositives(magnitude_factor=0.1),
    ]
    model = ReferenceModel(units=9, gap=(5, 40))
    return shuffled_corpus(model, errors, 0.4, sets=sets, annotators=annotators, seed=seed)


@pytest.fixture(scope="module")
def result() -> unisono.Result:
    return unisono.measure(_corpus(), seed=11, samples=25)


def _by_hand(result: unisono.Result, change: Callable[[unisono.Alignment], Units]) -> float:
    """γ of documents whose units are those that `change` gives."""
    documents = []
    for document in result.documents:
        alignment = document["gamma"].alignment
        old = alignment.continuum
        new = unisono.Continuum.of(change(alignment), extent=old.extent, name=old.name)
        documents.append(number_like(new, old))
    return unisono.measure(unisono.Corpus(tuple(documents)), seed=11, samples=25)["gamma"].value


def _row(result: unisono.Result, settled: str, **subject: str) -> WhatIf:
    (row,) = (row for row in what_if(result) if row.settled == settled and row.subject == subject)
    assert row.gain == pytest.approx(row.gamma - result["gamma"].value, abs=1e-12)
    return row


def _sheets(alignment: unisono.Alignment) -> Units:
    return {name: [] for name in alignment.continuum.annotators}


def test_categories(result: unisono.Result) -> None:
    def change(alignment: unisono.Alignment) -> Units:
        sheets = _sheets(alignment)
        for unitary in alignment:
            units = [unit for unit in unitary.units if unit is not None]
            category, votes = Counter(unit.category for unit in units).most_common(1)[0]
            for unit in units:
                sheets[unit.annotator].append(
                    (unit.start, unit.end, category if 2 * votes > len(units) else unit.category)
                )
        return sheets

    assert _row(result, "categories").gamma == pytest.approx(_by_hand(result, change), abs=1e-12)


def test_boundaries(result: unisono.Result) -> None:
    def change(alignment: unisono.Alignment) -> Units:
        sheets = _sheets(alignment)
        for unitary in alignment:
            units = [unit for unit in unitary.units if unit is not None]
            start, end = median_low(unit.start for unit in units), median_high(unit.end for unit in units)
            for unit in units:
                sheets[unit.annotator].append((start, end, unit.category))
        return sheets

    assert _row(result, "boundaries").gamma == pytest.approx(_by_hand(result, change), abs=1e-12)


def test_missed(result: unisono.Result) -> None:
    def change(alignment: unisono.Alignment) -> Units:
        sheets = {
            name: [(u.start, u.end, u.category) for u in alignment.continuum.units_of(name)]
            for name in alignment.continuum.annotators
        }
        popularity = Counter(unit.category for unit in alignment.continuum)
        for unitary in alignment:
            units = [unit for unit in unitary.units if unit is not None]
            if not len(sheets) / 2 < len(units) < len(sheets):
                continue
            votes = Counter(unit.category for unit in units)
            category = min(votes, key=lambda label: (-votes[label], -popularity[label], label))
            start, end = median_low(unit.start for unit in units), median_high(unit.end for unit in units)
            for name in set(sheets) - {unit.annotator for unit in units}:
                sheets[name].append((start, end, category))
        return sheets

    assert _row(result, "missed").gamma == pytest.approx(_by_hand(result, change), abs=1e-12)


def test_added(result: unisono.Result) -> None:
    def change(alignment: unisono.Alignment) -> Units:
        sheets = _sheets(alignment)
        for unitary in alignment:
            units = [unit for unit in unitary.units if unit is not None]
            if len(units) > 1:
                for unit in units:
                    sheets[unit.annotator].append((unit.start, unit.end, unit.category))
        return sheets

    assert _row(result, "added").gamma == pytest.approx(_by_hand(result, change), abs=1e-12)


def test_splits(result: unisono.Result) -> None:
    joined = 0

    def change(alignment: unisono.Alignment) -> Units:
        nonlocal joined
        continuum = alignment.continuum
        sheets: Units = {}
        for name in continuum.annotators:
            units = sorted(continuum.units_of(name), key=lambda unit: (unit.start, unit.end))
            others = [continuum.units_of(other) for other in continuum.annotators if other != name]
            pieces = [[unit] for unit in units[:1]]
            for before, unit in itertools.pairwise(units):

                def covers(other: unisono.Unit, before: unisono.Unit = before, unit: unisono.Unit = unit) -> bool:
                    return all(
                        2 * (min(other.end, piece.end) - max(other.start, piece.start)) >= piece.end - piece.start
                        for piece in (before, unit)
                    )

                agreeing = sum(any(map(covers, sheet)) for sheet in others)
                is_piece = unit.start >= before.end and unit.category == before.category and 2 * agreeing > len(others)
                joined += is_piece
                pieces[-1:] = [[*pieces[-1], unit]] if is_piece else [pieces[-1], [unit]]
            sheets[name] = [(p[0].start, max(u.end for u in p), p[0].category) for p in pieces]
        return sheets

    by_hand = _by_hand(result, change)
    assert joined > 0
    assert _row(result, "splits").gamma == pytest.approx(by_hand, abs=1e-12)


def test_annotator(result: unisono.Result) -> None:
    for name in result.corpus.annotators:
        documents = tuple(
            number_like(document.restrict(set(document.annotators) - {name}), document) for document in result.corpus
        )
        value = unisono.measure(unisono.Corpus(documents), seed=11, samples=25)["gamma"].value
        assert _row(result, "annotator", annotator=name).gamma == pytest.approx(value, abs=1e-12)


def test_merged_categories(result: unisono.Result) -> None:
    rows = [row for row in what_if(result) if row.settled == "categories-merged"]
    assert 0 < len(rows) <= 5
    for row in rows:
        mapping = {row.subject["category"]: "X", row.subject["other_category"]: "X"}
        documents = tuple(number_like(document.relabel(mapping), document) for document in result.corpus)
        value = unisono.measure(unisono.Corpus(documents), seed=11, samples=25)["gamma"].value
        assert row.gamma == pytest.approx(value, abs=1e-12)
        assert row.gain == pytest.approx(value - result["gamma"].value, abs=1e-12)


def test_merged_pairs_are_those_with_the_most_disorder(result: unisono.Result) -> None:
    pairs: Counter[tuple[str, str]] = Counter()
    for document in result.documents:
        for unitary in document["gamma"].alignment:
            units = [unit for unit in unitary.units if unit is not None]
            pairs.update(
                tuple(sorted((one.category, other.category)))
                for i, one in enumerate(units)
                for other in units[:i]
                if one.category != other.category
            )
    rows = [row for row in what_if(result) if row.settled == "categories-merged"]
    found = {(row.subject["category"], row.subject["other_category"]) for row in rows}
    least = min(pairs[pair] for pair in found)
    assert all(count <= least for pair, count in pairs.items() if pair not in found)


def test_rows_are_ranked_by_gain(result: unisono.Result) -> None:
    gains = [row.gain for row in what_if(result)]
    assert gains == sorted(gains, reverse=True)
    row = what_if(result)[0].to_dict()
    assert {"settled", "subject", "gamma", "gain"} <= set(row)


def test_two_annotators_have_no_majority() -> None:
    rows = what_if(unisono.measure(_corpus(annotators=2), seed=1, samples=20))
    by_kind = {row.settled: row for row in rows}
    for settled in ("categories", "missed", "added"):
        assert by_kind[settled].reason == TWO_ANNOTATORS
        assert by_kind[settled].gamma is None
    assert by_kind["boundaries"].gain > 0
    assert by_kind["annotator"].reason == "no document would have two annotators"


def test_documents_without_the_annotator_left_are_not_compared() -> None:
    corpus = _corpus()
    few = corpus[0].restrict(corpus[0].annotators[:2])
    result = unisono.measure(unisono.Corpus((few, *corpus[1:])), seed=1, samples=20)
    (row,) = (row for row in what_if(result) if row.subject == {"annotator": few.annotators[0]})
    rest = unisono.measure(corpus[1:], seed=1, samples=20)["gamma"].value
    assert row.gain == pytest.approx(row.gamma - rest, abs=1e-12)
    assert "3 documents that two others saw" in row.sentence


def test_fewer_samples_where_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = _corpus()
    result = unisono.measure(corpus, seed=11, samples=90)
    monkeypatch.setattr(module, "MOST_UNITS", 10)
    monkeypatch.setattr(module, "SAMPLES", 4)
    rows = {row.settled: row for row in what_if(result)}
    few = unisono.measure(corpus, seed=11, samples=4)
    base = few["gamma"].value
    for row in what_if(few):
        if row.settled in rows and row.settled not in ("annotator", "categories-merged"):
            assert rows[row.settled].gamma == pytest.approx(row.gamma, abs=1e-12)
            assert rows[row.settled].gain == pytest.approx(row.gamma - base, abs=1e-12)
            assert rows[row.settled].now == pytest.approx(base, abs=1e-12)
            is_said = (
                f"with 4 random continua of each document, with which it is {base:.2f} now"
                in rows[row.settled].sentence
            )
            assert is_said == (row.gain != 0)
    assert abs(base - result["gamma"].value) >= 0.005  # so it has to be said


def test_a_random_sample_of_many_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_DOCUMENTS", 3)
    corpus = _corpus(sets=6)
    result = unisono.measure(corpus, seed=1, samples=20)
    rows = what_if(result)
    assert "on 3 of 6 documents, chosen at random" in rows[0].sentence
    assert rows[0].now == pytest.approx(rows[0].gamma - rows[0].gain)
    some = [
        unisono.measure(unisono.Corpus(chosen), seed=1, samples=20)["gamma"].value
        for chosen in itertools.combinations(corpus, 3)
    ]
    assert min(abs(value - rows[0].now) for value in some) < 1e-12  # the value of three of the documents
    assert f"where it is {rows[0].now:.2f} now" in rows[0].sentence
    renamed = unisono.Corpus(tuple(each.rename(f"d{9 - i}") for i, each in enumerate(corpus))[::-1])
    again = what_if(unisono.measure(renamed, seed=1, samples=20))
    assert [row.gain for row in again] == pytest.approx([row.gain for row in rows], abs=1e-12)


@pytest.mark.parametrize("chance", ["corpus", "statistical", "positions-kept"])
def test_other_chance_models(chance: str) -> None:
    result = unisono.measure(_corpus(), seed=1, samples=20, chance=chance)
    rows = {row.settled: row for row in what_if(result)}
    assert rows["missed"].gain > 0


def test_gamma_cat_alone() -> None:
    result = unisono.measure(_corpus(), "gamma-cat", seed=1, samples=20)
    rows = {row.settled: row for row in what_if(result)}
    assert rows["categories"].gain > 0
    assert "γcat would be" in rows["categories"].sentence


def test_texts_leave_annotators_out() -> None:
    tokens = ["so", "it", "goes", "on"]
    pos = ["ADV", "PRON", "VERB", "ADV"]
    from unisono.model.versions import TextVersions, Version

    versions = {
        "ann": Version.of_tokens(tokens, features={"pos": pos}),
        "bob": Version.of_tokens(tokens, features={"pos": pos}),
        "cem": Version.of_tokens(["so", "is", "goes", "on"], features={"pos": ["ADV", "ADV", "VERB", "ADV"]}),
    }
    corpus = unisono.Corpus((unisono.Continuum.of_versions(TextVersions.of(versions, name="d")),))
    rows = what_if(unisono.measure(corpus, "text-gamma", seed=1, samples=20))
    assert rows[0].subject == {"annotator": "cem"}
    assert rows[0].gamma == 1.0
    assert {row.reason for row in rows if row.settled == "missed"} == {TEXT_ONLY}


def test_a_loaded_result_is_measured_alike(tmp_path: object, result: unisono.Result) -> None:
    path = f"{tmp_path}/r.unisono"
    unisono.save(result, path)
    loaded = what_if(unisono.load_result(path))
    assert [(row.settled, row.gain) for row in loaded] == [(row.settled, row.gain) for row in what_if(result)]


def test_without_the_settings_there_is_a_reason(tmp_path: object) -> None:
    own = unisono.CombinedDissimilarity(
        categorial=unisono.dissimilarity.Matrix({"A": {"B": 0.5, "C": 1, "D": 1}, "B": {"C": 1, "D": 1}, "C": {"D": 1}})
    )
    result = unisono.measure(_corpus(), seed=1, samples=20, dissimilarity=own)
    path = f"{tmp_path}/r.unisono"
    unisono.save(result, path)
    rows = what_if(unisono.load_result(path))
    assert all(row.gamma is None and "cannot be rebuilt" in row.reason for row in rows)


def test_units_without_categories() -> None:
    corpus = unisono.corpus({"d": {name: [(0, 5), (9, 14 + i)] for i, name in enumerate(("ann", "bob", "cem"))}})
    rows = {row.settled: row for row in what_if(unisono.measure(corpus, seed=1, samples=20))}
    assert rows["categories"].reason == module.NO_CATEGORIES
    assert "categories-merged" not in rows
    assert rows["boundaries"].gamma == 1.0


def test_without_the_only_one_who_marked_there_is_no_value() -> None:
    units = [(10 * i, 10 * i + 6, "A") for i in range(4)]
    corpus = unisono.corpus({name: {"ann": [], "bob": [], "cem": units} for name in ("d1", "d2")})
    rows = what_if(unisono.measure(corpus, seed=1, samples=10))
    (row,) = (row for row in rows if row.subject == {"annotator": "cem"})
    assert (row.gamma, row.gain) == (None, None)
    assert "nobody marked any unit" in str(row.reason)
