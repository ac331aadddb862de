# SPDX-License-Identifier: MIT
"""Data frames are as good an input as a path. Oracle: the same rows read from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unisono.errors import InputError
from unisono.io import inspect, read
from unisono.model import Unit

COLUMNS = {
    "document": ["d1", "d1", "d2"],
    "annotator": [1, 2, 1],
    "start": [0, 1, None],
    "end": [5, 4, None],
    "label": ["PER", None, None],
}


def frames() -> list[Any]:
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    return [
        pandas.DataFrame(COLUMNS),
        pandas.DataFrame(COLUMNS).convert_dtypes(),
        pandas.DataFrame(COLUMNS).astype({"label": "category", "document": "category"}),
        polars.DataFrame(COLUMNS),
        polars.LazyFrame(COLUMNS),
        polars.DataFrame(COLUMNS, schema_overrides={"label": polars.Categorical}),
        pyarrow.table(COLUMNS),
    ]


@pytest.mark.parametrize("index", range(7))
def test_frame(index: int) -> None:
    first, second = read(frames()[index])
    assert list(first) == [Unit(0, 5, "PER", "1"), Unit(1, 4, None, "2")]
    assert first.has_integer_positions
    assert (second.annotators, second.n_units) == (("1",), 0)


def test_understood() -> None:
    polars = pytest.importorskip("polars")
    assert inspect(polars.DataFrame(COLUMNS)).understood == (
        "polars data frame; 2 annotators (1, 2) from column annotator; 2 documents from column document; 2 units; "
        "category from column label; integer positions"
    )


def test_problems_name_the_row() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"annotator": ["a", "b"], "start": [1.5, float("nan")], "end": [1.0, 2.0]})
    with pytest.raises(InputError) as caught:
        read(frame)
    assert [str(problem) for problem in caught.value.problems] == [
        "data frame row 1: the unit ends (1.0) before it starts (1.5). Are the two columns swapped?",
        "data frame row 2: nan in column start is not a finite number. Correct it. "
        "Leave start and end both empty if the annotator marked nothing.",
    ]


def test_a_frame_for_participation_and_documents() -> None:
    polars = pytest.importorskip("polars")
    corpus = read(
        polars.DataFrame({"annotator": ["a"], "start": [1], "end": [2]}),
        participation=polars.DataFrame({"annotator": ["a", "b"]}),
        documents=polars.DataFrame({"end": [10]}),
    )
    (continuum,) = corpus
    assert (continuum.name, continuum.annotators) == ("data", ("a", "b"))
    assert continuum.extent is not None
    assert (continuum.extent.start, continuum.extent.end) == (0, 10)


def test_columns_of_one_name() -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(InputError, match="data frame: several columns are named 'start'"):
        read(polars.DataFrame({"annotator": ["a"], "start": [1], "end": [2], " start": [3]}))


def test_parquet_from_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.parquet"
    pandas.DataFrame(COLUMNS).to_parquet(path)
    inspection = inspect(path)
    assert inspection.corpus is not None
    assert inspection.corpus["d1"].n_units == 2
    assert inspection.understood.startswith("Parquet; 2 annotators")


def test_lists_become_sets_of_labels() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"annotator": ["a"], "start": [1], "end": [2], "labels": [["X", "Y"]]})
    assert read(frame).labels() == ("X|Y",)
