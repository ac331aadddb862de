# SPDX-License-Identifier: MIT
"""Observed agreement on items, with any distance of two values: the mean over items of the agreement of their pairs.

The weights of items with missing values are in missing_values.py; without missing values all conceptions are equal.
"""

from __future__ import annotations

import numpy as np

from unisono.measures import missing_values
from unisono.measures.chunks import range_blocks, sum_by_code
from unisono.measures.items import Distance, Items, nominal
from unisono.measures.missing_values import Conception
from unisono.model import FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode

NO_PAIRS = Reason(ReasonCode.NO_PAIR_OF_VALUES, "no item has values of two annotators")
NO_COMPLETE_ITEM = Reason(ReasonCode.NO_COMPLETE_ITEM, "no item has a value of every annotator")


def item_weights(items: Items, conception: Conception = "VL") -> FloatArray:
    """The weight of each item (2017, Table 1), times the number of atoms it stands for; 0 with fewer than two values.

    >>> table = ["nnnnn", "nnnn", "nnn", "nn"]
    >>> items = Items.of(list(zip(*(list(column) + [None] * (5 - len(column)) for column in table))))
    >>> {c: item_weights(items, c).tolist() for c in ("IL", "VL", "PL", "RM")}
    {'IL': [1.0, 1.0, 1.0, 1.0], 'VL': [2.5, 2.0, 1.5, 1.0], 'PL': [10.0, 6.0, 3.0, 1.0], 'RM': [1.0, 0.0, 0.0, 0.0]}
    """
    return missing_values.item_weights(items.n_values, conception, annotators=len(items.annotators)) * items.weights


def item_disagreements(items: Items, distance: Distance = nominal) -> FloatArray:
    """The mean distance of two values of an item, for each item; 0 where there are fewer than two."""
    item, value, count = items.counts
    n_pairs: FloatArray = np.maximum(items.n_values * (items.n_values - 1), 1.0)  # ordered pairs
    if distance is nominal:
        agreeing = sum_by_code(item, count * (count - 1), items.n_items)
        return np.where(items.n_values >= 2, (n_pairs - agreeing) / n_pairs, 0.0)
    # Every value of an item with every value of it; rows are sorted by item.
    n_cells = np.bincount(item, minlength=items.n_items)
    last = np.cumsum(n_cells)[item]
    apart = np.zeros(items.n_items)
    for left, right in range_blocks(last - n_cells[item], last):
        distances = count[left] * count[right] * distance(value[left], value[right])
        apart += sum_by_code(item[left], distances, items.n_items)
    return apart / n_pairs


def observed_agreement(items: Items, conception: Conception = "VL", *, distance: Distance = nominal) -> MeasureValue:
    """1 - the weighted mean over items of the mean distance of their values (2017, section 3).

    Undefined: no item has two values (RM: no item has a value of every annotator).

    >>> items = Items.of(["AAB", "AAA", ["A", None, "B"]])
    >>> round(observed_agreement(items, "VL").value, 3), round(observed_agreement(items, "RM").value, 3)
    (0.75, 0.667)
    """
    weights = item_weights(items, conception)
    total = weights.sum()
    if total == 0:
        return MeasureValue.undefined(NO_COMPLETE_ITEM if conception == "RM" else NO_PAIRS)
    observed = float((weights * item_disagreements(items, distance)).sum() / total)
    return MeasureValue(1 - observed, observed=observed)
