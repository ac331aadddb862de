# SPDX-License-Identifier: MIT
"""γcat and γk as the library computes them, held against the slow twin: Algorithm 1 of Mathet 2017, pair by pair.

The twin is given the library's alignments, which the oracles of the aligner prove to be best ones; that each is one of
the best that brute force lists is checked here as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
import pytest

import unisono
from generators import described, random_weights, spread_continuum, tiny_continuum
from reference import pygamma
from reference.alignment import TIE, brute_force, members_of
from reference.dissimilarity import Pairwise, absolute, combined, sporadic
from reference.gamma_cat import Categorial, Row, agreement, categorial_disorder, rows, tied_ranges
from unisono.alignment import best_alignment
from unisono.alignment.observed import How, Observed, PairRule, observe
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity, FunctionPositional, Matrix, Nominal, Positional, Sporadic
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum, Corpus
from unisono.sampling import Sampling, expected

DISTANCES = {("A", "B"): 0.25, ("A", "C"): 0.5, ("B", "C"): 1.0}
SAMPLES = 6


def matrix_twin(a: str, b: str) -> float:
    return 0.0 if a == b else DISTANCES[min(a, b), max(a, b)]


def absolute_5(start_u: float, end_u: float, start_v: float, end_v: float) -> float:
    """A user's own positional dissimilarity."""
    return (abs(start_u - start_v) + abs(end_u - end_v)) / 10


@dataclass(frozen=True)
class Case:
    """A continuum and a dissimilarity, with the twins of its parts."""

    continuum: Continuum
    dissimilarity: CombinedDissimilarity
    d: Pairwise
    by: Categorial


def with_real_positions(rng: np.random.Generator, continuum: Continuum) -> Continuum:
    """The same units, no longer at whole numbers."""
    places = {
        name: [
            (start := u.start + float(rng.uniform(0, 0.9)), start + u.length * float(rng.uniform(0.5, 1.5)), u.category)
            for u in continuum.units_of(name)
        ]
        for name in continuum.annotators
    }
    return Continuum.of(places, name="real numbers")


def random_case(rng: np.random.Generator, *, function: bool = False, most_units: int = 8) -> Case:
    """2 to 5 annotators; units without a category, points, equal units; any weights, beta 0 and matrices among them."""
    continuum = tiny_continuum(rng, most_units=most_units)
    if rng.random() < 0.4:
        continuum = with_real_positions(rng, continuum)
    weights = random_weights(rng)
    is_matrix = bool(rng.random() < 0.4)
    categorial = Matrix(DISTANCES) if is_matrix else Nominal()
    positional: Positional = FunctionPositional(absolute_5) if function else Sporadic()
    d_pos = absolute(5) if function else sporadic
    parts = {"alpha": weights.alpha, "beta": weights.beta, "delta_empty": weights.delta_empty}
    labels = {"categorial": matrix_twin} if is_matrix else {}
    return Case(
        continuum,
        CombinedDissimilarity(positional, categorial, **parts),
        combined(d_pos, **labels, **parts),
        Categorial(d_pos, combined(d_pos, **labels, alpha=0)),
    )


def cases(seed: int, count: int, **options: object) -> Iterator[Case]:
    rng = np.random.default_rng(seed)
    return (random_case(rng, **options) for _ in range(count))


def disorder(of: Case, alignment: Sequence[Row], k: str | None, pairs: PairRule) -> float | None:
    """The twin's disorder of γcat (k None) or γk by one of the rules."""
    if pairs == "pygamma":
        return pygamma.categorial_disorder(alignment, k, alpha=of.dissimilarity.alpha)
    return categorial_disorder(alignment, k, Categorial(of.by.d_pos, of.by.d_cat, pairs == "twice"))


def judged(continua: Sequence[Continuum], dissimilarity: CombinedDissimilarity, **options: Any) -> list[Observed]:
    return observe(CoreDocuments.of(continua, dissimilarity), How(**options))


def found_disorders(found: Observed) -> dict[str | None, float | None]:
    """γcat's under None, γk's under the categories."""
    of = found.categories
    assert of is not None
    by_label = {
        label: float(d) / float(w) if w > 0 else None
        for label, w, d in zip(of.labels, of.weights, of.disorders, strict=True)
        if label is not None
    }
    return {None: of.mean, **by_label}


def rows_of(found: Observed) -> list[Row]:
    return [unitary.units for unitary in found.alignment.unitary_alignments]


def check_disorders(of: Case, pairs: PairRule) -> int:
    """Observed disorders equal the twin's; how many of them are defined."""
    found = judged([of.continuum], of.dissimilarity, pairs=pairs)[0]
    alignment = rows_of(found)
    values = found_disorders(found)
    where = (pairs, of.dissimilarity.signature, described(of.continuum))
    assert set(values) == {None, *of.continuum.categories}, where
    for k, value in values.items():
        twin = disorder(of, alignment, k, pairs)
        if twin is None:
            assert value is None, where
        else:
            assert value == pytest.approx(twin, abs=1e-12), (k, *where)
    return sum(value is not None for value in values.values())


