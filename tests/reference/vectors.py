# SPDX-License-Identifier: MIT
"""Lower bounds from vectors, the slow twin: one vector for each unit, and one of length 1.

The square of the length of a sum of vectors is not negative. Written out for the units of a unitary alignment, that is
a lower bound on what it costs, which is divided among the units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

Vector = Sequence[float]
#: The weight of each pair of units that can be together.
Weights = Mapping[tuple[int, int], float]


def product(a: Vector, b: Vector) -> float:
    """The inner product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def duals(first: Vector, vectors: Sequence[Vector], annotators: Sequence[int], weights: Weights) -> list[float]:
    """For each unit a share that no unitary alignment costs less than: -2 f(0)f(u) - f(u)f(u) - excesses.

    An excess is w(u,v) / 2 + f(u)f(v), where it is positive: the largest with each of the other annotators counts,
    because a unitary alignment has one unit of each at most.
    """
    found = []
    for u, own in enumerate(vectors):
        largest: dict[int, float] = {}
        for v, other in enumerate(vectors):
            weight = weights.get((min(u, v), max(u, v)))
            if weight is not None:
                excess = weight / 2 + product(own, other)
                largest[annotators[v]] = max(excess, largest.get(annotators[v], 0.0))
        found.append(-2 * product(first, own) - product(own, own) - sum(largest.values()))
    return found


def semidefinite_bound(annotators: Sequence[int], weights: Weights, rounds: int = 4000) -> float:
    """The bound of the best vectors, about: the semidefinite program by alternating directions, without short cuts.

    Y is positive semidefinite, Y(0,u) = Y(u,u) = 1; Y(u,v) is between 0 and 1, and 0 for units that cannot be together.
    Y(0,0) - the sum of the weights times Y(u,v) is least. The multipliers of the eigenvalues are the vectors' products.
    """
    n = len(annotators) + 1
    cost, low, high = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    cost[0, 0], high[0, 0] = 1, n
    low[0, 1:] = low[1:, 0] = high[0, 1:] = high[1:, 0] = 1
    low[range(1, n), range(1, n)] = high[range(1, n), range(1, n)] = 1
    for (u, v), weight in weights.items():
        cost[u + 1, v + 1] = cost[v + 1, u + 1] = -weight / 2
        high[u + 1, v + 1] = high[v + 1, u + 1] = 1
    semidefinite, multiplier, best = np.eye(n), np.zeros((n, n)), 0.0
    for step in range(rounds):
        entries = np.clip(semidefinite - multiplier - cost, low, high)
        values, vectors = np.linalg.eigh(entries + multiplier)
        positive = (vectors * np.maximum(values, 0)) @ vectors.T
        semidefinite, multiplier = positive, entries + multiplier - positive
        if step % 100 == 99 and -multiplier[0, 0] > 0:
            found = (vectors * np.sqrt(np.maximum(-values, 0))).tolist()
            first = np.array(found[0]) / np.linalg.norm(found[0])
            best = max(best, sum(duals(first.tolist(), found[1:], annotators, weights)))
    return best
