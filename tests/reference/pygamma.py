# SPDX-License-Identifier: MIT
"""What pygamma-agreement 0.5.9 computes, as laws: its two chance models, its γcat and γk.

Its random numbers come from numpy's global generator; the functions here take a `RandomState` and ask it for the same
numbers in the same order, so that every random continuum of theirs can be had again from its seed. Deviations from
Mathet 2015 and 2017 are marked with an asterisk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from math import fsum

import numpy as np

from unisono.model import Unit

Units = Mapping[str, Sequence[Unit]]
Drawn = dict[str, list[Unit]]
Row = Sequence[Unit | None]

#: Units shorter than this have no length for pygamma-agreement, which refuses them.
SHORTEST = 1e-6


def kept(units: Units) -> Drawn:
    """A continuum as it is kept there: annotators by name, units by (start, end, category), equal ones once*."""
    contents = {
        name: sorted({(unit.start, unit.end, unit.category or "") for unit in units[name]}) for name in sorted(units)
    }
    return {name: [Unit(*content) for content in rows] for name, rows in contents.items()}


def statistical(units: Units, random: np.random.RandomState) -> Drawn:
    """StatisticalContinuumSampler, the default: normal counts, gaps and lengths, categories by their frequency.

    Nothing of the real units survives but five moments and the frequencies; categories are independent of lengths, and
    every annotator begins at 0*, wherever the continuum begins.
    """
    real = kept(units)
    everything = [unit for rows in real.values() for unit in rows]
    counts = [len(rows) for rows in real.values()]
    gaps = [0.0]  # always one gap of 0*
    gaps += [after.start - before.end for rows in real.values() for before, after in pairwise(rows)]
    gaps += [rows[0].start for rows in real.values() if rows and rows[0].start > 0]
    lengths = [unit.end - unit.start for unit in everything]
    categories = sorted({str(unit.category) for unit in everything})
    frequencies = [sum(unit.category == k for unit in everything) / len(everything) for k in categories]

    def normal(values: Sequence[float]) -> float:
        return float(random.normal(np.mean(values), np.std(values)))  # the standard deviation of the population

    drawn: Drawn = {}
    for name in real:
        drawn[name] = []
        count = abs(int(normal(counts)))  # towards 0, then without its sign: about half a unit too few*
        if not any(drawn.values()):
            count = max(1, count)
        end = 0.0
        for _ in range(count):
            start = end + normal(gaps)  # may be before the last end, and before 0
            length = 0.0
            while length < SHORTEST:
                length = start + abs(normal(lengths)) - start
            end = start + length
            drawn[name].append(Unit(start, end, str(random.choice(categories, p=frequencies))))
    return kept(drawn)


def bounds(units: Units) -> tuple[float, float]:
    """The extent there: from the first start or 0, whichever is less*, to the last end or 0."""
    everything = [unit for rows in units.values() for unit in rows]
    return min([0.0, *(unit.start for unit in everything)]), max([0.0, *(unit.end for unit in everything)])


def shuffle(units: Units, random: np.random.RandomState, *, whole: bool = True) -> Drawn:
    """ShuffleContinuumSampler: real annotators with replacement, moved right by a shift, coming round at the end.

    Half the mean length is kept free around the last shift drawn; shifts before it can be nearer*. The first shift is
    uniform on the extent, the k-th uniform on the stretches left free.
    """
    real = kept(units)
    low, high = bounds(real)
    everything = [unit for rows in real.values() for unit in rows]
    distance = sum(unit.end - unit.start for unit in everything) / len(everything) / 2
    names = list(real)
    drawn: Drawn = {}
    while not any(drawn.values()):  # a random continuum without units is drawn again
        free: list[tuple[float, float]] = [(low, high)]
        for k in range(len(names)):
            if free:
                shift = _from_stretches(free, random, whole)
                free = _without(free, shift, distance)
            else:
                shift = random.uniform(low, high)  # not a whole number, whatever was asked*
            source = str(random.choice(names))
            drawn[f"Sampled_annotation {k}"] = [_moved(unit, shift, low, high) for unit in real[source]]
    return kept(drawn)


def _from_stretches(free: list[tuple[float, float]], random: np.random.RandomState, whole: bool) -> float:
    """Uniform on the stretches, those that overlap counted twice; whole shifts are cut off towards 0*."""
    lengths = np.array([end - start for start, end in free])
    start, end = free[random.choice(len(free), p=lengths / lengths.sum())]
    shift = random.uniform(start, end)
    return int(shift) if whole else shift


def _without(free: list[tuple[float, float]], shift: float, distance: float) -> list[tuple[float, float]]:
    """The stretches without what is nearer to the shift than the distance, the last one first.

    A stretch on one side of it is drawn out to reach it*, over whatever had been taken away between: so only the
    distance from the last shift is sure.
    """
    left, right = shift - distance, shift + distance
    rest = []
    for start, end in reversed(free):
        if start < left:
            rest.append((start, left))
        if end > right:
            rest.append((right, end))
    return rest


def _moved(unit: Unit, shift: float, low: float, high: float) -> Unit:
    """A unit is kept whole; its start comes round when it passes the end (a start upon the end stays)."""
    back = low - high if unit.start + shift > high else 0
    return Unit(unit.start + shift + back, unit.end + shift + back, unit.category)


def categorial_disorder(
    alignment: Sequence[Row], category: str | None = None, *, alpha: float = 1.0, delta_empty: float = 1.0
) -> float:
    """The disorder of its γcat, or with a category of its γk, for the sporadic and the nominal dissimilarity.

    Pairs with an empty unit count in full*, the confidence contains alpha*, a k-k pair counts once; without a pair of
    two real units it is 0*, and 1 where the category has no unit*.
    """
    disorders, weights = [], []
    has_pair = has_real_pair = False
    for row in alignment:
        n_v = sum(unit is not None for unit in row)
        for u, v in combinations(row, 2):
            real = [unit for unit in (u, v) if unit is not None]
            if category is not None and all(unit.category != category for unit in real):
                continue
            has_pair = True
            if u is not None and v is not None:
                has_real_pair = True
                d_pos = ((abs(u.start - v.start) + abs(u.end - v.end)) / (u.length + v.length)) ** 2 * delta_empty
                weight = max(0.0, 1 - alpha * d_pos) / (n_v - 1)
                disorders.append(weight * (u.category != v.category) * delta_empty)
                weights.append(weight)
            elif real:
                disorders.append(delta_empty**2)
                weights.append(delta_empty)
    if not has_real_pair:
        return 0.0 if has_pair else 1.0
    return fsum(disorders) / fsum(weights) if fsum(disorders) else 0.0


def agreement(observed: float, expected: Sequence[float]) -> float:
    """Its γcat: 1 without observed disorder*, 0 without an expected one*; every random continuum counts."""
    mean = fsum(expected) / len(expected)
    if observed == 0:
        return 1.0
    return 1 - observed / mean if mean else 0.0
