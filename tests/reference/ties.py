# SPDX-License-Identifier: MIT
"""The slow twin of the range over tied best alignments: every best alignment, one after the other.

The disorder of the categories is Algorithm 1 of Mathet 2017, by the letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from reference.alignment import Best, Members
from reference.dissimilarity import Pairwise
from unisono.model import Continuum

EVERY = object()  # γcat: every pair counts


@dataclass(frozen=True)
class Range:
    """Least and greatest value over the tied alignments that have one; whether some have none."""

    low: float | None
    high: float | None
    may_be_undefined: bool


def category_disorder(
    continuum: Continuum,
    alignment: Iterable[Members],
    d_pos: Pairwise,
    d_cat: Pairwise,
    category: object = EVERY,
    *,
    twice: bool = False,
) -> float | None:
    """Algorithm 1: the weighted mean of d_cat over the pairs of aligned units; None without any weight.

    With a category, only pairs that contain it count; `twice`: those of two such units count twice.
    """
    disorder, total = 0.0, 0.0
    for members in alignment:
        units = [continuum[i] for i in members]
        for u, v in combinations(units, 2):
            times = (u.category == category) + (v.category == category)
            if category is EVERY:
                times = 1
            elif not twice:
                times = min(times, 1)
            weight = times * max(0.0, 1 - d_pos(u, v)) / (len(units) - 1)
            if weight > 0:
                total += weight
                disorder += weight * d_cat(u, v)
    return disorder / total if total > 0 else None


def range_over(
    continuum: Continuum, best: Best, d_pos: Pairwise, d_cat: Pairwise, category: object = EVERY, *, twice: bool = False
) -> Range:
    """The range over the tied alignments that brute force found."""
    values = [category_disorder(continuum, tied, d_pos, d_cat, category, twice=twice) for tied in best.tied]
    defined = [value for value in values if value is not None]
    return Range(min(defined, default=None), max(defined, default=None), len(defined) < len(values))
