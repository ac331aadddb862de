# SPDX-License-Identifier: MIT
"""Measures of given items, held against the slow twins and against scikit-learn, NLTK, statsmodels and irrCAC."""

from __future__ import annotations

import csv
import gzip
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from oracles.irrcac_numbers import NUMBERS, rating_tables
from reference import categorisation as twin
from unisono.dissimilarity import CombinedDissimilarity, Interval, Matrix
from unisono.measures.discretised import alpha_d, kappa_d
from unisono.measures.items import Distance, Items, atoms, distance_of
from unisono.measures.kappa import (
    ac1_of_items,
    ac2_of_items,
    fleiss_k_of_items,
    kappa_of_items,
    multi_kappa_of_items,
    percentage_of_items,
    pi_of_items,
    s_of_items,
    weighted_kappa_of_items,
)
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import UndefinedError
from unisono.model import Continuum
from unisono.results import MeasureValue

Table = list[list[str | None]]
SEEDS = range(40)


def random_table(seed: int, *, missing: float | None = None, most: int = 5) -> Table:
    """Annotators x items, with values 1 to k; some agreement, some annotators with few values."""
    rng = np.random.default_rng(seed)
    n, m, k = int(rng.integers(2, most + 1)), int(rng.integers(3, 25)), int(rng.integers(2, 6))
    gone = rng.choice([0.0, 0.2, 0.6]) if missing is None else missing
    truth = rng.integers(1, k + 1, m)
    values = np.where(rng.random((n, m)) < rng.random(), truth, rng.integers(1, k + 1, (n, m)))
    return [[None if rng.random() < gone else str(x) for x in row] for row in values.tolist()]


def as_items(table: Table) -> list[twin.Item]:
    return [
        {f"{a:02}": value for a, value in enumerate(column) if value is not None} for column in zip(*table, strict=True)
    ]


def linear(table: Table) -> tuple[Distance, twin.Distance]:
    """|x - y| over the range, as the fast measures and as the twins take it."""
    items = Items.of(table)
    numbers = [float(label or 0) for label in items.labels]
    span = (max(numbers) - min(numbers)) or 1.0
    return distance_of(Interval(), items), lambda a, b: abs(float(a or 0) - float(b or 0)) / span


NOMINAL: dict[str, tuple[Callable[[Items], MeasureValue], Callable[[list[twin.Item]], float | None]]] = {
    "percentage": (percentage_of_items, twin.percentage),
    "s": (s_of_items, twin.s),
    "fleiss-k": (fleiss_k_of_items, twin.fleiss_k),
    "multi-kappa": (multi_kappa_of_items, twin.multi_kappa),
    "ac1": (ac1_of_items, twin.ac2),
    "kappa": (kappa_of_items, lambda items: twin.mean_over_pairs(items, twin.pair_kappa)),
    "pi": (pi_of_items, lambda items: twin.mean_over_pairs(items, twin.pair_pi)),
}


def assert_same(found: MeasureValue, slow: Callable[[], float | None]) -> None:
    """Equal values, or both undefined: the twins divide by zero, or have nothing to average."""
    try:
        expected = slow()
    except (ZeroDivisionError, ValueError):
        expected = None
    if expected is None:
        assert found.value is None
    else:
        assert found.value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", NOMINAL)
@pytest.mark.parametrize("seed", SEEDS)
def test_twins(name: str, seed: int) -> None:
    fast, slow = NOMINAL[name]
    table = random_table(seed)
    assert_same(fast(Items.of(table)), lambda: slow(as_items(table)))


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_twins(seed: int) -> None:
    table = random_table(seed)
    fast, slow = linear(table)
    items, slow_items = Items.of(table), as_items(table)
    assert_same(
        weighted_kappa_of_items(items, fast),
        lambda: twin.mean_over_pairs(slow_items, lambda values: twin.pair_kappa(values, slow)),
    )
    assert_same(ac2_of_items(items, fast), lambda: twin.ac2(slow_items, slow))


@pytest.mark.parametrize("name", ["fleiss-k", "multi-kappa", "kappa", "pi"])
@pytest.mark.parametrize("seed", SEEDS)
def test_category_is_all_others_merged(name: str, seed: int) -> None:
    fast, slow = NOMINAL[name]
    table = random_table(seed)
    found = fast(Items.of(table))
    for category, value in (found.per_category or {}).items():
        assert_same(value, lambda category=category: slow(twin.merged(as_items(table), category)))  # type: ignore[misc]


@pytest.mark.parametrize("seed", SEEDS)
def test_specific_agreement(seed: int) -> None:
    table = random_table(seed)
    for category, value in (percentage_of_items(Items.of(table)).per_category or {}).items():
        assert_same(value, lambda c=category: twin.specific_agreement(as_items(table), c))  # type: ignore[misc]


