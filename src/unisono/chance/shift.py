# SPDX-License-Identifier: MIT
"""The chance model of a single continuum: real annotators, shifted (Mathet et al. 2015, section 5.2.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from unisono._core import ShiftModel
from unisono.chance.chance_model import SingleDocumentModel, extent_of, keys
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import ParameterError
from unisono.model import Continuum, Extent, IntArray


@dataclass(frozen=True, slots=True)
class Shift(SingleDocumentModel):
    """The model for a single continuum: real annotators shifted round the extent (section 5.2.1).

    Each random annotator is a real one, drawn with replacement, whose units are moved back by a shift, those before
    it coming round to the end. Shifts keep a minimum distance, so that a unit rarely meets itself: the mean length
    of the units, as the paper says, or half of it, or a number. What the paper leaves open is our choice: shifts are
    whole numbers where positions are; their distance is linear; a unit is never cut, its start decides on which side
    of the split it lies; all admissible shifts are equally likely. Where the extent has no room for them they are
    drawn without the minimum distance, and the result says so.

    >>> c = Continuum.of({"ann": [(0, 4, "A"), (10, 14, "B")], "bob": [(1, 4, "A")]}, extent=(0, 20))
    >>> [(u.start, u.end, u.category) for u in Shift().draw(c, seed=1, sample=0).units_of("ann")]
    [(5, 9, 'B'), (15, 19, 'A')]
    """

    minimum_distance: Literal["mean", "half-mean"] | float = "mean"

    def __post_init__(self) -> None:
        value = self.minimum_distance
        if value in ("mean", "half-mean") or (not isinstance(value, str) and 0 <= value < float("inf")):
            return
        raise ParameterError.of(
            f"the minimum distance between shifts is {value!r}",
            "Give 'mean', 'half-mean' or a number from 0.",
            code="chance",
        )

    @property
    def is_shift(self) -> bool:
        return True

    @property
    def signature(self) -> str:
        value = self.minimum_distance
        return f"shift({value if isinstance(value, str) else format(value, 'g')})"

    def distance(self, continuum: Continuum) -> float:
        """The minimum distance between two shifts of one random continuum."""
        if not isinstance(self.minimum_distance, str):
            return float(self.minimum_distance)
        lengths = continuum.ends - continuum.starts
        # Sums of floats depend on the order of the units, that is on the names of the annotators; this one does not.
        mean = math.fsum(lengths.tolist()) / len(lengths) if lengths.dtype.kind == "f" else float(np.mean(lengths))
        return mean if self.minimum_distance == "mean" else mean / 2

    def needed(self, continuum: Continuum) -> float:
        """The minimum distance that shifts keep in fact: rounded up where they are whole numbers."""
        distance = self.distance(continuum)
        return math.ceil(distance) if _has_whole_shifts(continuum, extent_of(continuum)) else distance

    def core_model(self, columns: CoreDocuments, seed: int, rows: IntArray | None = None) -> ShiftModel:
        """The model in the core; `rows`: how many random annotators each document has, if not as many as real ones."""
        extents = [extent_of(continuum) for continuum in columns.continua]
        return ShiftModel(
            columns.documents,
            np.array([extent.start for extent in extents], dtype=np.float64),
            np.array([extent.length for extent in extents], dtype=np.float64),
            np.array([_has_whole_shifts(c, e) for c, e in zip(columns.continua, extents, strict=True)], dtype=np.int32),
            np.array([self.distance(continuum) for continuum in columns.continua], dtype=np.float64),
            keys(seed, columns.digests),
            rows,
        )

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        extent, distance = extent_of(continuum), self.distance(continuum)
        notes = []
        if not (continuum.n_annotators - 1) * self.needed(continuum) < extent.length:
            notes.append(
                f"extent of {extent.length:g} too short for {continuum.n_annotators} shifts at a minimum distance of "
                f"{distance:g}: unconstrained shifts were drawn"
            )
        if np.count_nonzero(continuum.counts) < 2:
            notes.append("degenerate chance: only one annotator marked units, every random continuum is made of theirs")
        return tuple(notes)


def _has_whole_shifts(continuum: Continuum, extent: Extent) -> bool:
    """Whether shifts are whole numbers: they are where every position is."""
    return continuum.has_integer_positions and isinstance(extent.start, int) and isinstance(extent.end, int)
