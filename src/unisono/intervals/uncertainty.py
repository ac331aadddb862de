# SPDX-License-Identifier: MIT
"""The outcome of every estimate of uncertainty: an interval, or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass

from unisono.errors import ParameterError
from unisono.results import Interval, UncertaintyCode

#: An interval wider than this says nothing: agreement and chance are 1 apart.
WIDEST = 2.0
#: A spread below this share of the disagreement is rounding noise.
NOISE = 1e-9


@dataclass(frozen=True)
class Uncertainty:
    """An interval, or None and the reason why there is none; notes say what weakens it."""

    interval: Interval | None
    reason: str | None = None
    code: UncertaintyCode | None = None
    notes: tuple[str, ...] = ()
    #: The number of documents, or of stretches, that it rests on.
    n: int = 0

    @classmethod
    def unknown(cls, code: UncertaintyCode, reason: str, n: int = 0) -> Uncertainty:
        """No interval, for this reason: a sentence without its full stop."""
        return cls(None, reason, code, n=n)


def check_level(level: float) -> None:
    """Refuse a level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise ParameterError.of(
            f"the level {level} is not between 0 and 1", "Set [[level]] to 0.95.", code="resampling"
        )


def check_resamples(level: float, resamples: int) -> None:
    """Refuse a level that is not between 0 and 1, and too few resamples for its quantiles."""
    check_level(level)
    if resamples < 2 / (1 - level) - 1:
        raise ParameterError.of(
            f"{resamples} resamples are too few for a level of {level:g}",
            f"Draw at least {math.ceil(2 / (1 - level) - 1)}.",
            code="resampling",
        )
