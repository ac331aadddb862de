# SPDX-License-Identifier: MIT
"""Two agreements compared. Oracles: every permutation enumerated by the slow twins, values that `measure` gives."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import unisono
from reference import inference as twin
from unisono.analysis.annotators import groups
from unisono.analysis.compare import Comparison, compare
from unisono.errors import CorpusError, ParameterError
from unisono.intervals.ratios import document_ratios
from unisono.model import Continuum, Corpus
from unisono.results import MeasureValue


def corpus(n: int, moved: int, annotators: str = "ab", *, seed: int = 0, first: int = 0) -> Corpus:
    """Documents of five units; each annotator moves boundaries by up to `moved` positions."""
    rng = np.random.default_rng(seed)
    continua = []
    for i in range(n):
        rows = {}
        labels = rng.integers(0, 2, 5)
        for name in annotators:
            moves = rng.integers(0, moved + 1, (5, 2)).tolist()
            rows[name] = [
                (12 * k + s, 12 * k + 6 + e, "XY"[labels[k]]) for k, (s, e) in enumerate(moves) if rng.random() > 0.1
            ]
        continua.append(Continuum.of(rows, extent=(0, 70), name=f"d{first + i}"))
    return Corpus(tuple(continua))


def pairs(result: unisono.Result) -> list[tuple[float, float]]:
    found = document_ratios(result, "gamma")
    return list(zip(found.numerators.tolist(), found.denominators.tolist(), strict=True))


def measured(data: Corpus) -> unisono.Result:
    return unisono.measure(data, seed=3, samples=20)


def test_the_pairs_add_up_to_the_pooled_value() -> None:
    result = measured(corpus(8, 3))
    assert document_ratios(result, "gamma").value == pytest.approx(result["gamma"].value, abs=1e-12)


@pytest.mark.parametrize("design", ["paired", "unpaired"])
def test_against_enumeration(design: str) -> None:
    a, b = corpus(6, 1), corpus(6, 4, seed=1)
    found = compare(a, b, design=design, seed=3, samples=20)  # type: ignore[arg-type]
    first, second = measured(a), measured(b)
    assert found.a == pytest.approx(first["gamma"].value, abs=1e-12)
    assert found.b == pytest.approx(second["gamma"].value, abs=1e-12)
    assert found.difference == pytest.approx(twin.value(pairs(first)) - twin.value(pairs(second)), abs=1e-12)
    known = (twin.all_swaps if design == "paired" else twin.all_exchanges)(pairs(first), pairs(second))
    assert found.p == pytest.approx(known, abs=1e-12)
    assert found.is_exact
    assert (found.design, found.documents) == (design, (6, 6))
    assert found.interval is not None
    assert found.interval.low < (found.difference or 0) < found.interval.high


def test_results_and_data_give_the_same() -> None:
    a, b = corpus(6, 1), corpus(6, 4, seed=1)
    direct = compare(a, b, design="paired", seed=3, samples=20)
    stored = unisono.Result.from_dict(json.loads(json.dumps(measured(b).to_dict())))
    assert compare(measured(a), stored, design="paired", seed=3) == direct


@pytest.mark.parametrize(("n", "groups_of"), [(1, ("abc", "xyz")), (2, ("ab", "xyz"))])
def test_groups_of_annotators_against_enumeration(n: int, groups_of: tuple[str, str]) -> None:
    a, b = corpus(n, 1, groups_of[0]), corpus(n, 5, groups_of[1], seed=1)
    found = compare(a, b, design="annotators", seed=3, samples=20)
    whole = [x.join(y) for x, y in zip(a, b, strict=True)]
    cache: dict[tuple[int, frozenset[str]], tuple[float, float]] = {}

    def pair(document: int, group: frozenset[str]) -> tuple[float, float]:
        if (document, group) not in cache:
            cache[document, group] = pairs(measured(Corpus((whole[document].restrict(group),))))[0]
        return cache[document, group]

    known = twin.all_splits([(x.annotators, y.annotators) for x, y in zip(a, b, strict=True)], pair)
    assert found.is_exact
    assert found.p == pytest.approx(known, abs=1e-12)
    assert found.a == pytest.approx(measured(Corpus(tuple(whole)).restrict(list(groups_of[0])))["gamma"].value)


def test_random_splits_approach_all_of_them() -> None:
    a, b = corpus(3, 2, "abc", seed=5), corpus(3, 3, "xyz", seed=6)
    exact = compare(a, b, design="annotators", seed=3, samples=10, permutations=8000)
    drawn = compare(a, b, design="annotators", seed=3, samples=10, permutations=600)
    assert exact.is_exact
    assert exact.n_permutations == 20**3 - 1
    assert not drawn.is_exact
    assert (exact.a, exact.b, exact.interval) == (drawn.a, drawn.b, drawn.interval)
    assert exact.p is not None
    assert drawn.p == pytest.approx(exact.p, abs=4 * np.sqrt(exact.p * (1 - exact.p) / 600) + 1 / 600)


def test_groups_of_one_corpus() -> None:
    whole = Corpus(tuple(x.join(y) for x, y in zip(corpus(2, 1, "abc"), corpus(2, 4, "xyz", seed=1), strict=True)))
    first, second = groups(whole, ["a", "b", "c"], ["x", "y"])
    assert first.annotators == ("a", "b", "c")
    assert second.annotators == ("x", "y")
    with pytest.raises(ParameterError, match=r"'a' is in both groups. Name each annotator in one group only"):
        groups(whole, ["a", "b"], ["a", "x"])
    with pytest.raises(ParameterError, match=r"no annotator is called 'bob'. Did you mean 'b'"):
        groups(whole, ["a", "bob"], ["x", "y"])


def test_only_common_documents_are_paired() -> None:
    a, b = corpus(8, 1), corpus(7, 4, seed=1, first=2)
    found = compare(a, b, design="paired", seed=3, samples=20)
    assert found.documents == (6, 6)
    assert found.notes[0] == "6 of 8 documents could be measured on both sides; the others are left out"
    assert found.a == pytest.approx(measured(Corpus(a.continua[2:]))["gamma"].value)


def test_no_common_document() -> None:
    a, b = corpus(4, 1), corpus(2, 4, first=10)
    expected = re.escape(
        "the sides have no document in common: 'd0', 'd1', 'd2', ... against 'd10', 'd11'. Give the same documents"
    )
    for design in ("paired", "annotators"):
        with pytest.raises(CorpusError, match=expected) as caught:
            compare(a, b, design=design, seed=1, samples=5)  # type: ignore[arg-type]
        assert caught.value.problems[0].code == "no-common-document"


def test_too_few_permutations_give_no_p() -> None:
    found = compare(corpus(4, 1), corpus(4, 4, seed=1), design="paired", seed=1, samples=20)
    assert found.p is None
    assert found.reason is not None
    assert found.reason.startswith("only 16 distinct permutations exist")
    assert found.difference is not None
    found = compare(corpus(1, 1, "ab"), corpus(1, 4, "xy"), design="annotators", seed=1, samples=20)
    assert found.reason == "only 6 distinct permutations exist (annotators of 1 document); a test needs at least 20"


def test_a_side_without_value() -> None:
    empty = Corpus(tuple(Continuum.of({"a": [], "b": []}, name=f"d{i}") for i in range(6)))
    found = compare(corpus(6, 1), empty, design="paired", seed=1, samples=20)
    assert (found.difference, found.p, found.interval) == (None, None, None)
    assert found.reason == "side a has no value: the expected disorder is 0 in every document"


def test_bad_parameters() -> None:
    a, b = corpus(5, 1), corpus(5, 2)
    with pytest.raises(
        ParameterError, match=r"'crossed' is not a design. Choose a design= among paired, unpaired, annotators"
    ):
        compare(a, b, design="crossed")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="5 permutations are too few for a test"):
        compare(a, b, permutations=5)
    with pytest.raises(ParameterError, match=r"-1 is not a valid value of seed="):
        compare(a, b, seed=-1)
    other = unisono.measure(b, seed=1, samples=5, dissimilarity=unisono.CombinedDissimilarity(alpha=3))
    with pytest.raises(ParameterError, match=r"measured with different parameters \(alpha: 1.0 and 3"):
        compare(measured(a), other)
    with pytest.raises(ParameterError, match="the result has no measure 'gamma-cat'"):
        compare(measured(a), measured(b), measure="gamma_cat")
    with pytest.raises(ParameterError, match="there is no measure 'gamma-dog'"):
        compare(a, b, measure="gamma-dog")


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat"])
def test_every_measure_of_the_family(measure: str) -> None:
    """The pairs of the documents add up to what `measure` says, whatever the weights."""
    a, b = corpus(7, 1), corpus(7, 4, seed=1)
    found = compare(a, b, measure=measure, design="paired", seed=3, samples=20)
    for side, data in ((found.a, a), (found.b, b)):
        assert side == pytest.approx(unisono.measure(data, measure, seed=3, samples=20)[measure].value, abs=1e-12)


def test_gamma_k() -> None:
    a, b = corpus(7, 1), corpus(7, 4, seed=1)
    found = compare(a, b, measure="gamma-k", category="X", design="paired", seed=3, samples=20)
    for side, data in ((found.a, a), (found.b, b)):
        known = unisono.measure(data, "gamma-k", seed=3, samples=20)["gamma-k"].per_category
        assert known is not None
        assert side == pytest.approx(known["X"].value, abs=1e-12)


def per_category(result: unisono.Result) -> unisono.Result:
    """A measure per category made up from γ: the category "X" has its values, "Y" those of every second document."""
    documents = []
    for i, document in enumerate(result.documents):
        value = document["gamma"]
        parts = {"X": value, "Y": value} if i % 2 else {"X": value}
        made = MeasureValue(None, reason="given per category", per_category=parts)
        documents.append(replace(document, measures={"gamma": made}))
    overall = MeasureValue(None, reason="given per category", per_category={c: MeasureValue(0.5) for c in "XY"})
    return replace(result, measures={"gamma": overall}, documents=tuple(documents))


def test_by_category() -> None:
    first, second = measured(corpus(12, 1)), measured(corpus(12, 4, seed=1))
    a, b = per_category(first), per_category(second)
    of_x = compare(a, b, category="X", design="paired", seed=3)
    plain = compare(first, second, design="paired", seed=3)
    assert (of_x.difference, of_x.p, of_x.interval) == (plain.difference, plain.p, plain.interval)
    assert of_x.category == "X"
    assert str(of_x).startswith("γ of X: A - B = ")
    assert compare(a, b, category="Y", design="paired", seed=3).documents == (6, 6)
    with pytest.raises(ParameterError, match=r"no category was chosen. Choose a category= among 'X', 'Y'"):
        compare(a, b)
    with pytest.raises(ParameterError, match=r"there is no category 'Z'. The categories are 'X', 'Y'"):
        compare(a, b, category="Z")
    with pytest.raises(ParameterError, match="has no value for the category"):
        compare(first, second, category="X")
    with pytest.raises(ParameterError, match="has no value for the category"):
        compare(corpus(2, 1, "ab"), corpus(2, 1, "xy"), category="X", design="annotators")


def test_a_scale_is_taken_from_both_sides() -> None:
    """Ordinal categories get their order from all labels, not from those of one side."""
    rows = [{"a": [(0, 5, low)], "b": [(0, 5, high)]} for low, high in (("1", "2"), ("2", "3"))]
    sides = [Corpus(tuple(Continuum.of(row, extent=(0, 30), name=f"d{i}") for i in range(5))) for row in rows]
    ordinal = unisono.CombinedDissimilarity(categorial=unisono.dissimilarity.Ordinal())
    found = compare(sides[0], sides[1], seed=1, samples=5, dissimilarity=ordinal)
    assert 'ordinal(order=["1","2","3"])' in found.signature


def test_the_seed_decides() -> None:
    a, b = corpus(20, 1), corpus(20, 2, seed=1)
    runs = [compare(a, b, seed=seed, samples=10, permutations=99) for seed in (1, 1, 2)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    assert isinstance(compare(a, b, samples=10, permutations=99).seed, int)


def test_as_dictionary_and_as_text() -> None:
    found = compare(corpus(6, 1), corpus(6, 4, seed=1), design="paired", seed=3, samples=20)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["schema"] == 1
    assert data["design"] == "paired"
    assert data["a"] == {"value": found.a, "documents": 6}
    assert data["interval"]["kind"] == "documents"
    text = str(found)
    assert text.startswith(f"γ: A - B = {found.difference:.3f}")
    assert "Design: paired: the same documents on both sides, A and B swapped within documents." in text
    assert f"two-sided, all {found.n_permutations} permutations" in text
    assert isinstance(found, Comparison)
