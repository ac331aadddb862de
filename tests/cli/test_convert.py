# SPDX-License-Identifier: MIT
"""`unisono convert`. Oracle: the table read again; docs/formats.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import read


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
    assert "2 documents without text; left out" in err
    assert read(tmp_path / "brat").n_units == 10


def test_layout_options_apply(run, table: Path, tmp_path: Path) -> None:
    assert run("convert", table, tmp_path / "o.json", "--ignore", "PER").code == 0
    assert read(tmp_path / "o.json").labels() == ("LOC",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["out.csv"], "convert needs two paths at least"),
        (["TABLE", "out.xlsx"], "name one with --to"),
        (["TABLE", "out", "--to", "word"], "--to: expected one of csv,"),
        (["TABLE", "TABLE"], "is there already"),
        (["TABLE", "out.eaf", "--scale", "0"], "a scale above zero"),
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
    assert "one document for a file of ELAN; found 2" in err
