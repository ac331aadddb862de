# SPDX-License-Identifier: MIT
"""Errors of position: boundaries that are shifted, freely or so that no two units overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.model import FloatArray
from unisono.shuffling.apart import placed_apart
from unisono.shuffling.protocol import UnitErrors, checked, chosen, whole_positions
from unisono.shuffling.sheet import Flags, Sheet, Surroundings

#: The least length that a unit of decimal positions keeps, as a share of its own; whole positions keep 1.
LEAST_SHARE = 0.01


@dataclass(frozen=True, kw_only=True)
class PositionErrors(UnitErrors):
    """Each boundary of a unit is shifted by a number drawn uniformly from -s to s, s = shift_factor * m * length.

    Mathet et al. 2015, section 6.3.1: s is "proportional to m and to the length of the unit"; the factor is open (1
    fits the figures of 2017, 1.5 those of 2015; see docs/shuffling.md). Also open, and decided so:

    - A shift is drawn as a decimal number and the position rounded, where positions are whole.
    - A draw whose end is not after its start, by 1 at least where positions are whole and by a hundredth of the
      unit's length where they are not, is drawn again (end_before_start="redraw") or its end is set to the least that
      is allowed ("clip").
    - keep_apart: units of one annotator do not overlap, as section 6.3.4 asks for without saying how. They are placed
      in random order; what overlaps a unit that has its place is drawn again (drawn from what is free, which is the
      same law). Where nothing is free within s, s is doubled until something is. Only "redraw" is possible.
    - Units may move beyond the extent of the reference, which then grows; with stay_inside, or where the reference
      has a text, such draws are drawn again.
    """

    shift_factor: float = 1.0
    keep_apart: bool = False
    end_before_start: Literal["redraw", "clip"] = "redraw"
    stay_inside: bool = False

    name: ClassVar[str] = "position"
    order: ClassVar[int] = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        checked(self.shift_factor, "a shift factor that is not negative", self.name)
        choices = ("redraw",) if self.keep_apart else ("redraw", "clip")
        chosen(self.end_before_start, choices, "what becomes of a unit that ends before it starts", self.name)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        starts, ends = sheet.starts.astype(np.float64), sheet.ends.astype(np.float64)
        reach = self.shift_factor * magnitude * (ends - starts) * self._susceptible(sheet, around)
        least = np.ones(len(sheet)) if around.is_whole else LEAST_SHARE * (ends - starts)
        low, high = -np.inf, np.inf
        if self.stay_inside or around.is_bounded:
            low, high = float(around.extent.start), float(around.extent.end)
            if around.is_whole:
                low, high = float(np.ceil(low)), float(np.floor(high))
        if self.keep_apart:
            starts, ends = placed_apart(starts, ends, reach, least, low, high, random)
        else:
            starts, ends = self._shifted(starts, ends, reach, least, low, high, random)
        moved = reach > 0
        return sheet.moved(_where(moved, starts, sheet.starts), _where(moved, ends, sheet.ends))

    def _shifted(
        self,
        starts: FloatArray,
        ends: FloatArray,
        reach: FloatArray,
        least: FloatArray,
        low: float,
        high: float,
        random: np.random.Generator,
    ) -> tuple[FloatArray, FloatArray]:
        """Every unit by itself, drawn from what lies inside; about half of the draws or more can be used each time."""
        first, last = starts.copy(), ends.copy()
        since = np.clip(np.stack((starts - reach, ends - reach)), low, high)
        width = np.clip(np.stack((starts + reach, ends + reach)), low, high) - since
        todo = np.flatnonzero(reach > 0)
        while len(todo):
            start, end = since[:, todo] + random.random((2, len(todo))) * width[:, todo]
            if self.end_before_start == "clip":
                end = np.maximum(end, start + least[todo])
            first[todo], last[todo] = start, end
            todo = todo[(end - start < least[todo] * (1 - 1e-12)) | (end > high)]
        return first, last


def _where(moved: Flags, new: FloatArray, old: NDArray[Any]) -> NDArray[Any]:
    """New positions where units were moved, in the kind of the old ones."""
    return np.where(moved, whole_positions(new) if old.dtype.kind == "i" else new, old)
