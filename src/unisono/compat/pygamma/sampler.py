# SPDX-License-Identifier: MIT
"""The chance models of pygamma-agreement, with numpy's global generator asked for the same numbers in the same order.

The laws are those of `unisono.chance.Statistical` and of tests/reference/pygamma.py, which also says where they deviate
from the papers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from unisono.compat.pygamma.continuum import Continuum, mean_and_deviation
from unisono.compat.pygamma.units import SHORTEST, Segment, SortedSet


class AbstractContinuumSampler(ABC):
    """Draws random continua of a reference; a user's own has the property `sample_from_continuum`."""

    def __init__(self) -> None:
        self._reference_continuum: Continuum | None = None
        self._ground_truth_annotators: SortedSet[str] = SortedSet()

    def init_sampling(
        self, reference_continuum: Continuum, ground_truth_annotators: Iterable[str] | None = None
    ) -> None:
        """Take the continuum to draw from, and those of its annotators who are drawn; all of them by default."""
        if not reference_continuum:
            raise ValueError("the reference continuum has no units to draw from")
        known = reference_continuum.annotators
        chosen = known if ground_truth_annotators is None else SortedSet(ground_truth_annotators)
        if not known.issuperset(chosen):
            raise ValueError(f"{sorted(set(chosen) - set(known))} are not annotators of the continuum")
        self._reference_continuum = reference_continuum
        self._ground_truth_annotators = chosen

    @property
    @abstractmethod
    def sample_from_continuum(self) -> Continuum:
        """A random continuum, another one each time."""

    @property
    def _reference(self) -> Continuum:
        if self._reference_continuum is None:
            raise ValueError("the sampler has no continuum yet: call init_sampling first")
        return self._reference_continuum


@dataclass(frozen=True)
class _Moments:
    """Means and standard deviations of counts, gaps and lengths, and the law of the categories."""

    counts: tuple[float, float]
    gaps: tuple[float, float]
    lengths: tuple[float, float]
    categories: Sequence[str | None]
    #: Their frequencies added up; None where all are equally frequent.
    cumulative: Sequence[float] | None


class StatisticalContinuumSampler(AbstractContinuumSampler):
    """Numbers of units, gaps and lengths from normal laws, categories by their frequency; the default of γ."""

    def __init__(self) -> None:
        super().__init__()
        self._moments: _Moments | None = None

    def init_sampling(
        self, reference_continuum: Continuum, ground_truth_annotators: Iterable[str] | None = None
    ) -> None:
        super().init_sampling(reference_continuum, ground_truth_annotators)
        rows = [[*reference_continuum.iter_annotator(name)] for name in reference_continuum.annotators]
        units = [unit for of_annotator in rows for unit in of_annotator]
        gaps = [after.segment.start - before.segment.end for row in rows for before, after in pairwise(row)]
        heads = [row[0].segment.start for row in rows if row and row[0].segment.start > 0]
        weights = reference_continuum.category_weights
        categories = [label for label in reference_continuum.categories if label not in weights]
        shares: dict[str | None, float] = {**weights, **dict.fromkeys(categories, 0.0)}
        names = sorted(shares, key=lambda label: (label is not None, label or ""))
        self._moments = _Moments(
            mean_and_deviation([len(row) for row in rows]),
            mean_and_deviation([0.0, *gaps, *heads]),
            mean_and_deviation([unit.segment.duration for unit in units]),
            names,
            _cumulative_shares([shares[name] for name in names]),
        )

    def init_sampling_custom(
        self,
        annotators: Iterable[str],
        avg_num_units_per_annotator: float,
        std_num_units_per_annotator: float,
        avg_gap: float,
        std_gap: float,
        avg_duration: float,
        std_duration: float,
        categories: Iterable[str],
        categories_weight: Iterable[float] | None = None,
    ) -> None:
        """Give the means and standard deviations instead of a continuum."""
        self._reference_continuum = Continuum()
        self._ground_truth_annotators = SortedSet(annotators)
        names = list(categories)
        weights = None if categories_weight is None else list(categories_weight)
        if weights is not None and len(weights) != len(names):
            raise ValueError(f"there are {len(names)} categories and {len(weights)} weights")
        if abs(avg_duration) < SHORTEST and abs(std_duration) < SHORTEST:
            raise ValueError(f"units of mean length {avg_duration:g} and deviation {std_duration:g} have no length")
        self._moments = _Moments(
            (avg_num_units_per_annotator, std_num_units_per_annotator),
            (avg_gap, std_gap),
            (avg_duration, std_duration),
            names,
            None if weights is None else _cumulative_shares(weights),
        )

    @property
    def sample_from_continuum(self) -> Continuum:
        drawn = self._reference.copy_flush()
        moments = self._moments
        assert moments is not None
        normal, uniform, whole = np.random.standard_normal, np.random.random_sample, np.random.randint
        (gap, gap_sd), (length, length_sd) = moments.gaps, moments.lengths
        for annotator in self._ground_truth_annotators:
            drawn.add_annotator(annotator)
            count = abs(int(moments.counts[0] + moments.counts[1] * normal()))
            if not drawn:
                count = max(1, count)
            last = 0.0
            for _ in range(count):
                start = last + (gap + gap_sd * normal())
                end = start
                while end - start < SHORTEST:
                    end = start + abs(length + length_sd * normal())
                if moments.cumulative is None:
                    place = int(whole(0, len(moments.categories)))
                else:
                    place = int(np.searchsorted(moments.cumulative, uniform(), side="right"))
                drawn.add(annotator, Segment(start, end), moments.categories[place])
                last = end
        return drawn


