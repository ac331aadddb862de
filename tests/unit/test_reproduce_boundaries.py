# SPDX-License-Identifier: MIT
"""Boundary errors, for pure segmentation. Oracle: the law written out boundary by boundary, and its consequences."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from unisono.errors import ParameterError
from unisono.shuffling import BoundaryErrors, ReferenceModel, shuffle, shuffled_corpus
from unisono.shuffling.shuffled import random

COVERING = ReferenceModel(units=40, length=(20, 80), covering=True, categories={})


def test_boundary_by_boundary() -> None:
    """With the same draws, and no two boundaries near each other, each is where the law puts it."""
    model = ReferenceModel(units=6, length=100, covering=True, categories={})
    reference = model.draw(3, name="six")
    found = shuffle(reference, BoundaryErrors(shift_factor=0.5), 0.6, annotators=1, seed=3).continuum
    draws = random(3, "six", "0\x00boundaries\x000").uniform(-1, 1, 5)
    expected = [round(100 * (i + 1) + u * 0.5 * 0.6 * 100) for i, u in enumerate(draws)]
    assert found.starts.tolist() == [0, *expected]
    assert found.ends.tolist() == [*expected, 600]


def test_stays_a_covering_of_as_many_units() -> None:
    for magnitude in (0.0, 0.3, 1.0):
        for document in shuffled_corpus(COVERING, BoundaryErrors(shift_factor=3), magnitude, sets=20, seed=5):
            for annotator in document.annotators:
                units = document.units_of(annotator)
                assert len(units) == 40
                assert units[0].start == document.extent.start
                assert units[-1].end == document.extent.end
                assert all(a.end == b.start and b.start > a.start for a, b in pairwise(units))


def test_magnitude_0_changes_nothing() -> None:
    reference = COVERING.draw(1, name="x")
    made = shuffle(reference, BoundaryErrors(), 0.0, seed=1).continuum
    for annotator in made.annotators:
        assert [(u.start, u.end) for u in made.units_of(annotator)] == [(u.start, u.end) for u in reference]


def test_mean_shift() -> None:
    """A boundary moves by s/2 on average, s the mean length times magnitude: no sorting at so small a magnitude."""
    model = ReferenceModel(units=400, length=1000, covering=True, categories={})
    reference = model.draw(2, name="long")
    made = shuffle(reference, BoundaryErrors(), 0.2, annotators=5, seed=2).continuum
    inner = [np.abs(np.array([u.start for u in made.units_of(a)][1:]) - reference.starts[1:]) for a in made.annotators]
    moved = np.concatenate(inner)
    assert moved.max() <= 200
    assert moved.mean() == pytest.approx(100, abs=5 * 200 / np.sqrt(12 * len(moved)))


def test_gaps_are_refused() -> None:
    with pytest.raises(ParameterError, match="the units of the reference do not follow each other without gaps"):
        shuffled_corpus(ReferenceModel(units=5), BoundaryErrors(), 0.5, sets=1, seed=1)


def test_immune_units_stay_where_they_are() -> None:
    """And nothing overtakes them: the stretches between them are coverings of their own."""
    model = ReferenceModel(units=40, length=(20, 80), covering=True)
    errors = BoundaryErrors(shift_factor=3, immune=("A", "B"))
    reference = model.draw(4, name="set-0001")
    made = shuffle(reference, errors, 1.0, seed=4).continuum
    for annotator in made.annotators:
        units = made.units_of(annotator)
        assert [u for u in units if u.category in "AB"] == [
            type(u)(u.start, u.end, u.category, annotator) for u in reference if u.category in "AB"
        ]
        assert all(a.end == b.start for a, b in pairwise(units))
        assert [u.start for u in units] != [u.start for u in reference]


def test_decimal_positions() -> None:
    model = ReferenceModel(units=30, length=(1, 2), covering=True, decimals=True, categories={})
    for document in shuffled_corpus(model, BoundaryErrors(shift_factor=4), 1.0, sets=5, seed=1):
        assert np.all(document.ends > document.starts)
