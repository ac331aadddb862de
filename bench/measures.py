# SPDX-License-Identifier: MIT
"""Krippendorff's alphas on 100,000 units, on ten times as many, on a longer continuum; each result is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

from measuring import Options, Table, timed, verdict
from unisono.measures.alpha_u_1995 import alpha_u_1995
from unisono.measures.krippendorff import alpha
from unisono.measures.resolved import Resolved
from unisono.measures.u_alpha import u_alpha_2013
from unisono.measures.unitizing_2016 import bar_u_alpha, cu_alpha, k_alpha, u_alpha
from unisono.model import CATEGORY, Continuum, Extent, Feature
from unisono.results import MeasureValue

Measure = Callable[[Sequence[Continuum], Resolved], MeasureValue]

#: Milliseconds for 100,000 units.
AT_MOST_MS = 500
#: At most this much more for ten times the units: ten, and as much again for sorting and for caches that are full (the
#: ratio for twice the units jumps from 1.3 to 3.3 where they fill up); a hundred would be every unit with every other.
TENFOLD_AT_MOST = 20
#: At most this much more for the same units on a continuum 1,000 times as long.
LONGER_AT_MOST = 1.5
UNITS = 100_000
ANNOTATORS = 4
CATEGORIES = tuple(f"category {i:02}" for i in range(20))
MEASURES: dict[str, Measure] = {
    "alpha": alpha,
    "alpha-u-1995": alpha_u_1995,
    "u-alpha-2013": u_alpha_2013,
    "u-alpha": u_alpha,
    "bar-u-alpha": bar_u_alpha,
    "cu-alpha": cu_alpha,
    "k-alpha": k_alpha,
}


def run(options: Options) -> Table:
    columns = ("measure", "100,000", "1,000,000", "ratio", "1,000 x length", "ratio of lengths", "verdict")
    table = Table("measures", f"Krippendorff's alphas, {ANNOTATORS} annotators, CPU time", columns)
    table.notes.append(
        f"bars: {AT_MOST_MS} ms for 100,000 units, {TENFOLD_AT_MOST} times as much for ten times the units, "
        f"{LONGER_AT_MOST} times as much for the same units on a continuum 1,000 times as long"
    )
    table.notes.append("checked: a continuum repeated k times as k documents observes what the one observes")
    n = UNITS // 10 if options.is_quick else UNITS
    for name, measure in MEASURES.items():
        is_given = measure is alpha
        small, large, long = (
            continuum(n, is_given=is_given),
            continuum(10 * n, is_given=is_given),
            continuum(n, is_given=is_given, stretch=1000),
        )
        ms = [timed(partial(measure, [c], Resolved()), for_seconds=0.1).ms for c in (small, large, long)]
        is_met = (
            _is_checked(measure, is_given)
            and ms[0] <= AT_MOST_MS * n / UNITS
            and ms[1] <= TENFOLD_AT_MOST * ms[0]
            and (ms[2] <= LONGER_AT_MOST * ms[0] or ms[2] < 20)
        )
        table.add(
            measure=name,
            **{
                "100,000": f"{ms[0]:.0f} ms",
                "1,000,000": f"{ms[1]:.0f} ms",
                "ratio": f"{ms[1] / ms[0]:.2f}",
                "1,000 x length": f"{ms[2]:.0f} ms",
                "ratio of lengths": f"{ms[2] / ms[0]:.2f}",
            },
            verdict=verdict(is_met),
            values=ms,
            units=n,
        )
    return table


@cache
def continuum(n_units: int, *, is_given: bool = False, stretch: int = 1, seed: int = 2016) -> Continuum:
    """Annotators who mark the units of one reference with noise at the ends, without overlaps; or given units."""
    rng = np.random.default_rng([seed, n_units])
    n = n_units // ANNOTATORS
    # Boundaries 20 apart on average, moved by up to 4; every second stretch is a gap.
    bounds = np.cumsum(rng.integers(10, 31, size=2 * n))
    labels = rng.integers(len(CATEGORIES), size=n)
    starts, ends, codes = [], [], []
    for _ in range(ANNOTATORS):
        moved = bounds + (0 if is_given else rng.integers(-4, 5, size=2 * n))
        starts.append(moved[0::2] * stretch)
        ends.append(moved[1::2] * stretch)
        codes.append(np.where(rng.random(n) < 0.15, rng.integers(len(CATEGORIES), size=n), labels))
    return Continuum(
        starts=np.concatenate(starts),
        ends=np.concatenate(ends),
        annotator_codes=np.repeat(np.arange(ANNOTATORS), n),
        annotators=[f"annotator {i}" for i in range(ANNOTATORS)],
        features={CATEGORY: Feature(np.concatenate(codes).astype(np.int32), CATEGORIES)},
        extent=Extent(0, (int(bounds[-1]) + 10) * stretch),
        name="bench",
    )


def _is_checked(measure: Measure, is_given: bool) -> bool:
    """Copies of one document, pooled, against the document; αU also divides by the length."""
    one, copies = continuum(2_000, is_given=is_given), 25
    single, pooled = measure([one], Resolved()), measure([one] * copies, Resolved())
    if measure is k_alpha:
        pairs = [(single.per_category or {}, pooled.per_category or {})]
        return all(np.isclose(a[k].observed, b[k].observed, rtol=1e-9) for a, b in pairs for k in a)
    factor = copies if measure is alpha_u_1995 else 1
    return bool(np.isclose(single.observed or 0, (pooled.observed or 0) * factor, rtol=1e-9))
