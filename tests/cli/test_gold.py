# SPDX-License-Identifier: MIT
"""`unisono gold`. Oracles: `unisono.gold` on the same data; consensus worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import unisono

UNITS = """\
document,annotator,start,end,category
one,ann,0,10,PER
one,ann,20,30,LOC
one,bob,0,10,PER
one,bob,22,30,ORG
one,cem,0,11,PER
one,cem,60,70,LOC
two,ann,5,15,LOC
two,bob,5,15,LOC
"""


@pytest.fixture
def units(tmp_path: Path) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(UNITS, encoding="utf-8")
    return path


def test_table_by_hand(run, units: Path) -> None:
    """20-30 has a vote for LOC and one for ORG; LOC is used more often. 60-70 has one of three: dropped."""
    code, out, _ = run("gold", units)
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["one", "1", "0-10", "PER", "3/3", "0.002"] in lines
    assert ["one", "2", "20-30", "LOC", "2/3", "1.004", "tie"] in lines
    assert ["one", "3", "(60-70", "LOC)", "1/3", "1.000", "dropped"] in lines
    assert "3 gold units from 4 unitary alignments in 2 documents; 1 dropped" in out


def test_json_equals_the_api(run, units: Path) -> None:
    code, out, _ = run("gold", units, "--json", "--boundaries", "majority", "--min-annotators", 1)
    assert code == 0
    corpus = unisono.read(units)
    assert (
        json.loads(out)["documents"]
        == unisono.gold(corpus, boundaries="majority", min_annotators=1).to_dict()["documents"]
    )


def test_written_and_read_back(run, units: Path, tmp_path: Path) -> None:
    target = tmp_path / "gold.csv"
    code, out, err = run("gold", units, "-o", target)
    assert code == 0
    assert f"wrote {target}: 3 gold units in 2 documents" in err
    assert "0-10 PER" not in out  # nothing to look at
    assert "20-30 LOC" in out
    back = unisono.read(target)
    assert [(u.start, u.end, u.category, u.features["support"]) for c in back for u in c] == [
        (0, 10, "PER", "3/3"), (20, 30, "LOC", "2/3"), (5, 15, "LOC", "2/2"),
    ]  # fmt: skip
    assert run("gold", units, "-o", target).code == 2
    assert run("gold", units, "-o", target, "--overwrite", "--beside", "--name", "agreed").code == 0
    assert unisono.read(target)["one"].annotators == ("agreed", "ann", "bob", "cem")


def test_adjudication_list(run, units: Path, tmp_path: Path) -> None:
    path = tmp_path / "look.csv"
    code, _, err = run("gold", units, "--adjudication", path)
    assert code == 0
    assert "2 units to look at" in err
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert [(row["document"], row["look"], row["kept"], row["votes"]) for row in rows] == [
        ("one", "tie", "yes", "LOC 1, ORG 1"),
        ("one", "dropped", "no", "LOC 1"),
    ]
    assert [rows[0][name] for name in ("ann", "bob", "cem", "support")] == ["20-30 LOC", "22-30 ORG", "-", "2/3"]
    run("gold", units, "--adjudication", tmp_path / "look.json")
    run("gold", units, "--adjudication", tmp_path / "look.parquet")
    from pyarrow import parquet

    assert parquet.read_table(tmp_path / "look.parquet").to_pylist() == json.loads(
        (tmp_path / "look.json").read_text(encoding="utf-8")
    )


def test_weights_from_a_file(run, units: Path, tmp_path: Path) -> None:
    weights = tmp_path / "weights.csv"
    weights.write_text("annotator,weight\nann,1\nbob,3\ncem,1\n", encoding="utf-8")
    data = json.loads(run("gold", units, "--weights", weights, "--json").out)
    assert data["parameters"]["weights"] == {"ann": 1.0, "bob": 3.0, "cem": 1.0}
    assert data["documents"][0]["units"][1]["category"] == "ORG"
    automatic = json.loads(run("gold", units, "--vote", "weighted", "--json").out)["parameters"]["weights"]
    assert automatic == unisono.gold(unisono.read(units), vote="weighted").weights


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ann,1\nbob,much\n", "weights.csv:2: 'bob,much' is not an annotator and a weight. Write both, as in ann,0.8."),
        ("ann,1\nann,2\n", "weights.csv:2: 'ann' has a weight already. Give one weight for each annotator."),
        ("ann,1\nbob,1\n", "there is no weight for 'cem'"),
        ("annotator,weight\n", "the table of weights has no row. Give annotator and weight."),
        ("ann,1\nbob,-2\ncem,0\n", "weights must not be negative or infinite: bob=-2.0"),
    ],
)
def test_weights_that_cannot_be_used(run, units: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "weights.csv"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("gold", units, "--weights", path)
    assert (code, out) == (1, "")
    assert message in err
    assert "unisono messages annotator-weights" in err


def test_no_table_of_weights(run, units: Path, tmp_path: Path) -> None:
    assert "the table of weights cannot be read: No such file" in run("gold", units, "--weights", tmp_path / "no").err
    (tmp_path / "latin.csv").write_bytes(b"J\xf6rg,1\n")
    assert "the table of weights is not in UTF-8" in run("gold", units, "--weights", tmp_path / "latin.csv").err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "brat"], "--to needs -o OUT"),
        (["--to", "docx", "-o", "out"], "is not a valid value of --to. Choose one of: csv"),
        (["-o", "out.docx"], "names no format that can be written"),
        (["--adjudication", "look.docx"], "Let it end in .csv"),
        (["--vote", "majority", "--weights", "w.csv"], "--weights is for --vote weighted"),
        (["--min-annotators", "0"], "0 is not a valid value of --min-annotators. Give a whole number of at least 1."),
        (["--overlap", "2"], "2 is not a valid value of --overlap. Give a number from 0 to 1."),
    ],
)
def test_wrong_usage(run, units: Path, options: list[str], message: str) -> None:
    code, out, err = run("gold", units, *options)
    assert (code, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())


def test_documents_without_a_consensus(run, units: Path) -> None:
    with units.open("a", encoding="utf-8") as file:
        file.write("lonely,ann,0,5,PER\n")
    code, out, err = run("gold", units)
    assert code == 0
    assert "no consensus: needs at least two annotators: lonely" in err
    assert "lonely" not in out


def test_the_text_of_a_unit_is_in_the_list(run, tmp_path: Path, units: Path) -> None:
    documents = tmp_path / "texts.csv"
    text = "Ann Lee and" + "." * 80
    with documents.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["document", "text"], ["one", text], ["two", text]])
    path = tmp_path / "look.csv"
    assert run("gold", units, "--documents", documents, "--min-annotators", 3, "--adjudication", path).code == 0
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    assert {row["text"] for row in rows} == {".." * 5, "ee and...."}
