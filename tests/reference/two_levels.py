# SPDX-License-Identifier: MIT
"""The mean from full searches of few samples and short ones of many, to be read beside docs/fewer-samples.md."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def estimate(exact: Sequence[float], rough: Sequence[float]) -> tuple[float, float, float]:
    """Mean, standard error and degrees of freedom: `rough` has the samples of `exact` first, then others."""
    n = len(exact)
    differences = [e - h for e, h in zip(exact, rough, strict=False)]
    others = list(rough[n:])
    mean = statistics.mean(differences) + statistics.mean(others)
    of_differences = statistics.variance(differences) / n
    of_others = statistics.variance(others) / len(others)
    variance = of_differences + of_others
    freedom = variance**2 / (of_differences**2 / (n - 1) + of_others**2 / (len(others) - 1))
    return mean, math.sqrt(variance), freedom


def least_work(s: float, t: float, allowed: float, cost: float, least: tuple[int, int]) -> tuple[int, int]:
    """The n and N with s² / n + t² / N <= allowed and the least n + cost N, by trying every n."""
    best, found = math.inf, least
    for n in range(least[0], 100_000):
        left = allowed - s**2 / n
        if left <= 0:
            continue
        others = max(least[1], math.ceil(t**2 / left))
        if n + cost * others < best:
            best, found = n + cost * others, (n, others)
        if n > best:
            break
    return found
