# SPDX-License-Identifier: MIT
"""Methods for the interval over documents that were tried: coverage, undefined cases, width (docs/intervals.md).

    python -m bench.interval_methods [corpora]

Corpora of 30 documents, as pairs (observed, expected). `units`: each unit fails with the document's own probability,
Beta(1, 3). `quarter`: the same in one document of four, the others agree fully. `tenth`: one of ten documents is
imperfect. `unequal`: lognormal sizes (sigma 1).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np
from scipy import stats

from unisono.intervals.jackknife import documents_interval

Bounds = tuple[float, float] | None
DOCUMENTS, RESAMPLES = 30, 999


def draw(law: str, n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Observed and expected disagreement of n documents."""
    if law == "unequal":
        bottom = rng.lognormal(0, 1, n) * rng.gamma(20, 1 / 20, n)
        return bottom * rng.beta(2, 3, n), bottom
    if law == "tenth":
        bottom = (1.0 + rng.poisson(4, n)) * rng.gamma(30, 1 / 30, n)
        return np.where(rng.random(n) < 0.1, bottom * rng.beta(2, 4, n), 0.0), bottom
    units = 1 + rng.geometric(0.1, n)
    fails = rng.beta(1, 3, n)
    if law == "quarter":
        fails = np.where(rng.random(n) < 0.25, fails, 0.0)
    return 0.8 * rng.binomial(units, fails), units.astype(float)


def jackknife(top: np.ndarray, bottom: np.ndarray) -> tuple[float, float, np.ndarray]:
    """The ratio, its standard error, and the squared deviations of the ratios without each document."""
    ratio = top.sum() / bottom.sum()
    left_out = (top.sum() - top) / (bottom.sum() - bottom)
    squares = (left_out - left_out.mean()) ** 2
    n = len(top)
    return ratio, math.sqrt((n - 1) / n * squares.sum()), squares


def linear(top: np.ndarray, bottom: np.ndarray, rng: np.random.Generator) -> Bounds:
    ratio, error, _ = jackknife(top, bottom)
    t = stats.t.ppf(0.975, len(top) - 1)
    return (ratio - t * error, ratio + t * error) if ratio > 0 else None


def logarithm(*, satterthwaite: bool, power: float = 0.0) -> Callable[..., Bounds]:
    """Symmetric in the logarithm, or in a power; degrees of freedom n - 1 or Satterthwaite's."""

    def interval(top: np.ndarray, bottom: np.ndarray, rng: np.random.Generator) -> Bounds:
        ratio, error, squares = jackknife(top, bottom)
        n = len(top)
        if ratio <= 0:
            return None
        df = n - 1.0
        if satterthwaite:
            df = float(np.clip(2 * n * squares.mean() ** 2 / squares.var(ddof=1), 2, n - 1))
        shift = stats.t.ppf(0.975, df) * error / ratio
        if power:
            return ratio * max(0, 1 - power * shift) ** (1 / power), ratio * (1 + power * shift) ** (1 / power)
        return ratio * math.exp(-shift), ratio * math.exp(shift)

    return interval


def studentised(top: np.ndarray, bottom: np.ndarray, rng: np.random.Generator) -> Bounds:
    """Bootstrap-t; resamples without spread count against both limits."""
    n, ratio = len(top), top.sum() / bottom.sum()
    picks = rng.integers(0, n, (RESAMPLES, n))
    tops, bottoms = top[picks], bottom[picks]
    sums = bottoms.sum(axis=1)
    ratios = tops.sum(axis=1) / sums
    errors = np.sqrt(n / (n - 1) * ((tops - ratios[:, None] * bottoms) ** 2).sum(axis=1)) / sums
    error = math.sqrt(n / (n - 1) * ((top - ratio * bottom) ** 2).sum()) / bottom.sum()
    if error <= 1e-9:
        return None
    has_spread = errors > 1e-6 * error
    t = (ratios - ratio) / np.where(has_spread, errors, 1.0)
    rank = (RESAMPLES + 1) // 40
    low = ratio - error * np.sort(np.where(has_spread, t, np.inf))[-rank]
    high = ratio - error * np.sort(np.where(has_spread, t, -np.inf))[rank - 1]
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def bca(top: np.ndarray, bottom: np.ndarray, rng: np.random.Generator) -> Bounds:
    ratio, _, _ = jackknife(top, bottom)
    if ratio <= 0:
        return None
    picks = rng.integers(0, len(top), (RESAMPLES, len(top)))
    ratios = np.sort(top[picks].sum(axis=1) / bottom[picks].sum(axis=1))
    bias = stats.norm.ppf(((ratios < ratio).mean() + (ratios <= ratio).mean()) / 2)
    left_out = (top.sum() - top) / (bottom.sum() - bottom)
    moves = left_out.mean() - left_out
    skew = (moves**3).sum() / (6 * (moves**2).sum() ** 1.5)
    z = bias + stats.norm.ppf([0.025, 0.975])
    low, high = np.quantile(ratios, stats.norm.cdf(bias + z / (1 - skew * z)))
    return float(low), float(high)


def chosen(top: np.ndarray, bottom: np.ndarray, rng: np.random.Generator) -> Bounds:
    interval = documents_interval(top, bottom, level=0.95).interval
    return None if interval is None else (1 - interval.high, 1 - interval.low)


METHODS: dict[str, Callable[..., Bounds]] = {
    "linear jackknife": linear,
    "BCa": bca,
    "bootstrap-t": studentised,
    "log jackknife, n - 1": logarithm(satterthwaite=False),
    "log jackknife, Satterthwaite": logarithm(satterthwaite=True),
    "cube root, Satterthwaite": logarithm(satterthwaite=True, power=1 / 3),
    "chosen": chosen,
}


def main(corpora: int) -> None:
    for law in ("units", "quarter", "tenth", "unequal"):
        rng = np.random.default_rng(20261117)
        top, bottom = draw(law, 2_000_000, rng)
        truth = top.sum() / bottom.sum()
        counts = {name: [0, 0, 0.0] for name in METHODS}
        for _ in range(corpora):
            sample = draw(law, DOCUMENTS, rng)
            for name, method in METHODS.items():
                bounds = method(*sample, rng)
                if bounds is None:
                    counts[name][1] += 1
                else:
                    counts[name][0] += bounds[0] <= truth <= bounds[1]
                    counts[name][2] += bounds[1] - bounds[0]
        for name, (covered, unknown, width) in counts.items():
            known = corpora - unknown
            print(
                f"{law:8} {name:30} {covered / known:.3f}  undefined {unknown / corpora:.3f}  width {width / known:.3f}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
