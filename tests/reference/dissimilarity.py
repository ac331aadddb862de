# SPDX-License-Identifier: MIT
"""The slow twins of the dissimilarities: every formula by the letter, on single units and labels.

Mathet, Widlöcher, Métivier 2015, section 4.4, for Eqs. 3 to 5; the sources of the others stand with them. This is the
specification of the core (dissimilarity.hpp) and of the tables of distances between labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log

from unisono.model import Unit

Pairwise = Callable[[Unit, Unit], float]
Distance = Callable[[str, str], float]


def sporadic(u: Unit, v: Unit) -> float:
    """Eq. 3 over delta_empty; two units of no length are equal, or infinitely far apart."""
    differences = abs(u.start - v.start) + abs(u.end - v.end)
    lengths = (u.end - u.start) + (v.end - v.start)
    if lengths == 0:
        return 0.0 if differences == 0 else inf
    return (differences / lengths) ** 2


def absolute(scale: float) -> Pairwise:
    """Mean difference of the boundaries, `scale` being as bad as the empty unit."""

    def d(u: Unit, v: Unit) -> float:
        return (abs(u.start - v.start) + abs(u.end - v.end)) / 2 / scale

    return d


def boundary(window: float) -> Pairwise:
    """The worse of the boundaries, squared, `window` being as bad as the empty unit."""

    def d(u: Unit, v: Unit) -> float:
        return (max(abs(u.start - v.start), abs(u.end - v.end)) / window) ** 2

    return d


def identity(x: float) -> float:
    return x


def steep(x: float) -> float:
    """Footnote 2: -ln(1 - x) x^30 + x."""
    return inf if x == 1 else -log(1 - x) * x**30 + x


def nominal(a: str, b: str) -> float:
    return 0.0 if a == b else 1.0


def ordinal(order: Sequence[str]) -> Distance:
    """Difference of the ranks over the largest there is."""

    def distance(a: str, b: str) -> float:
        if a == b:
            return 0.0
        return abs(list(order).index(a) - list(order).index(b)) / (len(order) - 1)

    return distance


def interval(low: float, high: float) -> Distance:
    """Difference of the numbers over the range."""

    def distance(a: str, b: str) -> float:
        return 0.0 if float(a) == float(b) else abs(float(a) - float(b)) / (high - low)

    return distance


def levenshtein(a: str, b: str) -> float:
    """Fewest insertions, deletions and substitutions, over the length of the longer label.

    >>> levenshtein("kitten", "sitting") == 3 / 7
    True
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        above, row = row, [i]
        for j, y in enumerate(b, start=1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
    return row[-1] / max(len(a), len(b), 1)


def jaccard(a: set[str], b: set[str]) -> float:
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def masi(a: set[str], b: set[str]) -> float:
    """1 - Jaccard's coefficient times monotonicity (Passonneau 2006)."""
    if a == b:
        monotonicity = 1.0
    elif a < b or b < a:
        monotonicity = 2 / 3
    elif a & b:
        monotonicity = 1 / 3
    else:
        monotonicity = 0.0
    return 1 - (1 - jaccard(a, b)) * monotonicity


def tree(a: Sequence[str], b: Sequence[str]) -> float:
    """Steps of the way from node to node through their last common ancestor, over the steps through the root."""
    up = list(a)
    steps = 0
    while list(b[: len(up)]) != up:  # climb from a until the node is an ancestor of b
        up.pop()
        steps += 1
    steps += len(b) - len(up)
    return steps / (len(a) + len(b)) if a or b else 0.0


def combined(
    positional: Pairwise = sporadic,
    categorial: Distance = nominal,
    *,
    f_cat: Callable[[float], float] = identity,
    feature: str = "category",
    alpha: float = 1.0,
    beta: float = 1.0,
    delta_empty: float = 1.0,
) -> Pairwise:
    """Eqs. 4 and 5; a unit without a label is at 0 from another without, at 1 from any label."""

    def label(unit: Unit) -> str | None:
        return unit.category if feature == "category" else unit.features.get(feature)

    def d(u: Unit, v: Unit) -> float:
        a, b = label(u), label(v)
        total = 0.0
        if alpha > 0:
            total += alpha * positional(u, v) * delta_empty
        if beta > 0:
            total += beta * f_cat((a is not b) * 1.0 if a is None or b is None else categorial(a, b)) * delta_empty
        return total

    return d
