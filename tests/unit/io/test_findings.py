# SPDX-License-Identifier: MIT
"""Findings that spoil nothing: warnings and notes, counted, with the place of the first. Oracle: written by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from unisono.io import inspect, read
from unisono.io.assemble import natural_order


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def list_findings(content: str) -> dict[str, str]:
    Path("a.csv").write_text(content)
    inspection = inspect("a.csv")
    assert inspection.corpus is not None
    assert inspection.corpus.problems == inspection.problems
    return {problem.code: f"{problem.severity}: {problem}" for problem in inspection.problems}


def test_clean_data_have_a_guessed_extent_and_nothing_else() -> None:
    assert list_findings("annotator,start,end,category\nann,1,2,X\nbob,1,2,X\n") == {
        "guessed-extent": "note: a.csv: 1 document has no extent; it is taken from the first start (1) to the last "
        "end (2). Give it with extent= or documents=."
    }


def test_every_finding() -> None:
    problems = list_findings(
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
        "similar-categories": "warning: a.csv: 'Person' and 'person' differ only in case; they are counted as two "
        "categories. `unisono validate` with fix= writes them merged.",
        "similar-annotators": "warning: a.csv: 'Bob' and 'bob' differ only in case; they are counted as two "
        "annotators. Rename one in the files if they are the same person.",
        "duplicate-units": "warning: a.csv:3: 1 unit is equal to another unit of the same annotator. They are kept. "
        "`unisono validate` with fix= writes each once.",
        "idle-annotators": "note: a.csv: 1 annotator saw documents and marked nothing (Bob). "
        "Nothing needs to be done if that is right: an empty annotation counts.",
        "one-annotator-documents": "note: a.csv: 2 documents have only one annotator and cannot be measured (d2, d3). "
        "Add the annotations of the others, if there are any.",
        "overlapping-units": "note: a.csv:3: 2 units overlap an earlier unit of the same annotator. "
        "Nothing needs to be done if the annotation scheme allows overlaps.",
        "zero-length-units": "note: a.csv:5: 1 unit has no length: it ends where it starts. "
        "Nothing needs to be done if points are meant.",
        "without-category": "note: a.csv:5: 1 unit has no category; it is kept.",
        "unknown-extent": "note: a.csv: 1 document has neither units nor an extent. "
        "Give the extent with documents= or extent=.",
        "blank-rows": "note: a.csv:8: 1 row has only empty cells and was left out.",
        "unnamed-column": "note: a.csv: column 7 has no name and was left out.",
        "empty-column": "note: a.csv: column note has no content and was left out.",
        "stripped-whitespace": "note: a.csv: blanks around names were removed in 1 cell.",
    }


def test_warnings_come_before_notes() -> None:
    Path("a.csv").write_text("annotator,start,end\nann,1,2\nann,1,2\nAnn,0,9\n")
    severities = [problem.severity for problem in inspect("a.csv").problems]
    assert severities == sorted(severities, reverse=True)


def test_reading_is_not_measuring() -> None:
    assert list_findings("annotator,start,end,category\nann,1,2,X\n")["one-annotator"] == (
        "note: a.csv: ann is the only annotator, so agreement cannot be measured. Add the annotations of the others."
    )


def test_a_file_without_rows_among_others() -> None:
    Path("a.csv").write_text("annotator,start,end\nann,1,2\n")
    Path("b.csv").write_text("annotator,start,end\n")
    (problem,) = [p for p in read(["a.csv", "b.csv"]).problems if p.code == "no-rows"]
    assert str(problem) == "b.csv: there are no rows below the header. Is the file complete?"


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
    problems = list_findings(
        "annotator,start,end\n" + "".join(f"{a},{s},{e}\n" for a, s, e in rng.permutation(rows).tolist())
    )
    assert f": {expected} units overlap an earlier unit" in problems["overlapping-units"]


def test_natural_order() -> None:
    assert sorted(["10", "9", "a10", "a9b", "", "a9"], key=natural_order) == ["", "9", "10", "a9", "a9b", "a10"]
