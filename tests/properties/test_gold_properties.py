# SPDX-License-Identifier: MIT
"""The gold standard. Oracles: its slow twin (tests/reference/gold.py); what must hold for any data."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from generators import NAMES, renamed, tiny_continuum
from properties.strategies import continua
from reference.gold import consensus
from unisono.model import Continuum, Unit

RULES = st.sampled_from(["median", "majority"])
LEAST = st.sampled_from([None, 1, 2, 3])


def outcome(gold: unisono.Gold) -> list[tuple[object, ...]]:
    """What the gold standard says of every unitary alignment."""
    units = [document.unit(i) for document in gold.documents for i in range(len(document))]
    return [(u.start, u.end, u.category, u.support, u.kept, u.look) for u in units]


def twin(continuum: Continuum, **options: object) -> list[tuple[object, ...]]:
    rows = consensus(unisono.best_alignment(continuum), **options)  # type: ignore[arg-type]
    return [(u.start, u.end, u.category, u.support, u.kept, u.look) for u in rows]


@given(continua(), RULES, LEAST, st.sampled_from([0, 0.25, 0.5, 1]), st.booleans())
def test_equals_the_twin(continuum: Continuum, boundaries: str, least: int | None, overlap: float, same: bool) -> None:
    options = {"boundaries": boundaries, "min_annotators": least, "same_category": same}
    gold = unisono.gold(continuum, overlap=overlap, **options)  # type: ignore[arg-type]
    assert outcome(gold) == twin(continuum, overlap=Fraction(overlap), **options)


@pytest.mark.parametrize("decimal", [False, True])
@pytest.mark.parametrize("boundaries", ["median", "majority"])
def test_equals_the_twin_among_ties(boundaries: str, decimal: bool) -> None:
    """Tiny continua are full of ties; weights are millionths of the largest, so that both count in whole numbers."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        continuum = tiny_continuum(rng, most_units=10)
        if decimal:
            units = {
                a: [Unit(u.start / 4, u.end / 4, u.category) for u in continuum.units_of(a)]
                for a in continuum.annotators
            }
            continuum = Continuum.of(units)
        whole = {name: int(rng.integers(0, 4)) for name in continuum.annotators}
        whole[continuum.annotators[0]] = 4  # the largest: a million
        gold = unisono.gold(continuum, weights=whole, boundaries=boundaries)
        expected = twin(continuum, weights={name: w * 250_000 for name, w in whole.items()}, boundaries=boundaries)
        assert outcome(gold) == expected, (whole, list(continuum))


@given(continua(), st.permutations(NAMES[:5]))
def test_names_of_annotators_do_not_count(continuum: Continuum, names: list[str]) -> None:
    other = renamed(continuum, dict(zip(NAMES, names, strict=False)))
    assert Counter(outcome(unisono.gold(continuum))) == Counter(outcome(unisono.gold(other)))
    weighted = [unisono.gold(c, vote="weighted") for c in (continuum, other)]
    assert Counter(outcome(weighted[0])) == Counter(outcome(weighted[1]))


@given(continua(), st.integers(2, 5), RULES, st.sampled_from(["majority", "weighted"]))
def test_annotators_who_agree_are_the_gold_standard(continuum: Continuum, n: int, boundaries: str, vote: str) -> None:
    units = [(u.start, u.end, u.category) for u in continuum.units_of(continuum.annotators[0])]
    same = Continuum.of(dict.fromkeys(NAMES[:n], units))
    gold = unisono.gold(same, boundaries=boundaries, vote=vote)  # type: ignore[arg-type]
    made = gold.corpus()[0]
    assert Counter((u.start, u.end, u.category) for u in made) == Counter(units)
    assert all(unit.support == n and set(unit.look) <= {"twice"} for unit in gold.units)


@given(st.integers(0, 10**6))
def test_two_who_agree_outvote_the_third(seed: int) -> None:
    """The third marks noise far away: what the other two agree on is the gold standard, the noise is dropped."""
    rng = np.random.default_rng(seed)
    starts = np.cumsum(rng.integers(10, 30, size=6))
    units = [(int(s), int(s + rng.integers(2, 9)), str(rng.choice(["A", "B"]))) for s in starts]
    noise = [(int(s) + 10_000, int(s) + 10_004, "C") for s in starts[:4]]
    gold = unisono.gold(Continuum.of({"ann": units, "bob": units, "noise": noise}))
    assert [(u.start, u.end, u.category) for u in gold.units] == units
    assert {(u.start, u.look) for u in gold.adjudication()} == {(start, ("dropped",)) for start, _, _ in noise}


@given(continua())
def test_positions_are_inside_what_was_marked(continuum: Continuum) -> None:
    """Every gold boundary lies between the outermost of its units; a whole one was chosen by somebody."""
    for rule in ("median", "majority"):
        (document,) = unisono.gold(continuum, boundaries=rule).documents  # type: ignore[arg-type]
        for i in range(len(document)):
            unit = document.unit(i)
            marked = [u for u in document.theirs(i).values() if u is not None]
            assert unit.start <= unit.end
            assert min(u.start for u in marked) <= unit.start <= max(u.start for u in marked)
            assert min(u.end for u in marked) <= unit.end <= max(u.end for u in marked)
            if continuum.has_integer_positions:
                assert unit.start in {u.start for u in marked}
                assert unit.end in {u.end for u in marked}
