# SPDX-License-Identifier: MIT
"""Errors of number: units that are missed, and units that nobody should have marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unisono.shuffling.protocol import UnitErrors, checked, rounded
from unisono.shuffling.sheet import Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class FalseNegatives(UnitErrors):
    """Each unit is forgotten with probability m (Mathet et al. 2015, section 6.3.1).

    At magnitude 1 nothing is left, and nothing can be measured: agreement is undefined there. Nothing is open.
    """

    name: ClassVar[str] = "false-negatives"
    order: ClassVar[int] = 10

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        return sheet.without((random.random(len(sheet)) < magnitude) & self._susceptible(sheet, around))


@dataclass(frozen=True, kw_only=True)
class FalsePositives(UnitErrors):
    """round(factor * m * N) units are added, N the number of units of the reference.

    Section 6.3.1 of 2015 says "proportional to m" and, in 6.3.4, that the new units may overlap others. Open, and
    decided so: the factor (5; Figure 28a needs it with a sparse reference); each new unit has the length and the
    category of a random unit of the reference, and lies anywhere inside its extent, all places alike. Immune categories
    are not added.
    """

    factor: float = 5.0

    name: ClassVar[str] = "false-positives"
    order: ClassVar[int] = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        checked(self.factor, "a factor that is not negative", self.name)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        models = np.flatnonzero(~around.of_category(self.immune, around.codes))
        count = rounded(self.factor * magnitude * around.n_units)
        if not len(models) or not count:
            return sheet
        like = models[random.integers(0, len(models), count)]
        lengths = (around.ends - around.starts)[like]
        if around.is_whole:
            first, last = int(np.ceil(around.extent.start)), int(np.floor(around.extent.end))
            starts = random.integers(first, np.maximum(first, last - lengths), endpoint=True)
        else:
            starts = around.extent.start + random.random(count) * (around.extent.length - lengths)
        return sheet.with_added(starts, starts + lengths, around.codes[like])
