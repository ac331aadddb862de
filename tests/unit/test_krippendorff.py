# SPDX-License-Identifier: MIT
"""Krippendorff's alphas: needs, reasons, notes, odd data, the catalogue. Oracle: small cases worked out by hand."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from unisono.dissimilarity import (
    CombinedDissimilarity,
    Interval,
    Levenshtein,
    Matrix,
    Nominal,
    Ordinal,
    Ratio,
    SetValued,
)
from unisono.errors import ParameterError
from unisono.measures.alpha_u_1995 import alpha_u_1995
from unisono.measures.catalogue.krippendorff import MEASURES
from unisono.measures.items import Items
from unisono.measures.krippendorff import alpha, alpha_of_items
from unisono.measures.metric import Metric
from unisono.measures.resolved import Resolved
from unisono.measures.sections import units_of
from unisono.measures.u_alpha import u_alpha_2013
from unisono.measures.unitizing_2016 import bar_u_alpha, cu_alpha, k_alpha, u_alpha
from unisono.model import Continuum, Unit

WHOLE = [alpha_u_1995, u_alpha_2013, u_alpha, bar_u_alpha]
ALL = [*WHOLE, cu_alpha, k_alpha, alpha]


def one(units: dict, **options) -> list[Continuum]:
    return [Continuum.of(units, name="doc1", **options)]


@pytest.mark.parametrize("info", MEASURES, ids=lambda info: info.name)
def test_the_catalogue_names_functions_that_are_there(info) -> None:
    function = info.load()
    assert list(inspect.signature(function).parameters) == ["continua", "settings"]
    assert "Definition" in function.__doc__ or "1 - " in function.__doc__ or "`" in function.__doc__
    assert len(info.needs) < 100
    assert info.explanation.count(". ") >= 1 or info.explanation.count("? ") >= 1


@pytest.mark.parametrize("measure", ALL)
def test_needs_that_are_not_met(measure) -> None:
    alone = measure(one({"ann": [(0, 5, "A")]}), Resolved())
    assert alone.value is None
    assert (alone.reason_code, alone.reason) == (
        "too-few-annotators",
        "needs two annotators of the same document: there is only 'ann'",
    )
    assert measure(one({"ann": [], "bob": []}), Resolved()).reason == "nobody marked any unit"
    assert measure(one({"ann": [], "bob": []}, extent=(0, 9)), Resolved()).reason == "nobody marked any unit"
    other = Resolved(dissimilarity=CombinedDissimilarity(categorial=Nominal(feature="sense")))
    found = measure(one({"ann": [(0, 5, "A")], "bob": [(0, 5, "A")]}), other)
    assert found.reason == "needs units with the feature 'sense': 'doc1' has 'category'"


@pytest.mark.parametrize("measure", [u_alpha_2013, u_alpha, bar_u_alpha])
def test_overlaps_are_said(measure) -> None:
    found = measure(one({"ann": [(3, 9, "A"), (5, 12, "B")], "bob": []}), Resolved())
    assert found.reason == "needs units that do not overlap: annotator 'ann' in 'doc1' has 3-9 and 5-12"


def test_overlaps_within_a_category_are_said() -> None:
    found = alpha_u_1995(one({"ann": [], "bob": [(3, 9, "A"), (4, 8, "B"), (5, 12, "A")]}), Resolved())
    assert found.reason == (
        "needs units of category 'A' that do not overlap: annotator 'bob' in 'doc1' has 3-9 and 5-12"
    )
    assert alpha_u_1995(one({"ann": [], "bob": [(3, 9, "A"), (4, 8, "B")]}), Resolved()).value is not None


def test_overlaps_are_said_in_the_positions_of_the_data() -> None:
    """A step counts from where the document begins; what is said are the user's own positions."""
    rows = {"ann": [(3.5, 9.5, "A"), (5.5, 12.0, "B")], "bob": []}
    found = u_alpha(one(rows, extent=(2, 20)), Resolved(step=0.5))
    assert found.reason == "needs units that do not overlap: annotator 'ann' in 'doc1' has 3.5-9.5 and 5.5-12.0"


def test_large_positions_are_said_in_full() -> None:
    found = u_alpha(one({"ann": [(12345678, 12345690), (12345680, 12345699)], "bob": []}), Resolved())
    assert found.reason.endswith("has 12345678-12345690 and 12345680-12345699")


