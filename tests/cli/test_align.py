# SPDX-License-Identifier: MIT
"""`unisono align`. Oracles: `best_alignment` on the same data; alignments worked out by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import unisono


def test_json_equals_the_api(run, table: Path) -> None:
    code, out, _ = run("align", table, "--json")
    data = json.loads(out)
    assert code == 0
    assert data["dissimilarity"] == unisono.CombinedDissimilarity().signature
    for document, continuum in zip(data["documents"], unisono.read(table), strict=True):
        best = unisono.best_alignment(continuum)
        assert document["name"] == continuum.name
        assert document["annotators"] == list(continuum.annotators)
        assert (document["disorder"], document["lower_bound"]) == (best.disorder, best.lower_bound)
        assert (document["gap"], document["limit"]) == (0.0, None)
        units = [unit for row in document["unitary_alignments"] for unit in row["units"] if unit]
        assert len(units) == continuum.n_units == document["units"]


def test_csv_has_a_row_for_each_unitary_alignment(run, table: Path) -> None:
    """By hand: the third units, 45-50 LOC and 40-50 PER, cost 1/9 + 1 together, 2 apart: they stay together."""
    code, out, _ = run("align", table, "--csv")
    rows = list(csv.reader(io.StringIO(out)))
    assert code == 0
    added = ["contribution", "pairs_apart"]
    assert rows[0] == ["document", "unitary_alignment", "disorder", "differs_in", "ann", "bob", *added]
    assert rows[1][:6] == ["one", "1", "0.0", "", "0-10 PER", "0-10 PER"]
    assert rows[3][3:6] == ["position category", "45-50 LOC", "40-50 PER"]
    assert {row[7] for row in rows[1:]} == {"0"}
    assert float(rows[3][2]) == pytest.approx(1 + 1 / 9)
    assert [row[:2] for row in rows[4:]] == [["two", "1"], ["two", "2"]]


def test_csv_tells_empty_from_not_seen(run, table: Path) -> None:
    with table.open("a", encoding="utf-8") as file:
        file.write("two,cem,,,\n")
    rows = list(csv.DictReader(io.StringIO(run("align", table, "--csv").out)))
    assert {row["cem"] for row in rows if row["document"] == "one"} == {""}
    assert {row["cem"] for row in rows if row["document"] == "two"} == {"-"}


def test_table(run, table: Path) -> None:
    code, out, _ = run("align", table)
    assert code == 0
    assert "45-50 LOC  40-50 PER" in out
    assert out.count("gap 0: proven to be the best alignment") == 2


def test_options_reach_the_alignment(run, table: Path) -> None:
    """By hand: with beta = 3 the third units would cost 3 + 1/9, apart 2: they part."""
    out = run("align", table, "--csv", "--beta", 3).out
    assert "45-50 LOC,-," in out


def test_one_annotator(run, tmp_path: Path, table: Path) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\n", encoding="utf-8")
    code, out, err = run("align", path)
    assert (code, out) == (1, "")
    assert "'ann' is the only annotator" in err
    with table.open("a", encoding="utf-8") as file:
        file.write("lonely,ann,0,5,PER\n")
    code, out, err = run("align", table, "--csv")
    assert code == 0
    assert "not aligned: needs at least two annotators: lonely\n" in err
    assert "lonely" not in out


def test_csv_and_json_exclude_each_other(run, table: Path) -> None:
    assert run("align", table, "--csv", "--json").code == 2


def test_a_limit_is_said_loudly(run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine is replaced: small data are solved before any limit strikes."""

    def stopped(continuum: unisono.Continuum, *_: object, **__: object) -> unisono.Alignment:
        group = np.arange(len(continuum), dtype=np.int32)
        disorders = np.ones(len(continuum))
        return unisono.Alignment(continuum, group, disorders, disorder=2.0, lower_bound=1.5, limit="time")

    monkeypatch.setattr(unisono, "best_alignment", stopped)
    code, out, err = run("align", table, "--time-limit", 1)
    assert code == 3
    assert "gap 25 %: NOT PROVEN to be the best, the time limit stopped the search" in out
    assert "NOT PROVEN to be the best: one, two" in err
    document = json.loads(run("align", table, "--json").out)["documents"][0]
    assert (document["gap"], document["limit"]) == (0.25, "time")


def numbers(out: str) -> list[tuple[str, str]]:
    return [(row["document"], row["unitary_alignment"]) for row in csv.DictReader(io.StringIO(out))]


def test_disagreements_only(run, table: Path) -> None:
    """By hand: document one differs nowhere, in position, in position and category; document two in position twice."""
    assert numbers(run("align", table, "--csv", "--disagreements").out) == [
        ("one", "2"), ("one", "3"), ("two", "1"), ("two", "2"),
    ]  # fmt: skip
    assert numbers(run("align", table, "--csv", "--kind", "category").out) == [("one", "3")]
    assert numbers(run("align", table, "--csv", "--kind", "missing").out) == []
    assert numbers(run("align", table, "--csv", "--beta", 3, "--kind", "missing").out) == [("one", "3"), ("one", "4")]
    assert len(numbers(run("align", table, "--csv", "--kind", "missing", "--kind", "position").out)) == 4
    out = run("align", table, "--kind", "missing").out
    assert out.count("no disagreement") == 2
    assert "0 of 3 unitary alignments shown" in out


def test_worst_first_over_all_documents(run, table: Path) -> None:
    """By hand: 1 + 1/9; then (3/17)^2, (1/7)^2 and (2/18)^2; then the one without disorder."""
    out = run("align", table, "--csv", "--worst").out
    assert numbers(out) == [("one", "3"), ("two", "1"), ("two", "2"), ("one", "2"), ("one", "1")]


