# SPDX-License-Identifier: MIT
"""The JSON of an explanation, field by field. Oracle: docs/json.md, `unisono explain --json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import unisono
from unisono.shuffling import (
    BoundaryHabit,
    CategoryConfusion,
    CategoryErrors,
    Errors,
    FalseNegatives,
    FalsePositives,
    Merges,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_corpus,
)

MODEL = ReferenceModel(units=(5, 30), length=(5, 60), gap=(5, 40), categories={"A": 4, "B": 3, "C": 2, "D": 1})
EVERYDAY: tuple[Errors, ...] = (
    FalseNegatives(magnitude_factor=0.8),
    PositionErrors(share=0.2, magnitude_factor=2),
)
NAMES = ["Ada", "Ben", "Cem", "Dee"]
NUMBER = (int, float)

#: Errors that make each kind of finding.
MAKES: Mapping[str, tuple[Errors, ...]] = {
    "annotator-misses": (*EVERYDAY, FalseNegatives(by=("Ben",), magnitude_factor=3)),
    "annotator-adds": (*EVERYDAY, FalsePositives(by=("Ben",), factor=2)),
    "annotator-boundaries": (*EVERYDAY, BoundaryHabit(by=("Ben",), magnitude_factor=2)),
    "annotator-splits": (*EVERYDAY, Splits(law="each", by=("Ben",), at_least=35, magnitude_factor=5)),
    "annotator-merges": (*EVERYDAY, Merges(by=("Ben",), same_category=True, magnitude_factor=9)),
    "annotator-categories": (*EVERYDAY, CategoryErrors(by=("Ben",), magnitude_factor=4)),
    "categories-confused": (
        *EVERYDAY,
        CategoryConfusion(category="B", instead="C", is_mutual=True, magnitude_factor=3),
    ),
    "short-units-missed": (*EVERYDAY, FalseNegatives(at_most=18, magnitude_factor=4)),
    "units-missed": (FalseNegatives(magnitude_factor=2),),
    "boundaries-vague": (PositionErrors(magnitude_factor=4),),
    "categories-vague": (CategoryErrors(magnitude_factor=3),),
    "reading-rule": (FalseNegatives(magnitude_factor=4),),
}
SUBJECTS = {
    "annotator-misses": {"annotator"},
    "annotator-adds": {"annotator"},
    "annotator-boundaries": {"annotator"},
    "annotator-splits": {"annotator"},
    "annotator-merges": {"annotator"},
    "annotator-categories": {"annotator", "category", "other_category"},
    "categories-confused": {"category", "other_category"},
    "documents-worst": {"document"},
}


def explain(errors: tuple[Errors, ...], *, what_if: bool = False) -> dict[str, Any]:
    corpus = shuffled_corpus(MODEL, errors, 0.1, sets=17, annotators=NAMES, seed=1)
    result = unisono.measure(corpus, ["gamma", "gamma-cat"], samples=10, seed=1, threads=1)
    data: dict[str, Any] = json.loads(json.dumps(unisono.explain(result, what_if=what_if).to_dict(), allow_nan=False))
    return data


def check_finding(finding: dict[str, Any], documents: set[str]) -> None:
    keys = {"kind", "subject", "sentence", "size", "size_unit", "interval", "gain", "next", "places", "disorder", "p"}
    assert set(finding) == keys
    assert set(finding["subject"]) <= {"annotator", "category", "other_category", "document"}
    assert all(value is None or isinstance(value, str) for value in finding["subject"].values())
    for text in (finding["sentence"], finding["next"]):
        assert text.endswith(".")
        assert not {"None", "nan", "inf"} & set(text.replace("(", " ").replace(")", " ").split())
    assert isinstance(finding["size"], NUMBER)
    assert finding["size_unit"] in {"share", "positions", "lengths", "disorder"}
    if finding["interval"] is not None:
        low, high = finding["interval"]
        assert low <= finding["size"] <= high
    assert finding["gain"] is None or isinstance(finding["gain"], NUMBER)
    assert finding["disorder"] is None or 0 <= finding["disorder"] <= 1
    # Evidence: everything but the rule that compares two values can be looked at.
    assert (1 if finding["kind"] != "reading-rule" else 0) <= len(finding["places"]) <= 3
    for place in finding["places"]:
        assert set(place) == {"document", "start", "end"}
        assert place["document"] in documents
        assert 0 <= place["start"] < place["end"]


@pytest.mark.parametrize("kind", MAKES)
def test_every_kind_of_finding(kind: str) -> None:
    data = explain(MAKES[kind])
    documents = {f"set-{number:04}" for number in range(1, 18)}
    for finding in data["findings"]:
        check_finding(finding, documents)
        if finding["subject"] and finding["kind"] in SUBJECTS:
            assert set(finding["subject"]) == SUBJECTS[finding["kind"]]
    assert kind in {finding["kind"] for finding in data["findings"]}


def test_the_worst_documents() -> None:
    corpus = shuffled_corpus(MODEL, EVERYDAY, 0.1, sets=20, annotators=NAMES, seed=1)
    bad = shuffled_corpus(MODEL, [FalseNegatives(), PositionErrors()], 0.6, sets=[99], annotators=NAMES, seed=1)
    result = unisono.measure(unisono.Corpus((*corpus, *bad)), samples=5, seed=1, threads=1)
    findings = unisono.explain(result, what_if=False).to_dict()["findings"]
    (worst,) = [finding for finding in findings if finding["kind"] == "documents-worst"]
    check_finding(worst, {"set-0099"})
    assert worst["subject"] == {"document": "set-0099"}


def test_everything_else() -> None:
    data = explain((*MAKES["annotator-misses"], CategoryErrors(magnitude_factor=0.5)), what_if=True)
    assert list(data) == [
        "schema", "signature", "measure", "gamma", "findings", "equivalents", "what_if", "annotators", "categories",
        "confusions", "significance", "properties", "advice",
    ]  # fmt: skip
    assert (data["schema"], data["measure"]) == (1, "gamma")
    assert isinstance(data["gamma"]["value"], float)
    assert [row["kind"] for row in data["equivalents"]] == ["missed", "added", "boundaries", "categories", "splits"]
    for row in data["equivalents"]:
        assert set(row) == {"kind", "quantity", "low", "high", "sentence", "reason"}
        # A quantity, or a reason why there is none; a lower end alone says "more than".
        assert (row["quantity"] is None) == (row["reason"] is not None)
        numbers = [row[name] for name in ("low", "quantity", "high") if row[name] is not None]
        assert all(isinstance(number, NUMBER) for number in numbers)
        assert numbers == sorted(numbers)
    settled = {"categories", "boundaries", "missed", "added", "splits", "annotator", "categories-merged"}
    assert {row["settled"] for row in data["what_if"]} == settled
    for row in data["what_if"]:
        assert set(row) == {"settled", "subject", "gamma", "gain", "reason", "sentence", "now"}
        assert (row["gamma"] is None) == (row["gain"] is None) == (row["reason"] is not None)
        if row["gain"] is not None:
            assert row["gamma"] - row["gain"] == pytest.approx(row["now"])
    assert [row["annotator"] for row in data["annotators"]] == NAMES
    habits = {"misses", "adds", "starts", "ends", "splits", "merges", "categories"}
    for row in data["annotators"]:
        alone = {"annotator", "documents", "units", "units_per_document", "units_per_document_of_others", "confusions"}
        assert set(row) == habits | alone
        for habit in habits:
            cell = {"value", "low", "high", "others", "units", "p", "stands_out"}
            assert set(row[habit]) == cell | ({"positions"} if habit in ("starts", "ends") else set())
            if row[habit]["value"] is not None:
                assert row[habit]["low"] <= row[habit]["value"] <= row[habit]["high"]
    assert {row["category"] for row in data["categories"]} == {"A", "B", "C", "D"}
    for row in data["categories"]:
        assert set(row) == {"category", "units", "annotators", "missed", "alone", "boundaries", "split"}
    # The finding has the gain of the row that settles it.
    (without,) = [row for row in data["what_if"] if row["subject"] == {"annotator": "Ben"}]
    (misses,) = [finding for finding in data["findings"] if finding["kind"] == "annotator-misses"]
    assert misses["gain"] == pytest.approx(without["gain"])
