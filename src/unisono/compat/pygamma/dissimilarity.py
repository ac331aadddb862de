# SPDX-License-Identifier: MIT
"""The dissimilarities of pygamma-agreement, handed to unisono's core; users' own are called as they are.

pygamma-agreement has two formulas for each: `d`, for γcat, and `d_mat`, for alignments, which is made once from the
parameters at that time. They can differ (a categorial part gets the `delta_empty` of its combination after it was
made), and then they differ here in the same way.
"""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from unisono.compat.pygamma.units import SortedSet, Unit
from unisono.dissimilarity import (
    Categorial,
    CombinedDissimilarity,
    Dissimilarity,
    FunctionDissimilarity,
    Matrix,
    Nominal,
    Sporadic,
)
from unisono.errors import UnisonoWarning
from unisono.model import Continuum, FloatArray, IntArray

if TYPE_CHECKING:
    from unisono.compat.pygamma.alignment import Alignment

#: A function of two units as arrays (start, end, duration, number of the category).
PairFunction = Callable[[FloatArray, FloatArray], float]

#: The units on which a new dissimilarity is tried: symmetric, and 0 from each unit to itself.
_TRIALS = ((0.0, 10.0, 10.0, 0.0), (3.0, 4.5, 1.5, 0.0), (900.0, 950.0, 50.0, 0.0))


def dissimilarity_dec(function: PairFunction) -> PairFunction:
    """The decorator of `d_mat` functions; nothing is compiled here."""
    return function


class AbstractDissimilarity(ABC):
    """How unlike two units are; a user's own has `compile_d_mat` and `d`."""

    def __init__(self, categories: Iterable[str] | None = None, delta_empty: float = 1.0):
        self.delta_empty = float(delta_empty)
        self.categories = None if categories is None else SortedSet(categories)
        if self.categories is not None and not self.categories:
            raise ValueError("there are no categories: a categorial dissimilarity needs at least one")
        self.d_mat: PairFunction = self.compile_d_mat()
        self._check()

    @abstractmethod
    def compile_d_mat(self) -> PairFunction:
        """The function of two units as arrays that alignments are made with."""

    @abstractmethod
    def d(self, unit1: Unit, unit2: Unit) -> float:
        """The dissimilarity of two units, for γcat and γk."""

    def to_unisono(self) -> Dissimilarity:
        """The same dissimilarity for unisono's core; here a Python function, called for each pair of units."""
        return FunctionDissimilarity(
            self._call_pairs, delta_empty=self.delta_empty, vectorised=True, name=type(self).__name__
        )

    def compute_disorder(self, alignment: Alignment) -> FloatArray:
        """The disorder of each unitary alignment: the mean over its pairs, `delta_empty` where a unit is empty."""
        place = self._places(alignment.categories)
        disorders = []
        for unitary in alignment:
            pairs = list(combinations([unit for _, unit in unitary.n_tuple], 2))
            disorders.append(
                sum(
                    self.delta_empty if u is None or v is None else self.d_mat(_array(u, place), _array(v, place))
                    for u, v in pairs
                )
                / len(pairs)
            )
        return np.array(disorders, dtype=np.float64)

    def _call_pairs(self, continuum: Continuum, u: IntArray, v: IntArray) -> list[float]:
        place = self._places(continuum.categories)
        known = np.array([*(place[label] for label in continuum.categories), -1], dtype=np.float64)
        starts, ends = continuum.starts.astype(np.float64), continuum.ends.astype(np.float64)
        rows = np.column_stack((starts, ends, ends - starts, known[continuum.category_codes]))
        return [float(self.d_mat(rows[i], rows[j])) for i, j in zip(u.tolist(), v.tolist(), strict=True)]

    def _places(self, used: Collection[str]) -> dict[str, float]:
        """The number of each category; ValueError where a unit has one that the dissimilarity does not know."""
        known = sorted(used) if self.categories is None else self.categories
        place = {label: float(i) for i, label in enumerate(known)}
        unknown = sorted(set(used) - set(place))
        if unknown:
            raise ValueError(f"the dissimilarity has no distances for the categories {', '.join(unknown[:5])}")
        return place

    def _check(self) -> None:
        for one, other in combinations([np.array(trial) for trial in _TRIALS], 2):
            if self.d_mat(one, other) != self.d_mat(other, one):
                raise ValueError(f"d_mat of {type(self).__name__} is not symmetric: it differs for {one} and {other}")
            if self.d_mat(one, one) != 0:
                raise ValueError(f"d_mat of {type(self).__name__} is not 0 from a unit to itself: {one}")


def _array(unit: Unit, place: dict[str, float]) -> FloatArray:
    segment = unit.segment
    category = -1.0 if unit.annotation is None else place[unit.annotation]
    return np.array([segment.start, segment.end, segment.duration, category], dtype=np.float64)


