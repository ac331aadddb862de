# SPDX-License-Identifier: MIT
"""Checks of what users give to a dissimilarity: numbers, indices of units, results of their own functions."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError, Problem
from unisono.model import Continuum, FloatArray, IntArray

# Stricter than float(): "1_2" and "nan" are labels, not numbers.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def as_number(text: str) -> float | None:
    """The finite number that a label spells, or None.

    >>> as_number(" 2.50 "), as_number("1_2"), as_number("nan"), as_number("1e999")
    (2.5, None, None, None)
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def short(value: float) -> str:
    """A number as it is written in a signature: with all its digits, and without a trailing .0."""
    return repr(float(value)).removesuffix(".0")


def quote(value: str | tuple[str | tuple[str, ...], ...]) -> str:
    """Labels as they are written in a signature: quoted, so that different labels have different signatures."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def is_finite_number(value: object) -> bool:
    """Whether a value is a finite real number; True and False are not."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def positive(**named: object) -> list[Problem]:
    """A problem for each parameter that is not a finite number above 0."""
    return [
        Problem("parameter", "error", name, f"{value!r} is not a finite number above 0", found=repr(value))
        for name, value in named.items()
        if not (is_finite_number(value) and float(value) > 0)  # type: ignore[arg-type]
    ]


def not_negative(**named: object) -> list[Problem]:
    """A problem for each parameter that is not a finite number, 0 or above."""
    return [
        Problem("parameter", "error", name, f"{value!r} is not a finite number, 0 or above", found=repr(value))
        for name, value in named.items()
        if not (is_finite_number(value) and float(value) >= 0)  # type: ignore[arg-type]
    ]


def refuse(problems: Iterable[Problem]) -> None:
    """Raise a ParameterError with all the problems, if there are any."""
    every = tuple(problems)
    if every:
        raise ParameterError(every)


def name_of(function: Callable[..., Any], name: str | None, what: str) -> str:
    """The name of a function in a signature: the one given, else the function's own."""
    if not callable(function):
        raise ParameterError.of(f"{function!r} is not a function", where=what, found=repr(function))
    return name or str(getattr(function, "__name__", type(function).__name__))


def indices(continuum: Continuum, u: Any, v: Any) -> tuple[IntArray, IntArray]:
    """Both columns of unit indices as the core takes them, checked, because the core does not check them."""
    first, second = np.asarray(u), np.asarray(v)
    for name, column in (("u", first), ("v", second)):
        if column.ndim != 1 or (column.size and column.dtype.kind not in "iu"):
            kind = f"an array of {column.dtype} and shape {column.shape}"
            raise ParameterError.of(f"this is {kind}, not a flat array of indices of units", where=name)
        if column.size and not 0 <= column.min() <= column.max() < len(continuum):
            raise ParameterError.of(
                f"the indices go from {column.min()} to {column.max()}, those of units from 0 to {len(continuum) - 1}",
                where=name,
            )
    if len(first) != len(second):
        raise ParameterError.of(f"u and v do not have the same length: {len(first)} and {len(second)}")
    return np.ascontiguousarray(first, dtype=np.int32), np.ascontiguousarray(second, dtype=np.int32)


def results(values: Any, n: int, name: str, of_pair: Callable[[int], str]) -> FloatArray:
    """The values that a user's function returned for n pairs, checked: numbers from 0 to infinity."""
    where = f"function {name}"
    try:
        array: NDArray[Any] = np.asarray(values)
    except ValueError:
        array = np.empty((), dtype=object)
    if array.shape != (n,) or (n and array.dtype.kind not in "fiubO"):
        kind = f"{array.dtype} of shape {array.shape}"
        raise ParameterError.of(
            f"the function returned {kind}, not one number for each of {n} pairs", where=where, code="function-result"
        )
    if array.dtype.kind == "O":
        numbers = np.array([float(x) if isinstance(x, Real) else np.nan for x in array], dtype=np.float64)
    else:
        numbers = array.astype(np.float64)
    bad = np.flatnonzero(np.isnan(numbers) | (numbers < 0))
    refuse(
        Problem(
            "function-result",
            "error",
            where,
            f"the dissimilarity of {of_pair(i)} is {array[i]}, not a number from 0 to infinity",
            found=str(array[i]),
        )
        for i in bad.tolist()
    )
    return numbers
