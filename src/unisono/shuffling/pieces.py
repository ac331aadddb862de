# SPDX-License-Identifier: MIT
"""Errors of unitizing: units that are split, and units that are joined with their neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from unisono.errors import ParameterError
from unisono.shuffling.protocol import UnitErrors, checked, chosen, rounded
from unisono.shuffling.sheet import Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class Splits(UnitErrors):
    """Units are split in two, pieces again, so many times: N * min(limit, factor * m / (1 - m)), rounded.

    That is law="odds". N is the number of units of the reference. law="linear" is what section 6.3.1 of 2015 prints,
    a number proportional to m: N * limit * m; it does not give its Figure 27, where units would have to be split much
    less often at low magnitudes than at high ones (`factor` is not used by it). The limit of five times the reference
    units is the paper's (6.3.4), and is reached at magnitude 1 by both laws. Open, and decided so: each split takes one
    of the pieces there are, all alike, and cuts it anywhere inside, all places alike; both parts keep the category. A
    unit of length 1 (whole positions) cannot be split, nor can one without length; where none can be split any more,
    no more splits are made.
    """

    law: Literal["odds", "linear"] = "odds"
    factor: float = 0.75
    limit: float = 5.0

    name: ClassVar[str] = "splits"
    order: ClassVar[int] = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        chosen(self.law, ("odds", "linear"), "a law", self.name)
        checked(self.factor, "a factor that is not negative", self.name)
        checked(self.limit, "a limit that is not negative", self.name)

    def number(self, magnitude: float, n_units: int) -> int:
        """How many splits there are at a magnitude for a reference of so many units.

        >>> [Splits().number(m, 20) for m in (0, 0.25, 0.5, 1)]
        [0, 5, 15, 100]
        """
        if self.law == "linear":
            return rounded(self.limit * magnitude * n_units)
        odds = self.factor * magnitude / (1 - magnitude) if magnitude < 1 else self.limit
        return rounded(min(self.limit, odds) * n_units)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        shortest = 2 if around.is_whole else np.nextafter(0, 1)
        susceptible = self._susceptible(sheet, around) & (sheet.ends - sheet.starts >= shortest)
        pool = np.flatnonzero(susceptible).tolist()  # numbers of pieces that can be split
        starts, ends = sheet.starts.tolist(), sheet.ends.tolist()
        owners = list(range(len(sheet)))
        # Which piece, and where. Each split depends on those before it: a plain loop over plain numbers.
        for which, where in random.random((self.number(magnitude, around.n_units), 2)).tolist():
            if not pool:
                break
            place = int(which * len(pool))
            piece = pool[place]
            start, end = starts[piece], ends[piece]
            cut = start + 1 + int(where * (end - start - 1)) if around.is_whole else start + where * (end - start)
            new = len(starts)
            starts.append(cut)
            ends.append(end)
            owners.append(owners[piece])
            ends[piece] = cut
            if end - cut >= shortest:
                pool.append(new)
            if cut - start < shortest:
                pool[place] = pool[-1]
                pool.pop()
        kind = sheet.starts.dtype
        return sheet.cut(np.array(owners, dtype=np.int64), np.array(starts, dtype=kind), np.array(ends, dtype=kind))


@dataclass(frozen=True, kw_only=True)
class Merges(UnitErrors):
    """Each unit is joined to its right neighbour with probability factor * m, chains included.

    Neighbours are units that follow each other by start; a joined unit goes from the first start to the last end. The
    papers have no such type in their experiments; the law is ours. The factor is 1/2: at magnitude 1 it is decided by
    chance who joins what. With 1 everybody would join everything, which is perfect agreement.

    same_category: only units of one category are joined. farthest: only units with no larger gap between them.
    category: the joined unit has the category of the longest of its parts, the first of the longest ("longest"), or
    that of the first ("first"). Immune units are joined to none.
    """

    factor: float = 0.5
    same_category: bool = False
    farthest: float | None = None
    category: Literal["longest", "first"] = "longest"

    name: ClassVar[str] = "merges"
    order: ClassVar[int] = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        checked(self.factor, "a factor from 0 to 1", self.name, highest=1.0)
        chosen(self.category, ("longest", "first"), "the category of a joined unit", self.name)
        if self.farthest is not None:
            checked(self.farthest, "a largest gap that is not negative", self.name)
        if not isinstance(self.same_category, bool):
            raise ParameterError.of("same_category true or false", repr(self.same_category), code="error-type")

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        if len(sheet) < 2:
            return sheet
        order = np.lexsort((sheet.ends, sheet.starts))
        starts, ends, codes = sheet.starts[order], sheet.ends[order], sheet.codes[order]
        susceptible = self._susceptible(sheet, around)[order]
        joined = (random.random(len(sheet) - 1) < self.factor * magnitude) & susceptible[1:] & susceptible[:-1]
        if self.same_category:
            joined &= codes[1:] == codes[:-1]
        if self.farthest is not None:
            joined &= starts[1:] - ends[:-1] <= self.farthest
        firsts = np.flatnonzero(np.append(True, ~joined))
        groups = np.cumsum(np.append(0, ~joined))
        lengths = ends - starts if self.category == "longest" else np.zeros(len(sheet))
        leading = np.lexsort((np.arange(len(sheet)), -lengths, groups))[firsts]
        group_of = np.empty(len(sheet), dtype=np.int64)
        group_of[order] = groups
        return sheet.merged(
            group_of, np.minimum.reduceat(starts, firsts), np.maximum.reduceat(ends, firsts), codes[leading]
        )
