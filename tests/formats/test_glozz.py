# SPDX-License-Identifier: MIT
"""Glozz. Oracle: our fixture by hand; the samples counted by regular expression; the lengths Glozz noted."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "glozz"
UNIT = re.compile(r"<unit .*?<type>(.*?)</type>.*?index=\"(\d+)\".*?index=\"(\d+)\".*?</unit>", re.DOTALL)


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "3 files, Glozz; 3 annotators (ann, bob, cem) from folder names; 1 document named after the files; layer unit; "
        "3 units; category from type; features author, certainty, lastModifier; integer positions"
    )
    assert found.corpus is not None
    # Positions are UTF-16 units after the smile; the paragraphs are Glozz's own.
    assert covered(found.corpus) == [
        ("letter", "ann", "Anna", "Person"),
        ("letter", "ann", "New York", "Place"),
        ("letter", "bob", "Anna 😀", "Person"),
    ]
    assert seen(found.corpus) == {"letter": ("ann", "bob", "cem")}
    (note,) = [problem for problem in found.problems if problem.code == "passed-over"]
    assert note.message.startswith("1 relation was left out")


def test_paragraphs_on_demand() -> None:
    assert [mark[4] for mark in marks(read(FIXTURE, layer="paragraph"))] == ["paragraph"] * 3


def test_authors_of_one_file(tmp_path: Path) -> None:
    content = (FIXTURE / "ann" / "letter.aa").read_text().replace("<author>ann", "<author>dee", 2)
    (tmp_path / "letter.aa").write_text(content)
    assert seen(read(tmp_path, annotator_from="field:author")) == {"letter": ("ann", "dee")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no letter.ac beside it"),
        ("Anna", "the text in letter.ac has 4 characters, the annotated text had 35"),
        ("../../elsewhere/letter.ac", "there is no letter.ac beside it"),
        (f"{'a' * 300}/letter.ac", "the text in letter.ac has 310 characters, the annotated text had 35"),
    ],
)
def test_the_text_must_be_the_one(tmp_path: Path, text: str | None, message: str) -> None:
    shutil.copy(FIXTURE / "ann" / "letter.aa", tmp_path / "letter.aa")
    if text is not None:
        (tmp_path / "letter.ac").write_text(text)
    problems = inspect(tmp_path / "letter.aa").problems
    (note,) = [problem for problem in problems if problem.code == "no-text"]
    assert note.message == f"{message}, so positions cannot be checked against the text"


def test_a_link_kept_as_a_file_is_followed(tmp_path: Path) -> None:
    shutil.copytree(FIXTURE, tmp_path / "units")
    (tmp_path / "texts").mkdir()
    shutil.move(tmp_path / "units" / "ann" / "letter.ac", tmp_path / "texts" / "letter.ac")
    (tmp_path / "units" / "ann" / "letter.ac").write_text("../../texts/letter.ac")
    assert covered(read(tmp_path / "units")) == covered(read(FIXTURE))
    # Not where the text it leads to cannot be told to be the right one.
    path = tmp_path / "units" / "ann" / "letter.aa"
    path.write_text(path.read_text().replace('corpusHashcode="35-1"', ""))
    assert [problem.code for problem in inspect(path).problems if problem.severity == "error"] == ["outside-extent"]


def test_samples(shared: Path) -> None:
    units = shared / "samples" / "glozz" / "stac-sample" / "s1-league2-game1" / "units"
    expected: Counter[tuple[object, ...]] = Counter()
    for path in units.rglob("*.aa"):
        content = path.read_text(encoding="utf-8")
        found = UNIT.findall(content)
        assert len(found) == content.count("<unit ")
        expected.update(
            (path.stem, path.parent.name, int(start), int(end), kind)
            for kind, start, end in found
            if kind != "paragraph"
        )
    corpus = read(units)
    assert Counter(marks(corpus)) == expected
    assert expected.total() == 693
    # The texts are links, kept as files; a turn begins with its number and speaker, as the feature says.
    for continuum in corpus:
        assert continuum.text is not None
        for unit in continuum:
            if unit.category == "Turn":
                start = continuum.text[unit.start : unit.end].strip()  # type: ignore[misc]
                assert start.startswith(f"{unit.features['Identifier']} : {unit.features['Emitter']}")
    sample = read(shared / "samples" / "glozz" / "glozz-sample")
    n_units = sum(
        sum(kind != "paragraph" for kind, _, _ in UNIT.findall(path.read_text(encoding="utf-8")))
        for path in (shared / "samples" / "glozz" / "glozz-sample").glob("*.aa")
    )
    assert sample.n_units == n_units == 40
