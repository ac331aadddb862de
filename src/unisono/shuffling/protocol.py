# SPDX-License-Identifier: MIT
"""What an error type is, ours or a user's: a law of what goes wrong at magnitudes from 0 to 1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.shuffling.sheet import Flags, Sheet, Surroundings


@runtime_checkable
class Errors(Protocol):
    """A type of errors. What `applied` does may depend on its arguments alone, and must do nothing at magnitude 0."""

    @property
    def name(self) -> str:
        """The name on the command line and in files; a part of the generator's key."""

    @property
    def order(self) -> int:
        """Where its turn is when several types are combined; equal ones as they were given."""

    @property
    def magnitude_factor(self) -> float:
        """The magnitude is multiplied by this."""

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        """The units with errors of a magnitude above 0 and up to 1."""


@dataclass(frozen=True, kw_only=True)
class UnitErrors:
    """What our own types share.

    immune: categories whose units suffer no errors of this type. magnitude_factor: the magnitude is multiplied by it
    (and cut at 1), so that combined types can have magnitudes of their own.
    """

    immune: tuple[str, ...] = ()
    magnitude_factor: float = 1.0

    name: ClassVar[str]
    order: ClassVar[int]

    def __post_init__(self) -> None:
        if isinstance(self.immune, str) or not all(isinstance(name, str) for name in self.immune):
            raise ParameterError.of("immune categories as a sequence of names", repr(self.immune), code="error-type")
        object.__setattr__(self, "immune", tuple(self.immune))
        checked(self.magnitude_factor, "a magnitude factor that is not negative", self.name)

    def _susceptible(self, sheet: Sheet, around: Surroundings) -> Flags:
        """The units that are not immune."""
        return ~around.of_category(self.immune, sheet.codes)


def checked(value: float, expected: str, name: str, *, highest: float = math.inf) -> None:
    """A parameter of an error type that is a number from 0 to `highest`."""
    if not is_number(value) or not 0 <= value <= highest or math.isinf(value):
        raise ParameterError.of(expected, repr(value), where=f"{name} errors", code="error-type")


def is_number(value: object) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def chosen(value: str, choices: tuple[str, ...], what: str, name: str) -> None:
    """A parameter that is one of a few words."""
    if value not in choices:
        raise ParameterError.of(
            f"{what} among: {', '.join(choices)}", repr(value), where=f"{name} errors", code="error-type"
        )


def rounded(number: float) -> int:
    """To the nearest whole number, halves up."""
    return math.floor(number + 0.5)


def whole_positions(positions: NDArray[np.float64]) -> NDArray[np.int64]:
    """To the nearest whole position, halves up: order is kept, and distances of 1 or more stay at least 1."""
    return np.floor(positions + 0.5).astype(np.int64)
