# SPDX-License-Identifier: MIT
"""A continuum as pygamma-agreement has it: a set of units for each annotator that grows as units are added."""

from __future__ import annotations

import csv
import os
import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

import unisono
from unisono.compat.pygamma.units import AnySegment, Segment, SortedSet, Unit
from unisono.errors import DataWarning, FormatError
from unisono.whole_files import replacement

if TYPE_CHECKING:
    from unisono.compat.pygamma.alignment import Alignment, SoftAlignment
    from unisono.compat.pygamma.dissimilarity import AbstractDissimilarity
    from unisono.compat.pygamma.gamma import GammaResults
    from unisono.compat.pygamma.sampler import AbstractContinuumSampler

PathLike = str | os.PathLike[str]


class Continuum:
    """A set of units for each annotator; equal units of one annotator are one unit.

    The bounds begin as (0, 0) and grow with the units, so that a continuum reaches back to 0. `to_unisono` gives the
    same continuum to the rest of unisono.
    """

    def __init__(self, uri: str | None = None):
        self.uri = uri
        self.bound_inf: float = 0.0
        self.bound_sup: float = 0.0
        self._units: dict[str, set[Unit]] = {}
        self._categories: set[str] = set()
        self._sorted: dict[str, list[Unit]] = {}

    @classmethod
    def from_csv(cls, path: PathLike, discard_invalid_rows: bool = True, delimiter: str = ",") -> Continuum:
        """The rows `annotator, category, start, end` of a file without a header.

        Rows without a length are left out with a warning, or refused if `discard_invalid_rows` is false; rows whose
        positions are not numbers are always refused.
        """
        continuum = cls()
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            for row in (reader := csv.reader(file, delimiter=delimiter)):
                if not row:
                    continue
                where = f"{os.fspath(path)}:{reader.line_num}"
                try:
                    annotator, category, start, end = row[0], row[1], float(row[2]), float(row[3])
                    if not (isfinite(start) and isfinite(end)):
                        raise ValueError
                except (IndexError, ValueError):
                    raise FormatError.of(
                        f"the row {delimiter.join(row)[:80]!r} is not an annotator, a category, a start and an end",
                        "The file must not have a header; unisono.read reads files with one.",
                        where=where,
                    ) from None
                try:
                    continuum.add(annotator, Segment(start, end), category)
                except ValueError as error:
                    if not discard_invalid_rows:
                        raise
                    warnings.warn(f"{where}: the row is left out: {error}", DataWarning, stacklevel=2)
        return continuum

    @classmethod
    def from_rttm(cls, path: PathLike) -> Continuum:
        """The objects of an RTTM file; the file that a line names is the annotator, the speaker the category."""
        continuum = cls()
        for document in unisono.read(path, format="rttm"):
            for unit in document:
                segment = Segment(unit.start, unit.end)
                if segment:
                    continuum.add(document.name, segment, unit.category)
        return continuum

    def add_annotator(self, annotator: str) -> None:
        """Add an annotator who may have marked nothing."""
        self._units.setdefault(annotator, set())

    def add(self, annotator: str, segment: AnySegment, annotation: str | None = None) -> None:
        """Add a unit. Raises ValueError where the segment has no length."""
        if segment.duration == 0:
            raise ValueError(f"the segment from {segment.start} to {segment.end} has no length")
        self._units.setdefault(annotator, set()).add(Unit(segment, annotation))
        if annotation is not None:
            self._categories.add(annotation)
        self._sorted.pop(annotator, None)
        self.bound_inf = min(self.bound_inf, segment.start)
        self.bound_sup = max(self.bound_sup, segment.end)

    def add_annotation(self, annotator: str, annotation: Any) -> None:
        """Add a `pyannote.core.Annotation`."""
        for segment, _, label in annotation.itertracks(yield_label=True):
            self.add(annotator, segment, label)

    def add_timeline(self, annotator: str, timeline: Iterable[AnySegment]) -> None:
        """Add a `pyannote.core.Timeline`; the units have no category."""
        for segment in timeline:
            self.add(annotator, segment)

    def add_textgrid(
        self,
        annotator: str,
        tg_path: PathLike,
        selected_tiers: Collection[str] | None = None,
        use_tier_as_annotation: bool = False,
    ) -> None:
        """Add the intervals of a TextGrid that have a text, in seconds; points are left out."""
        self._add_tiers(annotator, tg_path, "textgrid", selected_tiers, use_tier_as_annotation)

    def add_elan(
        self,
        annotator: str,
        eaf_path: PathLike,
        selected_tiers: Collection[str] | None = None,
        use_tier_as_annotation: bool = False,
    ) -> None:
        """Add the annotations of an ELAN file, in milliseconds."""
        self._add_tiers(annotator, eaf_path, "elan", selected_tiers, use_tier_as_annotation)

    def _add_tiers(
        self, annotator: str, path: PathLike, format: str, tiers: Collection[str] | None, use_tier: bool
    ) -> None:
        """Add the units of the tiers; each tier is read as an annotator."""
        for document in unisono.read(path, format=format, annotator_from="tier", layer=["*"]):
            for unit in document:
                if tiers is None or unit.annotator in tiers:
                    segment = Segment(unit.start, unit.end)
                    if segment:
                        self.add(annotator, segment, unit.annotator if use_tier else unit.category)

    def remove(self, annotator: str, unit: Unit) -> None:
        """Remove a unit; the bounds stay. Raises KeyError where the annotator does not have it."""
        self._units[annotator].remove(unit)
        self._sorted.pop(annotator, None)

    def reset_bounds(self) -> None:
        """Set the bounds to the first start and the last end."""
        segments = [unit.segment for _, unit in self]
        self.bound_inf = min((segment.start for segment in segments), default=0.0)
        self.bound_sup = max((segment.end for segment in segments), default=0.0)

    def copy_flush(self) -> Continuum:
        """A continuum with the same name and bounds, without annotators."""
        copy = Continuum(self.uri)
        copy.bound_inf, copy.bound_sup = self.bounds
        return copy

    def copy(self) -> Continuum:
        """A continuum of its own with the same units."""
        copy = self.copy_flush()
        copy._units = {annotator: set(units) for annotator, units in self._units.items()}
        copy._categories = set(self._categories)
        return copy

    def merge(self, continuum: Continuum, in_place: bool = False) -> Continuum | None:
        """The units of both; with `in_place` they are added to this continuum, and nothing is returned."""
        merged = self if in_place else self.copy()
        for annotator in continuum.annotators:
            merged.add_annotator(annotator)
        for annotator, unit in continuum:
            merged.add(annotator, unit.segment, unit.annotation)
        return None if in_place else merged

    def __add__(self, other: Continuum) -> Continuum:
        merged = self.merge(other)
        assert merged is not None
        return merged

    @overload
    def __getitem__(self, keys: str) -> SortedSet[Unit]: ...
    @overload
    def __getitem__(self, keys: tuple[str, int]) -> Unit: ...
    def __getitem__(self, keys: str | tuple[str, int]) -> SortedSet[Unit] | Unit:
        """The units of an annotator, or one of them by its place in time."""
        annotator, index = (keys, None) if isinstance(keys, str) else keys
        if annotator not in self._units:
            raise KeyError(f"{annotator!r} is not an annotator of the continuum")
        units = self._sort_units(annotator)
        if index is None:
            return SortedSet(units)
        if not -len(units) <= index < len(units):
            raise IndexError(f"{annotator!r} has {len(units)} units, and none has the index {index}")
        return units[index]

    def __iter__(self) -> Iterator[tuple[str, Unit]]:
        """Every unit with its annotator: annotators by name, units in time."""
        for annotator in sorted(self._units):
            for unit in self._sort_units(annotator):
                yield annotator, unit

    def iter_annotator(self, annotator: str) -> Iterator[Unit]:
        """The units of an annotator in time."""
        return iter(self._sort_units(annotator))

    iterunits = iter_annotator

    def _sort_units(self, annotator: str) -> list[Unit]:
        if annotator not in self._sorted:
            self._sorted[annotator] = sorted(self._units[annotator])
        return self._sorted[annotator]

    def __bool__(self) -> bool:
        """Whether there is a unit."""
        return any(self._units.values())

    def __len__(self) -> int:
        """The number of annotators."""
        return len(self._units)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Continuum) and self._units == other._units

    __hash__ = None  # type: ignore[assignment]  # continua change

    @property
    def annotators(self) -> SortedSet[str]:
        return SortedSet(self._units)

    @property
    def categories(self) -> SortedSet[str]:
        """Every category that was added, those of units removed since included."""
        return SortedSet(self._categories)

    @property
    def category_weights(self) -> dict[str | None, float]:
        """The share of the units of each category."""
        counts = Counter(unit.annotation for _, unit in self)
        ordered = sorted(counts, key=lambda label: (label is not None, label or ""))
        return {label: counts[label] / counts.total() for label in ordered}

    @property
    def bounds(self) -> tuple[float, float]:
        return self.bound_inf, self.bound_sup

    @property
    def num_units(self) -> int:
        return sum(map(len, self._units.values()))

    @property
    def num_annotators(self) -> int:
        return len(self._units)

    @property
    def avg_num_annotations_per_annotator(self) -> float:
        return self.num_units / self.num_annotators

    @property
    def max_num_annotations_per_annotator(self) -> int:
        return max(map(len, self._units.values()), default=0)

    @property
    def avg_length_unit(self) -> float:
        return sum(unit.segment.duration for _, unit in self) / self.num_units

    def to_csv(self, path: PathLike, delimiter: str = ",") -> None:
        """Write the rows `annotator, category, start, end`, without a header."""
        with replacement(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=delimiter).writerows(
                [annotator, unit.annotation, unit.segment.start, unit.segment.end] for annotator, unit in self
            )

    def to_unisono(self) -> unisono.Continuum:
        """The same continuum for the rest of unisono; its extent is the bounds.

        Units before or after the bounds, which `remove` and assignments to the bounds allow, widen it.
        """
        units = {
            annotator: [(unit.segment.start, unit.segment.end, unit.annotation) for unit in self._sort_units(annotator)]
            for annotator in sorted(self._units)
        }
        rows = [row for of_annotator in units.values() for row in of_annotator]
        low = min([self.bound_inf, *(row[0] for row in rows)])
        high = max([self.bound_sup, *(row[1] for row in rows)])
        return unisono.continuum(units, extent=(low, high) if high > low else None, name=self.uri or "")

    def get_best_alignment(self, dissimilarity: AbstractDissimilarity) -> Alignment:
        """The alignment of least disorder, proven."""
        from unisono.compat.pygamma.gamma import best_alignments

        return best_alignments([self], dissimilarity)[0]

    def get_fast_alignment(self, dissimilarity: AbstractDissimilarity, window_size: int | None = None) -> Alignment:
        """The best alignment: the exact search is faster than the windows of fast-γ, so there are none here."""
        return self.get_best_alignment(dissimilarity)

    def get_best_soft_alignment(self, dissimilarity: AbstractDissimilarity) -> SoftAlignment:
        """The soft alignment of least disorder, proven: each unit is in at least one unitary alignment."""
        from unisono.compat.pygamma.gamma import best_soft_alignment

        return best_soft_alignment(self, dissimilarity)

    def compute_gamma(
        self,
        dissimilarity: AbstractDissimilarity | None = None,
        n_samples: int = 30,
        precision_level: float | str | None = None,
        ground_truth_annotators: Iterable[str] | None = None,
        sampler: AbstractContinuumSampler | None = None,
        fast: bool = False,
        soft: bool = False,
    ) -> GammaResults:
        """γ with the alignments behind it: as in pygamma-agreement, and exact with `fast`, too.

        Random continua come from numpy's global generator; `np.random.seed` makes the value reproducible.
        """
        from unisono.compat.pygamma.gamma import compute_gamma

        return compute_gamma(
            self,
            dissimilarity,
            n_samples=n_samples,
            precision_level=precision_level,
            ground_truth_annotators=ground_truth_annotators,
            sampler=sampler,
            fast=fast,
            soft=soft,
        )

    def __repr__(self) -> str:
        return f"<Continuum of {self.num_units} units by {self.num_annotators} annotators>"

    def _repr_png_(self) -> bytes | None:
        from unisono.compat.pygamma.notebook import png_of_continuum

        return png_of_continuum(self)


def mean_and_deviation(values: Collection[float]) -> tuple[float, float]:
    """Mean and standard deviation of the population."""
    return float(np.mean(list(values))), float(np.std(list(values)))
