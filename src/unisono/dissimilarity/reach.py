# SPDX-License-Identifier: MIT
"""The reach of a user's function: a distance beyond which two units are never aligned, so that it is not called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.dissimilarity.parameter_checks import not_negative, refuse, short
from unisono.model import FloatArray, PositionArray


def check_reach(reach: Any) -> float | None:
    """The reach as a number, None for none; a ParameterError if it is not a number of 0 or more."""
    if reach is None:
        return None
    refuse(not_negative(reach=reach))
    return float(reach)


def in_signature(name: str | None, reach: float | None) -> str:
    """A function as it is written in a signature.

    >>> in_signature("mine", None), in_signature("mine", 50.0)
    ('function(mine)', 'function(mine,reach=50)')
    """
    return f"function({name})" if reach is None else f"function({name},reach={short(reach)})"


def distance_apart(
    start_u: PositionArray, end_u: PositionArray, start_v: PositionArray, end_v: PositionArray
) -> NDArray[Any]:
    """How far two units are from each other: the gap between them, negative where they overlap.

    >>> distance_apart(np.array([0, 0]), np.array([10, 10]), np.array([14, 6]), np.array([20, 20])).tolist()
    [4, -4]
    """
    apart: NDArray[Any] = np.maximum(start_u, start_v) - np.minimum(end_u, end_v)
    return apart


def compute_within(
    reach: float | None, apart: Callable[[], NDArray[Any]], n: int, compute: Callable[[NDArray[np.intp]], FloatArray]
) -> FloatArray:
    """The values of n pairs: those that `compute` gives for the pairs within reach, infinity for the others."""
    if reach is None:
        return compute(np.arange(n))
    near = np.flatnonzero(apart() <= reach)
    values = np.full(n, np.inf)
    values[near] = compute(near)
    return values
