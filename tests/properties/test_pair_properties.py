# SPDX-License-Identifier: MIT
"""What must hold for the measures of segmentation and on paired units, for any data. Oracle: the property."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators import NAMES, moved, renamed
from properties.strategies import continua
from segmented import segmented
from unisono.measures.catalogue import segmentation, slot_error
from unisono.measures.resolved import Resolved
from unisono.model import Continuum, Feature

#: Fifteen measures take turns.
few = settings(max_examples=30)

SEGMENTATION = {info.name: info.load() for info in segmentation.MEASURES}
UNITS = {info.name: info.load() for info in slot_error.MEASURES}


@st.composite
def segmentations(draw: st.DrawFn) -> Continuum:
    length = draw(st.integers(1, 30))
    cuts = st.sets(st.integers(1, max(length - 1, 1)).filter(lambda b: b < length))
    rows = draw(st.lists(cuts, min_size=2, max_size=4))
    return segmented(length, dict(zip(NAMES, rows, strict=False)), name="drawn")


def close(one: float | None, other: float | None) -> bool:
    return one == other if one is None or other is None else abs(one - other) < 1e-12


@pytest.mark.parametrize("name", SEGMENTATION)
@few
@given(continuum=segmentations(), order=st.permutations(NAMES[:4]), shift=st.integers(-50, 50))
def test_segmentation_ignores_names_and_place(name: str, continuum: Continuum, order: list[str], shift: int) -> None:
    measure = SEGMENTATION[name]
    value = measure([continuum], Resolved()).value
    assert close(value, measure([renamed(continuum, dict(zip(NAMES, order, strict=False)))], Resolved()).value)
    assert close(value, measure([moved(continuum, shift=shift)], Resolved()).value)
    assert value is None or value <= 1


@pytest.mark.parametrize("name", UNITS)
@few
@given(continuum=continua(annotators=4), order=st.permutations(NAMES[:4]), letters=st.permutations("ABC"))
def test_units_ignore_names(name: str, continuum: Continuum, order: list[str], letters: list[str]) -> None:
    """Annotators and categories are renamed, and the place and the scale are others."""
    measure = UNITS[name]
    value = measure([continuum], Resolved()).value
    other = moved(renamed(continuum, dict(zip(NAMES, order, strict=False))), shift=11, scale=3)
    column, new = other.features["category"], dict(zip("ABC", letters, strict=True))
    labels = [None if c < 0 else new[column.labels[c]] for c in column.codes.tolist()]
    other = Continuum(
        starts=other.starts,
        ends=other.ends,
        annotator_codes=other.annotator_codes,
        annotators=other.annotators,
        features={"category": Feature.encode(labels)},
        extent=other.extent,
        name=other.name,
    )
    assert close(value, measure([other], Resolved()).value)
    assert value is None or value <= 1


@pytest.mark.parametrize("name", SEGMENTATION)
@few
@given(length=st.integers(6, 40), cuts=st.sets(st.integers(1, 5), min_size=1, max_size=4), n=st.integers(2, 4))
def test_full_agreement_on_a_segmentation(name: str, length: int, cuts: set[int], n: int) -> None:
    found = SEGMENTATION[name]([segmented(length, dict.fromkeys(NAMES[:n], cuts))], Resolved())
    assert found.value == 1
    assert found.observed == 0


@pytest.mark.parametrize("name", UNITS)
@few
@given(continuum=continua(annotators=2), n=st.integers(2, 4))
def test_full_agreement_on_units(name: str, continuum: Continuum, n: int) -> None:
    """Whatever the units are: overlapping, nested, repeated, points."""
    rows = [(unit.start, unit.end, unit.category) for unit in continuum]
    found = UNITS[name]([Continuum.of(dict.fromkeys(NAMES[:n], rows))], Resolved())
    assert found.value == 1
    if found.per_category is not None:
        assert {value.value for value in found.per_category.values()} == {1}


@pytest.mark.parametrize("name", UNITS)
@few
@given(continuum=continua(annotators=4))
def test_the_same_document_again(name: str, continuum: Continuum) -> None:
    """A document taken twice has the value it has once."""
    measure = UNITS[name]
    whole = measure([continuum], Resolved())
    twice = measure([continuum, moved(continuum, shift=100)], Resolved())
    assert close(whole.value, twice.value)


@few
@given(continuum=continua(annotators=4))
def test_a_weaker_f1_is_never_lower(continuum: Continuum) -> None:
    value = {name: measure([continuum], Resolved()).value for name, measure in UNITS.items()}
    assert value["f1-exact"] <= value["f1-position"] <= value["f1-partial"]
    assert value["f1-exact"] <= value["f1-iou"] <= value["f1-type"]


@pytest.mark.parametrize("name", SEGMENTATION)
@few
@given(continuum=continua(annotators=3))
def test_segmentation_refuses_what_is_none(name: str, continuum: Continuum) -> None:
    """Any units at all: a value, or the reason why there is none; never an exception."""
    found = SEGMENTATION[name]([continuum], Resolved())
    assert (found.value is None) is bool(found.reason)
    overlapping = any(
        one.end > other.start
        for annotator in continuum.annotators
        for one, other in zip(continuum.units_of(annotator), continuum.units_of(annotator)[1:], strict=False)
    )
    assert not overlapping or found.value is None
