# SPDX-License-Identifier: MIT
"""In what unitary alignments differ. Oracle: their units, looked at one by one."""

from __future__ import annotations

import pytest
from hypothesis import given

import unisono
from properties.strategies import continua
from unisono.alignment.disagreements import KINDS, Disagreements, by_disorder
from unisono.model import Continuum, Unit


@given(continua())
def test_columns_equal_the_units(continuum: Continuum) -> None:
    best = unisono.best_alignment(continuum)
    found = Disagreements.of(best)
    for number, unitary in enumerate(best.unitary_alignments):
        units = [unit for unit in unitary.units if unit is not None]
        expected = {
            "position": len({(unit.start, unit.end) for unit in units}) > 1,
            "category": len({unit.category for unit in units}) > 1,
            "missing": None in unitary.units,
        }
        assert found.kinds(number) == tuple(kind for kind in KINDS if expected[kind])
        assert (found.start[number], found.end[number]) == (min(u.start for u in units), max(u.end for u in units))
        assert found.size[number] == len(units)
        # With the paper's dissimilarity, there is disorder if and only if there is a difference.
        assert (unitary.disorder > 0) == any(expected.values())


def _overlap(a: Unit, b: Unit) -> bool:
    """They share some length, or are the same point."""
    return a.start == a.end == b.start == b.end or max(a.start, b.start) < min(a.end, b.end)


def _has_stray(units: list[Unit]) -> bool:
    return len(units) > 1 and any(
        not any(_overlap(unit, other) for j, other in enumerate(units) if i != j) for i, unit in enumerate(units)
    )


@given(continua())
def test_pairs_apart_are_those_that_do_not_overlap(continuum: Continuum) -> None:
    best = unisono.best_alignment(continuum)
    u, v = Disagreements.of(best).pairs_apart
    expected = {
        (i, j)
        for i in range(len(continuum))
        for j in range(i + 1, len(continuum))
        if best.group[i] == best.group[j] and not _overlap(continuum[i], continuum[j])
    }
    assert {tuple(sorted(pair)) for pair in zip(u.tolist(), v.tolist(), strict=True)} == expected


@given(continua())
def test_order_by_disorder(continuum: Continuum) -> None:
    best = unisono.best_alignment(continuum)
    order = by_disorder(best).tolist()
    strays = [_has_stray([unit for unit in row.units if unit is not None]) for row in best.unitary_alignments]
    parts = [2 if round(best.disorders[i], 9) <= 0 else int(strays[i]) for i in range(len(best))]
    assert order == sorted(range(len(best)), key=lambda i: (parts[i], -round(best.disorders[i], 9), i))
    assert Disagreements.of(best).select(worst_first=True).tolist() == [i for i in order if best.disorders[i] > 0]


def test_unknown_kinds() -> None:
    best = unisono.best_alignment(unisono.continuum({"ann": [(0, 5)], "bob": [(0, 5)]}))
    with pytest.raises(
        unisono.ParameterError,
        match="'length' is not a kind of disagreement",
    ):
        Disagreements.of(best).select(("length",))
