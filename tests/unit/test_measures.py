# SPDX-License-Identifier: MIT
"""The registry of measures. Oracle: the functions it names."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import pytest

import unisono
from unisono.measures import MEASURES, MeasureInfo
from unisono.measures.protocol import Family, Measure
from unisono.measures.settings import Settings
from unisono.model import Continuum
from unisono.results import MeasureValue


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_can_be_loaded(name: str) -> None:
    info = MEASURES[name]
    assert info.name == name
    function = info.load()
    assert inspect.getdoc(function)
    protocol = Family if info.is_family else Measure
    asked = [key for key in inspect.signature(protocol.__call__).parameters if key != "self"]
    assert list(inspect.signature(function).parameters) == asked


def units(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """A measure of our own: the number of units, which nobody can count in a document called "bad"."""
    if any(continuum.name == "bad" for continuum in continua):
        return MeasureValue(None, reason="needs good documents")
    return MeasureValue(float(sum(len(continuum) for continuum in continua)))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    info = MeasureInfo("units", "n", "units", "how many", "nobody", "unisono.measures.units_of_this_test:units")
    load = MeasureInfo.load
    monkeypatch.setattr("unisono.api.MEASURES", {**MEASURES, "units": info})
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
