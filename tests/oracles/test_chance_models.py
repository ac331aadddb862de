# SPDX-License-Identifier: MIT
"""The chance models against their laws: enumeration, and the distributions that section 4.8.1 asks for.

Section 4.8.1 of 2015 names five distributions that random annotations should keep; `KEPT` says which model keeps which,
and docs/chance-models.md repeats it. `statistical` has its oracle in test_preset_pygamma.py.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import fsum, prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import unisono
from generators import tiny_continuum
from reference.alignment import members_of
from reference.gamma_cat import Row, categorial_disorder, rows
from unisono.alignment import best_alignment
from unisono.chance import CHANCE_MODELS, ChanceModel, CoreModel, Mosaic, PositionsKept
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import CorpusError, ParameterError
from unisono.model import Continuum, Corpus, Unit
from unisono.sampling import Expected, Sampling, expected

LENGTH = 100

# --- which of section 4.8.1's five distributions a model keeps -------------------------------------------------------

DISTRIBUTIONS = ("units per annotator", "categories", "length per category", "gaps", "overlaps of categories")
KEPT = {
    "shift": (True, True, True, True, True),
    "corpus": (True, True, True, True, True),
    "statistical": (False, True, False, False, False),
    "positions-kept": (True, True, False, True, False),
}

#: A long A holds a short B; C is alone and of middle length; annotators differ in how much they mark.
LAYOUT = {
    "ann": [(5, 25, "A"), (8, 11, "B"), (30, 38, "C"), (50, 72, "A"), (60, 64, "B"), (80, 89, "C"), (95, 99, "C")],
    "bob": [(6, 26, "A"), (9, 13, "B"), (31, 38, "C"), (81, 90, "C")],
    "cem": [(30, 50, "A"), (34, 37, "B"), (82, 90, "C")],
}


def layouts() -> Corpus:
    """Four documents of one length, each with units of its own."""
    return Corpus(
        tuple(
            Continuum.of(
                {
                    name: [((s + 7 * d) % (LENGTH - 25), (s + 7 * d) % (LENGTH - 25) + e - s, c) for s, e, c in units]
                    for name, units in LAYOUT.items()
                },
                extent=(0, LENGTH),
                name=f"document {d}",
            )
            for d in range(4)
        )
    )


def overlap(u: Unit, v: Unit, length: float) -> bool:
    """Whether two units share some of the continuum, its end joined to its beginning."""
    return any(max(u.start, v.start + turn) < min(u.end, v.end + turn) for turn in (-length, 0, length))


def described_by(annotations: Sequence[Sequence[Unit]]) -> list[Counter[Any]]:
    """What each of the five distributions counts, as (what, of what); a share is the first over the second."""
    found: list[Counter[Any]] = [Counter() for _ in DISTRIBUTIONS]
    for units in annotations:
        found[0][len(units)] += 1
        found[0][None] += 1
        ordered = sorted(units, key=lambda unit: (unit.start, unit.end, unit.category or ""))
        for unit in ordered:
            found[1][unit.category] += 1
            found[1][None] += 1
            found[2][unit.category, round(unit.length, 6)] += 1
            found[2][unit.category] += 1
            found[4][unit.category] += 1
            for other in ordered:
                if other is not unit and overlap(unit, other, LENGTH):
                    found[4][unit.category, other.category] += 1
        # Round the continuum: the gap after the last unit leads to the first.
        turned = [*ordered, Unit(ordered[0].start + LENGTH, ordered[0].end + LENGTH)] if ordered else []
        for before, after in pairwise(turned):
            found[3][round(after.start - before.end, 6)] += 1
            found[3][None] += 1
    return found


def whole(distribution: int, entry: Any) -> Any:
    """What a count is a share of."""
    return entry[0] if distribution in (2, 4) else None


def annotations(continuum: Continuum) -> list[tuple[Unit, ...]]:
    return [continuum.units_of(name) for name in continuum.annotators]


def is_kept(distribution: int, real: Counter[Any], samples: list[Counter[Any]]) -> bool:
    """Whether no share differs from the real one by more than 5 standard errors (of a ratio of sums)."""
    entries = {entry for counts in (real, *samples) for entry in counts if entry is not None}
    if distribution in (2, 4):
        entries = {entry for entry in entries if isinstance(entry, tuple)}
    for entry in sorted(entries, key=lambda entry: entry not in real):  # real ones first: they tell soonest
        of = whole(distribution, entry)
        numbers = np.array([counts[entry] for counts in samples], dtype=float)
        totals = np.array([counts[of] for counts in samples], dtype=float)
        share = numbers.sum() / totals.sum()
        error = np.std(numbers - share * totals, ddof=1) / sqrt(len(samples)) / totals.mean()
        if abs(share - real[entry] / real[of]) > 5 * error + 1e-9:
            return False
    return True


@pytest.mark.parametrize("name", CHANCE_MODELS)
def test_which_distributions_are_kept(name: str) -> None:
    """Oracle: the shares in the real annotations, against those of 1,500 random continua."""
    corpus = layouts()
    model = CHANCE_MODELS[name]().fitted(corpus)
    continua = list(corpus) if name == "corpus" else [corpus[0]]
    real = described_by([units for continuum in continua for units in annotations(continuum)])
    samples = [described_by(annotations(model.draw(corpus[0], seed=5, sample=i))) for i in range(1500)]
    found = tuple(is_kept(k, real[k], [sample[k] for sample in samples]) for k in range(5))
    assert dict(zip(DISTRIBUTIONS, found, strict=True)) == dict(zip(DISTRIBUTIONS, KEPT[name], strict=True))


def test_the_documentation_says_so() -> None:
    """The table of docs/chance-models.md is `KEPT`."""
    page = (Path(__file__).parents[2] / "docs" / "chance-models.md").read_text(encoding="utf-8")
    for name, kept in KEPT.items():
        found = [row.split("|") for row in re.findall(rf"^\| `{name}` \|(.+)\|$", page, re.MULTILINE)]
        said = [tuple(cell.strip().startswith("kept") for cell in row) for row in found if len(row) == len(kept)]
        assert said == [kept], name


@pytest.mark.parametrize("name", ["shift", "corpus"])
def test_a_random_annotator_is_a_real_one_moved(name: str) -> None:
    """Stronger than shares: all five, exactly, in every random annotator."""
    corpus = layouts()
    model = CHANCE_MODELS[name]().fitted(corpus)
    continua = list(corpus) if name == "corpus" else [corpus[0]]
    real = [described_by([units]) for continuum in continua for units in annotations(continuum)]
    for sample in range(200):
        drawn = model.draw(corpus[0], seed=6, sample=sample)
        assert all(described_by([units]) in real for units in annotations(drawn))


# --- corpus: n different continua, one annotator of each -------------------------------------------------------------

TINY = {
    "short": ({"ann": [(10, 13, "A")], "bob": [(12, 14, "B"), (10, 11, "A")]}, (10, 15)),
    "long": ({"ann": [(0, 6, "A"), (7, 9, "B")], "bob": [], "cem": [(3, 7, "B")]}, (0, 12)),
    "middle": ({"dee": [(2, 5, "B")], "eve": []}, (0, 8)),
}


def tiny_corpus(*names: str) -> Corpus:
    return Corpus(
        tuple(Continuum.of(units, extent=extent, name=name) for name, (units, extent) in TINY.items() if name in names)
    )


def laid(units: Sequence[Unit], origin: float, length: float, longest: float) -> list[Unit]:
    """An annotator's units laid out again and again, each copy by the continuum's length, up to the longest."""
    copies = []
    k = 0
    while k * length < longest:
        copies += [Unit(u.start - origin + k * length, u.end - origin + k * length, u.category) for u in units]
        k += 1
    return [unit for unit in copies if unit.start < longest]


def all_mosaics(corpus: Corpus, n: int) -> Iterator[Continuum]:
    """Every random continuum of the model, each as likely as any other annotators of its continua are few."""
    for chosen in permutations(corpus, n):
        longest = max(continuum.extent.length for continuum in chosen)
        for names in product(*(continuum.annotators for continuum in chosen)):
            units = [
                laid(continuum.units_of(name), continuum.extent.start, continuum.extent.length, longest)
                for continuum, name in zip(chosen, names, strict=True)
            ]
            yield Continuum.of({str(i): rows for i, rows in enumerate(units)})


def probability(corpus: Corpus, n: int) -> list[float]:
    """How likely each of `all_mosaics` is: every order of continua alike, then every annotator of each."""
    orders = list(permutations(corpus, n))
    return [
        1 / len(orders) / prod(continuum.n_annotators for continuum in chosen)
        for chosen in orders
        for _ in product(*(continuum.annotators for continuum in chosen))
    ]


def content(continuum: Continuum) -> tuple[tuple[tuple[float, float, str | None], ...], ...]:
    return tuple(tuple((u.start, u.end, u.category) for u in units) for units in annotations(continuum))


def aligned(continuum: Continuum) -> tuple[float, list[Row]]:
    alignment = best_alignment(continuum, CombinedDissimilarity())
    return alignment.disorder, rows(continuum, members_of(alignment.group.tolist()))


def sampled(continuum: Continuum, model: CoreModel | ChanceModel, samples: int, **options: object) -> Expected:
    columns = CoreDocuments.of([continuum], CombinedDissimilarity())
    return expected(columns, model, Sampling(samples=samples), seed=2, **options)[0]


def check_mean(values: np.ndarray, truth: float) -> None:
    """Within 4 standard errors of what enumeration gives."""
    kept = values[~np.isnan(values)]
    assert np.std(kept) > 0, "the law must have something to average"
    assert abs(np.mean(kept) - truth) < 4 * np.std(kept, ddof=1) / sqrt(len(kept))


@pytest.mark.parametrize("n", [2, 3])
def test_corpus_against_enumeration(n: int) -> None:
    """Oracle: every choice of continua and annotators; a choice without any unit is drawn again."""
    corpus = tiny_corpus(*TINY)
    every, weights = list(all_mosaics(corpus, n)), probability(corpus, n)
    kept = [(continuum, weight) for continuum, weight in zip(every, weights, strict=True) if len(continuum)]
    total = fsum(weight for _, weight in kept)
    assert (total < 1 - 1e-9) == (n == 2), "two continua may have no unit, three always have one"
    answers = [(aligned(continuum), weight / total) for continuum, weight in kept]
    truth = fsum(disorder * weight for (disorder, _), weight in answers)
    cats = [(categorial_disorder(alignment), weight) for (_, alignment), weight in answers]
    defined = [(value, weight) for value, weight in cats if value is not None]
    truth_cat = fsum(value * weight for value, weight in defined) / fsum(weight for _, weight in defined)

    document = Continuum.of({str(i): [(0, 1, "A")] for i in range(n)}, name="any")
    model = Mosaic().fitted(corpus)
    found = sampled(document, model, 20_000)
    check_mean(found.disorders, truth)
    assert found.categories is not None
    check_mean(found.categories, truth_cat)
    # Repeated draws are geometric: (1 - p) / p for each sample.
    assert found.redraws / 20_000 == pytest.approx((1 - total) / total, rel=0.1, abs=1e-9)
    drawn = Counter(content(model.draw(document, seed=2, sample=i)) for i in range(3000))
    expected_shares: Counter[Any] = Counter()
    for continuum, weight in kept:
        expected_shares[content(continuum)] += weight / total
    assert set(drawn) == set(expected_shares)
    keys = list(expected_shares)
    shares = np.array([expected_shares[key] for key in keys])
    assert stats.chisquare([drawn[key] for key in keys], shares / shares.sum() * 3000).pvalue > 1e-3


def test_section_5_2_2_counts_its_combinations() -> None:
    """Published: m = 8 continua, n = 3 annotators of each: 56 * 27 = 1512 combinations."""
    corpus = Corpus(tuple(Continuum.of({a: [(0, 1, a)] for a in "abc"}, extent=(0, 9), name=str(d)) for d in range(8)))
    columns = CoreDocuments.of([corpus[0]], CombinedDissimilarity())
    model = Mosaic().fitted(corpus).cases(columns, seed=3).model
    drawn = {frozenset(model.draw(0, sample)[4].tolist()) for sample in range(15_000)}  # the real units behind
    assert len(drawn) == 1512
    assert all(len({unit // 3 for unit in combination}) == 3 for combination in drawn)  # of three continua


def test_shorter_continua_are_tiled() -> None:
    """By hand: [10, 15) holds a unit at 10-13; beside a continuum of 12 it starts at 0, 5 and 10, kept whole."""
    corpus = tiny_corpus("short", "long")
    document = Continuum.of({"x": [(0, 1, "A")], "y": []}, name="any")
    found = {units for i in range(200) for units in content(Mosaic().fitted(corpus).draw(document, seed=1, sample=i))}
    assert ((0, 3, "A"), (5, 8, "A"), (10, 13, "A")) in found
    assert ((0, 1, "A"), (2, 4, "B"), (5, 6, "A"), (7, 9, "B"), (10, 11, "A")) in found  # 12-14 is beyond 12
    assert ((0, 6, "A"), (7, 9, "B")) in found
    assert len(found) == 5


def test_real_lengths_are_tiled_as_often_as_they_fit() -> None:
    """0.1 fits 8 times into 0.8, though eight times 0.1 added up is less than 0.8."""
    corpus = Corpus(
        (
            Continuum.of({"a": [(0.0, 0.05, "A")]}, extent=(0.0, 0.1), name="short"),
            Continuum.of({"a": [(0.1, 0.5, "B")]}, extent=(0.0, 0.8), name="long"),
        )
    )
    drawn = Mosaic().fitted(corpus).draw(Continuum.of({"x": [(0.0, 1.0)], "y": []}), seed=1, sample=0)
    assert sorted(drawn.counts.tolist()) == [1, 8]


def test_labels_are_numbered_over_the_whole_corpus() -> None:
    """Documents with other categories lend them to each other; γk is for those of the document."""
    corpus = unisono.corpus(
        {
            "one": {"ann": [(0, 5, "A"), (9, 12, "C")], "bob": [(0, 5, "C"), (8, 12, "C")]},
            "two": {"ann": [(0, 5, "B"), (9, 12, "C")], "bob": [(1, 5, "C"), (9, 12, "D")]},
        }
    )
    result = unisono.measure(corpus, ["gamma-cat", "gamma-k"], chance="corpus", samples=400, seed=1)
    assert [list(document["gamma-k"].per_category or {}) for document in result.documents] == [
        ["A", "C"],
        ["B", "C", "D"],
    ]
    model = Mosaic().fitted(corpus)
    twins: list[float] = []
    for sample in range(400):
        value = categorial_disorder(aligned(model.draw(corpus[0], seed=1, sample=sample))[1], "C")
        if value is not None:
            twins.append(value)
    found = (result.documents[0]["gamma-k"].per_category or {})["C"]
    assert found.expected == pytest.approx(fsum(twins) / len(twins), abs=1e-9)
    assert found.n_samples == len(twins)


def test_documents_of_as_many_annotators_share_their_random_continua() -> None:
    corpus = unisono.corpus(
        {f"d{i}": {a: [(i, i + 5, "A"), (20 + i, 30, "B")] for a in "abc"[: 2 + i % 2]} for i in range(6)}
    )
    result = unisono.measure(corpus, chance="corpus", samples=20, seed=1)
    by_number = [document["gamma"].expected for document in result.documents]
    assert len(set(by_number)) == 2
    assert by_number[0] == by_number[2] == by_number[4]
    assert result["gamma"].n_samples == 40


def test_fewer_continua_than_annotators() -> None:
    """The document is measured with the shift model, bit for bit, and says so."""
    corpus = unisono.corpus(
        {
            "three": {a: [(i, i + 5, "A"), (20, 24 + i, "B")] for i, a in enumerate("abc")},
            "two": {a: [(3 * i, 3 * i + 6, "A"), (20, 24, "B")] for i, a in enumerate("ab")},
        }
    )
    result = unisono.measure(corpus, ["gamma", "gamma-cat"], chance="corpus", samples=20, seed=4)
    instead = unisono.measure(corpus["three"], ["gamma", "gamma-cat"], samples=20, seed=4)
    for name in ("gamma", "gamma-cat"):
        found = result.documents[0][name]
        assert found.value == instead[name].value
        assert (
            "only 2 continua for 3 annotators: the chance model shift(mean) was used instead of corpus" in found.notes
        )
        assert result.documents[1][name].notes == ()
        alone = unisono.measure(corpus["two"], name, samples=20, seed=4)[name]
        assert result.documents[1][name].expected != alone.expected


@pytest.mark.parametrize(
    "documents",
    [
        {"only": {"a": [(0, 5, "A")], "b": [(0, 5, "A")]}},
        {"one": {"a": [(0, 5, "A")], "b": [(0, 5, "A")]}, "nothing": {"a": [], "b": []}},
    ],
    ids=["one document", "one with an extent"],
)
def test_a_corpus_of_one_document(documents: dict[str, Any]) -> None:
    with pytest.raises(CorpusError, match="at least two documents with an extent") as caught:
        unisono.measure(unisono.corpus(documents), chance="corpus")
    assert caught.value.problems[0].code == "chance-corpus"
    assert "shift" in caught.value.problems[0].remedy


def test_a_model_without_its_corpus() -> None:
    with pytest.raises(ParameterError, match="no corpus to draw annotators from"):
        Mosaic().draw(Continuum.of({"a": [(0, 5)], "b": []}), seed=1, sample=0)


# --- positions-kept --------------------------------------------------------------------------------------------------


def test_positions_kept_against_all_permutations() -> None:
    """Oracle: the labels in every order over all units of all annotators."""
    continuum = Continuum.of(
        {"a": [(0, 5, "A"), (6, 9, "B")], "b": [(0, 4, "A"), (6, 9, "A")], "c": [(1, 5, "C")]}, name="kept"
    )
    labels = [unit.category for unit in continuum]
    answers = []
    for order in permutations(labels):
        at = dict(zip(range(5), order, strict=True))
        units: dict[str, list[tuple[int, int, str | None]]] = {name: [] for name in continuum.annotators}
        for i, unit in enumerate(continuum):
            units[str(unit.annotator)].append((unit.start, unit.end, at[i]))
        random = Continuum.of(units)
        answers.append((content(random), *aligned(random)))
    assert len(answers) == 120
    cats = [value for *_, alignment in answers if (value := categorial_disorder(alignment)) is not None]
    found = sampled(continuum, PositionsKept(), 20_000)
    check_mean(found.disorders, fsum(disorder for _, disorder, _ in answers) / 120)
    assert found.categories is not None
    check_mean(found.categories, fsum(cats) / len(cats))
    drawn = Counter(content(PositionsKept().draw(continuum, seed=1, sample=i)) for i in range(4000))
    every = Counter(units for units, *_ in answers)
    assert set(drawn) == set(every)
    keys = list(every)
    assert stats.chisquare([drawn[k] for k in keys], [every[k] / 120 * 4000 for k in keys]).pvalue > 1e-3


def test_positions_kept_on_given_items_expects_what_krippendorff_does() -> None:
    """Oracle: α's expected disagreement, Σ n_c n_k / (n (n - 1)); items so far apart that none can meet another.

    γcat expects a mean of ratios over whole tables, α a ratio of sums: equal where every item is complete.
    """
    items = [("A", "A"), ("A", "B"), ("B", "C"), ("C", "C"), ("A", "A")]
    continuum = Continuum.of(
        {name: [(100 * i, 100 * i + 1, pair[a]) for i, pair in enumerate(items)] for a, name in enumerate("xy")},
        name="items",
    )
    counts = Counter(label for pair in items for label in pair)
    n = sum(counts.values())
    truth = 1 - sum(c * (c - 1) for c in counts.values()) / n / (n - 1)
    found = sampled(continuum, PositionsKept(), 20_000)
    assert found.categories is not None
    check_mean(found.categories, truth)


# --- one's own -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Own:
    """A user's chance model that happens to draw what one of ours draws."""

    of: CoreModel

    @property
    def signature(self) -> str:
        return "own"

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        return self.of.draw(continuum, seed=seed, sample=sample)

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        return ("drawn by hand",)


