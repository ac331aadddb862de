# SPDX-License-Identifier: MIT
"""The data of all inference: one (numerator, denominator) for each document, whose summed ratio is the value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.model import FloatArray
from unisono.results import DocumentResult, MeasureValue, Result

#: The value of a category in a document that does not have it.
ABSENT = MeasureValue(None, reason="the category does not occur", reason_code="category-absent")


@dataclass(frozen=True)
class Ratios:
    """Documents as pairs: weight times observed disorder over weight times expected disorder.

    The value of all of them is 1 - sum(numerators) / sum(denominators), which is how documents are pooled.

    >>> Ratios.of([("one", 2.0, 4.0), ("two", 1.0, 8.0)]).value
    0.75
    """

    names: tuple[str, ...]
    numerators: FloatArray
    denominators: FloatArray

    @classmethod
    def of(cls, documents: Sequence[tuple[str, float, float]]) -> Ratios:
        names, numerators, denominators = zip(*documents, strict=True) if documents else ((), (), ())
        return cls(tuple(names), np.array(numerators, dtype=np.float64), np.array(denominators, dtype=np.float64))

    def __len__(self) -> int:
        return len(self.names)

    def take(self, names: Sequence[str]) -> Ratios:
        """The documents of these names, in this order."""
        place = {name: i for i, name in enumerate(self.names)}
        index = np.array([place[name] for name in names], dtype=np.intp)
        return Ratios(tuple(names), self.numerators[index], self.denominators[index])

    @cached_property
    def value(self) -> float | None:
        """The pooled value; None where nothing is expected, so that there is nothing to compare with."""
        expected = math.fsum(self.denominators.tolist())
        return 1.0 - math.fsum(self.numerators.tolist()) / expected if expected > 0 else None

    def beyond(self, value: float) -> float:
        """The disorder beyond what documents with this value would have: the sum of numerators - (1 - value) * rest."""
        return math.fsum((self.numerators - (1 - value) * self.denominators).tolist())


def paired_order(a: Ratios, b: Ratios) -> NDArray[np.intp]:
    """Documents of two sides sorted by their values: neither their order in a file nor which side is which matters."""
    pairs = ((a.numerators, b.numerators), (a.denominators, b.denominators))
    keys = [key for x, y in pairs for key in (x + y, np.abs(x - y))]
    return np.lexsort(keys)


def document_ratios(result: Result, measure: str, category: str | None = None) -> Ratios:
    """The pairs of the documents that could be measured; of one category for a measure given per category.

    A document's weight is the one it is pooled with: its mean number of units per annotator for γ, the summed pair
    weights of its alignment for γcat and γk.
    """
    if measure not in result.measures:
        raise ParameterError.of(
            f"the result has no measure {measure!r}",
            f"Choose one of: {', '.join(result.measures)}.",
            code="unknown-measure",
        )
    values = [document[measure] for document in result.documents]
    if category is not None:
        values = [(value.per_category or {}).get(category, ABSENT) for value in values]
    return ratios_of_values(result.documents, measure, values)


def ratios_of_values(documents: Sequence[DocumentResult], measure: str, values: Sequence[MeasureValue]) -> Ratios:
    """The pairs of documents from their values, without those that have none."""
    rows = []
    for document, value in zip(documents, values, strict=True):
        if value.value is not None and value.observed is not None and value.expected is not None:
            weight = _weight(measure, value)
            rows.append((document.name, weight * value.observed, weight * value.expected))
    return Ratios.of(rows)


def _weight(measure: str, value: MeasureValue) -> float:
    if value.weight is None:
        raise ParameterError.of(
            f"{measure!r} is not pooled over documents by weights",
            "Choose a measure that is, such as gamma.",
            code="not-pooled",
        )
    return value.weight