def test_an_annotator_without_units_counts() -> None:
    """A of 4 in 10 against silence, m = 2: differing 2 * 4 of 20; T² - Σt = 400 - (16 + 6 + 10)."""
    found = u_alpha(one({"ann": [(0, 4, "A")], "bob": []}, extent=(0, 10)), Resolved())
    assert found.observed == pytest.approx(8 / 20)
    assert found.expected == pytest.approx(2 * 4 * 16 / (400 - 32))


def test_units_without_a_category_are_a_value_of_their_own() -> None:
    rows = {"ann": [(0, 4), (6, 8, "A")], "bob": [(0, 4), (6, 8, "A")]}
    assert u_alpha(one(rows, extent=(0, 10)), Resolved()).value == 1
    assert list(k_alpha(one(rows), Resolved()).per_category) == ["A", None]
    assert list(alpha_u_1995(one(rows, extent=(0, 10)), Resolved()).per_category) == ["A", None]
    rows["bob"] = [(0, 4, "A"), (6, 8, "A")]
    assert u_alpha(one(rows, extent=(0, 10)), Resolved()).value < 1
    assert bar_u_alpha(one(rows, extent=(0, 10)), Resolved()).value == 1


def test_points_cover_nothing_and_are_counted() -> None:
    rows = {"ann": [(0, 4, "A"), (7, 7, "B")], "bob": [(0, 3, "A")]}
    found = u_alpha(one(rows, extent=(0, 10)), Resolved())
    assert found.notes == ("1 unit of no length left out",)
    without = {"ann": [(0, 4, "A")], "bob": [(0, 3, "A")]}
    assert found.value == u_alpha(one(without, extent=(0, 10)), Resolved()).value
    only = u_alpha(one({"ann": [(4, 4, "A")], "bob": []}, extent=(0, 10)), Resolved())
    assert only.reason == "needs units with a length above 0: no unit has one"


def test_documents_of_one_annotator_are_left_out_with_a_note() -> None:
    pair = Continuum.of({"ann": [(0, 4, "A")], "bob": [(0, 3, "A")]}, extent=(0, 10), name="pair")
    alone = Continuum.of({"ann": [(0, 9, "A")]}, extent=(0, 10), name="alone")
    unseen = Continuum.of({"ann": [], "bob": []}, name="unseen")
    for measure in (*WHOLE, cu_alpha):
        found = measure([alone, pair, unseen], Resolved())
        assert found.notes == ("1 document with fewer than two annotators left out",)
        assert found.value == measure([pair], Resolved()).value
    overlapping = Continuum.of({"cem": [(0, 4, "A"), (2, 6, "A")], "dee": []}, name="late")
    assert "annotator 'cem' in 'late' has 0-4 and 2-6" in u_alpha([alone, pair, overlapping], Resolved()).reason


@pytest.mark.parametrize("measure", WHOLE)
def test_one_value_everywhere_is_undefined_or_full_agreement(measure) -> None:
    """Everything is A: nobody could have disagreed. (αU looks for boundaries, and there are some.)"""
    found = measure(one({"ann": [(0, 9, "A")], "bob": [(0, 9, "A")]}), Resolved())
    if measure is alpha_u_1995:
        assert found.value == 1
    else:
        assert found.reason == "the expected disagreement is 0: all sections have one value"
        assert found.expected == 0


def test_cu_alpha_undefined() -> None:
    apart = one({"ann": [(0, 4, "A")], "bob": [(4, 8, "B")]})
    assert cu_alpha(apart, Resolved()).reason == "needs units of two annotators that intersect: no two of them do"
    alike = one({"ann": [(0, 4, "A")], "bob": [(2, 8, "A")]})
    assert cu_alpha(alike, Resolved()).reason.startswith("the expected disagreement is 0")
    # Three annotators, two of whose units meet once: T* = 4 and Σ t = 16, so that nothing is left to expect.
    few = one({"ann": [(0, 4, "A")], "bob": [(0, 4, "B")], "cem": []})
    assert cu_alpha(few, Resolved()).reason == (
        "too few units of different annotators intersect to say what to expect by chance"
    )
    assert k_alpha(few, Resolved()).reason == cu_alpha(few, Resolved()).reason


def test_k_alpha_has_values_by_category_only() -> None:
    rows = {"ann": [(0, 4, "A"), (6, 9, "B"), (20, 22, "C")], "bob": [(0, 4, "A"), (6, 9, "B")]}
    found = k_alpha(one(rows), Resolved())
    assert (found.value, found.reason) == (None, "given per category")
    assert [found.per_category[k].value for k in "AB"] == [1, 1]
    assert found.per_category["C"].reason == "no unit of this category intersects a unit of another annotator"


