# SPDX-License-Identifier: MIT
"""Versions of a text and what is asked of them. Oracle: what the constructor was given; messages as users see them."""

from __future__ import annotations

import re

import pytest

from unisono.dissimilarity import Matrix, Ordinal
from unisono.errors import CorpusError, ParameterError, SolverLimitError, UnitError
from unisono.measures.text_gamma import text_gamma
from unisono.model import Continuum
from unisono.text import (
    GAP,
    Prior,
    RandomEdits,
    TextDissimilarity,
    TextUnit,
    TextVersions,
    Version,
    best_text_alignment,
    observed_disorder,
)


def two(a: Version, b: Version, base: Version | None = None) -> TextVersions:
    return TextVersions.of({"ann": a, "bob": b}, base=base, name="doc")


def test_units_come_out_as_they_went_in() -> None:
    units = [TextUnit(3, 5, features={"pos": "B"}), TextUnit(0, 5, "sentence"), TextUnit(0, 2, features={"pos": "A"})]
    version = Version.of("so so", units)
    assert [version[i] for i in range(3)] == [
        TextUnit(0, 2, "token", {"pos": "A"}),
        TextUnit(0, 5, "sentence", {"pos": None}),
        TextUnit(3, 5, "token", {"pos": "B"}),
    ]


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([(0, 9)], "the unit 0-9 is not inside the text, which has 5 characters"),
        ([(-1, 2)], "the unit -1-2 is not inside"),
        ([(2, 1)], "the unit 2-1 is not inside"),
        ([(0, 3), (2, 5)], "the units 0-3 and 2-5 of the type 'token' overlap"),
        ([(0.5, 2.0)], "the offsets are of type float64, not whole numbers"),
        ([(1,)], "(1,) is not a unit"),
    ],
)
def test_impossible_units(units: list[tuple[float, ...]], message: str) -> None:
    with pytest.raises(UnitError, match=re.escape(message)):
        Version.of("so so", units)


def test_overlapping_units_of_different_types_are_fine() -> None:
    a = Version.of("so so", [TextUnit(0, 4, "phrase"), TextUnit(2, 5, "clause")])
    assert observed_disorder(two(a, a)) == 0


def test_nothing_to_measure() -> None:
    empty, one = Version.of("", []), Version.marked("{so}")
    assert text_gamma(two(empty, empty)).value.reason == "nobody marked any unit"
    with pytest.raises(CorpusError, match="at least two annotators"):
        text_gamma(TextVersions.of({"ann": one}))
    with pytest.raises(CorpusError, match="this is a Continuum, not the versions of a text"):
        text_gamma(Continuum.of({"a": [(0, 1)], "b": []}))  # type: ignore[arg-type]
    with pytest.raises(CorpusError, match="at least one unit"):
        best_text_alignment(two(empty, empty))


def test_an_empty_text_beside_one_that_is_not() -> None:
    # Three units against none, 1.5 in the mean, each of them alone.
    assert observed_disorder(two(Version.of("", []), Version.marked("{a} {b} {c}"))) == 2


def test_two_texts_with_nothing_in_common() -> None:
    found = text_gamma(two(Version.marked("{aa} {bb}"), Version.marked("{cc} {dd}")), seed=1).value
    # The boundaries match, so that the units are aligned, and every text differs.
    assert found.observed == 1
    assert found.value is not None


def test_limits_are_said() -> None:
    a, b = Version.of("ab" * 3000, [(0, 6000)]), Version.of("cd" * 3000, [(0, 6000)])
    with pytest.raises(SolverLimitError, match="doc: a memory limit stopped the alignment of two versions that differ"):
        best_text_alignment(two(a, b), memory_limit=10_000)
    with pytest.raises(SolverLimitError, match="a time limit"):
        best_text_alignment(two(a, b), time_limit=1e-6)


def test_gaps_as_units() -> None:
    a, b = Version.marked("{so}  {so}"), Version.marked("{so} {so}")
    assert observed_disorder(two(a, b)) == 0, "changes outside units have no influence"
    alignment = best_text_alignment(two(a, b), count_gaps=True)
    assert alignment.disorder == pytest.approx(1 / 3)
    gaps = [unitary for unitary in alignment.unitary_alignments if unitary.units[0] and unitary.units[0].type == GAP]
    assert [unitary.texts for unitary in gaps] == [("  ", " ")]
    named = Version.of("so", [TextUnit(0, 2, GAP)])
    with pytest.raises(ParameterError, match="there are units of the type 'gap'"):
        observed_disorder(two(named, named), count_gaps=True)


def test_several_types_by_hand() -> None:
    a = Version.of("so na.", [TextUnit(0, 6, "sentence"), TextUnit(0, 2), TextUnit(3, 5), TextUnit(5, 6)])
    b = Version.of("so na.", [TextUnit(0, 6, "sentence"), TextUnit(0, 2), TextUnit(3, 6)])
    assert two(a, b).types == ("sentence", "token")
    # Sentences and so agree; na, the full stop and na. stand alone, as the boundaries do not fit: 3 over 3.5.
    assert observed_disorder(two(a, b)) == pytest.approx(3 / 3.5)


