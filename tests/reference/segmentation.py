# SPDX-License-Identifier: MIT
"""Slow twin of measures/segmentation.py: atoms one by one, as the papers write it. Integer positions only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from reference.pairs import Shared, mean_over_pairs
from unisono.model import Continuum


def length(continuum: Continuum) -> int:
    assert continuum.extent is not None
    return int(continuum.extent.length)


def boundaries(continuum: Continuum, annotator: str) -> set[int]:
    """The potential boundaries in use: b lies between the atoms b - 1 and b."""
    assert continuum.extent is not None
    return {int(unit.start - continuum.extent.start) for unit in continuum.units_of(annotator)[1:]}


def half_mean_unit(shared: Shared) -> int:
    """Half the mean unit of the first annotator, a whole number of atoms, two at least."""
    atoms = sum(length(continuum) for continuum, _, _ in shared)
    units = sum(len(continuum.units_of(first)) for continuum, first, _ in shared)
    return max(round(Fraction(atoms, 2 * units)), 2)


def window_diff(continua: Sequence[Continuum], *, window: int | None = None, reference: str | None = None):
    return _windowed(continua, window, reference, lambda a, b: a != b)


def pk(continua: Sequence[Continuum], *, window: int | None = None, reference: str | None = None):
    return _windowed(continua, window, reference, lambda a, b: (a > 0) != (b > 0))


def _windowed(continua, window, reference, differ):
    def part(shared: Shared) -> tuple[float, float]:
        k = window or half_mean_unit(shared)
        wrong = windows = 0
        for continuum, first, second in shared:
            one, other = boundaries(continuum, first), boundaries(continuum, second)
            for i in range(length(continuum) - k):
                inside = range(i + 1, i + k + 1)  # between atom i and atom i + k
                wrong += differ(sum(b in one for b in inside), sum(b in other for b in inside))
                windows += 1
        return wrong, windows

    return mean_over_pairs(continua, part, reference=reference)


def generalized_hamming_distance(reference, other, *, insertion=1, deletion=1, shift):
    """Over all ways to leave boundaries out on both sides and to move the rest, in order, by recursion."""
    one, two = sorted(reference), sorted(other)

    @cache
    def least(i: int, j: int):
        if i == len(one) or j == len(two):
            return insertion * (len(one) - i) + deletion * (len(two) - j)
        return min(
            insertion + least(i + 1, j), deletion + least(i, j + 1), shift * abs(one[i] - two[j]) + least(i + 1, j + 1)
        )

    return least(0, 0)


def ghd(continua: Sequence[Continuum], *, window: int | None = None, reference: str | None = None):
    def part(shared: Shared) -> tuple[float, float]:
        shift = Fraction(2, window or half_mean_unit(shared))
        cost, n = Fraction(0), 0
        for continuum, first, second in shared:
            one, other = boundaries(continuum, first), boundaries(continuum, second)
            cost += generalized_hamming_distance(one, other, shift=shift)
            n += len(one) + len(other)
        return cost, n

    return mean_over_pairs(continua, part, reference=reference)


def edits(one: set[int], other: set[int], n_t: int = 2) -> tuple[int, list[int], int]:
    """Matches, the spans of the transpositions, additions (Fournier 2013, boundary edit distance)."""
    left, right = one - other, other - one
    spans = []
    for span in range(1, n_t):
        for b in sorted(left | right):
            for mine, theirs in ((left, right), (right, left)):
                if b in mine and b + span in theirs:
                    mine.remove(b)
                    theirs.remove(b + span)
                    spans.append(span)
    return len(one & other), spans, len(left) + len(right)


def b_parts(continuum: Continuum, first: str, second: str, n_t: int = 2) -> tuple[Fraction, int]:
    matches, spans, additions = edits(boundaries(continuum, first), boundaries(continuum, second), n_t)
    n = matches + len(spans) + additions
    return n - additions - Fraction(sum(spans), n_t), n


def s_parts(continuum: Continuum, first: str, second: str, n_t: int = 2) -> tuple[Fraction, int]:
    _, spans, additions = edits(boundaries(continuum, first), boundaries(continuum, second), n_t)
    n = length(continuum) - 1
    return n - additions - Fraction(sum(spans), n_t), n


def similarity(continua: Sequence[Continuum], parts, *, n_t: int = 2, reference: str | None = None):
    def part(shared: Shared) -> tuple[float, float]:
        found = [parts(*entry, n_t) for entry in shared]
        return sum(above for above, _ in found), sum(below for _, below in found)

    return mean_over_pairs(continua, part, reference=reference)


def corrected(continua: Sequence[Continuum], parts, *, n_t: int = 2, own_shares: bool):
    """π*, or κ* with own shares; every annotator of every document takes part."""
    pairs = [(c, a, b) for c in continua for a in c.annotators for b in c.annotators if a < b]
    found = [parts(*entry, n_t) for entry in pairs]
    agreement = Fraction(sum(above for above, _ in found)) / sum(below for _, below in found)
    names = sorted({name for continuum in continua for name in continuum.annotators})

    def share(who: list[str]) -> Fraction:
        seen = [(c, name) for c in continua for name in c.annotators if name in who]
        return Fraction(sum(len(boundaries(c, name)) for c, name in seen), sum(length(c) - 1 for c, _ in seen))

    if own_shares:
        room = {name for c in continua for name in c.annotators if length(c) > 1}
        couples = sorted({(a, b) for _, a, b in pairs if a in room and b in room})
        expected = sum(share([a]) * share([b]) for a, b in couples) / len(couples)
    else:
        expected = share(names) ** 2
    return float((agreement - expected) / (1 - expected))
