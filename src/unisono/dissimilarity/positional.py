# SPDX-License-Identifier: MIT
"""Positional dissimilarities and their scales; the formulas are in the core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unisono.dissimilarity.parameter_checks import name_of, positive, refuse, results, short
from unisono.dissimilarity.reach import check_reach, compute_within, distance_apart, in_signature
from unisono.model import FloatArray, PositionArray


@dataclass(frozen=True)
class Positional:
    """How unlike the positions of two units are, in multiples of delta_empty."""

    #: The core's name of the formula.
    kind: ClassVar[str] = ""

    @property
    def core_scale(self) -> float:
        """The length that the core divides by; formulas that need no scale ignore it."""
        return 1.0

    @property
    def signature(self) -> str:
        return self.kind


@dataclass(frozen=True)
class Sporadic(Positional):
    """Differences of the boundaries over the lengths of the units, squared; needs no scale.

    Definition: ((|start difference| + |end difference|) / (length u + length v))², Mathet et al. 2015, Eq. 3.
    Two zero-length units: 0 at the same point, infinite elsewhere (they are never aligned).
    """

    kind: ClassVar[str] = "sporadic"


@dataclass(frozen=True)
class Absolute(Positional):
    """Mean difference of the two boundaries over a scale: for points, and where lengths are absolute.

    Definition: (|start difference| + |end difference|) / (2 scale).
    """

    scale: float
    kind: ClassVar[str] = "absolute"

    def __post_init__(self) -> None:
        refuse(positive(scale=self.scale))
        object.__setattr__(self, "scale", float(self.scale))

    @property
    def core_scale(self) -> float:
        return self.scale

    @property
    def signature(self) -> str:
        return f"absolute(scale={short(self.scale)})"


@dataclass(frozen=True)
class Boundary(Positional):
    """The larger difference of the two boundaries over a window, squared: for segmentations of any lengths.

    Definition: (max(|start difference|, |end difference|) / window)².
    """

    window: float
    kind: ClassVar[str] = "boundary"

    def __post_init__(self) -> None:
        refuse(positive(window=self.window))
        object.__setattr__(self, "window", float(self.window))

    @property
    def core_scale(self) -> float:
        return self.window

    @property
    def signature(self) -> str:
        return f"boundary(window={short(self.window)})"


@dataclass(frozen=True)
class FunctionPositional(Positional):
    """A user's own function of (start_u, end_u, start_v, end_v), in multiples of delta_empty.

    With `vectorised` it gets four arrays and returns one; otherwise it is called pair by pair. It is always called
    with the unit that starts first as u (of two that start together, the one that ends first), so that the result
    is symmetric even if the function is not. `reach`: units further apart than this, from the end of one to the start
    of the other, are infinitely dissimilar, and the function is not called for them.
    """

    function: Callable[..., Any]
    vectorised: bool = False
    name: str | None = None
    reach: float | None = None
    kind: ClassVar[str] = "function"

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", name_of(self.function, self.name, "positional"))
        object.__setattr__(self, "reach", check_reach(self.reach))

    @property
    def signature(self) -> str:
        return in_signature(self.name, self.reach)

    def between(
        self, start_u: PositionArray, end_u: PositionArray, start_v: PositionArray, end_v: PositionArray
    ) -> FloatArray:
        """The function's values, checked."""
        swap = (start_v < start_u) | ((start_v == start_u) & (end_v < end_u))
        su, sv = np.where(swap, start_v, start_u), np.where(swap, start_u, start_v)
        eu, ev = np.where(swap, end_v, end_u), np.where(swap, end_u, end_v)
        return compute_within(
            self.reach,
            lambda: distance_apart(su, eu, sv, ev),
            len(su),
            lambda near: self._call(su[near], eu[near], sv[near], ev[near]),
        )

    def _call(self, su: PositionArray, eu: PositionArray, sv: PositionArray, ev: PositionArray) -> FloatArray:
        """What the function returns for these positions, checked."""
        if self.vectorised:
            values = self.function(su, eu, sv, ev) if len(su) else []
        else:
            rows = zip(su.tolist(), eu.tolist(), sv.tolist(), ev.tolist(), strict=True)
            values = [self.function(*row) for row in rows]
        return results(values, len(su), str(self.name), lambda i: f"[{su[i]}, {eu[i]}) and [{sv[i]}, {ev[i]})")
