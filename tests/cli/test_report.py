# SPDX-License-Identifier: MIT
"""`measure --save`, `--report`, `report`. Oracle: the same done in Python; for mistakes, the words that help."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import unisono

from .conftest import Run


def test_save_and_report_later(run: Run, table: Path, tmp_path: Path) -> None:
    saved, page, later = tmp_path / "r.unisono", tmp_path / "page.html", tmp_path / "later.html"
    done = run("measure", table, "--seed", 1, "--samples", 10, "--save", saved, "--report", page)
    assert done.code == 0
    assert f"saved: {saved}" in done.err
    assert f"report: {page}" in done.err
    assert "γ =" in done.out
    done = run("report", saved, "-o", later)
    assert (done.code, done.out) == (0, "")
    assert later.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
    assert list(unisono.load_result(saved).measures) == ["gamma", "gamma-cat", "gamma-k"]


def test_the_same_numbers_with_and_without(run: Run, table: Path, tmp_path: Path) -> None:
    options = ("measure", table, "--seed", 1, "--measure", "gamma", "--json")
    plain = run(*options)
    kept = run(*options, "--save", tmp_path / "r.unisono", "--report", tmp_path / "p.html")
    assert plain.out == kept.out
    assert unisono.load_result(tmp_path / "r.unisono").to_dict() == json.loads(plain.out)


def test_without_categories_only_gamma(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("annotator,start,end\na,0,5\nb,0,4\n", encoding="utf-8")
    done = run("measure", path, "--seed", 1, "--save", tmp_path / "r.unisono")
    assert done.code == 0
    assert list(unisono.load_result(tmp_path / "r.unisono").measures) == ["gamma"]


def test_no_text(run: Run, table: Path, tmp_path: Path) -> None:
    documents = tmp_path / "documents.csv"
    documents.write_text(
        "document,text\none," + "secret words " * 5 + "\ntwo," + "secret words " * 5 + "\n", encoding="utf-8"
    )
    saved, page, whole = tmp_path / "r.unisono", tmp_path / "page.html", tmp_path / "whole.unisono"
    options = ("measure", table, "--documents", documents, "--seed", 1, "--samples", 5)
    assert run(*options, "--save", saved, "--report", page, "--no-text").code == 0
    assert all(continuum.text is None for continuum in unisono.load_result(saved).corpus or ())
    assert run(*options, "--save", whole).code == 0
    assert all(continuum.text is not None for continuum in unisono.load_result(whole).corpus or ())
    again = tmp_path / "again.html"
    assert run("report", whole, "-o", again, "--no-text").code == 0
    assert "The texts were left out" in again.read_text(encoding="utf-8")


def test_the_light_json_is_not_enough(run: Run, table: Path, tmp_path: Path) -> None:
    light = tmp_path / "result.json"
    light.write_text(run("measure", table, "--seed", 1, "--json").out, encoding="utf-8")
    done = run("report", light, "-o", tmp_path / "page.html")
    assert done.code == 1
    assert "no units, texts, alignments or random disorders" in done.err
    assert "--save result.unisono" in done.err
    assert "unisono messages light-result" in done.err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-text"], "--no-text is for --save and --report. Give one of them."),
        (["--save", "x", "--report", "x"], "--save and --report name the same file. Give them two names."),
        (["--report", "nowhere/page.html"], "does not exist. Create it, or name another file."),
        (["--save", "."], "is a folder. Name a file."),
    ],
)
def test_mistakes_are_told_before_measuring(run: Run, table: Path, arguments: list[str], message: str) -> None:
    done = run("measure", table, *arguments)
    assert done.code == 2
    assert message in " ".join(done.err.replace("│", " ").split())
    assert done.out == ""


def test_other_files(run: Run, table: Path, tmp_path: Path) -> None:
    done = run("report", table, "-o", tmp_path / "page.html")
    assert done.code == 1
    assert "this is not a saved result. Make one: " in done.err
    done = run("report", tmp_path / "nothing.unisono", "-o", tmp_path / "page.html")
    assert done.code == 1
    assert "No such file" in done.err
    saved = tmp_path / "r.unisono"
    run("measure", table, "--seed", 1, "--samples", 5, "--save", saved)
    done = run("report", saved, "-o", tmp_path)
    assert done.code == 1
    assert "the file cannot be written (Is a directory)." in done.err
    assert run("report", saved).code == 2
