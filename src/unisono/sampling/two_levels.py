# SPDX-License-Identifier: MIT
"""The expected disorder of a document that is hard to align: a short search for many samples, a full one for few.

A short search finds alignments that are some per cent above the best, and nearly always by the same share: its disorder
h follows the disorder e of the full search closely. So the mean is estimated in two parts,

    expected disorder = mean of h over many samples + mean of (e - h) over the first few

which has no bias and little variance: e - h hardly varies, and h costs a small part of e. The two means are
independent, because no sample is in both. Each is averaged as any other value is, with its sources taken into account
(control_variates.py). See docs/fewer-samples.md; the slow twin is tests/reference/two_levels.py.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from unisono.model import FloatArray
from unisono.sampling.control_variates import Variates, average
from unisono.sampling.estimate import Estimate, range_of_mean
from unisono.sampling.plan import Sampling
from unisono.sampling.student import student_quantile

#: What a short search costs of a full one: a tenth at most of one that was left open (see `Budget`), and in the hard
#: documents of d2t_iaa 7 to 25 milliseconds of 100 to 900.
COST = 1 / 20

#: Short searches of other samples before their number is estimated: enough for some variates.
FIRST = 60

#: Full searches that found something else than the short one, at least, where some found the same; or so many in all.
FEWEST_DIFFERENT = 8
FEWEST_IF_EQUAL = 30

#: If there are too few short searches, their number grows by this factor at least.
GROWTH = 1.2

#: The number of full searches grows by this factor at most before it is estimated anew: one outlier among a few
#: differences may ask for ten times as many as are needed.
MOST_GROWTH = 2


@dataclass(frozen=True)
class Allocation:
    """Numbers of samples: with a full search; with a short one, those included; whether that is less work.

    is_less is None before there are enough to tell.
    """

    n_exact: int
    n_rough: int
    is_less: bool | None


class TwoLevels:
    """The samples of one case by a short search: those of the full search first, then others.

    variates: None where sources are not taken into account.
    """

    def __init__(self, sampling: Sampling, variates: Variates | None):
        self.sampling = sampling
        self.variates = variates
        self.rough = np.empty(0)
        #: Whether the estimate has two parts: by the last allocation that was followed.
        self.is_used = False

    def add(self, disorders: FloatArray) -> None:
        self.rough = np.concatenate([self.rough, disorders])

    def allocate(self, exact: FloatArray, required: float) -> Allocation:
        """How many samples there should be, where those of `exact` had a full search.

        required: how many full searches would reach the precision by themselves.
        """
        n = len(exact)
        if len(self.rough) < n + FIRST:
            return Allocation(n, n + FIRST, None)
        difference, rough = self._parts(exact)
        n_exact, n_rough = _least_work(difference, rough, self.sampling)
        if self.tells_little(exact):
            n_exact = max(n_exact, FEWEST_IF_EQUAL)
        n_exact, n_rough = min(n_exact, max(self.sampling.cap, n)), min(n_rough, int(self.sampling.cap / COST))
        # The samples of the difference are not part of the mean of the short searches, but have one too.
        every = max(len(self.rough), n_exact + max(n_rough, FIRST))
        if every > len(self.rough):  # whoever looks often stops too early, when the variance happens to look small
            every = max(every, math.ceil(GROWTH * len(self.rough)))
        is_less = n_exact + COST * every < required
        if n_exact > MOST_GROWTH * n:  # neither number is known well: only the short searches that the next look needs
            n_exact = MOST_GROWTH * n
            every = max(len(self.rough), n_exact + FIRST)
        return Allocation(n_exact, every, is_less)

    def tells_little(self, exact: FloatArray) -> bool:
        """Whether the variance of the difference is unknown: most differences are 0, and the others are few."""
        n = len(exact)
        n_different = int(np.count_nonzero(exact != self.rough[:n]))
        return n < FEWEST_IF_EQUAL and n_different < min(n, FEWEST_DIFFERENT)

    def estimate(self, exact: FloatArray) -> Estimate:
        """The expected disorder."""
        difference, rough = self._parts(exact)
        plain_sd = float(np.std(exact, ddof=1))
        return replace(_sum(difference, rough), plain_sd=plain_sd, n_rough=rough.n)

    def range(self, exact: FloatArray, bounds: FloatArray) -> tuple[float, float] | None:
        """Where the estimate lies if the disorder of a full search is only known to be between its bound and itself."""
        n = len(exact)
        difference, rough = self._parts(exact)
        weights = None
        if difference.step is not None:
            assert self.variates is not None
            weights = self.variates(0, n).weights(difference.step)
        found = range_of_mean(exact - self.rough[:n], bounds - self.rough[:n], weights)
        return None if found is None else (found[0] + rough.mean, found[1] + rough.mean)

    def _parts(self, exact: FloatArray) -> tuple[Estimate, Estimate]:
        """The mean difference of the two searches, and the mean of the short ones over other samples."""
        n, every = len(exact), len(self.rough)
        difference = average(exact - self.rough[:n], self.variates and self.variates(0, n))
        rough = average(self.rough[n:], self.variates and self.variates(n, every - n))
        assert difference is not None
        assert rough is not None
        return difference, rough


def _sum(first: Estimate, second: Estimate) -> Estimate:
    """The sum of two independent estimates, as one from the samples of the first.

    Its variance has Welch and Satterthwaite's degrees of freedom.

    >>> both = _sum(Estimate(4, 1.0, 0.2), Estimate(100, 2.0, 1.0))
    >>> both.n, both.mean, round(both.sd, 4), both.freedom
    (4, 3.0, 0.2828, 11)
    """
    variances = [each.sd**2 / each.n for each in (first, second)]
    variance = math.fsum(variances)
    squares = math.fsum(part**2 / max(each.df, 1) for part, each in zip(variances, (first, second), strict=True))
    freedom = max(1, math.floor(variance**2 / squares)) if squares > 0 else first.df
    return Estimate(first.n, first.mean + second.mean, math.sqrt(variance * first.n), freedom)


def _least_work(difference: Estimate, rough: Estimate, sampling: Sampling) -> tuple[int, int]:
    """How many full searches, no fewer than there are, and how many short ones reach the precision with the least work.

    The variance s² / n + t² / N of the sum is what the precision allows, and n + COST N is least where
    n / N = √COST s / t.

    >>> _least_work(Estimate(30, 0.0, 0.02), Estimate(30, 1.0, 0.12), Sampling())
    (30, 175)
    """
    both = _sum(difference, rough)
    quantile = student_quantile((1 + sampling.level) / 2, both.df)
    allowed = (sampling.precision * both.mean / quantile) ** 2
    s, t, root = difference.sd, rough.sd, math.sqrt(COST)
    if allowed <= 0 or s == t == 0:
        return difference.n, rough.n
    n = max(difference.n, math.ceil(s * (s + t * root) / allowed))
    left = allowed - s**2 / n
    return n, max(2, math.ceil(t**2 / left)) if left > 0 else rough.n
