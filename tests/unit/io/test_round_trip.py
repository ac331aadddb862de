# SPDX-License-Identifier: MIT
"""Writing and reading give the same corpus, whatever the order of rows, the format, the header. Oracle: property."""

from __future__ import annotations

import csv
import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unisono.errors import ParameterError
from unisono.io import Columns, read, write_table
from unisono.io.writers.unit_table import header, rows
from unisono.model import Continuum, Corpus, Extent, Unit

# Anything goes in a name but blanks around it, control characters and lone surrogates, which no file can hold.
names = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=6).map(str.strip).filter(bool)
positions = st.integers(-(2**40), 2**40)
decimals = st.floats(-1e9, 1e9, allow_nan=False)


@st.composite
def corpora(draw: st.DrawFn) -> Corpus:
    kind = draw(st.sampled_from([positions, decimals]))
    labels = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    continua = []
    for name in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
        units = {}
        for annotator in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
            bounds = draw(st.lists(st.tuples(kind, kind).map(sorted), max_size=4))
            units[annotator] = [
                Unit(
                    float(s) if kind is decimals else s,
                    float(e) if kind is decimals else e,
                    draw(st.sampled_from([None, *labels])),
                    features={"certainty": draw(st.sampled_from([None, "low", "high"]))},
                )
                for s, e in bounds
            ]
        continua.append(Continuum.of(units, name=name))
    return Corpus(tuple(continua))


def contents(corpus: Corpus) -> dict[str, tuple[tuple[str, ...], list[tuple[object, ...]]]]:
    """What a corpus says, without the order of its documents and features nobody has."""
    return {
        continuum.name: (
            continuum.annotators,
            sorted(
                (
                    (u.annotator, u.start, u.end, u.category, u.features.get("certainty")) for u in continuum
                ),
                key=repr,
            ),
        )
        for continuum in corpus
    }  # fmt: skip


@settings(max_examples=60)
@given(corpora().filter(lambda corpus: corpus.n_units), st.sampled_from(["csv", "tsv", "jsonl", "csv.gz", "parquet"]))
def test_write_then_read(corpus: Corpus, ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{ending}"
        write_table(corpus, path)
        again = read(path)
    assert contents(again) == contents(corpus)
    kinds = {continuum.starts.dtype.kind for continuum in corpus if len(continuum)}
    assert {continuum.starts.dtype.kind for continuum in again} == kinds


@settings(max_examples=60)
@given(corpora().filter(lambda corpus: corpus.n_units), st.randoms(use_true_random=False), st.sampled_from(",;\t|"))
def test_order_separator_and_header_do_not_matter(corpus: Corpus, chance: random.Random, separator: str) -> None:
    names = header(corpus)
    table: list[list[Any]] = list(rows(corpus))
    order = list(range(len(names)))
    chance.shuffle(order)
    chance.shuffle(table)
    numbers = {name: order.index(i) + 1 for i, name in enumerate(names)}
    roles = Columns(**{name: numbers[name] for name in ("document", "annotator", "start", "end", "category")})
    found = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        for has_header in (True, False):
            with path.open("w", newline="", encoding="utf-8") as stream:
                writer = csv.writer(stream, delimiter=separator)
                if has_header:
                    writer.writerow([names[i] for i in order])
                writer.writerows([[row[i] for i in order] for row in table])
            by_name = read(path, columns=None if has_header else roles, header=has_header)
            found.append(by_name)
            assert {k: (a, [u[:4] for u in us]) for k, (a, us) in contents(by_name).items()} == {
                k: (a, [u[:4] for u in us]) for k, (a, us) in contents(corpus).items()
            }
    assert [continuum.name for continuum in found[0]] == [continuum.name for continuum in found[1]]


@settings(max_examples=60)
@given(corpora().filter(lambda corpus: corpus.n_units))
def test_a_continuum_read_is_what_the_constructor_makes(corpus: Corpus) -> None:
    """The quick way past the constructor ends in the same place. Oracle: the constructor."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        write_table(corpus, path)
        again = read(path, extent=(-(2**41), 2**41))
    for quick in again:
        slow = Continuum(
            starts=quick.starts[::-1],
            ends=quick.ends[::-1],
            annotator_codes=quick.annotator_codes[::-1],
            annotators=quick.annotators,
            features={key: feature.take(slice(None, None, -1)) for key, feature in quick.features.items()},
            extent=Extent(-(2**41), 2**41, "given"),
            name=quick.name,
        )
        attributes = [a for a in Continuum.__slots__ if a != "__dict__"]
        assert [a for a in attributes if not hasattr(quick, a)] == []
        assert (quick.annotators, quick.extent, quick.name, quick.text) == (
            slow.annotators,
            slow.extent,
            slow.name,
            slow.text,
        )
        for column in ("starts", "ends", "annotator_codes"):
            fast_column, slow_column = getattr(quick, column), getattr(slow, column)
            np.testing.assert_array_equal(fast_column, slow_column)
            assert fast_column.dtype == slow_column.dtype or not len(quick)
            assert not fast_column.flags.writeable
        assert quick.features.keys() == slow.features.keys()
        for key, feature in quick.features.items():
            np.testing.assert_array_equal(feature.codes, slow.features[key].codes)
            assert feature.codes.dtype == np.int32
            assert not feature.codes.flags.writeable
        assert quick.counts.tolist() == slow.counts.tolist()


def test_annotators_without_units_get_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    write_table(Corpus((Continuum.of({"ann": [(1, 2, "X")], "bob": []}, name="d"),)), path)
    assert path.read_text() == "document,annotator,start,end,category\nd,ann,1,2,X\nd,bob,,,\n"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    corpus = Corpus((Continuum.of({"ann": [(1, 2, "X")]}),))
    with pytest.raises(ParameterError, match="a document has no name"):
        write_table(corpus, tmp_path / "t.csv")
    with pytest.raises(ParameterError, match="names no table format"):
        write_table(corpus, tmp_path / "t.xlsx")
