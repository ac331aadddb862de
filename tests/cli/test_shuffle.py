# SPDX-License-Identifier: MIT
"""`unisono shuffle`. Oracle: the library called directly; what was written, read again; docs/command-line.md."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

import unisono
from unisono.shuffling import CategoryErrors, PositionErrors, ReferenceModel, shuffled_sets

EXAMPLES = Path(__file__).parents[2] / "examples"
MODEL = EXAMPLES / "dense-text.toml"
CALL = ("shuffle", MODEL, "--error", "position:shift_factor=0.5", "--error", "category:immune=D", "--seed", 3)


def made(sets: int = 4) -> list:
    errors = [PositionErrors(shift_factor=0.5), CategoryErrors(immune=("D",))]
    return list(shuffled_sets(ReferenceModel.from_toml(MODEL), errors, 0.4, sets=sets, seed=3))


def rows(corpus: unisono.Corpus) -> list:
    return [[(u.start, u.end, u.category, u.annotator) for u in continuum] for continuum in corpus]


@pytest.mark.parametrize("name", ["shuffled.csv", "shuffled.json", "shuffled.parquet", "shuffled.jsonl"])
def test_written_and_read_again(run, tmp_path: Path, name: str) -> None:
    out = tmp_path / name
    code, stdout, err = run(*CALL, "--magnitude", 0.4, "--sets", 4, "-o", out)
    assert (code, stdout) == (0, "")
    assert f"wrote {out}: 4 documents, 360 units" in err
    assert rows(unisono.read(out)) == [
        [(u.start, u.end, u.category, u.annotator) for u in shuffled.continuum] for shuffled in made()
    ]


def test_a_folder_by_name(run, tmp_path: Path) -> None:
    code, _, err = run(*CALL, "--magnitude", 0.4, "--sets", 2, "-o", tmp_path / "out", "--to", "pygamma")
    assert code == 0, err
    assert unisono.read(tmp_path / "out").n_units == 180


def test_the_truth_and_the_references(run, tmp_path: Path) -> None:
    truth, references, model = (tmp_path / name for name in ("truth.csv", "references.json", "model.toml"))
    assert (
        run(
            *CALL, "--magnitude", 0.4, "--sets", 4, "--truth", truth, "--reference", references, "--save-model", model
        ).code
        == 0
    )
    with truth.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == ["document", "annotator", "reference", "what", "start_before", "end_before", "category_before",
                      "start_after", "end_after", "category_after"]  # fmt: skip
    expected = [["" if cell is None else str(cell) for cell in row] for x in made() for row in x.truth.rows()]
    assert lines == expected
    assert {line[3] for line in lines} >= {"moved", "moved+category"}
    read = unisono.read(references)
    assert rows(read) == rows(unisono.Corpus(tuple(x.reference for x in made())))
    assert ReferenceModel.from_toml(model) == ReferenceModel.from_toml(MODEL)


def test_a_table_without_a_target(run) -> None:
    code, out, err = run(*CALL, "--magnitude", 0.4, "--sets", 4, "--annotators", "ann,bob")
    assert (code, err) == (0, "")
    assert "units of the references  120" in out
    assert "units of the annotators  240" in out
    assert "seed 3, magnitude 0.4; nothing was written: name a path with -o" in out


def test_json(run, tmp_path: Path) -> None:
    code, out, _ = run(*CALL, "--magnitude", 0.4, "--sets", 4, "--json", "-o", tmp_path / "x.csv")
    assert code == 0
    data = json.loads(out)
    assert data["seed"] == 3
    assert data["errors"] == [{"type": "position", "shift_factor": 0.5}, {"type": "category", "immune": ["D"]}]
    assert ReferenceModel.from_dict(data["model"]) == ReferenceModel.from_toml(MODEL)
    assert (data["documents"], data["reference_units"], data["units"]) == (4, 120, 360)
    counts: Counter[str] = sum((x.truth.counts() for x in made()), start=Counter())
    assert data["truth"] == {
        word: counts[word] for word in ("kept", "moved", "category", "split", "merged", "missed", "added")
    }


def test_the_seed_is_drawn_and_shown(run) -> None:
    call = ("shuffle", MODEL, "--error", "splits", "--magnitude", 0.4, "--sets", 1, "--json")
    first, second = (json.loads(run(*call).out) for _ in range(2))
    assert first["seed"] != second["seed"]


def test_like_a_corpus(run, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "like.csv"
    code, _, err = run(
        "shuffle", "--like", table, "--error", "false-negatives", "--magnitude", 0, "--sets", 30, "--seed", 1, "-o", out
    )
    assert code == 0
    assert "read: CSV" in err
    corpus = unisono.read(out)
    assert set(corpus.labels()) == {"LOC", "PER"}
    lengths = {unit.end - unit.start for continuum in corpus for unit in continuum}
    assert lengths <= {unit.end - unit.start for continuum in unisono.read(table) for unit in continuum}
    ignored = run("shuffle", "--like", table, "--ignore", "LOC", "--error", "splits", "--magnitude", 0, "--json")
    assert list(json.loads(ignored.out)["model"]["categories"]) == ["PER"]


def test_one_reference_for_all(run, tmp_path: Path) -> None:
    out = tmp_path / "references.csv"
    assert run(*CALL, "--magnitude", 0.4, "--sets", 4, "--common-reference", "--reference", out).code == 0
    assert len(unisono.read(out)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--error", "merge"), "Did you mean merges?"),
        (("--error", "splits:limits=2"), "Did you mean limit?"),
        (("--error", "splits:limit"), "'limit' has no = sign"),
        (("--error", "label"), "errors of texts are made in Python"),
        ((), "--error is missing. Name what goes wrong"),
        (("--error", "splits", "--magnitude", 2), "the magnitude is 2.0, not a number from 0 to 1"),
        (("--error", "splits", "--sets", 0), "0 is neither a number of sets of 1 or more"),
        (("--error", "splits", "--annotators", "reference"), "no annotator can be named 'reference'"),
        (("--error", "splits", "--seed", -1), "-1 is not a valid value of --seed"),
        (("--error", "splits", "--to", "word"), "is not a valid value of --to. Choose one of:"),
        (("--error", "splits", "-o", "x.csv", "--truth", "x.csv"), "x.csv is named twice"),
        (("--error", "splits", "-o", "x.odt"), "names no format that can be written"),
    ],
)
def test_wrong_usage(run, arguments: tuple, message: str) -> None:
    code, out, err = run("shuffle", MODEL, "--magnitude", 0.5, *arguments)
    assert (code, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())


def test_wrong_paths(run, table: Path, tmp_path: Path) -> None:
    call = ("--error", "splits", "--magnitude", 0.5)
    code, _, err = run("shuffle", table, *call)
    assert code == 2
    assert "must be one model of references, FILE.toml" in " ".join(err.replace("│", " ").split())
    code, _, err = run("shuffle", tmp_path / "none.toml", *call)
    assert code == 1
    assert "none.toml: there is no such file" in err
    bad = tmp_path / "bad.toml"
    bad.write_text("unit = 3\nlength = 'x'\n", encoding="utf-8")
    code, _, err = run("shuffle", bad, *call)
    assert code == 1
    assert "Did you mean units?" in err
    assert "bad.toml: length: 'x' is not a distribution" in err
    code, _, err = run("shuffle", MODEL, *call, "-o", table)
    assert code == 2
    assert "exists already" in " ".join(err.replace("│", " ").split())
    assert run("shuffle", MODEL, *call, "-o", table, "--overwrite", "--sets", 2).code == 0
    code, _, err = run("shuffle", MODEL, "--magnitude", 0.5, "--error", f"category:overlap={tmp_path / 'none.csv'}")
    assert code == 1
    assert "none.csv" in err
    code, _, err = run("shuffle", MODEL, *call, "--truth", tmp_path / "no" / "truth.csv")
    assert code == 1
    assert "the file cannot be written" in err


def test_unequal_annotators(run) -> None:
    call = ("shuffle", MODEL, "--error", "false-negatives", "--magnitude", 0.5, "--sets", 2, "--seed", 1, "--json")
    summary = json.loads(run(*call, "--unequal", "0,0,1").out)
    assert summary["unequal"] == [0, 0, 1]
    assert summary["units"] > 2 * summary["reference_units"]
    assert json.loads(run(*call, "--unequal", "0.5").out)["unequal"] == 0.5
    code, _, err = run(*call, "--unequal", "much")
    assert code == 2
    assert "--unequal much: give one number" in " ".join(err.replace("│", " ").split())
    code, _, err = run(*call, "--unequal", "1,2")
    assert code == 2
    assert "not a number for each of the 3 annotators" in " ".join(err.replace("│", " ").split())


def test_systematic_errors(run, tmp_path: Path) -> None:
    """One category always taken for another, and one annotator who begins every unit half of its length early."""
    table = tmp_path / "shuffled.csv"
    call = ("shuffle", MODEL, "--sets", 2, "--seed", 1, "--annotators", "ann,bob", "-o", table, "--overwrite")
    assert run(*call, "--error", "position:share=0", "--magnitude", 1).code == 0
    labels = sorted(unisono.read(table).labels())
    assert run(*call, "--error", f"confusion:category={labels[0]},instead={labels[1]}", "--magnitude", 1).code == 0
    assert labels[0] not in unisono.read(table).labels()
    assert run(*call, "--error", "habit:by=bob", "--magnitude", 0.5).code == 0
    for document in unisono.read(table):
        pairs = list(zip(document.units_of("ann"), document.units_of("bob"), strict=True))
        # Positions are whole numbers, and nothing begins before the continuum does.
        for ann, bob in pairs:
            assert bob.end == ann.end
            assert abs(ann.start - bob.start - (ann.end - ann.start) / 2) <= 0.5 or bob.start == 0
        assert pairs
