# SPDX-License-Identifier: MIT
"""Continua and corpora. Oracles: equal units make equal continua; a corpus survives its data frame."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

import unisono
from properties.strategies import continua, units
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
