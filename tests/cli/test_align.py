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
    assert rows[0] == ["document", "unitary_alignment", "disorder", "ann", "bob"]
    assert rows[1] == ["one", "1", "0.0", "0-10 PER", "0-10 PER"]
    assert rows[3][3:] == ["45-50 LOC", "40-50 PER"]
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
    assert "45-50 LOC,-\n" in out


def test_one_annotator(run, tmp_path: Path, table: Path) -> None:
    path = tmp_path / "alone.csv"
    path.write_text("annotator,start,end,category\nann,0,5,A\n", encoding="utf-8")
    code, out, err = run("align", path)
    assert (code, out) == (1, "")
    assert "at least two annotators; found only 'ann'" in err
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
