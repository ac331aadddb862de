# SPDX-License-Identifier: MIT
"""A value as a falling function of the size of errors, from simulations at some sizes; smoothed, and inverted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unisono.intervals.ratios import Ratios, ratios_of_values
from unisono.model import FloatArray
from unisono.results import DocumentResult, MeasureValue

#: A curve that falls by less than this many of its standard errors is flat.
FLAT = 4.0


@dataclass(frozen=True)
class Point:
    """The value at a quantity of errors, with its standard error over the simulated documents."""

    quantity: float
    value: float
    error: float
    n_documents: int


@dataclass(frozen=True)
class FallingCurve:
    """The falling branch of a curve: quantities rise, values fall, smoothed by monotone regression.

    It begins at (0, value without errors) and ends at its lowest point; beyond that the errors make annotators alike
    again, for example where everything is missed or everything is split, and a value there has two explanations.
    """

    quantities: FloatArray
    values: FloatArray
    errors: FloatArray

    @classmethod
    def of(cls, points: Sequence[Point]) -> FallingCurve:
        """From points in the order of their quantities; the first is without errors."""
        quantities = np.array([point.quantity for point in points])
        values = np.array([point.value for point in points])
        errors = np.array([point.error for point in points])
        # The lowest point of the smoothed values ends the branch: three neighbours weigh more than one.
        padded = np.concatenate((values[:1], values, values[-1:]))
        smooth = (padded[:-2] + 2 * padded[1:-1] + padded[2:]) / 4
        last = int(np.argmin(smooth)) + 1
        if last < len(values) and values[last] < values[last - 1]:
            last += 1
        kept = slice(0, max(2, last))
        fallen = monotone_fall(values[kept], 1 / np.maximum(errors[kept], 1e-9) ** 2)
        return cls(quantities[kept], fallen, errors[kept])

    @property
    def lowest(self) -> float:
        return float(self.values[-1])

    @property
    def is_flat(self) -> bool:
        """Whether its fall cannot be told from noise."""
        return bool(self.values[0] - self.values[-1] <= FLAT * float(np.max(self.errors)))

    def error_at(self, value: float) -> float:
        """The standard error of the curve where it has this value."""
        return float(np.interp(-value, -self.values, self.errors))

    def quantity_at(self, value: float) -> float | None:
        """The quantity at which the curve has this value; None where it does not fall so low; 0 above its beginning."""
        if value >= self.values[0]:
            return 0.0
        if value < self.values[-1]:
            return None
        # Where monotone regression left a level, its middle counts.
        values, first = np.unique(-self.values, return_index=True)
        last = np.append(first[1:], len(self.values)) - 1
        middles = (self.quantities[first] + self.quantities[last]) / 2
        middles[0] = self.quantities[last[0]] if first[0] == 0 and last[0] > 0 else middles[0]
        # Small shifts of boundaries cost their square, units missed their number: over the root of what the value lost,
        # the one is a line and the other a parabola, which the cubic follows.
        lost = np.sqrt(values + self.values[0])
        return float(monotone_cubic(lost, middles, math.sqrt(self.values[0] - value)))


@dataclass(frozen=True)
class Target:
    """The value that a curve is inverted at."""

    value: float
    #: The lowest value looked for; None where the spread of simulated documents says how far it is below the value.
    low: float | None
    n_documents: int

    def is_far_above(self, point: Point) -> bool:
        """Whether the point lies well below the lowest value that is looked for."""
        lowest = self.low
        if lowest is None:
            lowest = self.value - 2 * point.error * math.sqrt(point.n_documents / max(1, self.n_documents))
        return point.value + 2 * point.error < lowest


def walk(grid: Sequence[float], point_at: Callable[[float], Point | None], target: Target) -> list[Point]:
    """Points at rising sizes of errors, until the curve lies well below the target or has no more points.

    The stretch in which the curve passes the target has one more point, in its middle.
    """
    points, sizes = [Point(0.0, 1.0, 0.0, 0)], [0.0]
    for size in grid:
        point = point_at(size)
        if point is None:
            break
        points.append(point)
        sizes.append(size)
        if target.is_far_above(point):
            break
    passed = next((i for i, point in enumerate(points) if i and point.value <= target.value), None)
    if passed is not None:
        middle = point_at((sizes[passed - 1] + sizes[passed]) / 2)
        if middle is not None and points[passed - 1].quantity < middle.quantity < points[passed].quantity:
            points.insert(passed, middle)
    return points


def monotone_fall(values: FloatArray, weights: FloatArray) -> FloatArray:
    """The falling sequence closest to the values by weighted least squares: the pool-adjacent-violators algorithm.

    >>> monotone_fall(np.array([1.0, 0.6, 0.8, 0.2]), np.ones(4)).tolist()
    [1.0, 0.7, 0.7, 0.2]
    """
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] < block[0]:
            before = blocks.pop()
            total = before[1] + block[1]
            block = ((before[0] * before[1] + block[0] * block[1]) / total, total, before[2] + block[2])
        blocks.append(block)
    return np.concatenate([np.full(count, value) for value, _, count in blocks])


def monotone_cubic(x: FloatArray, y: FloatArray, at: float) -> float:
    """A cubic through rising points that rises too (Fritsch and Carlson 1980), at a place between the first and last.

    The tangents at both ends are those of the parabola through the three points next to them, as far as the cubic
    rises with them.

    >>> monotone_cubic(np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 4.0]), 1.0)
    1.0
    """
    if len(x) == 1:
        return float(y[0])
    steps = np.diff(x)
    slopes = np.diff(y) / steps
    tangents = np.empty(len(x))
    tangents[0], tangents[-1] = _end_tangent(steps, slopes), _end_tangent(steps[::-1], slopes[::-1])
    for i in range(1, len(x) - 1):
        one, other = slopes[i - 1], slopes[i]
        if one * other <= 0:
            tangents[i] = 0.0
        else:  # the weighted harmonic mean
            w1, w2 = 2 * steps[i] + steps[i - 1], steps[i] + 2 * steps[i - 1]
            tangents[i] = (w1 + w2) / (w1 / one + w2 / other)
    i = int(np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2))
    t = (at - x[i]) / steps[i]
    return float(
        (1 + 2 * t) * (1 - t) ** 2 * y[i]
        + t * (1 - t) ** 2 * steps[i] * tangents[i]
        + t**2 * (3 - 2 * t) * y[i + 1]
        + t**2 * (t - 1) * steps[i] * tangents[i + 1]
    )


def _end_tangent(steps: FloatArray, slopes: FloatArray) -> float:
    """The tangent at the first of rising points, from 0 to three times the first slope."""
    if len(steps) < 2:
        return float(slopes[0])
    parabola = ((2 * steps[0] + steps[1]) * slopes[0] - steps[0] * slopes[1]) / (steps[0] + steps[1])
    return float(min(max(parabola, 0.0), 3 * slopes[0]))


def point_of_values(
    measure: str, values: Sequence[MeasureValue], done: FloatArray, n_units: FloatArray
) -> Point | None:
    """A point of a curve from the values of simulated documents; None where none has a value.

    done, n_units: the errors made in each document, and the units that could suffer them. The point stands at the
    errors that were made, not at those that were to be made; its standard error is what they do not explain.
    """
    documents = [DocumentResult(str(number), (), 0, {}) for number in range(len(values))]
    ratios = ratios_of_values(documents, measure, values)
    if ratios.value is None or not n_units.sum():
        return None
    quantity = float(done.sum() / n_units.sum())
    beyond = (done - quantity * n_units)[[int(name) for name in ratios.names]]
    return Point(quantity, ratios.value, standard_error(ratios, beyond), len(ratios))


def standard_error(ratios: Ratios, beyond: FloatArray) -> float:
    """The standard error of the pooled value over documents, linearised.

    beyond: the errors of each document beyond the average; what they explain of the spread is left out.
    """
    n, value = len(ratios), ratios.value
    if n < 3 or value is None:
        return math.inf
    residuals = ratios.numerators - (1 - value) * ratios.denominators
    squares = float((beyond**2).sum())
    if squares > 0:
        residuals = residuals - beyond * (float((residuals * beyond).sum()) / squares)
    return math.sqrt(n / (n - 2) * float((residuals**2).sum())) / float(ratios.denominators.sum())
