# SPDX-License-Identifier: MIT
"""Continua and corpora. Oracles: equal units make equal continua; a corpus survives its data frame."""

from __future__ import annotations

import string

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unisono
from properties.strategies import continua, units
from unisono.errors import ParameterError
from unisono.model import Continuum, Corpus, Unit

words = st.text(string.ascii_letters + string.digits + "äß語_-", min_size=1, max_size=6)


def described_units(continuum: Continuum) -> tuple[tuple[str, ...], list[Unit]]:
    return continuum.annotators, list(continuum)


@given(continua(most=3, annotators=3), continua(most=3, annotators=3))
def test_continua_are_equal_if_their_units_are(one: Continuum, other: Continuum) -> None:
    same = (one.extent, *described_units(one)) == (other.extent, *described_units(other))
    assert (one == other) == same
    if same:
        assert hash(one) == hash(other)


@given(continua(), st.randoms(use_true_random=False))
def test_the_order_of_rows_is_not_content(continuum: Continuum, random: object) -> None:
    rows = [(name, list(continuum.units_of(name))) for name in continuum.annotators]
    random.shuffle(rows)
    for _, own in rows:
        random.shuffle(own)
    again = Continuum.of(dict(rows), name=continuum.name)
    assert again == continuum
    assert hash(again) == hash(continuum)


@given(continua())
def test_taking_apart_and_joining(continuum: Continuum) -> None:
    first, *rest = continuum.annotators
    assert continuum.restrict([first]).join(continuum.restrict(rest)) == continuum


@given(
    st.dictionaries(
        words, st.dictionaries(words, st.lists(st.tuples(units, words)), min_size=1, max_size=3), min_size=1, max_size=3
    ),
    st.sampled_from(["pandas", "polars", "pyarrow"]),
)
def test_a_corpus_survives_its_data_frame(documents: dict[str, dict[str, list]], backend: str) -> None:
    corpus = Corpus(
        tuple(
            Continuum.of(
                {
                    who: [Unit(*unit, features={"note": label}) for unit, label in marked]
                    for who, marked in document.items()
                },
                name=name,
            )
            for name, document in documents.items()
        )
    )
    if corpus.n_units:
        assert unisono.read(corpus.to_frame(backend=backend)) == corpus


repeated = st.tuples(st.integers(0, 2), st.sampled_from(["A", "B", None]), st.sampled_from(["x", "y"]))


@given(st.dictionaries(words, st.lists(repeated, max_size=8), min_size=1, max_size=3), st.data())
def test_repeats_choices_and_changed_columns(marked: dict[str, list], data: st.DataObject) -> None:
    """Held against lists of units, which know nothing of columns."""
    by_annotator = {
        who: [Unit(start, start + 1, category, features={"note": note}) for start, category, note in rows]
        for who, rows in marked.items()
    }
    continuum = Continuum.of(by_annotator, name="d", extent=(0, 20), text="x" * 20)
    every = list(continuum)
    assert continuum.is_repeat.tolist() == [unit in every[:i] for i, unit in enumerate(every)]
    assert list(continuum.without_equal_units()) == [unit for i, unit in enumerate(every) if unit not in every[:i]]
    chosen = data.draw(st.lists(st.booleans(), min_size=len(every), max_size=len(every)))
    taken = continuum.take(np.array(chosen, dtype=np.bool_))
    assert list(taken) == [unit for unit, is_chosen in zip(every, chosen, strict=True) if is_chosen]
    assert (taken.annotators, taken.extent, taken.text) == (continuum.annotators, continuum.extent, continuum.text)
    assert continuum.replace() == continuum
    starts = data.draw(st.permutations(range(len(every))).map(lambda order: np.array(order, dtype=np.int64) % 7))
    moved = continuum.replace(starts=starts, ends=starts + 2)
    expected = {who: [] for who in continuum.annotators}
    for unit, start in zip(every, starts.tolist(), strict=True):
        expected[unit.annotator].append(Unit(start, start + 2, unit.category, features=unit.features))
    assert moved == Continuum.of(expected, name="d", extent=(0, 20), text="x" * 20)


def test_numbers_of_units_are_no_choice() -> None:
    continuum = Continuum.of({"ann": [(0, 1), (2, 3), (4, 5)]})
    for given_units in (np.array([0, 2]), np.array([True, False])):
        with pytest.raises(ParameterError, match="Give true or false for each of the 3 units"):
            continuum.take(given_units)
