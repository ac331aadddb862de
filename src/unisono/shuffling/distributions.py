# SPDX-License-Identifier: MIT
"""Distributions of lengths, gaps and numbers of units: uniform, fixed, log-normal, empirical."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.model import FloatArray
from unisono.shuffling.error_type import is_number

#: More values than this are represented by as many quantiles.
MOST_VALUES = 200


@runtime_checkable
class Distribution(Protocol):
    """A distribution of numbers of 0 or more."""

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        """Draw `count` numbers, whole ones on request."""

    def to_dict(self) -> Any:
        """The distribution as a TOML file writes it."""

    @property
    def mean(self) -> float:
        """The mean of the distribution."""

    @property
    def lowest(self) -> float:
        """The lowest number that can be drawn."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same number; `50` in a file."""

    value: float

    def __post_init__(self) -> None:
        _check(self.value, "the number")

    @property
    def mean(self) -> float:
        return self.value

    @property
    def lowest(self) -> float:
        return self.value

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        return np.full(count, round(self.value) if whole else self.value, dtype=np.float64)

    def to_dict(self) -> Any:
        return _number(self.value)


@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform from `low` to `high`, both included if numbers are whole; `[30, 70]` in a file."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check(self.low, "the lowest number")
        _check(self.high, "the highest number")
        if self.high < self.low:
            raise ParameterError.of(
                f"the highest number ({self.high:g}) is below the lowest ({self.low:g})",
                "Give [LOW, HIGH].",
                code="reference-model",
            )

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2

    @property
    def lowest(self) -> float:
        return self.low

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        if whole:
            low = math.ceil(self.low)
            return random.integers(low, max(low, math.floor(self.high)), count, endpoint=True).astype(np.float64)
        return random.uniform(self.low, self.high, count)

    def to_dict(self) -> Any:
        return [_number(self.low), _number(self.high)]


@dataclass(frozen=True, slots=True)
class LogNormal:
    """Numbers whose logarithm is normally distributed; `{median = 40, sigma = 0.5}` in a file."""

    median: float
    sigma: float

    def __post_init__(self) -> None:
        if not self.median > 0:
            raise ParameterError.of(
                f"the median is {self.median:g}, not above 0", "Give a median above 0.", code="reference-model"
            )
        _check(self.median, "the median")
        _check(self.sigma, "sigma")

    @property
    def mean(self) -> float:
        return self.median * math.exp(self.sigma**2 / 2)

    @property
    def lowest(self) -> float:
        return 0.0

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        drawn = random.lognormal(math.log(self.median), self.sigma, count)
        return np.rint(drawn) if whole else drawn

    def to_dict(self) -> Any:
        return {"median": _number(self.median), "sigma": _number(self.sigma)}


@dataclass(frozen=True)
class Empirical:
    """One of these values, with equal probability; a repeated value counts twice. `{values = [...]}` in a file."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ParameterError.of("the list of values is empty", "Give one value at least.", code="reference-model")
        for value in self.values:
            _check(value, "a value")

    @property
    def mean(self) -> float:
        return float(np.mean(self.values))

    @property
    def lowest(self) -> float:
        return min(self.values)

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        drawn = self._array[random.integers(0, len(self.values), count)]
        return np.rint(drawn) if whole else drawn

    @cached_property
    def _array(self) -> FloatArray:
        return np.asarray(self.values, dtype=np.float64)

    def to_dict(self) -> Any:
        return {"values": [_number(value) for value in self.values]}


def distribution_of_values(values: NDArray[Any], most: int = MOST_VALUES) -> Fixed | Empirical:
    """The distribution of observed values; more than `most` are replaced by the medians of `most` equal shares.

    >>> distribution_of_values(np.array([5, 5, 5])), distribution_of_values(np.array([9, 2, 4, 7, 8, 1]), most=3)
    (Fixed(value=5.0), Empirical(values=(2.0, 7.0, 9.0)))
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if len(ordered) and ordered[0] == ordered[-1]:
        return Fixed(float(ordered[0]))
    if len(ordered) > most:
        ordered = ordered[((np.arange(most) + 0.5) / most * len(ordered)).astype(np.int64)]
    return Empirical(tuple(ordered.tolist()))


def distribution(value: Any) -> Distribution:
    """A distribution from its form in a file or in a call.

    >>> distribution(50), distribution([30, 70]), distribution({"median": 40, "sigma": 0.5})
    (Fixed(value=50), Uniform(low=30, high=70), LogNormal(median=40, sigma=0.5))
    >>> distribution("long")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    unisono.errors.ParameterError: 'long' is not a distribution. Give a number, [LOW, HIGH], {median = X, sigma = X} ...
    """
    if isinstance(value, Fixed | Uniform | LogNormal | Empirical):
        return value
    if is_number(value):
        return Fixed(value)
    if isinstance(value, list | tuple) and len(value) == 2 and all(map(is_number, value)):
        return Uniform(*value)
    if isinstance(value, Mapping):
        if set(value) == {"median", "sigma"} and all(map(is_number, value.values())):
            return LogNormal(**value)
        values = value.get("values")
        if set(value) == {"values"} and isinstance(values, list | tuple) and all(map(is_number, values)):
            return Empirical(tuple(values))
    elif isinstance(value, Distribution):
        return value
    raise ParameterError.of(
        f"{value!r} is not a distribution",
        "Give a number, [LOW, HIGH], {median = X, sigma = X} or {values = [...]}.",
        code="reference-model",
    )


def _check(value: float, subject: str) -> None:
    if not (value >= 0 and math.isfinite(value)):
        raise ParameterError.of(
            f"{subject} is {value:g}, not a finite number of 0 or more",
            "Give a finite number of 0 or more.",
            code="reference-model",
        )


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
