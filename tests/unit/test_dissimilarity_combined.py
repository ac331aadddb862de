# SPDX-License-Identifier: MIT
"""The combined dissimilarity: weights, signature, features, kernel and the checks at its door."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

from unisono._core import Kernel
from unisono.dissimilarity import (
    Absolute,
    Boundary,
    CombinedDissimilarity,
    Dissimilarity,
    FunctionDissimilarity,
    FunctionPositional,
    Interval,
    Levenshtein,
    Matrix,
    Nominal,
    Sporadic,
)
from unisono.errors import ParameterError
from unisono.model import Continuum, Corpus, Unit

CONTINUUM = Continuum.of(
    {
        "ann": [Unit(0, 10, "PER", features={"sense": "1"}), Unit(20, 30, "LOC", features={"sense": "3"})],
        "bob": [Unit(0, 10, "LOC", features={"sense": "2"}), Unit(25, 30, None)],
    },
    name="doc",
)
U, V = np.array([0, 1], np.int32), np.array([2, 3], np.int32)


def test_weights_and_delta_empty() -> None:
    """Eqs. 3 to 5 by hand: the parts are in multiples of delta_empty, which itself is not weighted."""
    d = CombinedDissimilarity(alpha=3, beta=0.5, delta_empty=2)
    assert d.between(CONTINUUM, U, V).tolist() == pytest.approx([0.5 * 2, (3 * (5 / 15) ** 2 + 0.5) * 2])
    assert d.delta_empty == 2


def test_both_kinds_fit_the_protocol() -> None:
    assert isinstance(CombinedDissimilarity(), Dissimilarity)
    assert isinstance(FunctionDissimilarity(lambda u, v: 0.0), Dissimilarity)


@pytest.mark.parametrize(
    ("d", "signature"),
    [
        (CombinedDissimilarity(), "sporadic+nominal,alpha=1,beta=1,delta_empty=1"),
        (
            CombinedDissimilarity(Absolute(2.5), Levenshtein(), alpha=3, beta=0.1, delta_empty=2),
            "absolute(scale=2.5)+levenshtein,alpha=3,beta=0.1,delta_empty=2",
        ),
        (
            CombinedDissimilarity(Boundary(10), Nominal(f_cat="steep"), beta=np.float64(2)),
            "boundary(window=10)+nominal(f_cat=steep),alpha=1,beta=2,delta_empty=1",
        ),
        (
            CombinedDissimilarity(FunctionPositional(max, name="own")),
            "function(own)+nominal,alpha=1,beta=1,delta_empty=1",
        ),
    ],
)
def test_signature(d: CombinedDissimilarity, signature: str) -> None:
    assert d.signature == signature


@pytest.mark.parametrize(
    ("make", "lines"),
    [
        (
            lambda: CombinedDissimilarity(alpha=-1, beta=float("inf"), delta_empty=0),
            [
                "alpha: -1 is not a finite number, 0 or above.",
                "beta: inf is not a finite number, 0 or above.",
                "delta_empty: 0 is not a finite number above 0.",
            ],
        ),
        (lambda: CombinedDissimilarity(alpha=0, beta=0), ["alpha, beta: both weights are 0. Give one above 0."]),
        (lambda: CombinedDissimilarity(alpha="1"), ["alpha: '1' is not a finite number, 0 or above."]),
        (lambda: CombinedDissimilarity(alpha=True), ["alpha: True is not a finite number, 0 or above."]),
        (lambda: CombinedDissimilarity(beta=float("nan")), ["beta: nan is not a finite number, 0 or above."]),
        (lambda: CombinedDissimilarity(delta_empty=None), ["delta_empty: None is not a finite number above 0."]),
        (lambda: Absolute(0), ["scale: 0 is not a finite number above 0."]),
        (lambda: Absolute(10**400), [f"scale: {10**400} is not a finite number above 0."]),
        (lambda: Boundary(-2.0), ["window: -2.0 is not a finite number above 0."]),
        (
            lambda: CombinedDissimilarity("sporadic"),
            ["positional: 'sporadic' is not a positional dissimilarity such as Sporadic()."],
        ),
        (
            lambda: CombinedDissimilarity(Sporadic(), max),
            [
                "categorial: <built-in function max> is not a categorial dissimilarity such as Nominal(). "
                "Wrap your function: FunctionCategorial(function)."
            ],
        ),
    ],
)
def test_bad_parameters(make: object, lines: list[str]) -> None:
    with pytest.raises(ParameterError) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value).splitlines() == lines


def test_weights_are_given_by_name() -> None:
    with pytest.raises(TypeError):
        CombinedDissimilarity(Sporadic(), Nominal(), 1.0)  # type: ignore[misc]


def test_another_feature() -> None:
    d = CombinedDissimilarity(Sporadic(), Interval(1, 3, feature="sense"))
    assert d.feature == "sense"
    assert d.between(CONTINUUM, U, V).tolist() == pytest.approx([0.5, 1 / 9 + 1])
    assert d(CONTINUUM[0], CONTINUUM[2]) == 0.5
    fitted = CombinedDissimilarity(Sporadic(), Interval(feature="sense")).fitted(Corpus((CONTINUUM,)))
    assert fitted == d


def test_an_unknown_feature_names_those_there_are() -> None:
    d = CombinedDissimilarity(Sporadic(), Interval(feature="mood"))
    text = (
        "the units do not have the feature 'mood'. "
        "Name one of their features as that of the categorial dissimilarity: category, sense."
    )
    with pytest.raises(ParameterError) as caught:
        d.between(CONTINUUM, U, V)
    assert str(caught.value) == f"doc: {text}"
    with pytest.raises(ParameterError) as caught:
        d.fitted(Corpus((CONTINUUM,)))
    assert str(caught.value) == text


def test_without_beta_the_categories_are_not_looked_at() -> None:
    for categorial in (Interval(feature="mood"), Interval(), Matrix({})):
        d = CombinedDissimilarity(Sporadic(), categorial, beta=0)
        assert d.fitted(Corpus((CONTINUUM,))) is d
        assert d.between(CONTINUUM, U, V).tolist() == pytest.approx([0, 1 / 9])
        assert isinstance(d.kernel(("PER", "LOC")), Kernel)
        column = d.column(CONTINUUM)
        assert column.labels == ()
        assert column.codes.tolist() == [-1] * 4


def test_the_kernel_computes_the_same() -> None:
    d = CombinedDissimilarity(Boundary(4), Levenshtein(), alpha=0.5)
    column = d.column(CONTINUUM)
    kernel = d.kernel(column.labels)
    assert kernel is not None
    starts, ends = CONTINUUM.starts.astype(float), CONTINUUM.ends.astype(float)
    assert kernel.between(starts, ends, column.codes, U, V).tolist() == d.between(CONTINUUM, U, V).tolist()


def test_the_kernel_is_made_once_for_the_same_labels() -> None:
    d = CombinedDissimilarity(Sporadic(), Levenshtein())
    first = d.kernel(("A", "B"))
    assert d.kernel(("A", "B")) is first
    assert d.kernel(("A", "B", "C")) is not first


def test_a_used_dissimilarity_can_be_pickled_and_compared() -> None:
    d = CombinedDissimilarity(Absolute(3), Levenshtein())
    before = d.between(CONTINUUM, U, V).tolist()
    again = pickle.loads(pickle.dumps(d))
    assert again == d == CombinedDissimilarity(Absolute(3), Levenshtein())
    assert again.between(CONTINUUM, U, V).tolist() == before
    assert replace(d, beta=0.0).between(CONTINUUM, U, V).tolist() != before


@pytest.mark.parametrize(
    ("u", "v", "text"),
    [
        ([0], [4], "v: the indices go from 4 to 4, those of units from 0 to 3."),
        ([-1], [0], "u: the indices go from -1 to -1, those of units from 0 to 3."),
        ([0, 1], [2], "u and v do not have the same length: 2 and 1."),
        ([0.0], [1], "u: this is an array of float64 and shape (1,), not a flat array of indices of units."),
        ([[0]], [[1]], "u: this is an array of int64 and shape (1, 1), not a flat array of indices of units."),
    ],
)
def test_indices_are_checked_before_the_core_sees_them(u: object, v: object, text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        CombinedDissimilarity().between(CONTINUUM, u, v)  # type: ignore[arg-type]
    assert str(caught.value) == text


def test_no_pairs() -> None:
    none = np.empty(0, np.int32)
    assert CombinedDissimilarity().between(CONTINUUM, none, none).shape == (0,)
    assert CombinedDissimilarity().between(Continuum.of({"a": [], "b": []}), none, none).shape == (0,)
