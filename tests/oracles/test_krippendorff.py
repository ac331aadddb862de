# SPDX-License-Identifier: MIT
"""Krippendorff's alphas. Oracles: the slow twins in exact fractions; the libraries krippendorff, nltk and irrCAC."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance

import reference.krippendorff as twin
from generators import NAMES
from oracles.test_corpora import continua as read_continua
from unisono.dissimilarity import Categorial, CombinedDissimilarity, Interval, Matrix, Nominal, Ordinal, Ratio
from unisono.measures.alpha_u_1995 import alpha_u_1995
from unisono.measures.items import Items
from unisono.measures.krippendorff import alpha_of_items
from unisono.measures.resolved import Resolved
from unisono.measures.sections import intersections, units_of
from unisono.measures.u_alpha import FEW, sliding_overlap, u_alpha_2013
from unisono.measures.unitizing_2016 import bar_u_alpha, cu_alpha, k_alpha, u_alpha
from unisono.model import Continuum

#: Labels that are numbers, so that every metric takes them; None: units without a category.
LABELS = ("1", "2", "4", "7", None)


def with_metric(categorial: Categorial) -> Resolved:
    return Resolved(dissimilarity=CombinedDissimilarity(categorial=categorial))


def random_document(rng: np.random.Generator, labels: tuple[str | None, ...], *, overlaps: bool) -> twin.Document:
    """2 to 4 annotators on up to 40 positions that need not begin at 0; some mark nothing, some leave no gap."""
    start, length = int(rng.integers(-5, 20)), int(rng.integers(4, 40))
    annotators = []
    for _ in range(int(rng.integers(2, 5))):
        cuts = np.unique(rng.integers(0, length + 1, size=int(rng.integers(0, 12)))).tolist()
        bounds = list(pairwise(cuts))
        chosen = [pair for pair in bounds if rng.random() < rng.choice([0.4, 1.0])]
        if overlaps and bounds:
            last, again = (bounds[int(i)] for i in rng.integers(len(bounds), size=2))
            chosen += [(bounds[0][0], last[1]), again]
        annotators.append([(start + a, start + b, labels[int(rng.integers(len(labels)))]) for a, b in chosen])
    return annotators, start, start + length


def random_corpora(count: int, *, overlaps: bool = False) -> Iterator[list[twin.Document]]:
    rng = np.random.default_rng(1995)
    while count:
        labels = LABELS[: int(rng.integers(1, 6))]
        corpus = [random_document(rng, labels, overlaps=overlaps) for _ in range(int(rng.integers(1, 4)))]
        if any(units for annotators, _, _ in corpus for units in annotators):
            count -= 1
            yield corpus


def continua_of(corpus: list[twin.Document], *, scale: float | None = None) -> list[Continuum]:
    """The corpus for the library; with a scale, positions that are not integers."""

    def at(position: int) -> int | float:
        return position if scale is None else position * scale

    return [
        Continuum.of(
            {NAMES[i]: [(at(a), at(b), c) for a, b, c in units] for i, units in enumerate(annotators)},
            extent=(at(start), at(end)),
            name=f"document {number}",
        )
        for number, (annotators, start, end) in enumerate(corpus)
    ]


def same(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


@pytest.mark.parametrize(
    ("measure", "reference"),
    [
        (u_alpha_2013, twin.u_alpha_2013),
        (u_alpha, twin.u_alpha),
        (bar_u_alpha, partial(twin.u_alpha, is_binary=True)),
    ],
    ids=["u-alpha-2013", "u-alpha", "bar-u-alpha"],
)
def test_alphas_of_the_whole_continuum(measure, reference) -> None:
    for corpus in random_corpora(150):
        value, observed, expected = reference(corpus)
        found = measure(continua_of(corpus), Resolved())
        assert same(found.value, value), corpus
        assert same(found.observed, float(observed)), corpus
        assert same(found.expected, float(expected)), corpus


#: The library's categorial distance and the twin's difference; ordinal depends on frequencies, below.
METRICS = [(Nominal(), twin.nominal), (Interval(), twin.interval), (Ratio(), twin.ratio)]


@pytest.mark.parametrize(("categorial", "difference"), METRICS)
@pytest.mark.parametrize("overlaps", [False, True])
def test_cu_alpha_and_k_alpha(categorial: Categorial, difference: twin.Difference, overlaps: bool) -> None:
    is_nominal = isinstance(categorial, Nominal)
    defined = 0
    for corpus in random_corpora(200, overlaps=overlaps):
        if not is_nominal and any(u[2] is None for row, _, _ in corpus for units in row for u in units):
            continue
        value, per_category = twin.cu_alpha(corpus, difference)
        continua = continua_of(corpus)
        assert same(cu_alpha(continua, with_metric(categorial)).value, value), corpus
        found = k_alpha(continua, with_metric(categorial)).per_category or {}
        for category, expected in per_category.items():
            assert same(found[category].value, expected), (corpus, category)
        assert all(found[category].value is None for category in found.keys() - per_category.keys())
        defined += value is not None
    assert defined > 40


def test_cu_alpha_ordinal() -> None:
    order = ["1", "2", "4", "7"]
    for corpus in random_corpora(150):
        if any(u[2] is None for row, _, _ in corpus for units in row for u in units):
            continue
        frequencies = twin.margins(twin.unit_coincidences(corpus)[0])
        value, _ = twin.cu_alpha(corpus, twin.ordinal(frequencies, order))
        assert same(cu_alpha(continua_of(corpus), with_metric(Ordinal())).value, value), corpus


def check_alpha_u_1995(corpus: list[twin.Document]) -> None:
    value, per_category = twin.alpha_u_1995(corpus)
    found = alpha_u_1995(continua_of(corpus), Resolved())
    assert same(found.value, value), corpus
    for category, (observed, expected) in per_category.items():
        assert same(found.per_category[category].observed, float(observed)), corpus
        assert same(found.per_category[category].expected, float(expected)), corpus


def test_alpha_u_1995() -> None:
    for corpus in random_corpora(300):
        check_alpha_u_1995(corpus)


def relabelled(units: list[twin.Unit]) -> list[twin.Unit]:
    """The last two units get categories of their own."""
    return [
        *units[:-2],
        *((a, b, label) for (a, b, _), label in zip(units[-2:], ["X", "Y"][: len(units)], strict=True)),
    ]


def test_alpha_u_1995_with_overlaps() -> None:
    """Units of different categories may overlap, those of one may not: the last two of everyone do."""
    for corpus in random_corpora(150, overlaps=True):
        apart = [([relabelled(units) for units in row], start, end) for row, start, end in corpus]
        check_alpha_u_1995(apart)
        alike = [([[*units, *units[-1:]] for units in row], start, end) for row, start, end in corpus]
        assert alpha_u_1995(continua_of(alike), Resolved()).reason_code == "overlapping-units"


@pytest.mark.parametrize("measure", [u_alpha_2013, u_alpha, bar_u_alpha, cu_alpha, alpha_u_1995])
def test_a_step_makes_integers_of_positions(measure) -> None:
    """Positions times 0.1 with a step of 0.1 are the integers that they were."""
    for corpus in random_corpora(60):
        integers = measure(continua_of(corpus), Resolved())
        tenths = measure(continua_of(corpus, scale=0.1), Resolved(step=0.1))
        assert same(tenths.value, integers.value)
        assert same(tenths.observed, integers.observed)


@pytest.mark.parametrize("measure", [u_alpha_2013, u_alpha, bar_u_alpha, alpha_u_1995])
def test_without_a_step_the_limit_of_ever_smaller_ones(measure) -> None:
    """1 and 1,000 and 1,000,000 steps to a position: the values go to that of positions that are not integers."""
    for corpus in random_corpora(40):
        limit = measure(continua_of(corpus, scale=1.0), Resolved())
        if limit.value is None:
            continue
        distances = [
            abs(measure(continua_of(corpus), Resolved(step=step)).value - limit.value) for step in (1e-2, 1e-4, 1e-6)
        ]
        assert distances[2] < 1e-5
        assert distances[1] <= distances[0] + 1e-12
        assert any("ever smaller" in note for note in limit.notes)


def test_cu_alpha_has_no_scale() -> None:
    for corpus in random_corpora(60):
        assert same(
            cu_alpha(continua_of(corpus, scale=0.37), Resolved()).value, cu_alpha(continua_of(corpus), Resolved()).value
        )


def test_sliding_many_sections() -> None:
    """The halving, against all pairs one by one; few values, many values, and one that is most of all."""
    rng = np.random.default_rng(2013)
    for n_values in (1, 2, 3, 40, 400):
        lengths = rng.integers(1, 300, size=5 * FEW).astype(float)
        values = np.where(rng.random(len(lengths)) < 0.5, 0, rng.integers(0, n_values, size=len(lengths)))
        a, b = np.minimum.outer(lengths, lengths), np.maximum.outer(lengths, lengths)
        shared = (b - a + 1) * a**2 + (a - 1) * a * (2 * a - 1) / 3
        expected = float(np.sum(np.triu(shared * (values[:, None] != values))))
        assert sliding_overlap(lengths, values, 1.0) == pytest.approx(expected, rel=1e-12)


def test_small_units_keep_their_digits_among_long_gaps() -> None:
    """A unit of 10 in ten million: the pairs of gaps outweigh it by 18 orders of magnitude, and must not drown it."""
    corpus = [([[(5_000_000, 5_000_010, "A")], [(5_000_000, 5_000_009, "A")]], 0, 10_000_000)]
    found = u_alpha_2013(continua_of(corpus), Resolved())
    gaps, units = [5_000_000, 4_999_990, 5_000_000, 4_999_991], [10, 9]
    pairs = 2 * sum((g - u + 1) * u**2 + (u - 1) * u * (2 * u - 1) // 3 for g in gaps for u in units)
    total = 20_000_000
    expected = pairs / (total**2 - sum(x**2 for x in gaps + units))
    assert found.expected == pytest.approx(expected, rel=1e-12)
    assert found.observed == pytest.approx(2 / total, rel=1e-12)


def test_many_chunks_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = next(iter(random_corpora(1)))
    continua = continua_of(corpus)
    measures = (u_alpha_2013, u_alpha, cu_alpha, alpha_u_1995)
    whole = [measure(continua, Resolved()) for measure in measures]
    from unisono.measures import chunks, sections

    monkeypatch.setattr(sections, "in_chunks", lambda low, high: chunks.in_chunks(low, high, at_once=2))
    units = units_of(continua, Resolved(), "category")
    assert sum(1 for _ in intersections(units.with_gaps().sort())) > 1
    for measure, value in zip(measures, whole, strict=True):
        assert same(measure(continua, Resolved()).value, value.value)


# α, against other libraries -------------------------------------------------------------------------------------------


def random_tables(count: int) -> Iterator[list[list[str | None]]]:
    """Annotators x items, some values missing, at least one item with two values."""
    rng = np.random.default_rng(1970)
    while count:
        size = int(rng.integers(2, 6)), int(rng.integers(2, 30))
        labels = ["1", "2", "4", "7", "8.5"][: int(rng.integers(2, 6))]
        full, is_there = rng.choice(labels, size=size), rng.random(size) < 0.8
        table = np.where(is_there, full.astype(object), None).tolist()
        pairable = [[x for x in column if x is not None] for column in zip(*table, strict=True)]
        if len({x for column in pairable if len(column) > 1 for x in column}) > 1:
            count -= 1
            yield table


LEVELS = {"nominal": Nominal(), "ordinal": Ordinal(), "interval": Interval(), "ratio": Ratio()}


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_against_krippendorff(level: str) -> None:
    for table in random_tables(100):
        data = [[np.nan if x is None else float(x) for x in row] for row in table]
        expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
        assert alpha_of_items(Items.of(table), LEVELS[level]).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("categorial", "distance"),
    [(Nominal(), binary_distance), (Interval(), interval_distance)],
    ids=["nominal", "interval"],
)
def test_alpha_against_nltk(categorial: Categorial, distance) -> None:
    for table in random_tables(60):
        triples = [
            (f"a{i}", f"u{j}", float(x)) for i, row in enumerate(table) for j, x in enumerate(row) if x is not None
        ]
        expected = AnnotationTask(data=triples, distance=distance).alpha()
        assert alpha_of_items(Items.of(table), categorial).value == pytest.approx(expected, abs=1e-9)


def test_alpha_against_nltk_with_any_matrix() -> None:
    """A distance of one's own is the difference itself, not its root: so nltk reads it, and so do we."""
    rng = np.random.default_rng(5)
    labels = ["1", "2", "4", "7", "8.5"]
    distances = {(a, b): float(rng.random()) for i, a in enumerate(labels) for b in labels[i + 1 :]}

    def distance(a: float, b: float) -> float:
        x, y = sorted((a, b))
        return 0.0 if x == y else distances[f"{x:g}", f"{y:g}"]

    for table in random_tables(60):
        triples = [
            (f"a{i}", f"u{j}", float(x)) for i, row in enumerate(table) for j, x in enumerate(row) if x is not None
        ]
        expected = AnnotationTask(data=triples, distance=distance).alpha()
        assert alpha_of_items(Items.of(table), Matrix(distances)).value == pytest.approx(expected, abs=1e-9)