def test_exports_equal_each_other(run, table: Path, tmp_path: Path) -> None:
    """The same rows in CSV, TSV, Parquet and JSON, on standard output and in files."""
    import pyarrow.parquet as parquet

    for rows, width in (("unitary", 8), ("units", 8)):
        printed = run("align", table, "--csv", "--rows", rows).out
        for ending in ("csv", "tsv", "parquet"):
            assert run("align", table, "--rows", rows, "-o", tmp_path / f"out.{ending}").code == 0
        assert (tmp_path / "out.csv").read_text(encoding="utf-8") == printed
        lines = list(csv.reader(io.StringIO(printed)))
        assert {len(line) for line in lines} == {width}
        tabbed = csv.reader(io.StringIO((tmp_path / "out.tsv").read_text(encoding="utf-8")), delimiter="\t")
        assert list(tabbed) == lines
        columns = parquet.read_table(tmp_path / "out.parquet").to_pylist()
        assert [["" if v is None else str(v) for v in row.values()] for row in columns] == lines[1:]
    run("align", table, "-o", tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text(encoding="utf-8") == run("align", table, "--json").out
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    flat = [
        [d["name"], row["number"], row["disorder"], " ".join(row["differs_in"])]
        + [unit[key] for key in ("annotator", "start", "end", "category")]
        for d in data["documents"]
        for row in d["unitary_alignments"]
        for unit in row["units"]
        if unit
    ]
    units = list(csv.reader(io.StringIO(run("align", table, "--csv", "--rows", "units").out)))[1:]
    assert [[str(cell) for cell in row] for row in flat] == units


def test_table_into_a_file(run, table: Path, tmp_path: Path) -> None:
    code, out, err = run("align", table, "--to", "table", "-o", tmp_path / "out.txt")
    assert (code, out) == (0, "")
    assert "wrote" in err
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == run("align", table).out


def test_units_that_do_not_overlap_are_marked_and_do_not_lead(run, tmp_path: Path) -> None:
    """By hand: 5222-5502 and 6352-6500 are 850 apart, and joined because positions weigh little."""
    path = tmp_path / "apart.csv"
    rows = [
        "ann,5222,5502,X",
        "bob,6352,6500,X",
        "ann,7000,7100,X",
        "bob,7050,7100,Y",
        "ann,8000,8100,X",
        "bob,8000,8100,X",
    ]
    path.write_text("\n".join(["annotator,start,end,category", *rows]), encoding="utf-8")
    out = run("align", path, "--worst", "--alpha", "0.05").out
    lines = [line.split() for line in out.splitlines() if "-" in line and line.lstrip()[0].isdigit()]
    assert [line[0] for line in lines] == ["2", "1", "3"]
    assert [line[-3:] == ["do", "not", "overlap"] for line in lines] == [False, True, False]
    data = json.loads(run("align", path, "--worst", "--alpha", "0.05", "--json").out)
    found = data["documents"][0]["unitary_alignments"]
    assert [row["apart"] for row in found] == [[], [["ann", "bob"]], []]
    assert sum(row["contribution"] for row in found) == pytest.approx(0)
    printed = run("align", path, "--alpha", "0.05", "--csv").out
    assert [row["pairs_apart"] for row in csv.DictReader(io.StringIO(printed))] == ["1", "0", "0"]


def test_an_annotator_called_disorder(run, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("annotator,start,end\ndisorder,0,5\nbob,0,5\n", encoding="utf-8")
    assert run("align", path, "--csv").out.startswith(
        "document,unitary_alignment,disorder,differs_in,bob,annotator:disorder,contribution,pairs_apart\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "docx"], "'docx' is not a valid value of --to. Choose one of: table, csv, tsv, json, parquet."),
        (["--to", "csv", "--json"], "--to csv and --json exclude each other"),
        (["--to", "parquet"], "--to parquet needs a file to write"),
        (["-o", "out.docx"], "the ending of 'out.docx' is not that of a table. Let it end in .csv"),
        (["--kind", "length"], "'length' is not a valid value of --kind. Choose one of: position, category, missing."),
        (["--draw", "--json"], "cannot be combined with another output"),
        (["--window", "0:5"], "--window is for --draw and --figure"),
        (["--draw", "--window", "5"], "is not a valid value of --window. Give START:END such as 0:1500."),
        (["--draw", "--window", "5:5"], "an end after the start"),
        (["--figure", "out.gif"], "Let it end in .svg, .pdf, .png"),
        (["--figure", "out.svg", "--figure-width", "0"], "a width from 1 to 100 inches"),
    ],
)
def test_wrong_usage(run, table: Path, options: list[str], message: str) -> None:
    code, out, err = run("align", table, *options)
    assert (code, out) == (2, "")
    assert message in " ".join(err.replace("│", " ").split())


def test_unwritable(run, table: Path, tmp_path: Path) -> None:
    code, _, err = run("align", table, "-o", tmp_path / "nowhere" / "out.csv")
    assert code == 1
    assert "the file cannot be written (its folder does not exist)" in err


def test_draw(run, table: Path) -> None:
    code, out, _ = run("align", table, "--draw")
    assert code == 0
    assert out.count("worst: ") == 2
    assert "├1 PER" in out


def test_figure(run, tmp_path: Path, table: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\nbob,1,6,B\n", encoding="utf-8")
    for ending, head in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        figure = tmp_path / f"figure.{ending}"
        code, out, err = run("align", path, "--figure", figure)
        assert (code, out) == (0, "")
        assert f"wrote {figure}" in err
        assert figure.read_bytes().startswith(head)
    code, _, err = run("align", table, "--figure", tmp_path / "two.svg")
    assert code == 1
    assert "a figure shows one document, and there are 2" in err
