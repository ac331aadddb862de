# SPDX-License-Identifier: MIT
"""The registry of measures. Oracle: the functions it names."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import pytest

import unisono
from unisono.measures import MEASURES, MeasureInfo
from unisono.measures.computation import Family, Measure
from unisono.measures.resolved import Resolved
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue, Reason, ReasonCode


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_can_be_loaded(name: str) -> None:
    info = MEASURES[name]
    assert info.name == name
    function = info.load()
    assert inspect.getdoc(function)
    protocol = Family if info.is_family else Measure
    asked = [key for key in inspect.signature(protocol.__call__).parameters if key != "self"]
    assert list(inspect.signature(function).parameters) == asked


def test_no_two_measures_share_a_symbol() -> None:
    symbols = [info.symbol for info in MEASURES.values()]
    assert sorted(set(symbols)) == sorted(symbols)


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["cu-alpha"], ["v", "d", "extent"]),
        (["ser", "kappa-d"], ["v", "d", "extent"]),
        (["gamma"], ["v", "d", "chance", "samples", "seed", "extent"]),
        (["cu-alpha", "gamma"], ["v", "d", "chance", "samples", "seed", "extent"]),
    ],
)
def test_chance_is_in_the_signature_only_where_it_counts(names: list[str], parts: list[str]) -> None:
    """By definition: these measures compute their expected disagreement, γ draws random continua for it."""
    data = unisono.continuum({"ann": [(0, 5, "X"), (7, 9, "Y")], "bob": [(0, 4, "X"), (7, 9, "X")]})
    one, other = (unisono.measure(data, names, seed=seed, samples=5) for seed in (1, 2))
    assert [part.partition(":")[0] for part in one.signature.split("|")[1:]] == parts
    assert (one.signature == other.signature) == ("seed" not in parts)
    assert one.seed == 1


def units(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """A measure of our own: the number of units, which nobody can count in a document called "bad"."""
    if any(continuum.name == "bad" for continuum in continua):
        return MeasureValue.undefined(Reason(ReasonCode.NO_TEXT, "needs good documents"))
    return MeasureValue(float(sum(len(continuum) for continuum in continua)))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    info = MeasureInfo("units", "n", "units", "how many", (), "unisono.measures.units_of_this_test:units")
    load = MeasureInfo.load
    monkeypatch.setitem(MEASURES, "units", info)
    monkeypatch.setattr(MeasureInfo, "load", lambda self: units if self.name == "units" else load(self))


@pytest.mark.usefixtures("registered")
def test_the_measures_asked_for_are_taken_document_by_document() -> None:
    rows = {"ann": [(0, 5, "X")], "bob": [(0, 4, "X"), (7, 9, "X")]}
    result = unisono.measure(unisono.corpus({"good": rows, "bad": rows}), ["units", "gamma"], seed=1, samples=5)
    assert list(result.measures) == ["units", "gamma"]
    good, bad = result.documents
    assert good["units"].value == 3
    assert good["gamma"].value is not None
    assert bad["units"].reason == "needs good documents"
    assert bad["gamma"].value is not None
    assert result["units"].value == 3
    assert result["units"].notes == ("1 of 2 documents left out: they do not meet its needs",)
    assert result["units"].left_out == result["units"].notes
    assert result.signature.startswith("units,gamma|")


def test_documents_of_a_measure_per_category_are_counted() -> None:
    """kα has values for categories only; by hand: both documents have one for X."""
    rows = {"ann": [(0, 5, "X"), (7, 9, "Y")], "bob": [(0, 4, "X"), (7, 9, "X")]}
    result = unisono.measure(unisono.corpus({"one": rows, "two": rows}), ["k-alpha"], seed=1)
    assert result["k-alpha"].documents_measured == 2


def test_a_table_of_all_measures_says_what_was_left_out() -> None:
    given = {"ann": [(0, 5, "X"), (5, 9, "Y")], "bob": [(0, 5, "X"), (5, 9, "Y")]}
    shifted = {"ann": [(0, 5, "X"), (5, 9, "Y")], "bob": [(2, 6, "X"), (6, 9, "Y")]}
    text = str(unisono.measure(unisono.corpus({"a": given, "b": shifted}), "all", seed=1, samples=5))
    line = next(line for line in text.splitlines() if line.startswith("kappa "))
    assert "1 of 2 documents left out" in line


def test_each_reason_for_no_value_is_printed_once() -> None:
    """Full table on units that are no items, with gaps: κ and its kin have one reason, segmentations another."""
    data = unisono.continuum({"ann": [(0, 5, "X"), (7, 9, "Y")], "bob": [(1, 5, "X"), (7, 9, "Y")]}, name="d")
    result = unisono.measure(data, "all", seed=1, samples=5)
    lines = " ".join(str(result).split())
    for name in ("kappa", "window-diff"):
        reason = result[name].reason
        assert reason is not None
        assert lines.count(" ".join(reason.split())) == 1
    assert "alpha, percentage, s, kappa, weighted-kappa, pi" in lines
    undefined = [name for name, value in result.measures.items() if value.value is None and not value.per_category]
    assert f"{len(undefined)} measures without a value:" in lines


def test_the_model_of_a_corpus_is_not_hashed_for_each_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Oracle: a count. The hash of a corpus visits all documents: one for each would be quadratic in their number."""
    documents = {f"d{k}": {"ann": [(k, k + 5, "A")], "bob": [(k + 1, k + 5, "A")]} for k in range(6)}
    corpus = unisono.corpus(documents)
    hashed = []
    monkeypatch.setattr(Corpus, "__hash__", lambda self: hashed.append(1) or 1)
    unisono.measure(corpus, ["gamma", "soft-gamma"], chance="corpus", samples=3, seed=1)
    assert len(hashed) < 3
