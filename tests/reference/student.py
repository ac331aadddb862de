# SPDX-License-Identifier: MIT
"""The slow twin of Student's t: the density integrated by Simpson's rule, the quantile by bisection."""

from __future__ import annotations

from math import exp, fsum, lgamma, log, pi


def density(t: float, df: float) -> float:
    """The density of Student's t with df degrees of freedom."""
    constant = lgamma((df + 1) / 2) - lgamma(df / 2) - log(df * pi) / 2
    return exp(constant - (df + 1) / 2 * log(1 + t * t / df))


def probability(t: float, df: float, steps: int = 2000) -> float:
    """P(T <= t): one half plus the integral from 0 to t."""
    width = t / steps
    inner = fsum((4 if i % 2 else 2) * density(i * width, df) for i in range(1, steps))
    return 0.5 + width / 3 * (density(0, df) + inner + density(t, df))


def quantile(p: float, df: float) -> float:
    """The t with P(T <= t) = p."""
    low, high = -1.0, 1.0
    while probability(low, df) > p:
        low *= 2
    while probability(high, df) < p:
        high *= 2
    while high - low > 1e-11 * max(1.0, abs(low)):
        middle = (low + high) / 2
        low, high = (middle, high) if probability(middle, df) < p else (low, middle)
    return (low + high) / 2
