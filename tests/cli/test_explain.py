# SPDX-License-Identifier: MIT
"""`unisono explain`, and the findings that `measure` ends with. Oracle: the library called directly; docs/json.md."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import unisono
from unisono.shuffling import FalseNegatives, PositionErrors, ReferenceModel, shuffled_corpus

EXAMPLE = Path(__file__).parents[2] / "examples" / "entities.csv"
HOW = ("--seed", 1, "--samples", 20)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus in which Ben misses units."""
    errors = [FalseNegatives(by=("Ben",), magnitude_factor=3), PositionErrors(share=0.2)]
    model = ReferenceModel(units=12, gap=(5, 40))
    path = tmp_path_factory.mktemp("planted") / "corpus.csv"
    unisono.write(shuffled_corpus(model, errors, 0.1, sets=15, annotators=["Ada", "Ben", "Cem", "Dee"], seed=1), path)
    return path


def test_the_json_is_the_librarys(run, planted: Path) -> None:
    code, out, _ = run("explain", planted, *HOW, "--json", "--quick")
    assert code == 0
    data = json.loads(out)
    result = unisono.measure(unisono.read(planted), ["gamma", "gamma-cat"], seed=1, samples=20)
    assert data == json.loads(json.dumps(unisono.explain(result, what_if=False).to_dict()))
    assert data["schema"] == 1
    assert data["signature"] == result.signature
    finding = data["findings"][0]
    assert (finding["kind"], finding["subject"], finding["gain"]) == ("annotator-misses", {"annotator": "Ben"}, None)
    assert len(finding["places"]) == 3
    assert set(finding["places"][0]) == {"document", "start", "end"}


def test_everything(run, planted: Path) -> None:
    """With what-if, equivalents and advice: the finding has the gain of leaving its annotator out."""
    code, out, _ = run("explain", planted, *HOW, "--json")
    assert code == 0
    data = json.loads(out)
    (row,) = [row for row in data["what_if"] if row["subject"] == {"annotator": "Ben"}]
    assert data["findings"][0]["gain"] == row["gain"] > 0
    assert {row["kind"] for row in data["equivalents"]} >= {"missed", "boundaries"}
    assert data["properties"]
    assert data["advice"]


def test_the_text(run, planted: Path) -> None:
    code, out, _ = run("explain", planted, *HOW, "--quick")
    assert code == 0
    assert "1. Ben misses" in out
    assert "Who differs, and how" in out
    assert "*" in next(line for line in out.splitlines() if line.startswith("Ben "))


def test_a_saved_result_gives_the_same(run, planted: Path, tmp_path: Path) -> None:
    saved = tmp_path / "kept.unisono"
    assert run("measure", planted, *HOW, "--measure", "gamma,gamma-cat", "--save", saved).code == 0
    ours, theirs = (json.loads(run("explain", path, *HOW, "--json", "--quick").out) for path in (saved, planted))
    assert ours == theirs
    odd = tmp_path / "kept.zip"
    odd.write_bytes(saved.read_bytes())
    assert json.loads(run("explain", odd, "--json", "--quick").out) == ours


def test_measure_ends_with_findings(run, planted: Path) -> None:
    code, out, _ = run("measure", planted, *HOW)
    assert code == 0
    assert "What stands out" in out
    assert "1. Ben misses" in out
    assert "\n4. " not in out
    assert "What stands out" not in run("measure", planted, *HOW, "--no-findings").out
    assert "findings" not in json.loads(run("measure", planted, *HOW, "--json").out)


def test_nothing_stands_out(run, tmp_path: Path) -> None:
    path = tmp_path / "alike.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\nbob,0,5,A\nann,9,12,B\nbob,9,12,B\n", encoding="utf-8")
    out = run("explain", path, *HOW, "--quick").out
    assert "Nothing stands out" in out


def test_names_are_escaped(run, tmp_path: Path) -> None:
    errors = [FalseNegatives(by=("B\x1b[31men",), magnitude_factor=6)]
    corpus = shuffled_corpus(
        ReferenceModel(units=30, gap=(5, 40)), errors, 0.1, sets=8, annotators=["Ada", "B\x1b[31men", "Cem"], seed=1
    )
    path = tmp_path / "corpus.csv"
    unisono.write(corpus, path)
    out = run("explain", path, *HOW, "--quick").out
    assert "\x1b" not in out
    assert "1. B\\x1b[31men misses" in out


def test_undefined(run, tmp_path: Path) -> None:
    path = tmp_path / "empty.csv"
    path.write_text("document,annotator,start,end\nd,ann,0,5\n", encoding="utf-8")
    code, _, err = run("explain", path, *HOW)
    assert code == 1
    assert err


def test_the_example(run) -> None:
    code, out, _ = run("explain", EXAMPLE, *HOW, "--quick")
    assert code == 0
    assert "Location  Organisation" in out


def test_an_archive_that_is_damaged(run, tmp_path: Path) -> None:
    """It is no saved result; what is wrong with it is said as for any other data."""
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("units.csv", "annotator,start,end\n")
    path.write_bytes(path.read_bytes().replace(b"PK\x01\x02", b"XXXX"))
    code, _, err = run("explain", path)
    assert code == 1
    assert "damaged.zip" in err
