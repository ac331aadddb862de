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
from unisono.shuffling.protocol import is_number

#: More values than this are summed up by as many quantiles.
MOST_VALUES = 200


@runtime_checkable
class Distribution(Protocol):
    """A law of numbers that are not negative."""

    def draw(self, count: int, random: np.random.Generator, *, whole: bool) -> FloatArray:
        """So many numbers, whole ones if asked for."""

    def to_dict(self) -> Any:
        """What a TOML file says for it."""

    @property
    def mean(self) -> float:
        """The mean of the law."""

    @property
    def lowest(self) -> float:
        """No number is below."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Always the same number; `50` in a file."""

    value: float

    def __post_init__(self) -> None:
        _check(self.value, "a number that is not negative")

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
    """Every number from `low` to `high` alike, both included where numbers are whole; `[30, 70]` in a file."""

    low: float
    high: float

    def __post_init__(self) -> None:
        _check(self.low, "a lowest number that is not negative")
        _check(self.high - self.low, "a highest number that is not below the lowest", f"{self.low:g} to {self.high:g}")

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
    """Numbers whose logarithm is normal: few are long; `{median = 40, sigma = 0.5}` in a file."""

    median: float
    sigma: float

    def __post_init__(self) -> None:
        if not self.median > 0:
            raise ParameterError.of("a median above 0", str(self.median), code="reference-model")
        _check(self.median, "a median that is finite")
        _check(self.sigma, "a sigma that is not negative")

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
    """One of these values, each as likely; a value that occurs twice counts twice. `{values = [...]}` in a file."""

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ParameterError.of("one value at least", "none", code="reference-model")
        for value in self.values:
            _check(value, "values that are not negative")

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


def observed(values: NDArray[Any], most: int = MOST_VALUES) -> Fixed | Empirical:
    """The distribution of values that were observed; many are summed up by the quantiles in the middle of equal shares.

    >>> observed(np.array([5, 5, 5])), observed(np.array([9, 2, 4, 7, 8, 1]), most=3)
    (Fixed(value=5.0), Empirical(values=(2.0, 7.0, 9.0)))
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if len(ordered) and ordered[0] == ordered[-1]:
        return Fixed(float(ordered[0]))
    if len(ordered) > most:
        ordered = ordered[((np.arange(most) + 0.5) / most * len(ordered)).astype(np.int64)]
    return Empirical(tuple(ordered.tolist()))


def distribution(value: Any) -> Distribution:
    """A distribution from what a file or a caller says.

    >>> distribution(50), distribution([30, 70]), distribution({"median": 40, "sigma": 0.5})
    (Fixed(value=50), Uniform(low=30, high=70), LogNormal(median=40, sigma=0.5))
    >>> distribution("long")
    Traceback (most recent call last):
    unisono.errors.ParameterError: a number, [LOW, HIGH], {median = X, sigma = X} or {values = [...]}; found 'long'
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
        "a number, [LOW, HIGH], {median = X, sigma = X} or {values = [...]}", repr(value), code="reference-model"
    )


def _check(value: float, expected: str, found: str = "") -> None:
    if not (value >= 0 and math.isfinite(value)):
        raise ParameterError.of(expected, found or f"{value:g}", code="reference-model")


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)