@pytest.mark.parametrize("pairs", ["once", "twice"])
@pytest.mark.parametrize("function", [False, True], ids=["core", "user's function"])
def test_observed_disorders_equal_the_twin(pairs: PairRule, function: bool) -> None:
    defined = sum(check_disorders(case, pairs) for case in cases(1, 300, function=function))
    assert defined > 300


@pytest.mark.parametrize("function", [False, True], ids=["core", "user's function"])
def test_the_alignment_is_one_of_the_best(function: bool) -> None:
    """Oracle: brute force; the values then lie within the twin's range over ties."""
    tied = 0
    for case in cases(2, 120, function=function, most_units=6):
        found = judged([case.continuum], case.dissimilarity)[0]
        best = brute_force(case.continuum, case.d, case.dissimilarity.delta_empty)
        where = (case.dissimilarity.signature, described(case.continuum))
        assert found.alignment.disorder == pytest.approx(best.disorder, abs=1e-9), where
        assert tuple(sorted(members_of(found.alignment.group.tolist()))) in best.tied, where
        kinds = [None, *case.continuum.categories]
        for k, over_ties in zip(kinds, tied_ranges(case.continuum, best, kinds, case.by), strict=True):
            value = found_disorders(found)[k]
            tied += over_ties.is_touched
            if value is None:
                assert over_ties.n_undefined, where
            else:
                assert over_ties.low is not None
                assert over_ties.high is not None
                assert over_ties.low - TIE <= value <= over_ties.high + TIE, where
    assert tied, "some value must depend on the rule for ties"


def pygamma_cases(seed: int, count: int, *, function: bool = False) -> Iterator[Case]:
    """Its γcat knows the nominal dissimilarity, units with a category and a length; delta_empty is 1 in the preset."""
    for case in cases(seed, count, function=function):
        units = {
            name: [(u.start, max(u.end, u.start + 1), u.category or "A") for u in case.continuum.units_of(name)]
            for name in case.continuum.annotators
        }
        alpha, beta = case.dissimilarity.alpha, case.dissimilarity.beta
        d = combined(alpha=alpha, beta=beta)
        dissimilarity = CombinedDissimilarity(case.dissimilarity.positional, alpha=alpha, beta=beta)
        yield Case(Continuum.of(units, name="pygamma"), dissimilarity, d, Categorial())


def test_observed_disorders_by_the_rule_of_pygamma() -> None:
    """Oracle: its law (reference/pygamma.py), empty units, alpha in the confidence and the special cases included."""
    assert sum(check_disorders(case, "pygamma") for case in pygamma_cases(3, 300)) > 600


def sporadic_function(start_u: float, end_u: float, start_v: float, end_v: float) -> float:
    return ((abs(start_u - start_v) + abs(end_u - end_v)) / (end_u - start_u + end_v - start_v)) ** 2


@pytest.mark.parametrize("pairs", ["once", "twice", "pygamma"])
def test_a_users_function_is_judged_like_the_core(pairs: PairRule) -> None:
    """Oracle: the core, for the same formula; alpha 0, where only the confidence looks at positions, included."""
    for case in pygamma_cases(4, 150):
        own = CombinedDissimilarity(
            FunctionPositional(sporadic_function), alpha=case.dissimilarity.alpha, beta=case.dissimilarity.beta
        )
        ours, theirs = (judged([case.continuum], d, pairs=pairs)[0] for d in (case.dissimilarity, own))
        where = (case.dissimilarity.signature, described(case.continuum))
        assert found_disorders(theirs) == pytest.approx(found_disorders(ours), abs=1e-9), where
        assert (theirs.n_pairs, theirs.n_pairs_apart) == (ours.n_pairs, ours.n_pairs_apart), where


def twins_of_samples(of: Case, pairs: PairRule, seed: int) -> dict[str | None, list[float | None]]:
    """The disorders of the random continua, each drawn alone, aligned and judged by the twin."""
    drawn = [Shift().draw(of.continuum, seed=seed, sample=sample) for sample in range(SAMPLES)]
    aligned = [
        [unitary.units for unitary in best_alignment(continuum, of.dissimilarity).unitary_alignments]
        for continuum in drawn
    ]
    kinds = (None, *of.continuum.categories)
    return {k: [disorder(of, alignment, k, pairs) for alignment in aligned] for k in kinds}


