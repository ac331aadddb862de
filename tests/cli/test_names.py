# SPDX-License-Identifier: MIT
"""Names from other people's files never steer the display. Oracle: no control character in any output."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from unisono.report import json_text, visible

NASTY = "[red]bad[/red]\x1b[31m\x9b2J\u202e\x07"
COMMANDS = [
    ("measure",),
    ("measure", "--json"),
    ("align",),
    ("align", "--csv"),
    ("align", "--json"),
    ("validate",),
    ("validate", "--json"),
]


@pytest.fixture
def nasty(tmp_path: Path) -> Path:
    path = tmp_path / "nasty.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["document", "annotator", "start", "end", "category"])
        for document in (f"one{NASTY}", f"two{NASTY}"):
            rows.writerow([document, f"ann{NASTY}", 0, 5, f"A{NASTY}"])
            rows.writerow([document, f"ann{NASTY}", 0, 5, f"A{NASTY}"])
            rows.writerow([document, f"bob{NASTY}", 1, 5, f"a{NASTY}"])
        rows.writerow([f"lonely{NASTY}", f"bob{NASTY}", 1, 5, f"B{NASTY}"])
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_control_character_gets_out(run, nasty: Path, command: tuple[str, ...]) -> None:
    code, out, err = run(command[0], nasty, *command[1:])
    assert code == 0
    for text in (out, err):
        assert all(char.isprintable() or char == "\n" for char in text), text


def test_markup_is_shown_as_it_is(run, nasty: Path) -> None:
    assert "[red]bad[/red]\\x1b[31m" in run("measure", nasty).out
    assert "[red]bad[/red]\\x1b[31m" in run("align", nasty).out


def test_json_gives_the_names_back(run, nasty: Path) -> None:
    names = [document["name"] for document in json.loads(run("measure", nasty, "--json").out)["documents"]]
    assert f"one{NASTY}" in names


def test_errors_are_escaped_too(run, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"annotator,start,end,category\nann,{NASTY},5,A\n", encoding="utf-8")
    code, _, err = run("measure", path)
    assert code == 1
    assert all(char.isprintable() or char == "\n" for char in err), err


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Person", "Person"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[0m", "\\x1b[0m"),
        ("\u202eabc", "\\u202eabc"),
        ("\ud800", "\\ud800"),
        ("na\u00a0na", "na\u00a0na"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_json_text_is_json() -> None:
    data = {"a\x1b": ["\u2028\x7f\x80é\U000e0001γ", None, 1.5]}
    text = json_text(data)
    assert json.loads(text) == data
    assert "γ" in text
    assert all(char.isprintable() or char == "\n" for char in text)
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text(float("nan"))


def test_csv_stays_one_line_per_row(run, tmp_path: Path) -> None:
    path = tmp_path / "lines.csv"
    path.write_text('annotator,start,end,category\nann,0,5,"A\nB"\nbob,0,5,"A\nB"\n', encoding="utf-8")
    out = run("align", path, "--csv").out
    assert len(out.splitlines()) == 2
    assert next(csv.DictReader(io.StringIO(out)))["ann"] == "0-5 A\\nB"
