# SPDX-License-Identifier: MIT
"""The slow twins of unisono.intervals: one resample and one permutation at a time, in plain Python."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist

import numpy as np
from scipy import stats

from unisono.intervals.random_words import RandomWords, chunks
from unisono.model import Alignment, FloatArray

Pair = tuple[float, float]


def value(documents: Sequence[Pair]) -> float:
    """1 - sum of numerators / sum of denominators."""
    return 1 - math.fsum(n for n, _ in documents) / math.fsum(d for _, d in documents)


def residuals(documents: Sequence[Pair]) -> list[float]:
    """How much each document moves the value: the linearised ratio (Cochran 1977, section 6.3)."""
    ratio = 1 - value(documents)
    total = math.fsum(d for _, d in documents)
    return [(ratio * d - n) / total for n, d in documents]


def standard_error(terms: Sequence[float]) -> float:
    """Of a sum of independent terms whose mean is 0."""
    n = len(terms)
    return math.sqrt(n / (n - 1) * math.fsum(term**2 for term in terms))


def resamples(n: int, count: int, draws: RandomWords) -> Iterator[list[int]]:
    """Which documents each resample has: the same random numbers as the fast path, chunk by chunk."""
    for rows in chunks(count, n):
        picks = draws.integers(rows * n, n).tolist()
        yield from (picks[row * n : (row + 1) * n] for row in range(rows))


def studentised(
    centre: float, error: float, shifts: Sequence[float], errors: Sequence[float], level: float
) -> tuple[float, float]:
    """Bootstrap-t: the quantiles by rank of (resample - value) / error of the resample."""
    t = sorted(shift / e for shift, e in zip(shifts, errors, strict=True))
    rank = math.floor((len(t) + 1) * (1 - level) / 2 + 1e-9)
    return centre - error * t[-rank], centre - error * t[rank - 1]


def studentised_interval(documents: Sequence[Pair], level: float, seed: int, count: int) -> tuple[float, float]:
    """Bootstrap-t over documents: what the jackknife replaced; undefined resamples are left out."""
    documents = sorted(documents)
    shifts, errors = [], []
    for picks in resamples(len(documents), count, RandomWords(seed, "bootstrap")):
        drawn = [documents[i] for i in picks]
        shifts.append(value(drawn) - value(documents))
        errors.append(standard_error(residuals(drawn)))
    low, high = studentised(value(documents), standard_error(residuals(documents)), shifts, errors, level)
    return low, min(1.0, high)


def documents_interval(documents: Sequence[Pair], level: float) -> tuple[float, float]:
    """The jackknife on the logarithm of 1 - value, one document after the other, with the quantile of scipy."""
    n = len(documents)
    left_out = [value([*documents[:i], *documents[i + 1 :]]) for i in range(n)]
    mean = math.fsum(left_out) / n
    squares = [(each - mean) ** 2 for each in left_out]
    error = math.sqrt((n - 1) / n * math.fsum(squares))
    variance = math.fsum(squares) / n
    of_variance = math.fsum((square - variance) ** 2 for square in squares) / (n - 1) / n
    satterthwaite = max(2.0, min(n - 1, 2 * variance**2 / of_variance))
    df = (satterthwaite * satterthwaite * (n - 1)) ** (1 / 3)
    ratio = 1 - value(documents)
    factor = math.exp(float(stats.t.ppf((1 + level) / 2, df)) * error / ratio)
    return 1 - ratio * factor, 1 - ratio / factor


def _ratio_draws(top: FloatArray, bottom: FloatArray, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    picks = rng.integers(0, len(top), (1999, len(top)))
    return 1 - top[picks].sum(axis=1) / bottom[picks].sum(axis=1)


def percentile_interval(top: FloatArray, bottom: FloatArray, level: float, seed: int) -> tuple[float, float]:
    """The quantiles of the resamples themselves: what most people mean by a bootstrap interval."""
    low, high = np.quantile(_ratio_draws(top, bottom, seed), [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def bca_interval(top: FloatArray, bottom: FloatArray, level: float, seed: int) -> tuple[float, float]:
    """Bias-corrected and accelerated (Efron and Tibshirani 1993, section 14.3), acceleration from the residuals."""
    draws = _ratio_draws(top, bottom, seed)
    normal = NormalDist()
    terms = np.array(residuals(list(zip(top.tolist(), bottom.tolist(), strict=True))))
    spread = float((terms**2).sum()) ** 1.5
    acceleration = float((terms**3).sum()) / (6 * spread) if spread else 0.0
    below = float(np.mean(draws < 1 - top.sum() / bottom.sum()))
    bias = normal.inv_cdf(min(max(below, 1 / 2000), 1 - 1 / 2000))
    quantiles = (normal.inv_cdf((1 - level) / 2), normal.inv_cdf((1 + level) / 2))
    ends = [normal.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))) for z in quantiles]
    low, high = np.quantile(draws, ends)
    return float(low), float(high)


def paired_difference_interval(
    a: Sequence[Pair], b: Sequence[Pair], level: float, seed: int, count: int
) -> tuple[float, float]:
    def difference(x: Sequence[Pair], y: Sequence[Pair]) -> tuple[float, float]:
        terms = [r - s for r, s in zip(residuals(x), residuals(y), strict=True)]
        return value(x) - value(y), standard_error(terms)

    def symmetric(pair: tuple[Pair, Pair]) -> list[float]:
        (n, d), (m, e) = pair
        return [abs(d - e), d + e, abs(n - m), n + m]

    ordered = sorted(zip(a, b, strict=True), key=symmetric)
    a, b = [x for x, _ in ordered], [y for _, y in ordered]
    centre, error = difference(a, b)
    shifts, errors = [], []
    for picks in resamples(len(a), count, RandomWords(seed, "bootstrap difference")):
        found, spread = difference([a[i] for i in picks], [b[i] for i in picks])
        shifts.append(found - centre)
        errors.append(spread)
    return studentised(centre, error, shifts, errors, level)


def blocks_interval(stretches: Sequence[Pair], level: float, seed: int, count: int) -> tuple[float, float]:
    """Circular blocks of ceil(n ** (1/3)) stretches (Politis and Romano 1992), each resample studentised by its own."""
    n = len(stretches)
    length = next(k for k in range(1, n + 1) if k**3 >= n)
    drawn = max(2, round(n / length))
    ratio = 1 - value(stretches)
    # Each block as one pair: its residual from the value, and its denominator.
    blocks = [
        (
            math.fsum(ratio * d - m for m, d in (stretches[(i + k) % n] for k in range(length))),
            math.fsum(stretches[(i + k) % n][1] for k in range(length)),
        )
        for i in range(n)
    ]

    def shift_and_error(chosen: Sequence[Pair]) -> tuple[float, float]:
        total = math.fsum(d for _, d in chosen)
        shift = math.fsum(r for r, _ in chosen) / total
        squares = math.fsum(((r - shift * d) / total) ** 2 for r, d in chosen)
        return shift, math.sqrt(len(chosen) / (len(chosen) - 1) * squares)

    shifts, errors = [], []
    draws = RandomWords(seed, "bootstrap stretches")
    for rows in chunks(count, n):
        picks = draws.integers(rows * drawn, n).tolist()
        for row in range(rows):
            shift, error = shift_and_error([blocks[i] for i in picks[row * drawn : (row + 1) * drawn]])
            shifts.append(shift)
            errors.append(error)
    # Of all n blocks, scaled to the `drawn` that a resample has and to the stretches that those have.
    total = math.fsum(d for _, d in blocks) * drawn / n
    squares = math.fsum((r / total) ** 2 for r, _ in blocks) * drawn / n
    error = math.sqrt(drawn / (drawn - 1) * squares * drawn * length / n)
    return studentised(value(stretches), error, shifts, errors, level)


def p_value(observed: float, others: Sequence[float]) -> float:
    """(1 + extreme) / (1 + permutations), two-sided."""
    extreme = sum(abs(other) >= abs(observed) - 1e-9 for other in others)
    return (1 + extreme) / (1 + len(others))


def all_swaps(a: Sequence[Pair], b: Sequence[Pair]) -> float:
    """p of the paired design, every swap looked at."""
    found = []
    for swap in itertools.product((False, True), repeat=len(a)):
        x = [q if s else p for p, q, s in zip(a, b, swap, strict=True)]
        y = [p if s else q for p, q, s in zip(a, b, swap, strict=True)]
        found.append(value(x) - value(y))
    return p_value(found[0], found[1:])


def all_exchanges(a: Sequence[Pair], b: Sequence[Pair]) -> float:
    """p of the unpaired design, every exchange looked at."""
    whole = [*a, *b]
    found = []
    for chosen in itertools.combinations(range(len(whole)), len(a)):
        x = [whole[i] for i in chosen]
        y = [whole[i] for i in range(len(whole)) if i not in chosen]
        found.append(value(x) - value(y))
    return p_value(found[0], found[1:])


def distinct_choices(documents: Sequence[Pair], size: int) -> int:
    """How many multisets of that size there are among the documents."""
    return len({tuple(sorted(choice)) for choice in itertools.combinations(documents, size)})


def all_splits(
    documents: Sequence[tuple[Sequence[str], Sequence[str]]], pair: Callable[[int, frozenset[str]], Pair]
) -> float:
    """p of the annotators design: every split of every document; `pair(document, group)` measures a group."""
    every = [
        [
            (frozenset(group), frozenset({*a, *b} - set(group)))
            for group in itertools.combinations(sorted([*a, *b]), len(a))
        ]
        for a, b in documents
    ]
    observed = tuple((frozenset(a), frozenset(b)) for a, b in documents)

    def difference(splits: Sequence[tuple[frozenset[str], frozenset[str]]]) -> float:
        x, y = ([pair(i, split[side]) for i, split in enumerate(splits)] for side in (0, 1))
        return value(x) - value(y)

    others = [difference(splits) for splits in itertools.product(*every) if splits != observed]
    return p_value(difference(observed), others)


def cut_positions(alignment: Alignment) -> list[float]:
    """Every position of the continuum that cuts no unitary alignment: all of it before, or all of it after."""
    hulls = [
        (min(u.start for u in units), max(u.end for u in units))
        for unitary in alignment.unitary_alignments
        if (units := [u for u in unitary.units if u is not None])
    ]
    positions = sorted({start for start, _ in hulls})
    return [
        p for p in positions if p > positions[0] and all((start < p and end <= p) or start >= p for start, end in hulls)
    ]
