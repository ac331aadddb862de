# SPDX-License-Identifier: MIT
"""In what unitary alignments differ. Oracle: their units, looked at one by one."""

from __future__ import annotations

import pytest
from hypothesis import given

import unisono
from properties.strategies import continua
from unisono.alignment.disagreements import KINDS, Disagreements, by_disorder
from unisono.model import Continuum


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


@given(continua())
def test_order_by_disorder(continuum: Continuum) -> None:
    best = unisono.best_alignment(continuum)
    order = by_disorder(best).tolist()
    assert order == sorted(range(len(best)), key=lambda i: (-round(best.disorders[i], 9), i))
    assert Disagreements.of(best).chosen(worst_first=True).tolist() == [i for i in order if best.disorders[i] > 0]


def test_unknown_kinds() -> None:
    best = unisono.best_alignment(unisono.continuum({"ann": [(0, 5)], "bob": [(0, 5)]}))
    with pytest.raises(unisono.ParameterError, match="kinds among: position, category, missing; found 'length'"):
        Disagreements.of(best).chosen(("length",))
