# SPDX-License-Identifier: MIT
"""Means over random continua, with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unisono.model import FloatArray
from unisono.sampling.student import student_quantile


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a value over n random continua, and its standard deviation."""

    n: int
    mean: float
    sd: float

    @classmethod
    def of(cls, values: FloatArray) -> Estimate | None:
        """The estimate from single values, undefined ones (NaN) left out; None when nothing is left."""
        kept = values[~np.isnan(values)] if len(values) else values
        if len(kept) == 0:
            return None
        return cls(len(kept), float(np.mean(kept)), float(np.std(kept, ddof=1)) if len(kept) > 1 else 0.0)

    def interval(self, level: float) -> tuple[float, float] | None:
        """Student's interval for the mean: the computation error of a finite number of samples."""
        if self.n < 2:
            return None
        margin = student_quantile((1 + level) / 2, self.n - 1) * self.sd / math.sqrt(self.n)
        return self.mean - margin, self.mean + margin


@dataclass(frozen=True)
class Expected:
    """Results of the random continua: every disorder with its lower bound, and the disorders of the categories.

    `categories` has one value for each sample (NaN where no aligned units overlap), or is None; `per_label` one
    estimate for each label of the continuum, None where no sample had an aligned pair with it.
    """

    disorders: FloatArray
    bounds: FloatArray
    #: Draws without any unit, repeated.
    redraws: int
    #: The number of samples that the precision asks for, by the last estimate; None where a number was given.
    required: float | None
    categories: FloatArray | None = None
    labels: tuple[str | None, ...] = ()
    per_label: tuple[Estimate | None, ...] = ()
    #: Whether the time limit ended the sampling before there were as many samples as asked for.
    is_cut: bool = False
    #: Equal for documents whose random continua are drawn with the same random numbers; None: no other has them.
    case: str | None = None

    @property
    def n_samples(self) -> int:
        return len(self.disorders)

    @property
    def bound(self) -> float:
        """What the mean of the disorders is at least, by the bounds of those that were stopped early."""
        return float(np.mean(self.bounds))

    @property
    def gap(self) -> float:
        """How far the mean may be above the true one because alignments were stopped early, relative to it."""
        mean = float(np.mean(self.disorders)) if self.n_samples else 0.0
        return (mean - self.bound) / mean if mean > 0 else 0.0

    @property
    def is_precise(self) -> bool:
        return not self.is_cut and (self.required is None or self.required <= self.n_samples)


@dataclass(frozen=True, slots=True)
class Moments:
    """Number, mean and summed squared deviations of each column of a table, gathered batch by batch."""

    n: FloatArray
    mean: FloatArray
    squares: FloatArray

    @classmethod
    def of(cls, rows: FloatArray) -> Moments:
        """The moments of the columns, undefined entries (NaN) left out."""
        defined = ~np.isnan(rows)
        n = defined.sum(axis=0).astype(np.float64)
        mean = np.where(defined, rows, 0.0).sum(axis=0) / np.maximum(n, 1)
        return cls(n, mean, (np.where(defined, rows - mean, 0.0) ** 2).sum(axis=0))

    def and_also(self, other: Moments) -> Moments:
        """The moments of two batches together (Chan et al. 1979)."""
        n = self.n + other.n
        share = other.n / np.maximum(n, 1)
        step = other.mean - self.mean
        return Moments(n, self.mean + step * share, self.squares + other.squares + step**2 * self.n * share)

    def estimates(self) -> tuple[Estimate | None, ...]:
        """An estimate for each column, None where nothing was defined."""
        columns = zip(self.n.tolist(), self.mean.tolist(), self.squares.tolist(), strict=True)
        return tuple(
            Estimate(int(n), mean, math.sqrt(squares / (n - 1)) if n > 1 else 0.0) if n else None
            for n, mean, squares in columns
        )
