# SPDX-License-Identifier: MIT
"""What holds for every measure of given items, of atoms and of aligned units, whatever the data (hypothesis)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generators import NAMES, moved, renamed
from properties.strategies import continua
from unisono.measures.catalogue import aligned, discretised, kappa
from unisono.measures.items import Items, atoms
from unisono.measures.kappa import fleiss_k_of_items, kappa_of_items, multi_kappa_of_items, pi_of_items
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import UndefinedError
from unisono.model import Continuum
from unisono.results import UNMET_NEEDS

MEASURES = {info.name: info.load() for info in (*kappa.MEASURES, *discretised.MEASURES, *aligned.MEASURES)}
#: Those that need no best alignment, of which there may be several.
DIRECT = [name for name in MEASURES if "alignment" not in name]
SETTINGS = Resolved()
NEW_NAMES = {"A": "zebra", "B": "blank", "C": "ape"}


@st.composite
def given_items(draw: st.DrawFn, *, missing: bool = True, annotators: int = 4) -> Continuum:
    """Units at given positions, of 2 to 4 annotators, in two or more categories; some values missing."""
    n = draw(st.integers(2, annotators))
    n_items = draw(st.integers(1, 8))
    values = st.sampled_from(["A", "B", "C", *[None] * missing])
    rows = draw(st.lists(st.lists(values, min_size=n_items, max_size=n_items), min_size=n, max_size=n))
    assume(any(value is not None for row in rows for value in row))
    units = {
        name: [(i, i + 1, value) for i, value in enumerate(row) if value is not None]
        for name, row in zip(NAMES, rows, strict=False)
    }
    return Continuum.of(units, extent=(0, n_items + 2), name="drawn")


def with_labels(continuum: Continuum, names: dict[str, str]) -> Continuum:
    units = {
        name: [(u.start, u.end, names.get(u.category or "", u.category)) for u in continuum.units_of(name)]
        for name in continuum.annotators
    }
    return Continuum.of(units, extent=continuum.extent, name=continuum.name)


def assert_same(names: Iterable[str], one: Continuum, other: Continuum) -> None:
    for name in names:
        a, b = (MEASURES[name]([continuum], SETTINGS).value for continuum in (one, other))
        assert (a is None) == (b is None), name
        assert a is None or a == pytest.approx(b, abs=1e-9), name


@given(continuum=given_items())
def test_annotators_have_no_order(continuum: Continuum) -> None:
    names = dict(zip(continuum.annotators, ("zoe", "mia", "ann", "bob"), strict=False))
    assert_same(MEASURES, continuum, renamed(continuum, names))


@given(continuum=given_items())
def test_nominal_categories_have_no_names(continuum: Continuum) -> None:
    assert_same(DIRECT, continuum, with_labels(continuum, NEW_NAMES))


@given(continuum=given_items(missing=False))
def test_no_more_than_one_and_one_is_perfect(continuum: Continuum) -> None:
    rows = [[(u.start, u.category) for u in continuum.units_of(annotator)] for annotator in continuum.annotators]
    alike = all(row == rows[0] for row in rows)
    for name, measure in MEASURES.items():
        value = measure([continuum], SETTINGS).value
        if value is not None:
            assert value <= 1, name
            assert not alike or value == 1.0, name
            # An alignment may leave two units that disagree alone, and then there is nothing to disagree on.
            assert alike or value < 1 or "alignment" in name, name


@given(row=st.lists(st.sampled_from("ABC"), min_size=2, max_size=8).filter(lambda row: len(set(row)) > 1))
def test_perfect_agreement_is_one(row: list[str]) -> None:
    units = [(i, i + 1, value) for i, value in enumerate(row)]
    continuum = Continuum.of({"ann": units, "bob": units, "cem": units})
    assert {name: measure([continuum], SETTINGS).value for name, measure in MEASURES.items()} == dict.fromkeys(
        MEASURES, 1.0
    )


@given(continuum=continua())
def test_any_continuum_gives_a_value_or_a_reason(continuum: Continuum) -> None:
    """Overlaps, duplicates, points, empty annotators: nothing raises."""
    for name, measure in MEASURES.items():
        found = measure([continuum], SETTINGS)
        assert found.value is not None or found.reason, name


@given(continuum=continua())
def test_atoms_take_what_does_not_overlap(continuum: Continuum) -> None:
    """Refused exactly when two units of one annotator share a stretch."""
    overlap = any(
        u.end > v.start and v.end > u.start and u.length > 0 and v.length > 0
        for annotator in continuum.annotators
        for u, v in combinations(continuum.units_of(annotator), 2)
    )
    for name in ("kappa-d", "alpha-d"):
        code = MEASURES[name]([continuum], SETTINGS).reason_code
        assert (code == "overlapping-units") == overlap, name


@given(continuum=continua(), shift=st.integers(-50, 50))
def test_atoms_move_with_the_continuum(continuum: Continuum, shift: int) -> None:
    other = moved(continuum, shift=shift)
    if MEASURES["kappa-d"]([continuum], SETTINGS).reason_code in UNMET_NEEDS | {"no-units"}:
        with pytest.raises(UndefinedError):
            atoms([other], SETTINGS)
        return
    here, there = atoms([continuum], SETTINGS), atoms([other], SETTINGS)
    assert here.weights.tolist() == there.weights.tolist()
    assert here.value.tolist() == there.value.tolist()
    assert here.weights.sum() == continuum.extent.length  # type: ignore[union-attr]


@given(continuum=given_items(missing=False, annotators=2))
def test_two_annotators(continuum: Continuum) -> None:
    """For two annotators without missing values, the generalisations are what they generalise."""
    items = Items.of([[unit.category for unit in continuum.units_of(name)] for name in continuum.annotators])
    for special, general in ((kappa_of_items, multi_kappa_of_items), (pi_of_items, fleiss_k_of_items)):
        one, other = special(items), general(items)
        assert (one.value is None) == (other.value is None)
        if one.value is not None:
            assert one.value == pytest.approx(other.value, abs=1e-9)
            assert one.observed == pytest.approx(other.observed, abs=1e-12)
            assert one.expected == pytest.approx(other.expected, abs=1e-12)
            assert one.per_category is not None
            assert other.per_category is not None
            for category, value in one.per_category.items():
                assert value.value == pytest.approx(other.per_category[category].value, abs=1e-9)
