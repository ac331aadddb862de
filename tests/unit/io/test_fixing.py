# SPDX-License-Identifier: MIT
"""Findings with a safe remedy, and the remedy. Oracle: corpora by hand; a fixed corpus has nothing left to fix."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from unisono.io import inspect, read
from unisono.io.checks.fixes import fix_corpus, write_changes
from unisono.model import Continuum, Corpus, Unit

HEADER = "annotator,start,end,category\n"


def findings(tmp_path: Path, rows: str) -> dict[str, str]:
    path = tmp_path / "t.csv"
    path.write_text(HEADER + rows, encoding="utf-8")
    return {problem.code: problem.found for problem in inspect(path).problems}


def test_findings(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        "a,0,1,Identity based \na,1,2,Identity based Attack\nb,0,1,CafÃ©\nb,0.1,0.30000000000000004,X\nb,0.3,0.5,X\n",
    )
    assert found["look-alike-categories"] == "'Identity based' / 'Identity based Attack'"
    assert found["wrong-encoding"] == "'CafÃ©' for 'Café'"
    assert found["micro-overlaps"] == "1 overlap of less than 1e-06 in t"


def test_no_false_alarms(tmp_path: Path) -> None:
    rows = "a,0,1.5,Type1\na,1,2,Type2\nb,0,1,Place\nb,0,2,Person\nb,5,6,Level A\nb,7,8,Level B\nb,9,9.5,größer\n"
    assert not {"look-alike-categories", "wrong-encoding", "micro-overlaps"} & findings(tmp_path, rows).keys()


def test_every_change_is_listed(tmp_path: Path) -> None:
    corpus = Corpus((
        Continuum.of(
            {
                "ann": [(0.1, 0.30000000000000004, "X"), (0.3, 0.5, "X"), (1.0, 2.0, "Person"), (1.0, 2.0, "person")],
                "bob": [(1.0, 2.0, "Person"), (3.0, 4.0, "CafÃ©"), (3.0, 4.0, "Café")],
                "cem": [],
            },
            name="d",
        ),
    ))  # fmt: skip
    again, changes = fix_corpus(corpus)
    assert again[0].annotators == ("ann", "bob", "cem")
    assert [(u.annotator, u.start, u.end, u.category) for u in again[0]] == [
        ("ann", 0.1, 0.30000000000000004, "X"),
        ("ann", 0.30000000000000004, 0.5, "X"),
        ("ann", 1.0, 2.0, "Person"),
        ("bob", 1.0, 2.0, "Person"),
        ("bob", 3.0, 4.0, "Café"),
    ]
    assert sorted((c.code, c.annotator, c.start, c.became) for c in changes) == [
        ("duplicate-units", "ann", 1.0, "left out"),
        ("duplicate-units", "bob", 3.0, "left out"),
        ("micro-overlaps", "ann", 0.3, "start 0.30000000000000004"),
        ("similar-categories", "ann", 1.0, "category Person"),
        ("wrong-encoding", "bob", 3.0, "category Café"),
    ]
    write_changes(changes, tmp_path / "c.csv")
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 6


positions = st.integers(0, 20).map(lambda i: i * 0.1)
units = st.lists(
    st.tuples(positions, positions, st.sampled_from([None, "Ab", "ab", "A b", "Ã©t", "ét"])).map(
        lambda u: Unit(min(u[:2]), max(u[:2]), u[2])
    ),
    max_size=6,
)


@given(st.dictionaries(st.sampled_from("abc"), units, min_size=1))
def test_nothing_is_left_to_fix(given_units: dict[str, list[Unit]]) -> None:
    corpus = Corpus((Continuum.of(given_units, name="d"),))
    again, changes = fix_corpus(corpus)
    assert again[0].annotators == corpus[0].annotators
    assert len(corpus[0]) - len(again[0]) == sum(change.code == "duplicate-units" for change in changes)
    twice, more = fix_corpus(again)
    assert more == ()
    assert twice[0] is again[0]


def test_command(tmp_path: Path) -> None:
    from unisono.cli import main

    path = tmp_path / "t.csv"
    path.write_text(HEADER + "a,0,5,Person\na,0,5,person\na,7,9,Person\nb,0,5,Person\n")
    assert main(["validate", str(path), "--fix", str(tmp_path / "out.csv")]) == 0
    assert read(tmp_path / "out.csv").n_units == 3
    assert (tmp_path / "out.changes.csv").read_text() == (
        "code,document,annotator,start,end,category,became\n"
        "similar-categories,t,a,0,5,person,category Person\n"
        "duplicate-units,t,a,0,5,Person,left out\n"
    )
    assert main(["validate", str(path), "--fix", str(tmp_path / "out.csv")]) == 2
    assert main(["validate", str(path), "--labels", "Person", "--strict"]) == 1
    assert main(["validate", str(tmp_path / "out.csv"), "--labels", "Person", "--strict"]) == 0
