# SPDX-License-Identifier: MIT
"""The mean by control variates, to be read beside docs/fewer-samples.md: enumeration, deletion, no shortcuts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
Variates = Callable[[Sequence[int]], list[float]]


def few_variates(units: Sequence[float], count: int) -> Variates:
    """1, units drawn, differences of numbers of units over pairs of random annotators, pairs with one source."""

    def row(counts: Sequence[int]) -> list[float]:
        sources = [kind for kind, times in enumerate(counts) for _ in range(times)]
        pairs = list(itertools.combinations(sources, 2))
        apart = sum(abs(units[a] - units[b]) for a, b in pairs)
        return [1.0, sum(units[source] for source in sources), apart, sum(a == b for a, b in pairs)][:count]

    return row


def shares(n_kinds: int, degree: int) -> Variates:
    """The share of all groups of `degree` random annotators that has each multiset of sources."""
    multisets = list(itertools.combinations_with_replacement(range(n_kinds), degree))

    def row(counts: Sequence[int]) -> list[float]:
        sources = [kind for kind, times in enumerate(counts) for _ in range(times)]
        groups = list(itertools.combinations(sources, degree))
        return [sum(group == multiset for group in groups) / len(groups) for multiset in multisets]

    return row


def expectation(variates: Variates, share: Sequence[float], draws: int, empty: int | None) -> _Floats:
    """The mean of the variates over all sequences of sources, those left out that have no unit at all."""
    total, whole = 0.0, 0.0
    for sources in itertools.product(range(len(share)), repeat=draws):
        if all(source == empty for source in sources):
            continue
        chance = math.prod(share[source] for source in sources)
        counts = [sources.count(kind) for kind in range(len(share))]
        total = total + chance * np.array(variates(counts))
        whole += chance
    return np.asarray(total) / whole


def mean(rows: _Floats, expected: _Floats, values: _Floats) -> float:
    """The mean of value - slopes · (variates - expectation), the slopes fitted without the sample they are used for."""
    terms = []
    for i in range(len(values)):
        others = np.delete(np.arange(len(values)), i)
        slopes = np.linalg.lstsq(rows[others], values[others], rcond=1e-9)[0]
        terms.append(values[i] - slopes @ (rows[i] - expected))
    return float(np.mean(terms))


def weights(rows: _Floats, expected: _Floats) -> _Floats:
    """The weight of each sample: the mean of values that are 1 for it and 0 for the others."""
    return np.array([mean(rows, expected, unit) for unit in np.eye(len(rows))])


def variance(rows: _Floats, expected: _Floats, values: _Floats) -> float:
    """Σ weight² · residual², the residual of each sample from what is fitted without it."""
    residuals = []
    for i in range(len(values)):
        others = np.delete(np.arange(len(values)), i)
        slopes = np.linalg.lstsq(rows[others], values[others], rcond=1e-9)[0]
        residuals.append(values[i] - slopes @ rows[i])
    return float(np.sum(weights(rows, expected) ** 2 * np.square(residuals)))


def ratio(rows: _Floats, expected: _Floats, values: _Floats) -> tuple[float, float]:
    """The mean of the defined values (not NaN) and its variance: the ratio of two means, and its linear part."""
    defined = ~np.isnan(values)
    filled = np.where(defined, values, 0.0)
    share = mean(rows, expected, defined.astype(float))
    of_values = mean(rows, expected, filled) / share
    return of_values, variance(rows, expected, np.where(defined, filled - of_values, 0.0)) / share**2
