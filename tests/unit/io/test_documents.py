# SPDX-License-Identifier: MIT
"""Extents: given, from a documents table, from texts, guessed. Oracle: written by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import inspect, read
from unisono.model import Extent

UNITS = "document,annotator,start,end\nd1,ann,1,2\nd1,bob,1,3\nd2,ann,4,5\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("units.csv").write_text(UNITS)


def extents(documents: str | None = None, name: str = "d.csv", **options: object) -> list[Extent | None]:
    if documents is not None:
        Path(name).write_text(documents)
        options["documents"] = name
    return [continuum.extent for continuum in read("units.csv", **options)]


def problems(documents: str, **options: object) -> list[str]:
    Path("d.csv").write_text(documents)
    found = inspect("units.csv", documents="d.csv", **options).problems
    return [str(problem) for problem in found if problem.severity == "error"]


def test_guessed() -> None:
    assert extents() == [Extent(1, 3, "guessed"), Extent(4, 5, "guessed")]


def test_given() -> None:
    assert extents(extent=(0, 10)) == [Extent(0, 10, "given")] * 2


@pytest.mark.parametrize(
    "documents",
    [
        "document,start,end\nd1,0,10\nd2,0,8\n",
        "doc,end\nd1,10\nd2,8\n",
        "doc,length\nd1,10\nd2,8\n",
        "document,length_without_blanks\nd1,10\nd2,8\n",
        "file,start,duration\nd1,0,10\nd2,0,8\n",
        "d1,10\nd2,8\n",
        "d1,0,10\nd2,0,8\n",
    ],
)
def test_documents_table(documents: str) -> None:
    assert extents(documents) == [Extent(0, 10, "documents"), Extent(0, 8, "documents")]


def test_texts() -> None:
    Path("d.csv").write_text('document,text\nd1,"one, ""two""\nthree"\nd2,  wide  \n')
    first, second = read("units.csv", documents="d.csv")
    assert (first.text, first.extent) == ('one, "two"\nthree', Extent(0, 16, "text"))
    assert (second.text, second.extent) == ("  wide  ", Extent(0, 8, "text"))


def test_documents_table_before_given_before_guessed() -> None:
    assert extents("document,end\nd1,10\n", extent=(-5, 20)) == [Extent(0, 10, "documents"), Extent(-5, 20, "given")]
    assert extents("document,end\nd1,10\n") == [Extent(0, 10, "documents"), Extent(4, 5, "guessed")]


def test_a_single_document_needs_no_name() -> None:
    Path("units.csv").write_text("annotator,start,end\nann,1,2\n")
    assert extents("end\n12.5\n") == [Extent(0, 12.5, "documents")]


def test_units_outside() -> None:
    assert problems("document,end\nd1,2\nd2,10\n") == [
        "units.csv:3: the unit [1, 3) is not inside the extent [0, 2) of d1. Correct the unit or the extent."
    ]
    corpus = read("units.csv", documents="d.csv", skip_invalid=True)
    assert corpus.n_units == 2
    assert str(corpus.problems[0]) == ("units.csv:3: 1 row could not be read and was skipped (1 outside-extent).")


def test_bad_documents_table() -> None:
    assert problems("document,start,end\nd1,3,2\nd1,0,10\nd1,0,11\n,1,2\nd2,,\nd3,0,x\nd4,0,9\n") == [
        "d.csv:2: the document ends (2) before it starts (3). Are the two columns swapped?",
        "d.csv:4: the document 'd1' is here again (first in d.csv:3). Keep one of the rows.",
        "d.csv:5: the document's name is missing in column document. Fill it in.",
        "d.csv:6: the document has no end, no length and no text. Fill in one of them.",
        "d.csv:7: 'x' in column end is not a number. Correct it.",
    ]


def test_several_documents_need_names() -> None:
    assert problems("end\n10\n") == [
        "d.csv:2: there are 2 documents, and no column says which of them is meant. Add a column named document."
    ]


def test_no_end_at_all() -> None:
    assert problems("document,title\nd1,x\n") == [
        "d.csv:1: no column was recognised for the end (or duration or text): the columns are document, title. "
        "Name the columns document, start, end, text in the first line."
    ]


def test_documents_nobody_annotated() -> None:
    Path("d.csv").write_text("document,end\nd1,10\nd2,10\nd3,10\n")
    (note,) = [p for p in read("units.csv", documents="d.csv").problems if p.code == "unused-documents"]
    assert str(note) == (
        "d.csv:4: 1 document has no annotators and was left out (d3). List who saw them with participation=."
    )


@pytest.mark.parametrize("paths", [("texts/a.txt", "texts/b.txt"), ("C:\\my talk.TXT", "b.xml"), ("a.txt", "")])
def test_paths_are_not_texts(paths: tuple[str, str]) -> None:
    """Nor are they opened, even if the files are there."""
    Path("texts").mkdir()
    Path("texts/a.txt").write_text("Anna sings")
    [problem] = problems(f"document,end,text\nd1,10,{paths[0]}\nd2,10,{paths[1]}\n")
    shown = ", ".join(filter(None, paths))
    assert problem.startswith(f"d.csv:1: the column text has paths of files ({shown}), not texts")


@pytest.mark.parametrize("text", ["Anna sings", "I saved all of it in notes.txt", "a.txt\nb.txt"])
def test_texts_that_mention_files_are_texts(text: str) -> None:
    assert problems(f'document,text\nd1,"{text}"\nd2,a.txt\n') == []
