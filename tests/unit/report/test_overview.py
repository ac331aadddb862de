# SPDX-License-Identifier: MIT
"""The numbers behind the charts. Oracle: the same counted pair by pair in plain Python, and the result itself."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import numpy as np
import pytest

import unisono
from unisono.report.chart_numbers import (
    STRETCHES,
    Matches,
    along,
    match_shares,
    matches_of,
    overview,
    pointers,
    similarity_order,
    stretches_of,
)
from unisono.report.data import Chance, ReportData

FAMILY = ["gamma", "gamma-cat", "gamma-k"]


def made(n_documents: int = 8, seed: int = 3) -> unisono.Corpus:
    random = np.random.default_rng(seed)
    documents: dict[str, Any] = {}
    for d in range(n_documents):
        names = ["ann", "bob", "cem", "dan"][: 3 + d % 2]
        documents[f"letter {d}"] = {
            name: [
                (int(s + random.integers(0, 4)), int(s + 9 + random.integers(0, 4)), "ABC"[random.integers(3)])
                for s in range(0, 100, 14)
                if random.random() < 0.8
            ]
            for name in names
        }
    documents["alone"] = {"ann": [(0, 4, "A")]}
    return unisono.corpus(documents)


@pytest.fixture(scope="module")
def data() -> ReportData:
    return ReportData.of(unisono.measure(made(), FAMILY, seed=1, samples=10))


def count_matches(data: ReportData) -> dict[tuple[int, str], tuple[int, int]]:
    """For each document and annotator: (matched, asked), by looking at every pair of annotators."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    for number, alignment in enumerate(data.alignments):
        if alignment is None:
            continue
        names = alignment.continuum.annotators
        for name in names:
            found[number, name] = (0, 0)
        for unitary in alignment:
            units = dict(zip(names, unitary.units, strict=True))
            for one, other in permutations(names, 2):
                if units[one] is None and units[other] is None:
                    continue
                matched, asked = found[number, one]
                both = units[one] is not None and units[other] is not None
                same = both and units[one].category == units[other].category
                found[number, one] = (matched + bool(same), asked + 1)
    return found


def test_matches_are_counted_pair_by_pair(data: ReportData) -> None:
    matches = matches_of(data)
    names = data.corpus.annotators
    rows = zip(matches.document, matches.annotator, matches.matched, matches.asked, strict=True)
    counted = {(int(d), names[a]): (int(m), int(q)) for d, a, m, q in rows}
    assert counted == count_matches(data)
    assert len({q for _, q in counted.values()}) > 3


def test_shares_of_matches_are_ratios_of_sums_with_the_ratio_estimator(data: ReportData) -> None:
    counted = count_matches(data)
    names = data.corpus.annotators
    for name, row in zip(names, match_shares(matches_of(data), len(names)), strict=True):
        own = [pair for (_, who), pair in counted.items() if who == name and pair[1]]
        matched, asked = (sum(column) for column in zip(*own, strict=True))
        assert (row["matched"], row["asked"]) == (matched, asked)
        assert row["share"] == pytest.approx(matched / asked)
        k = len(own)
        if k < 5:
            assert row["interval"] is None
            continue
        spread = sum((m - matched / asked * q) ** 2 for m, q in own)
        error = (k / (k - 1) * spread) ** 0.5 / asked
        assert row["interval"] == pytest.approx(
            [max(0, matched / asked - 1.959964 * error), min(1, matched / asked + 1.959964 * error)], abs=1e-6
        )


def test_equal_shares_have_no_interval() -> None:
    """Nobody is known to the last digit from six documents without a match."""
    document = np.tile(np.arange(6), 2)
    annotator = np.repeat([0, 1], 6)
    matched = np.array([0] * 6 + [1, 2, 1, 0, 2, 1])
    never, sometimes = match_shares(Matches(document, annotator, matched, np.full(12, 3)), 2)
    assert (never["share"], never["interval"]) == (0.0, None)
    assert sometimes["interval"] is not None


