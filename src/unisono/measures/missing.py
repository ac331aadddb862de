# SPDX-License-Identifier: MIT
"""Missing values: what an item counts when not every annotator gave it a value (Mathet 2017, section 3).

The observed agreement of n annotators is a mean over items of the agreement of their pairs of values. The four
conceptions differ in what an item weighs; without missing values they are the same.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from unisono.errors import ParameterError
from unisono.measures.items import Distance, Items, joined_blocks, nominal, summed
from unisono.model import FloatArray
from unisono.results import MeasureValue

#: IL: every item weighs the same (Gwet). VL: every value (Krippendorff's α, γcat). PL: every pair of values (cuα).
#: RM: items that lack a value are removed.
Conception = Literal["IL", "VL", "PL", "RM"]

NO_PAIRS = "no item has values of two annotators"


def item_weights(items: Items, conception: Conception = "VL") -> FloatArray:
    """The weight of each item (2017, Table 1), times the number of atoms it stands for; 0 with fewer than two values.

    >>> table = ["nnnnn", "nnnn", "nnn", "nn"]
    >>> items = Items.of(list(zip(*(list(column) + [None] * (5 - len(column)) for column in table))))
    >>> {c: item_weights(items, c).tolist() for c in ("IL", "VL", "PL", "RM")}
    {'IL': [1.0, 1.0, 1.0, 1.0], 'VL': [2.5, 2.0, 1.5, 1.0], 'PL': [10.0, 6.0, 3.0, 1.0], 'RM': [1.0, 0.0, 0.0, 0.0]}
    """
    n = items.n_values
    match conception:
        case "IL":
            weights = np.ones(len(n))
        case "VL":
            weights = n / 2
        case "PL":
            weights = n * (n - 1) / 2
        case "RM":
            weights = (n == len(items.annotators)).astype(np.float64)
        case _:
            raise ParameterError.of("IL, VL, PL or RM", repr(conception), where="conception")
    return np.where(n >= 2, weights * items.weights, 0.0)


def item_disagreements(items: Items, distance: Distance = nominal) -> FloatArray:
    """The mean distance of two values of an item, for each item; 0 where there are fewer than two."""
    item, value, count = items.counts
    n_pairs: FloatArray = np.maximum(items.n_values * (items.n_values - 1), 1.0)  # ordered pairs
    if distance is nominal:
        agreeing = summed(item, count * (count - 1), items.n_items)
        return np.where(items.n_values >= 2, (n_pairs - agreeing) / n_pairs, 0.0)
    # Every value of an item with every value of it; rows are sorted by item.
    n_cells = np.bincount(item, minlength=items.n_items)
    last = np.cumsum(n_cells)[item]
    apart = np.zeros(items.n_items)
    for left, right in joined_blocks(last - n_cells[item], last):
        distances = count[left] * count[right] * distance(value[left], value[right])
        apart += summed(item[left], distances, items.n_items)
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
        complete = "no item has a value of every annotator"
        return MeasureValue(None, reason=complete if conception == "RM" else NO_PAIRS)
    observed = float(weights @ item_disagreements(items, distance) / total)
    return MeasureValue(1 - observed, observed=observed)
