# SPDX-License-Identifier: MIT
"""Decisions on a gold standard. Oracle: the rules of docs/gold.md, applied by hand to a small letter."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import unisono
from unisono.analysis.gold import Decisions
from unisono.results import DataSummary


@pytest.fixture
def letter() -> unisono.Corpus:
    units: dict[str, Any] = {
        "ann": [(0, 7, "Person"), (23, 41, "Organisation"), (45, 51, "Date")],
        "bob": [(0, 7, "Person"), (23, 41, "Place")],
        "cem": [(0, 8, "Person"), (23, 41, "Thing"), (60, 65, "Date")],
    }
    return unisono.corpus({"letter": unisono.continuum(units, name="letter", extent=(0, 80))})


def units_of(gold: unisono.Gold) -> list[tuple[Any, Any, str | None]]:
    return [(unit.start, unit.end, unit.category) for unit in gold.units]


def decision(kind: str, unit: tuple[int, int, str | None] | None, result: Any = None) -> dict[str, Any]:
    def span(given: Any) -> dict[str, Any] | None:
        return None if given is None else dict(zip(("start", "end", "category"), given, strict=True))

    return {"document": "letter", "unit": span(unit), "decision": kind, "result": span(result), "by": "eva"}


def made(corpus: unisono.Corpus, *decisions: dict[str, Any]) -> dict[str, Any]:
    return {"schema": 1, "data": DataSummary.of(corpus).sha256, "decisions": list(decisions)}


def test_a_decision_beats_the_vote_and_the_rest_stays(letter: unisono.Corpus) -> None:
    voted = units_of(unisono.gold(letter))
    assert voted == [(0, 7, "Person"), (23, 41, "Organisation")]
    file = made(
        letter,
        decision("replace", (23, 41, "Organisation"), (23, 41, "Place")),
        decision("keep", (45, 51, "Date")),
        decision("drop", (0, 7, "Person")),
        decision("add", None, (70, 75, None)),
        decision("drop", (1, 2, "Nothing")),
    )
    gold = unisono.gold(letter, decisions=file)
    assert units_of(gold) == [(23, 41, "Place"), (45, 51, "Date"), (70, 75, None)]
    assert gold.decided is not None
    assert (gold.decided.decided, gold.decided.to_look_at, gold.decided.further) == (2, 3, 2)
    assert [each.unit for each in gold.decided.unmet] == [(1, 2, "Nothing")]
    assert gold.n_to_look_at == 1  # the dropped unit of cem, which nobody decided on
    assert not [problem for problem in gold.problems if problem.code == "decisions-data"]
    assert "2 of 3 decided by a person, and 2 further decisions" in str(gold)
    assert "no such unit: letter: 1-2 Nothing (drop)" in str(gold)


def test_twice_changes_nothing(letter: unisono.Corpus, tmp_path: Path) -> None:
    file = made(letter, decision("keep", (45, 51, "Date")), decision("add", None, (70, 75, "Date")))
    once = unisono.gold(letter, decisions=file)
    twice = unisono.gold(letter, decisions={**file, "decisions": file["decisions"] * 2})
    assert units_of(once) == units_of(twice) == units_of(unisono.gold(letter, decisions=file))
    assert once.to_dict() == unisono.gold(letter, decisions=file).to_dict()
    written = once.corpus()[0]
    assert [written.features["decision"][i] for i in range(len(written))] == [None, None, "keep", "add"]


def test_a_table_says_the_same_as_json(letter: unisono.Corpus, tmp_path: Path) -> None:
    """The columns of `gold --adjudication` with four more; rows without a decision are undecided."""
    from unisono.report.gold_table import adjudication_table

    rows = list(csv.DictReader(adjudication_table(unisono.gold(letter)).text("csv").splitlines()))
    assert len(rows) == 3
    for row in rows:
        if row["start"] == "45":
            row |= {"decision": "keep"}
        if row["start"] == "23":
            row |= {"decision": "replace", "new_end": "40", "new_category": "Place"}
    path = tmp_path / "decisions.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(
            file, [*rows[0], "decision", "new_start", "new_end", "new_category"], extrasaction="ignore"
        )
        writer.writeheader()
        writer.writerows(rows)
    from_table = unisono.gold(letter, decisions=path)
    json_path = tmp_path / "decisions.json"
    json_path.write_text(
        json.dumps(
            made(
                letter,
                decision("replace", (23, 41, "Organisation"), (23, 40, "Place")),
                decision("keep", (45, 51, "Date")),
            )
        )
    )
    from_json = unisono.gold(letter, decisions=json_path)
    assert units_of(from_table) == units_of(from_json) == [(0, 7, "Person"), (23, 40, "Place"), (45, 51, "Date")]


def test_other_data_are_told(letter: unisono.Corpus) -> None:
    file = {**made(letter, decision("keep", (45, 51, "Date"))), "data": "0" * 64}
    gold = unisono.gold(letter, decisions=file)
    assert [problem.code for problem in gold.problems if problem.severity == "warning"] == ["decisions-data"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (decision("burn", (0, 7, "Person")), "'burn' is not a decision"),
        (decision("replace", (0, 7, "Person")), "the decision has no unit to put in, which replace needs"),
        (decision("keep", None), "does not name the unit that it is about"),
        (decision("replace", (0, 7, "Person"), (9, 4, "Person")), "ends \\(4\\) before it starts \\(9\\)"),
        (decision("replace", (0, 7, "Person"), (0, 700, "Person")), "does not lie within letter"),
        ({"document": "letter"}, "decision.* is missing"),
        ("nonsense", "has no attribute"),
    ],
)
def test_what_cannot_be_used_is_named(letter: unisono.Corpus, entry: Any, message: str) -> None:
    with pytest.raises(unisono.ParameterError, match=message):
        unisono.gold(letter, decisions={"schema": 1, "decisions": [entry]})


def test_files_that_are_no_decisions(tmp_path: Path) -> None:
    for text, message in (
        ("[1]", "JSON list"),
        ("{", "not JSON"),
        ('{"a": 1}', "schema 1"),
        ("a,b\n1,2\n", "no column"),
    ):
        path = tmp_path / "file"
        path.write_text(text)
        with pytest.raises(unisono.ParameterError, match=message):
            Decisions.of(path)
    with pytest.raises(unisono.ParameterError, match="cannot be read"):
        Decisions.of(tmp_path / "nowhere")


def test_equal_units_are_told_apart_by_their_order() -> None:
    units: dict[str, Any] = {"ann": [(0, 5, "A"), (0, 5, "A")], "bob": [(0, 5, "A"), (0, 5, "A")]}
    corpus = unisono.corpus({"letter": units})
    assert len(units_of(unisono.gold(corpus))) == 2
    one = unisono.gold(corpus, decisions=made(corpus, decision("drop", (0, 5, "A"))))
    assert units_of(one) == [(0, 5, "A")]
    both = unisono.gold(corpus, decisions=made(corpus, *[decision("drop", (0, 5, "A"))] * 2))
    assert units_of(both) == []


def test_equal_units_are_told_apart_by_their_unitary_alignment(tmp_path: Path) -> None:
    units: dict[str, Any] = {"ann": [(0, 5, "A")] * 3, "bob": [(0, 5, "A")] * 3}
    corpus = unisono.corpus({"letter": units})
    named = [decision(kind, (0, 5, "A")) | {"unitary_alignment": number} for kind, number in (("drop", 3), ("keep", 2))]
    nameless = decision("drop", (0, 5, "A"))
    gone = decision("drop", (0, 5, "A")) | {"unitary_alignment": 9}  # of another alignment of the same data
    for entries, expected in (
        (named, {1: "keep", 2: "drop"}),
        ([nameless, *named], {0: "drop", 1: "keep", 2: "drop"}),
        ([*named, gone], {0: "drop", 1: "keep", 2: "drop"}),
        ([*named, decision("keep", (0, 5, "A")) | {"unitary_alignment": 3}], {1: "keep", 2: "drop"}),
    ):
        (document,) = unisono.gold(corpus, decisions=made(corpus, *entries)).documents
        assert document.decided == expected
    table = tmp_path / "decisions.csv"
    table.write_text("document,unitary_alignment,start,end,category,decision\nletter,2,0,5,A,drop\n", encoding="utf-8")
    (document,) = unisono.gold(corpus, decisions=table).documents
    assert document.decided == {1: "drop"}
    for number in ("x", "0", "1.0"):
        table.write_text(f"document,unitary_alignment,start,end,category,decision\nletter,{number},0,5,A,drop\n")
        with pytest.raises(unisono.ParameterError, match=f"'{number}' is not the number of a unitary alignment"):
            unisono.gold(corpus, decisions=table)
