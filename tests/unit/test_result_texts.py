# SPDX-License-Identifier: MIT
"""What the page is told about a value. Oracle: the report's rules for intervals and scales, by hand."""

from __future__ import annotations

import pytest

from unisono.results import Interval, MeasureValue
from unisono.web.models import MeasureWords
from unisono.web.result_texts import measure_words

CHANCE = Interval("chance", 0.95, 0.4, 0.5)
DOCUMENTS = Interval("documents", 0.95, -0.2, 0.9)


@pytest.mark.parametrize(
    ("value", "intervals", "interval", "start"),
    [
        (0.45, [CHANCE], None, -0.05),
        (0.45, [CHANCE, DOCUMENTS], {"kind": "documents", "low": -0.2, "high": 0.9, "over": "over documents"}, -0.5),
        (-0.7, [], None, -1.0),
        (None, [], None, -0.05),
    ],
)
def test_the_interval_and_the_scale(
    value: float | None, intervals: list[Interval], interval: dict[str, object] | None, start: float
) -> None:
    given = MeasureValue(value, intervals={each.kind: each for each in intervals}, reason=None if value else "none")
    words = measure_words({"gamma": given})["gamma"]
    assert words["interval"] == interval
    assert words["scale_start"] == start
    assert words["categories"] == []
    MeasureWords.model_validate(words)


def test_categories_in_their_order() -> None:
    per_category = {
        "B": MeasureValue(0.45, intervals={"chance": CHANCE, "documents": DOCUMENTS}),
        "A": MeasureValue(0.5, intervals={"chance": CHANCE}),
    }
    words = measure_words({"gamma-k": MeasureValue(None, reason="see below", per_category=per_category)})["gamma-k"]
    assert [each and each["low"] for each in words["categories"]] == [-0.2, None]