def test_alpha_against_irrcac() -> None:
    """Krippendorff's table of 2011. irrCAC 0.4.4 pins old versions, so it ran in an environment of its own:

    CAC(table, weights="identity" | "quadratic" | "ratio", digits=12).krippendorff()["est"]["coefficient_value"]

    Its "ordinal" is left out (0.833638025594, ours and the library krippendorff's 0.815387503755): those are Gwet's
    ordinal weights, which depend on the ranks alone; Krippendorff's depend on the frequencies.
    """
    rows = ("123321412000", "123322412503", "033323422510", "123324412510")
    items = Items.of([[None if x == "0" else x for x in row] for row in rows])
    values = {"nominal": 0.743421052632, "interval": 0.849107142857, "ratio": 0.797402774712}
    for level, value in values.items():
        assert alpha_of_items(items, LEVELS[level]).value == pytest.approx(value, abs=1e-11)
    assert alpha_of_items(items, LEVELS["ordinal"]).value == pytest.approx(0.815387503755, abs=1e-11)


def test_alpha_against_its_twin() -> None:
    for table in random_tables(100):
        items = [[x for x in column if x is not None] for column in zip(*table, strict=True)]
        value, observed, expected = twin.alpha([column for column in items if len(column) > 1])
        found = alpha_of_items(Items.of(table))
        assert same(found.value, value)
        assert same(found.observed, float(observed))
        assert same(found.expected, float(expected))
        for category, of_one in (found.per_category or {}).items():
            binary, _, _ = twin.alpha([[x == category for x in column] for column in items if len(column) > 1])
            assert same(of_one.value, binary), "nominal: the category against all others"


