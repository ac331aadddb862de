# SPDX-License-Identifier: MIT
"""What must hold of γcat and γk for any data; oracle: identities of Algorithm 1 (Mathet 2017), on the slow twin."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators import NAMES, Weights, moved, renamed
from oracles.checks import fast
from properties.strategies import continua, units
from reference.gamma_cat import NOMINAL, Categorial, Row, agreement, categorial_disorder, weighted_pairs
from unisono.alignment import best_alignment
from unisono.chance import Shift
from unisono.model import Continuum

TWICE = Categorial(count_kk_twice=True)
ALPHAS = st.sampled_from([0.5, 1.0, 3.0])


def aligned(continuum: Continuum, alpha: float = 1.0) -> list[Row]:
    alignment = best_alignment(continuum, fast(Weights(alpha=alpha)))
    return [unitary.units for unitary in alignment.unitary_alignments]


def disorders(continuum: Continuum, alpha: float) -> dict[str | None, float | None]:
    alignment = aligned(continuum, alpha)
    return {k: categorial_disorder(alignment, k) for k in (None, *continuum.categories)}


@given(rows=st.lists(units, min_size=1, max_size=5), n=st.integers(2, 4), seed=st.integers(0, 99))
def test_identical_annotators(rows: list[tuple[int, int, str | None]], n: int, seed: int) -> None:
    """No observed disorder; γcat and γk are 1 where chance gives any, and undefined where it gives none."""
    continuum = Continuum.of(dict.fromkeys(NAMES[:n], rows), name="identical")
    alignment = aligned(continuum)
    samples = [aligned(Shift().draw(continuum, seed=seed, sample=sample)) for sample in range(5)]
    for k in (None, *continuum.categories):
        observed = categorial_disorder(alignment, k)
        drawn = [value for value in (categorial_disorder(sample, k) for sample in samples) if value is not None]
        expected = fsum(drawn) / len(drawn) if drawn else None
        assert observed == 0
        assert agreement(observed, expected) == (1.0 if expected else None)
    if len({category for *_, category in rows}) == 1:
        assert all(not categorial_disorder(sample) for sample in samples), "one category: no disorder to expect"


@given(continuum=continua(), alpha=ALPHAS)
def test_categories_add_up(continuum: Continuum, alpha: float) -> None:
    """A pair counts once for each of its units: twice the disorder and the weight of γcat is the sum over all k.

    Counted once, a k-k pair weighs less and the disorder of k is higher; nothing exceeds 1.
    """
    alignment = aligned(continuum, alpha)
    labels = (*continuum.categories, None)
    pairs = list(weighted_pairs(alignment))
    total = fsum(weight for *_, weight, _ in pairs)
    disorder = fsum(weight * d for *_, weight, d in pairs)
    weight_of = {k: fsum(w * ((u.category == k) + (v.category == k)) for u, v, w, _ in pairs) for k in labels}
    disorder_of = {k: (categorial_disorder(alignment, k, TWICE) or 0) * weight_of[k] for k in continuum.categories}
    without = fsum(w * d * ((u.category is None) + (v.category is None)) for u, v, w, d in pairs)
    assert fsum(weight_of.values()) == pytest.approx(2 * total, abs=1e-9)
    assert fsum(disorder_of.values()) + without == pytest.approx(2 * disorder, abs=1e-9)
    value = categorial_disorder(alignment)
    assert (value is None) == (total == 0)
    if value is not None:
        assert 0 <= value <= 1
        assert value == pytest.approx(disorder / total, abs=1e-12)
    for k in continuum.categories:
        once, twice = (categorial_disorder(alignment, k, way) for way in (NOMINAL, TWICE))
        assert (once is None) == (twice is None) == (weight_of[k] == 0)
        if once is not None and twice is not None:
            assert 0 <= twice <= once + 1e-12 <= 1 + 2e-12


@given(continuum=continua(), alpha=ALPHAS, data=st.data())
def test_place_size_and_names_do_not_matter(continuum: Continuum, alpha: float, data: st.DataObject) -> None:
    """Eq. 3 does not depend on place and scale, and ties are broken by contents: the same disorders."""
    expected = disorders(continuum, alpha)
    names = data.draw(st.permutations(continuum.annotators))
    other = renamed(moved(continuum, shift=5, scale=3), dict(zip(continuum.annotators, names, strict=True)))
    found = disorders(other, alpha)
    assert found == pytest.approx(expected, abs=1e-12)
