# SPDX-License-Identifier: MIT
"""Krippendorff's alphas. Oracle: what must hold for any data."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import NAMES
from properties.strategies import continua as any_continua
from unisono.dissimilarity import CombinedDissimilarity, Interval
from unisono.measures.alpha_u_1995 import alpha_u_1995
from unisono.measures.krippendorff import alpha
from unisono.measures.resolved import Resolved
from unisono.measures.u_alpha import u_alpha_2013
from unisono.measures.unitizing_2016 import bar_u_alpha, cu_alpha, k_alpha, u_alpha
from unisono.model import Continuum
from unisono.results import MeasureValue

UNITIZING = (alpha_u_1995, u_alpha_2013, u_alpha, bar_u_alpha, cu_alpha, k_alpha)
ALL = (*UNITIZING, alpha)
LABELS = ("A", "B", "C", None)
Rows = dict[str, list[tuple[int, int, str | None]]]


@st.composite
def annotators(draw: st.DrawFn) -> list[tuple[int, int, str | None]]:
    """Units of one annotator that do not overlap, in [0, 30)."""
    cuts = draw(st.lists(st.integers(0, 30), max_size=10, unique=True).map(sorted))
    pairs = list(pairwise(cuts))
    kept = draw(st.lists(st.sampled_from([*LABELS, "gap"]), min_size=len(pairs), max_size=len(pairs)))
    return [(a, b, label) for (a, b), label in zip(pairs, kept, strict=True) if label != "gap"]


@st.composite
def rows(draw: st.DrawFn) -> Rows:
    found = draw(st.lists(annotators(), min_size=2, max_size=4).filter(any))
    return dict(zip(NAMES, found, strict=False))


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    """Predefined units: everyone may give each of six items a label."""
    n = draw(st.integers(2, 4))
    labels = st.lists(st.sampled_from(["A", "B", "C", "missing"]), min_size=6, max_size=6)
    given = [draw(labels) for _ in range(n)]
    return {
        NAMES[i]: [(5 * k, 5 * k + 3, x) for k, x in enumerate(row) if x != "missing"] for i, row in enumerate(given)
    }


def measured(measure, *documents: Rows, how: Resolved | None = None) -> MeasureValue:
    continua = [Continuum.of(d, extent=(0, 30), name=f"document {i}") for i, d in enumerate(documents)]
    return measure(continua, how or Resolved())


def close(one: MeasureValue, other: MeasureValue) -> None:
    assert (one.value is None) == (other.value is None), (one, other)
    if one.value is not None:
        assert one.value == pytest.approx(other.value, abs=1e-9)
        assert one.value <= 1


@pytest.mark.parametrize("measure", ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_names_and_order_of_annotators_do_not_count(measure, data: st.DataObject) -> None:
    found = data.draw(tables() if measure is alpha else rows())
    names = data.draw(st.permutations(list(found)))
    moved = dict(zip(names, found.values(), strict=True))
    one, other = measured(measure, found), measured(measure, moved)
    close(one, other)
    for category, value in (one.per_category or {}).items():
        close(value, other.per_category[category])


@pytest.mark.parametrize("measure", ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_names_of_nominal_categories_do_not_count(measure, data: st.DataObject) -> None:
    found = data.draw(tables() if measure is alpha else rows())
    other_name = {"A": "zebra", "B": "ape", "C": "C", None: None}
    renamed = {a: [(s, e, other_name[c]) for s, e, c in units] for a, units in found.items()}
    one, other = measured(measure, found), measured(measure, renamed)
    close(one, other)
    for category, value in (one.per_category or {}).items():
        close(value, other.per_category[other_name[category]])


@pytest.mark.parametrize("measure", ALL)
@given(units=annotators().filter(bool), n=st.integers(2, 5))
@settings(max_examples=40)
def test_full_agreement_is_1_or_undefined(measure, units: list, n: int) -> None:
    if measure is alpha:
        units = [unit for unit in units if unit[2]]
    value = measured(measure, dict.fromkeys(NAMES[:n], units))
    values = [value, *(value.per_category or {}).values()]
    assert all(v.value == pytest.approx(1.0, abs=1e-12) for v in values if v.value is not None)
    if measure in (u_alpha_2013, u_alpha, bar_u_alpha) and sum(e - s for s, e, _ in units) < 30:
        assert value.value is not None


@pytest.mark.parametrize("measure", UNITIZING)
@given(found=rows())
@settings(max_examples=25)
def test_a_document_can_lie_anywhere(measure, found: Rows) -> None:
    moved = {a: [(s + 1000, e + 1000, c) for s, e, c in units] for a, units in found.items()}
    close(measured(measure, found), measure([Continuum.of(moved, extent=(1000, 1030))], Resolved()))


@pytest.mark.parametrize("measure", ALL)
@given(data=st.data())
@settings(max_examples=40)
def test_the_order_of_the_documents_does_not_count(measure, data: st.DataObject) -> None:
    drawn = tables() if measure is alpha else rows()
    one, other = data.draw(drawn), data.draw(drawn)
    close(measured(measure, one, other), measured(measure, other, one))


@pytest.mark.parametrize("measure", [u_alpha, bar_u_alpha, u_alpha_2013, alpha_u_1995, cu_alpha])
@given(found=rows(), more=rows())
@settings(max_examples=40)
def test_documents_pooled_observe_what_they_observe_together(measure, found: Rows, more: Rows) -> None:
    """With as many annotators in both and equal extents, Do of both is the mean of the two (αU: half of it)."""
    n = min(len(found), len(more))
    one, other = ({name: rows[name] for name in NAMES[:n]} for rows in (found, more))
    parts = [measured(measure, rows).observed for rows in (one, other)]
    whole = measured(measure, one, other).observed
    if None not in parts and measure is not cu_alpha:
        assert whole == pytest.approx(sum(parts) / (4 if measure is alpha_u_1995 else 2), abs=1e-12)


@pytest.mark.parametrize("measure", ALL)
@given(continuum=any_continua())
@settings(max_examples=60)
def test_nothing_is_raised_whatever_the_data(measure, continuum: Continuum) -> None:
    """Overlaps, points, duplicates, units without category: a value, or a reason."""
    for how in (
        Resolved(),
        Resolved(step=0.7),
        Resolved(predefined=True),
        Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval())),
    ):
        found = measure([continuum, continuum], how)
        assert found.value is not None or found.reason


@pytest.mark.parametrize("measure", [u_alpha_2013, u_alpha, bar_u_alpha])
@given(continuum=any_continua())
@settings(max_examples=60)
def test_overlaps_are_refused_by_those_that_cannot_take_them(measure, continuum: Continuum) -> None:
    overlapping = any(
        u.end > v.start and u.start < v.end
        for annotator in continuum.annotators
        for u, v in combinations(continuum.units_of(annotator), 2)
        if u.length and v.length
    )
    found = measure([continuum], Resolved())
    assert ("that do not overlap" in (found.reason or "")) is overlapping
    for accepting in (cu_alpha, k_alpha):
        assert "overlap" not in (accepting([continuum], Resolved()).reason or "")
