# SPDX-License-Identifier: MIT
"""The registry of measures. Oracle: the functions it names."""

from __future__ import annotations

import inspect

import pytest

import unisono
from unisono.measures import MEASURES, Measure, MeasureInfo
from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.results import MeasureValue


@pytest.mark.parametrize("name", MEASURES)
def test_every_measure_can_be_loaded(name: str) -> None:
    info = MEASURES[name]
    assert info.name == name
    function = info.load()
    assert inspect.getdoc(function)
    options = {key for key, p in inspect.signature(function).parameters.items() if p.kind is p.KEYWORD_ONLY}
    expected = inspect.signature(Measure.__call__).parameters
    assert options == set(expected) - {"self", "continuum"}


def test_gamma_is_gamma() -> None:
    assert MEASURES["gamma"].load() is gamma


def units(continuum: Continuum, **_: object) -> MeasureValue:
    """A measure of our own: the number of units, which nobody can count in a document called "bad"."""
    if continuum.name == "bad":
        raise unisono.CorpusError.of("a good document", "a bad one", where=continuum.name)
    return MeasureValue(float(len(continuum)))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    info = MeasureInfo("units", "n", "units", "how many", "nobody", "unisono.measures.units_of_this_test:units")
    monkeypatch.setattr("unisono.api.MEASURES", {**MEASURES, "units": info})
    monkeypatch.setattr(MeasureInfo, "load", lambda self: units if self.name == "units" else gamma)


@pytest.mark.usefixtures("registered")
def test_the_measures_asked_for_are_taken_document_by_document() -> None:
    rows = {"ann": [(0, 5, "X")], "bob": [(0, 4, "X"), (7, 9, "X")]}
    result = unisono.measure(unisono.corpus({"good": rows, "bad": rows}), ["units", "gamma"], seed=1, samples=5)
    assert list(result.measures) == ["units", "gamma"]
    good, bad = result.documents
    assert good["units"].value == 3
    assert good["gamma"].value is not None
    assert bad["units"].reason == "needs a good document"
    assert bad["gamma"].value is not None
    assert result.signature.startswith("units,gamma|")


@pytest.mark.usefixtures("registered")
def test_a_problem_that_two_measures_have_is_said_once() -> None:
    with pytest.raises(unisono.CorpusError) as caught:
        unisono.measure(unisono.corpus({"bad": {"ann": [(0, 5)]}}), ["units", "gamma"])
    assert [problem.expected for problem in caught.value.problems] == ["a good document", "at least two annotators"]