def test_labels_that_the_metric_cannot_take() -> None:
    rows = one({"ann": [(0, 4, "A"), (5, 6, "2")], "bob": [(0, 4, "1"), (5, 6, "2")]})
    for categorial in (Interval(), Ratio()):
        how = Resolved(dissimilarity=CombinedDissimilarity(categorial=categorial))
        for measure in (cu_alpha, k_alpha, alpha):
            found = measure(rows, how)
            assert found.reason_code == "wrong-labels"
            assert (found.reason or "").startswith("needs other categories: ")
        assert u_alpha(rows, how).value is not None, "nominal whatever the distance"


def test_alpha_undefined() -> None:
    assert alpha_of_items(Items.of([["A", None], [None, "B"]])).reason == (
        "needs an item that two annotators gave a value"
    )
    found = alpha_of_items(Items.of([["A", "A"], ["A", "A"]]))
    assert found.reason == "the expected disagreement is 0: all values are alike"
    differing = alpha(one({"ann": [(0, 4, "A")], "bob": [(0, 5, "A")]}), Resolved())
    assert differing.reason.startswith("needs predefined units")


def test_steps_are_counted_from_where_the_document_begins() -> None:
    units = units_of(
        one({"ann": [(0.5, 1.7)], "bob": [(2.0, 2.04)]}, extent=(0.5, 3.0)), Resolved(step=0.1), "category"
    )
    assert not isinstance(units, str)
    assert (units.starts.tolist(), units.ends.tolist()) == ([0], [12])
    assert (units.length, units.total) == (25, 50)
    assert units.notes == ("1 unit of no length left out",)


@pytest.mark.parametrize("step", [0, -0.5, float("nan")])
def test_a_step_is_above_0(step: float) -> None:
    found = u_alpha(one({"ann": [(0, 4)], "bob": []}), Resolved(step=step))
    assert found.reason == f"needs a step above 0: it is {step:g}"


@pytest.mark.parametrize("categorial", [Nominal(), Ordinal(), Interval(), Ratio(), Levenshtein(), SetValued()])
def test_sums_of_differences_are_sums_of_differences(categorial) -> None:
    """`toward` against `between`, label by label, with two labels of None (a unit without label, a blank)."""
    labels = ("3", "1", None, "10", "2", None)
    weights = np.array([1.0, 4.0, 2.0, 0.0, 3.0, 0.5])
    metric = Metric.of(categorial, labels).fitted(weights)
    codes = np.arange(len(labels))
    full = np.array([metric.between(np.full_like(codes, c), codes) for c in codes])
    assert metric.toward(weights) == pytest.approx(full @ weights)
    assert full == pytest.approx(full.T)
    assert np.diag(full) == pytest.approx(0)
    assert full[2, 5] == full[2, 0] == full[5, 1] == pytest.approx(metric.far)
    assert metric.far == pytest.approx(full[:, [0, 1, 3, 4]][[0, 1, 3, 4]].max() if metric.kind == "values" else 1.0)


def test_a_matrix_is_the_difference_itself() -> None:
    metric = Metric.of(Matrix({("A", "B"): 0.5, ("A", "C"): 1, ("B", "C"): 0.2}), ("A", "B", "C"))
    assert metric.between(np.array([0, 1]), np.array([1, 2])).tolist() == [0.5, 0.2]
    with pytest.raises(ParameterError, match="'Z'"):
        Metric.of(Matrix({("A", "B"): 0.5}), ("A", "Z"))


def test_ratio_distance() -> None:
    d = CombinedDissimilarity(categorial=Ratio(), alpha=0)
    assert d(Unit(0, 1, "1"), Unit(0, 1, "3")) == 0.5
    assert d(Unit(0, 1, "0"), Unit(0, 1, "0.0")) == 0
    assert d(Unit(0, 1, "0"), Unit(0, 1, "7")) == 1
    assert d.signature == "sporadic+ratio,alpha=0,beta=1,delta_empty=1"
    with pytest.raises(ParameterError, match="the label '-2' is below 0"):
        d(Unit(0, 1, "-2"), Unit(0, 1, "7"))
    with pytest.raises(ParameterError, match="the label 'x' is not a number"):
        d(Unit(0, 1, "x"), Unit(0, 1, "7"))
