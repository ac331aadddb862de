# SPDX-License-Identifier: MIT
"""In which order documents, categories and annotators are listed: by what they contribute to the disorder.

Values of very few units vary wildly (γ = -38 on 2 units): they are greyed and come after the others, whatever they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # these load numpy, which `unisono measures` does without
    from unisono.results import DocumentResult, MeasureValue, Result

#: Documents and categories with fewer units than this have values of little meaning.
FEW_UNITS = 5

#: Explains the order of a table of documents or categories.
ORDER = (
    "excess: disorder beyond that of an average {one}, weight * (observed - (1 - {symbol} of all) * expected); the "
    f"largest first, those of fewer than {FEW_UNITS} units last"
)


def has_few_units(n_units: int | None) -> bool:
    """Whether a value rests on so few units that it says little."""
    return n_units is not None and n_units < FEW_UNITS


def rank_documents(documents: Sequence[DocumentResult], measure: str) -> list[int]:
    """The documents by number, those that cost most first; those of few units come later, undefined ones last."""
    keys = [_key(document[measure], document.n_units) for document in documents]
    return sorted(range(len(documents)), key=lambda i: (keys[i], i))


def rank_categories(
    values: Mapping[str | None, MeasureValue | None], units: Mapping[str | None, int]
) -> list[str | None]:
    """The categories, those that cost most first; without any contribution, the lowest values first."""
    labels = list(values)
    return sorted(labels, key=lambda label: (_key(values[label], units.get(label)), -units.get(label, 0)))


def _key(value: MeasureValue | None, n_units: int | None) -> tuple[bool, bool, float]:
    """Sorts by: no value, few units, contribution (rounded, so that ties stay in their order) or else the value."""
    if value is None or value.value is None:
        return True, False, 0.0
    cost = value.value if value.contribution is None else -value.contribution
    return False, has_few_units(n_units), round(cost, 9) + 0.0


def units_by_category(result: Result) -> dict[str | None, int]:
    """How many units have each category that was compared; empty for a result without its corpus."""
    import numpy as np

    from unisono.model import CATEGORY

    feature = str(getattr(result.dissimilarity, "feature", None) or getattr(result.details, "feature", CATEGORY))
    counts: dict[str | None, int] = {}
    for continuum in result.corpus or ():
        column = continuum.features.get(feature)
        if column is None:
            continue
        numbers = np.bincount(column.codes + 1, minlength=len(column.labels) + 1)
        for i in np.flatnonzero(numbers).tolist():
            label = None if i == 0 else column.labels[i - 1]
            counts[label] = counts.get(label, 0) + int(numbers[i])
    return counts
