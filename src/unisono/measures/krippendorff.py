# SPDX-License-Identifier: MIT
"""Krippendorff's α for predefined units: nominal, ordinal, interval, ratio or any other difference; missing values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.dissimilarity import Categorial, Nominal
from unisono.errors import InputError
from unisono.measures.chunks import in_chunks, sum_by_code
from unisono.measures.items import Items, categorial_of, predefined_items
from unisono.measures.metric import Metric
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import returns_undefined, wrong_labels
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode


@returns_undefined
def alpha(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """α of units at the same positions for all annotators; see `alpha_of_items`.

    >>> rows = {"ann": [(0, 4, "A"), (5, 9, "B"), (9, 12, "B")], "bob": [(0, 4, "A"), (5, 9, "A"), (9, 12, "B")]}
    >>> round(alpha([Continuum.of(rows)], Resolved()).value, 3)
    0.444
    """
    categorial = categorial_of(settings)
    items = predefined_items(continua, categorial.feature, predefined=settings.predefined)
    return alpha_of_items(items, categorial)


def alpha_of_items(items: Items, distances: Categorial | None = None) -> MeasureValue:
    """α = 1 - Do / De over items, overall and for each category.

    Definition: Krippendorff 2013, chapter 12 (2011, p. 9): coincidences o_ck = sum over items of the ordered pairs
    (c, k) / (m_u - 1), m_u the number of values of the item; Do = Σ o_ck δ²_ck / n,
    De = Σ n_c n_k δ²_ck / (n (n - 1)). Items with fewer than two values are ignored. Where the weights of the items are
    lengths of a continuum that is not cut into atoms, n (n - 1) becomes n², the limit of ever smaller atoms. "Blank" is
    as far from every category as categories can be. The value of category c has the terms of c alone; for the nominal
    metric that is c against all others. Undefined: no item with two values; De = 0, where no disagreement is possible.

    >>> alpha_of_items(Items.of([["A", "B", "B"], ["A", "A", "B"]])).observed
    0.3333333333333333
    """
    labels = [None if code == items.blank else label for code, label in enumerate(items.labels)]
    try:
        metric = Metric.of(distances or Nominal(), labels)
    except InputError as error:
        return MeasureValue.undefined(wrong_labels(error).reason, notes=items.notes)
    item, value, count = items.counts
    pairable = items.n_values[item] >= 2
    item, value, count = item[pairable], value[pairable], count[pairable]
    if len(item) == 0:
        return MeasureValue.undefined(_NO_SHARED_ITEM, notes=items.notes)
    size = len(labels)
    margins = sum_by_code(value, items.weights[item] * count, size)
    n = float(margins.sum())
    metric = metric.fitted(margins)
    share = items.weights[item] / (items.n_values[item] - 1)
    coincidences = np.zeros(size)  # Σ_k o_ck δ²_ck
    ends = np.searchsorted(item, item, side="right")
    for p, q in in_chunks(np.arange(1, len(item) + 1), ends):
        terms = share[p] * count[p] * count[q] * metric.between(value[p], value[q])
        coincidences += sum_by_code(value[p], terms, size) + sum_by_code(value[q], terms, size)
    others = n if items.is_continuous else n - 1
    by_chance: FloatArray = margins * metric.toward(margins) / others  # Σ_k e_ck δ²_ck
    per_category = {
        label: one_minus(float(coincidences[c] / margins[c]), float(by_chance[c] / margins[c]), _ONE_VALUE)
        for c, label in enumerate(items.labels)
        if c != items.blank and margins[c] > 0
    }
    observed, expected = float(coincidences.sum() / n), float(by_chance.sum() / n)
    return one_minus(observed, expected, _ONE_VALUE, per_category=per_category, notes=items.notes)


_NO_SHARED_ITEM = Reason(ReasonCode.NO_SHARED_ITEM, "needs an item that two annotators gave a value")
_ONE_VALUE = Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT, "the expected disagreement is 0: all values are alike")


def one_minus(
    observed: float,
    expected: float,
    reason: Reason,
    *,
    per_category: dict[str | None, MeasureValue] | None = None,
    notes: tuple[str, ...] = (),
    left_out: tuple[str, ...] = (),
) -> MeasureValue:
    """1 - observed / expected disagreement, as all alphas are; undefined for this reason where 0 is expected."""
    value = MeasureValue(1 - observed / expected) if expected > 0 else MeasureValue.undefined(reason)
    return replace(
        value, observed=observed, expected=expected, per_category=per_category, notes=notes, left_out=left_out
    )
