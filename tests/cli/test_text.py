# SPDX-License-Identifier: MIT
"""text-γ as a user calls it. Oracle: the library called directly; exit codes and streams as documented."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
import typer

from unisono.api import measure
from unisono.cli import main
from unisono.cli.text import TextOutput, emit_text_result, text
from unisono.model import Continuum, Corpus
from unisono.one_text import measure_text
from unisono.report.text_page import Page
from unisono.report.version_table import add_text_alignment, as_csv, as_dict
from unisono.text import RandomEdits, TextVersions, Version, best_text_alignment, read_versions

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


@pytest.mark.parametrize(
    "options",
    [
        ("--alignment", "--json"),
        ("--csv",),
        ("--alignment",),
        ("--alignment", "--whole"),
        ("--text-format", "tsv"),
        ("--document", "text"),
    ],
)
def test_measure_takes_the_same_options(
    folder: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """`measure --measure text-gamma`. Oracle: `unisono text` with the same options."""
    common = ("ann.tsv", "bob.tsv", "--seed", "4", "--samples", "20", *options)
    assert run(*common) == 0
    expected = capsys.readouterr().out
    assert main(["measure", "--measure", "text-gamma", *common]) == 0
    printed = capsys.readouterr().out
    if "--json" in options:
        old, new = json.loads(expected), json.loads(printed)
        assert new["alignment"] == old["alignment"]
        assert new["measures"] == old["measures"]
    elif "--document" in options:  # the signature of `measure` names what was selected
        assert printed.splitlines()[0] == expected.splitlines()[0]
    else:
        assert printed == expected


def test_options_of_versions_are_for_text_gamma(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "ann.tsv", "bob.tsv", "--alignment"]) == 2
    assert "--csv, --alignment and --whole are for" in capsys.readouterr().err


def test_several_documents_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    """The alignments of several documents. Oracle: `best_text_alignment` of each."""
    texts = {"one": ("so so", "so"), "two": ("so it is", "so it wos")}
    versions = [
        TextVersions.of({who: Version.of_tokens(text.split()) for who, text in zip("ab", pair, strict=True)}, name=name)
        for name, pair in texts.items()
    ]
    corpus = Corpus(tuple(map(Continuum.of_versions, versions)))
    result = measure(corpus, "text-gamma", samples=5, seed=1)
    emit_text_result(result, TextOutput(alignment=True), as_json=True)
    printed = json.loads(capsys.readouterr().out)
    for document, each in zip(printed["documents"], versions, strict=True):
        assert document["alignment"]["disorder"] == best_text_alignment(each).disorder
    assert "alignment" not in printed
    emit_text_result(result, TextOutput(alignment=True), as_json=False)
    shown = capsys.readouterr().out
    assert all(f"\n{name}\n" in shown for name in texts)
    assert "wos" in shown
    emit_text_result(result, TextOutput(), as_json=False)
    assert "wos" not in capsys.readouterr().out


def test_compare_and_annotators_read_versions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of tokens are versions for text-γ in every command. Oracle: the library."""
    (folder / "cem.tsv").write_text(FILES["bob.tsv"], encoding="utf-8")
    (folder / "dan.tsv").write_text(FILES["ann.tsv"], encoding="utf-8")
    files = ["ann.tsv", "bob.tsv", "cem.tsv", "dan.tsv"]
    options = ["--measure", "text-gamma", "--seed", "1", "--samples", "10", "--json"]
    assert main(["compare", *files, "--groups", "ann,dan:bob,cem", *options]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["a"]["value"], printed["b"]["value"]) == (1.0, 1.0)
    assert main(["annotators", *files[:3], *options]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert [pair["value"] == 1 for pair in pairs] == [False, False, True]
