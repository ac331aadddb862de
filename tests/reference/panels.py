# SPDX-License-Identifier: MIT
"""Lower bounds from panels of annotators, the slow twin: every panel aligned by brute force.

The cost of an alignment is a mean over the pairs of annotators. Each of N panels gets 1/N of what an empty unitary
alignment costs, and of each of its pairs of annotators the share 1/r, r being the number of panels with that pair.
What an alignment costs in a panel is at least what the best alignment of the panel costs; all panels together are the
cost of the alignment, but for unitary alignments that miss a panel, which make the bound lower.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

from reference.dissimilarity import Pairwise
from unisono.model import Continuum

Panel = frozenset[int]


def affine_plane(q: int) -> list[Panel]:
    """The lines of the plane of order q, a prime or a power of 2, as sets of its points 0 .. q² - 1."""
    plus, times = _field(q)
    lines = [frozenset(x * q + plus(times(a, x), b) for x in range(q)) for a in range(q) for b in range(q)]
    return lines + [frozenset(c * q + y for y in range(q)) for c in range(q)]


def _field(q: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]]:
    """Addition and multiplication of the field with q elements.

    Where q is a power of 2, the bits of an element are the coefficients of a polynomial over {0, 1}; products are taken
    modulo the first polynomial of that degree without a factor.
    """
    if q == 2 or q % 2:
        return lambda a, b: (a + b) % q, lambda a, b: a * b % q
    modulus = next(p for p in range(q, 2 * q) if all(_remainder(p, divisor) for divisor in range(2, q)))

    def times(a: int, b: int) -> int:
        product = 0
        for k in range(b.bit_length()):
            if b >> k & 1:
                product ^= a << k
        return _remainder(product, modulus)

    return operator.xor, times


def _remainder(dividend: int, divisor: int) -> int:
    """The rest of a division of polynomials over {0, 1}."""
    while dividend.bit_length() >= divisor.bit_length():
        dividend ^= divisor << (dividend.bit_length() - divisor.bit_length())
    return dividend


def panel_bound(continuum: Continuum, panels: Sequence[Panel], d: Pairwise, delta_empty: float) -> float:
    """A lower bound on the summed disorders of every alignment; every pair of annotators must be in a panel."""
    units = list(continuum)
    of = continuum.annotator_codes.tolist()
    shared = {
        pair: sum(1 for panel in panels if panel >= set(pair))
        for pair in combinations(range(continuum.n_annotators), 2)
    }
    assert all(shared.values())
    n_pairs = comb(continuum.n_annotators, 2)
    total = 0.0
    for panel in panels:
        inside = [i for i in range(len(units)) if of[i] in panel]

        def cost(members: tuple[int, ...]) -> float:
            saved = 0.0
            for i, j in combinations(members, 2):
                pair = (min(of[i], of[j]), max(of[i], of[j]))
                saved += (delta_empty - d(units[i], units[j])) / (n_pairs * shared[pair])
            return delta_empty / len(panels) - saved

        total += _cheapest(tuple(inside), of, cost)
    return total


def _cheapest(units: tuple[int, ...], of: Sequence[int], cost) -> float:  # type: ignore[no-untyped-def]
    """The least sum of costs over all partitions into sets with one unit of each annotator at most."""
    if not units:
        return 0.0
    first, rest = units[0], units[1:]
    best = float("inf")
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            members = (first, *others)
            if len({of[i] for i in members}) == len(members):
                left = tuple(i for i in rest if i not in others)
                best = min(best, cost(members) + _cheapest(left, of, cost))
    return best
