# SPDX-License-Identifier: MIT
"""What is said before the values. Oracle: corpora made for one caution each, counted by hand; a full measurement."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import unisono
from unisono.chance import number_like
from unisono.measures.sensitivity import lengthen
from unisono.model import Corpus, Extent
from unisono.results import Caution, CautionCode, Result

GOOD = {"ann": [(0, 5, "A"), (8, 12, "B")], "bob": [(0, 6, "A"), (8, 12, "A")]}


def caution(result: Result, code: CautionCode) -> Caution | None:
    found = [each for each in result.cautions if each.code == code]
    assert len(found) <= 1
    return found[0] if found else None


def test_few_documents_and_annotators() -> None:
    """One of four documents has two annotators, two of five annotators are in it."""
    alone = {f"d{i}": {f"a{i}": [(0, 5, "A")]} for i in range(3)}
    result = unisono.measure(unisono.corpus({"good": GOOD, **alone}), ["gamma", "gamma-cat"], seed=1, samples=30)
    documents = caution(result, CautionCode.FEW_DOCUMENTS)
    assert documents is not None
    assert documents.measures == ("gamma", "gamma-cat")
    assert documents.sentence == (
        "γ and γcat rest on 1 of 4 documents. Not measured: 3 (needs at least two annotators)."
    )
    annotators = caution(result, CautionCode.FEW_ANNOTATORS)
    assert annotators is not None
    assert "2 of 5 annotators" in annotators.sentence
    assert [each["code"] for each in result.to_dict()["cautions"]][:2] == ["few-documents", "few-annotators"]


def test_half_of_the_documents_is_enough() -> None:
    result = unisono.measure(unisono.corpus({"good": GOOD, "alone": {"ann": [(0, 5, "A")]}}), seed=1, samples=30)
    assert caution(result, CautionCode.FEW_DOCUMENTS) is None


def test_degenerate_chance() -> None:
    one = unisono.continuum({"ann": [(0, 5, "A"), (7, 9, "A")], "bob": []}, extent=(0, 30))
    found = caution(unisono.measure(one, seed=1, samples=30), CautionCode.DEGENERATE_CHANCE)
    assert found is not None
    assert found.sentence == (
        "Chance is degenerate: only one annotator marked units, so that chance is made of theirs alone."
    )
    several = unisono.corpus({"one": {"ann": [(0, 5, "A")], "bob": []}, "two": GOOD, "three": GOOD})
    found = caution(unisono.measure(several, seed=1, samples=30), CautionCode.DEGENERATE_CHANCE)
    assert found is not None
    assert found.sentence.startswith("Chance is degenerate in 1 of 3 documents: in 1 only one annotator")
    assert caution(unisono.measure(unisono.corpus({"d": GOOD}), seed=1), CautionCode.DEGENERATE_CHANCE) is None


@pytest.fixture(scope="module")
def short() -> Corpus:
    """Segmentations: between the units there is no room, but an extent a tenth longer has some."""
    rng = np.random.default_rng(5)

    def segments() -> list[tuple[int, int, str]]:
        bounds = [0, *sorted(rng.choice(np.arange(1, 100), size=10, replace=False).tolist()), 100]
        return [(start, end, str(rng.choice(["A", "B", "C"]))) for start, end in itertools.pairwise(bounds)]

    return unisono.corpus({f"d{i}": {"ann": segments(), "bob": segments()} for i in range(20)})


def test_guessed_extents(short: Corpus) -> None:
    """What is said equals a measurement with extents a tenth longer, on the same random numbers, up to noise."""
    result = unisono.measure(short, seed=1, samples=200)
    found = caution(result, CautionCode.GUESSED_EXTENT)
    assert found is not None
    said, instead = (float(each) for each in re.findall(r"(-?\d\.\d\d)\b", found.sentence)[:2])
    longer = unisono.measure(Corpus(tuple(map(lengthen, short))), seed=1, samples=200)["gamma"].value
    assert result["gamma"].value is not None
    assert longer is not None
    assert instead == round(result["gamma"].value, 2)
    assert said == pytest.approx(longer, abs=0.015)
    assert abs(longer - result["gamma"].value) > 0.01
    assert "extent=" in result.to_dict()["cautions"][0]["sentence"]


def test_extents_that_are_known_need_no_caution(short: Corpus) -> None:
    known = Corpus(tuple(number_like(c.with_extent(Extent(0, 100)), c) for c in short))
    assert caution(unisono.measure(known, seed=1, samples=30), CautionCode.GUESSED_EXTENT) is None
    kept = unisono.measure(short, seed=1, samples=30, chance="positions-kept")
    assert caution(kept, CautionCode.GUESSED_EXTENT) is None


def test_chance_that_hardly_ever_joins_categories() -> None:
    """Figure 7 of 2017, with one disagreement: three of four pairs agree, and γcat is far below 0."""
    figure = unisono.continuum(
        {
            "ann": [(0, 30, "A"), (30, 31, "B"), (40, 70, "A"), (70, 71, "B")],
            "bob": [(0, 30, "A"), (30, 31, "A"), (40, 70, "A"), (70, 71, "B")],
        }
    )
    result = unisono.measure(figure, ["gamma-cat", "alpha-on-alignment"], seed=1, samples=300)
    value = result["gamma-cat"].value
    assert value is not None
    assert value < 0
    assert result["gamma-cat"].observed == 0.25
    found = caution(result, CautionCode.CHANCE_OF_CATEGORIES)
    assert found is not None
    assert "25 % of the pairs differ" in found.sentence
    assert f"α(γ), on the same alignments, is {result['alpha-on-alignment'].value:.2f}" in found.sentence
    usual = unisono.measure(unisono.continuum(GOOD), "gamma-cat", seed=1, samples=100)
    assert caution(usual, CautionCode.CHANCE_OF_CATEGORIES) is None


def test_cautions_come_first_and_survive_json(short: Corpus) -> None:
    result = unisono.measure(short, seed=1, samples=200)
    assert str(result).startswith("CAUTION: The extent of 20 of 20 documents was guessed")
    again = unisono.Result.from_dict(result.to_dict())
    assert [each.to_dict() for each in again.cautions] == result.to_dict()["cautions"]


def test_random_continua_without_any_disorder_say_nothing_about_the_extent() -> None:
    """One unit, nine samples: those that are drawn again may all be empty of disorder; any seed has an answer."""
    corpus = unisono.corpus({"d": {"a": [], "b": [(15, 16, "X")]}})
    for seed in (21010005010, *range(20)):
        assert caution(unisono.measure(corpus, seed=seed, samples=9), CautionCode.GUESSED_EXTENT) is None


@pytest.mark.parametrize("categorial", ["tree", "jaccard"])
def test_undivided_categories(categorial: str) -> None:
    """Oracle: without the separator every two labels differ by 1, which is nominal; with it they do not."""
    labels = ("loc.city", "loc.river")
    both = {"ann": [(0, 5, labels[0]), (8, 12, labels[1])], "bob": [(0, 5, labels[1]), (8, 12, labels[1])]}
    continuum = unisono.continuum(both, extent=(0, 30))
    nominal = unisono.measure(continuum, seed=1, samples=30)
    undivided = unisono.measure(continuum, seed=1, samples=30, categorial=categorial)
    assert undivided["gamma"].value == nominal["gamma"].value
    found = caution(undivided, CautionCode.UNDIVIDED_CATEGORIES)
    assert found is not None
    assert found.measures == ("gamma",)
    assert "[[category_separator]]" in found.sentence
    divided = unisono.measure(continuum, seed=1, samples=30, categorial=categorial, category_separator=".")
    assert divided["gamma"].value != nominal["gamma"].value
    assert caution(divided, CautionCode.UNDIVIDED_CATEGORIES) is None
    assert caution(nominal, CautionCode.UNDIVIDED_CATEGORIES) is None
