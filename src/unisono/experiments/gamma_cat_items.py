# SPDX-License-Identifier: MIT
"""Adjacent predefined items: how often the observed disorder of γcat differs from Krippendorff's observed disagreement.

Mathet 2017, section 5.1, lays item i at [i, i + 1) and reports that γcat obtains "exactly the same observed value as
α". That holds if each unitary alignment of the best alignment has exactly the values of one item; for adjacent items
the best alignment may be another one. This module counts how often, over random tables.

Distribution of a table: each item has one of four categories, uniformly; an annotator gives it with probability 0.7,
otherwise one of the four, uniformly; each value is then missing with a given probability. All independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisono.alignment import best_alignment
from unisono.dissimilarity import CombinedDissimilarity, Program2017Dissimilarity
from unisono.measures.missing_values import observed_agreement
from unisono.model import Alignment, Continuum

N_ITEMS = 12
N_CATEGORIES = 4
CORRECT = 0.7
ANNOTATORS = (3, 4, 5, 6)
MISSING = (0.0, 0.1, 0.25)

Items = NDArray[np.int64]


@dataclass(frozen=True)
class Difference:
    """In how many of the tables the two differ, and the mean and largest of these differences."""

    annotators: int
    missing: float
    tables: int
    n_different: int
    mean: float
    largest: float


def dissimilarities() -> dict[str, CombinedDissimilarity]:
    """The dissimilarities compared, by the names they have in tables."""
    return {
        "alpha 1": CombinedDissimilarity(alpha=1.0),
        "alpha 3": CombinedDissimilarity(alpha=3.0),
        "greyc-2017": Program2017Dissimilarity(alpha=3.0),
    }


def random_items(rng: np.random.Generator, annotators: int, missing: float) -> Items:
    """A table, annotators x items, -1 where a value is missing."""
    shape = (annotators, N_ITEMS)
    true = rng.integers(0, N_CATEGORIES, N_ITEMS)
    given = np.where(rng.random(shape) < CORRECT, true, rng.integers(0, N_CATEGORIES, shape))
    return np.where(rng.random(shape) < missing, -1, given)


def as_units(items: Items, *, step: int = 1) -> Continuum:
    """Item i as the unit [i * step, i * step + 1) of everyone who gave it a value."""
    return Continuum.of(
        {
            f"annotator {a}": [(i * step, i * step + 1, str(code)) for i, code in enumerate(row) if code >= 0]
            for a, row in enumerate(items.tolist())
        }
    )


def gamma_cat_disorder(alignment: Alignment) -> float | None:
    """The disorder of γcat for units of length 1 at whole positions, by Algorithm 1 of 2017.

    Units of different items do not overlap, so their pairs have weight 0. Of a unitary alignment only the pairs of
    values of one item count, with weight 1 / (n_v - 1) each.
    """
    continuum = alignment.continuum
    size = np.bincount(alignment.group)[alignment.group]
    same_alignment = alignment.group[:, None] == alignment.group[None, :]
    same_item = continuum.starts[:, None] == continuum.starts[None, :]
    u, v = np.nonzero(np.triu(same_alignment & same_item, k=1))
    if not len(u):
        return None
    weights = 1 / (size[u] - 1)
    differ = continuum.category_codes[u] != continuum.category_codes[v]
    return float((weights * differ).sum() / weights.sum())


def difference(
    annotators: int, dissimilarity: CombinedDissimilarity, missing: float, *, tables: int, seed: int = 0
) -> Difference:
    """Both values on that many random tables; tables in which either is undefined are drawn again."""
    rng = np.random.default_rng([seed, annotators, round(100 * missing)])  # the same tables for every dissimilarity
    differences: list[float] = []
    while len(differences) < tables:
        items = random_items(rng, annotators, missing)
        agreement = observed_agreement(items, "VL")
        disorder = gamma_cat_disorder(best_alignment(as_units(items), dissimilarity)) if agreement is not None else None
        if agreement is not None and disorder is not None:
            differences.append(abs(disorder - (1 - agreement)))
    positive = [value for value in differences if value > 1e-9]
    mean = float(np.mean(positive)) if positive else 0.0
    return Difference(annotators, missing, tables, len(positive), mean, max(differences))


def report(*, tables: int = 500, seed: int = 0) -> str:
    """The table, as `python -m unisono.experiments.gamma_cat_items` prints it."""
    lines = [
        f"{tables} tables of {N_ITEMS} adjacent items, {N_CATEGORIES} categories: how often the observed disorder of",
        "γcat differs from the observed disagreement of α; mean and largest of these differences",
        "annotators  missing  " + "".join(f"{name:>26}" for name in dissimilarities()),
    ]
    for annotators in ANNOTATORS:
        for missing in MISSING:
            cells = ""
            for dissimilarity in dissimilarities().values():
                outcome = difference(annotators, dissimilarity, missing, tables=tables, seed=seed)
                share = outcome.n_different / tables
                cells += f"{share:>10.1%}  {outcome.mean:.4f}  {outcome.largest:.4f}"
            lines.append(f"{annotators:>10}  {missing:>7.0%}  {cells}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
