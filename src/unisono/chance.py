# SPDX-License-Identifier: MIT
"""Chance models: laws by which random continua are drawn (Mathet et al. 2015, sections 4.8 and 5.2). None aligns.

Random numbers come from a counter-based generator (Philox4x64-10), keyed by (seed, document name) and counted by the
number of the sample: sample i is the same whatever was drawn before it, on any thread.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from unisono._core import shift_draw
from unisono.errors import CorpusError, ParameterError
from unisono.model import Continuum, Extent


class ChanceModel(Protocol):
    """A law of random continua. Sample `sample` must depend on (continuum, seed, sample) alone."""

    @property
    def signature(self) -> str:
        """Name and parameters, short and stable."""

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        """Random continuum number `sample`, with the same number of annotators."""

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        """What a reader of the result must know: where the model could not do as it says."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The model for a single continuum: real annotators shifted round the extent (section 5.2.1).

    Each random annotator is a real one, drawn with replacement, whose units are moved back by a shift, those before
    it coming round to the end. Shifts keep a minimum distance, so that a unit rarely meets itself: the mean length
    of the units, as the paper says, or half of it, or a number. What the paper leaves open is decided so: shifts are
    whole numbers where positions are; their distance is linear; a unit is never cut, its start decides on which side
    of the split it lies; all admissible shifts are equally likely. Where the extent has no room for them they are
    drawn without the minimum distance, and the result says so.

    >>> c = Continuum.of({"ann": [(0, 4, "A"), (10, 14, "B")], "bob": [(1, 4, "A")]}, extent=(0, 20))
    >>> [(u.start, u.end, u.category) for u in Shift().draw(c, seed=1, sample=0).units_of("ann")]
    [(3, 7, 'A'), (13, 17, 'B')]
    """

    minimum_distance: Literal["mean", "half-mean"] | float = "mean"

    def __post_init__(self) -> None:
        value = self.minimum_distance
        if value in ("mean", "half-mean") or (not isinstance(value, str) and 0 <= value < float("inf")):
            return
        raise ParameterError.of(
            "a minimum distance: 'mean', 'half-mean' or a number from 0", repr(value), code="chance"
        )

    @property
    def signature(self) -> str:
        value = self.minimum_distance
        return f"shift({value if isinstance(value, str) else format(value, 'g')})"

    def distance(self, continuum: Continuum) -> float:
        """The minimum distance between two shifts of one random continuum."""
        if not isinstance(self.minimum_distance, str):
            return float(self.minimum_distance)
        mean = float(np.mean(continuum.ends - continuum.starts))
        return mean if self.minimum_distance == "mean" else mean / 2

    def core_arguments(self, continuum: Continuum, seed: int) -> tuple[float, float, bool, float, NDArray[np.uint64]]:
        """(origin, length, whole shifts, minimum distance, key), as the core takes them."""
        extent = _extent(continuum)
        distance, whole = self.distance(continuum), _whole_shifts(continuum, extent)
        return float(extent.start), float(extent.length), whole, distance, key(seed, continuum.name)

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        starts, ends, annotators, source, _ = shift_draw(
            np.ascontiguousarray(continuum.starts, dtype=np.float64),
            np.ascontiguousarray(continuum.ends, dtype=np.float64),
            np.ascontiguousarray(continuum.category_codes),
            np.ascontiguousarray(continuum.category_codes),
            np.ascontiguousarray(continuum.annotator_codes),
            continuum.n_annotators,
            *self.core_arguments(continuum, seed),
            sample,
        )
        dtype: type[Any] = continuum.starts.dtype.type
        extent = _extent(continuum)
        # A unit kept whole may overhang the end.
        overhang = max(extent.end, ends.max().astype(dtype).item())
        return Continuum(
            starts=starts.astype(dtype),
            ends=ends.astype(dtype),
            annotator_codes=annotators,
            annotators=continuum.annotators,
            features={name: feature.take(source) for name, feature in continuum.features.items()},
            extent=Extent(extent.start, overhang, extent.source),
            name=continuum.name,
        )

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        extent, distance = _extent(continuum), self.distance(continuum)
        needed = math.ceil(distance) if _whole_shifts(continuum, extent) else distance
        found = []
        if not (continuum.n_annotators - 1) * needed < extent.length:
            found.append(
                f"extent of {extent.length:g} too short for {continuum.n_annotators} shifts at a minimum distance of "
                f"{distance:g}: unconstrained shifts were drawn"
            )
        if np.count_nonzero(continuum.counts) < 2:
            found.append("degenerate chance: only one annotator marked units, every random continuum is made of theirs")
        return tuple(found)


def key(seed: int, name: str) -> NDArray[np.uint64]:
    """The generator's key for a document: the first 16 bytes of SHA-256 of the seed and the name."""
    digest = hashlib.sha256(f"{seed}\x00{name}".encode()).digest()
    return np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)


def _whole_shifts(continuum: Continuum, extent: Extent) -> bool:
    """Shifts are whole numbers where every position is."""
    return continuum.has_integer_positions and isinstance(extent.start, int) and isinstance(extent.end, int)


def _extent(continuum: Continuum) -> Extent:
    if continuum.extent is None or continuum.n_units == 0:
        raise CorpusError.of("at least one unit", "none", where=continuum.name, code="no-units")
    return continuum.extent
