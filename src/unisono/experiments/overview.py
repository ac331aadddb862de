# SPDX-License-Identifier: MIT
"""Table 2 of Mathet et al. 2015: what each measure copes with, from what the catalogue says of it and by trying it.

What a measure needs is read from its entry in the catalogue (given items, a full covering, no overlap, annotators two
by two); whether it looks at categories, weighs them and corrects for chance is tried on small data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from unisono.api import measure
from unisono.dissimilarity import CombinedDissimilarity, Matrix
from unisono.experiments.experiment import Conditions, Outcome
from unisono.measures import MEASURES
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
    "γ": "gamma",
}

#: Where units (or boundaries) are paired one to one; the catalogue knows the module of each measure.
_ALIGNING = ("unisono.measures.family", "unisono.measures.units")
_ALIGNING_MEASURES = ("ghd",)


@dataclass(frozen=True)
class _Needs:
    """What the catalogue says of a measure, in yes and no."""

    given_items: bool
    full_covering: bool
    no_overlap: bool
    by_pairs: bool

    @classmethod
    def of(cls, name: str) -> _Needs:
        needs = MEASURES[name].needs
        return cls(
            "predefined" in needs,
            "cover the whole" in needs,
            "not overlap" in needs or "without overlap" in needs,
            "two by two" in needs or "over their pairs" in needs,
        )


@cache
def marks(name: str) -> tuple[bool, ...]:
    """Whether a measure satisfies each column of the table.

    >>> dict(zip(COLUMNS, marks("window-diff"), strict=True))["segmentation"]
    True
    """
    needs = _Needs.of(name)
    is_free = not needs.given_items and not needs.full_covering
    return (
        _looks_at_categories(name),
        not needs.given_items,
        is_free,
        is_free and not needs.no_overlap and _copes_with_nesting(name),
        _weighs_categories(name),
        _is_corrected_for_chance(name),
        MEASURES[name].home.partition(":")[0] in _ALIGNING or name in _ALIGNING_MEASURES,
        not needs.by_pairs,
    )


def _value(continuum: Continuum, name: str, **options: object) -> float | None:
    found = measure(continuum, name, seed=1, samples=30, intervals=False, **options)  # type: ignore[arg-type]
    return found[name].value


def _items(one: str, other: str) -> Continuum:
    """Items side by side, one letter each."""
    rows = {a: [(i, i + 1, k) for i, k in enumerate(labels)] for a, labels in (("a", one), ("b", other))}
    return Continuum.of(rows)


def _looks_at_categories(name: str) -> bool:
    """Another category, at the same place, changes the value."""
    return _value(_items("ABAB", "ABAB"), name) != _value(_items("ABAB", "ABAC"), name)


def _copes_with_nesting(name: str) -> bool:
    """Full agreement on a unit inside another is full agreement."""
    units = [(0, 40, "long"), (12, 24, "short"), (50, 60, "short")]
    return _value(Continuum.of({"a": units, "b": units}), name) == 1


def _weighs_categories(name: str) -> bool:
    """Closer categories give another value."""
    data = _items("ABCABC", "ABCABB")
    near = Matrix({("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "C"): 0.5})
    far = Matrix({("A", "B"): 1.0, ("A", "C"): 1.0, ("B", "C"): 1.0})
    values = [_value(data, name, dissimilarity=CombinedDissimilarity(categorial=matrix)) for matrix in (near, far)]
    return values[0] != values[1]


def _is_corrected_for_chance(name: str) -> bool:
    """Annotators who mark at random agree by 0 on average (within 0.15), with few units and categories or with many."""
    return all(abs(_at_random(name, n_units, labels)) < 0.15 for n_units, labels in ((12, "AB"), (40, "ABCDE")))


def _at_random(name: str, n_units: int, labels: str) -> float:
    """The mean over 40 documents of two annotators who cover 300 positions (or label items) at random."""
    rng = np.random.default_rng(1)
    values = []
    for _ in range(40):
        if _Needs.of(name).given_items:
            one, other = ("".join(rng.choice(list(labels), n_units)) for _ in "ab")
            continuum = _items(one, other)
        else:
            continuum = Continuum.of({a: _covering(rng, n_units, labels) for a in "ab"})
        value = _value(continuum, name)
        values += [] if value is None else [value]
    return float(np.mean(values)) if values else math.nan


def _covering(rng: np.random.Generator, n_units: int, labels: str) -> list[tuple[int, int, str]]:
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
