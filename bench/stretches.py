# SPDX-License-Identifier: MIT
"""How often the interval over stretches of one continuum covers, for γ, γcat and γk: figures of docs/intervals.md.

    python -m bench.stretches [continua]

Two annotators mark places along one continuum; how well they do is an autoregressive sequence along it, so that
neighbouring stretches are alike. Each continuum is measured by `unisono.measure` with 30 samples. The true values are
those of one continuum of 40,000 places.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy import signal, stats

import unisono
from unisono.model import Continuum

PLACES = (30, 100, 300)
#: How alike neighbouring places are.
AUTOCORRELATIONS = (0.0, 0.6)
TRUTH = 40_000
MEASURES = ("gamma", "gamma-cat", "gamma-k")
SHARES = {"x": 0.5, "y": 0.35, "z": 0.15}


def continuum(rng: np.random.Generator, n: int, phi: float) -> Continuum:
    """Places 15 to 45 apart, each missed, moved and labelled by two annotators, the worse the lower its quality."""
    places = np.cumsum(rng.integers(15, 46, n))
    noise = rng.normal(size=n + 50) * np.sqrt(1 - phi**2)
    quality = stats.beta.ppf(stats.norm.cdf(signal.lfilter([1.0], [1.0, -phi], noise)[50:]), 2, 2)
    true = rng.choice(len(SHARES), n, p=list(SHARES.values()))
    names = list(SHARES)
    units: dict[str, list[tuple[int, int, str]]] = {}
    for annotator in ("ann", "bob"):
        is_found = rng.random(n) > 0.3 * (1 - quality)
        moved = np.where(rng.random((2, n)) < 1 - quality, rng.integers(-3, 4, (2, n)), 0)
        is_wrong = rng.random(n) < 0.6 * (1 - quality)
        labels = np.where(is_wrong, rng.integers(0, len(names), n), true)
        units[annotator] = [
            (int(places[i] + moved[0, i]), int(places[i] + 9 + moved[1, i]), names[labels[i]])
            for i in np.flatnonzero(is_found).tolist()
        ]
    return Continuum.of(units, extent=(0, int(places[-1]) + 45), name="c")


def values(data: Continuum, seed: int, samples: int) -> dict[str, unisono.MeasureValue]:
    """γ, γcat and γk of each category."""
    result = unisono.measure(data, MEASURES, seed=seed, samples=samples)
    found = {name: result[name] for name in MEASURES[:2]}
    return found | {f"gamma-k {name}": value for name, value in (result["gamma-k"].per_category or {}).items()}


def main(continua: int) -> None:
    for phi in AUTOCORRELATIONS:
        truth = values(continuum(np.random.default_rng(1), TRUTH, phi), 1, 100)
        for n in PLACES:
            rng = np.random.default_rng([n, int(10 * phi)])
            covered: dict[str, list[bool]] = {name: [] for name in truth}
            widths: dict[str, list[float]] = {name: [] for name in truth}
            for seed in range(continua):
                for name, value in values(continuum(rng, n, phi), seed, 30).items():
                    interval = value.intervals.get("stretches")
                    if interval is not None:
                        true = truth[name].value
                        assert true is not None
                        covered[name].append(interval.low <= true <= interval.high)
                        widths[name].append(interval.high - interval.low)
            for name, hits in covered.items():
                known = len(hits)
                if not known:
                    print(f"autocorrelation {phi}  {n:4} places  {name:12} {truth[name].value:6.3f}: always undefined")
                    continue
                exact = stats.binomtest(sum(hits), known).proportion_ci(0.95)
                print(
                    f"autocorrelation {phi}  {n:4} places  {name:12} {truth[name].value:6.3f}: "
                    f"{sum(hits) / known:.3f} [{exact.low:.3f}, {exact.high:.3f}]  undefined "
                    f"{1 - known / continua:.3f}  median width {np.median(widths[name]):.3f}",
                    flush=True,
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