def test_similar_annotators_stand_side_by_side() -> None:
    values = np.full((4, 4), 0.1)
    for i, j in ((0, 2), (2, 3), (3, 1)):
        values[i, j] = values[j, i] = 0.9 - 0.1 * i
    order = similarity_order(values)
    assert sorted(order) == [0, 1, 2, 3]
    assert order in ([0, 2, 3, 1], [1, 3, 2, 0])
    assert similarity_order(np.full((3, 3), np.nan)) == [0, 1, 2]


def test_the_disorder_along_the_continuum_adds_up(data: ReportData) -> None:
    rows = along(data)
    assert rows is not None
    assert len(rows) == STRETCHES
    known = [alignment for alignment in data.alignments if alignment is not None]
    assert sum(row["unitary_alignments"] for row in rows) == sum(map(len, known))
    total = sum(row["unitary_alignments"] * (row["disorder"] or 0.0) for row in rows)
    assert total == pytest.approx(sum(float(alignment.disorders.sum()) for alignment in known))
    for alignment in known:
        extent = alignment.continuum.extent
        assert extent is not None
        for unitary, stretch in zip(alignment, stretches_of(alignment).tolist(), strict=True):
            units = [unit for unit in unitary.units if unit is not None]
            middle = (min(unit.start for unit in units) + max(unit.end for unit in units)) / 2
            share = (middle - extent.start) / (extent.end - extent.start)
            assert stretch == min(STRETCHES - 1, int(share * STRETCHES))


def test_everything_is_in_the_object_as_in_the_result(data: ReportData) -> None:
    shown = overview(data)
    json.dumps(shown, allow_nan=False)
    assert shown["value"] == data.result["gamma"].value
    for row in shown["categories"]:
        assert row["value"] == (data.result["gamma-k"].per_category or {})[row["category"]].value
    assert [row["units"] for row in shown["categories"]] == sorted(
        (row["units"] for row in shown["categories"]), reverse=True
    )
    confusion = data.confusion
    assert confusion is not None
    assert shown["confusion"]["pairs"] == confusion.pairs.tolist()
    tables = data.details.annotators
    assert tables is not None
    order = shown["pairs"]["annotators"]
    for pair in tables["pairs"]:
        i, j = (order.index(name) for name in pair["annotators"])
        assert shown["pairs"]["values"][i][j] == shown["pairs"]["values"][j][i] == pair["value"]
    counted = count_matches(data)
    grid = shown["grid"]
    for document, row in zip(grid["documents"], grid["cells"], strict=True):
        for name, cell in zip(grid["annotators"], row, strict=True):
            assert (tuple(cell) if cell else None) == counted.get((document, name))
    chance = shown["chance"]
    assert sum(chance["counts"]) == chance["n"]


def test_where_to_look_first_names_what_is_there(data: ReportData) -> None:
    found = {row["kind"]: row for row in pointers(data)}
    worst = data.result.documents[data.order[0]]
    assert found["document"]["document"] == worst.name
    tables = data.details.annotators
    assert tables is not None
    assert found["annotator"]["case"] == {"annotator": tables["outlier"]}
    assert data.confusion is not None
    i, j, n = data.confusion.worst(1)[0]
    assert found["categories"]["case"] == {"categories": [data.confusion.labels[i], data.confusion.labels[j]]}
    assert f"{n} pairs" in found["categories"]["sentence"]


def test_one_document_two_annotators_one_category_have_no_empty_cards() -> None:
    corpus = unisono.corpus({"d": {"ann": [(0, 5, "A"), (9, 12, "A")], "bob": [(0, 6, "A")]}})
    result = unisono.measure(corpus, ["gamma"], seed=1, samples=5)
    shown = overview(ReportData.of(result))
    assert shown["pointers"] == []
    assert shown["pairs"] is None
    assert shown["grid"] is None


def test_random_disorders_that_differ_by_rounding_are_as_low(data: ReportData, monkeypatch: pytest.MonkeyPatch) -> None:
    """The count is the one that the p-value is made of."""
    chance = Chance(np.array([0.3 - 1e-9, 0.3 + 1e-16, 0.3 + 1e-13, 0.3001]), 0.3, 0.3, 1)
    monkeypatch.setitem(data.__dict__, "chance", chance)
    assert overview(data)["chance"]["below"] == 3
