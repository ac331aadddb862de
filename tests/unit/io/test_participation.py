# SPDX-License-Identifier: MIT
"""Who saw what, in two spellings. Oracle: both spellings give the same corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.errors import InputError
from unisono.io import inspect, read
from unisono.model import Corpus

UNITS = "document,annotator,start,end\nd1,ann,1,2\nd1,bob,1,3\nd2,ann,4,5\n"


def seen(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    return {continuum.name: continuum.annotators for continuum in corpus}


def test_two_spellings_of_the_same_fact(tmp_path: Path) -> None:
    rows, table = tmp_path / "rows.csv", tmp_path / "seen.csv"
    rows.write_text(UNITS + "d2,bob,,\nd3,ann,,\nd3,bob,,\n")
    units = tmp_path / "units.csv"
    units.write_text(UNITS)
    table.write_text(
        "document,annotator,minutes\n" + "".join(f"{d},{a},7\n" for d in ("d1", "d2", "d3") for a in ("ann", "bob"))
    )
    by_rows, by_table = read(rows), read(units, participation=table)
    assert seen(by_rows) == seen(by_table) == dict.fromkeys(("d1", "d2", "d3"), ("ann", "bob"))
    assert [list(c) for c in by_rows] == [list(c) for c in by_table]
    assert by_table["d3"].n_units == 0
    assert by_table["d3"].extent is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("p.csv", "doc,coder\nd2,cem\n"),
        ("p.csv", "coder;doc\ncem;d2\n"),
        ("p.csv", "d2,cem\n"),
        ("p.csv", "d2,cem,USA,4\n"),
        ("p.tsv", "document\tannotator\nd2\tcem\n"),
        ("p.jsonl", '{"annotator": "cem", "document": "d2"}\n'),
    ],
)
def test_layouts(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / "units.csv").write_text(UNITS)
    (tmp_path / name).write_text(content)
    corpus = read(tmp_path / "units.csv", participation=tmp_path / name)
    assert seen(corpus) == {"d1": ("ann", "bob"), "d2": ("ann", "cem")}


def test_a_single_document_needs_no_name(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("annotator,start,end\nann,1,2\n")
    for content in ("annotator\nann\nbob\n", "ann\nbob\n"):
        (tmp_path / "p.csv").write_text(content)
        assert seen(read(tmp_path / "units.csv", participation=tmp_path / "p.csv")) == {"units": ("ann", "bob")}


def problems(tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    Path("units.csv").write_text(UNITS)
    Path("p.csv").write_text(content)
    return [str(p) for p in inspect("units.csv", participation="p.csv").problems if p.severity != "note"]


def test_several_documents_need_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(tmp_path, "annotator\nann\n", monkeypatch) == [
        "p.csv: there are 2 documents, and no column says which of them is meant. Add a column named document."
    ]


def test_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(tmp_path, "document,annotator\nd1,ann\nd1,bob\n", monkeypatch) == [
        "units.csv:4: 1 pair of document and annotator is not in the participation table (d2, ann); "
        "the units are kept. Add them to the table."
    ]
    assert read("units.csv", participation="p.csv").n_units == 3


def test_other_documents_altogether(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(tmp_path, "document,annotator\n1,ann\n2,bob\n", monkeypatch)
    assert found[0] == (
        "units.csv: none of the documents is in the participation table. Compare the names of documents in both."
    )


def test_bad_rows_are_never_skipped_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(tmp_path, "document,annotator\nd1,\n,ann\nd1\n", monkeypatch) == [
        "p.csv:2: the annotator's name is missing in column annotator. Fill it in.",
        "p.csv:3: the document's name is missing in column document. Fill it in.",
        "p.csv:4: the row has 1 cell, but the header has 2. Check the separators and the quotes on this line.",
    ]
    with pytest.raises(InputError):
        read("units.csv", participation="p.csv", skip_invalid=True)


def test_no_annotator_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problems(tmp_path, "document,initials\nd1,ann\n", monkeypatch) == [
        "p.csv:1: no column was recognised for the annotator: the columns are document, initials. "
        "Name the columns document and annotator in the first line."
    ]
