# SPDX-License-Identifier: MIT
"""What must not change the alignment: names and order of the annotators, order of the rows, place, scale."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import NAMES, Weights, described, moved, random_weights, renamed, spread_continuum, tiny_continuum
from oracles.checks import check_alignment, check_proven, contents_of, fast, slow
from properties.strategies import continua, weights
from reference import chance
from unisono.alignment import best_alignment
from unisono.model import Continuum


@given(continua(), weights)
def test_a_proven_partition(continuum: Continuum, w: Weights) -> None:
    alignment = best_alignment(continuum, fast(w))
    check_alignment(continuum, alignment, slow(w), w.delta_empty)
    check_proven(alignment)


@given(continua(), weights, st.permutations(NAMES[:5]))
def test_names_and_order_of_annotators_do_not_count(continuum: Continuum, w: Weights, names: list[str]) -> None:
    """Not the disorder, not the number of unitary alignments, not what is in them: the tie rule is by contents."""
    first = best_alignment(continuum, fast(w))
    other = best_alignment(renamed(continuum, dict(zip(NAMES, names, strict=False))), fast(w))
    assert other.disorder == pytest.approx(first.disorder, abs=1e-12)
    assert len(other) == len(first)
    assert contents_of(other) in _symmetric_contents(continuum, contents_of(first))


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(s, marks=pytest.mark.long) for s in range(5, 40))])
def test_names_do_not_count_among_ties(seed: int) -> None:
    """The same on 1000 continua full of ties; categories count in the rule even where they have no weight."""
    rng = np.random.default_rng([seed, 61])
    for _ in range(1000):
        continuum, w = tiny_continuum(rng, most_units=10), random_weights(rng)
        names = dict(zip(continuum.annotators, rng.permutation(continuum.annotators).tolist(), strict=True))
        first, other = best_alignment(continuum, fast(w)), best_alignment(renamed(continuum, names), fast(w))
        where = (w, names, described(continuum))
        assert other.disorder == pytest.approx(first.disorder, abs=1e-12), where
        assert contents_of(other) in _symmetric_contents(continuum, contents_of(first)), where


def _symmetric_contents(continuum: Continuum, contents: Counter[Any]) -> Iterator[Counter[Any]]:
    """The contents themselves, and with categories exchanged where that gives the document with other annotators.

    No rule by contents can tell such categories apart: A of ann and B of bob, where they marked the same otherwise.
    """

    def sheets(names: Mapping[str, str]) -> list[list[tuple[Any, ...]]]:
        units = (continuum.units_of(annotator) for annotator in continuum.annotators)
        return sorted(sorted((u.start, u.end, names.get(u.category or "", "")) for u in own) for own in units)

    labels = continuum.categories
    same = dict(zip(labels, labels, strict=True))
    for other in permutations(labels):
        names = dict(zip(labels, other, strict=True))
        if sheets(names) == sheets(same):
            yield Counter(
                {
                    tuple(sorted((start, end, names.get(label, label)) for start, end, label in units)): count
                    for units, count in contents.items()
                }
            )


@given(continua(), weights, st.randoms(use_true_random=False))
def test_order_of_rows_does_not_count(continuum: Continuum, w: Weights, rng: random.Random) -> None:
    rows = {name: list(continuum.units_of(name)) for name in continuum.annotators}
    for units in rows.values():
        rng.shuffle(units)
    names = list(rows)
    rng.shuffle(names)
    first = best_alignment(continuum, fast(w))
    other = best_alignment(Continuum.of({name: rows[name] for name in names}), fast(w))
    assert other.group.tolist() == first.group.tolist()
    assert other.disorder == first.disorder


@given(continua(), weights, st.sampled_from([1, 10**9, -(10**9), 2**51]))
def test_place_does_not_count(continuum: Continuum, w: Weights, shift: int) -> None:
    """Integer positions, moved by 1e9 or more: nothing at all changes."""
    first = best_alignment(continuum, fast(w))
    other = best_alignment(moved(continuum, shift=shift), fast(w))
    assert other.group.tolist() == first.group.tolist()
    assert other.disorders.tolist() == first.disorders.tolist()
    assert other.disorder == first.disorder


@given(continua(), weights, st.sampled_from([2, 3, 1000]))
def test_scale_does_not_count(continuum: Continuum, w: Weights, scale: int) -> None:
    """The sporadic dissimilarity is a ratio (2015, section 6.1.6)."""
    first = best_alignment(continuum, fast(w))
    other = best_alignment(moved(continuum, scale=scale), fast(w))
    assert other.disorder == pytest.approx(first.disorder, abs=1e-12)


@given(continua(), weights)
def test_direction_does_not_count(continuum: Continuum, w: Weights) -> None:
    """Read from the end, the disorder is the same."""
    backwards = Continuum(
        starts=-continuum.ends,
        ends=-continuum.starts,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features=continuum.features,
    )
    first, other = best_alignment(continuum, fast(w)), best_alignment(backwards, fast(w))
    assert other.disorder == pytest.approx(first.disorder, abs=1e-12)
    assert len(other) == len(first)


@given(continua(most=4, annotators=1 + 1), st.integers(2, 6), weights)
def test_identical_annotators_have_no_disorder(continuum: Continuum, n: int, w: Weights) -> None:
    rows = next(units for name in continuum.annotators if (units := continuum.units_of(name)))
    same = Continuum.of(dict.fromkeys(NAMES[:n], rows))
    alignment = best_alignment(same, fast(w))
    assert alignment.disorder == 0
    assert len(alignment) == len(rows)


@given(continua(most=4), continua(most=4), weights.filter(lambda w: w.alpha))
def test_far_apart_is_the_sum_of_the_parts(one: Continuum, two: Continuum, w: Weights) -> None:
    """Two continua of the same annotators, far from each other: the summed disorders add up."""
    rows = {name: [*one.units_of(name)] if name in one.annotators else [] for name in NAMES[:5]}
    far = moved(two, shift=10**6)
    near = Continuum.of(rows)
    away = Continuum.of({name: far.units_of(name) if name in far.annotators else [] for name in NAMES[:5]})
    whole = Continuum.of({name: [*rows[name], *away.units_of(name)] for name in NAMES[:5]})
    parts = [best_alignment(part, fast(w)) for part in (near, away)]
    alignment = best_alignment(whole, fast(w))
    assert sum(alignment.disorders) == pytest.approx(sum(sum(part.disorders) for part in parts), abs=1e-9)
    assert len(alignment) == sum(len(part) for part in parts)


@pytest.mark.parametrize(("p", "q", "gap"), [(3, 100, 0), (5, 40, 1), (8, 20, 0)])
@pytest.mark.parametrize("shuffled", [False, True])
def test_larger_continua_relabelled_and_moved(p: int, q: int, gap: int, shuffled: bool) -> None:
    """Beyond what hypothesis draws: names reversed, place changed."""
    continuum = spread_continuum(p, q, gap, seed=60, integers=True)
    if shuffled:
        continuum = chance.as_continuum(continuum, chance.draw(continuum, seed=60, sample=0).units)
    first = best_alignment(continuum, fast(Weights()))
    check_proven(first)
    names = dict(zip(continuum.annotators, reversed(continuum.annotators), strict=True))
    other = best_alignment(renamed(continuum, names), fast(Weights()))
    assert other.disorder == pytest.approx(first.disorder, abs=1e-12)
    assert contents_of(other) == contents_of(first)
    far = best_alignment(moved(continuum, shift=10**9), fast(Weights()))
    assert far.group.tolist() == first.group.tolist()
    assert far.disorder == first.disorder
