# SPDX-License-Identifier: MIT
"""In which order things are listed. Oracle: the formula of the contribution, written out; values made by hand."""

from __future__ import annotations

import re

import pytest

import unisono
from unisono.report.ranking import rank_categories, rank_documents
from unisono.report.terminal import group_reasons
from unisono.results import DocumentResult, MeasureValue, Reason, ReasonCode


def value(gamma: float, weight: float, overall: float = 0.5) -> MeasureValue:
    """A document of expected disorder 1."""
    observed = 1 - gamma
    return MeasureValue(
        gamma, observed=observed, expected=1.0, weight=weight, contribution=weight * (observed - (1 - overall))
    )


def document(name: str, units: int, gamma: MeasureValue) -> DocumentResult:
    return DocumentResult(name, ("ann", "bob"), units, {"gamma": gamma})


def test_values_of_few_units_never_lead() -> None:
    documents = [
        document("tiny", 2, value(-38, 1)),
        document("good", 40, value(0.9, 20)),
        document("undefined", 0, MeasureValue.undefined(Reason(ReasonCode.NO_UNITS, "nobody marked any unit"))),
        document("large", 100, value(0.3, 50)),
        document("small", 10, value(-0.5, 5)),
        document("tinier", 1, value(-39, 0.5)),
    ]
    ranked = [documents[i].name for i in rank_documents(documents, "gamma")]
    assert ranked == ["large", "small", "good", "tiny", "tinier", "undefined"]


def test_categories() -> None:
    values = {"A": value(0.9, 3), "B": value(0.1, 3), "C": value(-5, 1), None: value(0.2, 9)}
    assert rank_categories(values, {"A": 9, "B": 9, "C": 2, None: 30}) == [None, "B", "A", "C"]


@pytest.fixture(scope="module")
def result() -> unisono.Result:
    rows = {
        f"d{i}": {
            "ann": [(j * 10, j * 10 + 6, "AB"[j % 2]) for j in range(i + 1)],
            "bob": [(j * 10 + i % 4, j * 10 + 6, "AB"[(i * j) % 2]) for j in range(i + 1)],
        }
        for i in range(6)
    }
    rows["alone"] = {"ann": [(0, 5, "A")]}
    return unisono.measure(unisono.corpus(rows), ["gamma", "gamma-cat", "gamma-k"], seed=1, samples=30)


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat"])
def test_contributions_follow_the_formula_and_add_up_to_nothing(result: unisono.Result, measure: str) -> None:
    overall = result[measure].value
    assert overall is not None
    found = [d[measure] for d in result.documents if d[measure].value is not None]
    for each in found:
        assert each.weight is not None
        assert each.observed is not None
        assert each.expected is not None
        assert each.contribution == pytest.approx(each.weight * (each.observed - (1 - overall) * each.expected))
    assert sum(each.contribution or 0.0 for each in found) == pytest.approx(0, abs=1e-9)
    assert result.documents[-1][measure].contribution is None
    assert result.to_dict()["documents"][-2]["measures"][measure]["contribution"] == found[-1].contribution


def test_contributions_of_categories_add_up_to_nothing(result: unisono.Result) -> None:
    values = (result["gamma-k"].per_category or {}).values()
    assert sum(each.contribution or 0.0 for each in values) == pytest.approx(0, abs=1e-9)
    assert any(each.contribution for each in values)


def test_the_terminal_lists_what_costs_most_first(result: unisono.Result) -> None:
    listed = re.findall(r"^d(\d) ", str(result), flags=re.MULTILINE)[:6]
    order = [result.documents[i].name[1:] for i in rank_documents(result.documents, "gamma")][:6]
    assert listed == order
    assert set(listed[-2:]) == {"0", "1"}  # 2 and 4 units


def test_reasons_are_grouped_by_code() -> None:
    missing = MeasureValue.undefined(Reason(ReasonCode.NO_UNITS, "nobody marked any unit"))
    short = [
        MeasureValue.undefined(Reason(ReasonCode.TOO_SHORT, f"the continuum of {n} positions is too short"))
        for n in range(1000)
    ]
    values = [("a", missing), *((f"d{i}", each) for i, each in enumerate(short))]
    assert list(group_reasons(values, 2, "document")) == [
        "1 document: nobody marked any unit: a",
        "1,000 documents: for example, the continuum of 0 positions is too short: d0, d1, ... and 998 more",
    ]
