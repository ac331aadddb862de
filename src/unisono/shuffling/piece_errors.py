# SPDX-License-Identifier: MIT
"""Errors of unitizing: units that are split, and units that are merged with their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from unisono.errors import ParameterError
from unisono.shuffling.error_type import UnitErrors, check_choice, check_number, round_half_up
from unisono.shuffling.sheet import Flags, Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class Splits(UnitErrors):
    """Units and their pieces are split in two; the number of splits is N * min(limit, factor * m / (1 - m)), rounded.

    That is law="odds". N is the number of units of the reference. law="linear" is what section 6.3.1 of Mathet et al.
    2015 prints, a number proportional to m: N * limit * m. It does not reproduce the paper's Figure 27, in which units
    are split much less often at low magnitudes than at high ones (`factor` is not used by it). The limit of five times
    the reference units is the paper's (6.3.4), and both laws reach it at magnitude 1. The paper leaves open, and we
    decided: each split takes one of the present pieces, all with equal probability, and cuts it at a uniform position;
    both parts keep the category. A unit of length 1 (whole positions) or 0 cannot be split; if no piece can be split
    any more, splitting ends.

    law="each": each unit is split once with probability m, at a uniform position. With at_least, only long units are
    split; by the other two laws, so are their pieces, while they are long enough.
    """

    law: Literal["odds", "linear", "each"] = "odds"
    factor: float = 0.75
    limit: float = 5.0

    name: ClassVar[str] = "splits"
    order: ClassVar[int] = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.law, ("odds", "linear", "each"), "law", self.name)
        check_number(self.factor, "factor", self.name)
        check_number(self.limit, "limit", self.name)

    def number(self, magnitude: float, n_units: int) -> int:
        """The number of splits at a magnitude, for a reference with `n_units` units; with law="each", the mean of it.

        >>> [Splits().number(m, 20) for m in (0, 0.25, 0.5, 1)]
        [0, 5, 15, 100]
        """
        if self.law == "each":
            return round_half_up(magnitude * n_units)
        if self.law == "linear":
            return round_half_up(self.limit * magnitude * n_units)
        odds = self.factor * magnitude / (1 - magnitude) if magnitude < 1 else self.limit
        return round_half_up(min(self.limit, odds) * n_units)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        shortest = 2 if around.is_whole else np.nextafter(0, 1)
        susceptible = self._susceptible_units(sheet, around) & (sheet.ends - sheet.starts >= shortest)
        if self.law == "each":
            return _split_each(sheet, susceptible, magnitude, random, whole=around.is_whole)
        shortest = max(shortest, self.at_least or 0)
        starts, ends = sheet.starts.tolist(), sheet.ends.tolist()
        owners = list(range(len(sheet)))
        draws = random.random((self.number(magnitude, around.n_units), 2)).tolist()
        pool = np.flatnonzero(susceptible).tolist()
        split_pieces(starts, ends, owners, pool, draws, shortest, whole=around.is_whole)
        kind = sheet.starts.dtype
        return sheet.cut(np.array(owners, dtype=np.int64), np.array(starts, dtype=kind), np.array(ends, dtype=kind))


def split_pieces(
    starts: list[float],
    ends: list[float],
    owners: list[int],
    pool: list[int],
    draws: Iterable[Sequence[float]],
    shortest: float,
    *,
    whole: bool,
) -> None:
    """Split pieces one after the other, in place, until none can be split: new ones are added at the end of the lists.

    pool: the indices of the pieces that can be split. Two draws decide which piece is split and where. Each split
    depends on those before it, so this is a loop.
    """
    for which, where in draws:
        if not pool:
            break
        place = int(which * len(pool))
        piece = pool[place]
        start, end = starts[piece], ends[piece]
        cut = start + 1 + int(where * (end - start - 1)) if whole else start + where * (end - start)
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


def _split_each(
    sheet: Sheet, susceptible: Flags, magnitude: float, random: np.random.Generator, *, whole: bool
) -> Sheet:
    """Each susceptible unit is split once with this probability, at a uniform position inside."""
    which, where = random.random((2, len(sheet)))
    split = susceptible & (which < magnitude)
    lengths = sheet.ends - sheet.starts
    cuts = sheet.starts + (1 + np.floor(where * (lengths - 1)).astype(np.int64) if whole else where * lengths)
    owners = np.concatenate((np.arange(len(sheet)), np.flatnonzero(split)))
    return sheet.cut(
        owners.astype(np.int64),
        np.concatenate((sheet.starts, cuts[split])).astype(sheet.starts.dtype),
        np.concatenate((np.where(split, cuts, sheet.ends), sheet.ends[split])).astype(sheet.starts.dtype),
    )


@dataclass(frozen=True, kw_only=True)
class Merges(UnitErrors):
    """Each unit is merged with its right neighbour with probability factor * m; chains become one unit.

    Neighbours are units that follow each other by start; a merged unit extends from the first start to the last end.
    The papers have no such type in their experiments; the law is ours. The factor is 1/2, so that at magnitude 1 chance
    decides which units each annotator merges. With 1 all annotators would merge everything, which is perfect agreement.

    same_category: only units of one category are merged. farthest: only units with no larger gap between them.
    category: the merged unit has the category of the longest of its parts, the first of them if several are longest
    ("longest"), or that of the first part ("first"). Immune units are not merged.
    """

    factor: float = 0.5
    same_category: bool = False
    farthest: float | None = None
    category: Literal["longest", "first"] = "longest"

    name: ClassVar[str] = "merges"
    order: ClassVar[int] = 40

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number(self.factor, "factor", self.name, highest=1.0)
        check_choice(self.category, ("longest", "first"), "category", self.name)
        if self.farthest is not None:
            check_number(self.farthest, "farthest", self.name)
        if not isinstance(self.same_category, bool):
            raise ParameterError.of(
                f"same_category is {self.same_category!r}, not true or false",
                "Choose true or false.",
                where=f"{self.name} errors",
                code="error-type",
            )

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        if len(sheet) < 2:
            return sheet
        order = np.lexsort((sheet.ends, sheet.starts))
        starts, ends, codes = sheet.starts[order], sheet.ends[order], sheet.codes[order]
        susceptible = self._susceptible_units(sheet, around)[order]
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
