# SPDX-License-Identifier: MIT
"""The view data. Oracle: the slow twin of Eq. 6, one part at a time; the definition of the contract, field by field."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb, fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from generators import Weights
from properties.strategies import continua, weights
from reference.alignment import members_of
from reference.dissimilarity import sporadic
from unisono.alignment import best_alignment
from unisono.dissimilarity import CombinedDissimilarity, FunctionDissimilarity, FunctionPositional, Nominal, Ordinal
from unisono.model import Continuum, Extent, Feature, Unit
from unisono.report.view import axis_of, parts_of, view


def categories_differ(u: Unit, v: Unit) -> float:
    return 0.0 if u.category == v.category else 1.0


@given(continua(), weights)
def test_the_parts_are_those_of_the_twin_and_sum_to_the_disorder(continuum: Continuum, w: Weights) -> None:
    dissimilarity = CombinedDissimilarity(alpha=w.alpha, beta=w.beta, delta_empty=w.delta_empty)
    alignment = best_alignment(continuum, dissimilarity)
    found = parts_of(alignment, dissimilarity).columns()
    n_pairs = comb(continuum.n_annotators, 2)
    for number, members in enumerate(members_of(alignment.group.tolist())):
        pairs = [(continuum[i], continuum[j]) for i, j in combinations(members, 2)]
        expected = {
            "positional": fsum(w.alpha * sporadic(u, v) * w.delta_empty for u, v in pairs if w.alpha) / n_pairs,
            "categorial": fsum(w.beta * categories_differ(u, v) * w.delta_empty for u, v in pairs) / n_pairs,
            "empty": (n_pairs - len(pairs)) * w.delta_empty / n_pairs,
        }
        for name, value in expected.items():
            column = found[name]
            assert column is not None
            assert column[number] == pytest.approx(value, abs=1e-12)
    columns = [column for column in found.values() if column is not None]
    assert len(columns) == 3
    assert np.allclose(sum(columns), alignment.disorders, rtol=0, atol=1e-9)


@given(continua())
def test_the_view_is_json_and_has_every_unit_in_order(continuum: Continuum) -> None:
    data = view(continuum, best_alignment(continuum), CombinedDissimilarity())
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    units = data["units"]
    rows = zip(units["annotator"], units["start"], units["end"], units["category"], strict=True)
    shown = [(data["annotators"][a], s, e, None if c < 0 else data["categories"][c]) for a, s, e, c in rows]
    assert shown == [(u.annotator, u.start, u.end, u.category) for u in continuum]


def two(**options: Any) -> Continuum:
    return Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 4, "A")]}, name="two", **options)


def test_without_an_alignment_there_is_none() -> None:
    data = view(two())
    assert data["alignment"] is None
    assert (data["schema"], data["name"], data["extent"], data["annotators"]) == (1, "two", [0, 9], ["ann", "bob"])


def test_without_a_dissimilarity_only_the_whole_is_known() -> None:
    continuum = two()
    found = view(continuum, best_alignment(continuum))["alignment"]
    assert [found[key] for key in ("delta_empty", "positional", "categorial", "empty")] == [None] * 4
    assert found["disorders"] == pytest.approx([1 / 81, 1.0])
    assert found["gap"] == 0.0


def test_a_users_own_dissimilarity_has_an_empty_part_only() -> None:
    continuum = two()
    own = FunctionDissimilarity(lambda u, v: abs(u.start - v.start) / 10, delta_empty=2)
    found = view(continuum, best_alignment(continuum, own), own)["alignment"]
    assert (found["positional"], found["categorial"]) == (None, None)
    assert found["empty"] == [0.0, 2.0]


def test_a_users_function_of_positions_is_the_positional_part() -> None:
    continuum = two()
    own = CombinedDissimilarity(FunctionPositional(lambda su, eu, sv, ev: abs(eu - ev) / 4), Nominal(), alpha=2)
    found = view(continuum, best_alignment(continuum, own), own)["alignment"]
    assert found["positional"] == pytest.approx([0.5, 0.0])
    assert found["categorial"] == [0.0, 0.0]


def test_a_scale_that_depends_on_the_data_is_fitted() -> None:
    continuum = Continuum.of({"ann": [(0, 5, "1"), (7, 9, "3")], "bob": [(0, 5, "2"), (7, 9, "3")]})
    ordinal = CombinedDissimilarity(categorial=Ordinal(("1", "2", "3")))
    found = view(continuum, best_alignment(continuum, ordinal), ordinal)["alignment"]
    assert found["categorial"] == [0.5, 0.0]


def test_the_labels_shown_are_those_compared() -> None:
    units = {"ann": [Unit(0, 5, "A", features={"mood": "glad"})], "bob": [Unit(0, 5, "A", features={"mood": "sad"})]}
    continuum = Continuum.of(units)
    mood = CombinedDissimilarity(categorial=Nominal(feature="mood"))
    data = view(continuum, best_alignment(continuum, mood), mood)
    assert data["categories"] == ["glad", "sad"]
    assert data["alignment"]["categorial"] == [1.0]


def test_labels_that_do_not_occur_are_left_out() -> None:
    feature = Feature(np.array([2, -1], dtype=np.int32), ("a", "b", "c"))
    continuum = Continuum(
        starts=[0, 1], ends=[2, 3], annotator_codes=[0, 1], annotators=["x", "y"], features={"category": feature}
    )
    data = view(continuum)
    assert (data["categories"], data["units"]["category"]) == (["c"], [0, -1])


def test_an_empty_continuum_has_no_extent() -> None:
    data = view(Continuum.of({"ann": [], "bob": []}))
    assert (data["extent"], data["categories"], data["units"]["start"]) == ([0, 0], [], [])


def test_an_alignment_of_another_continuum_is_refused() -> None:
    with pytest.raises(ValueError, match="not one of this continuum"):
        view(two(), best_alignment(two()))


def test_the_text_can_be_left_out() -> None:
    assert view(two(text="some text"))["text"] == "some text"
    data = view(two(text="some text"), text=False)
    assert (data["text"], data["axis"]) == (None, "characters")


@pytest.mark.parametrize(
    ("units", "options", "axis"),
    [
        ([(0, 5)], {"text": "twelve words"}, "characters"),
        ([(0, 5)], {"extent": Extent(0, 12, "text")}, "characters"),
        ([(0, 5)], {}, "positions"),
        ([(0, 5)], {"extent": Extent(0, 300, "duration")}, "positions"),  # frames of a film, milliseconds
        ([(0.0, 5.0)], {}, "positions"),
        ([(0.0, 5.0)], {"extent": Extent(0, 300, "duration")}, "positions"),
        ([(0.5, 5.0)], {}, "decimals"),  # seconds, or milliseconds of an eye tracker
        ([(0.5, 5.0)], {"extent": Extent(0, 300, "guessed", "s")}, "time"),
        ([(0, 5)], {"extent": Extent(0, 300, "guessed", "s")}, "time"),
        ([(0.5, 5.0)], {"extent": Extent(0, 300, "duration", "ms")}, "milliseconds"),
        ([(0, 5)], {"extent": Extent(0, 300, "duration", "frames")}, "positions"),
        ([], {}, "positions"),
    ],
)
def test_what_the_positions_count(units: list[tuple[float, float]], options: dict[str, Any], axis: str) -> None:
    continuum = Continuum.of({"ann": units, "bob": []}, **options)
    assert axis_of(continuum) == axis
    assert view(continuum)["axis"] == axis
    assert view(continuum, axis="time")["axis"] == "time"
