# SPDX-License-Identifier: MIT
"""`unisono convert`. Oracle: the table read again; docs/formats.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import read, write
from unisono.model import Continuum, Corpus


def test_there_and_back(run, table: Path, tmp_path: Path) -> None:
    code, out, err = run("convert", table, tmp_path / "corpus.json")
    assert (code, out) == (0, "")
    assert "wrote" in err
    assert "2 documents, 10 units" in err
    assert run("convert", tmp_path / "corpus.json", tmp_path / "again.csv").code == 0
    assert (tmp_path / "again.csv").read_text() == table.read_text()


def test_a_folder_by_name(run, table: Path, tmp_path: Path) -> None:
    code, _, err = run("convert", table, tmp_path / "brat", "--to", "brat")
    assert code == 0
    assert "2 text files not written, because the document has no text" in err
    assert read(tmp_path / "brat").n_units == 10


@pytest.mark.parametrize("name", ["glozz", "cora"])
def test_the_tools_of_the_papers(run, tmp_path: Path, name: str) -> None:
    """What Glozz and CorA keep of a text with two units by two annotators is read again."""
    units = {a: [(0, 4, "Person"), (9, 13, "Place")] for a in "ab"}
    write(Corpus((Continuum.of(units, name="letter", text="Anna saw Rome"),)), tmp_path / "corpus.json")
    code, _, err = run("convert", tmp_path / "corpus.json", tmp_path / "out", "--to", name)
    assert (code, "written" in err) == (0, True)
    again = read(tmp_path / "out", format=name, annotator_from="parent")
    assert again.annotators == ("a", "b")
    assert [u.end for u in again[0] if u.category == "Person"] == [4, 4]


def test_layout_options_apply(run, table: Path, tmp_path: Path) -> None:
    assert run("convert", table, tmp_path / "o.json", "--ignore", "PER").code == 0
    assert read(tmp_path / "o.json").labels() == ("LOC",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["out.csv"], "convert needs at least two paths"),
        (["TABLE", "out.xlsx"], "names no format that can be written"),
        (["TABLE", "out", "--to", "word"], "is not a valid value of --to. Choose one of: csv,"),
        (["TABLE", "TABLE"], "exists already"),
        (["TABLE", "out.eaf", "--scale", "0"], "is not a number above zero"),
    ],
)
def test_usage(
    run, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = run("convert", *(str(table) if option == "TABLE" else option for option in options))
    assert code == 2
    assert words in " ".join(err.replace("│", " ").split())


def test_what_cannot_be_written(run, table: Path, tmp_path: Path) -> None:
    code, _, err = run("convert", table, tmp_path / "a.eaf")
    assert code == 1
    assert "a file of ELAN holds one document, and the corpus has 2" in err
