# SPDX-License-Identifier: MIT
"""Measures that pair the units of two annotators and count: Slot Error Rate, F1 in five strengths, boundary errors.

Units of one annotator may overlap; units of two annotators can be paired only if they overlap or are equal. The
best one-to-one pairing is taken, exactly. With more than two annotators: the mean over the pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.errors import CorpusError
from unisono.measures.chunks import Index, merge_labels, ranges, sum_by_code
from unisono.measures.comparisons import Comparisons, along_documents, mean_over_pairs
from unisono.measures.matching import least_cost_matching
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import UndefinedError, returns_undefined
from unisono.model import CATEGORY, Continuum, Feature, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode

#: Two units are the same for f1-iou if intersection over union is at least this.
LEAST_IOU = 0.5

_NO_UNIT = Reason(ReasonCode.NO_UNITS, "neither annotator marked any unit")
_EMPTY_REFERENCE = Reason(ReasonCode.EMPTY_REFERENCE, "the reference has no units")


@returns_undefined
def ser(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """1 - Slot Error Rate; below 0 where there are more errors than units of the reference.

    Definition: Galibert et al. 2010, as in Mathet et al. 2015, section 3.4.2: 1/2 for a wrong category, 1/2 for a wrong
    boundary, 1 for both, for a missed and for an added unit, at the least cost, over the number of units of the
    reference. Each of a pair is the reference in turn unless one is given. Undefined: a reference without units.

    >>> rows = {"ann": [(0, 5, "A"), (10, 15, "A"), (20, 25, "A"), (30, 35, "C"), (40, 45, "B")],
    ...         "bob": [(0, 5, "A"), (10, 15, "B"), (20, 27, "A"), (30, 37, "A"), (50, 55, "B")]}
    >>> ser([Continuum.of(rows)], Resolved(reference="ann")).observed
    0.8
    """
    near = NearUnits.of(continua, settings)
    pairs = near.comparisons
    cost = 0.5 * ~near.is_same_category + 0.5 * ~near.is_same_position
    chosen = near.match(cost, alone=1.0)
    saved = sum_by_code(near.comparison[chosen], 2 - cost[chosen], len(pairs.first))
    first, second = (pairs.per_pair(pairs.n_units[rows]) for rows in (pairs.first, pairs.second))
    errors = first + second - pairs.per_pair(saved)
    parts = [(errors, first)] if pairs.reference is not None else [(errors, first), (errors, second)]
    return mean_over_pairs(pairs, parts, is_distance=True, empty=_EMPTY_REFERENCE)


@returns_undefined
def f1_exact(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """F1 of units with the same start, end and category, the one most used for entities ("strict" in nervaluate).

    F1 = 2 * paired / (units of the one + units of the other), the same whoever is the reference. Undefined: no unit.

    >>> c = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 5, "A"), (7, 9, "A"), (20, 21, "A")]})
    >>> f1_exact([c], Resolved()).value
    0.4
    """
    return _f1(continua, settings, lambda near: near.is_same_position & near.is_same_category, by_category=True)


@returns_undefined
def f1_position(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """F1 of units with the same start and end, whatever their categories ("exact" in nervaluate). Undefined: no unit.

    >>> c = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 5, "A"), (7, 9, "A"), (20, 21, "A")]})
    >>> f1_position([c], Resolved()).value
    0.8
    """
    return _f1(continua, settings, lambda near: near.is_same_position)


@returns_undefined
def f1_partial(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """F1 where units with the same start and end count 1 and units that overlap 1/2, whatever their categories.

    Definition: the "partial" of MUC-5 (Chinchor and Sundheim 1993). Undefined: no unit.

    >>> c = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 5, "A"), (7, 10, "A")]})
    >>> f1_partial([c], Resolved()).value
    0.75
    """
    return _f1(continua, settings, lambda near: np.where(near.is_same_position, 1.0, 0.5))


@returns_undefined
def f1_type(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """F1 of units that overlap and have the same category, wherever their boundaries are. Undefined: no unit.

    >>> c = Continuum.of({"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 3, "A"), (7, 9, "A")]})
    >>> f1_type([c], Resolved()).value
    0.5
    """
    return _f1(continua, settings, lambda near: near.is_same_category, by_category=True)


@returns_undefined
def f1_iou(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """F1 of units of the same category whose intersection is at least half of their union. Undefined: no unit.

    >>> c = Continuum.of({"ann": [(0, 10, "A"), (20, 30, "A")], "bob": [(0, 5, "A"), (24, 30, "A"), (26, 30, "A")]})
    >>> f1_iou([c], Resolved()).value
    0.8
    """
    return _f1(continua, settings, lambda near: near.is_same_category & near.is_mostly_common, by_category=True)


@dataclass(frozen=True)
class BoundaryErrors:
    """The distances between the boundaries of paired units: of the starts and of the ends of each pair.

    With a reference the differences have a sign, positive where the annotator is later than the reference; without
    one they are absolute. `unpaired` is the number of units without a partner, in all comparisons.
    """

    starts: FloatArray
    ends: FloatArray
    unpaired: int
    reference: str | None = None

    def histogram(self, width: float = 1.0) -> list[tuple[float, int, int]]:
        """Rows (difference, number of starts, number of ends), differences rounded to multiples of the width."""
        columns = [np.unique(np.round(side / width), return_counts=True) for side in (self.starts, self.ends)]
        counts = [dict(zip(values.tolist(), numbers.tolist(), strict=True)) for values, numbers in columns]
        rows = sorted({*counts[0], *counts[1]})
        return [(row * width + 0.0, counts[0].get(row, 0), counts[1].get(row, 0)) for row in rows]


def boundary_errors(continua: Iterable[Continuum], *, reference: str | None = None) -> BoundaryErrors:
    """The boundary errors of units, paired so that they overlap most.

    The overlap of two units is twice the length they share over the sum of their lengths (Dice); the pairing has the
    greatest sum of overlaps. Categories are ignored. Every pair of annotators, or each with the reference.
    Undefined: no two annotators to compare (CorpusError).

    >>> c = Continuum.of({"ann": [(0, 5), (7, 9)], "bob": [(0, 4), (8, 11), (20, 22)]})
    >>> boundary_errors([c], reference="ann").histogram()
    [(-1.0, 0, 1), (0.0, 1, 0), (1.0, 1, 0), (2.0, 0, 1)]
    """
    try:
        near = NearUnits.of(tuple(continua), Resolved(reference=reference))
    except UndefinedError as error:
        raise CorpusError.of(f"the comparison {error.reason.sentence}") from None
    chosen = near.match(1 - near.dice, alone=0.5)
    pairs = near.comparisons
    u, v = near.u[chosen], near.v[chosen]
    starts, ends = near.starts[v] - near.starts[u], near.ends[v] - near.ends[u]
    if reference is None:
        starts, ends = np.abs(starts), np.abs(ends)
    n_units = int(pairs.n_units[pairs.first].sum() + pairs.n_units[pairs.second].sum())
    return BoundaryErrors(starts, ends, n_units - 2 * int(chosen.sum()), reference)


@dataclass(frozen=True)
class NearUnits:
    """All pairs of units of two annotators that overlap or are equal: edge e joins unit u[e] to unit v[e].

    `comparison[e]` is the comparison that they belong to; u is a unit of its first annotator, or of the reference.
    """

    comparisons: Comparisons
    starts: FloatArray
    ends: FloatArray
    categories: Index
    labels: tuple[str, ...]
    comparison: Index
    u: Index
    v: Index

    @classmethod
    def of(cls, continua: Sequence[Continuum], settings: Resolved) -> NearUnits:
        """The pairs; UndefinedError where no two annotators can be compared."""
        comparisons = Comparisons.of(continua, settings.reference)
        starts = np.concatenate([continuum.starts for continuum in continua]).astype(np.float64)
        ends = np.concatenate([continuum.ends for continuum in continua]).astype(np.float64)
        categories, labels = _categories(continua, getattr(settings.dissimilarity, "feature", CATEGORY))
        row = repeat(np.arange(len(comparisons.row_document)), comparisons.n_units)
        i, j = _overlapping_pairs(comparisons.row_document[row], starts, ends)
        # Find the comparison of each pair; pairs of one annotator, or of two who are not compared, have none.
        n_rows = len(comparisons.row_document)
        keys = comparisons.first * n_rows + comparisons.second
        order = np.argsort(keys)
        u, v = np.concatenate((i, j)), np.concatenate((j, i))
        wanted = row[u] * n_rows + row[v]
        place = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
        comparison = order[place]
        known = keys[comparison] == wanted
        return cls(comparisons, starts, ends, categories, labels, comparison[known], u[known], v[known])

    @cached_property
    def is_same_position(self) -> NDArray[np.bool_]:
        same = (self.starts[self.u] == self.starts[self.v]) & (self.ends[self.u] == self.ends[self.v])
        return np.asarray(same)

    @cached_property
    def is_same_category(self) -> NDArray[np.bool_]:
        return np.asarray(self.categories[self.u] == self.categories[self.v])

    @cached_property
    def _shared_lengths(self) -> FloatArray:
        """The length that both units cover."""
        first = np.maximum(self.starts[self.u], self.starts[self.v])
        return np.minimum(self.ends[self.u], self.ends[self.v]) - first

    @cached_property
    def _summed_lengths(self) -> FloatArray:
        """The sum of the lengths of both."""
        lengths = self.ends - self.starts
        return lengths[self.u] + lengths[self.v]

    @property
    def dice(self) -> FloatArray:
        """Twice the shared length over the sum of the lengths; 1 for equal points."""
        return np.divide(
            2 * self._shared_lengths, self._summed_lengths, out=np.ones(len(self.u)), where=self._summed_lengths > 0
        )

    @property
    def is_mostly_common(self) -> NDArray[np.bool_]:
        """Whether intersection over union is large enough, up to rounding errors; true for equal points."""
        union = self._summed_lengths - self._shared_lengths
        return np.asarray(self._shared_lengths >= LEAST_IOU * union * (1 - 1e-9))

    def only(self, edges: NDArray[np.bool_]) -> NearUnits:
        """The same units with only these edges."""
        return replace(self, comparison=self.comparison[edges], u=self.u[edges], v=self.v[edges])

    def match(self, cost: FloatArray, *, alone: float) -> NDArray[np.bool_]:
        """Which edges are in the pairing of least cost of each comparison; a unit without a partner costs `alone`."""
        n = max(len(self.starts), 1)
        # A unit takes part in several comparisons and is a different node in each.
        one, u = np.unique(self.comparison * n + self.u, return_inverse=True)
        other, v = np.unique(self.comparison * n + self.v, return_inverse=True)
        one, other = one % n, other % n
        return least_cost_matching(
            (self.starts[one], self.ends[one]),
            (self.starts[other], self.ends[other]),
            u.reshape(-1),
            v.reshape(-1),
            cost,
            alone=alone,
        )


def _overlapping_pairs(document: Index, starts: FloatArray, ends: FloatArray) -> tuple[Index, Index]:
    """All pairs of units of one document that share some length or are equal, each once."""
    n = len(starts)
    begins, finishes = along_documents(document, starts, ends)
    order = np.lexsort((finishes, begins))
    begins, finishes = begins[order], finishes[order]
    # Units that begin before this one ends, or where it begins: a point has no length.
    high = np.maximum(np.searchsorted(begins, finishes), np.searchsorted(begins, begins, side="right"))
    i, j = ranges(np.arange(1, n + 1), high)
    kept = (np.minimum(finishes[i], finishes[j]) > begins[j]) | (
        (begins[i] == begins[j]) & (finishes[i] == finishes[j])
    )
    return order[i[kept]], order[j[kept]]


def _categories(continua: Sequence[Continuum], feature: str) -> tuple[Index, tuple[str, ...]]:
    """The labels of all units as codes into one sorted table; the code after the last is that of units without one."""
    unlabelled = [Feature(np.full(len(c), -1, dtype=np.int32), ()) for c in continua]
    codes, labels = merge_labels([c.features.get(feature, none) for c, none in zip(continua, unlabelled, strict=True)])
    return np.where(codes < 0, len(labels), codes).astype(np.int64), labels


def _f1(
    continua: Sequence[Continuum],
    settings: Resolved,
    credit: Callable[[NearUnits], NDArray[np.generic]],
    *,
    by_category: bool = False,
) -> MeasureValue:
    """F1 = 2 * greatest sum of credits of a pairing / number of units of both; also by category if asked for."""
    near = NearUnits.of(continua, settings)
    earned = np.asarray(credit(near), dtype=np.float64)
    near, earned = near.only(earned > 0), earned[earned > 0]
    pairs = near.comparisons
    chosen = near.match(1 - earned, alone=0.5)
    gained = sum_by_code(near.comparison[chosen], 2 * earned[chosen], len(pairs.first))
    n_units = pairs.per_pair(pairs.n_units[pairs.first] + pairs.n_units[pairs.second])
    value = mean_over_pairs(pairs, [(pairs.per_pair(gained), n_units)], is_distance=False, empty=_NO_UNIT)
    if not by_category or value.value is None:
        return value
    return replace(value, per_category=_f1_per_category(near, chosen))


def _f1_per_category(near: NearUnits, chosen: NDArray[np.bool_]) -> dict[str | None, MeasureValue]:
    """F1 of each category: the mean over the pairs of annotators of whom at least one used it."""
    pairs, n = near.comparisons, len(near.labels) + 1
    keys = []
    for rows in (pairs.first, pairs.second):
        comparison, unit = ranges(pairs.row_first[rows], pairs.row_first[rows + 1])
        keys.append(pairs.pair[comparison] * n + near.categories[unit])
    used, count = np.unique(np.concatenate(keys), return_counts=True)
    keys_of_pairs = np.searchsorted(used, (pairs.pair[near.comparison] * n + near.categories[near.u])[chosen])
    ratio = 2 * np.bincount(keys_of_pairs, minlength=len(used)) / count
    category, place = np.unique(used % n, return_inverse=True)
    means = sum_by_code(place.reshape(-1), ratio, len(category)) / np.bincount(place.reshape(-1))
    return {
        near.labels[c] if c < len(near.labels) else None: MeasureValue(value, observed=1 - value)
        for c, value in zip(category.tolist(), means.tolist(), strict=True)
    }
