# SPDX-License-Identifier: MIT
"""Numbers by content: the slow twin's numbers and digests; renamed documents have the same."""

from __future__ import annotations

import numpy as np
import pytest

from generators import described, tiny_continuum
from reference import content
from unisono.dissimilarity.numbering import number_continua, number_corpus, number_like, numbering_of
from unisono.model import Continuum


def regular_continuum(rng: np.random.Generator) -> Continuum:
    """Units at one or two places, every annotator with as many and every category as often: full of symmetry."""
    n, per_annotator = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    labels = [label for label in "ABCDEF"[:n] for _ in range(per_annotator)]
    rng.shuffle(labels)
    places = [(0, 5), (7, 9)][: int(rng.integers(1, 3))]
    rows = {
        name: [(*place, label) for place in places for label in labels[i * per_annotator : (i + 1) * per_annotator]]
        for i, name in enumerate("vwxyz"[:n])
    }
    return Continuum.of(rows, name="regular")


def with_features(rng: np.random.Generator, continuum: Continuum) -> Continuum:
    """The same units with two more features, some labels missing."""
    rows: dict[str, list[object]] = {name: [] for name in continuum.annotators}
    for unit in continuum:
        features = {name: str(rng.choice(["p", "q", "r"])) for name in ("sure", "other") if rng.random() < 0.8}
        rows[str(unit.annotator)].append(type(unit)(unit.start, unit.end, unit.category, unit.annotator, features))
    return Continuum.of(rows, name=continuum.name)


def renamed(rng: np.random.Generator, continuum: Continuum) -> tuple[Continuum, dict[str, str], dict[str, str]]:
    """Annotators and the labels of every feature under other names, in another order."""
    names = dict(zip(continuum.annotators, rng.permutation([f"n{i}" for i in range(9)]).tolist(), strict=False))
    labels = dict(zip([*"ABCDEFpqr"], rng.permutation([f"l{i}" for i in range(9)]).tolist(), strict=True))
    rows: dict[str, list[object]] = {names[name]: [] for name in rng.permutation(list(continuum.annotators)).tolist()}
    for unit in rng.permutation(np.array([*continuum, None], dtype=object))[:]:
        if unit is not None:
            features = {name: labels[label] for name, label in unit.features.items() if label is not None}
            category = None if unit.category is None else labels[unit.category]
            rows[names[unit.annotator]].append(type(unit)(unit.start, unit.end, category, None, features))
    return Continuum.of(rows, extent=continuum.extent, name="renamed"), names, labels


@pytest.mark.parametrize("kind", ["tiny", "regular", "features"])
def test_numbers_equal_the_twin(kind: str) -> None:
    """Oracle: colour refinement by the letter."""
    rng = np.random.default_rng(7)
    for _ in range(300):
        continuum = regular_continuum(rng) if kind == "regular" else tiny_continuum(rng)
        if kind == "features":
            continuum = with_features(rng, continuum)
        expected, found = content.numbers(continuum), numbering_of(continuum)
        assert found.annotators == expected.annotators, described(continuum)
        assert found.labels["category"] == expected.categories, described(continuum)
        assert found.digest == expected.digest, described(continuum)


@pytest.mark.parametrize("kind", ["tiny", "regular", "features"])
def test_renamed_documents_have_the_same_numbers(kind: str) -> None:
    """Property: the units by numbers are the same rows, whatever everything is called and in which order it comes."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        continuum = regular_continuum(rng) if kind == "regular" else tiny_continuum(rng)
        if kind == "features":
            continuum = with_features(rng, continuum)
        other, _, _ = renamed(rng, continuum)
        one, two = number_continua([continuum]), number_continua([other])
        assert one.digests == two.digests, described(continuum)
        for column in ("annotators", "contents", "starts", "ends"):
            a, b = (getattr(numbers, column)[numbers.order] for numbers in (one, two))
            assert a.tolist() == b.tolist(), (column, described(continuum))
        assert one.labels[:, one.order].tolist() == two.labels[:, two.order].tolist()


def test_numbers_do_not_depend_on_the_other_documents() -> None:
    rng = np.random.default_rng(9)
    continua = [with_features(rng, tiny_continuum(rng)) if k % 3 == 0 else tiny_continuum(rng) for k in range(40)]
    together = number_continua(continua)
    assert together.digests == tuple(numbering_of(continuum).digest for continuum in continua)
    assert [together.numbering(i).annotators for i in range(40)] == [numbering_of(c).annotators for c in continua]


def test_a_corpus_is_numbered_in_an_order_of_its_own() -> None:
    """Property: documents reordered, annotators renamed document by document, categories renamed for all alike."""
    rng = np.random.default_rng(10)
    for _ in range(150):
        continua = [
            regular_continuum(rng) if rng.random() < 0.6 else tiny_continuum(rng) for _ in range(rng.integers(2, 7))
        ]
        continua += continua[:1]  # equal documents
        labels = dict(zip("ABCDEF", rng.permutation([f"l{i}" for i in range(6)]).tolist(), strict=True))
        others = []
        for k in rng.permutation(len(continua)).tolist():
            names = dict(zip(continua[k].annotators, rng.permutation(list("pqrstuvw")).tolist(), strict=False))
            rows = {
                names[name]: [
                    (unit.start, unit.end, None if unit.category is None else labels[unit.category])
                    for unit in continua[k].units_of(name)
                ]
                for name in continua[k].annotators
            }
            others.append(Continuum.of(rows, extent=continua[k].extent, name=f"other {k}"))
        one, two = number_corpus(continua), number_corpus(others)
        assert one.firsts.tolist() == two.firsts.tolist()
        for column in ("annotators", "contents", "starts", "ends"):
            a, b = (getattr(numbers, column)[numbers.order] for numbers in (one, two))
            assert a.tolist() == b.tolist(), (column, [described(continuum) for continuum in continua])


def test_minus_zero_is_the_same_place() -> None:
    """Equal continua have equal digests."""
    one, two = (
        Continuum.of({"ann": [(zero, 5.0, "A")], "bob": [(0.5, 5.0, "A")]}, extent=(0.0, 9.0)) for zero in (0.0, -0.0)
    )
    assert one == two
    assert numbering_of(one).digest == numbering_of(two).digest


def test_a_variant_keeps_the_numbers_of_the_original() -> None:
    original = Continuum.of({"ann": [(0, 5, "A"), (9, 12, "B")], "bob": [(1, 5, "A")], "cem": [(2, 6, "B")]})
    variant = Continuum.of({"zoe": [(0, 2, "C")], "ann": [(4, 5, "B")], "cem": [(2, 6, "A")]})
    found, own = numbering_of(number_like(variant, original)), numbering_of(original)
    assert own.annotators == ("ann", "bob", "cem")
    assert found.digest == own.digest
    assert found.annotators == ("ann", "cem", "zoe")
    assert found.labels["category"] == ("A", "B", "C")
    assert numbering_of(variant).digest != own.digest