def test_weights_are_repetitions() -> None:
    """An item that counts three times is three items; lengths of an uncut continuum are the limit of many."""
    for table in random_tables(30):
        once = Items.of(table, weights=[3.0] * len(table[0]))
        thrice = Items.of([[x for x in row for _ in range(3)] for row in table])
        assert same(alpha_of_items(once).value, alpha_of_items(thrice).value)
        many = alpha_of_items(Items.of(table, weights=[1e9] * len(table[0]))).value
        uncut = alpha_of_items(replace(Items.of(table), is_continuous=True)).value
        assert uncut == pytest.approx(many, abs=1e-7)


# Real annotations -----------------------------------------------------------------------------------------------------


def documents_of(continua: list[Continuum]) -> list[twin.Document]:
    return [
        (
            [[(u.start, u.end, u.category) for u in continuum.units_of(a)] for a in continuum.annotators],
            continuum.extent.start,
            continuum.extent.end,
        )
        for continuum in continua
    ]


def test_conll(shared: Path) -> None:
    """A crowd's named entities, documents with two to six annotators: one by one, and pooled."""
    folder = shared / "corpora" / "conll_mturk_ner"
    found = read_continua(folder / "units.csv.gz", folder / "participation.csv.gz")
    chosen = [c for c in found if c.n_annotators > 1 and len(c) > 0 and c.extent.length < 800][:12]
    assert len({continuum.n_annotators for continuum in chosen}) > 1
    for continua in (chosen, *([continuum] for continuum in chosen)):
        corpus = documents_of(continua)
        value, per_category = twin.cu_alpha(corpus)
        assert same(cu_alpha(continua, Resolved()).value, value)
        for category, expected in per_category.items():
            assert same(k_alpha(continua, Resolved()).per_category[category].value, expected)
        try:
            expected_u, _, _ = twin.u_alpha(corpus)
        except AssertionError:
            assert u_alpha(continua, Resolved()).reason_code == "overlapping-units"
            continue
        assert same(u_alpha(continua, Resolved()).value, expected_u)
        assert same(bar_u_alpha(continua, Resolved()).value, twin.u_alpha(corpus, is_binary=True)[0])
        assert same(alpha_u_1995(continua, Resolved()).value, twin.alpha_u_1995(corpus)[0])


def test_propaganda(shared: Path) -> None:
    """Eleven annotators whose units overlap, equal units of one annotator among them: cuα takes them all."""
    folder = shared / "corpora" / "llm_span_annotation"
    name = "propaganda-techniques|test|propaganda-techniques|0"
    found = read_continua(folder / "propaganda.csv.gz", folder / "propaganda_participation.csv.gz", names={name})
    value, per_category = twin.cu_alpha(documents_of(found))
    assert same(cu_alpha(found, Resolved()).value, value)
    for category, expected in per_category.items():
        assert same(k_alpha(found, Resolved()).per_category[category].value, expected)
