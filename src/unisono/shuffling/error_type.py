# SPDX-License-Identifier: MIT
"""The interface of an error type, and what the types of this package share."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.shuffling.sheet import Flags, Sheet, Surroundings


@runtime_checkable
class Errors(Protocol):
    """A type of errors. The result of `applied` may depend on its arguments alone; at magnitude 0 nothing changes."""

    @property
    def name(self) -> str:
        """The name on the command line and in files; a part of the generator's key."""

    @property
    def order(self) -> int:
        """Types with lower numbers are applied first; types with equal numbers in the order given."""

    @property
    def magnitude_factor(self) -> float:
        """A factor for the magnitude."""

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        """The units with errors of a magnitude above 0 and up to 1."""


@dataclass(frozen=True, kw_only=True)
class UnitErrors:
    """Parameters that the types of this package share.

    immune: categories whose units suffer no errors of this type. magnitude_factor: the magnitude is multiplied by it
    (and cut at 1), so that combined types can have magnitudes of their own. by: the names of the annotators who make
    these errors; all of them if it is empty. at_least, at_most: only units of such a length suffer the errors, the
    length being the one they have when the errors are applied.
    """

    immune: tuple[str, ...] = ()
    magnitude_factor: float = 1.0
    by: tuple[str, ...] = ()
    at_least: float | None = None
    at_most: float | None = None

    name: ClassVar[str]
    order: ClassVar[int]

    def __post_init__(self) -> None:
        for parameter, what in (("immune", "immune categories"), ("by", "annotators")):
            names = getattr(self, parameter)
            if isinstance(names, str) or not all(isinstance(name, str) for name in names):
                raise ParameterError.of(
                    f"{parameter} is {names!r}, which is not a sequence of names",
                    f"Give the {what} as a list of names.",
                    where=f"{self.name} errors",
                    code="error-type",
                )
            object.__setattr__(self, parameter, tuple(names))
        check_number(self.magnitude_factor, "magnitude_factor", self.name)
        for parameter in ("at_least", "at_most"):
            length = getattr(self, parameter)
            if length is not None:
                check_number(length, parameter, self.name)

    @property
    def new_labels(self) -> tuple[str, ...]:
        """Categories that units may get although no unit of the reference has them."""
        return ()

    def is_made_by(self, annotator: str) -> bool:
        """Whether an annotator makes errors of this type."""
        return not self.by or annotator in self.by

    def _susceptible_units(self, sheet: Sheet, around: Surroundings) -> Flags:
        """The units that can suffer these errors: not immune, and of the right length."""
        return ~around.of_category(self.immune, sheet.codes) & self._has_length(sheet.starts, sheet.ends)

    def _has_length(self, starts: NDArray[Any], ends: NDArray[Any]) -> Flags:
        """Which units are neither too short nor too long for these errors."""
        lengths = ends - starts
        allowed = np.ones(len(lengths), dtype=bool)
        if self.at_least is not None:
            allowed &= lengths >= self.at_least
        if self.at_most is not None:
            allowed &= lengths <= self.at_most
        return allowed


def check_number(value: float, parameter: str, name: str, *, highest: float = math.inf) -> None:
    """Refuse a parameter of an error type that is not a number from 0 to `highest`."""
    if not is_number(value) or not 0 <= value <= highest or math.isinf(value):
        numbers = "a number of 0 or more" if math.isinf(highest) else f"a number from 0 to {highest:g}"
        raise ParameterError.of(
            f"{parameter} is {value!r}, not {numbers}", f"Give {numbers}.", where=f"{name} errors", code="error-type"
        )


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_choice(value: str, choices: tuple[str, ...], parameter: str, name: str) -> None:
    """Refuse a parameter of an error type that is none of the choices."""
    if value not in choices:
        allowed = " or ".join(choices)
        raise ParameterError.of(
            f"{parameter} is {value!r}, not {allowed}",
            f"Choose {allowed}.",
            where=f"{name} errors",
            code="error-type",
        )


def round_half_up(number: float) -> int:
    """The nearest whole number; halves are rounded up."""
    return math.floor(number + 0.5)


def whole_positions(positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """The nearest whole positions, halves rounded up: the order is kept, and distances of 1 or more stay 1 or more."""
    return np.floor(positions + 0.5).astype(np.int64)