class PositionalSporadicDissimilarity(AbstractDissimilarity):
    """Positions only: the squared distance of the ends over the lengths (2015, section 4.4.2)."""

    def __init__(self, delta_empty: float = 1.0):
        super().__init__(delta_empty=delta_empty)

    def compile_d_mat(self) -> PairFunction:
        self.scale = self.delta_empty
        scale = self.scale

        def d_mat(u: FloatArray, v: FloatArray) -> float:
            return float(_sporadic_distance(u[0], u[1], v[0], v[1]) * scale)

        return d_mat

    def d(self, unit1: Unit, unit2: Unit) -> float:
        one, other = unit1.segment, unit2.segment
        return _sporadic_distance(one.start, one.end, other.start, other.end) * self.delta_empty

    def to_unisono(self) -> Dissimilarity:
        if not _is_ours(self, PositionalSporadicDissimilarity):
            return super().to_unisono()
        delta = self.delta_empty
        return CombinedDissimilarity(Sporadic(), alpha=self.scale / delta, beta=0.0, delta_empty=delta)


def _sporadic_distance(start: float, end: float, other_start: float, other_end: float) -> float:
    ratio = (abs(start - other_start) + abs(end - other_end)) / (end - start + other_end - other_start)
    return ratio * ratio


def _is_ours(dissimilarity: AbstractDissimilarity, kind: type[AbstractDissimilarity]) -> bool:
    """Whether alignments with it are made by the formula of this class, not by one of a user's subclass."""
    return isinstance(dissimilarity, kind) and type(dissimilarity).compile_d_mat is kind.compile_d_mat


class CategoricalDissimilarity(AbstractDissimilarity):
    """Categories only: 0 for equal ones, `delta_empty` for others. Subclasses have distances of their own."""

    def __init__(self, categories: Iterable[str] | None, delta_empty: float = 1.0):
        super().__init__(categories, delta_empty)

    def compile_d_mat(self) -> PairFunction:
        self.scale = self.delta_empty
        scale = self.scale
        return lambda u, v: 0.0 if u[3] == v[3] else scale

    def d(self, unit1: Unit, unit2: Unit) -> float:
        return float(unit1.annotation != unit2.annotation) * self.delta_empty

    def categorial(self) -> tuple[Categorial, float] | None:
        """unisono's form of the distances and the factor that they are multiplied with; None for a user's own."""
        return (Nominal(), self.scale) if _is_ours(self, CategoricalDissimilarity) else None

    def to_unisono(self) -> Dissimilarity:
        ours = self.categorial()
        if ours is None:
            return super().to_unisono()
        delta = self.delta_empty
        return CombinedDissimilarity(Sporadic(), ours[0], alpha=0.0, beta=ours[1] / delta, delta_empty=delta)


class AbsoluteCategoricalDissimilarity(CategoricalDissimilarity):
    """Categories only: 0 for equal ones, `delta_empty` for others."""

    def __init__(self, delta_empty: float = 1.0):
        super().__init__(None, delta_empty)


class PrecomputedCategoricalDissimilarity(CategoricalDissimilarity):
    """Distances given as a matrix over the categories in alphabetical order, times `delta_empty`."""

    def __init__(self, categories: Iterable[str], matrix: ArrayLike, delta_empty: float = 1.0):
        names = SortedSet(categories)
        self._matrix = np.array(matrix, dtype=np.float64)
        if self._matrix.shape != (len(names), len(names)):
            raise ValueError(f"the matrix has the shape {self._matrix.shape}, and there are {len(names)} categories")
        if not np.array_equal(self._matrix, self._matrix.T) or np.any(np.diag(self._matrix) != 0):
            raise ValueError("the matrix is not symmetric with 0 on the diagonal")
        super().__init__(names, delta_empty)

    def compile_d_mat(self) -> PairFunction:
        self.scale = self.delta_empty
        matrix, scale = self._matrix, self.scale
        return lambda u, v: float(matrix[int(u[3]), int(v[3])] * scale)

    def d(self, unit1: Unit, unit2: Unit) -> float:
        assert self.categories is not None
        if unit1.annotation is None or unit2.annotation is None:
            return float(unit1.annotation != unit2.annotation) * self.delta_empty
        place = self.categories.index
        return float(self._matrix[place(unit1.annotation), place(unit2.annotation)] * self.delta_empty)

    def categorial(self) -> tuple[Categorial, float] | None:
        if not _is_ours(self, PrecomputedCategoricalDissimilarity):
            return None
        assert self.categories is not None
        top = max(1.0, float(self._matrix.max()))
        rows = (self._matrix / top).tolist()
        return Matrix(
            {a: dict(zip(self.categories, row, strict=True)) for a, row in zip(self.categories, rows, strict=True)}
        ), self.scale * top


class LambdaCategoricalDissimilarity(PrecomputedCategoricalDissimilarity, ABC):
    """Distances from a function of two labels, `cat_dissim_func`, divided by the largest where that is above 1."""

    def __init__(self, labels: Iterable[str], delta_empty: float = 1.0):
        names = SortedSet(labels)
        matrix = np.zeros((len(names), len(names)))
        for i, j in combinations(range(len(names)), 2):
            matrix[i, j] = matrix[j, i] = self.cat_dissim_func(names[j], names[i])
        super().__init__(names, matrix / max(1.0, float(matrix.max(initial=0.0))), delta_empty)

    @staticmethod
    @abstractmethod
    def cat_dissim_func(str1: str, str2: str) -> float:
        """How far apart two labels are."""


