# SPDX-License-Identifier: MIT
"""Slow twin of measures/comparisons.py: pairs of annotators by name, the documents they share, the mean over pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from unisono.model import Continuum

Shared = list[tuple[Continuum, str, str]]
#: A numerator and a denominator for the documents that two annotators share; the first is the reference.
Part = Callable[[Shared], tuple[float, float]]


def ordered_pairs(continua: Sequence[Continuum], reference: str | None) -> list[Shared]:
    """For each ordered pair of annotators, or of the reference and another, the documents of both."""
    names = sorted({name for continuum in continua for name in continuum.annotators})
    found = []
    for first in names if reference is None else [reference]:
        for second in names:
            shared = [(c, first, second) for c in continua if {first, second} <= set(c.annotators)]
            if first != second and shared:
                found.append(shared)
    return found


def mean_over_pairs(continua: Sequence[Continuum], part: Part, *, reference: str | None = None) -> float | None:
    """The mean ratio over all ordered pairs for which there is one."""
    ratios = []
    for shared in ordered_pairs(continua, reference):
        above, below = part(shared)
        if below > 0:
            ratios.append(Fraction(above) / Fraction(below))
    return float(sum(ratios) / len(ratios)) if ratios else None
