# SPDX-License-Identifier: MIT
"""In what the units of a unitary alignment differ: their position, their category, or that somebody has none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.model import CATEGORY, Alignment, Feature, IntArray, PositionArray

#: What a unitary alignment can differ in, in the order in which it is said.
KINDS = ("position", "category", "missing")


@dataclass(frozen=True)
class Disagreements:
    """One value for each unitary alignment: where it is, how many units it has, in what they differ.

    position: not all starts or not all ends are equal; category: not all labels are; missing: an annotator who saw
    the document has the empty unit there. A unitary alignment that differs in nothing has no disorder; one that differs
    in its category alone has none either where the dissimilarity does not look at categories.
    """

    alignment: Alignment
    feature: str
    #: Units by unitary alignment, then by annotator; the members of number g are `order[firsts[g]:firsts[g + 1]]`.
    order: IntArray
    firsts: NDArray[np.int64]

    @classmethod
    def of(cls, alignment: Alignment, feature: str = CATEGORY) -> Disagreements:
        """The disagreements of an alignment, `feature` being what is taken for the category.

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
        """Where the first of the units starts."""
        return self._over(np.minimum, self.alignment.continuum.starts)

    @cached_property
    def end(self) -> PositionArray:
        """Where the last of the units ends."""
        return self._over(np.maximum, self.alignment.continuum.ends)

    @cached_property
    def labels(self) -> Feature:
        """The labels of the units; none at all for a feature that this document does not have."""
        continuum = self.alignment.continuum
        nothing = Feature(np.full(len(continuum), -1, dtype=np.int32), ())
        return continuum.features.get(self.feature, nothing)

    @cached_property
    def position(self) -> NDArray[np.bool_]:
        continuum = self.alignment.continuum
        return np.asarray(self._differ(continuum.starts) | self._differ(continuum.ends))

    @cached_property
    def category(self) -> NDArray[np.bool_]:
        return self._differ(self.labels.codes)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        return np.asarray(self.size < self.alignment.continuum.n_annotators)

    def kinds(self, number: int) -> tuple[str, ...]:
        """In what the unitary alignment of that number (from 0) differs."""
        return tuple(kind for kind in KINDS if getattr(self, kind)[number])

    def chosen(self, kinds: tuple[str, ...] = (), *, worst_first: bool = False) -> NDArray[np.int64]:
        """Numbers of the unitary alignments with disorder, or that differ in one of the kinds; by place or disorder.

        Disorder is rounded to nine digits for the order, so that ties stay in the order of the continuum.
        """
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise ParameterError.of(f"kinds among: {', '.join(KINDS)}", ", ".join(map(repr, unknown)), code="kind")
        wanted = self.alignment.disorders > 0
        if kinds:
            wanted = np.logical_or.reduce([getattr(self, kind) for kind in kinds])
        numbers = np.flatnonzero(wanted)
        return by_disorder(self.alignment, numbers) if worst_first else numbers

    def _over(self, ufunc: np.ufunc, column: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(ufunc.reduceat(column[self.order], self.firsts[:-1]))

    def _differ(self, column: NDArray[Any]) -> NDArray[np.bool_]:
        return np.asarray(self._over(np.minimum, column) != self._over(np.maximum, column))


def by_disorder(alignment: Alignment, numbers: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
    """Numbers of unitary alignments (all of them if not given), the greatest disorder first, ties by place."""
    asked = np.arange(len(alignment)) if numbers is None else numbers
    return np.asarray(asked[np.argsort(-np.round(alignment.disorders[asked], 9), kind="stable")])
