# SPDX-License-Identifier: MIT
"""Users' own functions, pairwise and vectorised. Oracle: our own formulas handed over as a user's function."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reference.dissimilarity import combined, sporadic
from unisono.dissimilarity import (
    CombinedDissimilarity,
    FunctionDissimilarity,
    FunctionPositional,
    Levenshtein,
    Nominal,
    Sporadic,
)
from unisono.errors import ParameterError
from unisono.model import Continuum, Corpus, FloatArray, IntArray, PositionArray, Unit

CONTINUUM = Continuum.of(
    {
        "ann": [(0, 10, "PER"), (20, 30, "LOC"), (20, 30, "LOC")],
        "bob": [(2, 10, "LOC"), (25, 30, None), (7, 7, "PER")],
    }
)
U, V = (index.astype(np.int32).ravel() for index in np.meshgrid(np.arange(6), np.arange(6)))


def pairwise(su: float, eu: float, sv: float, ev: float) -> float:
    return sporadic(Unit(su, eu), Unit(sv, ev))


def vectorised(su: PositionArray, eu: PositionArray, sv: PositionArray, ev: PositionArray) -> FloatArray:
    lengths = np.maximum((eu - su) + (ev - sv), 1e-300)
    return ((np.abs(su - sv) + np.abs(eu - ev)) / lengths) ** 2


def starts_apart(u: Unit, v: Unit) -> float:
    return float(v.start - u.start)


def starts_apart_vectorised(continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
    return (continuum.starts[v] - continuum.starts[u]).astype(np.float64)


@pytest.mark.parametrize("positional", [FunctionPositional(pairwise), FunctionPositional(vectorised, vectorised=True)])
@pytest.mark.parametrize("beta", [0.0, 2.0])
def test_our_formula_as_a_users_function(positional: FunctionPositional, beta: float) -> None:
    """Oracle: the compiled formula with the same weights."""
    own = CombinedDissimilarity(positional, Levenshtein(), alpha=3, beta=beta, delta_empty=0.5)
    ours = replace(own, positional=Sporadic())
    np.testing.assert_allclose(own.between(CONTINUUM, U, V), ours.between(CONTINUUM, U, V), rtol=1e-12, atol=1e-12)
    assert own.kernel(CONTINUUM.categories) is None
    assert ours.kernel(CONTINUUM.categories) is not None
    assert own(CONTINUUM[0], CONTINUUM[3]) == pytest.approx(ours(CONTINUUM[0], CONTINUUM[3]))


def test_a_function_of_positions_that_does_not_count_is_not_called() -> None:
    def fails(*positions: float) -> float:
        raise AssertionError

    d = CombinedDissimilarity(FunctionPositional(fails), Nominal(), alpha=0)
    assert d.kernel(CONTINUUM.categories) is not None
    assert d.between(CONTINUUM, U, V).tolist() == CombinedDissimilarity(alpha=0).between(CONTINUUM, U, V).tolist()


def test_functions_are_made_symmetric() -> None:
    """Property: a function with a direction is always asked in the direction of the continuum."""
    for d in (
        FunctionDissimilarity(starts_apart),
        FunctionDissimilarity(starts_apart_vectorised, vectorised=True),
        CombinedDissimilarity(FunctionPositional(lambda su, eu, sv, ev: sv - su), beta=0),
        CombinedDissimilarity(FunctionPositional(lambda su, eu, sv, ev: sv - su, vectorised=True), beta=0),
    ):
        expected = np.abs(CONTINUUM.starts[U] - CONTINUUM.starts[V])
        assert d.between(CONTINUUM, U, V).tolist() == expected.tolist()
        assert d(Unit(3, 5), Unit(1, 5)) == d(Unit(1, 5), Unit(3, 5)) == 2


def test_the_names_of_the_annotators_do_not_decide_the_direction() -> None:
    """Property: by position, then by labels; relabelling the annotators changes nothing."""
    seen = []

    def spy(u: Unit, v: Unit) -> float:
        seen.append((u.category, v.category))
        return 0.0

    for first, second in (("ann", "bob"), ("bob", "ann")):
        continuum = Continuum.of({first: [(0, 5, "B")], second: [(0, 5, "A")]})
        FunctionDissimilarity(spy).between(continuum, [0], [1])  # type: ignore[arg-type]
        FunctionDissimilarity(spy)(Unit(0, 5, "B", first), Unit(0, 5, "A", second))
    assert seen == [("A", "B")] * 4


def test_pairwise_functions_get_whole_units() -> None:
    """Annotator and features included; integers stay integers."""
    continuum = Continuum.of({"ann": [Unit(0, 5, "A", features={"sense": "1"})], "bob": [(1, 5)]})
    seen = []
    FunctionDissimilarity(lambda u, v: seen.append((u, v)) or 0.0).between(continuum, [1], [0])  # type: ignore
    assert seen == [(continuum[0], continuum[1])]
    assert isinstance(seen[0][0].start, int)


def test_a_whole_dissimilarity_equals_ours() -> None:
    """Oracle: the slow twin handed over as a user's function equals the compiled one."""
    own = FunctionDissimilarity(combined(), delta_empty=2, name="twin")
    np.testing.assert_allclose(
        own.between(CONTINUUM, U, V), CombinedDissimilarity().between(CONTINUUM, U, V), rtol=1e-12, atol=1e-12
    )
    assert own.signature == "function(twin),delta_empty=2"
    assert own.delta_empty == 2
    assert own.fitted(Corpus((CONTINUUM,))) is own


