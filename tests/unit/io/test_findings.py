# SPDX-License-Identifier: MIT
"""Findings that spoil nothing: warnings and notes, counted, with the place of the first. Oracle: written by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from unisono.io import inspect, read
from unisono.io.assemble import natural


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(content: str) -> dict[str, str]:
    Path("a.csv").write_text(content)
    inspection = inspect("a.csv")
    assert inspection.corpus is not None
    assert inspection.corpus.problems == inspection.problems
    return {problem.code: f"{problem.severity}: {problem}" for problem in inspection.problems}


def test_clean_data_have_a_guessed_extent_and_nothing_else() -> None:
    assert found("annotator,start,end,category\nann,1,2,X\nbob,1,2,X\n") == {
        "guessed-extent": "note: a.csv: the extent of every document; found 1 document without, "
        "taken from the first start to the last end; give it with --documents or --extent"
    }


def test_every_finding() -> None:
    problems = found(
        "document,annotator,start,end,category,note, \n"
        "d1,ann,1,2,Person,,\n"
        "d1,ann,1,2,Person,,\n"
        "d1,ann,1,4,person ,,\n"
        "d1,bob,5,5,,,\n"
        "d2,bob,5,12,Place,,\n"
        "d3,Bob,,,,,\n"
        ",,,,,,\n"
    )
    problems.pop("guessed-extent")
    assert problems == {
        "similar-categories": "warning: a.csv: categories that differ by more than case and blanks; "
        "found 'Person' / 'person'; they count as different; make them one if not meant",
        "similar-annotators": "warning: a.csv: annotators that differ by more than case and blanks; "
        "found 'Bob' / 'bob'; they count as different; make them one if not meant",
        "duplicate-units": "warning: a.csv:3: units of one annotator that differ; "
        "found 1 unit equal to another of the same annotator; kept; remove them if they are slips",
        "idle-annotators": "note: a.csv: annotators with units; found 1 annotator without any (Bob); "
        "kept: they saw documents and marked nothing",
        "one-annotator-documents": "note: a.csv: at least two annotators for a document; "
        "found 2 documents with one (d2, d3); they cannot be measured",
        "overlapping-units": "note: a.csv:3: units of one annotator side by side; "
        "found 2 units overlapping an earlier one; fine if overlaps are part of the scheme",
        "zero-length-units": "note: a.csv:5: units with a length; found 1 unit of length zero; fine if they are points",
        "without-category": "note: a.csv:5: a category for every unit; found 1 unit without one; "
        "kept as units without category",
        "unknown-extent": "note: a.csv: the extent of every document; found 1 document without units nor extent; "
        "give it with --documents or --extent",
        "blank-rows": "note: a.csv:8: rows with cells filled; found one without any; left out",
        "unnamed-column": "note: a.csv: a name for every column; found column 7 without one; left out",
        "empty-column": "note: a.csv: columns with cells filled; found nothing in note; left out",
        "stripped-whitespace": "note: a.csv: names without blanks around them; found one cell with blanks; taken off",
    }


def test_warnings_come_before_notes() -> None:
    Path("a.csv").write_text("annotator,start,end\nann,1,2\nann,1,2\nAnn,0,9\n")
    severities = [problem.severity for problem in inspect("a.csv").problems]
    assert severities == sorted(severities, reverse=True)


def test_reading_is_not_measuring() -> None:
    assert found("annotator,start,end,category\nann,1,2,X\n")["one-annotator"] == (
        "note: a.csv: at least two annotators to measure agreement; found only ann; add the others' annotations"
    )


def test_a_file_without_rows_among_others() -> None:
    Path("a.csv").write_text("annotator,start,end\nann,1,2\n")
    Path("b.csv").write_text("annotator,start,end\n")
    (problem,) = [p for p in read(["a.csv", "b.csv"]).problems if p.code == "no-rows"]
    assert str(problem) == "b.csv: rows below the header; found none; is it complete?"


def test_overlaps_against_the_obvious_count() -> None:
    """Oracle: every unit compared with every earlier one of the same annotator."""
    rng = np.random.default_rng(7)
    starts = rng.integers(0, 2000, 300)
    rows = sorted(
        (f"a{rng.integers(3)}", int(start), int(start + rng.integers(0, 40))) for start in starts.tolist()
    )  # fmt: skip
    expected = sum(
        any(b == a and e > s for b, _, e in rows[:i]) for i, (a, s, _) in enumerate(rows)
    )  # fmt: skip
    problems = found("annotator,start,end\n" + "".join(f"{a},{s},{e}\n" for a, s, e in rng.permutation(rows).tolist()))
    assert f"found {expected} units overlapping" in problems["overlapping-units"]


def test_natural_order() -> None:
    assert sorted(["10", "9", "a10", "a9b", "", "a9"], key=natural) == ["", "9", "10", "a9", "a9b", "a10"]
