# SPDX-License-Identifier: MIT
"""Oracles: the slow twins of tests/reference/dissimilarity.py, and properties that section 4.4 demands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import dissimilarity as twin
from unisono.dissimilarity import (
    Absolute,
    Boundary,
    Categorial,
    CombinedDissimilarity,
    FunctionCategorial,
    Interval,
    Levenshtein,
    Matrix,
    Nominal,
    Ordinal,
    Positional,
    SetValued,
    Sporadic,
    Tree,
)
from unisono.model import Continuum, Corpus, Unit

FAR = 10**9

weights = st.one_of(st.just(0.0), st.just(1.0), st.floats(0.01, 100))
positions = st.integers(-1000, 1000)
lengths = st.one_of(st.just(0), st.integers(0, 50))


@st.composite
def units(draw: st.DrawFn, labels: st.SearchStrategy[str | None]) -> Unit:
    start = draw(positions)
    return Unit(start, start + draw(lengths), draw(labels))


def continua(labels: st.SearchStrategy[str], *, least: int = 2) -> st.SearchStrategy[Continuum]:
    """Two annotators, some units without a label."""
    some = st.lists(units(st.none() | labels), min_size=least, max_size=6)
    return st.builds(lambda a, b: Continuum.of({"a": a, "b": b}), some, some)


@st.composite
def positionals(draw: st.DrawFn) -> tuple[Positional, twin.Pairwise]:
    scale = draw(st.one_of(st.just(1.0), st.floats(0.1, 1000)))
    return draw(
        st.sampled_from(
            [
                (Sporadic(), twin.sporadic),
                (Absolute(scale), twin.absolute(scale)),
                (Boundary(scale), twin.boundary(scale)),
            ]
        )
    )


def all_pairs(n: int) -> tuple[np.ndarray, np.ndarray]:
    u, v = np.divmod(np.arange(n * n, dtype=np.int32), np.int32(n))
    return u, v


def close(x: float, y: float) -> bool:
    return x == y or isclose(x, y, rel_tol=1e-12, abs_tol=1e-12)


def check_against_twin(continuum: Continuum, d: CombinedDissimilarity, slow: twin.Pairwise) -> None:
    u, v = all_pairs(len(continuum))
    for i, j, value in zip(u.tolist(), v.tolist(), d.between(continuum, u, v).tolist(), strict=True):
        expected = slow(continuum[i], continuum[j])
        assert close(value, expected), (continuum[i], continuum[j], value, expected)


WORDS = st.text("abAB1 é|/", max_size=6)
SETS = st.lists(st.sampled_from("ABCD"), max_size=4).map("|".join)
PATHS = st.lists(st.sampled_from("xyz"), max_size=4).map("/".join)
NUMBERS = st.one_of(st.integers(-20, 20).map(str), st.floats(-5, 5).map(lambda x: f"{x:.3f}"))
GRADES = ("none", "weak", "fair", "strong")


def parts(label: str, separator: str) -> list[str]:
    return [part for part in label.split(separator) if part]


def hashed(a: str, b: str) -> float:
    """Any symmetric distance will do."""
    return 0.0 if a == b else (sum(map(ord, a + b)) % 101) / 100


DISTANCES = {(a, b): hashed(a, b) for a in "ABCD" for b in "ABCD"}
CATEGORIALS: list[tuple[Categorial, st.SearchStrategy[str], Callable[[str, str], float]]] = [
    (Nominal(), WORDS, twin.nominal),
    (Ordinal(GRADES), st.sampled_from(GRADES), twin.ordinal(GRADES)),
    (Interval(-20, 20), NUMBERS, twin.interval(-20, 20)),
    (Levenshtein(), WORDS, twin.levenshtein),
    (SetValued("jaccard"), SETS, lambda a, b: twin.jaccard(set(parts(a, "|")), set(parts(b, "|")))),
    (SetValued("masi"), SETS, lambda a, b: twin.masi(set(parts(a, "|")), set(parts(b, "|")))),
    (Tree(), PATHS, lambda a, b: twin.tree(parts(a, "/"), parts(b, "/"))),
    (Matrix(DISTANCES), st.sampled_from("ABCD"), hashed),
    (FunctionCategorial(hashed), WORDS, hashed),
]
IDS = [categorial.signature.partition("(")[0] for categorial, _, _ in CATEGORIALS]


@pytest.mark.parametrize(("categorial", "labels", "distance"), CATEGORIALS, ids=IDS)
@settings(max_examples=60)
@given(data=st.data())
def test_equals_the_slow_twin(
    categorial: Categorial,
    labels: st.SearchStrategy[str],
    distance: Callable[[str, str], float],
    data: st.DataObject,
) -> None:
    continuum = data.draw(continua(labels))
    positional, slow_positional = data.draw(positionals())
    alpha, beta = data.draw(st.tuples(weights, weights).filter(any))
    delta_empty = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
    f_cat = data.draw(st.sampled_from(["identity", "steep"]))
    d = CombinedDissimilarity(
        positional, replace(categorial, f_cat=f_cat), alpha=alpha, beta=beta, delta_empty=delta_empty
    )
    slow = twin.combined(
        slow_positional, distance, f_cat=getattr(twin, f_cat), alpha=alpha, beta=beta, delta_empty=delta_empty
    )
    check_against_twin(continuum, d, slow)


@pytest.mark.parametrize(("categorial", "labels", "distance"), CATEGORIALS, ids=IDS)
@settings(max_examples=30)
@given(data=st.data())
def test_is_a_dissimilarity(
    categorial: Categorial, labels: st.SearchStrategy[str], distance: object, data: st.DataObject
) -> None:
    """Property (section 4.4): symmetric, never negative, zero on equal units; and d(u, v) alone as in a continuum."""
    continuum = data.draw(continua(labels))
    positional, _ = data.draw(positionals())
    d = CombinedDissimilarity(positional, categorial)
    n = len(continuum)
    square = d.between(continuum, *all_pairs(n)).reshape(n, n)
    assert (square == square.T).all()
    assert (square >= 0).all()
    assert (np.diag(square) == 0).all()
    assert d(continuum[0], continuum[n - 1]) == square[0, n - 1]


@given(continua(st.sampled_from("AB")), positionals(), st.sampled_from([FAR, -FAR, 2**52]))
def test_a_shift_of_integer_positions_changes_no_bit(
    continuum: Continuum, positional: tuple[Positional, object], shift: int
) -> None:
    """Property: positions around 1e9 lose nothing."""
    d = CombinedDissimilarity(positional[0])
    moved = Continuum.of(
        {name: [(x.start + shift, x.end + shift, x.category) for x in continuum.units_of(name)] for name in "ab"}
    )
    pairs = all_pairs(len(continuum))
    assert d.between(continuum, *pairs).tolist() == d.between(moved, *pairs).tolist()


@given(continua(st.sampled_from("AB")), st.sampled_from([2.0, 0.25, 3.0, 1000.0, 0.1]))
def test_sporadic_has_no_scale(continuum: Continuum, factor: float) -> None:
    """Property (sections 4.4.2 and 6.1.6): the denominator makes it independent of the scale."""
    d = CombinedDissimilarity()
    scaled = Continuum.of(
        {
            name: [(x.start * factor, x.end * factor, x.category) for x in continuum.units_of(name)]
            for name in continuum.annotators
        }
    )
    np.testing.assert_allclose(
        d.between(scaled, *all_pairs(len(scaled))),
        d.between(continuum, *all_pairs(len(continuum))),
        rtol=1e-9,
        atol=1e-9,
    )


@given(continua(NUMBERS))
def test_fitted_interval_equals_the_twin_over_the_corpus(continuum: Continuum) -> None:
    numbers = [float(label) for label in continuum.categories]
    corpus = Corpus((continuum,))
    d = CombinedDissimilarity(Sporadic(), Interval()).fitted(corpus)
    slow = twin.combined(categorial=twin.interval(min(numbers, default=0), max(numbers, default=0)))
    check_against_twin(continuum, d, slow)


def test_points() -> None:
    """FORMULAS: two points are equal or never aligned; a point and a longer unit follow Eq. 3."""
    d = CombinedDissimilarity()
    assert d(Unit(5, 5), Unit(5, 5)) == 0
    assert d(Unit(5, 5), Unit(6, 6)) == inf
    assert d(Unit(5, 5), Unit(5, 9)) == 1
    assert d(Unit(5.5, 5.5), Unit(5.0, 9.0)) == 1
    assert CombinedDissimilarity(Absolute(4))(Unit(5, 5), Unit(6, 6)) == 0.25


def test_no_category() -> None:
    """FORMULAS 1.1: without a category, 0 to another without, 1 to any label; the same for every kind of table."""
    for categorial, label in (
        (Nominal(), "A"), (Ordinal(["A", "B"]), "A"), (Interval(0, 9), "4"), (Levenshtein(), ""), (SetValued(), ""),
        (Tree(), "x/y"), (Matrix({("A", "B"): 0.5}), "A"),
    ):  # fmt: skip
        d = CombinedDissimilarity(Sporadic(), categorial, beta=2)
        assert d(Unit(0, 5), Unit(0, 5)) == 0
        assert d(Unit(0, 5), Unit(0, 5, label)) == d(Unit(0, 5, label), Unit(0, 5)) == 2


def test_thousands_of_categories_need_no_table() -> None:
    many = [(i, i + 5, f"category {i}") for i in range(20_000)]
    continuum = Continuum.of({"a": many, "b": many})
    numbers = Continuum.of({"a": [(i, i + 5, str(i)) for i in range(20_000)]})
    u, v = np.zeros(1, np.int32), np.ones(1, np.int32)
    assert CombinedDissimilarity(alpha=0).between(continuum, u, v) == [1]
    assert CombinedDissimilarity(Sporadic(), Ordinal(), alpha=0).between(numbers, u, v) == pytest.approx(1 / 19_999)
    assert CombinedDissimilarity(Sporadic(), Interval(), alpha=0).between(numbers, u, v) == pytest.approx(1 / 19_999)
