# SPDX-License-Identifier: MIT
"""Means over random continua, with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unisono.model import FloatArray
from unisono.sampling.student import student_quantile


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a value over n random continua, and its standard deviation: √n times the standard error of the mean.

    Where the sources of the random continua were taken into account (`step` says how), or some were aligned by a short
    search alone, the standard deviation is what that leaves open, with its degrees of freedom; `plain_sd` is that of
    the values.
    """

    n: int
    mean: float
    sd: float
    #: Degrees of freedom of the standard deviation; None: n - 1.
    freedom: int | None = None
    plain_sd: float | None = None
    step: int | None = None
    #: Samples that only a short search aligned, where there are such (see `two_levels`); n counts the others.
    n_rough: int = 0

    @classmethod
    def of(cls, values: FloatArray) -> Estimate | None:
        """The estimate from single values, undefined ones (NaN) left out; None when nothing is left."""
        kept = values[~np.isnan(values)] if len(values) else values
        if len(kept) == 0:
            return None
        return cls(len(kept), float(np.mean(kept)), float(np.std(kept, ddof=1)) if len(kept) > 1 else 0.0)

    @property
    def df(self) -> int:
        """The degrees of freedom of the standard deviation."""
        return self.n - 1 if self.freedom is None else self.freedom

    @property
    def is_plain(self) -> bool:
        """Whether it is the plain mean of n values."""
        return self.step is None and self.n_rough == 0

    @property
    def reduction(self) -> float:
        """How many times as many samples a plain mean would need for the same computation error."""
        return 1.0 if self.plain_sd is None or self.sd == 0 else (self.plain_sd / self.sd) ** 2

    def margin(self, level: float) -> float:
        """Half the width of the interval, where there are two samples at least."""
        return student_quantile((1 + level) / 2, self.df) * self.sd / math.sqrt(self.n)

    def interval(self, level: float) -> tuple[float, float] | None:
        """Student's interval for the mean: the computation error of a finite number of samples."""
        if self.n < 2:
            return None
        margin = self.margin(level)
        return self.mean - margin, self.mean + margin


@dataclass(frozen=True)
class Expected:
    """Results of the random continua: every disorder with its lower bound, and the disorders of the categories.

    `disorder` is the estimate of the expected disorder. `categories` has one value for each sample (NaN where no
    aligned units overlap), or is None, and `category` their estimate; `per_label` one estimate for each label of the
    continuum, None where no sample had an aligned pair with it.
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
    disorder: Estimate | None = None
    category: Estimate | None = None
    #: Where the mean of the disorders lies, by the bounds of those that were stopped early; None where all are proven.
    range: tuple[float, float] | None = None

    @property
    def n_samples(self) -> int:
        return len(self.disorders)

    @cached_property
    def gap(self) -> float:
        """The mean gap of alignments that were stopped early, over all samples alike, relative to the mean disorder."""
        mean = float(np.mean(self.disorders)) if self.n_samples else 0.0
        return (mean - float(np.mean(self.bounds))) / mean if mean > 0 else 0.0

    @property
    def n_unproven(self) -> int:
        """The random continua whose alignment is not proven to be the best."""
        return int(np.count_nonzero(self.bounds < self.disorders))

    @property
    def is_precise(self) -> bool:
        return not self.is_cut and (self.required is None or self.required <= self.n_samples)


def range_of_mean(disorders: FloatArray, bounds: FloatArray, weights: FloatArray | None) -> tuple[float, float] | None:
    """Where the mean lies if each disorder is only known to be between its bound and itself; None where all are known.

    A sample of negative weight enters with its other end. Without weights all weigh the same.

    >>> range_of_mean(np.array([2.0, 3.0]), np.array([1.0, 2.5]), np.array([1.5, -0.5]))
    (0.0, 1.75)
    """
    if not np.any(bounds < disorders):
        return None
    if weights is None:
        return float(np.mean(bounds)), float(np.mean(disorders))
    low = np.where(weights >= 0, bounds, disorders)
    high = np.where(weights >= 0, disorders, bounds)
    return math.fsum((weights * low).tolist()), math.fsum((weights * high).tolist())


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
