# SPDX-License-Identifier: MIT
"""Errors of segmentation: boundaries between units are shifted so that the units still cover the continuum."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from unisono.errors import ParameterError
from unisono.model import FloatArray
from unisono.shuffling.error_type import UnitErrors, check_number
from unisono.shuffling.sheet import Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class BoundaryErrors(UnitErrors):
    """Each boundary between two units is shifted by a number drawn uniformly from -s to s, for pure segmentation.

    s = shift_factor * m * length, where length is the mean of the two units that meet there. For references whose units
    follow each other without gaps; the first start and the last end stay. Boundaries that overtake each other are
    sorted, so that the number of units stays the same; those that meet, or leave the extent, are pushed apart by 1
    (whole positions) or a thousandth of the mean length. The boundaries of an immune unit do not move and are not
    overtaken.

    Open in Mathet et al. 2015: the shifts in section 6.3.2 are not described, nor how full covering is kept; the law of
    `PositionErrors` is carried over to boundaries that two units share.
    """

    shift_factor: float = 1.0

    name: ClassVar[str] = "boundaries"
    order: ClassVar[int] = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.shift_factor, "shift_factor", self.name)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        if len(sheet) < 2:
            return sheet
        order = np.argsort(sheet.starts, kind="stable")
        starts, ends = sheet.starts[order], sheet.ends[order]
        if np.any(ends[:-1] != starts[1:]):
            raise ParameterError.of(
                "the units of the reference do not follow each other without gaps",
                "Set covering = true in the reference model, or use position errors.",
                where="boundaries errors",
                code="error-type",
            )
        lengths = (ends - starts).astype(np.float64)
        reach = self.shift_factor * magnitude * (lengths[:-1] + lengths[1:]) / 2
        inner = starts[1:] + random.uniform(-1, 1, len(reach)) * reach
        susceptible = self._susceptible_units(sheet, around)[order]
        fixed = np.concatenate(([0], 1 + np.flatnonzero(~(susceptible[1:] & susceptible[:-1])), [len(starts)]))
        edges = np.append(starts, ends[-1])
        for first, last in pairwise(fixed.tolist()):  # a single stretch, unless some units are immune
            edges[first + 1 : last] = _push_apart(
                np.sort(inner[first : last - 1]), float(edges[first]), float(edges[last]), whole=around.is_whole
            )
        starts, ends = edges[:-1], edges[1:]
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return sheet.moved(starts[back], ends[back])


def _push_apart(inner: FloatArray, low: float, high: float, *, whole: bool) -> FloatArray:
    """Sorted boundaries, each at least a step from the next and from both ends.

    >>> _push_apart(np.array([-1.0, 0.4, 5.0, 9.9, 10.2]), 0, 10, whole=True).tolist()
    [1.0, 2.0, 5.0, 8.0, 9.0]
    """
    step = 1.0 if whole else (high - low) / (len(inner) + 1) / 1000
    places = step * np.arange(len(inner))
    raised = np.rint(inner) if whole else inner
    raised = np.maximum.accumulate(np.maximum(raised - places, low + step)) + places
    most = high - step * np.arange(len(inner), 0, -1)
    apart: FloatArray = np.minimum(raised, most)
    return apart
