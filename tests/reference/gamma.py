# SPDX-License-Identifier: MIT
"""The slow twin of γ: brute force on the continuum and on every random continuum (2015, sections 4.9 and 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist, pstdev

from reference.alignment import brute_force
from reference.chance import as_continuum, draw
from reference.dissimilarity import Pairwise
from unisono.model import Continuum


@dataclass(frozen=True)
class Gamma:
    """γ with what it is made of; value None where it is undefined."""

    value: float | None
    observed: float
    disorders: tuple[float, ...]

    @property
    def expected(self) -> float:
        return fsum(self.disorders) / len(self.disorders)


def required(mean: float, sd_population: float, n: int, *, precision: float, level: float) -> float:
    """n0 of section 5.3: how many samples give the mean this relative precision at this confidence level."""
    sigma = sqrt(n / (n - 1)) * sd_population
    variation = sigma / mean
    u = NormalDist().inv_cdf((1 + level) / 2)
    return (variation * u / precision) ** 2


def required_of(disorders: Sequence[float], *, precision: float, level: float) -> float:
    """n0 from the disorders drawn so far."""
    mean = fsum(disorders) / len(disorders)
    return required(mean, pstdev(disorders), len(disorders), precision=precision, level=level)


def value(observed: float, expected: float) -> float | None:
    """Eq. 8; without expected disorder γ is 1 when nothing was observed either, and undefined otherwise."""
    if expected == 0:
        return 1.0 if observed == 0 else None
    return 1 - observed / expected


def gamma(
    continuum: Continuum, d: Pairwise, delta_empty: float, *, seed: int, samples: int, rule: str | float = "mean"
) -> Gamma:
    """γ with a fixed number of samples, every alignment found by brute force."""
    observed = brute_force(continuum, d, delta_empty).disorder
    disorders = tuple(
        brute_force(
            as_continuum(continuum, draw(continuum, seed=seed, sample=sample, rule=rule).units), d, delta_empty
        ).disorder
        for sample in range(samples)
    )
    return Gamma(value(observed, fsum(disorders) / samples), observed, disorders)
