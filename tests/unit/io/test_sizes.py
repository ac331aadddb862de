# SPDX-License-Identifier: MIT
"""Names and tables of absurd size. Oracle: refused in one sentence with file and line, which does not repeat them."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import inspect
from unisono.io.row_checks import LONGEST_NAME
from unisono.io.tables.delimited import MOST_COLUMNS


@pytest.mark.parametrize("what", ["annotator", "document", "category"])
def test_a_name_of_millions_of_characters(tmp_path: Path, what: str) -> None:
    columns = ["document", "annotator", "start", "end", "category"]
    rows = [["d", "ann", "0", "5", "X"], ["d", "bob", "0", "5", "X"], ["d", "ann", "7", "9", "Y"]]
    rows[2][columns.index(what)] = "n" * 3_000_000
    path = tmp_path / "t.csv"
    path.write_text("\n".join(",".join(row) for row in [columns, *rows]), encoding="utf-8")
    [problem] = inspect(path).problems
    assert (problem.code, problem.where) == ("long-name", f"{path}:4")
    assert problem.message == f"the {what} has a name of 3,000,000 characters, more than {LONGEST_NAME:,}"
    left = inspect(path, skip_invalid=True)
    assert left.corpus is not None
    assert left.corpus.n_units == 2


def test_a_name_as_long_as_may_be(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"annotator,start,end,category\nann,0,5,{'n' * LONGEST_NAME}\nbob,0,5,X\n", encoding="utf-8")
    assert inspect(path).corpus is not None


@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_table_of_a_million_columns(tmp_path: Path, ending: str, separator: str) -> None:
    path = tmp_path / f"t.{ending}"
    row = ["ann", "0", "5", *["x"] * 1_000_000]
    path.write_text(separator.join(["annotator", "start", "end"]) + "\n" + separator.join(row), encoding="utf-8")
    [problem] = [each for each in inspect(path).problems if each.severity == "error"]
    assert (problem.code, problem.where) == ("too-many-columns", f"{path}:2")
    assert problem.message == f"the row has 1,000,003 cells, more than {MOST_COLUMNS:,}"


def test_files_without_units_are_named(tmp_path: Path) -> None:
    for name in "abcde":
        (tmp_path / f"{name}.csv").write_text("annotator,start,end,category\nann,,,X\nbob,,,Y\n", encoding="utf-8")
    [problem, *_] = inspect([tmp_path / "a.csv", tmp_path / "b.csv"]).problems
    assert (problem.code, problem.where) == ("no-units", f"{tmp_path}/a.csv, {tmp_path}/b.csv")
    assert problem.message == "there are no units: 4 rows have neither start nor end"
    [problem, *_] = inspect(tmp_path).problems
    assert problem.where.startswith(f"{tmp_path}/a.csv, {tmp_path}/b.csv")
    assert "d.csv" not in problem.where
