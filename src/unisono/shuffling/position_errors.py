# SPDX-License-Identifier: MIT
"""Errors of position: boundaries that are shifted, freely or so that no two units overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.model import FloatArray
from unisono.shuffling.apart import place_apart
from unisono.shuffling.error_type import UnitErrors, check_choice, check_number, whole_positions
from unisono.shuffling.sheet import Flags, Sheet, Surroundings

#: The least length that a unit of decimal positions keeps, as a share of its own; whole positions keep 1.
LEAST_SHARE = 0.01


@dataclass(frozen=True, kw_only=True)
class PositionErrors(UnitErrors):
    """Each boundary of a unit is shifted by a number drawn uniformly from -s to s, s = shift_factor * m * length.

    Mathet et al. 2015, section 6.3.1: s is "proportional to m and to the length of the unit"; the factor is left open
    (1 fits the figures of 2017, 1.5 those of 2015; see docs/shuffling.md). Also left open, and decided by us:

    - A shift is drawn as a decimal number; if positions are whole, the new position is rounded.
    - If the drawn end is not after the start (by 1 or more for whole positions, otherwise by a hundredth of the unit's
      length), both are drawn again (end_before_start="redraw") or the end is set to the lowest allowed ("clip").
    - keep_apart: units of one annotator do not overlap, as section 6.3.4 requires without saying how. They are placed
      in random order; a unit that overlaps one placed before is drawn again (in fact it is drawn from the free places,
      which has the same distribution). If nothing is free within s, s is doubled until something is. Only "redraw" is
      possible.
    - Units may move beyond the extent of the reference, which then grows; with stay_inside, or if the reference has a
      text, such draws are repeated.

    share: the share of the units that are shifted at all, drawn for each unit: boundaries that are off now and then.
    """

    shift_factor: float = 1.0
    keep_apart: bool = False
    end_before_start: Literal["redraw", "clip"] = "redraw"
    stay_inside: bool = False
    share: float = 1.0

    name: ClassVar[str] = "position"
    order: ClassVar[int] = 30

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.shift_factor, "shift_factor", self.name)
        check_number(self.share, "share", self.name, highest=1.0)
        choices = ("redraw",) if self.keep_apart else ("redraw", "clip")
        check_choice(self.end_before_start, choices, "end_before_start", self.name)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        starts, ends = sheet.starts.astype(np.float64), sheet.ends.astype(np.float64)
        reach = self.shift_factor * magnitude * (ends - starts) * self._susceptible_units(sheet, around)
        if self.share < 1:
            reach *= random.random(len(sheet)) < self.share
        least = np.ones(len(sheet)) if around.is_whole else LEAST_SHARE * (ends - starts)
        low, high = -np.inf, np.inf
        if self.stay_inside or around.is_bounded:
            low, high = float(around.extent.start), float(around.extent.end)
            if around.is_whole:
                low, high = float(np.ceil(low)), float(np.floor(high))
        if self.keep_apart:
            starts, ends = place_apart(starts, ends, reach, least, low, high, random)
        else:
            starts, ends = self._shift(starts, ends, reach, least, low, high, random)
        moved = reach > 0
        return sheet.moved(_replace(moved, starts, sheet.starts), _replace(moved, ends, sheet.ends))

    def _shift(
        self,
        starts: FloatArray,
        ends: FloatArray,
        reach: FloatArray,
        least: FloatArray,
        low: float,
        high: float,
        random: np.random.Generator,
    ) -> tuple[FloatArray, FloatArray]:
        """New boundaries inside the limits, unit by unit; about half of the draws or more are accepted each time."""
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


def _replace(moved: Flags, new: FloatArray, old: NDArray[Any]) -> NDArray[Any]:
    """The old positions with those of moved units replaced; whole positions stay whole."""
    return np.where(moved, whole_positions(new) if old.dtype.kind == "i" else new, old)
