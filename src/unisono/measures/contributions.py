# SPDX-License-Identifier: MIT
"""What each document and each category contributes to the disorder beyond what an average one would."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from unisono.measures.computation import Measured
from unisono.results import MeasureValue


def contribution(value: MeasureValue, ratio: float) -> float | None:
    """weight * (observed - ratio * expected), where `ratio` is observed / expected of the whole.

    The contributions of all documents add up to 0. Undefined (None): the value is undefined or not pooled by weight.

    >>> contribution(MeasureValue(0.25, observed=1.5, expected=2.0, weight=10.0), 0.5)
    5.0
    """
    if value.value is None or value.weight is None or value.observed is None or value.expected is None:
        return None
    return value.weight * (value.observed - ratio * value.expected)


def with_contributions(measured: Measured) -> Measured:
    """The values with their contributions: of documents to the whole, of categories to all categories together."""
    overall = measured.overall
    if overall.per_category:
        overall = replace(overall, per_category=_add_category_contributions(overall.per_category))
    if overall.value is None or overall.weight is None or len(measured.documents) < 2:
        return Measured(measured.documents, overall)
    ratio = 1 - overall.value
    documents = tuple(each.with_fields(contribution=contribution(each, ratio)) for each in measured.documents)
    return Measured(documents, overall)


def _add_category_contributions(values: Mapping[str | None, MeasureValue]) -> dict[str | None, MeasureValue]:
    """Categories compared with all of them pooled; a pair of two categories counts in both."""
    pooled = [each for each in values.values() if contribution(each, 0.0) is not None]
    observed = math.fsum((each.weight or 0.0) * (each.observed or 0.0) for each in pooled)
    expected = math.fsum((each.weight or 0.0) * (each.expected or 0.0) for each in pooled)
    if len(pooled) < 2 or expected <= 0:
        return dict(values)
    return {
        category: replace(each, contribution=contribution(each, observed / expected))
        for category, each in values.items()
    }
