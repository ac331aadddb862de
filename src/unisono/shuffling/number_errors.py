# SPDX-License-Identifier: MIT
"""Errors of number: units that are missed, and units that are added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unisono.shuffling.error_type import UnitErrors, check_number, round_half_up
from unisono.shuffling.sheet import Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class FalseNegatives(UnitErrors):
    """Each unit is forgotten with probability m (Mathet et al. 2015, section 6.3.1).

    At magnitude 1 no units are left, and agreement is undefined. The paper leaves nothing open here. With at_most, only
    short units are missed.
    """

    name: ClassVar[str] = "false-negatives"
    order: ClassVar[int] = 10

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        return sheet.without((random.random(len(sheet)) < magnitude) & self._susceptible_units(sheet, around))


@dataclass(frozen=True, kw_only=True)
class FalsePositives(UnitErrors):
    """round(factor * m * N) units are added, N the number of units of the reference.

    Mathet et al. 2015 says "proportional to m" in section 6.3.1 and, in 6.3.4, that new units may overlap others. It
    leaves open, and we decided: the factor (5; Figure 28a needs it with a sparse reference); each new unit has the
    length and the category of a random unit of the reference, and is placed uniformly inside its extent. Immune
    categories, and lengths that at_least and at_most exclude, are not added.
    """

    factor: float = 5.0

    name: ClassVar[str] = "false-positives"
    order: ClassVar[int] = 60

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.factor, "factor", self.name)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        sources = np.flatnonzero(
            ~around.of_category(self.immune, around.codes) & self._has_length(around.starts, around.ends)
        )
        count = round_half_up(self.factor * magnitude * around.n_units)
        if not len(sources) or not count:
            return sheet
        like = sources[random.integers(0, len(sources), count)]
        lengths = (around.ends - around.starts)[like]
        if around.is_whole:
            first, last = int(np.ceil(around.extent.start)), int(np.floor(around.extent.end))
            starts = random.integers(first, np.maximum(first, last - lengths), endpoint=True)
        else:
            starts = around.extent.start + random.random(count) * (around.extent.length - lengths)
        return sheet.with_added(starts, starts + lengths, around.codes[like])
