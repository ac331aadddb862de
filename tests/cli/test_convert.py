# SPDX-License-Identifier: MIT
"""`unisono convert`. Oracle: the table read again; docs/formats.md."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

import unisono
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


FORMULAS = """\
document,annotator,start,end,category
d,=cmd|' /C calc'!A0,0,5,=1+1
d,=cmd|' /C calc'!A0,7,9,-x
d,bob,0,5,@SUM(A1)
d,bob,7,9,plain
"""


def test_formulas_are_escaped_on_request(run, tmp_path: Path) -> None:
    """Oracle: every cell of the file: none begins as a formula, and without the option all are as they were."""
    source, out = tmp_path / "f.csv", tmp_path / "out.csv"
    source.write_text(FORMULAS, encoding="utf-8")
    assert run("convert", source, out).code == 0
    plain = list(csv.reader(out.read_text(encoding="utf-8").splitlines()))
    assert ["d", "=cmd|' /C calc'!A0", "0", "5", "=1+1"] in plain
    done = run("convert", source, out, "--overwrite", "--escape-formulas")
    assert done.code == 0
    assert "5 cells that a spreadsheet would take for formulas have an apostrophe before them" in done.err
    cells = [cell for row in csv.reader(out.read_text(encoding="utf-8").splitlines()) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert "'=1+1" in cells
    assert run("convert", source, tmp_path / "out.json", "--escape-formulas").code == 2
    for arguments in (["--csv"], ["-o", tmp_path / "a.tsv"]):
        done = run("align", source, *arguments, "--escape-formulas")
        assert done.code == 0
        text = done.out or (tmp_path / "a.tsv").read_text(encoding="utf-8")
        assert "=1+1" in text
        rows = csv.reader(text.splitlines(), delimiter="," if arguments == ["--csv"] else "\t")
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
    assert run("align", source, "--json", "--escape-formulas").code == 2


def test_what_stands_beside_is_not_replaced_unasked(run, tmp_path: Path) -> None:
    """A table has b.documents.csv beside it: without --overwrite an older one stays, and the table is not made."""
    source = tmp_path / "a.json"
    corpus = unisono.Corpus(
        (unisono.continuum({"ann": [(0, 3, "X")], "bob": [(0, 3, "X")]}, name="d", text="one two"),)
    )
    unisono.write(corpus, source)
    (tmp_path / "b.documents.csv").write_text("mine", encoding="utf-8")
    done = run("convert", source, tmp_path / "b.csv")
    assert done.code == 1
    assert "b.documents.csv: the file exists already" in done.err
    assert (tmp_path / "b.documents.csv").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "b.csv").exists()
    assert run("convert", source, tmp_path / "b.csv", "--overwrite").code == 0
    assert (tmp_path / "b.documents.csv").read_text(encoding="utf-8") != "mine"


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="no /dev/stdout")
def test_a_table_to_standard_output(tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    corpus = unisono.Corpus(
        (unisono.continuum({"ann": [(0, 3, "X")], "bob": [(0, 3, "X")]}, name="d", text="one two"),)
    )
    unisono.write(corpus, source)
    command = [sys.executable, "-m", "unisono", "convert", str(source), "/dev/stdout", "--to", "csv"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines() == ["document,annotator,start,end,category", "d,ann,0,3,X", "d,bob,0,3,X"]
    assert "the texts and extents were left out" in done.stderr
    assert not Path("/dev/stdout.documents.csv").exists()
