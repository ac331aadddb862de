# SPDX-License-Identifier: MIT
"""How many random continua: a number, or as many as the precision asks for (Mathet et al. 2015, section 5.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from unisono.errors import ParameterError
from unisono.sampling.student import student_quantile
from unisono.settings import PRECISION


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many random continua: a fixed number of `samples`, or as many as the precision asks for.

    precision: how far the mean may be from the true expected disorder, relative to it, at the level of confidence;
    first: the size of the first batch; cap: never more than this; plain: all samples weigh the same, whatever sources
    they were drawn from; hard: short searches are tried where at least this share of the samples was left open.
    """

    samples: int | None = None
    precision: float = PRECISION
    level: float = 0.95
    first: int = 30
    cap: int = 10_000
    plain: bool = False
    hard: float = 1 / 3

    def __post_init__(self) -> None:
        rules = (
            (
                self.samples is None or self.samples >= 2,
                f"the number of samples is {self.samples}",
                "Draw at least 2 ([[samples]]).",
            ),
            (
                0 < self.precision < 1,
                f"the precision {self.precision} is not between 0 and 1",
                "Set [[precision]] to 0.02.",
            ),
            (0 < self.level < 1, f"the level {self.level} is not between 0 and 1", "Set [[level]] to 0.95."),
            (self.first >= 2, f"the first batch has {self.first} samples", "Draw at least 2 at first."),
            (
                self.cap >= self.first,
                f"the cap of {self.cap} samples is below the first batch of {self.first}",
                "Raise the cap.",
            ),
        )
        for holds, message, remedy in rules:
            if not holds:
                raise ParameterError.of(message, remedy, code="sampling")

    @property
    def n_first(self) -> int:
        """How many samples are drawn at least."""
        return self.first if self.samples is None else self.samples

    @property
    def tolerated(self) -> float:
        """The precision that gaps of unproven alignments are judged by: the usual one where a number was given."""
        return self.precision if self.samples is None else PRECISION

    @property
    def signature(self) -> str:
        if self.samples is not None:
            return str(self.samples)
        return f"precision={self.precision:g},level={self.level:g}"


def required_samples(mean: float, sd_population: float, n: int, *, precision: float, level: float) -> float:
    """n0, the number of samples for the precision, estimated from n of them (section 5.3).

    >>> round(required_samples(3.49, 0.1379, 30, precision=0.02, level=0.95), 1)
    15.5
    """
    return samples_for(mean, math.sqrt(n / (n - 1)) * sd_population, precision=precision, level=level)


def samples_for(mean: float, sigma: float, *, precision: float, level: float, df: int | None = None) -> float:
    """The same from the estimated standard deviation of a sample, and from its degrees of freedom where they count.

    >>> round(samples_for(3.49, 0.14, precision=0.02, level=0.95), 1)
    15.5
    """
    if sigma == 0 or mean == 0:
        return 0.0
    p = (1 + level) / 2
    quantile = NormalDist().inv_cdf(p) if df is None else student_quantile(p, df)
    return (sigma / mean * quantile / precision) ** 2