class LevenshteinCategoricalDissimilarity(LambdaCategoricalDissimilarity):
    """Edit distance of two labels over the length of the longer one plus 1."""

    @staticmethod
    def cat_dissim_func(str1: str, str2: str) -> float:
        from rapidfuzz.distance import Levenshtein

        return Levenshtein.distance(str1, str2) / (max(len(str1), len(str2)) + 1)


class OrdinalCategoricalDissimilarity(PrecomputedCategoricalDissimilarity):
    """Labels with positions, 0, 1, 2 ... unless `p` gives them: the difference over the largest one.

    As in pygamma-agreement, the positions belong to the labels in alphabetical order; a warning says so where the
    labels come in another.
    """

    def __init__(self, labels: Iterable[str], p: Sequence[float] | None = None, delta_empty: float = 1.0):
        names = [str(label) for label in labels]
        if len(set(names)) < len(names):
            raise ValueError("a label is given twice")
        positions = np.arange(len(names), dtype=np.float64) if p is None else np.array(list(p), dtype=np.float64)
        if len(positions) != len(names):
            raise ValueError(f"there are {len(names)} labels and {len(positions)} positions")
        if names != sorted(names):
            warnings.warn(
                "the labels are not in alphabetical order, and pygamma-agreement gives the first position to the "
                "first label in that order; the same is done here. For the order that you gave, use "
                "unisono.dissimilarity.Ordinal.",
                UnisonoWarning,
                stacklevel=2,
            )
        differences = np.abs(positions[:, None] - positions[None, :])
        super().__init__(names, differences / max(1.0, float(differences.max(initial=0.0))), delta_empty)


class NumericalCategoricalDissimilarity(OrdinalCategoricalDissimilarity):
    """Labels that are numbers: their difference over the largest one."""

    def __init__(self, labels: Iterable[str], delta_empty: float = 1.0):
        names = [str(label) for label in labels]
        try:
            numbers = [float(name) for name in names]
        except ValueError:
            raise ValueError(f"not all labels are numbers: {', '.join(names[:5])}") from None
        super().__init__(names, numbers, delta_empty)


class CombinedCategoricalDissimilarity(AbstractDissimilarity):
    """alpha * positional + beta * categorial dissimilarity (2015, Eq. 5)."""

    def __init__(
        self,
        alpha: float = 1.0,
        beta: float = 1.0,
        delta_empty: float = 1.0,
        pos_dissim: AbstractDissimilarity | None = None,
        cat_dissim: CategoricalDissimilarity | None = None,
    ):
        self.alpha, self.beta = alpha, beta
        self.positional_dissim = PositionalSporadicDissimilarity(delta_empty) if pos_dissim is None else pos_dissim
        self.categorical_dissim = AbsoluteCategoricalDissimilarity() if cat_dissim is None else cat_dissim
        scale = getattr(self.categorical_dissim, "scale", delta_empty)
        if scale != delta_empty and beta > 0:
            warnings.warn(
                f"delta_empty is {delta_empty:g}, and the categorial part was made with {scale:g}: as in "
                f"pygamma-agreement, another category costs beta * {scale:g} in γ and beta * {delta_empty:g} in γcat. "
                f"Give cat_dissim=AbsoluteCategoricalDissimilarity(delta_empty={delta_empty:g}) for the same in both.",
                UnisonoWarning,
                stacklevel=2,
            )
        self.categorical_dissim.delta_empty = float(delta_empty)
        super().__init__(self.categorical_dissim.categories, delta_empty)

    def compile_d_mat(self) -> PairFunction:
        alpha, beta = self._weights = float(self.alpha), float(self.beta)
        positional, categorial = self.positional_dissim.d_mat, self.categorical_dissim.d_mat
        return lambda u, v: alpha * positional(u, v) + beta * categorial(u, v)

    def d(self, unit1: Unit, unit2: Unit) -> float:
        return self.alpha * self.positional_dissim.d(unit1, unit2) + self.beta * self.categorical_dissim.d(unit1, unit2)

    def to_unisono(self) -> Dissimilarity:
        own: Any = self.categorical_dissim
        categorial = own.categorial() if isinstance(own, CategoricalDissimilarity) else None
        positional: Any = self.positional_dissim
        is_ours = _is_ours(positional, PositionalSporadicDissimilarity)
        if categorial is None or not is_ours or not _is_ours(self, CombinedCategoricalDissimilarity):
            return super().to_unisono()
        (alpha, beta), delta = self._weights, self.delta_empty
        return CombinedDissimilarity(
            Sporadic(),
            categorial[0],
            alpha=alpha * positional.scale / delta,
            beta=beta * categorial[1] / delta,
            delta_empty=delta,
        )
