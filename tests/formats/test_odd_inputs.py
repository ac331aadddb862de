# SPDX-License-Identifier: MIT
"""What `read` is given: options, tables and mappings that are wrong or odd. Oracle: written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from unisono.errors import InputError, ParameterError
from unisono.io import read, stream
from unisono.io.read import as_corpus

TABLE = "annotator,start,end,category\nann,0,1,A\nbob,4,5,B\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "units.csv"
    path.write_text(TABLE)
    return path


@pytest.mark.parametrize("encoding", ["klingon", "hex", "rot13", "undefined", "a\0b"])
def test_encodings_that_are_none_of_texts(table: Path, encoding: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read(table, encoding=encoding)
    assert refused.value.problems[0].code == "unknown-encoding"


def test_an_encoding_that_does_not_say_where_it_fails(table: Path) -> None:
    with pytest.raises(InputError) as refused:
        read(table, encoding="punycode")
    problem = refused.value.problems[0]
    assert (problem.code, problem.where) == ("encoding", str(table))


def test_a_data_frame_where_none_is_taken(table: Path) -> None:
    documents = pd.DataFrame({"document": ["units"], "end": [9]})
    with pytest.raises(ParameterError, match="documents= is for files and data frames"):
        read(read(table), documents=documents)
    with pytest.raises(ParameterError, match="documents= cannot be used in a stream"):
        stream(table, documents=documents)


def test_one_file_for_two_annotators(tmp_path: Path) -> None:
    """They would agree perfectly."""
    path = tmp_path / "letter.csv"
    path.write_text("start,end,category\n0,1,A\n4,5,B\n")
    with pytest.raises(InputError) as refused:
        read({"ann": path, "bob": [path]})
    assert [(problem.code, problem.where) for problem in refused.value.problems] == [("repeated-path", str(path))]


@pytest.mark.parametrize(
    "content", ["A,B\nC,D\n", "A,B\rC,D\r", "old,new\r\nA,B\r\n", 'A,"B"\n', "A\tB\n", "\ufeffA,B\n"]
)
def test_maps_of_categories(table: Path, content: str) -> None:
    names = table.parent / "map.csv"
    names.write_bytes(content.encode())
    assert read(table, category_map=names)[0].categories == ("B",)


def test_a_map_in_the_encoding_that_is_given(table: Path) -> None:
    names = table.parent / "map.csv"
    names.write_bytes("A,É\nB,È\n".encode("latin-1"))
    assert read(table, category_map=names, encoding="latin-1")[0].categories == ("È", "É")


def test_a_map_with_a_line_that_is_no_pair(table: Path) -> None:
    names = table.parent / "map.csv"
    names.write_text('A,B\nB,"x\nC,' + "x" * 200_000 + "\n")
    with pytest.raises(InputError) as refused:
        read(table, category_map=names)
    assert [(problem.code, problem.where) for problem in refused.value.problems] == [
        ("category-map", f"{names}:2"),
        ("category-map", f"{names}:3"),
    ]


def test_maps_that_are_no_maps(table: Path) -> None:
    with pytest.raises(ParameterError, match="category_map= is of type list"):
        read(table, category_map=["A", "B"])  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="category_map= is of type DataFrame"):
        read(table, category_map=pd.DataFrame({"A": ["B"]}))  # type: ignore[arg-type]
    for name in ("one.csv", "two.csv"):
        (table.parent / "maps").mkdir(exist_ok=True)
        (table.parent / "maps" / name).write_text("A,B\n")
    with pytest.raises(InputError, match="there are 2 files, and one table is needed"):
        read(table, category_map=table.parent / "maps")


def test_paths_from_an_iterator(tmp_path: Path) -> None:
    """The question whether they are versions of a text does not use them up."""
    for who in ("ann", "bob"):
        (tmp_path / f"{who}.json").write_text(json.dumps({"text": "so", "units": [{"start": 0, "end": 2}]}))
    paths = (tmp_path / f"{who}.json" for who in ("ann", "bob"))
    assert as_corpus(paths, for_texts=True).annotators == ("ann", "bob")


def test_a_single_name_of_a_column_of_tokens(tmp_path: Path) -> None:
    (tmp_path / "ann.tsv").write_text("so\nit\n")
    assert read(tmp_path / "ann.tsv", versions=True, token_columns="form")[0].n_units == 2


def test_versions_in_lists(tmp_path: Path) -> None:
    paths = {who: [tmp_path / f"{who}.json"] for who in ("ann", "bob")}
    for (path,) in paths.values():
        path.write_text(json.dumps({"text": "so", "units": [{"start": 0, "end": 2}]}))
    assert read(paths, versions=True).annotators == ("ann", "bob")
    with pytest.raises(ParameterError, match="ann has 2 files, and a version of a text is one file"):
        read({"ann": [*paths["ann"], *paths["bob"]]}, versions=True)
