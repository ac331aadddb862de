# SPDX-License-Identifier: MIT
"""Student's t distribution: the quantile behind every interval of a mean."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

#: From here on the expansion is exact to ten digits for every p below 1 - 1e-9; the sum grows longer with df.
MANY = 500


@lru_cache(maxsize=1024)  # the documents of a corpus ask for the same few quantiles
def student_quantile(p: float, df: int) -> float:
    """The quantile of Student's t distribution with an integer number of degrees of freedom.

    Newton's method on the distribution function, in the angle atan(t / sqrt(df)), from the expansion around the
    normal quantile; with many degrees of freedom the expansion itself.

    >>> round(student_quantile(0.975, 29), 6)
    2.04523
    """
    if p < 0.5:
        return -student_quantile(1 - p, df)
    start = _expansion(NormalDist().inv_cdf(p), df)
    if df >= MANY:
        return start
    root = math.sqrt(df)
    angle = math.atan2(start, root)
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    for _ in range(50):
        step = (p - _probability(angle, df)) / (constant * math.cos(angle) ** (df - 1))
        angle += step
        # Convergence is quadratic: after such a step only rounding is left.
        if abs(step) <= 1e-9 * angle:
            break
    return root * math.tan(angle)


def _expansion(z: float, df: int) -> float:
    """The quantile from the normal one (Abramowitz and Stegun 1972, 26.7.5): the first terms in powers of 1/df."""
    z2 = z * z
    terms = (
        z,
        z * (z2 + 1) / 4,
        z * ((5 * z2 + 16) * z2 + 3) / 96,
        z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
        z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160,
    )
    return math.fsum(term / df**power for power, term in enumerate(terms))


def _probability(angle: float, df: int) -> float:
    """P(T <= sqrt(df) * tan(angle)): a finite sum for integers (Abramowitz and Stegun 1972, 26.7.3 and 26.7.4)."""
    cosine2 = math.cos(angle) ** 2
    term, total = 1.0, 1.0
    if df % 2:
        term = total = math.sin(angle) * math.cos(angle) if df > 1 else 0.0
        for k in range(3, df - 1, 2):
            term *= cosine2 * (k - 1) / k
            total += term
        return 0.5 + (angle + total) / math.pi
    for k in range(2, df - 1, 2):
        term *= cosine2 * (k - 1) / k
        total += term
    return 0.5 + math.sin(angle) * total / 2
