# SPDX-License-Identifier: MIT
"""Tails of distributions and intervals of shares, for whole arrays.

The tails are those of scipy.stats (the tests hold them against it); scipy is no dependency of the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from unisono.model import FloatArray

#: The level of the intervals that are shown.
INTERVAL_LEVEL = 0.95
#: Steps of the continued fraction; it converges in about sqrt(max(a, b)) of them.
_MOST_STEPS = 500
_TINY = 1e-300


def incomplete_beta(a: ArrayLike, b: ArrayLike, x: ArrayLike) -> FloatArray:
    """The regularised incomplete beta function I_x(a, b), by the continued fraction of Lentz.

    >>> float(incomplete_beta(2, 3, 0.5).round(6))
    0.6875
    """
    a, b, x = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (a, b, x)))
    # The fraction converges quickly below the mean; above it, the other tail is computed.
    swap = x > (a + 1) / (a + b + 2)
    first, second = np.where(swap, b, a), np.where(swap, a, b)
    share = np.clip(np.where(swap, 1 - x, x), 0.0, 1.0)
    inside = (share > 0) & (share < 1)
    safe = np.where(inside, share, 0.5)
    front = np.exp(
        _log_gamma(first + second)
        - _log_gamma(first)
        - _log_gamma(second)
        + first * np.log(safe)
        + second * np.log1p(-safe)
    )
    tail = np.where(inside, front * _fraction(first, second, safe) / first, np.where(share >= 1, 1.0, 0.0))
    return np.clip(np.where(swap, 1 - tail, tail), 0.0, 1.0)


def _fraction(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    c = np.ones_like(x)
    d = 1 / _keep_away_from_0(1 - (a + b) * x / (a + 1))
    value = d.copy()
    for m in range(1, _MOST_STEPS + 1):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _keep_away_from_0(1 + numerator * d)
            c = _keep_away_from_0(1 + numerator / c)
            value = value * (c * d)
        if np.all(np.abs(c * d - 1) < 1e-14):
            break
    return value


def _keep_away_from_0(values: FloatArray) -> FloatArray:
    return np.where(np.abs(values) < _TINY, _TINY, values)


_log_gamma: Callable[[ArrayLike], FloatArray] = np.vectorize(math.lgamma, otypes=[np.float64])


def student_tail(t: ArrayLike, df: ArrayLike) -> FloatArray:
    """P(T >= t) of Student's distribution; 1/2 where there are no degrees of freedom.

    >>> float(student_tail(2.0, 5).round(6))
    0.05097
    """
    t, df = np.broadcast_arrays(np.asarray(t, dtype=np.float64), np.asarray(df, dtype=np.float64))
    safe = np.maximum(df, 1.0)
    finite = np.clip(np.where(np.isfinite(t), t, 0.0), -1e100, 1e100)
    half = 0.5 * incomplete_beta(safe / 2, 0.5, safe / (safe + finite * finite))
    half = np.where(np.isinf(t), 0.0, half)
    return np.where(df > 0, np.where(t >= 0, half, 1 - half), 0.5)


def binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike) -> FloatArray:
    """P(X >= k) of the binomial distribution with n trials of probability p.

    >>> float(binomial_tail(3, 4, 0.5).round(6))
    0.3125
    """
    k, n, p = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (k, n, p)))
    usable = (k > 0) & (k <= n)
    tail = incomplete_beta(np.where(usable, k, 1.0), np.where(usable, n - k + 1, 1.0), p)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, tail))


def normal_tail(z: ArrayLike) -> FloatArray:
    """P(Z >= z) of the normal distribution."""
    tail: Callable[[ArrayLike], FloatArray] = np.vectorize(lambda x: 0.5 * math.erfc(x / math.sqrt(2)), [np.float64])
    return tail(z)


def share_interval(share: ArrayLike, total: ArrayLike, variance: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Wilson's interval of a share of `total` trials, with the number of independent trials that fits its variance.

    >>> [round(float(bound), 3) for bound in share_interval(1.0, 36, 0.0)]
    [0.904, 1.0]
    """
    share, total, variance = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (share, total, variance)))
    z = NormalDist().inv_cdf((1 + INTERVAL_LEVEL) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.where(variance > 0, np.minimum(total, share * (1 - share) / variance), total)
        centre = (share + z * z / (2 * worth)) / (1 + z * z / worth)
        half = z / (1 + z * z / worth) * np.sqrt(share * (1 - share) / worth + z * z / (4 * worth * worth))
    # Rounding must not leave the share outside.
    return np.minimum(np.maximum(centre - half, 0.0), share), np.maximum(np.minimum(centre + half, 1.0), share)
