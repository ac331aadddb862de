# SPDX-License-Identifier: MIT
"""text-γ as a user calls it. Oracle: the library called directly; exit codes and streams as documented."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import typer

from unisono.cli.text import text
from unisono.one_text import measure_text
from unisono.report.terminal import Page
from unisono.report.version_table import add_text_alignment, as_csv, as_dict
from unisono.text import RandomEdits, best_text_alignment, read_versions

FILES = {
    "ann.tsv": "form\tpos\nsambt\tAPPR\naller\tPI\nvinstendicheit\tNA\nvth\tPTK\ngelacht\tVV\n/\t$;\n",
    "bob.tsv": "form\tpos\nsambt\tAPPR\naller\tDD\nvmstendicheit\tNA\nvthgelacht\tVV\n/\t$;\n",
    "base.tsv": "form\nsambt\naller\nvinstendicheit\nvthgelacht\n/\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(text)
    with pytest.raises(SystemExit) as done:
        app(args=list(arguments))
    return int(done.value.code or 0)


def test_the_command_is_the_library(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--base", "base.tsv", "--p-text", "0.25", "--p-seg", "0.04", "--seed", "42", "--samples", "50")
    assert run("ann.tsv", "bob.tsv", *options, "--json", "--alignment") == 0
    printed = json.loads(capsys.readouterr().out)
    result = measure_text(["ann.tsv", "bob.tsv"], base="base.tsv", chance=RandomEdits(0.25, 0.04), seed=42, samples=50)
    assert printed["measures"] == result.to_dict()["measures"]
    assert printed["signature"] == result.signature
    assert printed["text"]["differences"] == {"all": 7, "equal": 2, "segmentation": 3, "text": 1, "pos": 1}
    assert printed["text"]["p_text"] == 0.25
    assert len(printed["alignment"]["unitary_alignments"]) == 7
    assert printed["data"] == {
        "sha256": result.data.sha256,
        "documents": 1,
        "annotators": 2,
        "units": 11,
        "categories": 7,
    }


def test_the_table_names_what_differs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ann.tsv", "bob.tsv", "--base", "base.tsv", "--seed", "1", "--samples", "20", "--alignment") == 0
    out = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "2 0.500 aller pos=PI aller pos=DD pos" in lines
    assert "3 0.500 vinstendicheit vmstendicheit text" in lines
    assert "4 1.000 vth - segmentation" in lines
    assert "6 1.000 - vthgelacht segmentation" in lines
    assert "2 unitary alignments without any difference not shown" in lines
    assert "segmentation 3" in lines


def test_csv(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ann.tsv", "bob.tsv", "--base", "base.tsv", "--seed", "1", "--samples", "20", "--csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 7
    assert (rows[2]["ann:text"], rows[2]["differences"]) == ("vinstendicheit", "text")
    assert rows[5]["ann:start"] == ""
    assert rows[5]["bob:start"] == "26"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("ann.tsv", "bob.tsv", "--p-text", "x"), 2, "Give a number from 0 to 1, or MEAN,STRENGTH."),
        (("ann.tsv", "bob.tsv", "--p-seg", "2"), 2, "not a valid value of p_seg=."),
        (("ann.tsv", "bob.tsv", "--csv", "--json"), 2, "--csv and --json exclude each other"),
        (("ann.tsv",), 1, "'ann' is the only annotator"),
        (("ann.tsv", "nobody.tsv"), 1, "there is no such file"),
        (("ann.tsv", "bob.tsv", "--feature", "lemma"), 1, "no unit has the feature 'lemma'"),
        (("ann.tsv", "bob.tsv", "--fail-under", "2", "--samples", "20"), 3, "below --fail-under 2"),
    ],
)
def test_what_cannot_be(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, message: str
) -> None:
    assert run(*arguments) == code
    said = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert message in said


def test_priors_and_features_reach_the_library(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--p-text", "0.25,100", "--feature", "pos", "--text-distance", "levenshtein", "--samples", "20")
    assert run("ann.tsv", "bob.tsv", "--base", "base.tsv", "--json", "--seed", "3", *arguments) == 0
    signature = json.loads(capsys.readouterr().out)["signature"]
    assert "chance:edits(p_text=map(0.25,100),p_seg=estimated,p_label=estimated)" in signature
    assert "d:text:levenshtein,pos:nominal,delta_empty=1" in signature


def test_steering_characters_are_written_out(tmp_path: Path) -> None:
    for name, word in (("ann", "so\x1b[31m"), ("bob", "so")):
        (tmp_path / f"{name}.json").write_text(
            json.dumps({"text": word, "units": [{"start": 0, "end": len(word), "features": {"x": "\x1b"}}]})
        )
    alignment = best_text_alignment(read_versions([tmp_path / "ann.json", tmp_path / "bob.json"]))
    sheet = Page()
    add_text_alignment(sheet, alignment)
    assert "\x1b" not in str(sheet) + as_csv(alignment)
    assert as_dict(alignment)["unitary_alignments"][0]["units"][0]["text"] == "so\x1b[31m"
