# SPDX-License-Identifier: MIT
"""Fitting a model of references to a corpus: number of units, lengths, gaps, overlap and nesting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import CorpusError
from unisono.model import CATEGORY, Corpus, IntArray
from unisono.shuffling.distributions import Distribution, Fixed, distribution_of_values
from unisono.shuffling.reference import CategoryModel, ReferenceModel
from unisono.shuffling.sheet import Flags

#: A category with fewer units gets the lengths and gaps of all units.
FEWEST_FOR_OWN = 20
#: The number of values kept for a category.
CATEGORY_VALUES = 50


@dataclass(frozen=True)
class UnitColumns:
    """The units of all annotators of all documents, sorted by (annotator in a document, start, longest first)."""

    owners: NDArray[np.int64]
    starts: NDArray[Any]
    ends: NDArray[Any]
    codes: IntArray
    labels: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> UnitColumns:
        labels = corpus.labels()
        place = {label: i for i, label in enumerate(labels)}
        owners, codes, first = [], [], 0
        for continuum in corpus:
            feature = continuum.features[CATEGORY]
            table = np.array([*(place[label] for label in feature.labels), -1], dtype=np.int32)
            codes.append(table[feature.codes])
            owners.append(continuum.annotator_codes.astype(np.int64) + first)
            first += continuum.n_annotators
        starts = np.concatenate([continuum.starts for continuum in corpus])
        ends = np.concatenate([continuum.ends for continuum in corpus])
        owner = np.concatenate(owners)
        order = np.lexsort((-ends, starts, owner))
        return cls(owner[order], starts[order], ends[order], np.concatenate(codes)[order], labels)

    def take(self, units: Flags) -> UnitColumns:
        return UnitColumns(self.owners[units], self.starts[units], self.ends[units], self.codes[units], self.labels)

    @property
    def nested(self) -> Flags:
        """Which units lie inside another one of the same annotator."""
        if not len(self.owners):
            return np.zeros(0, dtype=bool)
        # The furthest end so far for each owner; ends are compared as ranks, which is exact for any positions.
        positions, rank = np.unique(self.ends, return_inverse=True)
        level = self.owners * len(positions) + rank
        furthest = np.maximum.accumulate(level)
        return np.append(False, level[1:] <= furthest[:-1])

    @property
    def follows(self) -> Flags:
        """Which units have a unit of the same annotator before them."""
        return np.append(False, self.owners[1:] == self.owners[:-1])[: len(self.owners)]


def fitted_model(corpus: Corpus) -> ReferenceModel:
    """The model that `ReferenceModel.fitted` returns.

    The number of units is that of an annotator in a document in which they marked something. Lengths, and gaps between
    units that neither nest nor overlap, are kept as values (many values as quantiles), separately for each category
    with 20 units or more. The model does not keep how neighbouring units depend on each other, nor how lengths and
    numbers depend on the document.
    """
    if not corpus.n_units:
        raise CorpusError.of("the corpus has no units to fit a model to", "Give a corpus with units.", code="no-units")
    units = UnitColumns.of(corpus)
    nested = units.nested
    depth, inner = 1, units.take(nested)
    while inner.nested.any():
        depth, inner = depth + 1, inner.take(inner.nested)
    top = units.take(~nested)
    follows = top.follows
    steps = top.starts[1:] - top.ends[:-1]
    steps = _without_noise(np.append(np.zeros(1, steps.dtype), steps)[follows])
    overlapping = steps < 0
    gaps, gap_codes = steps[~overlapping], top.codes[follows][~overlapping]
    lengths = _without_noise(units.ends - units.starts)
    counts = np.unique(units.owners, return_counts=True)[1]
    labelled = units.codes >= 0
    frequency = np.bincount(units.codes[labelled], minlength=len(units.labels))
    covering = len(steps) > 0 and not nested.any() and not steps.any()
    categories = {
        label: CategoryModel(
            int(frequency[code]),
            _own_distribution(lengths[units.codes == code]),
            None if covering else _own_distribution(gaps[gap_codes == code]),
        )
        for code, label in enumerate(units.labels)
        if frequency[code]
    }
    return ReferenceModel(
        units=distribution_of_values(counts),
        length=distribution_of_values(lengths),
        gap=distribution_of_values(gaps) if len(gaps) else Fixed(0),
        categories=categories,
        uncategorised=float(1 - labelled.mean()) if categories else 0.0,
        overlap=float(overlapping.mean()) if len(steps) else 0.0,
        nesting=float(nested.sum() / max(len(nested) - len(counts), 1)),  # the first unit of each is never nested
        depth=depth,
        covering=covering,
        decimals=units.starts.dtype.kind != "i",
    )


def _without_noise(differences: NDArray[Any]) -> NDArray[Any]:
    """Differences of decimal positions, rounded to nine digits so that 3.1 - 3.0 is 0.1."""
    return differences if differences.dtype.kind == "i" else np.round(differences, 9)


def _own_distribution(values: NDArray[Any]) -> Distribution | None:
    """The distribution of a category's own values, if there are enough of them."""
    return distribution_of_values(values, CATEGORY_VALUES) if len(values) >= FEWEST_FOR_OWN else None