@pytest.mark.parametrize("name", CHANCE_MODELS)
@pytest.mark.parametrize("preset", ["paper", "greyc", "pygamma"])
def test_ones_own_model_gives_what_the_core_gives(name: str, preset: str) -> None:
    """Oracle: the fast path, for the same random continua; documents have other categories, in other orders."""
    rng = np.random.default_rng(12)
    continua = []
    while len(continua) < 25:
        made = tiny_continuum(rng)
        renamed = dict(zip("ABC", rng.permutation(list("ABCDE")[:4])[:3].tolist(), strict=True))
        units = {
            annotator: [
                (u.start, u.end + (preset == "pygamma"), u.category and renamed[u.category])
                for u in made.units_of(annotator)
            ]
            for annotator in made.annotators
        }
        continua.append(Continuum.of(units, name=f"d{len(continua)}"))
    corpus = Corpus(tuple(continua))
    if preset == "pygamma":
        corpus = Corpus(tuple(continuum.without_equal_units() for continuum in corpus))
    model = CHANCE_MODELS[name]().fitted(corpus)
    own = Own(model)
    assert isinstance(own, ChanceModel)
    assert not isinstance(own, CoreModel)
    options = {"preset": preset, "samples": 8, "seed": 3}
    fast = unisono.measure(corpus, ["gamma", "gamma-cat", "gamma-k"], chance=model, **options)
    slow = unisono.measure(corpus, ["gamma", "gamma-cat", "gamma-k"], chance=own, **options)
    for a, b in zip(fast.documents, slow.documents, strict=True):
        np.testing.assert_allclose(a["gamma"].chance_disorders, b["gamma"].chance_disorders, rtol=0, atol=1e-9)
        assert "drawn by hand" in b["gamma"].notes
        values = [(a["gamma-cat"], b["gamma-cat"])]
        per_category = a["gamma-k"].per_category or {}
        assert set(per_category) == set(b["gamma-k"].per_category or {})
        values += [(of_k, (b["gamma-k"].per_category or {})[k]) for k, of_k in per_category.items()]
        for x, y in values:
            assert x.value == pytest.approx(y.value, abs=1e-9), a.name
            assert x.expected == pytest.approx(y.expected, abs=1e-9), a.name
            assert (x.reason, x.n_samples) == (y.reason, y.n_samples)
