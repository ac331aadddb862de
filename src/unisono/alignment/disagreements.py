# SPDX-License-Identifier: MIT
"""How the units of a unitary alignment differ: in position, in category, or because an annotator has none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.observed import aligned_pairs, are_apart
from unisono.errors import ParameterError
from unisono.model import CATEGORY, Alignment, Feature, FloatArray, IntArray, PositionArray

#: The ways in which the units of a unitary alignment can differ, in the order in which they are listed.
KINDS = ("position", "category", "missing")


@dataclass(frozen=True)
class Disagreements:
    """One value for each unitary alignment: where it is, how many units it has, how they differ.

    position: not all starts or not all ends are equal; category: not all labels are; missing: an annotator who saw
    the document has the empty unit there. A unitary alignment of equal units has no disorder; nor has one that differs
    in category alone, where the dissimilarity ignores categories.
    """

    alignment: Alignment
    feature: str
    #: Units by unitary alignment, then by annotator; the members of number g are `order[firsts[g]:firsts[g + 1]]`.
    order: IntArray
    firsts: NDArray[np.int64]

    @classmethod
    def of(cls, alignment: Alignment, feature: str = CATEGORY) -> Disagreements:
        """The disagreements of an alignment; `feature` is compared as the category.

        >>> from unisono.alignment import best_alignment
        >>> from unisono.model import Continuum
        >>> c = Continuum.of({"ann": [(0, 5, "A"), (9, 12, "A")], "bob": [(0, 6, "B")]})
        >>> [found.kinds(number) for found in [Disagreements.of(best_alignment(c))] for number in range(2)]
        [('position', 'category'), ('missing',)]
        """
        order = np.argsort(alignment.group, kind="stable").astype(np.int32)
        sizes = np.bincount(alignment.group, minlength=len(alignment))
        return cls(alignment, feature, order, np.concatenate(([0], np.cumsum(sizes))))

    @property
    def size(self) -> NDArray[np.int64]:
        """The number of units that are not empty."""
        return np.diff(self.firsts)

    @cached_property
    def start(self) -> PositionArray:
        """The first start among the units."""
        return self._reduce_groups(np.minimum, self.alignment.continuum.starts)

    @cached_property
    def end(self) -> PositionArray:
        """The last end among the units."""
        return self._reduce_groups(np.maximum, self.alignment.continuum.ends)

    @cached_property
    def labels(self) -> Feature:
        """The labels of the units; no unit has one if the document does not have the feature."""
        continuum = self.alignment.continuum
        nothing = Feature(np.full(len(continuum), -1, dtype=np.int32), ())
        return continuum.features.get(self.feature, nothing)

    @cached_property
    def position(self) -> NDArray[np.bool_]:
        continuum = self.alignment.continuum
        return np.asarray(self._has_differences(continuum.starts) | self._has_differences(continuum.ends))

    @cached_property
    def category(self) -> NDArray[np.bool_]:
        return self._has_differences(self.labels.codes)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        return np.asarray(self.size < self.alignment.continuum.n_annotators)

    @cached_property
    def pairs_apart(self) -> tuple[IntArray, IntArray]:
        """The pairs of units, by index, that are in one unitary alignment and do not overlap."""
        u, v, _ = aligned_pairs(self.alignment)
        apart = are_apart(self.alignment.continuum, u, v)
        return u[apart], v[apart]

    @cached_property
    def has_stray(self) -> NDArray[np.bool_]:
        """Whether a unit overlaps none of the units that it is aligned with."""
        n_others = np.asarray(self.size[self.alignment.group] - 1)
        n_apart = np.bincount(np.concatenate(self.pairs_apart), minlength=len(n_others))
        strays = self.alignment.group[(n_others > 0) & (n_apart == n_others)]
        return np.bincount(strays, minlength=len(self.alignment)) > 0

    @cached_property
    def contribution(self) -> FloatArray:
        """Disorder beyond that of an average unitary alignment of the document; they add up to 0."""
        return beyond_average(self.alignment.disorders)

    def kinds(self, number: int) -> tuple[str, ...]:
        """How the units of the unitary alignment of that number (from 0) differ."""
        return tuple(kind for kind in KINDS if getattr(self, kind)[number])

    def select(self, kinds: tuple[str, ...] = (), *, worst_first: bool = False) -> NDArray[np.int64]:
        """Numbers of the unitary alignments that differ in one of the kinds; without kinds, of those with disorder.

        They are in the order of the continuum, or as `rank` puts them with `worst_first`.
        """
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise ParameterError.of(
                f"{unknown[0]!r} is not a kind of disagreement",
                f"The kinds are: {', '.join(KINDS)}.",
                code="kind",
                found=", ".join(map(repr, unknown)),
            )
        wanted = self.alignment.disorders > 0
        if kinds:
            wanted = np.logical_or.reduce([getattr(self, kind) for kind in kinds])
        numbers = np.flatnonzero(wanted)
        return by_disorder(self.alignment, numbers) if worst_first else numbers

    def _reduce_groups(self, ufunc: np.ufunc, column: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(ufunc.reduceat(column[self.order], self.firsts[:-1]))

    def _has_differences(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(self._reduce_groups(np.minimum, column) != self._reduce_groups(np.maximum, column))


def by_disorder(alignment: Alignment, numbers: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Numbers of unitary alignments (all if not given), the worst first, as `rank` puts them."""
    asked = np.arange(len(alignment)) if numbers is None else numbers
    return np.asarray(asked[rank(alignment.disorders[asked], Disagreements.of(alignment).has_stray[asked])])


def beyond_average(disorders: FloatArray) -> FloatArray:
    """How far each disorder is above their mean."""
    return disorders - math.fsum(disorders.tolist()) / max(1, len(disorders))


def rank(disorders: FloatArray, has_stray: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The order of unitary alignments, as places in the arrays: the greatest disorder first.

    Those with a unit that overlaps none of the others come after all others with disorder: they say more about the
    alignment than about the annotators. Disorders are rounded to nine digits, so that ties keep the order they came in.
    """
    rounded = np.round(disorders, 9)
    return np.lexsort((-rounded, np.where(rounded <= 0, 2, np.where(has_stray, 1, 0))))
