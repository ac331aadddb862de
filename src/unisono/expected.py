# SPDX-License-Identifier: MIT
"""The expected disorder: draw random continua, align each, average, until the precision is reached (section 5.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from unisono._core import shift_disorders
from unisono.alignment import best_alignment, core_limits
from unisono.chance import ChanceModel, Shift
from unisono.dissimilarity import Dissimilarity
from unisono.dissimilarity.columns import CoreColumns
from unisono.errors import ParameterError
from unisono.model import Continuum, FloatArray
from unisono.student import student_quantile


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many random continua: a fixed number of `samples`, or as many as the precision asks for.

    precision: how far the mean may be from the true expected disorder, relative to it, at the level of confidence;
    first: the size of the first batch; cap: never more than this.
    """

    samples: int | None = None
    precision: float = 0.02
    level: float = 0.95
    first: int = 30
    cap: int = 10_000

    def __post_init__(self) -> None:
        checks = (
            (self.samples is None or self.samples >= 2, "at least 2 samples", f"samples={self.samples}"),
            (0 < self.precision < 1, "a precision between 0 and 1, such as 0.02", f"precision={self.precision}"),
            (0 < self.level < 1, "a level between 0 and 1, such as 0.95", f"level={self.level}"),
            (self.first >= 2, "a first batch of at least 2", f"first={self.first}"),
            (self.cap >= self.first, "a cap not below the first batch", f"cap={self.cap}, first={self.first}"),
        )
        for holds, expected, found in checks:
            if not holds:
                raise ParameterError.of(expected, found, code="sampling")

    @property
    def signature(self) -> str:
        if self.samples is not None:
            return str(self.samples)
        return f"precision={self.precision:g},level={self.level:g}"


@dataclass(frozen=True)
class ExpectedDisorder:
    """The mean disorder of random continua, every single disorder, and how good the mean is."""

    disorders: FloatArray
    #: Lower bounds of the same, equal to them where every alignment is proven.
    bounds: FloatArray
    #: Draws without any unit, repeated.
    redraws: int
    #: The number of samples that the precision asks for, by the last estimate; None where a number was given.
    required: float | None

    @cached_property
    def mean(self) -> float:
        return float(np.mean(self.disorders))

    @property
    def standard_error(self) -> float:
        return float(np.std(self.disorders, ddof=1)) / math.sqrt(len(self.disorders))

    @cached_property
    def gap(self) -> float:
        """How far the mean may be above the true one because alignments were stopped early, relative to it."""
        mean = self.mean
        return (mean - float(np.mean(self.bounds))) / mean if mean > 0 else 0.0

    @property
    def is_precise(self) -> bool:
        return self.required is None or self.required <= len(self.disorders)

    def interval(self, level: float) -> tuple[float, float]:
        """Student's interval for the mean: what the finite number of samples leaves open."""
        margin = student_quantile((1 + level) / 2, len(self.disorders) - 1) * self.standard_error
        return self.mean - margin, self.mean + margin


def expected_disorder(
    continuum: Continuum,
    dissimilarity: Dissimilarity,
    chance: ChanceModel,
    sampling: Sampling,
    *,
    seed: int,
    threads: int = 1,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> ExpectedDisorder:
    """The expected disorder of a continuum under a chance model (sections 4.8 and 5.3).

    A first batch of 30 estimates how many samples the precision needs; as many are added and the estimate is made
    anew, until it holds or the cap is reached. Sample i is the same however many are drawn.
    """
    batches: list[tuple[FloatArray, FloatArray, int]] = []
    done = 0
    required: float | None = None
    wanted = sampling.first if sampling.samples is None else sampling.samples
    while done < wanted:
        batches.append(
            _disorders(continuum, dissimilarity, chance, seed, done, wanted - done, threads, time_limit, memory_limit)
        )
        done = wanted
        disorders = np.concatenate([batch[0] for batch in batches])
        if sampling.samples is None:
            mean, sd = float(np.mean(disorders)), float(np.std(disorders))
            required = required_samples(mean, sd, done, precision=sampling.precision, level=sampling.level)
            wanted = min(max(done, math.ceil(required)), sampling.cap)
    return ExpectedDisorder(
        disorders, np.concatenate([batch[1] for batch in batches]), sum(batch[2] for batch in batches), required
    )


def _disorders(
    continuum: Continuum,
    dissimilarity: Dissimilarity,
    chance: ChanceModel,
    seed: int,
    first: int,
    count: int,
    threads: int,
    time_limit: float | None,
    memory_limit: int | None,
) -> tuple[FloatArray, FloatArray, int]:
    """Disorders of samples first .. first + count - 1, their lower bounds, and how many draws were repeated."""
    columns = CoreColumns.of(continuum, dissimilarity)
    if isinstance(chance, Shift) and columns.kernel is not None:
        disorders, bounds, redraws = shift_disorders(
            columns.kernel,
            *columns.units,
            *chance.core_arguments(continuum, seed),
            first,
            count,
            threads,
            *core_limits(time_limit, memory_limit),
        )
        return disorders, bounds, int(redraws.sum())
    # A model or a dissimilarity written in Python: one by one.
    alignments = [
        best_alignment(
            chance.draw(continuum, seed=seed, sample=sample),
            dissimilarity,
            time_limit=time_limit,
            memory_limit=memory_limit,
        )
        for sample in range(first, first + count)
    ]
    return (
        np.array([alignment.disorder for alignment in alignments]),
        np.array([alignment.lower_bound for alignment in alignments]),
        0,
    )


def required_samples(mean: float, sd_population: float, n: int, *, precision: float, level: float) -> float:
    """n0, the number of samples for the precision, estimated from n of them (section 5.3).

    >>> round(required_samples(3.49, 0.1379, 30, precision=0.02, level=0.95), 1)
    15.5
    """
    if sd_population == 0 or mean == 0:
        return 0.0
    sigma = math.sqrt(n / (n - 1)) * sd_population
    quantile = NormalDist().inv_cdf((1 + level) / 2)
    return (sigma / mean * quantile / precision) ** 2
