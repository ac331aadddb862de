# SPDX-License-Identifier: MIT
"""Published numbers of the measures for given items, and of the four conceptions of missing values (Mathet 2017).

Statuses are those of the verified examples: "exact" is met as published.
"""

from __future__ import annotations

import random
from typing import get_args

import pytest

from unisono.measures.discretised import alpha_d, kappa_d
from unisono.measures.items import Items
from unisono.measures.kappa import (
    ac1_of_items,
    fleiss_k_of_items,
    kappa_of_items,
    multi_kappa_of_items,
    pi_of_items,
    s_of_items,
)
from unisono.measures.observed_agreement import Conception, item_disagreements, item_weights, observed_agreement
from unisono.measures.resolved import Resolved
from unisono.model import Continuum


def test_krippendorff_1995_example_a() -> None:
    """Krippendorff 1995, example A, a continuum cut into 24 atoms: κ 0.385, π 0.314, α 0.329. Status: exact."""
    items = Items.of(["001111111100001111110000", "000011110000000110000000"])
    assert kappa_of_items(items).value == pytest.approx(0.3846153846153845, abs=1e-9)
    assert pi_of_items(items).value == pytest.approx(0.3142857142857143, abs=1e-9)
    units = {"x": [(2, 10, "1"), (14, 20, "1")], "y": [(4, 8, "1"), (15, 17, "1")]}
    continuum = Continuum.of(units, extent=(0, 24))
    assert kappa_d([continuum], Resolved()).value == pytest.approx(0.3846153846153845, abs=1e-9)
    assert alpha_d([continuum], Resolved()).value == pytest.approx(0.3285714285714286, abs=1e-9)


def test_fleiss_table() -> None:
    """The textbook table of Fleiss' K, 14 annotators, 10 items, 5 categories: 0.210. Status: exact."""
    counts = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    columns = [[c for c, n in enumerate(row) for _ in range(n)] for row in counts]
    found = fleiss_k_of_items(Items.of(list(zip(*columns, strict=True))))
    assert found.value == pytest.approx(0.20993070442195522, abs=1e-9)
    assert 1 - (found.observed or 0) == pytest.approx(0.378, abs=5e-4)
    assert 1 - (found.expected or 0) == pytest.approx(0.213, abs=5e-4)


def test_gwet_four_annotators() -> None:
    """Data of Gwet's handbook with the values that irrCAC documents for them (raw_4raters), to five digits.

    Krippendorff's table of 2011, p. 9, but that item 12 has its only value from the third annotator.
    """
    rows = ["123321412...", "1233224125..", ".33323422513", "12332441251."]
    items = Items.of([[None if x == "." else x for x in row] for row in rows])
    assert ac1_of_items(items).value == pytest.approx(0.77544, abs=5e-6)
    assert fleiss_k_of_items(items).value == pytest.approx(0.76117, abs=5e-6)
    assert multi_kappa_of_items(items).value == pytest.approx(0.76282, abs=5e-6)
    assert s_of_items(items).value == pytest.approx(0.77273, abs=5e-6)


# 2017, Table 1: five annotators, four items, the values that each item has.
TABLE_1 = ["nnnnn", "nnnn", "nnv", "nn"]


def table_1() -> Items:
    columns = [[*values, *[None] * (5 - len(values))] for values in TABLE_1]
    return Items.of(list(zip(*columns, strict=True)))


@pytest.mark.parametrize(
    ("conception", "weights", "agreement"),
    [
        ("IL", [1, 1, 1, 1], (1 + 1 + 1 / 3 + 1) / 4),
        ("VL", [5 / 2, 2, 3 / 2, 1], (5 / 2 + 2 + 3 / 2 / 3 + 1) / 7),
        ("PL", [10, 6, 3, 1], 18 / 20),
        ("RM", [1, 0, 0, 0], 1.0),
    ],
)
def test_table_1_of_2017(conception: Conception, weights: list[float], agreement: float) -> None:
    """The weights of items as printed; the agreement of each is their mean of 1, 1, 1/3 and 1. Status: exact."""
    items = table_1()
    assert item_weights(items, conception).tolist() == weights
    assert observed_agreement(items, conception).value == pytest.approx(agreement, abs=1e-12)


# 2017, Table 2: the deviation that missing values cause. The data are recovered, not given (categories of each item),
# and so is the way of deletion, draws with replacement. Paper's values: VL, IL, PL, RM.
SIX, THREE = ["AAAAAA", "AAAAAB", "AAAABC", "AAABCD"], ["AAA"] * 6 + ["AAB"]
TABLE_2 = [
    (SIX, 6, (0.073, 0.077, 0.089, 0.285)),
    (SIX, 3, (0.050, 0.051, 0.061, 0.230)),
    (SIX, 1, (0.028, 0.029, 0.034, 0.100)),
    (THREE, 2, (0.031, 0.036, 0.038, 0.058)),
]
N_DRAWS = 20_000


@pytest.mark.parametrize(("data", "n_deleted", "published"), TABLE_2)
def test_table_2_of_2017(data: list[str], n_deleted: int, published: tuple[float, ...]) -> None:
    """Deviation of the observed agreement, within 0.002 (0.004 for RM); VL deviates least. Status: inferred."""
    rng = random.Random(n_deleted)
    n = len(data[0])
    columns: list[list[str | None]] = []
    for _ in range(N_DRAWS):
        draw: list[list[str | None]] = [list(values) for values in data]
        for cell in rng.choices(range(n * len(data)), k=n_deleted):
            draw[cell // n][cell % n] = None
        columns += draw
    # All draws as one table: an item's weight and agreement do not depend on the other items.
    items = Items.of(list(zip(*columns, strict=True)))
    agreement = (1 - item_disagreements(items)).reshape(N_DRAWS, -1)
    found = {}
    for conception in get_args(Conception):
        weights = item_weights(items, conception).reshape(N_DRAWS, -1)
        defined = weights.sum(axis=1) > 0
        found[conception] = float(((weights * agreement).sum(axis=1)[defined] / weights.sum(axis=1)[defined]).std())
    tolerance = [0.002, 0.002, 0.002, 0.004]
    for conception, printed, within in zip(("VL", "IL", "PL", "RM"), published, tolerance, strict=True):
        assert found[conception] == pytest.approx(printed, abs=within)
    assert min(found, key=lambda conception: found[conception]) == "VL"
