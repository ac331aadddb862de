# SPDX-License-Identifier: MIT
"""Krippendorff's alphas by the letter, slowly: the specification of measures/krippendorff.py and its neighbours.

Units are (start, end, category) with integer positions; an annotator is a list of them; a document is (annotators,
start, end); a corpus is a list of documents. Fractions, so that no digit is lost. None where a value is undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import permutations

Value = Hashable
Unit = tuple[int, int, Value]
Annotator = Sequence[Unit]
Document = tuple[Sequence[Annotator], int, int]
Difference = Callable[[Value, Value], Fraction | int]

#: The value of a gap: no category can be equal to it.
GAP = ("gap",)


def nominal(c: Value, k: Value) -> int:
    return int(c != k)


def interval(c: Value, k: Value) -> Fraction:
    return (Fraction(str(c)) - Fraction(str(k))) ** 2


def ratio(c: Value, k: Value) -> Fraction:
    total = Fraction(str(c)) + Fraction(str(k))
    return ((Fraction(str(c)) - Fraction(str(k))) / total) ** 2 if total else Fraction(0)


def ordinal(frequencies: dict[Value, Fraction], order: Sequence[Value]) -> Difference:
    """(Σ n_g for g from c to k, less half of n_c + n_k)²."""

    def difference(c: Value, k: Value) -> Fraction:
        low, high = sorted((order.index(c), order.index(k)))
        between = sum((frequencies.get(g, Fraction(0)) for g in order[low : high + 1]), Fraction(0))
        return (between - (frequencies.get(c, Fraction(0)) + frequencies.get(k, Fraction(0))) / 2) ** 2

    return difference


def _one_minus(observed: Fraction, expected: Fraction) -> float | None:
    return float(1 - observed / expected) if expected > 0 else None


# α --------------------------------------------------------------------------------------------------------------------


def coincidences(items: Sequence[Sequence[Value]]) -> Counter[tuple[Value, Value]]:
    """o_ck = Σ over items of the ordered pairs (c, k) / (m_u - 1)."""
    found: Counter[tuple[Value, Value]] = Counter()
    for values in items:
        for i, k in permutations(range(len(values)), 2):
            found[values[i], values[k]] += Fraction(1, len(values) - 1)  # type: ignore[assignment]
    return found


def margins(matrix: Counter[tuple[Value, Value]]) -> dict[Value, Fraction]:
    found: dict[Value, Fraction] = {}
    for (c, _), amount in matrix.items():
        found[c] = found.get(c, Fraction(0)) + amount
    return found


def alpha(
    items: Sequence[Sequence[Value]], difference: Difference = nominal
) -> tuple[float | None, Fraction, Fraction]:
    """α, Do, De of items given by the values that they got."""
    o = coincidences(items)
    n_c = margins(o)
    n = sum(n_c.values())
    observed = sum((o[c, k] * Fraction(difference(c, k)) for c, k in o), Fraction(0)) / n
    pairs = sum((n_c[c] * n_c[k] * difference(c, k) for c in n_c for k in n_c if c != k), Fraction(0))
    expected = pairs / (n * (n - 1))
    return _one_minus(observed, expected), observed, expected


# Sections -------------------------------------------------------------------------------------------------------------


def sections(units: Annotator, start: int, end: int) -> list[Unit]:
    """Units and gaps, one after the other; the units must not overlap."""
    found: list[Unit] = []
    for unit in sorted((unit for unit in units if unit[0] < unit[1]), key=lambda unit: unit[:2]):
        assert unit[0] >= start, "overlap"
        if unit[0] > start:
            found.append((start, unit[0], GAP))
        found.append(unit)
        start = unit[1]
    if start < end:
        found.append((start, end, GAP))
    return found


def common(u: Unit, v: Unit) -> int:
    return max(0, min(u[1], v[1]) - max(u[0], v[0]))


def _mL(corpus: Sequence[Document]) -> int:
    return sum(len(annotators) * (end - start) for annotators, start, end in corpus)


# uα, 2013 -------------------------------------------------------------------------------------------------------------


def slid(a: int, b: int) -> int:
    """A section of length a slid along one of length b, position by position: the squared lengths in common, summed."""
    return sum(common((at, at + a, None), (0, b, None)) ** 2 for at in range(-a, b + 1))


def u_alpha_2013(corpus: Sequence[Document]) -> tuple[float | None, Fraction, Fraction]:
    observed = Fraction(0)
    everyone: list[Unit] = []
    for annotators, start, end in corpus:
        rows = [sections(units, start, end) for units in annotators]
        everyone += [section for row in rows for section in row]
        for one, other in permutations(rows, 2):
            squares = sum(common(u, v) ** 2 for u in one for v in other if u[2] != v[2])
            observed += Fraction(squares, len(annotators) - 1)
    pairs = sum(slid(u[1] - u[0], v[1] - v[0]) for u, v in permutations(everyone, 2) if u[2] != v[2])
    expected = Fraction(pairs, _mL(corpus) ** 2 - sum((u[1] - u[0]) ** 2 for u in everyone))
    observed /= _mL(corpus)
    return _one_minus(observed, expected), observed, expected


# The family of 2016 ---------------------------------------------------------------------------------------------------


def u_alpha(corpus: Sequence[Document], *, is_binary: bool = False) -> tuple[float | None, Fraction, Fraction]:
    """uα, or |uα: position by position, what every annotator has there."""
    seen: Counter[tuple[Value, Value]] = Counter()
    corrections: dict[Value, int] = {}
    for annotators, start, end in corpus:
        rows = [sections(units, start, end) for units in annotators]
        if is_binary:
            rows = [[(u[0], u[1], u[2] if u[2] == GAP else "unit") for u in row] for row in rows]
        atoms = [[u[2] for u in row for _ in range(u[0], u[1])] for row in rows]
        for one, other in permutations(atoms, 2):
            for c, k in zip(one, other, strict=True):
                seen[c, k] += Fraction(1, len(annotators) - 1)  # type: ignore[assignment]
        for row in rows:
            for u in row:
                length = u[1] - u[0]
                corrections[u[2]] = corrections.get(u[2], 0) + (length if u[2] == GAP else length**2)
    return _by_matrix(seen, corrections)


def _expected_matrix(seen: Counter[tuple[Value, Value]], t: dict[Value, Fraction | int]) -> dict[tuple, Fraction]:
    of = margins(seen)
    total = sum(of.values())
    rest = total**2 - sum(t.values())
    return {(c, k): Fraction(total * (of[c] * of[k] - (t.get(c, 0) if c == k else 0))) / rest for c in of for k in of}


def _by_matrix(seen: Counter, t: dict) -> tuple[float | None, Fraction, Fraction]:
    total = Fraction(sum(seen.values()))
    by_chance = _expected_matrix(seen, t)
    observed = 1 - sum((Fraction(seen[c, k]) for c, k in seen if c == k), Fraction(0)) / total
    expected = 1 - sum((by_chance[c, k] for c, k in by_chance if c == k), Fraction(0)) / total
    return _one_minus(observed, expected), observed, expected


def unit_coincidences(corpus: Sequence[Document]) -> tuple[Counter[tuple[Value, Value]], dict[Value, Fraction]]:
    """ℓ*_ck and t_c: units against units, gaps left out."""
    seen: Counter[tuple[Value, Value]] = Counter()
    t: dict[Value, Fraction] = {}
    for annotators, _, _ in corpus:
        for one, other in permutations(annotators, 2):
            for u in one:
                for v in other:
                    if common(u, v):
                        seen[u[2], v[2]] += Fraction(common(u, v), len(annotators) - 1)  # type: ignore[assignment]
                shared = sum(common(u, v) for v in other)
                t[u[2]] = t.get(u[2], Fraction(0)) + Fraction(shared**2, len(annotators) - 1)
    return seen, t


def cu_alpha(
    corpus: Sequence[Document], difference: Difference = nominal
) -> tuple[float | None, dict[Value, float | None]]:
    """cuα, and kα for each category that intersects something; (None, {}) where nothing can be said."""
    seen, t = unit_coincidences(corpus)
    of = margins(seen)
    total = sum(of.values())
    if total == 0 or total**2 <= sum(t.values()):
        return None, {}
    by_chance = _expected_matrix(seen, t)
    observed = sum((seen[pair] * Fraction(difference(*pair)) for pair in seen), Fraction(0))
    expected = sum((by_chance[pair] * difference(*pair) for pair in by_chance), Fraction(0))
    per_category: dict[Value, float | None] = {}
    for k in of:
        of_k = sum(by_chance[c, k] for c in of)
        if of_k <= 0:
            per_category[k] = None
            continue
        seen_k = sum(seen[c, k] * Fraction(difference(c, k)) for c in of if (c, k) in seen) / of[k]
        per_category[k] = _one_minus(Fraction(seen_k), sum(by_chance[c, k] * difference(c, k) for c in of) / of_k)
    return _one_minus(observed, expected), per_category


# αU, 1995 -------------------------------------------------------------------------------------------------------------


def alpha_u_1995(corpus: Sequence[Document]) -> tuple[float | None, dict[Value, tuple[Fraction, Fraction]]]:
    """αU, and Do, De of each category."""
    categories = {u[2] for annotators, _, _ in corpus for units in annotators for u in units if u[0] < u[1]}
    length = sum(end - start for _, start, end in corpus)
    found = {}
    for category in categories:
        observed = Fraction(0)
        everyone: list[Unit] = []
        for annotators, start, end in corpus:
            rows = [sections([u for u in units if u[2] == category], start, end) for units in annotators]
            everyone += [section for row in rows for section in row]
            for one, other in permutations(rows, 2):
                squares = sum(_squared_difference_1995(u, v) for u in one for v in other)
                observed += Fraction(squares, len(annotators) - 1)
        units = [u[1] - u[0] for u in everyone if u[2] != GAP]
        gaps = [u[1] - u[0] for u in everyone if u[2] == GAP]
        pairs = sum(
            Fraction(len(units) - 1, 3) * (2 * a**3 - 3 * a**2 + a) + a**2 * sum(g - a + 1 for g in gaps if g >= a)
            for a in units
        )
        mL = _mL(corpus)
        expected = Fraction(2, length) * pairs / (mL * (mL - 1) - sum(a * (a - 1) for a in units))
        found[category] = (observed / (mL * length), expected)
    total = [sum((values[i] for values in found.values()), Fraction(0)) for i in (0, 1)]
    return _one_minus(*total), found


def _squared_difference_1995(u: Unit, v: Unit) -> int:
    if u[2] != GAP and v[2] != GAP:
        return (u[0] - v[0]) ** 2 + (u[1] - v[1]) ** 2 if common(u, v) else 0
    if u[2] != GAP and v[0] <= u[0] and u[1] <= v[1]:
        return (u[1] - u[0]) ** 2
    if v[2] != GAP and u[0] <= v[0] and v[1] <= u[1]:
        return (v[1] - v[0]) ** 2
    return 0
