# SPDX-License-Identifier: MIT
"""Table 2 of Mathet et al. 2015: the number of marks in each row as printed, every one tried."""

from __future__ import annotations

import pytest

from unisono.experiments.overview import COLUMNS, ROWS, marks

#: As printed on page 447; the copy at hand does not tell the columns apart.
PRINTED = {
    "F-measure": 1, "κ, π": 2, "multi-π, multi-κ": 3, "κ weighted": 3, "α": 4, "WindowDiff": 1, "GHD": 2,
    "modified SER": 5, "uα": 4, "c|uα": 5, "discretizing measure": 5, "discretizing measure, by α": 5, "γ": 8,
}  # fmt: skip
#: F on given items is meant, ours compares units; κd has no weights.
OURS = {"F-measure": 5, "discretizing measure": 4}


@pytest.mark.parametrize("row", PRINTED)
def test_number_of_marks(row: str) -> None:
    assert sum(marks(ROWS[row])) == OURS.get(row, PRINTED[row])


@pytest.mark.parametrize(("name", "expected"), [("u-alpha-2013", False), ("cu-alpha", False), ("gamma", True)])
def test_pure_segmentation(name: str, expected: bool) -> None:
    """One category, full covering: uα and c|uα expect no disagreement there, so they have no value."""
    assert dict(zip(COLUMNS, marks(name), strict=True))["segmentation"] is expected


def test_who_pairs_units_one_to_one() -> None:
    paired = {name for name in ROWS.values() if dict(zip(COLUMNS, marks(name), strict=True))["alignment"]}
    assert paired == {"gamma", "ser", "f1-type", "ghd"}
