# SPDX-License-Identifier: MIT
"""The desiderata for a measure's response to errors (Mathet et al. 2015, section 6.3), judged with confidence bands.

"The curve should ideally start from 1 (at m = 0) and reach 0 (at m = 1), but never go below 0"; "the response should be
strictly decreasing". The verdict is about the mean over all possible sets, of which a benchmark has a sample: a band is
Student's interval of a mean over the sets, and the answer is undecided if the band allows both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from unisono.model import FloatArray
from unisono.report.notation import number
from unisono.sampling.student import student_quantile

Answer = Literal["yes", "no", "undecided"]

LEVEL = 0.95
#: How far from 1 a curve may start; how far from 0 it may end, and its range from 1: differences too small to be seen.
START_TOLERANCE = 0.01
END_TOLERANCE = 0.05
#: Smaller differences are rounding errors: machines agree to nine digits.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Band:
    """The mean of some values, its standard error and Student's interval, which has no width if all are equal."""

    mean: float
    error: float
    low: float
    high: float
    n: int

    def within(self, low: float, high: float) -> Answer:
        """Whether the mean is between two bounds, judged by the band."""
        if low <= self.low and self.high <= high:
            return "yes"
        return "no" if self.high < low or high < self.low else "undecided"

    def __str__(self) -> str:
        return band_text(self.mean, self.low, self.high)


def band_text(mean: float, low: float, high: float) -> str:
    """A mean and its band.

    >>> band_text(-0.0001, -0.02, 0.02)
    '0.000 [-0.020, 0.020]'
    """
    return f"{number(mean)} [{number(low)}, {number(high)}]"


def band(values: FloatArray, level: float = LEVEL) -> Band | None:
    """The band of the defined values (NaN: undefined); None if there are fewer than two.

    >>> print(band(np.array([0.5, 0.6, 0.7])))
    0.600 [0.352, 0.848]
    """
    there = values[~np.isnan(values)]
    n = len(there)
    if n < 2:
        return None
    mean = math.fsum(there) / n
    error = math.sqrt(math.fsum((there - mean) ** 2) / (n - 1) / n)
    margin = student_quantile((1 + level) / 2, n - 1) * error if error > 0 else 0.0
    return Band(mean, error, mean - margin, mean + margin, n)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer, the number that decides it with its band, its place on the curve, and a note."""

    answer: Answer
    value: float | None = None
    low: float | None = None
    high: float | None = None
    #: The magnitude, or the two magnitudes, that the number belongs to.
    magnitudes: tuple[float, ...] = ()
    note: str = ""

    @classmethod
    def of(cls, answer: Answer, deciding: Band | None, magnitudes: Sequence[float], note: str = "") -> Verdict:
        if deciding is None:
            return cls(answer, magnitudes=tuple(magnitudes), note=note)
        return cls(answer, deciding.mean, deciding.low, deciding.high, tuple(magnitudes), note)

    @property
    def because(self) -> str:
        """The number with its place, and the note, as far as there are any."""
        parts = []
        if self.value is not None and self.low is not None and self.high is not None:
            at = " to ".join(f"{m:g}" for m in self.magnitudes)
            parts.append(f"{band_text(self.value, self.low, self.high)} at {at}")
        return "; ".join([*parts, *filter(None, [self.note])])

    def __str__(self) -> str:
        return ": ".join(filter(None, [self.answer, self.because]))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"magnitudes": list(self.magnitudes)}


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts on one measure on one curve."""

    starts_at_1: Verdict
    reaches_0: Verdict
    strictly_decreasing: Verdict
    never_below_0: Verdict
    full_range: Verdict

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name).to_dict() for name in QUESTIONS}


#: Each desideratum by name, and in words.
QUESTIONS = {
    "starts_at_1": "starts at 1",
    "reaches_0": "reaches 0",
    "strictly_decreasing": "strictly decreasing",
    "never_below_0": "never below 0",
    "full_range": "full range",
}


def verdicts(magnitudes: Sequence[float], values: FloatArray, *, level: float = LEVEL) -> Verdicts:
    """The verdicts on the values of a measure: a row for each magnitude, a column for each set, NaN if undefined.

    starts at 1: the mean at magnitude 0 is within 0.01 of 1. reaches 0: that at magnitude 1 is within 0.05 of 0.
    full range: the one minus the other, set by set, is within 0.05 of 1. Each is `yes` if the whole band is within,
    `no` if the whole band is outside.
    strictly decreasing: the differences between consecutive magnitudes, set by set, with Bonferroni's bands: `yes` if
    all are below 0, `no` if one is nowhere below 0 (rising, or flat in every set), otherwise undecided.
    never below 0: bands of the means, Bonferroni's too: `no` if one is wholly below 0, `yes` if none reaches below
    -0.05, otherwise undecided.
    Magnitudes at which fewer than two sets have a value are left out of the last two, as the note says; the first
    three are then undecided.
    """
    return Verdicts(
        starts_at_1=_judge_end(magnitudes, values, 0.0, 1.0, START_TOLERANCE, level),
        reaches_0=_judge_end(magnitudes, values, 1.0, 0.0, END_TOLERANCE, level),
        strictly_decreasing=_judge_decrease(magnitudes, values, level),
        never_below_0=_judge_lower_bound(magnitudes, values, level),
        full_range=_judge_range(magnitudes, values, level),
    )


