# SPDX-License-Identifier: MIT
"""RTTM and UEM. Oracle: our fixture by hand; the samples counted by lines, ends by exact fractions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.io import inspect, read
from unisono.io.writers import write
from unisono.model import Continuum, Corpus

FIXTURE = Path(__file__).parent / "fixtures" / "rttm"


def test_regions_and_units() -> None:
    corpus = read(FIXTURE)
    assert {c.name: c.annotators for c in corpus} == {"evening": ("ann", "bob"), "morning": ("ann", "bob")}
    assert [(u.annotator, u.start, u.end, u.category, u.features["pieces"]) for u in corpus["morning"]] == [
        ("ann", 0.1, 2.3, "eva", None),
        ("ann", 2.3, 2.8, "tom", None),
        # Crosses the gap between the regions [0, 4] and [5, 6]; what begins at 9 is outside.
        ("ann", 3.5, 5.5, "eva", "3.5-4.0 5.0-5.5"),
        ("bob", 0.7, 2.2, "eva", None),
    ]
    assert (corpus["morning"].extent.start, corpus["morning"].extent.end) == (0, 6)
    # In the regions, without a line: seen.
    assert [(u.annotator, u.start, u.end) for u in corpus["evening"]] == [("bob", 1.25, 3.25)]
    notes = [str(problem).partition(": ")[2] for problem in corpus.problems if problem.code == "passed-over"]
    assert notes == [
        "1 SPKR-INFO line was left out: only objects with a time are read.",
        "show.uem gives the annotated regions: 1 unit across their edges (cut) and 1 unit outside the regions "
        "(left out).",
    ]


def test_ends_are_sums_of_decimals() -> None:
    ends = [u.end for u in read(FIXTURE)["morning"] if u.start == 0.1]
    assert ends == [2.3] != [0.1 + 2.2]


def test_files_of_the_same_documents_are_annotators(tmp_path: Path) -> None:
    for name, start in (("ann", "0.5"), ("bob", "0.75")):
        (tmp_path / f"{name}.rttm").write_text(f"SPEAKER show 1 {start} 1 <NA> <NA> eva <NA> <NA>\n", encoding="utf-8")
    corpus = read(tmp_path)
    assert [(c.name, c.annotators) for c in corpus] == [("show", ("ann", "bob"))]


def test_layers(tmp_path: Path) -> None:
    path = tmp_path / "show.rttm"
    path.write_text(
        "SPEAKER show 1 0 4 <NA> <NA> eva <NA> <NA>\nLEXEME show 1 0.5 0.25 hello lex eva <NA> <NA>\n", encoding="utf-8"
    )
    assert inspect(path).problems[0].code == "which-layer"
    (unit,) = read(path, layer="LEXEME")[0]
    assert (unit.start, unit.end, unit.features["orthography"], unit.features["subtype"]) == (0.5, 0.75, "hello", "lex")


def test_refused_regions(tmp_path: Path) -> None:
    (tmp_path / "a.rttm").write_text("SPEAKER show 1 0 4 <NA> <NA> eva <NA> <NA>\n", encoding="utf-8")
    (tmp_path / "a.uem").write_text("show 1 10 0\n", encoding="utf-8")
    (problem,) = inspect(tmp_path).problems
    assert problem.where.endswith("a.uem:1")
    assert "the line 'show 1 10 0' is not a file, a channel, a start and an end" in problem.message


def test_samples(shared: Path) -> None:
    for name, n_units in (("vtc", 15), ("ref", 13), ("derived_per_annotator/annotator1", 15)):
        path = shared / "samples" / "rttm" / f"{name}.rttm"
        rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("SPEAKER")]
        corpus = read(path)
        assert corpus.n_units == n_units == len(rows)
        expected = sorted((r[1], float(r[3]), float(Fraction(r[3]) + Fraction(r[4])), r[7]) for r in rows)
        assert sorted((c.name, u.start, u.end, u.category) for c in corpus for u in c) == expected
    for path in (shared / "samples" / "rttm").glob("*.uem"):
        (problem,) = inspect(path).problems
        assert "a UEM file has regions and no units" in problem.message


def test_an_empty_file_was_seen(tmp_path: Path) -> None:
    for name, text in (("ann", "SPEAKER show 1 0 4 <NA> <NA> eva <NA> <NA>\n"), ("bob", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "show.rttm").write_text(text, encoding="utf-8")
    assert [(c.name, c.annotators) for c in read(tmp_path)] == [("show", ("ann", "bob"))]


POSITIONS = st.floats(0, 1e6) | st.integers(0, 10**9) | st.decimals(0, 100, places=3).map(float)


@given(st.lists(st.tuples(POSITIONS, POSITIONS), min_size=1, max_size=5))
def test_there_and_back(tmp_path_factory: pytest.TempPathFactory, bounds: list[tuple[float, float]]) -> None:
    """Written and read, every position is the same to the last bit."""
    units = sorted((float(min(pair)), float(max(pair)), "x") for pair in bounds)
    folder = tmp_path_factory.mktemp("rttm") / "out"
    write(Corpus((Continuum.of({"ann": units, "bob": []}, name="show"),)), folder, format="rttm")
    (again,) = read(folder)
    assert again.annotators == ("ann", "bob")
    assert sorted((u.start, u.end, u.category) for u in again) == units