def test_features_of_a_type_count_for_that_type_alone() -> None:
    a = Version.of("so na", [TextUnit(0, 5, "sentence"), TextUnit(0, 2, features={"pos": "A"}), TextUnit(3, 5)])
    b = Version.of("so nu", [TextUnit(0, 5, "sentence"), TextUnit(0, 2, features={"pos": "B"}), TextUnit(3, 5)])
    disorders = {u.texts[0]: u.disorder for u in best_text_alignment(two(a, b)).unitary_alignments}
    assert disorders == {"so na": 1.0, "so": 0.5, "na": 0.5}


def test_dissimilarities_of_features() -> None:
    a, b = (Version.of("so", [(0, 2, {"pos": x, "lemma": "s"})]) for x in ("1", "3"))
    other = Version.of("so", [(0, 2, {"pos": "5", "lemma": "s"})])
    versions = TextVersions.of({"a": a, "b": b, "c": other})
    ordinal = TextDissimilarity(features=[Ordinal(feature="pos"), "lemma"])
    # Ranks 0, 1, 2 of 2: 0.5, 1 and 0.5 for the three pairs, a third of each.
    assert observed_disorder(versions, ordinal) == pytest.approx((0.5 + 1 + 0.5) / 3 / 3)
    matrix = TextDissimilarity(features=[Matrix({("1", "3"): 0.2}, feature="pos")], weights={"pos": 3})
    assert observed_disorder(two(a, b), matrix) == pytest.approx(0.2 * 3 / 4)
    assert matrix.fitted(two(a, b)).signature.startswith("text:nominal,pos:matrix(")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TextDissimilarity("jaro"), "'nominal' or 'levenshtein'"),  # type: ignore[arg-type]
        (lambda: TextDissimilarity(features="pos"), "a sequence of features"),
        (lambda: TextDissimilarity(features=["pos", "pos"]), "each feature once"),
        (lambda: TextDissimilarity(features=[Ordinal(feature="pos", f_cat="steep")]), "f_cat='identity'"),
        (lambda: TextDissimilarity(weights={"pos": -1}), "pos"),
        (lambda: TextDissimilarity(delta_empty=0), "delta_empty"),
        (lambda: RandomEdits(1.5), "p_text is 1.5, not a probability"),
        (lambda: RandomEdits(p_further=1), "p_further is 1, so edits would never end"),
        (lambda: Prior(0.5, 0), "a strength above 0"),
    ],
)
def test_impossible_parameters(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(message)):
        make()  # type: ignore[operator]


def test_unknown_features_and_costs() -> None:
    a = Version.of("so", [(0, 2, {"pos": "X"})])
    with pytest.raises(ParameterError, match=re.escape("doc: no unit has the feature 'lemma'. The features are pos")):
        observed_disorder(two(a, a), TextDissimilarity(features=["lemma"]))
    for gap_b, message in ((0.0, "not a number above 0"), (1.2345, "whole numbers up to 50")):
        with pytest.raises(ParameterError, match=message):
            observed_disorder(two(a, a), gap_b=gap_b)


def test_too_many_types() -> None:
    a = Version.of("x" * 20, [TextUnit(i, i + 1, f"type {i}") for i in range(9)])
    with pytest.raises(CorpusError, match="there are 9 types of units"):
        observed_disorder(two(a, a))


def test_undefined_and_certain_values() -> None:
    a, b = Version.marked("{so} {na}"), Version.marked("{so} {nu}")
    same = text_gamma(two(a, a, base=a)).value
    assert (same.value, same.expected) == (1.0, 0.0)
    other = text_gamma(two(a, b, base=a), chance=RandomEdits(0.0, 0.0)).value
    assert other.value is None
    assert other.reason == "the expected disorder is 0 and the observed one is not"


def test_a_base_without_units() -> None:
    a, empty = Version.marked("{so} {na}"), Version.of("so na", [])
    found = text_gamma(two(a, a, base=empty)).value
    assert (found.value, found.reason) == (
        None,
        "the pre-annotation has no unit: there is nothing that chance could edit",
    )
    # Without a base, only versions with units serve as one.
    assert text_gamma(two(a, empty), chance=RandomEdits(0.5, 0.5)).value.value is not None


def test_fingerprint_is_of_the_contents() -> None:
    a, b = Version.marked("{so}"), Version.marked("{so} {so}")
    assert two(a, b).sha256 == TextVersions.of({"bob": b, "ann": a}, name="doc").sha256
    assert len({two(a, b).sha256, two(b, a).sha256, two(a, b, a).sha256}) == 3