def _judge_end(
    magnitudes: Sequence[float], values: FloatArray, magnitude: float, target: float, tolerance: float, level: float
) -> Verdict:
    """Whether the curve has a given value at one of its ends."""
    if magnitude not in magnitudes:
        return Verdict("undecided", note=f"magnitude {magnitude:g} was not measured")
    around = band(values[list(magnitudes).index(magnitude)], level)
    if around is not None:
        return Verdict.of(around.within(target - tolerance, target + tolerance), around, (magnitude,))
    for nearest in sorted(range(len(magnitudes)), key=lambda i: abs(magnitudes[i] - magnitude)):
        near = band(values[nearest], level)
        if near is not None:
            return Verdict.of("undecided", near, (magnitudes[nearest],), _no_values_note([magnitude]))
    return Verdict("undecided", note=_no_values_note([magnitude]))


def _judge_range(magnitudes: Sequence[float], values: FloatArray, level: float) -> Verdict:
    """Whether the curve covers exactly the range from 1 to 0."""
    if 0 not in magnitudes or 1 not in magnitudes:
        return Verdict("undecided", note="needs magnitudes 0 and 1")
    first, last = (values[list(magnitudes).index(m)] for m in (0, 1))
    around = band(first - last, level)
    if around is None:
        lost = [m for m, row in zip((0.0, 1.0), (first, last), strict=True) if _n_defined(row) < 2]
        return Verdict("undecided", note=_no_values_note(lost or [0.0, 1.0]))
    return Verdict.of(around.within(1 - END_TOLERANCE, 1 + END_TOLERANCE), around, (0.0, 1.0))


def _judge_decrease(magnitudes: Sequence[float], values: FloatArray, level: float) -> Verdict:
    """Whether the curve decreases from each magnitude to the next."""
    there = [i for i, row in enumerate(values) if _n_defined(row) >= 2]
    note = _no_values_note([m for i, m in enumerate(magnitudes) if i not in there])
    if len(there) < 2:
        return Verdict("undecided", note=note or "needs two magnitudes")
    of_each = _bonferroni(level, len(there) - 1)
    steps: list[tuple[Band, tuple[float, float]]] = []
    for i, j in pairwise(there):
        step = values[j] - values[i]
        around = band(np.where(np.abs(step) < ROUNDING, 0.0, step), of_each)
        if around is None:
            return Verdict(
                "undecided", note=f"no two sets have a value at both {magnitudes[i]:g} and {magnitudes[j]:g}"
            )
        steps.append((around, (magnitudes[i], magnitudes[j])))
    rising = [step for step in steps if step[0].low >= 0]
    worst, where = max(rising or steps, key=lambda step: (step[0].low if rising else step[0].high, step[0].mean))
    answer: Answer = "no" if rising else "yes" if worst.high < 0 else "undecided"
    return Verdict.of(answer, worst, where, note)


def _judge_lower_bound(magnitudes: Sequence[float], values: FloatArray, level: float) -> Verdict:
    """Whether the curve stays at or above 0."""
    there = [i for i, row in enumerate(values) if _n_defined(row) >= 2]
    note = _no_values_note([m for i, m in enumerate(magnitudes) if i not in there])
    if not there:
        return Verdict("undecided", note=note)
    of_each = _bonferroni(level, len(there))
    bands = [(b, magnitudes[i]) for i in there if (b := band(values[i], of_each)) is not None]
    below = [item for item in bands if item[0].high < -ROUNDING]
    lowest, where = min(below or bands, key=lambda item: (item[0].high if below else item[0].low, item[0].mean))
    answer: Answer = "no" if below else "yes" if lowest.low >= -END_TOLERANCE else "undecided"
    return Verdict.of(answer, lowest, (where,), note)


def _n_defined(row: FloatArray) -> int:
    return int(np.count_nonzero(~np.isnan(row)))


def _bonferroni(level: float, n: int) -> float:
    """The level of each of n bands that together hold at `level`."""
    return 1 - (1 - level) / n


def _no_values_note(magnitudes: Sequence[float]) -> str:
    """The note that there are no values at these magnitudes."""
    return f"no two sets have a value at {', '.join(f'{m:g}' for m in magnitudes)}" if magnitudes else ""
