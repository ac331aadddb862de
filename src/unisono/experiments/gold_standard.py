# SPDX-License-Identifier: MIT
"""The quality of the gold standard on shuffled corpora, whose reference is known, compared with a vote per character.

Three annotators make known errors on a reference of 30 units; the consensus of their best alignment (`unisono.gold`
with its defaults, and with same_category) and the baseline are compared with the reference. Precision is
the share of consensus units that are in the reference, recall the share of the reference's units that are in the
consensus: exactly, or with the same category and an intersection of at least half of the union (IoU), one to one.
Intervals: percentiles of 2,000 bootstrap samples of the sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unisono.analysis.gold import gold
from unisono.measures.chunks import sum_by_code
from unisono.measures.resolved import Resolved
from unisono.measures.slot_error import NearUnits
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature
from unisono.shuffling import (
    CategoryErrors,
    Errors,
    FalseNegatives,
    FalsePositives,
    PositionErrors,
    ReferenceModel,
    Splits,
    shuffled_sets,
)

MAGNITUDES = (0.1, 0.3, 0.5)
SETS = 100
ANNOTATORS = 3
SEED = 42
BOOTSTRAP = 2_000
METHODS = ("consensus", "same category", "baseline")

#: A value and the ends of its interval.
Share = tuple[float, float, float]

EACH: dict[str, Sequence[Errors]] = {
    "position": [PositionErrors()],
    "category": [CategoryErrors()],
    "false negatives": [FalseNegatives()],
    "false positives": [FalsePositives()],
    "splits": [Splits()],
}
ALL = [error for errors in EACH.values() for error in errors]

#: Which references, and which errors on them.
DENSE = ReferenceModel()
NESTED = ReferenceModel(nesting=0.3)
CASES: list[tuple[str, ReferenceModel, Sequence[Errors]]] = [
    *((name, DENSE, errors) for name, errors in EACH.items()),
    ("all of them", DENSE, ALL),
    ("all, nested units", NESTED, ALL),
]


@dataclass(frozen=True)
class Quality:
    """Paired units, units of the consensus and of the reference, one row for each set."""

    paired: NDArray[np.float64]
    consensus: NDArray[np.float64]
    reference: NDArray[np.float64]

    @property
    def shares(self) -> tuple[Share, Share]:
        """Precision and recall, each as the value over all sets with its 95 % interval."""
        return self._share(self.consensus), self._share(self.reference)

    def _share(self, of: NDArray[np.float64]) -> Share:
        rng = np.random.default_rng(SEED)
        drawn = rng.integers(0, len(of), (BOOTSTRAP, len(of)))
        total = of[drawn].sum(axis=1)
        shares = np.divide(self.paired[drawn].sum(axis=1), total, out=np.zeros(BOOTSTRAP), where=total > 0)
        low, high = np.quantile(shares, [0.025, 0.975])
        return float(self.paired.sum() / max(of.sum(), 1.0)), float(low), float(high)


def majority_per_character(continuum: Continuum, name: str = "gold") -> Continuum:
    """The baseline: a character has a category if more than half of the annotators gave it; runs are units.

    >>> c = Continuum.of({"ann": [(0, 5, "A")], "bob": [(2, 9, "A")], "cem": [(4, 9, "A")]})
    >>> [(unit.start, unit.end) for unit in majority_per_character(c)]
    [(2, 9)]
    """
    extent = continuum.extent or Extent(0, 0)
    first, length = int(extent.start), int(extent.end - extent.start)
    starts: list[int] = []
    ends: list[int] = []
    codes: list[int] = []
    for code in range(len(continuum.categories)):
        count = np.zeros(length + 1, dtype=np.int64)
        for annotator in range(continuum.n_annotators):
            own = (continuum.category_codes == code) & (continuum.annotator_codes == annotator)
            change = np.zeros(length + 1, dtype=np.int64)
            np.add.at(change, continuum.starts[own] - first, 1)
            np.add.at(change, continuum.ends[own] - first, -1)
            count += np.cumsum(change) > 0  # overlapping units of one annotator are one vote
        marked = np.concatenate(([False], 2 * count > continuum.n_annotators))
        edges = np.flatnonzero(marked[1:] != marked[:-1])
        starts += (edges[0::2] + first).tolist()
        ends += (edges[1::2] + first).tolist()
        codes += [code] * (len(edges) // 2)
    return Continuum(
        starts=starts,
        ends=ends,
        annotator_codes=np.zeros(len(starts), dtype=np.int32),
        annotators=[name],
        features={CATEGORY: Feature(np.array(codes, dtype=np.int32), continuum.categories)},
        extent=extent,
        name=continuum.name,
    )


def quality(consensus: Sequence[Continuum], references: Sequence[Continuum], *, exact: bool) -> Quality:
    """How many units of the consensus can be paired with one of the reference, set by set."""
    both = [_strip_features(one).join(_strip_features(other)) for one, other in zip(consensus, references, strict=True)]
    near = NearUnits.of(both, Resolved(reference="reference"))
    enough = near.is_same_category & (near.is_same_position if exact else near.is_mostly_common)
    near = near.only(enough)
    # Pairs with more overlap are preferred; any pair is better than none.
    chosen = near.match(0.4 - 0.4 * near.dice, alone=0.5)
    paired = sum_by_code(near.comparison[chosen], np.ones(int(chosen.sum())), len(near.comparisons.first))
    n_units = near.comparisons.n_units.astype(np.float64)
    return Quality(paired, n_units[near.comparisons.second], n_units[near.comparisons.first])


def _strip_features(continuum: Continuum) -> Continuum:
    """The units with their categories only, so that two continua with other extents and features can be joined."""
    features = {CATEGORY: continuum.features[CATEGORY]}
    return continuum.replace(features=features, extent=None, text=None, own_texts=None)


def results(
    magnitude: float, model: ReferenceModel, errors: Sequence[Errors], *, sets: int = SETS
) -> dict[str, tuple[Quality, Quality]]:
    """Exact and IoU quality of the consensus and of the baseline."""
    shuffled = list(shuffled_sets(model, errors, magnitude, sets=sets, annotators=ANNOTATORS, seed=SEED))
    continua = [each.continuum for each in shuffled]
    references = [each.reference for each in shuffled]
    corpus = Corpus(tuple(continua))
    methods = {
        "consensus": list(gold(corpus).corpus()),
        "same category": list(gold(corpus, same_category=True).corpus()),
        "baseline": [majority_per_character(continuum) for continuum in continua],
    }
    return {
        name: (quality(units, references, exact=True), quality(units, references, exact=False))
        for name, units in methods.items()
    }


def tables(*, sets: int = SETS) -> Iterator[str]:
    """The rows of both tables of docs/gold.md: units paired exactly, then by IoU."""
    qualities = {
        (name, magnitude): results(magnitude, model, errors, sets=sets)
        for name, model, errors in CASES
        for magnitude in MAGNITUDES
    }
    for which, title in enumerate(("exact", "IoU")):
        yield f"{title}: precision and recall"
        yield ""
        heads = [f"{method} {share}" for method in METHODS for share in ("P", "R")]
        yield " | ".join(["| errors", "magnitude", *heads, ""]).rstrip()
        yield "|---" * (2 + len(heads)) + "|"
        for (name, magnitude), of_method in qualities.items():
            shares = [share for method in METHODS for share in of_method[method][which].shares]
            cells = [f"{value:.3f} ({low:.3f}-{high:.3f})" for value, low, high in shares]
            yield " | ".join([f"| {name}", str(magnitude), *cells, ""]).rstrip()
        yield ""


if __name__ == "__main__":
    print("\n".join(tables()))
