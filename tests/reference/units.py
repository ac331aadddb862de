# SPDX-License-Identifier: MIT
"""Slow twin of measures/units.py: every one-to-one pairing is tried. For few units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from reference.pairs import Shared, mean_over_pairs
from unisono.model import Continuum, Unit

Credit = Callable[[Unit, Unit], Fraction | int]


def overlap(u: Unit, v: Unit) -> bool:
    """Units that may be paired: they share some length, or are equal."""
    return min(u.end, v.end) > max(u.start, v.start) or (u.start, u.end) == (v.start, v.end)


def greatest(one: Sequence[Unit], other: Sequence[Unit], credit: Credit) -> Fraction | int:
    """The greatest sum of credits of a one-to-one pairing of units that overlap."""
    if not one or not other:
        return 0
    best = greatest(one[1:], other, credit)
    for j, unit in enumerate(other):
        if overlap(one[0], unit) and credit(one[0], unit) > 0:
            rest = [*other[:j], *other[j + 1 :]]
            best = max(best, credit(one[0], unit) + greatest(one[1:], rest, credit))
    return best


def same_position(u: Unit, v: Unit) -> bool:
    return (u.start, u.end) == (v.start, v.end)


def same_category(u: Unit, v: Unit) -> bool:
    return u.category == v.category


def iou(u: Unit, v: Unit) -> Fraction:
    shared = min(u.end, v.end) - max(u.start, v.start)
    union = u.length + v.length - shared
    return Fraction(shared, union) if union else Fraction(1)


CREDITS: dict[str, Credit] = {
    "f1_exact": lambda u, v: int(same_position(u, v) and same_category(u, v)),
    "f1_position": lambda u, v: int(same_position(u, v)),
    "f1_partial": lambda u, v: Fraction(1) if same_position(u, v) else Fraction(1, 2),
    "f1_type": lambda u, v: int(same_category(u, v)),
    "f1_iou": lambda u, v: int(same_category(u, v) and iou(u, v) >= Fraction(1, 2)),
}


def f1(continua: Sequence[Continuum], credit: Credit, *, reference: str | None = None, only: object = ...):
    """F1; `only` restricts it to the units of one category."""

    def part(shared: Shared) -> tuple[float, float]:
        gained, n = Fraction(0), 0
        for continuum, first, second in shared:
            one, other = ([x for x in continuum.units_of(a) if only in (..., x.category)] for a in (first, second))
            gained += 2 * greatest(one, other, credit)
            n += len(one) + len(other)
        return gained, n

    return mean_over_pairs(continua, part, reference=reference)


def slot_error_rate(continua: Sequence[Continuum], *, reference: str | None = None):
    """Errors / units of the reference: 1/2 for a wrong category, 1/2 for wrong boundaries, 1 for a unit alone."""

    def saved(u: Unit, v: Unit) -> Fraction:
        return 2 - Fraction(1, 2) * (not same_category(u, v)) - Fraction(1, 2) * (not same_position(u, v))

    def part(shared: Shared) -> tuple[float, float]:
        errors, n = Fraction(0), 0
        for continuum, first, second in shared:
            one, other = continuum.units_of(first), continuum.units_of(second)
            errors += len(one) + len(other) - greatest(one, other, saved)
            n += len(one)
        return errors, n

    return mean_over_pairs(continua, part, reference=reference)
