# SPDX-License-Identifier: MIT
"""The reach of a user's function. Oracles: the same function without a reach, and all pairs compared one by one."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from generators import spread_continuum, tiny_continuum
from unisono.alignment import best_alignment, pairs
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity, FunctionDissimilarity, FunctionPositional
from unisono.errors import ParameterError, SpeedWarning
from unisono.measures.gamma import gamma
from unisono.model import Continuum, FloatArray, IntArray, Unit
from unisono.sampling import Sampling


def middles(u: Unit, v: Unit) -> float:
    return abs((u.start + u.end) - (v.start + v.end)) / 8


def middles_of_arrays(continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
    twice = continuum.starts + continuum.ends
    return np.abs(twice[u] - twice[v]) / 8


def middles_of_positions(su: float, eu: float, sv: float, ev: float) -> float:
    return abs((su + eu) - (sv + ev)) / 8


def all_forms(reach: float | None) -> list[Dissimilarity]:
    return [
        FunctionDissimilarity(middles, reach=reach),
        FunctionDissimilarity(middles_of_arrays, vectorised=True, reach=reach),
        CombinedDissimilarity(FunctionPositional(middles_of_positions, reach=reach), beta=0),
        CombinedDissimilarity(FunctionPositional(middles_of_positions, vectorised=True, reach=reach), beta=0),
    ]


def far_enough(continuum: Continuum) -> float:
    """The least reach that surely leaves out nothing: beyond it, `middles` is above C + n - 1."""
    n = continuum.n_annotators
    return 4 * (n * (n - 1) / 2 + n - 1)


@pytest.mark.parametrize("form", range(4))
def test_near_pairs_are_those_of_all_pairs(form: int) -> None:
    """Oracle: every pair of units of different annotators, compared by itself."""
    rng = np.random.default_rng(7)
    for _ in range(100):
        continuum = tiny_continuum(rng)
        n = continuum.n_annotators
        limit = n * (n - 1) / 2 + n - 1
        expected = {
            (i, j): middles(u, v)
            for i, u in enumerate(continuum)
            for j, v in enumerate(continuum)
            if i < j and u.annotator != v.annotator and middles(u, v) <= limit
        }
        for reach in (None, far_enough(continuum)):
            u, v, d = pairs.near_pairs(continuum, all_forms(reach)[form])
            found = {(min(i, j), max(i, j)): x for i, j, x in zip(u.tolist(), v.tolist(), d.tolist(), strict=True)}
            assert len(found) == len(u)
            assert found == expected


@pytest.mark.parametrize("form", range(4))
@pytest.mark.parametrize(("p", "q", "gap"), [(2, 60, 0), (3, 40, 1), (5, 12, 0)])
def test_same_alignment_and_gamma(form: int, p: int, q: int, gap: int) -> None:
    """Oracle: the function without a reach."""
    continuum = spread_continuum(p, q, gap, seed=3)
    plain, within = all_forms(None)[form], all_forms(far_enough(continuum))[form]
    expected, found = best_alignment(continuum, plain), best_alignment(continuum, within)
    assert found.group.tolist() == expected.group.tolist()
    assert found.disorder == expected.disorder
    values = [gamma(continuum, dissimilarity=d, sampling=Sampling(samples=5), seed=1).value for d in (plain, within)]
    assert values[0] == values[1]


def test_pairs_come_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Property: the size of the chunks does not change which pairs there are."""
    continuum = spread_continuum(4, 30, 0, seed=5)
    dissimilarity = FunctionDissimilarity(middles_of_arrays, vectorised=True, reach=far_enough(continuum))
    whole = pairs.near_pairs(continuum, dissimilarity)
    monkeypatch.setattr(pairs, "CHUNK", 10)
    for expected, found in zip(whole, pairs.near_pairs(continuum, dissimilarity), strict=True):
        assert found.tolist() == expected.tolist()


def test_only_pairs_within_reach_are_called() -> None:
    """Oracle: the gap between the units of each pair that was called, beside the few pairs that check the reach."""
    continuum = Continuum.of({name: [(20 * i, 20 * i + 10) for i in range(300)] for name in ("ann", "bob")})
    apart = []

    def spy(u: Unit, v: Unit) -> float:
        apart.append(max(u.start, v.start) - min(u.end, v.end))
        return middles(u, v)

    best_alignment(continuum, FunctionDissimilarity(spy, reach=30))
    assert sum(gap > 30 for gap in apart) <= 4 * pairs.CHECKED
    assert sum(gap <= 30 for gap in apart) == 300 + 4 * 299 - 2  # two neighbours on each side, and the same place


def test_beyond_reach_is_infinite() -> None:
    for d in all_forms(4.0):
        assert d(Unit(0, 4), Unit(8, 12)) == 2.0  # type: ignore[operator]
        assert d(Unit(0, 4), Unit(9, 13)) == float("inf")  # type: ignore[operator]
        assert "reach=4" in d.signature


@pytest.mark.parametrize("form", range(4))
def test_a_reach_that_is_too_short_is_an_error(form: int) -> None:
    """The pair that is named is beyond the reach and could be aligned."""
    continuum = spread_continuum(3, 40, 1, seed=3)
    with pytest.raises(ParameterError, match="beyond the reach of 1") as caught:
        best_alignment(continuum, all_forms(1.0)[form])
    (problem,) = caught.value.problems
    assert problem.code == "function-reach"
    assert float(str(problem.found)) <= 5


def test_infinity_beyond_the_reach_is_fine() -> None:
    """A cut that the function makes itself: the same alignment with and without a reach."""
    continuum = spread_continuum(3, 40, 1, seed=3)

    def cut(u: Unit, v: Unit) -> float:
        return middles(u, v) if max(u.start, v.start) - min(u.end, v.end) <= 1 else float("inf")

    expected, found = (best_alignment(continuum, FunctionDissimilarity(cut, reach=reach)) for reach in (None, 1))
    assert found.group.tolist() == expected.group.tolist()


@pytest.mark.parametrize("reach", [-1, float("nan"), "far", True])
def test_a_reach_is_a_number_from_zero(reach: object) -> None:
    for form in (FunctionDissimilarity, FunctionPositional):
        with pytest.raises(ParameterError, match="reach"):
            form(middles, reach=reach)


def test_slow_functions_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is told what: the clock is replaced, so that nothing depends on the machine."""
    continuum = spread_continuum(3, 300, 0, seed=3)
    assert continuum.n_units > 700
    seconds = iter(range(0, 1_000_000, 10))
    monkeypatch.setattr(pairs.time, "thread_time", lambda: next(seconds))  # ten seconds for each trial
    with pytest.warns(SpeedWarning, match=r"function middles takes .* Give reach=.* and vectorised=True"):
        best_alignment(continuum, FunctionDissimilarity(middles))
    with pytest.warns(SpeedWarning, match=r"random units\. Give reach=[^=]*$"):
        best_alignment(continuum, FunctionDissimilarity(middles_of_arrays, vectorised=True))
    few = spread_continuum(3, 30, 0, seed=3)
    monkeypatch.setattr(pairs.time, "thread_time", lambda: 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        best_alignment(few, FunctionDissimilarity(middles))
        best_alignment(continuum, FunctionDissimilarity(middles))
