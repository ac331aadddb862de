# SPDX-License-Identifier: MIT
"""Tables 1 and 2 of Mathet 2017: how much four conceptions of missing values change when values go missing.

The paper gives the numbers of annotators, the observed agreement and the share of missing values, but not the items.
They were recovered as patterns of category counts with that agreement, and "missing" as cells drawn with replacement:
both are inferred, so that the table shows our values for these data beside the printed ones. The paper ran 1,000,000
tests per row; here every choice of cells is enumerated with its probability, and nothing is random.

The fifth row is damaged in the copy of the paper at hand: `5 | 0.470 | 570 | 0.010 | 0.051 | 0.041 | 0.050`. Read as
three annotators and 5 %, with one of 21 values lost, two patterns of seven items have an agreement near 0.470 (10/21);
each was tried with one and with two draws, four layouts in all, and the one that gives 0.051 and 0.041 was taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.measures.missing_values import (
    CONCEPTIONS,
    Conception,
    item_weights,
    observed_agreement,
    pair_weights,
    value_weights,
    weighted_agreement,
)


@dataclass(frozen=True)
class Case:
    """A row of Table 2: the category counts of each item, the number of cells drawn, and the printed values."""

    counts: Sequence[Sequence[int]]
    missing: str
    draws: int
    published: Mapping[Conception, float]

    @property
    def items(self) -> NDArray[np.int64]:
        """The complete matrix, annotators x items."""
        return np.array([repeat(np.arange(len(item)), item) for item in self.counts]).T


_SIX = ((6,), (5, 1), (4, 1, 1), (3, 1, 1, 1))
_THREE = (*[(3,)] * 6, (2, 1))
_SEVEN = (*[(3,)] * 2, *[(2, 1)] * 4, (1, 1, 1))

TABLE_2 = (
    Case(_SIX, "25%", 6, {"VL": 0.073, "IL": 0.077, "PL": 0.089, "RM": 0.285}),
    Case(_SIX, "12.5%", 3, {"VL": 0.050, "IL": 0.051, "PL": 0.061, "RM": 0.230}),
    Case(_SIX, "4%", 1, {"VL": 0.028, "IL": 0.029, "PL": 0.034, "RM": 0.100}),
    Case(_THREE, "10%", 2, {"VL": 0.031, "IL": 0.036, "PL": 0.038, "RM": 0.058}),
    Case(_SEVEN, "5%", 1, {"VL": 0.010, "IL": 0.051, "PL": 0.041, "RM": 0.050}),
)


@dataclass(frozen=True)
class Deviation:
    """Mean and standard deviation of the observed agreement, over the losses for which it is defined."""

    mean: float
    sd: float
    #: The probability that it is defined.
    defined: float


def losses(items: NDArray[np.int64], draws: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Every matrix that remains after `draws` cells, drawn with replacement, are lost, and its probability.

    The number of sequences that draw exactly k given cells is that of the surjections of the draws onto k cells.
    """
    n_cells = items.size
    stacks, probabilities = [], []
    for k in range(1, min(draws, n_cells) + 1):
        cells = np.array(list(combinations(range(n_cells), k)))
        left = np.tile(items.ravel(), (len(cells), 1))
        np.put_along_axis(left, cells, -1, axis=1)
        onto = sum((-1) ** i * comb(k, i) * (k - i) ** draws for i in range(k + 1))
        stacks.append(left.reshape(-1, *items.shape))
        probabilities.append(np.full(len(cells), onto / n_cells**draws))
    return np.concatenate(stacks), np.concatenate(probabilities)


def deviations(case: Case) -> dict[Conception, Deviation]:
    """How far each conception deviates from the agreement of the complete data (Table 2)."""
    matrices, probabilities = losses(case.items, case.draws)
    of_conception: dict[Conception, Deviation] = {}
    for conception in CONCEPTIONS:
        agreement, weight = weighted_agreement(matrices, conception)
        defined = weight > 0
        values, p = agreement[defined] / weight[defined], probabilities[defined]
        total = float(p.sum())
        mean = float((p * values).sum()) / total
        of_conception[conception] = Deviation(mean, float(np.sqrt((p * (values - mean) ** 2).sum() / total)), total)
    return of_conception


def table_1() -> str:
    """Table 1: the weight of an item, a value and a pair if an item has 5, 4, 3 or 2 values."""
    n_values = [5, 4, 3, 2]
    lines = ["number of values  " + "".join(f"{n:>8}" for n in n_values)]
    for title, weights in (("item", item_weights), ("value", value_weights), ("pair", pair_weights)):
        for conception in ("IL", "VL", "PL"):
            numbers = weights(n_values, conception)
            lines.append(f"{title:<5} weight, {conception:<4}" + "".join(f"{number:>8.3g}" for number in numbers))
    return "\n".join(lines)


def table_2(cases: Sequence[Case] = TABLE_2) -> str:
    """Table 2 beside the published one: standard deviations, ours / printed."""
    lines = ["annotators  observed  missing  " + "".join(f"{conception:>15}" for conception in CONCEPTIONS)]
    for case in cases:
        by_conception = deviations(case)
        cells = "".join(f"{by_conception[c].sd:>9.4f}/{case.published[c]:.3f}" for c in CONCEPTIONS)
        lines.append(f"{len(case.items):>10}  {observed_agreement(case.items):>8.3f}  {case.missing:>7}  {cells}")
    return "\n".join(lines)


def report() -> str:
    """Both tables, as `python -m unisono.experiments.missing_value_tables` prints them."""
    return f"Mathet 2017, Table 1\n{table_1()}\n\nTable 2: standard deviation, ours / published\n{table_2()}"


if __name__ == "__main__":
    print(report())
