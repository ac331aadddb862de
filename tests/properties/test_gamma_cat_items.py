# SPDX-License-Identifier: MIT
"""γcat on predefined items; oracle: the observed disagreement of Krippendorff's nominal α, in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from math import comb, isqrt

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from generators import Weights
from oracles.checks import fast, slow
from reference.alignment import brute_force
from reference.gamma_cat import categorial_disorder, tied_ranges
from unisono.alignment import best_alignment
from unisono.dissimilarity import Program2017Dissimilarity
from unisono.experiments import gamma_cat_items as experiment
from unisono.measures.missing_values import observed_agreement
from unisono.model import Continuum

Items = list[list[int]]


def observed_disagreement(items: Items) -> Fraction | None:
    """Krippendorff 2011: coincidences are ordered pairs over (values of the item - 1); the share of unequal ones."""
    unequal = pairable = Fraction(0)
    for column in zip(*items, strict=True):
        values = [value for value in column if value >= 0]
        for a, b in permutations(values, 2):
            pairable += Fraction(1, len(values) - 1)
            unequal += Fraction(int(a != b), len(values) - 1)
    return unequal / pairable if pairable else None


@st.composite
def tables(draw: st.DrawFn, *, lowest: int = -1) -> Items:
    """2 to 6 annotators, 1 to 8 items, three categories, -1 for a missing value; at least one value."""
    n, n_items = draw(st.integers(2, 6)), draw(st.integers(1, 8))
    row = st.lists(st.integers(lowest, 2), min_size=n_items, max_size=n_items)
    return draw(
        st.lists(row, min_size=n, max_size=n).filter(lambda items: any(value >= 0 for row in items for value in row))
    )


def found(continuum: Continuum, weights: Weights) -> float | None:
    alignment = best_alignment(continuum, fast(weights))
    return categorial_disorder([unitary.units for unitary in alignment.unitary_alignments])


def check_equal(disorder: float | None, items: Items) -> None:
    expected = observed_disagreement(items)
    if expected is None:
        assert disorder is None
    else:
        assert disorder == pytest.approx(float(expected), abs=1e-12)


@given(
    items=tables(),
    alpha=st.sampled_from([0.25, 1.0, 3.0]),
    beta=st.sampled_from([0.5, 1.0]),
    delta_empty=st.sampled_from([0.5, 1.0, 2.0]),
)
def test_far_items_give_krippendorffs_disagreement(items: Items, alpha: float, beta: float, delta_empty: float) -> None:
    """2017, section 5.1, missing values included: items so far apart that no two can share a unitary alignment.

    alpha * d_pos > (C + n - 1) * delta_empty for the nearest two, by the least whole step that does it.
    """
    n = len(items)
    step = isqrt(int((comb(n, 2) + n - 1) / alpha)) + 1
    assert alpha * step**2 > comb(n, 2) + n - 1
    event("with missing values" if any(-1 in row for row in items) else "complete")
    continuum = experiment.as_units(np.array(items), step=step)
    check_equal(found(continuum, Weights(alpha, beta, delta_empty)), items)


@given(items=tables(lowest=0), alpha=st.sampled_from([1.001, 2.0, 3.0]))
def test_adjacent_items_do_so_when_nothing_is_missing(items: Items, alpha: float) -> None:
    """Complete tables, items side by side, alpha above 1: a pair of two items costs more than any disagreement."""
    check_equal(found(experiment.as_units(np.array(items)), Weights(alpha)), items)


def test_adjacent_items_swapped_at_alpha_1() -> None:
    """At alpha 1 the best alignment is tied when somebody gave two neighbours in the wrong order: 2/3 or 0.

    Together with the others' equal categories, or with their items: two pairs at d_pos 1 or two at d_cat 1.
    """
    items = [[0, 1], [0, 1], [1, 0]]
    continuum = experiment.as_units(np.array(items))
    (spread,) = tied_ranges(continuum, brute_force(continuum, slow(Weights()), 1.0))
    assert observed_disagreement(items) == Fraction(2, 3)
    assert spread.is_touched
    assert spread.low == 0
    assert spread.high == pytest.approx(2 / 3)
    (spread,) = tied_ranges(continuum, brute_force(continuum, slow(Weights(alpha=1.001)), 1.0))
    assert (spread.low, spread.high) == (pytest.approx(2 / 3), pytest.approx(2 / 3))


@pytest.mark.parametrize(("alpha", "n", "joined"), [(1.0, 3, True), (3.0, 3, False), (3.0, 4, True), (3.0, 5, True)])
def test_adjacent_items_a_lone_value_joins_its_neighbour(alpha: float, n: int, joined: bool) -> None:
    """An item that only one annotator valued, beside one that this annotator left out and two others agree on.

    Apart: (C - 1) / C + 1. Together: (2 alpha + C - 3) / C, which is less when alpha < (C + 2) / 2. Their pair then
    counts half: with a disagreement elsewhere, 1/2 becomes 2/3.
    """
    items = [[0, -1, 0], [0, -1, 1], [-1, 0, -1], *[[-1, -1, -1]] * (n - 3)]
    assert joined == (alpha < (comb(n, 2) + 2) / 2)
    disorder = found(experiment.as_units(np.array(items)), Weights(alpha))
    assert observed_disagreement(items) == Fraction(1, 2)
    assert disorder == pytest.approx(2 / 3 if joined else 1 / 2)


@given(items=tables(), alpha=st.sampled_from([1.0, 3.0]), step=st.sampled_from([1, 2]))
def test_the_experiment_computes_gamma_cat(items: Items, alpha: float, step: int) -> None:
    """Oracle: the slow twin, on the same alignment; and α's disagreement is 1 minus the agreement of VL."""
    alignment = best_alignment(experiment.as_units(np.array(items), step=step), fast(Weights(alpha)))
    twin = categorial_disorder([unitary.units for unitary in alignment.unitary_alignments])
    value = experiment.gamma_cat_disorder(alignment)
    assert (value is None) == (twin is None)
    if value is not None:
        assert value == pytest.approx(twin, abs=1e-12)
    agreement, expected = observed_agreement(items, "VL"), observed_disagreement(items)
    assert (agreement is None) == (expected is None)
    if agreement is not None and expected is not None:
        assert agreement == pytest.approx(1 - float(expected), abs=1e-12)


@given(items=tables(), alpha=st.sampled_from([2.0, 3.0, 4.0]))
def test_with_free_empty_pairs_it_holds_in_every_table(items: Items, alpha: float) -> None:
    """The preset greyc-2017: values of one item always gain by being together, values of two items never do."""
    dissimilarity = Program2017Dissimilarity(alpha=alpha)
    disorder = experiment.gamma_cat_disorder(best_alignment(experiment.as_units(np.array(items)), dissimilarity))
    expected = observed_disagreement(items)
    assert (disorder is None) == (expected is None)
    if disorder is not None and expected is not None:
        assert disorder == pytest.approx(float(expected), abs=1e-12)


def test_the_experiment() -> None:
    """docs/validity.md: nothing at alpha 3 on complete tables, half of them at alpha 1 with a quarter missing."""
    by_name = experiment.dissimilarities()
    assert experiment.difference(3, by_name["alpha 3"], 0.0, tables=30).n_different == 0
    assert experiment.difference(5, by_name["greyc-2017"], 0.25, tables=30).n_different == 0
    few = experiment.difference(3, by_name["alpha 1"], 0.25, tables=60)
    assert 20 < few.n_different < 50
    assert 0 < few.mean < few.largest < 0.3
    assert "6      25%" in experiment.report(tables=2)
