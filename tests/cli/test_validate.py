# SPDX-License-Identifier: MIT
"""`unisono validate`. Oracle: the exit codes of docs/command-line.md."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

HEAD = "annotator,start,end,category\n"
SOUND = HEAD + "ann,0,5,A\nbob,0,4,A\n"


@pytest.mark.parametrize(
    ("content", "code", "strict"),
    [
        (SOUND, 0, 0),
        (HEAD + "ann,0,5,A\n", 0, 0),  # one annotator: a note
        (SOUND + "ann,0,5,A\n", 0, 1),  # a unit twice: a warning
        (SOUND + "ann,9,5,A\n", 0, 1),  # an invalid row: an error, but the file can be read
        (HEAD, 1, 1),
        ("", 1, 1),
        ("one,two\n1,2\n", 1, 1),
    ],
)
def test_exit_codes(run, tmp_path: Path, content: str, code: int, strict: int) -> None:
    path = tmp_path / "file.csv"
    path.write_text(content, encoding="utf-8")
    assert run("validate", path).code == code
    assert run("validate", path, "--strict").code == strict
    assert json.loads(run("validate", path, "--json").out)["readable"] == (code == 0)


def test_text(run, tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text(SOUND + "cem,,,\nann,9,5,A\n", encoding="utf-8")
    code, out, err = run("validate", path)
    assert (code, err) == (0, "")
    assert "annotators: 3 (ann, bob, cem)" in out
    assert "once an annotator saw a document and marked nothing" in out
    assert f"error: {path}:5: " in out
    assert out.splitlines()[-1].startswith("can be read, but for the invalid rows: 1 error")
    assert "unisono messages end-before-start" in out


def test_json(run, table: Path) -> None:
    data = json.loads(run("validate", table, "--json").out)
    assert data["data"]["units"] == 10
    assert data["categories"] == ["LOC", "PER"]
    assert data["documents"][0] == {
        "name": "one",
        "annotators": ["ann", "bob"],
        "units": 6,
        "extent": {"start": 0, "end": 50, "source": "guessed"},
    }
    assert {problem["severity"] for problem in data["problems"]} <= {"note"}


def test_unreadable_json(run, tmp_path: Path) -> None:
    data = json.loads(run("validate", tmp_path / "none.csv", "--json").out)
    assert data["readable"] is False
    assert data["data"] is None
    assert data["problems"][0]["code"] == "missing-file"


def test_many_problems(run, tmp_path: Path) -> None:
    path = tmp_path / "file.csv"
    path.write_text(SOUND + "ann,9,5,A\n" * 30, encoding="utf-8")
    out = run("validate", path).out
    assert out.count("error: ") == 20
    assert "... and " in out
    assert len(json.loads(run("validate", path, "--json").out)["problems"]) >= 30


@pytest.mark.parametrize("content", [SOUND, SOUND + "ann,9,5,A\n"])
def test_standard_input_can_be_looked_at_twice(run, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(content.encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    code, out, _ = run("validate", "-")
    assert code == 0
    assert "units:      2" in out
    assert sys.stdin is stdin
