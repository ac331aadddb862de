# SPDX-License-Identifier: MIT
"""Systematic errors: one category taken for another, and boundaries that are always put too early or too late.

Mathet et al. 2015 names their absence as a limit of its tool: "systematic disagreement, which is not simulated by the
current version of the CST" (section 6.3). The laws here are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unisono.errors import ParameterError
from unisono.shuffling.error_type import UnitErrors, check_number, is_number, whole_positions
from unisono.shuffling.position_errors import LEAST_SHARE
from unisono.shuffling.sheet import Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class CategoryConfusion(UnitErrors):
    """Each unit of one category is given another one with probability m: `category` becomes `instead`.

    is_mutual: `instead` becomes `category` with the same probability, too. At magnitude 1 the two are exchanged, which
    all annotators would do alike: confusion is worst at one half.
    """

    category: str = ""
    instead: str = ""
    is_mutual: bool = False

    name: ClassVar[str] = "confusion"
    order: ClassVar[int] = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        names = (self.category, self.instead)
        if not all(isinstance(name, str) and name for name in names) or self.category == self.instead:
            raise ParameterError.of(
                f"category is {self.category!r} and instead is {self.instead!r}, which are not the names of two "
                "categories",
                "Name the category that is taken for another one, and the other one: category=PER,instead=ORG.",
                where=f"{self.name} errors",
                code="error-type",
            )
        if not isinstance(self.is_mutual, bool):
            raise ParameterError.of(
                f"is_mutual is {self.is_mutual!r}, not true or false",
                "Choose true or false.",
                where=f"{self.name} errors",
                code="error-type",
            )

    @property
    def new_labels(self) -> tuple[str, ...]:
        return (self.category, self.instead) if self.is_mutual else (self.instead,)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        table = np.arange(-1, len(around.labels), dtype=np.int32)  # entry i + 1 is what label i becomes
        place = {label: code for code, label in enumerate(around.labels)}
        if self.category in place:
            table[place[self.category] + 1] = place[self.instead]
        if self.is_mutual and self.instead in place:
            table[place[self.instead] + 1] = place[self.category]
        confused = (random.random(len(sheet)) < magnitude) & self._susceptible_units(sheet, around)
        return sheet.recategorised(np.where(confused, table[sheet.codes + 1], sheet.codes).astype(np.int32))


@dataclass(frozen=True, kw_only=True)
class BoundaryHabit(UnitErrors):
    """The boundaries of every unit are shifted the same way: by `start` * m and `end` * m of the unit's length.

    Negative numbers are early, positive ones late: start=-1 at magnitude 0.2 begins every unit a fifth of its length
    early. positions: the shifts are in positions, not in lengths. share: the share of the units that suffer it, drawn
    for each unit. Whole positions are rounded. A unit whose end would not be after its start keeps 1 (whole positions)
    or a hundredth of its length; on a text, units stay inside the extent.
    """

    start: float = -1.0
    end: float = 0.0
    positions: bool = False
    share: float = 1.0

    name: ClassVar[str] = "habit"
    order: ClassVar[int] = 35

    def __post_init__(self) -> None:
        super().__post_init__()
        for parameter in ("start", "end"):
            value = getattr(self, parameter)
            if not is_number(value) or not math.isfinite(value):
                raise ParameterError.of(
                    f"{parameter} is {value!r}, not a number",
                    "Give the shift in lengths of the unit; negative is early.",
                    where=f"{self.name} errors",
                    code="error-type",
                )
        check_number(self.share, "share", self.name, highest=1.0)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        starts, ends = sheet.starts.astype(np.float64), sheet.ends.astype(np.float64)
        step = magnitude * (np.ones(len(sheet)) if self.positions else ends - starts)
        shifted = self._susceptible_units(sheet, around) & (random.random(len(sheet)) < self.share)
        least = np.ones(len(sheet)) if around.is_whole else LEAST_SHARE * (ends - starts)
        low, high = -np.inf, np.inf
        if around.is_bounded:
            low, high = float(around.extent.start), float(around.extent.end)
        first, last = starts + self.start * step, ends + self.end * step
        if around.is_whole:
            first, last = whole_positions(first).astype(np.float64), whole_positions(last).astype(np.float64)
        # Where the two would meet, the boundary with the larger shift gives way.
        first = np.where(abs(self.start) >= abs(self.end), np.minimum(first, last - least), first)
        first = np.clip(first, low, np.maximum(low, high - least))
        last = np.clip(np.maximum(last, first + least), low, high)
        kind = sheet.starts.dtype
        return sheet.moved(
            np.where(shifted, first.astype(kind), sheet.starts), np.where(shifted, last.astype(kind), sheet.ends)
        )
