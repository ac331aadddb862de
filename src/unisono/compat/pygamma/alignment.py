# SPDX-License-Identifier: MIT
"""Alignments as pygamma-agreement has them: rows of (annotator, unit or None)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, overload

import numpy as np

import unisono
from unisono.alignment.soft import SoftAlignment as OwnSoftAlignment
from unisono.compat.pygamma.continuum import Continuum
from unisono.compat.pygamma.dissimilarity import AbstractDissimilarity, CombinedCategoricalDissimilarity
from unisono.compat.pygamma.units import SortedSet, Unit

if TYPE_CHECKING:
    from typing import Self

Row = Sequence[tuple[str, Unit | None]]


class SetPartitionError(ValueError):
    """An alignment does not hold every unit of its continuum exactly once."""


class UnitaryAlignment:
    """At most one unit of each annotator; None is the empty unit."""

    def __init__(self, n_tuple: Row, disorder: float | None = None):
        if len(n_tuple) < 2:
            raise ValueError(f"a unitary alignment needs two annotators, not {len(n_tuple)}")
        self._n_tuple = list(n_tuple)
        self._disorder = disorder

    @property
    def n_tuple(self) -> list[tuple[str, Unit | None]]:
        return self._n_tuple

    @n_tuple.setter
    def n_tuple(self, n_tuple: Row) -> None:
        self._n_tuple, self._disorder = list(n_tuple), None

    @property
    def disorder(self) -> float:
        if self._disorder is None:
            raise ValueError("the disorder is not known yet: call compute_disorder first")
        return self._disorder

    @disorder.setter
    def disorder(self, value: float) -> None:
        self._disorder = value

    @property
    def bounds(self) -> tuple[float, float]:
        """The first start and the last end."""
        segments = [unit.segment for _, unit in self._n_tuple if unit is not None]
        return min((s.start for s in segments), default=math.inf), max((s.end for s in segments), default=-math.inf)

    @property
    def nb_units(self) -> int:
        """The number of units that are not empty."""
        return sum(unit is not None for _, unit in self._n_tuple)

    def compute_disorder(self, dissimilarity: AbstractDissimilarity) -> float:
        self._disorder = float(dissimilarity.compute_disorder(Alignment([self]))[0])
        return self._disorder

    def __repr__(self) -> str:
        return f"UnitaryAlignment({self._n_tuple!r})"


class Alignment:
    """Unitary alignments that hold every unit of a continuum exactly once."""

    def __init__(
        self,
        unitary_alignments: Iterable[UnitaryAlignment],
        continuum: Continuum | None = None,
        check_validity: bool = False,
        disorder: float | None = None,
    ):
        self.continuum = continuum
        self.unitary_alignments = list(unitary_alignments)
        self._disorder = disorder
        self._own: unisono.Alignment | OwnSoftAlignment | None = None
        if check_validity:
            self.check()

    @classmethod
    def _from_unisono(cls, own: unisono.Alignment | OwnSoftAlignment, continuum: Continuum) -> Self:
        """From an alignment of unisono; its rows are made when they are first looked at."""
        alignment = cls.__new__(cls)
        alignment.continuum = continuum
        alignment._own = own
        alignment._disorder = own.disorder
        return alignment

    @cached_property
    def unitary_alignments(self) -> list[UnitaryAlignment]:
        assert self._own is not None
        assert self.continuum is not None
        units = {
            (annotator, unit.segment.start, unit.segment.end, unit.annotation): unit
            for annotator, unit in self.continuum
        }
        annotators = self._own.continuum.annotators
        return [
            UnitaryAlignment(
                [
                    (name, None if unit is None else units[name, unit.start, unit.end, unit.category])
                    for name, unit in zip(annotators, row.units, strict=True)
                ],
                row.disorder,
            )
            for row in self._own.unitary_alignments
        ]

    @overload
    def __getitem__(self, keys: int) -> UnitaryAlignment: ...
    @overload
    def __getitem__(self, keys: tuple[int, str]) -> tuple[str, Unit | None]: ...
    def __getitem__(self, keys: int | tuple[int, str]) -> UnitaryAlignment | tuple[str, Unit | None]:
        if isinstance(keys, int):
            return self.unitary_alignments[keys]
        index, annotator = keys
        return self.unitary_alignments[index].n_tuple[self.annotators.index(annotator)]

    def __iter__(self) -> Iterator[UnitaryAlignment]:
        return iter(self.unitary_alignments)

    @property
    def annotators(self) -> SortedSet[str]:
        return SortedSet(annotator for annotator, _ in self.unitary_alignments[0].n_tuple)

    @property
    def categories(self) -> SortedSet[str]:
        if self.continuum is not None:
            return self.continuum.categories
        units = [unit for row in self for _, unit in row.n_tuple]
        return SortedSet(unit.annotation for unit in units if unit is not None and unit.annotation is not None)

    @property
    def num_annotators(self) -> int:
        return len(self.unitary_alignments[0].n_tuple)

    @property
    def num_unitary_alignments(self) -> int:
        return len(self.unitary_alignments)

    @property
    def avg_num_annotations_per_annotator(self) -> float:
        if self.continuum is not None:
            return self.continuum.avg_num_annotations_per_annotator
        return sum(row.nb_units for row in self) / self.num_annotators

    @property
    def disorder(self) -> float:
        """The summed disorders of the unitary alignments over the mean number of units of an annotator (Eq. 7)."""
        if self._disorder is None:
            self._disorder = sum(row.disorder for row in self) / self.avg_num_annotations_per_annotator
        return self._disorder

    def compute_disorder(self, dissimilarity: AbstractDissimilarity) -> float:
        """Compute the disorders anew with a dissimilarity."""
        disorders = dissimilarity.compute_disorder(self)
        for row, disorder in zip(self, disorders.tolist(), strict=True):
            row.disorder = disorder
        self._disorder = float(disorders.sum()) / self.avg_num_annotations_per_annotator
        return self._disorder

    def gamma_k_disorder(self, dissimilarity: AbstractDissimilarity, category: str | None) -> float:
        """The disorder behind γcat, or with a category behind its γk, by the rule of pygamma-agreement.

        Deviations from Algorithm 1 of Mathet 2017: a pair with an empty unit counts in full, the confidence contains
        alpha; without a pair of two units it is 0, and 1 where no unit has the category.
        """
        if not isinstance(dissimilarity, CombinedCategoricalDissimilarity):
            raise TypeError(
                f"γcat and γk need a CombinedCategoricalDissimilarity, and this is a {type(dissimilarity).__name__}"
            )
        delta, alpha = dissimilarity.delta_empty, dissimilarity.alpha
        positional, categorial = dissimilarity.positional_dissim.d, dissimilarity.categorical_dissim.d
        disorder = weight = 0.0
        has_pair = has_real_pair = False
        for row in self:
            base = 1 / max(1, row.nb_units - 1)
            for u, v in combinations([unit for _, unit in row.n_tuple], 2):
                if category is not None and category not in (u and u.annotation, v and v.annotation):
                    continue
                has_pair = True
                if u is None or v is None:
                    if u is not v:
                        disorder += delta * delta
                        weight += delta
                    continue
                has_real_pair = True
                confidence = base * max(0.0, 1 - alpha * positional(u, v))
                disorder += categorial(u, v) * confidence
                weight += confidence
        if not has_real_pair:
            return 0.0 if has_pair else 1.0
        return disorder / weight if disorder else 0.0

    def check(self, continuum: Continuum | None = None) -> None:
        """Raise SetPartitionError unless every unit of the continuum is in exactly one unitary alignment."""
        counts, units = self._counts(continuum)
        self._refuse_missing(counts, units)
        repeated = [item for item, n in counts.items() if n > 1]
        if repeated:
            raise SetPartitionError(f"{_listing(repeated)} in more than one unitary alignment")

    def _counts(self, continuum: Continuum | None) -> tuple[Counter[tuple[str, Unit]], list[tuple[str, Unit]]]:
        continuum = continuum or self.continuum
        if continuum is None:
            raise ValueError("there is no continuum to check the alignment against")
        lengths = {len(row.n_tuple) for row in self}
        if len(lengths) > 1:
            raise ValueError(f"the unitary alignments have different numbers of annotators: {sorted(lengths)}")
        counts = Counter((name, unit) for row in self for name, unit in row.n_tuple if unit is not None)
        return counts, list(continuum)

    def _refuse_missing(self, counts: Counter[tuple[str, Unit]], units: Iterable[tuple[str, Unit]]) -> None:
        missing = [item for item in units if not counts[item]]
        if missing:
            raise SetPartitionError(f"{_listing(missing)} in no unitary alignment")

    def to_unisono(self) -> unisono.Alignment | OwnSoftAlignment:
        """The same alignment for the rest of unisono: drawings, tables, the viewer."""
        if self._own is not None:
            return self._own
        units: dict[str, list[tuple[float, float, str | None]]] = {name: [] for name in self.annotators}
        groups: dict[tuple[str, float, float, str | None], int] = {}
        for number, row in enumerate(self):
            for name, unit in row.n_tuple:
                if unit is not None:
                    key = (unit.segment.start, unit.segment.end, unit.annotation)
                    units[name].append(key)
                    groups[name, *key] = number
        continuum = unisono.continuum(units)
        group = np.array([groups[u.annotator or "", u.start, u.end, u.category] for u in continuum], dtype=np.int32)
        disorders = np.array([row._disorder or 0.0 for row in self])
        total = float(disorders.sum()) / continuum.mean_units
        return unisono.Alignment(continuum, group, disorders, disorder=total, lower_bound=0.0)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.num_unitary_alignments} unitary alignments>"

    def _repr_png_(self) -> bytes | None:
        from unisono.compat.pygamma.notebook import png_of_alignment

        return png_of_alignment(self)


class SoftAlignment(Alignment):
    """Unitary alignments that hold every unit of a continuum at least once."""

    def check(self, continuum: Continuum | None = None) -> None:
        """Raise SetPartitionError unless every unit of the continuum is in a unitary alignment."""
        self._refuse_missing(*self._counts(continuum))

    def _repr_png_(self) -> None:
        """None: there is no picture of unitary alignments that share units."""


def _listing(items: Sequence[tuple[str, Unit]]) -> str:
    shown = ", ".join(f"{name}: {unit}" for name, unit in items[:3])
    more = f" and {len(items) - 3} more" if len(items) > 3 else ""
    return f"{shown}{more} {'is' if len(items) == 1 else 'are'}"
