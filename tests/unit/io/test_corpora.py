# SPDX-License-Identifier: MIT
"""Real tables, read whole. Oracle: the counts their own descriptions give."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.io import inspect


def test_toxic_spans(shared: Path) -> None:
    folder = shared / "corpora" / "toxic_spans"
    inspection = inspect(folder / "units.csv.gz", participation=folder / "participation.csv.gz")
    corpus = inspection.corpus
    assert corpus is not None
    assert (len(corpus), len(corpus.annotators), corpus.n_units) == (16_100, 3_579, 46_784)
    assert sum(continuum.n_units == 0 for continuum in corpus) == 601
    assert sum(int((continuum.counts > 0).sum()) >= 2 for continuum in corpus) == 12_587
    # One pair of document and worker stands twice among the 59,215 annotation sets.
    assert sum(continuum.n_annotators for continuum in corpus) == 59_214
    found = {problem.code: problem.message for problem in inspection.problems}
    assert found["duplicate-units"].startswith("65 units")
    assert found["overlapping-units"].startswith("495 units")
    assert found["without-category"].startswith("14 units")
    assert corpus.labels()[-1] == "Threat"
    assert corpus["239607"].annotators == tuple(sorted(corpus["239607"].annotators))


@pytest.mark.parametrize(
    ("name", "documents", "units"), [("d2t_iaa", 12, 1_475), ("d2t_test", 1_207, 19_984), ("propaganda", 101, 8_411)]
)
def test_llm_span_annotation(shared: Path, name: str, documents: int, units: int) -> None:
    folder = shared / "corpora" / "llm_span_annotation"
    corpus = inspect(folder / f"{name}.csv.gz", participation=folder / f"{name}_participation.csv.gz").corpus
    assert corpus is not None
    assert (len(corpus), corpus.n_units) == (documents, units)
    if name == "propaganda":
        assert {continuum.n_annotators for continuum in corpus} == {11}


@pytest.mark.parametrize(("name", "units"), [("functions", 23_624), ("uppercase", 22_712), ("lowercase", 85_854)])
def test_salami(shared: Path, name: str, units: int) -> None:
    folder = shared / "corpora" / "salami"
    corpus = inspect(folder / f"{name}.csv.gz", participation=folder / "participation.csv.gz").corpus
    assert corpus is not None
    assert (corpus.n_units, len(corpus.annotators)) == (units, 10)
    assert sum(continuum.n_annotators == 2 for continuum in corpus) == 884
    assert not corpus[0].has_integer_positions


def test_conll_mturk_ner(shared: Path) -> None:
    folder = shared / "corpora" / "conll_mturk_ner"
    inspection = inspect(
        [folder / "units.csv.gz", folder / "gold.csv.gz"],
        participation=folder / "participation.csv.gz",
        documents=folder / "lengths.csv.gz",
    )
    corpus = inspection.corpus
    assert corpus is not None
    assert corpus.n_units == 23_185 + 9_769
    assert {continuum.extent.source for continuum in corpus if continuum.extent} == {"documents"}
    # The expert is not in the table of who saw what: told, and kept.
    warnings = [problem.code for problem in inspection.problems if problem.severity == "warning"]
    assert "not-in-participation" in warnings
    assert "gold" in corpus.annotators


def test_pygamma_samples(shared: Path) -> None:
    for path in sorted((shared / "samples" / "pygamma_csv").glob("*.csv")):
        inspection = inspect(path)
        assert inspection.corpus is not None, path.name
        assert inspection.understood.startswith("CSV without header;")
        assert "category from column 2;" in inspection.understood
        assert inspection.corpus.n_units == len(path.read_text().split())


def test_childproject_samples(shared: Path) -> None:
    folder = shared / "samples" / "childproject_csv"
    inspection = inspect(folder / "gamma.csv")
    assert inspection.understood == (
        "CSV with header; 3 annotators (Alex, Paul, Suzan) from column set; 1 document named after the file; 16 units; "
        "category from column speaker_type; integer positions"
    )
    (problem,) = inspect(folder / "segments.csv").problems
    assert problem.code == "unknown-column"