def mean(values: Sequence[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return fsum(kept) / len(kept) if kept else None


@pytest.mark.parametrize("pairs", ["once", "twice", "pygamma"])
def test_random_continua_equal_the_twin(pairs: PairRule) -> None:
    """Sample by sample for γcat, as means for γk: those samples count in which there is something to compare."""
    made = pygamma_cases(5, 100) if pairs == "pygamma" else cases(5, 100)
    for seed, case in enumerate(made):
        columns = CoreDocuments.of([case.continuum], case.dissimilarity)
        found = expected(columns, Shift(), Sampling(samples=SAMPLES), seed=seed, how=How(pairs=pairs))[0]
        twins = twins_of_samples(case, pairs, seed)
        where = (case.dissimilarity.signature, described(case.continuum))
        assert found.categories is not None
        per_sample = [None if np.isnan(value) else float(value) for value in found.categories]
        assert per_sample == pytest.approx(twins[None], abs=1e-9), where
        for label, estimate in zip(found.labels, found.per_label, strict=True):
            if label is None:
                continue
            twin = mean(twins[label])
            if twin is None:
                assert estimate is None, where
            else:
                assert estimate is not None
                assert estimate.mean == pytest.approx(twin, abs=1e-9), (label, *where)
                assert estimate.n == sum(value is not None for value in twins[label])


@pytest.mark.parametrize("function", [False, True], ids=["core", "user's function"])
def test_final_values_equal_the_twin(function: bool) -> None:
    """γcat and every γk through `unisono.measure`: value, observed, expected, and no value without a reason."""
    defined = undefined = 0
    for seed, case in enumerate(cases(6, 40 if function else 120, function=function)):
        result = unisono.measure(
            case.continuum,
            ["gamma-cat", "gamma-k"],
            dissimilarity=case.dissimilarity,
            samples=SAMPLES,
            seed=seed,
        )
        alignment = rows(
            case.continuum,
            members_of(best_alignment(case.continuum, case.dissimilarity).group.tolist()),
        )
        twins = twins_of_samples(case, "once", seed)
        delta = case.dissimilarity.delta_empty
        values = {None: result["gamma-cat"], **(result["gamma-k"].per_category or {})}
        where = (seed, case.dissimilarity.signature, described(case.continuum))
        for k in (None, *case.continuum.categories):
            of_k = values[k] if k is not None else result["gamma-cat"]
            seen, by_chance = categorial_disorder(alignment, k, case.by), mean(twins[k])
            too_few = sum(value is not None for value in twins[k]) < 2
            value = None if too_few else agreement(seen, by_chance)
            if value is None:
                assert of_k.value is None, (k, *where)
                assert of_k.reason
                undefined += 1
                continue
            defined += 1
            assert of_k.value == pytest.approx(value, abs=1e-9), (k, *where)
            assert of_k.observed == pytest.approx(seen * delta, abs=1e-9)
            assert of_k.expected == pytest.approx(by_chance * delta, abs=1e-9)
            assert of_k.n_samples == sum(value is not None for value in twins[k])
    assert min(defined, undefined) > 20


def family(data: Continuum | Corpus, **options: object) -> list[list[object]]:
    """Everything measured of every document, to be compared bit by bit."""
    given = {"samples": 12, "seed": 9, **options}
    result = unisono.measure(data, ["gamma", "gamma-cat", "gamma-k"], **given)
    numbers: list[list[object]] = []
    for document in result.documents:
        values = [document["gamma"], document["gamma-cat"], *(document["gamma-k"].per_category or {}).values()]
        numbers.append(
            [(v.value, v.reason, v.observed, v.expected, v.chance_sd, v.n_samples, v.weight) for v in values]
        )
    return numbers


def random_corpus(seed: int, count: int) -> Corpus:
    rng = np.random.default_rng(seed)
    continua = []
    for i in range(count):
        made = tiny_continuum(rng) if i % 7 else spread_continuum(3, 12, 1, seed=i)
        continua.append(Continuum.of({name: made.units_of(name) for name in made.annotators}, name=f"document {i}"))
    return Corpus(tuple(continua))


@pytest.mark.parametrize("chance", ["shift", "statistical", "positions-kept"])
@pytest.mark.parametrize("preset", ["paper", "greyc", "pygamma"])
def test_a_document_in_its_corpus_is_the_document_alone(chance: str, preset: str) -> None:
    """Batches change nothing: the same bits, category by category."""
    corpus = random_corpus(7, 60)
    together = family(corpus, chance=chance, preset=preset)
    alone = [family(continuum, chance=chance, preset=preset)[0] for continuum in corpus]
    assert together == alone


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "positions-kept"])
def test_threads_do_not_change_a_bit(chance: str) -> None:
    corpus = random_corpus(8, 80)
    assert family(corpus, chance=chance, threads=1) == family(corpus, chance=chance, threads=2)