@pytest.mark.parametrize("seed", range(6))
def test_weights_are_repeated_items(seed: int) -> None:
    """An item of weight 3 is that item three times."""
    table = random_table(seed)
    weights = np.random.default_rng(seed).integers(1, 5, len(table[0])).tolist()
    repeated = [[x for x, n in zip(row, weights, strict=True) for _ in range(n)] for row in table]
    for fast, _ in NOMINAL.values():
        assert fast(Items.of(table, weights=weights)).value == pytest.approx(fast(Items.of(repeated)).value, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_scikit_learn(seed: int) -> None:
    from sklearn import metrics

    a, b = random_table(seed, missing=0, most=2)
    items = Items.of([a, b])
    if len(items.labels) < 2:
        return
    assert kappa_of_items(items).value == pytest.approx(metrics.cohen_kappa_score(a, b), abs=1e-9)
    labels = [str(x) for x in items.labels]
    ranks = {label: i for i, label in enumerate(labels)}
    top = len(labels) - 1
    for weights, power in (("linear", 1), ("quadratic", 2)):
        table = {(x, y): (abs(ranks[x] - ranks[y]) / top) ** power for x in labels for y in labels}
        found = weighted_kappa_of_items(items, distance_of(Matrix(table), items))
        theirs = metrics.cohen_kappa_score(a, b, labels=labels, weights=weights)
        assert found.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_nltk(seed: int) -> None:
    """NLTK takes no missing values; its π is for any number of annotators, which we call K."""
    from nltk.metrics import agreement

    table = random_table(seed, missing=0)
    items = Items.of(table)
    triples = [(f"{a:02}", str(i), x) for a, row in enumerate(table) for i, x in enumerate(row)]
    task = agreement.AnnotationTask(data=triples)
    assert percentage_of_items(items).value == pytest.approx(task.avg_Ao(), abs=1e-9)
    if len(items.labels) < 2:
        return
    assert s_of_items(items).value == pytest.approx(task.S(), abs=1e-9)
    assert fleiss_k_of_items(items).value == pytest.approx(task.pi(), abs=1e-9)
    assert multi_kappa_of_items(items).value == pytest.approx(task.multi_kappa(), abs=1e-9)
    found = kappa_of_items(items)
    if not any("no value" in note for note in found.notes):  # NLTK calls such a pair 1
        assert found.value == pytest.approx(task.kappa(), abs=1e-9)
        fast, slow = linear(table)
        weighted = agreement.AnnotationTask(data=triples, distance=slow)
        theirs = np.mean([weighted.weighted_kappa_pairwise(a, b) for a in task.C for b in task.C if a < b])
        assert weighted_kappa_of_items(items, fast).value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_statsmodels(seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from statsmodels.stats import inter_rater
    table = random_table(seed, missing=0)
    items = Items.of(table)
    if len(items.labels) < 2:
        return
    counts, _ = inter_rater.aggregate_raters(np.array(table).T)
    assert fleiss_k_of_items(items).value == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-9)
    uniform = inter_rater.fleiss_kappa(counts, method="randolph")
    assert s_of_items(items).value == pytest.approx(uniform, abs=1e-9)


@pytest.mark.parametrize("number", NUMBERS)
def test_irrcac(number: int) -> None:
    """Missing values as Gwet treats them; the library's own numbers, to 15 digits."""
    items = Items.of(rating_tables()[number])
    numbers = NUMBERS[number]
    for name, measure in (
        ("s", s_of_items),
        ("fleiss-k", fleiss_k_of_items),
        ("multi-kappa", multi_kappa_of_items),
        ("ac1", ac1_of_items),
    ):
        found = measure(items)
        assert found.value == pytest.approx(numbers[name], abs=1e-9)
        assert 1 - (found.observed or 0) == pytest.approx(numbers[f"{name} observed"], abs=1e-9)
    linear_distance = distance_of(Interval(), items)
    found = ac2_of_items(items, linear_distance)
    assert found.value == pytest.approx(numbers["ac2-linear"], abs=1e-9)
    assert 1 - (found.observed or 0) == pytest.approx(numbers["ac2-linear observed"], abs=1e-9)
    squared = ac2_of_items(items, lambda u, v: linear_distance(u, v) ** 2)
    assert squared.value == pytest.approx(numbers["ac2-quadratic"], abs=1e-9)


def random_continuum(seed: int, *, floats: bool = False) -> Continuum:
    """Units that do not overlap, some without category, some of length 0, some annotators without any."""
    rng = np.random.default_rng(seed)
    units: dict[str, list[tuple[float, float, str | None]]] = {}
    for name in ("ann", "bob", "cem", "dee")[: int(rng.integers(2, 5))]:
        points = np.sort(rng.uniform(0, 30, 8) if floats else rng.integers(0, 30, 8)).tolist()
        kept = [(s, e) for s, e in zip(points[::2], points[1::2], strict=True) if rng.random() < 0.7]
        units[name] = [(s, e, rng.choice([None, "1", "2", "4"])) for s, e in kept]
    return Continuum.of(units, extent=(-2, 33), name=f"random {seed}")


def slow_atoms(continuum: Continuum, step: float) -> list[twin.Item]:
    units = {
        name: [(unit.start, unit.end, unit.category) for unit in continuum.units_of(name)]
        for name in continuum.annotators
    }
    return twin.atoms(units, [-2 + step * (i + 0.5) for i in range(round(35 / step))])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("floats", [False, True])
def test_atoms_one_by_one(seed: int, floats: bool) -> None:
    """Runs of atoms say what the atoms say one by one, and κd is κ or K of those."""
    continuum = random_continuum(seed, floats=floats)
    step = 0.25 if floats else 1.0
    settings = Resolved(step=step if floats else None)
    if len(continuum) == 0:
        with pytest.raises(UndefinedError, match="nobody marked any unit"):
            atoms([continuum], settings)
        return
    items = atoms([continuum], settings)
    slow = slow_atoms(continuum, step)
    matrix = np.repeat(items.values, items.weights.astype(int), axis=1)
    labels = [*items.labels]
    assert [[labels[code] for code in column] for column in matrix.T.tolist()] == [
        [atom[name] for name in items.annotators] for atom in slow
    ]
    named: list[twin.Item] = [{name: str(value) for name, value in atom.items()} for atom in slow]
    if continuum.n_annotators == 2:
        assert_same(kappa_d([continuum], settings), lambda: twin.mean_over_pairs(named, twin.pair_kappa))
    else:
        assert_same(kappa_d([continuum], settings), lambda: twin.fleiss_k(named))


@pytest.mark.parametrize("seed", SEEDS)
def test_alpha_d_is_alpha_of_the_atoms(seed: int) -> None:
    """The package krippendorff, given the atoms one by one."""
    import krippendorff

    continuum = random_continuum(seed)
    slow = [[str(atom[name]) for name in continuum.annotators] for atom in slow_atoms(continuum, 1.0)]
    if len({value for row in slow for value in row}) < 2:
        return
    theirs = krippendorff.alpha(reliability_data=np.array(slow).T, level_of_measurement="nominal")
    assert alpha_d([continuum], Resolved()).value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("seed", range(10))
def test_without_a_step_is_the_limit(seed: int) -> None:
    continuum = random_continuum(seed, floats=True)
    if len(continuum) == 0:
        return
    for measure in (kappa_d, alpha_d):
        limit = measure([continuum], Resolved())
        fine = measure([continuum], Resolved(step=1e-6))
        assert fine.value == pytest.approx(limit.value, abs=1e-5)


def test_alpha_d_with_distances() -> None:
    """Blank is as far from a category as categories can be; by hand, on six atoms."""
    continuum = Continuum.of({"ann": [(0, 2, "1"), (2, 4, "3")], "bob": [(0, 1, "1"), (1, 4, "3")]}, extent=(0, 6))
    interval = Resolved(dissimilarity=CombinedDissimilarity(categorial=Interval()))
    # Atoms: 1-1, 1-3, 3-3, 3-3, blank-blank twice; twelve values, of which 3 are 1, 5 are 3, 4 are blank.
    observed = 2 * 4 / 12
    expected = 2 * (3 * 5 * 4 + 3 * 4 * 4 + 5 * 4 * 4) / (12 * 11)
    found = alpha_d([continuum], interval)
    assert found.value == pytest.approx(1 - observed / expected, abs=1e-12)


def test_crowd_of_thousands(shared: Path) -> None:
    """toxic_spans, every fifth document: hundreds of annotators, few of whom share one; character by character.

    Documents in which somebody's own units overlap are left out.
    """
    folder = shared / "corpora" / "toxic_spans"
    documents: dict[str, dict[str, list[tuple[int, int, str]]]] = {}
    with gzip.open(folder / "units.csv.gz", "rt", newline="") as lines:
        for row in csv.DictReader(lines):
            unit = (int(row["start"]), int(row["end"]), row["category"])
            documents.setdefault(row["document"], {}).setdefault(row["annotator"], []).append(unit)
    taken = {
        name: units
        for name, units in list(documents.items())[::5]
        if not any(u[1] > v[0] for rows in units.values() for u, v in pairwise(sorted(rows)))
    }
    agreement = n_pairable = n_atoms = 0.0
    shares: Counter[str] = Counter()
    for units in taken.values():
        marks: dict[int, list[str]] = {}
        for rows in units.values():
            for start, end, category in rows:
                for position in range(start, end):
                    marks.setdefault(position, []).append(category)
        for position in range(
            min(u[0] for rows in units.values() for u in rows), max(u[1] for rows in units.values() for u in rows)
        ):
            values = Counter(marks.get(position, []))
            values["blank"] += len(units) - values.total()
            n = len(units)
            n_atoms += 1
            for value, count in values.items():
                shares[value] += count / n  # type: ignore[assignment]
            if n > 1:
                n_pairable += 1
                agreement += sum(count * (count - 1) for count in values.values()) / (n * (n - 1))
    expected = sum((share / n_atoms) ** 2 for share in shares.values())
    found = kappa_d([Continuum.of(units, name=name) for name, units in taken.items()], Resolved())
    assert 1 - (found.observed or 0) == pytest.approx(agreement / n_pairable, abs=1e-9)
    assert 1 - (found.expected or 0) == pytest.approx(expected, abs=1e-9)
    assert len({annotator for units in taken.values() for annotator in units}) > 500
