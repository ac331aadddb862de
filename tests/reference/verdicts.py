# SPDX-License-Identifier: MIT
"""The verdicts of a benchmark, slowly: lists of numbers, scipy's t distribution, one rule after the other.

Written from the definitions in docs/benchmark.md and section 6.3 of Mathet et al. 2015, not from the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean, stdev

from scipy.stats import t

Row = Sequence[float | None]


def interval(numbers: Sequence[float], level: float) -> tuple[float, float, float] | None:
    """Mean and Student's interval; None for fewer than two numbers."""
    if len(numbers) < 2:
        return None
    middle = mean(numbers)
    half = t.ppf(1 - (1 - level) / 2, len(numbers) - 1) * stdev(numbers) / len(numbers) ** 0.5
    return middle, middle - half, middle + half


def there(row: Row) -> list[float]:
    return [value for value in row if value is not None]


def between(found: tuple[float, float, float] | None, low: float, high: float) -> str:
    if found is None:
        return "undecided"
    _, lower, upper = found
    if lower >= low and upper <= high:
        return "yes"
    if upper < low or lower > high:
        return "no"
    return "undecided"


def row_at(magnitudes: Sequence[float], rows: Sequence[Row], magnitude: float) -> Row:
    return next((row for m, row in zip(magnitudes, rows, strict=True) if m == magnitude), ())


def starts_at_1(magnitudes: Sequence[float], rows: Sequence[Row], level: float = 0.95) -> str:
    return between(interval(there(row_at(magnitudes, rows, 0)), level), 0.99, 1.01)


def reaches_0(magnitudes: Sequence[float], rows: Sequence[Row], level: float = 0.95) -> str:
    return between(interval(there(row_at(magnitudes, rows, 1)), level), -0.05, 0.05)


def full_range(magnitudes: Sequence[float], rows: Sequence[Row], level: float = 0.95) -> str:
    first, last = row_at(magnitudes, rows, 0), row_at(magnitudes, rows, 1)
    drops = [a - b for a, b in zip(first, last, strict=False) if a is not None and b is not None]
    return between(interval(drops, level), 0.95, 1.05)


def strictly_decreasing(rows: Sequence[Row], level: float = 0.95) -> str:
    """Bonferroni: each of the n differences at 1 - (1 - level) / n; the rule is in the issue's words."""
    kept = [row for row in rows if len(there(row)) >= 2]
    if len(kept) < 2:
        return "undecided"
    answers = []
    for one, two in pairwise(kept):
        steps = [b - a for a, b in zip(one, two, strict=True) if a is not None and b is not None]
        steps = [0.0 if abs(step) < 1e-9 else step for step in steps]
        found = interval(steps, 1 - (1 - level) / (len(kept) - 1))
        if found is None:
            return "undecided"
        answers.append("below" if found[2] < 0 else "not below" if found[1] >= 0 else "open")
    if "not below" in answers:
        return "no"
    return "yes" if set(answers) == {"below"} else "undecided"


def never_below_0(rows: Sequence[Row], level: float = 0.95) -> str:
    kept = [there(row) for row in rows if len(there(row)) >= 2]
    found = [interval(row, 1 - (1 - level) / len(kept)) for row in kept]
    bands = [band for band in found if band is not None]
    if any(high < -1e-9 for _, _, high in bands):
        return "no"
    return "yes" if bands and all(low >= -0.05 for _, low, _ in bands) else "undecided"