@pytest.mark.parametrize("chance", ["shift", "corpus", "statistical", "positions-kept"])
def test_identical_annotators_give_1_wherever_disorder_is_expected(chance: str) -> None:
    rng = np.random.default_rng(10)
    documents = {}
    for i in range(80):
        units = [
            (s := int(rng.integers(0, 40)), s + int(rng.integers(1, 9)), "ABC"[int(rng.integers(0, 3))])
            for _ in range(int(rng.integers(1, 7)))
        ]
        documents[f"document {i}"] = dict.fromkeys(("ann", "bob", "cem")[: int(rng.integers(2, 4))], units)
    result = unisono.measure(
        unisono.corpus(documents), ["gamma", "gamma-cat", "gamma-k"], chance=chance, samples=20, seed=1
    )
    ones = 0
    for document in result.documents:
        assert document["gamma"].value == 1
        for value in (document["gamma-cat"], *(document["gamma-k"].per_category or {}).values()):
            assert value.observed == 0
            if value.expected:
                assert value.value == 1
                ones += 1
            else:
                assert value.value is None
    assert ones > 100


def cat(units: dict[str, list[tuple[object, ...]]], category: str | None = None, **options: object):
    """γcat, or γk of a category."""
    name = "gamma-cat" if category is None else "gamma-k"
    found = unisono.measure(unisono.continuum(units, extent=(0, 60)), name, **{"samples": 20, "seed": 1, **options})
    return found[name] if category is None else (found[name].per_category or {})[category]


APART = {"ann": [(0, 5, "A"), (50, 52, "B")], "bob": [(20, 30, "B"), (40, 41, "A")]}


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(cat(APART), "no aligned units overlap", id="no pair with a weight"),
        pytest.param(
            cat({"ann": [(0, 5, "A"), (20, 30, "B")], "bob": [(20, 30, "B")]}, "A"),
            "no pair of aligned, overlapping units has one of this category",
            id="no pair containing k",
        ),
        pytest.param(
            cat({"ann": [(0, 5, "A"), (20, 30, "A")], "bob": [(1, 5, "A"), (21, 30, "A")]}),
            "no disagreement on categories can be expected: there is only one",
            id="one category",
        ),
        pytest.param(
            cat({"ann": [(0, 5, "A"), (20, 30, "A")], "bob": [(1, 5, "A"), (21, 30, "A")]}, "A"),
            "no disagreement on categories can be expected: there is only one",
            id="one category, γk",
        ),
        pytest.param(cat({"ann": [(0, 5)], "bob": [(1, 5)]}), "no unit has a category", id="no category at all"),
        pytest.param(cat({"ann": [], "bob": []}), "nobody marked any unit", id="no unit at all"),
    ],
)
def test_undefined(value: unisono.MeasureValue, reason: str) -> None:
    """The cases of Mathet 2017, section 4.2, in which Algorithm 1 or Eq. 1 divides 0 by 0."""
    assert (value.value, value.reason) == (None, reason)


def test_undefined_for_want_of_samples() -> None:
    """Aligned and overlapping, but by chance only one unit is ever drawn at a time: nothing to expect."""
    short = {"ann": [(0, 1, "A")], "bob": [(0, 1, "B")]}
    found = cat(short, samples=2, seed=3)
    assert found.value is None
    assert found.observed == 1
    assert found.reason == "in all random continua no aligned units overlap: the expected value is unknown"


def test_dissimilarities_that_cannot_be_taken_apart() -> None:
    """γcat needs the categories alone; a function of whole units does not say which part they have in it."""
    own = unisono.dissimilarity.FunctionDissimilarity(lambda u, v: abs(u.start - v.start) / 10)
    found = cat({"ann": [(0, 5, "A")], "bob": [(1, 5, "B")]}, dissimilarity=own)
    assert found.value is None
    assert "a positional and a categorial part" in found.reason


def test_gamma_k_has_no_overall_value() -> None:
    result = unisono.measure(unisono.continuum(APART), "gamma-k", samples=5, seed=1)
    assert (result["gamma-k"].value, result["gamma-k"].reason_code) == (None, "per-category")
    assert list(result["gamma-k"].per_category or {}) == ["A", "B"]


def test_units_without_a_category_are_a_category_of_their_own() -> None:
    """0 from each other, 1 from any label: γk of None is there beside the others."""
    units = {"ann": [(0, 5, None), (20, 25, "A")], "bob": [(0, 5, "A"), (20, 25, None)]}
    found = cat(units, None)
    assert found.observed == 1
    by_label = unisono.measure(unisono.continuum(units), "gamma-k", samples=5, seed=1)["gamma-k"].per_category
    assert by_label is not None
    assert set(by_label) == {None, "A"}
    assert by_label[None].observed == 1
