# SPDX-License-Identifier: MIT
"""Which program gave the numbers of Fig. 16 of Mathet 2017? Every choice tried, with all of chance enumerated.

The data of Fig. 3 (`examples.FIGURE_3`, a reconstruction) are so small that every random continuum of the shift model
can be listed: all integer shifts that keep the minimum distance, times all choices of source annotators. Three
annotators with two units each have 87 alignments, so that the best one of each random continuum is found by looking at
all of them. Nothing here uses the aligner, the chance models or the measures of the library.

Tried: alpha (the weight of positions), the dissimilarity of two empty units (delta_empty as in 2015, or 0), the divisor
of the summed disorder (the mean number of units as in Eq. 7 of 2015, or the number of unitary alignments as section 4.1
of 2017 says) and the minimum distance of the shifts. `python -m unisono.experiments.hypothesis_2017` prints the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unisono.experiments.examples import FIGURE_3, FIGURE_3_LENGTH

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: What the sum of the unitary disorders is divided by: the mean number of units, or the number of unitary alignments.
Divisor = Literal["units", "alignments"]

ALPHAS = (1.0, 2.0, 3.0, 4.0)
EMPTY_PAIRS = (1.0, 0.0)
DIVISORS: tuple[Divisor, ...] = ("units", "alignments")
#: In mean lengths of a unit (7.33): all of it, half, and the 3 positions to which half is cut off.
DISTANCES = {"mean": 44 / 6, "half-mean": 44 / 12, "3": 3.0}

_N_UNITS = 6
_PAIRS = [(u, v) for u, v in combinations(range(_N_UNITS), 2) if u // 2 != v // 2]
_AT_ONCE = 20_000


@dataclass(frozen=True)
class Choice:
    """One way in which the program may have been written."""

    alpha: float
    empty_pairs: float
    divisor: Divisor
    distance: float


#: What the preset `greyc-2017` takes.
GREYC_2017 = Choice(3.0, 0.0, "alignments", DISTANCES["half-mean"])


@dataclass(frozen=True)
class Values:
    """What a choice gives for Fig. 16, and how many unitary alignments Fig. 4 has then."""

    gamma: float
    gamma_cat: float
    gamma_k: dict[str, float]
    n_unitary_alignments: int
    n_random: int


def all_values() -> Iterator[tuple[str, Choice, Values]]:
    """Every choice with its values; the first item names the minimum distance."""
    for (name, distance), alpha, empty, divisor in product(DISTANCES.items(), ALPHAS, EMPTY_PAIRS, DIVISORS):
        choice = Choice(alpha, empty, divisor, distance)
        yield name, choice, values(choice)


def values(choice: Choice) -> Values:
    """γ, γcat and γk (pairs k-k counted twice) of Fig. 3, with the expected disorders over all random continua."""
    starts, ends, labels = _figure()
    found = _disorders(starts[None], ends[None], labels[None], choice)
    random_starts, random_ends, random_labels = _random_units(choice.distance)
    sums = [np.zeros(4), np.zeros(4)]  # of the values, and of how many are defined
    n_random = len(random_starts)
    total = 0.0
    for first in range(0, n_random, _AT_ONCE):
        rows = slice(first, first + _AT_ONCE)
        part = _disorders(random_starts[rows], random_ends[rows], random_labels[rows], choice)
        total += float(part.disorder.sum())
        categories = np.stack([part.of_categories, *part.of_label])
        is_defined = ~np.isnan(categories)
        sums[0] += np.where(is_defined, categories, 0).sum(axis=1)
        sums[1] += is_defined.sum(axis=1)
    expected = sums[0] / np.maximum(sums[1], 1)
    observed = [found.of_categories[0], *(column[0] for column in found.of_label)]
    with np.errstate(invalid="ignore", divide="ignore"):
        agreement = 1 - np.array(observed) / expected
    names = sorted({label for row in FIGURE_3.values() for _, _, label in row})
    return Values(
        1 - float(found.disorder[0]) / (total / n_random),
        float(agreement[0]),
        dict(zip(names, agreement[1:].tolist(), strict=True)),
        int(found.n_unitary_alignments[0]),
        n_random,
    )


def _figure() -> tuple[Floats, Floats, Ints]:
    """Starts, ends and labels of the six units, two for each annotator."""
    rows = [unit for row in FIGURE_3.values() for unit in row]
    labels = np.unique([label for *_, label in rows], return_inverse=True)[1]
    return (
        np.array([start for start, *_ in rows], float),
        np.array([end for _, end, _ in rows], float),
        labels.astype(np.int64),
    )


@cache
def _random_units(distance: float) -> tuple[Floats, Floats, Ints]:
    """Starts, ends and labels of the units of every random continuum: (n, 6) each.

    A unit stays whole; its start decides on which side of the split it lies (2015, section 5.2.1 leaves it open).
    """
    starts, ends, labels = _figure()
    shifts = np.array(
        [
            row
            for row in product(range(FIGURE_3_LENGTH), repeat=3)
            if all(abs(a - b) >= distance for a, b in combinations(row, 2))
        ]
    )
    sources = np.array(list(product(range(3), repeat=3)))
    units = (2 * sources[:, :, None] + np.arange(2)).reshape(len(sources), 1, _N_UNITS)
    moved = np.repeat(shifts, 2, axis=1)[None, :, :]
    shape = (len(sources), len(shifts), _N_UNITS)
    new_starts = (starts[units] - moved) % FIGURE_3_LENGTH
    lengths = np.broadcast_to((ends - starts)[units], shape)
    every_label = np.broadcast_to(labels[units], shape)
    flat = (-1, _N_UNITS)
    return new_starts.reshape(flat), (new_starts + lengths).reshape(flat), every_label.reshape(flat)


@cache
def _alignments() -> tuple[Floats, Floats, Ints]:
    """The 87 alignments of 2 + 2 + 2 units: which pairs each has, their weights in γcat, and its number of rows."""
    found: list[list[list[int]]] = []

    def extend(unit: int, rows: list[list[int]]) -> None:
        if unit == _N_UNITS:
            found.append(rows)
            return
        for k, row in enumerate(rows):
            if all(other // 2 != unit // 2 for other in row):
                extend(unit + 1, [*rows[:k], [*row, unit], *rows[k + 1 :]])
        extend(unit + 1, [*rows, [unit]])

    extend(0, [])
    place = {pair: i for i, pair in enumerate(_PAIRS)}
    members = np.zeros((len(found), len(_PAIRS)))
    weights = np.zeros_like(members)
    for i, rows in enumerate(found):
        for row in rows:
            for pair in combinations(row, 2):
                members[i, place[pair]] = 1
                weights[i, place[pair]] = 1 / (len(row) - 1)
    return members, weights, np.array([len(rows) for rows in found])


@dataclass(frozen=True)
class _Disorders:
    disorder: Floats
    of_categories: Floats
    of_label: list[Floats]
    n_unitary_alignments: Ints


def _disorders(starts: Floats, ends: Floats, labels: Ints, choice: Choice) -> _Disorders:
    """The disorders of the best alignment of each row of units; NaN where no aligned units overlap."""
    members, pair_weights, n_rows = _alignments()
    u, v = (np.array(side) for side in zip(*_PAIRS, strict=True))
    moved = np.abs(starts[:, u] - starts[:, v]) + np.abs(ends[:, u] - ends[:, v])
    d_pos = (moved / (ends[:, u] - starts[:, u] + ends[:, v] - starts[:, v])) ** 2
    d_cat = (labels[:, u] != labels[:, v]).astype(float)
    dissimilarity = choice.alpha * d_pos + d_cat
    # Eq. 6: of the 3 pairs of a row of r units, r(r - 1)/2 are real, r(3 - r) half empty, the others empty.
    n_real = members.sum(axis=1)
    n_half_empty = 2 * _N_UNITS - 2 * n_real  # r(3 - r) = 2r - r(r - 1), summed over the rows
    n_empty = 3 * n_rows - n_real - n_half_empty
    total = (dissimilarity @ members.T + n_half_empty + choice.empty_pairs * n_empty) / 3
    best = np.argmin(total - 1e-9 * n_rows, axis=1)  # ties: the most unitary alignments
    lowest = total[np.arange(len(best)), best]
    weights = np.maximum(0, 1 - d_pos) * pair_weights[best]
    return _Disorders(
        lowest / (n_rows[best] if choice.divisor == "alignments" else _N_UNITS / 3),
        _ratio(weights, d_cat),
        [
            _ratio(weights * ((labels[:, u] == k).astype(float) + (labels[:, v] == k)), d_cat)
            for k in range(int(_figure()[2].max()) + 1)
        ],
        n_rows[best],
    )


def _ratio(weights: Floats, d_cat: Floats) -> Floats:
    total = weights.sum(axis=1)
    return np.where(total > 0, (weights * d_cat).sum(axis=1) / np.where(total > 0, total, 1), np.nan)


def report() -> str:
    """The table, as `python -m unisono.experiments.hypothesis_2017` prints it."""
    lines = [
        "published                                           γ 0.29   γcat 0.36 (0.34-0.37)  γk 0.335 / 0.484 (0.494)",
        "distance   alpha  d(∅,∅)  divisor     alignments      γ    γcat   γk(A)   γk(B)",
    ]
    for name, choice, found in all_values():
        lines.append(
            f"{name:<10} {choice.alpha:>5g}  {choice.empty_pairs:>6g}  {choice.divisor:<10}  "
            f"{found.n_unitary_alignments:>10}  {found.gamma:>5.3f}   {found.gamma_cat:>5.3f}   "
            f"{found.gamma_k['A']:>5.3f}   {found.gamma_k['B']:>5.3f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
