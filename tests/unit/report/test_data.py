# SPDX-License-Identifier: MIT
"""What the report counts. Oracle: loops over units and unitary alignments, written to be read."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import unisono
from unisono.report import data as report_data
from unisono.report.data import ReportData
from unisono.report.details import MOST_ANNOTATORS, details_of

FAMILY = ["gamma", "gamma-cat", "gamma-k"]


def a_corpus(seed: int, documents: int = 6, categories: int = 4) -> unisono.Corpus:
    """Documents of two to five annotators who differ on places, categories and on what to mark."""
    random = np.random.default_rng(seed)
    labels = [*(f"c{i}" for i in range(categories)), None]
    made = {}
    for d in range(documents):
        units: dict[str, list[tuple[int, int, str | None]]] = {}
        for annotator in random.permutation(list("abcde"))[: random.integers(2, 6)].tolist():
            units[annotator] = [
                (start, start + int(random.integers(1, 9)), labels[int(random.integers(len(labels)))])
                for start in (np.arange(8) * 10 + random.integers(0, 4, 8)).tolist()
                if random.random() < 0.8
            ]
        made[f"d{d}"] = units
    made["alone"] = {"a": [(0, 4, "c0")]}
    return unisono.corpus(made)


@pytest.fixture(scope="module", params=[1, 2, 3])
def report(request: pytest.FixtureRequest) -> ReportData:
    return ReportData.of(unisono.measure(a_corpus(request.param), FAMILY, seed=1, samples=20))


def test_confusion(report: ReportData) -> None:
    pairs: Counter[tuple[str | None, str | None]] = Counter()
    missing: Counter[str | None] = Counter()
    for document in report.result.documents:
        alignment = document["gamma"].alignment
        for unitary in alignment.unitary_alignments if alignment else ():
            real = [unit for unit in unitary.units if unit is not None]
            for unit in real:
                missing[unit.category] += len(unitary.units) - len(real)
            for u, v in itertools.combinations(real, 2):
                pairs[u.category, v.category] += 1
                if u.category != v.category:
                    pairs[v.category, u.category] += 1
    found = report.confusion
    assert found is not None
    for i, row in enumerate(found.labels):
        assert found.missing[i] == missing[row]
        for j, column in enumerate(found.labels):
            assert found.pairs[i, j] == pairs[row, column]
    n_pairs = sum(document["gamma"].n_aligned_pairs or 0 for document in report.result.documents)
    assert found.total == n_pairs
    worst = found.worst(3)
    assert [n for *_, n in worst] == sorted(
        (pairs[a, b] for a, b in itertools.combinations(found.labels, 2)), reverse=True
    )[: len(worst)]


def test_confusion_in_small_steps_is_the_same(report: ReportData, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = report.confusion
    monkeypatch.setattr(report_data, "AT_ONCE", 3)
    again = ReportData(report.result, report.corpus, report.details, True).confusion
    assert whole is not None
    assert again is not None
    assert np.array_equal(whole.pairs, again.pairs)


def test_rare_categories_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    result = unisono.measure(a_corpus(4, categories=9), seed=1, samples=5)
    everything = ReportData.of(result).confusion
    monkeypatch.setattr(report_data, "MOST_CATEGORIES", 3)
    few = ReportData.of(result).confusion
    assert everything is not None
    assert few is not None
    assert len(few.labels) == 3
    assert few.n_rare == len(everything.labels) - 3
    assert few.total == everything.total
    assert few.missing.sum() == everything.missing.sum()
    kept = [everything.labels.index(label) for label in few.labels]
    assert np.array_equal(few.pairs[:3, :3], everything.pairs[np.ix_(kept, kept)])


def test_annotators(report: ReportData) -> None:
    for row in report.annotators:
        mine = [unit for continuum in report.corpus for unit in continuum if unit.annotator == row.name]
        assert row.units == len(mine)
        assert row.documents == sum(row.name in continuum.annotators for continuum in report.corpus)
        if mine:
            lengths = sorted(unit.length for unit in mine)
            assert row.lengths is not None
            assert row.lengths == pytest.approx(tuple(np.quantile(lengths, [0, 0.25, 0.5, 0.75, 1])))
        alone = sum(
            any(unit is not None and unit.annotator == row.name for unit in unitary.units)
            and sum(unit is not None for unit in unitary.units) == 1
            for alignment in report.alignments
            if alignment is not None
            for unitary in alignment.unitary_alignments
        )
        assert row.alone == alone


def test_categories(report: ReportData) -> None:
    units = [unit for continuum in report.corpus for unit in continuum]
    assert {row.label: row.units for row in report.categories} == Counter(unit.category for unit in units)
    for row in report.categories:
        assert row.annotators == len({unit.annotator for unit in units if unit.category == row.label})
        expected = (report.result["gamma-k"].per_category or {}).get(row.label)
        assert row.value is expected
    ranked = [row for row in report.categories if row.value and row.value.value is not None]
    costs = [(row.units < 5, -(row.value.contribution or 0.0)) for row in ranked if row.value]
    assert costs == sorted(costs)


def test_shares_are_those_of_all_disorder(report: ReportData) -> None:
    assert report.shares is not None
    assert sum(report.shares) == pytest.approx(1)
    total = sum(float(a.disorders.sum()) for a in report.alignments if a is not None)
    empty = 0.0
    for alignment in report.alignments:
        for unitary in alignment.unitary_alignments if alignment else ():
            n, real = len(unitary.units), sum(unit is not None for unit in unitary.units)
            empty += 1 - real * (real - 1) / (n * (n - 1))
    assert report.shares[2] == pytest.approx(empty / total)


def test_chance_is_pooled_as_the_value_is(report: ReportData) -> None:
    """With a fixed number of samples, the mean over random corpora is about the expected disorder of the whole."""
    chance = report.chance
    assert chance is not None
    assert len(chance.disorders) == 9_999
    error = chance.disorders.std() / 9_999**0.5
    assert chance.disorders.mean() == pytest.approx(report.result["gamma"].expected, abs=5 * error)
    assert chance.observed == report.result["gamma"].observed
    assert chance.documents == 6


def test_chance_of_documents_that_share_their_random_continua() -> None:
    corpus = unisono.corpus(
        {f"d{i}": {"a": [(0, 5, "A"), (8, 12, "B")], "b": [(0, 5 + i, "A"), (9, 12, "A")]} for i in range(40)}
    )
    chance = ReportData.of(unisono.measure(corpus, seed=1, samples=200, chance="corpus")).chance
    one = unisono.measure(corpus, seed=1, samples=200, chance="corpus").documents[0]["gamma"].chance_disorders
    assert chance is not None
    assert one is not None
    assert chance.disorders.mean() == pytest.approx(chance.expected, abs=5 * chance.disorders.std() / 9_999**0.5)
    # Forty documents of independent chances vary less than one: by the square root of forty, about.
    assert chance.disorders.std() < one.std() / 3


def test_worst_first(report: ReportData) -> None:
    values = [report.result.documents[i]["gamma"].value for i in report.order]
    defined = [value for value in values if value is not None]
    assert defined == sorted(defined)
    assert values[len(defined) :] == [None] * (len(values) - len(defined))


def test_nothing_to_confuse() -> None:
    plain = ReportData.of(unisono.measure(unisono.corpus({"d": {"a": [(0, 5)], "b": [(0, 4)]}}), seed=1, samples=5))
    assert plain.confusion is None
    assert [row.label for row in plain.categories] == [None]
    other = ReportData.of(unisono.measure(a_corpus(1), ["f1-exact"], seed=1))
    assert other.confusion is None
    assert other.chance is None
    assert other.shares is None
    assert all(row.alone is None for row in other.annotators)


def test_the_feature_that_is_compared(tmp_path: Path) -> None:
    hand = {"left": "L", "right": "R"}
    units = {
        name: [unisono.Unit(i * 10, i * 10 + 5, "same", features={"hand": hand[side]}) for i, side in enumerate(sides)]
        for name, sides in {"a": ["left", "right"], "b": ["left", "left"]}.items()
    }
    corpus = unisono.Corpus((unisono.Continuum.of(units, name="d"),))
    dissimilarity = unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Nominal(feature="hand"))
    result = unisono.measure(corpus, seed=1, samples=5, dissimilarity=dissimilarity)
    unisono.save(result, tmp_path / "r.unisono")
    for each in (result, unisono.load_result(tmp_path / "r.unisono")):
        found = ReportData.of(each).confusion
        assert found is not None
        assert found.labels == ("L", "R")
        assert found.pairs.tolist() == [[1, 1], [1, 0]]


def test_tables_of_annotators_are_those_of_the_module() -> None:
    result = unisono.measure(a_corpus(1), seed=3, samples=20, level=0.9)
    table = details_of(result).annotators
    matrix = unisono.pairwise(a_corpus(1), seed=3, samples=20, level=0.9)
    assert table is not None
    assert {key: table[key] for key in matrix.to_dict()} == matrix.to_dict()
    left = unisono.leave_one_out(a_corpus(1), seed=3, samples=20, level=0.9)
    assert table["leave_one_out"] == [each.to_dict() for each in left]


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical"])
@pytest.mark.parametrize("preset", ["paper", "greyc", "pygamma"])
def test_pairs_are_measured_as_the_whole(chance: str, preset: str) -> None:
    """Two annotators who saw everything: their pair is the corpus."""
    corpus = unisono.corpus(
        {f"d{i}": {"a": [(0, 5, "A"), (8, 12, "B")], "b": [(1, 5 + i, "A"), (9, 12, "A")]} for i in range(3)}
    )
    result = unisono.measure(corpus, seed=5, samples=10, chance=chance, preset=preset)
    table = details_of(result).annotators
    assert table is not None
    assert table["pairs"][0]["value"] == result["gamma"].value
    assert table["leave_one_out"] == []


def test_crowds_are_left_out_in_words() -> None:
    crowd = {f"w{i:02}": [(0, 5, "A")] for i in range(MOST_ANNOTATORS + 1)}
    result = unisono.measure(unisono.corpus({"d": crowd}), seed=1, samples=2)
    found = details_of(result)
    assert found.annotators is None
    assert found.annotators_reason == "61 annotators have too many pairs (the limit is 60 annotators)"
    assert details_of(result, annotators=False).annotators_reason == "not asked for"
    assert len((details_of(result, annotators=True).annotators or {})["pairs"]) == 1830


def test_a_loaded_result_has_the_tables_it_was_saved_with(tmp_path: Path) -> None:
    result = unisono.measure(a_corpus(1), seed=1, samples=2)
    unisono.save(result, tmp_path / "with.unisono")
    unisono.save(result, tmp_path / "without.unisono", annotators=False)
    loaded = unisono.load_result(tmp_path / "with.unisono")
    assert details_of(loaded).annotators == details_of(result).annotators
    assert details_of(loaded, annotators=False).annotators_reason == "not asked for"
    with pytest.raises(
        unisono.ParameterError, match=r"no tables of annotators: not asked for. Save it again with annotators=True"
    ):
        details_of(unisono.load_result(tmp_path / "without.unisono"), annotators=True)


def test_much_work_is_left_out_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four annotators: without one of them three are left, who were not measured yet."""
    corpus = unisono.corpus({"d": {name: [(0, 5, "A"), (8, 12, "B")] for name in ("ann", "bob", "cem", "dee")}})
    monkeypatch.setattr("unisono.report.details.MOST_LEFT", 1)
    result = unisono.measure(corpus, seed=1, samples=2)
    table = details_of(result).annotators
    assert table is not None
    assert table["leave_one_out"] == []
    assert table["leave_one_out_reason"].endswith("units (the limit is 1)")
    assert len((details_of(result, annotators=True).annotators or {})["leave_one_out"]) == 4
    monkeypatch.setattr("unisono.report.details.MOST_PAIRED", 1)
    found = details_of(unisono.measure(corpus, seed=1, samples=2))
    assert (found.annotators_reason or "").endswith("units to align again (the limit is 1)")