def _cumulative_shares(weights: Sequence[float]) -> Sequence[float]:
    summed = np.cumsum(weights)
    return summed / summed[-1]  # type: ignore[no-any-return]


class ShuffleContinuumSampler(AbstractContinuumSampler):
    """Real annotators, drawn with replacement, shifted, coming round at the end; whole shifts unless "float_pivot"."""

    def __init__(self, pivot_type: Literal["float_pivot", "int_pivot"] = "int_pivot"):
        super().__init__()
        if pivot_type not in ("float_pivot", "int_pivot"):
            raise ValueError(f"the pivot type is 'float_pivot' or 'int_pivot', not {pivot_type!r}")
        self._is_whole = pivot_type == "int_pivot"

    @property
    def sample_from_continuum(self) -> Continuum:
        reference = self._reference
        low, high = reference.bounds
        distance = reference.avg_length_unit / 2
        names = self._ground_truth_annotators
        drawn = reference.copy_flush()
        while not drawn:  # a random continuum without units is drawn again
            free: list[tuple[float, float]] = [(low, high)]
            for number in range(len(names)):
                if free:
                    shift = self._shift(free)
                    free = _remove_near(free, shift, distance)
                else:
                    shift = np.random.uniform(low, high)  # noqa: NPY002
                source = names[int(np.random.randint(0, len(names)))]  # noqa: NPY002
                annotator = f"Sampled_annotation {number}"
                drawn.add_annotator(annotator)
                for unit in reference.iter_annotator(source):
                    start, end = unit.segment.start + shift, unit.segment.end + shift
                    back = low - high if start > high else 0.0
                    drawn.add(annotator, Segment(start + back, end + back), unit.annotation)
        return drawn

    def _shift(self, free: Sequence[tuple[float, float]]) -> float:
        """Uniform on the free stretches; 1, as in pygamma-agreement, where they have no length."""
        lengths = np.array([end - start for start, end in free])
        if not lengths.sum() > 0:
            return 1
        start, end = free[int(np.random.choice(len(free), p=lengths / lengths.sum()))]  # noqa: NPY002
        shift = np.random.uniform(start, end)  # noqa: NPY002
        return int(shift) if self._is_whole else float(shift)


def _remove_near(free: Sequence[tuple[float, float]], shift: float, distance: float) -> list[tuple[float, float]]:
    """The free stretches without those nearer to the shift than the distance, the last one first."""
    left, right = shift - distance, shift + distance
    rest = []
    for start, end in reversed(free):
        if start < left:
            rest.append((start, left))
        if end > right:
            rest.append((right, end))
    return rest
