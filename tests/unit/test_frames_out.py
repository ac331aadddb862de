# SPDX-License-Identifier: MIT
"""Data frames out. Oracles: the objects they come from; `read`, which gives back the corpus."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import narwhals as nw
import pytest

import unisono
from unisono import frames
from unisono.errors import MissingDependencyError, ParameterError
from unisono.model import Continuum, Corpus, Unit

BACKENDS = ("pandas", "polars", "pyarrow")
ENTITIES = Path(__file__).parents[2] / "examples" / "entities.csv"

DOCUMENTS = {
    "d1": {"ann": [(0, 5, "PER"), (9, 12, "LOC")], "bob": [(0, 6, "PER"), (8, 12, "ORG")], "cem": []},
    "d2": {"ann": [Unit(1, 4, None, features={"sure": "no"})], "bob": [(1, 4, "PER")]},
}


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    pytest.importorskip(request.param)
    return str(request.param)


def rows(frame: Any) -> list[dict[str, Any]]:
    """The rows of any data frame as dictionaries, None for a missing value."""
    data = nw.from_native(frame)
    return [
        {name: None if value is None or value != value else value for name, value in row.items()}
        for row in data.iter_rows(named=True)
    ]


def test_a_corpus_and_back(backend: str) -> None:
    corpus = unisono.corpus(DOCUMENTS)
    frame = corpus.to_frame(backend=backend)
    assert type(frame).__module__.startswith(backend)
    assert rows(frame) == [
        {"document": d, "annotator": a, "start": start, "end": end, "category": category, "sure": sure}
        for d, a, start, end, category, sure in [
            ("d1", "ann", 0, 5, "PER", None),
            ("d1", "ann", 9, 12, "LOC", None),
            ("d1", "bob", 0, 6, "PER", None),
            ("d1", "bob", 8, 12, "ORG", None),
            ("d1", "cem", None, None, None, None),
            ("d2", "ann", 1, 4, None, "no"),
            ("d2", "bob", 1, 4, "PER", None),
        ]
    ]
    again = unisono.read(frame)
    assert again == corpus
    assert all(continuum.has_integer_positions for continuum in again)
    assert corpus["d2"].to_frame(backend=backend).shape == (2, 6)


def test_extents_and_texts_and_back(backend: str) -> None:
    one = Continuum.of({"ann": [(0.5, 2)], "bob": []}, name="one", extent=(0, 60.25))
    two = Continuum.of({"ann": [(0, 5)], "bob": [(1, 5)]}, name="two", text="a text, as it is")
    corpus = Corpus((one, two))
    frame = corpus.to_frame(backend=backend)
    assert unisono.read(frame) != corpus
    assert unisono.read(frame, documents=corpus.to_frame("documents", backend=backend)) == corpus


def test_a_document_without_a_name(backend: str) -> None:
    continuum = Continuum.of({"ann": [(0, 5)], "bob": [(1, 5)]})
    frame = continuum.to_frame(backend=backend)
    assert [*rows(frame)[0]] == ["annotator", "start", "end", "category"]
    assert unisono.read(frame)[0].rename("") == continuum


def test_features_with_the_names_of_columns() -> None:
    continuum = Continuum.of({"ann": [Unit(0, 5, "A", features={"start": "early"})]}, name="d")
    assert rows(continuum.to_frame()) == [
        {"document": "d", "annotator": "ann", "start": 0, "end": 5, "category": "A", "feature:start": "early"}
    ]


def test_columns_without_any_value(backend: str) -> None:
    continuum = Continuum.of({"ann": [Unit(0, 5, features={"sure": None})], "bob": [(0, 4)]}, name="d")
    frame = nw.from_native(continuum.to_frame(backend=backend))
    assert frame["category"].dtype == frame["sure"].dtype == nw.String
    assert frame["start"].dtype == nw.Int64
    values = nw.from_native(unisono.measure(continuum.restrict(["ann", "bob"]), "f1-exact").to_frame(backend=backend))
    assert values["expected"].dtype == nw.Float64
    assert values["reason"].dtype == nw.String


def test_a_corpus_without_units(backend: str) -> None:
    for corpus in (Corpus(()), Corpus((Continuum.of({}, name="d"),))):
        frame = nw.from_native(corpus.to_frame(backend=backend))
        assert (frame.columns, len(frame)) == (["document", "annotator", "start", "end", "category"], 0)
        assert frame["annotator"].dtype == nw.String


def test_an_alignment(backend: str) -> None:
    alignment = unisono.best_alignment(unisono.corpus(DOCUMENTS)["d1"])
    units = rows(alignment.to_frame(backend=backend))
    assert [(row["unitary_alignment"], row["annotator"], row["start"], row["category"]) for row in units] == [
        (i, unit.annotator, unit.start, unit.category)
        for i, unitary in enumerate(alignment, start=1)
        for unit in unitary.units
        if unit is not None
    ]
    assert {row["unitary_alignment"]: row["disorder"] for row in units} == dict(enumerate(alignment.disorders, start=1))
    assert {row["document"] for row in units} == {"d1"}
    whole = rows(alignment.to_frame("unitary alignments", backend=backend))
    assert whole[0] == {
        "document": "d1", "unitary_alignment": 1, "disorder": alignment[0].disorder, "start": 0, "end": 6,
        "n_units": 2, "ann": "0-5 PER", "bob": "0-6 PER", "cem": None,
    }  # fmt: skip
    assert len(whole) == len(alignment)


def test_a_result_long_and_wide(backend: str) -> None:
    result = unisono.measure(unisono.corpus(DOCUMENTS), ["gamma", "gamma-k", "soft-gamma"], seed=1, samples=20)
    table = rows(result.to_frame(overall=True, backend=backend))
    assert all(row["category"] is None for row in table if row["measure"] != "gamma-k")
    for document in (*result.documents, None):
        mine = [row for row in table if row["document"] == (document and document.name)]
        measures = result.measures if document is None else document.measures
        for row in mine:
            value = measures[row["measure"]]
            if row["measure"] == "gamma-k":
                value = value.per_category[row["category"]]
            assert (row["value"], row["observed"], row["n_samples"]) == (value.value, value.observed, value.n_samples)
            assert row["reason"] == value.reason
            if "chance" in value.intervals:
                assert (row["chance_low"], row["chance_high"]) == (
                    value.intervals["chance"].low,
                    value.intervals["chance"].high,
                )
        assert {row["category"] for row in mine if row["measure"] == "gamma-k"} == set(measures["gamma-k"].per_category)
    assert rows(result.to_frame(backend=backend)) != table
    assert {row["document"] for row in rows(result.to_frame(backend=backend))} == {"d1", "d2"}
    wide = rows(result.to_frame("wide", backend=backend))
    assert [(row["document"], row["annotators"], row["units"]) for row in wide] == [("d1", 3, 4), ("d2", 2, 2)]
    assert [row["gamma"] for row in wide] == [document["gamma"].value for document in result.documents]
    assert wide[0]["gamma-k:PER"] == result.documents[0]["gamma-k"].per_category["PER"].value


def test_annotators(backend: str) -> None:
    matrix = unisono.pairwise(ENTITIES, seed=1, samples=20)
    table = rows(matrix.to_frame(backend=backend))
    assert {(row["first"], row["second"]): row["value"] for row in table} == {
        pair: value.value for pair, value in matrix.values.items()
    }
    square = rows(matrix.to_frame("wide", backend=backend))
    assert [row["annotator"] for row in square] == ["ada", "ben", "chloe"]
    assert square[0]["ben"] == square[1]["ada"] == matrix["ada", "ben"].value
    assert square[0]["ada"] is None
    for each in (matrix.against_rest, unisono.leave_one_out(ENTITIES, seed=1, samples=20)):
        assert [row["annotator"] for row in rows(each.to_frame(backend=backend))] == [row.annotator for row in each]
    against = unisono.with_reference(ENTITIES, "ada", seed=1, samples=20)
    assert {row["annotator"]: row["value"] for row in rows(against.to_frame(backend=backend))} == {
        name: value.value for name, value in against.values.items()
    }


def test_a_gold_standard_and_a_comparison(backend: str) -> None:
    gold = unisono.gold(ENTITIES)
    table = rows(gold.to_frame(backend=backend))
    assert [(row["start"], row["end"], row["category"], row["support"]) for row in table] == [
        (unit.start, unit.end, unit.category, unit.support) for unit in gold.units
    ]
    assert [row["look"] for row in table] == [", ".join(unit.look) or None for unit in gold.units]
    everything = rows(gold.to_frame(dropped=True, backend=backend))
    assert sum(row["kept"] for row in everything) == len(table)
    nobody = unisono.gold(unisono.corpus({"d": {"a": [], "b": []}}))
    assert rows(nobody.to_frame(backend=backend)) == []
    comparison = unisono.compare(ENTITIES, ENTITIES, seed=2**64 - 1, samples=20)
    (row,) = rows(comparison.to_frame(backend=backend))
    assert (row["a"], row["a_documents"], row["difference"]) == (comparison.a, 1, 0.0)
    assert row["signature"] == comparison.signature


def test_which_library(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"polars", "pandas", "pyarrow"}
    monkeypatch.setattr(frames, "find_spec", lambda name: name if name in installed else None)
    assert frames.choose_backend() == "pandas"
    assert frames.choose_backend("pyarrow") == "pyarrow"
    installed.discard("pandas")
    assert frames.choose_backend() == "polars"
    with pytest.raises(MissingDependencyError, match=r"a data frame of pandas needs .* 'unisono\[pandas\]'"):
        frames.choose_backend("pandas")
    installed.clear()
    with pytest.raises(MissingDependencyError, match=r"\(of pandas, polars or pyarrow\) .*'unisono\[pandas\]'"):
        Corpus(()).to_frame()


def test_options_that_are_not_known() -> None:
    corpus = unisono.corpus(DOCUMENTS)
    with pytest.raises(ParameterError, match=r"'dask' is not a .* library\. Use 'pandas', 'polars' or 'pyarrow'\."):
        corpus.to_frame(backend="dask")
    with pytest.raises(ParameterError, match=r"the rows .* cannot be 'unit'\. Use 'units' or 'documents'\."):
        corpus.to_frame("unit")
    with pytest.raises(ParameterError, match="Use 'units' or 'unitary alignments'"):
        unisono.best_alignment(corpus["d1"]).to_frame("columns")
    with pytest.raises(ParameterError, match=r"a data frame cannot be 'tall'\. Use 'long' or 'wide'\."):
        unisono.measure(corpus, seed=1, samples=5).to_frame("tall")


def test_the_libraries_are_installed_here() -> None:
    """Otherwise the tests above would skip without a word."""
    assert all(importlib.util.find_spec(name) for name in BACKENDS)
