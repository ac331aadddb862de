# SPDX-License-Identifier: MIT
"""brat. Oracle: our fixture by hand; the samples counted by a regular expression; brat's own third column."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "brat"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "4 files, brat; 2 annotators (ann, bob) from folder names; 2 documents named after the files; 6 units; "
        "category from type; features Certainty, Negated, normalization, note, pieces; "
        "1 discontinuous unit read as their hulls; integer positions"
    ).replace("read as their hulls", "read as its hull")
    corpus = found.corpus
    assert corpus is not None
    letter = corpus["letter"]
    assert letter.text == "Anna 😀 went from\nNew York to Rome.\n"
    assert [(u.annotator, u.start, u.end, u.category) for u in letter] == [
        ("ann", 0, 4, "Person"),
        ("ann", 7, 28, "Trip"),
        ("ann", 17, 25, "Place"),
        ("bob", 0, 6, "Person"),
        ("bob", 29, 33, "Place"),
    ]
    person, trip, place = (dict(u.features) for u in letter.units_of("ann"))
    assert {k: v for k, v in person.items() if v} == {"Certainty": "low", "note": "the writer"}
    assert {k: v for k, v in trip.items() if v} == {"Negated": "true", "pieces": "7-16 26-28"}
    assert {k: v for k, v in place.items() if v} == {"normalization": "Wikidata:Q60"}
    # An empty file: seen, nothing marked.
    assert corpus["note"].annotators == ("ann", "bob")
    assert corpus["note"].counts.tolist() == [0, 1]
    assert {problem.severity for problem in found.problems} == {"note"}


def test_type_and_attribute_as_category() -> None:
    corpus = read(FIXTURE, category_from="type:Negated")
    assert {u.category for u in corpus["letter"]} == {"Person", "Place", "Trip:Negated"}


def test_discontinuous_units() -> None:
    pieces = read(FIXTURE, discontinuous="pieces")["letter"].units_of("ann")
    assert [(u.start, u.end) for u in pieces if u.category == "Trip"] == [(7, 16), (26, 28)]
    skipped = inspect(FIXTURE, discontinuous="skip")
    assert skipped.corpus is not None
    assert [u.category for u in skipped.corpus["letter"].units_of("ann")] == ["Person", "Place"]
    assert "1 discontinuous unit skipped" in skipped.understood


def test_annotators_by_suffix(tmp_path: Path) -> None:
    for name, text in (("d1_ann", "T1\tX 0 1\ta\n"), ("d1_bob", "T1\tX 0 2\tab\n"), ("d2_ann", "")):
        (tmp_path / f"{name}.ann").write_text(text)
        (tmp_path / f"{name}.txt").write_text("abc")
    corpus = read(tmp_path, annotator_from=r"regex:_([a-z]+)$")
    assert {c.name: c.annotators for c in corpus} == {"d1": ("ann", "bob"), "d2": ("ann",)}


LINES = [
    ("T1\tX 3 1\tx", "the unit ends (1) before it starts (3). Correct the unit.", "end-before-start"),
    ("T1\tX\tx", "the line 'T1\\tX\\tx' is not brat stand-off. Write it like T1<TAB>Person 0 5<TAB>Anna.", "malformed"),
    ("hello", "is not brat stand-off", "malformed"),
    ("T1\tX 0 99\tx", "", "outside-extent"),
    ("T1\tX 0 " + "9" * 40 + "\tx", "", "not-a-number"),
    ("T1\tX 0 1\ta\nT1\tX 0 1\ta", "T1 is the name of two annotations. Rename one of them.", "repeated-id"),
]


@pytest.mark.parametrize(("content", "message", "code"), LINES, ids=[line[2] + str(i) for i, line in enumerate(LINES)])
def test_refused(tmp_path: Path, content: str, message: str, code: str) -> None:
    (tmp_path / "d.ann").write_text(content)
    (tmp_path / "d.txt").write_text("abcd")
    (problem,) = inspect(tmp_path / "d.ann").problems
    assert problem.code == code
    assert message in str(problem)
    assert problem.where == f"{tmp_path / 'd.ann'}:{content.count(chr(10)) + 1}"


def test_text_that_is_not_the_one(tmp_path: Path) -> None:
    (tmp_path / "d.ann").write_text("T1\tX 0 2\tzz\nT2\tX 2 4\tcd\n")
    (tmp_path / "d.txt").write_text("abcd")
    found = inspect(tmp_path / "d.ann")
    (problem,) = [problem for problem in found.problems if problem.severity == "warning"]
    assert str(problem) == (
        f"{tmp_path / 'd.ann'}:1: the text at the unit's positions is 'ab', but the text stored with it is 'zz'. "
        "Is it the right text? Were positions counted in bytes?"
    )


def test_samples(shared: Path) -> None:
    """Every T line is a unit, and covers what brat stored."""
    folder = shared / "samples" / "brat"
    found = inspect(folder / "example-project")
    assert found.corpus is not None
    assert not [problem for problem in found.problems if problem.severity != "note"]
    assert (len(found.corpus), found.corpus.annotators) == (7, ("Lisa", "Maria", "Max", "Peter"))
    n_lines = 0
    for path in sorted((folder / "example-project").rglob("*.ann")):
        lines = re.findall(r"^T\d+\t(\S+) (\d+) (\d+)\t(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        n_lines += len(lines)
        continuum = found.corpus[path.stem]
        assert continuum.text is not None
        ours = sorted(
            (u.category, str(u.start), str(u.end), continuum.text[u.start : u.end])  # type: ignore[misc]
            for u in continuum.units_of(path.parent.name)
        )
        assert ours == sorted(lines)
    assert found.corpus.n_units == n_lines == 1567
    events = read(folder / "BioNLP-ST_2011")
    assert (
        events.n_units
        == 61
        == sum(
            len(re.findall(r"^T\d", path.read_text(encoding="utf-8"), re.MULTILINE))
            for path in (folder / "BioNLP-ST_2011").rglob("*.ann")
        )
    )
