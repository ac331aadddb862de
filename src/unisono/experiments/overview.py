# SPDX-License-Identifier: MIT
"""Table 2 of Mathet et al. 2015: what each measure can handle, every mark by trying the measure on small data.

A measure has the mark of a task when it gives a value for data of that task: a full covering by units of one category
with different boundaries is pure segmentation, units with gaps between them are unitizing.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from unisono.api import measure
from unisono.dissimilarity import CombinedDissimilarity, Matrix
from unisono.experiments.experiment import Conditions, Outcome
from unisono.model import Continuum

COLUMNS = (
    "categorizing",
    "segmentation",
    "unitizing",
    "unitizing with overlap",
    "weighted",
    "chance correction",
    "alignment",
    "3 annotators or more",
)

#: The rows of the paper, and the measures here that they are about.
ROWS = {
    "F-measure": "f1-type",
    "κ, π": "kappa",
    "multi-π, multi-κ": "multi-kappa",
    "κ weighted": "weighted-kappa",
    "α": "alpha",
    "WindowDiff": "window-diff",
    "GHD": "ghd",
    "modified SER": "ser",
    "uα": "u-alpha-2013",
    "c|uα": "cu-alpha",
    "discretizing measure": "kappa-d",
    "discretizing measure, by α": "alpha-d",
    "γ": "gamma",
}


@cache
def marks(name: str) -> tuple[bool, ...]:
    """Whether a measure has a mark in each column of the table.

    >>> dict(zip(COLUMNS, marks("window-diff"), strict=True))["segmentation"]
    True
    """
    return (
        _depends_on_categories(name),
        _measures_segmentation(name),
        _measures_units(name),
        _handles_nesting(name),
        _weights_categories(name),
        _is_corrected_for_chance(name),
        _pairs_one_to_one(name),
        _is_more_than_its_pairs(name),
    )


def _value(continuum: Continuum, name: str, **options: object) -> float | None:
    result = measure(continuum, name, seed=1, samples=30, intervals=False, **options)  # type: ignore[arg-type]
    return result[name].value


def _items(one: str, other: str) -> Continuum:
    """Adjacent items, one letter each."""
    rows = {a: [(i, i + 1, k) for i, k in enumerate(labels)] for a, labels in (("a", one), ("b", other))}
    return Continuum.of(rows)


def _depends_on_categories(name: str) -> bool:
    """Whether another category at the same position changes the value."""
    return _value(_items("ABAB", "ABAB"), name) != _value(_items("ABAB", "ABAC"), name)


def _measures_segmentation(name: str) -> bool:
    """Whether two ways to cut the whole continuum into units of one category have a value."""
    rows = {"a": [(0, 30), (30, 70), (70, 100)], "b": [(0, 35), (35, 70), (70, 100)]}
    return _value(_one_category(rows), name) is not None


def _measures_units(name: str) -> bool:
    """Whether units of two categories at different places, with gaps between them, have a value."""
    rows = {"a": [(5, 15, "A"), (30, 45, "B"), (60, 70, "A")], "b": [(7, 15, "A"), (28, 45, "B"), (62, 75, "B")]}
    return _value(Continuum.of(rows, extent=(0, 100)), name) is not None


def _one_category(rows: dict[str, list[tuple[int, int]]]) -> Continuum:
    return Continuum.of({a: [(start, end, "A") for start, end in row] for a, row in rows.items()})


def _handles_nesting(name: str) -> bool:
    """Whether full agreement on a unit inside another gives the value 1."""
    units = [(0, 40, "long"), (12, 24, "short"), (50, 60, "short")]
    return _value(Continuum.of({"a": units, "b": units}), name) == 1


def _weights_categories(name: str) -> bool:
    """Whether closer categories give another value."""
    data = _items("ABCABC", "ABCABB")
    near = Matrix({("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "C"): 0.5})
    far = Matrix({("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "C"): 1.0})
    values = [_value(data, name, dissimilarity=CombinedDissimilarity(categorial=matrix)) for matrix in (near, far)]
    return values[0] != values[1]


def _is_corrected_for_chance(name: str) -> bool:
    """Whether the mean value of random annotators is 0 (within 0.15), with few or many units and categories."""
    return all(abs(_mean_at_random(name, n_units, labels)) < 0.15 for n_units, labels in ((12, "AB"), (40, "ABCDE")))


def _mean_at_random(name: str, n_units: int, labels: str) -> float:
    """The mean over 40 documents of two annotators who cover 300 positions at random, or label given items."""
    rng = np.random.default_rng(1)
    values = []
    for _ in range(40):
        value = _value(Continuum.of({a: _random_covering(rng, n_units, labels) for a in "ab"}), name)
        if value is None:
            value = _value(_items(*("".join(rng.choice(list(labels), n_units)) for _ in "ab")), name)
        values += [] if value is None else [value]
    return float(np.mean(values)) if values else math.nan


def _pairs_one_to_one(name: str) -> bool:
    """Whether a unit (or boundary) without a partner counts the same wherever it is.

    One annotator has a unit, the other one half of it and a second unit: its other half, or one far away. Measures
    that pair units leave the second one alone in both cases; measures of positions see something else. For
    segmentation the same with boundaries.
    """
    units = [{"a": [(40, 60, "A")], "b": [(40, 50, "A"), second]} for second in ((50, 60, "B"), (80, 90, "B"))]
    cuts = [{"a": [(0, 50), (50, 100)], "b": [(0, 45), (45, end), (end, 100)]} for end in (55, 80)]
    layouts = ([Continuum.of(rows, extent=(0, 100)) for rows in units], [_one_category(rows) for rows in cuts])
    for layout in layouts:
        near, far = (_disagreement(continuum, name) for continuum in layout)
        if near is not None and far is not None and abs(near - far) < 1e-9:
            return True
    return False


def _disagreement(continuum: Continuum, name: str) -> float | None:
    """What a measure observes before it corrects for chance; its value where it does not correct."""
    result = measure(continuum, name, seed=1, samples=30, intervals=False)[name]
    return None if result.value is None else result.value if result.observed is None else result.observed


def _is_more_than_its_pairs(name: str) -> bool:
    """Whether the value of three annotators is not simply the mean over their pairs."""
    rng = np.random.default_rng(3)
    items = [[(i, i + 1, k) for i, k in enumerate(labels)] for labels in ("ABABCACB", "ABBBCAAB", "BBABCACA")]
    coverings = [_random_covering(rng, 12, "AB") for _ in range(3)]
    for rows in (coverings, items):
        three = dict(zip("abc", rows, strict=True))
        value = _value(Continuum.of(three), name)
        pairs = [_value(Continuum.of({x: three[x], y: three[y]}), name) for x, y in ("ab", "ac", "bc")]
        if value is not None and None not in pairs:
            return abs(value - float(np.mean(np.array(pairs, float)))) > 1e-9
    return False


def _random_covering(rng: np.random.Generator, n_units: int, labels: str) -> list[tuple[int, int, str]]:
    cuts = np.unique(rng.integers(1, 300, n_units - 1)).tolist()
    drawn = rng.choice(list(labels), len(cuts) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, 300], drawn, strict=True))


def table_2(conditions: Conditions) -> Outcome:
    """The table, and the number of marks in each row."""
    rows = [
        {"measure": title, "here": name, **dict(zip(COLUMNS, ("yes" if m else "" for m in marks(name)), strict=True))}
        for title, name in ROWS.items()
    ]
    return Outcome.of({f"marks, {title}": float(sum(marks(name))) for title, name in ROWS.items()}, rows=rows)
