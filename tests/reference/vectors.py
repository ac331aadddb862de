# SPDX-License-Identifier: MIT
"""Lower bounds from vectors, the slow twin: one vector for each unit, and one of length 1.

The square of the length of a sum of vectors is not negative. Written out for the units of a unitary alignment, that is
a lower bound on what it costs, which is divided among the units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
