# SPDX-License-Identifier: MIT
"""The mean over random continua with less noise: the sources drawn are known, and so is how often they should be.

Much of the variance of a random disorder comes from which annotators the shift model draws as sources. A regression on
how often each was drawn, whose expectation is known, takes that part away (docs/fewer-samples.md). The weights of the
samples depend on the sources drawn, never on the disorders.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from unisono._core import ControlVariates, ShiftModel
from unisono.model import FloatArray
from unisono.sampling.estimate import Estimate

#: The variates of samples of a case: of which on, and of how many.
Variates = Callable[[int, int], ControlVariates]

#: Events that no sample shows have a probability of up to 3 / samples at a level of 95 % (the rule of three). They may
#: lie as far from the mean as samples usually do: the variance left is never taken to be less than their share.
UNSEEN = 3.0

#: Steps are compared by their computation errors at this level, whatever that of the intervals is: a value from a given
#: number of samples must not depend on it.
LEVEL = 0.95

#: The next step of the ladder is looked for among those that take at most so many times the samples drawn.
STEP = 4

#: It is tried before all samples are drawn that seem to be needed where it takes at most this share of them: who looks
#: often stops too early, at a moment when the variance happens to look small.
EARLY = 1 / 3


def source_counts(model: ShiftModel, case: int, first: int, count: int) -> ControlVariates:
    """The variates of samples first .. first + count - 1 of a case."""
    return ControlVariates(model, case, count, first)


def average(values: FloatArray, variates: ControlVariates | None) -> Estimate | None:
    """The mean of the values, undefined ones (NaN) left out: by the step with the smallest computation error.

    Plainly where nothing is known of the sources, or no step makes the error smaller. None when nothing is defined.
    """
    plain = Estimate.of(values)
    if variates is None or plain is None or plain.n < 2 or plain.sd == 0:
        return plain
    best, smallest = plain, plain.margin(LEVEL)
    least = UNSEEN / plain.n * plain.sd**2
    for step, coefficients, mean, variance in variates.means(values):
        sd = math.sqrt(max(variance * plain.n, least))
        found = Estimate(plain.n, mean, sd, plain.n - coefficients, plain.sd, step)
        if found.margin(LEVEL) < smallest:
            best, smallest = found, found.margin(LEVEL)
    return best


def samples_before(wanted: int, variates: ControlVariates, n: int) -> int:
    """How many samples there should be at the next look, where n are drawn and so many seem to be wanted.

    A richer step may do with much fewer than those; it takes ten samples for each of its coefficients.
    """
    later = [samples for samples in variates.samples_for_steps if n < samples <= EARLY * wanted]
    return max((samples for samples in later if samples <= STEP * n), default=min(later, default=wanted))