def test_names() -> None:
    assert FunctionDissimilarity(starts_apart).signature == "function(starts_apart),delta_empty=1"
    assert FunctionPositional(pairwise).signature == "function(pairwise)"

    class Distance:
        def __call__(self, u: Unit, v: Unit) -> float:
            return 0.0

    assert FunctionDissimilarity(Distance()).signature == "function(Distance),delta_empty=1"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([0.5, -1.0], " is -1.0, not a number from 0 to infinity."),
        ([0.5, float("nan")], " is nan, not a number from 0 to infinity."),
        ([None, 1], " is None, not a number from 0 to infinity."),
        ([1.0], "the function returned float64 of shape (1,), not one number for each of 2 pairs."),
        (0.5, "the function returned float64 of shape (), not one number for each of 2 pairs."),
        (["a", "b"], "the function returned <U1 of shape (2,), not one number for each of 2 pairs."),
        ([[1], [1, 2]], "the function returned object of shape (), not one number for each of 2 pairs."),
        ([1j, 1], "the function returned complex128 of shape (2,), not one number for each of 2 pairs."),
    ],
)
def test_what_a_vectorised_function_returns_is_checked(values: object, text: str) -> None:
    for d in (
        FunctionDissimilarity(lambda *arguments: values, vectorised=True, name="own"),
        CombinedDissimilarity(FunctionPositional(lambda *arguments: values, vectorised=True, name="own")),
    ):
        with pytest.raises(ParameterError) as caught:
            d.between(CONTINUUM, [0, 1], [3, 4])  # type: ignore[arg-type]
        assert str(caught.value).startswith("function own: the ")
        assert str(caught.value).splitlines()[0].endswith(text)


def test_bad_results_name_the_pair() -> None:
    d = CombinedDissimilarity(FunctionPositional(lambda *positions: -1, name="own"))
    with pytest.raises(ParameterError) as caught:
        d.between(CONTINUUM, [0, 1], [3, 5])  # type: ignore[arg-type]
    assert str(caught.value).splitlines() == [
        "function own: the dissimilarity of [0, 10) and [2, 10) is -1, not a number from 0 to infinity.",
        "function own: the dissimilarity of [20, 30) and [25, 30) is -1, not a number from 0 to infinity.",
    ]
    with pytest.raises(ParameterError, match=r"the dissimilarity of Unit\(start=0, end=10, category='PER'"):
        FunctionDissimilarity(lambda u, v: -1).between(CONTINUUM, [0], [3])  # type: ignore[arg-type]


def test_infinity_means_never() -> None:
    assert FunctionDissimilarity(lambda u, v: float("inf"))(Unit(0, 1), Unit(1, 2)) == float("inf")


def test_no_pairs_need_no_call() -> None:
    none = np.empty(0, np.int32)
    for d in (
        FunctionDissimilarity(max, vectorised=True),
        FunctionDissimilarity(max),
        CombinedDissimilarity(FunctionPositional(max, vectorised=True)),
    ):
        assert d.between(CONTINUUM, none, none).shape == (0,)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: FunctionDissimilarity(3), "dissimilarity: 3 is not a function."),
        (lambda: FunctionPositional("f"), "positional: 'f' is not a function."),
        (lambda: FunctionDissimilarity(max, delta_empty=-1), "delta_empty: -1 is not a finite number above 0."),
    ],
)
def test_bad_parameters(make: object, text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == text


def test_an_exception_of_the_function_is_the_users_own() -> None:
    with pytest.raises(ZeroDivisionError):
        FunctionDissimilarity(lambda u, v: 1 / 0)(Unit(0, 1), Unit(0, 1))
