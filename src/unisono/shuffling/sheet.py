# SPDX-License-Identifier: MIT
"""The units of one simulated annotator, in columns, with links to the units of the reference they come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.model import Extent, IntArray

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]


class Done(IntFlag):
    """What was done to a unit of the reference; 0 means that it was kept."""

    MOVED = 1
    CATEGORY = 2
    SPLIT = 4
    MERGED = 8
    MISSED = 16
    ADDED = 32


@dataclass(frozen=True)
class Surroundings:
    """What an error type may use beside the units: the reference, the categories and their prevalences."""

    starts: NDArray[Any]
    ends: NDArray[Any]
    codes: IntArray
    extent: Extent
    #: All possible categories; codes are indices into this table, -1 is no category.
    labels: tuple[str, ...]
    #: A share for each label.
    prevalence: NDArray[np.float64]
    #: Whether units have to stay inside the extent, because they are on a text.
    is_bounded: bool = False

    @property
    def n_units(self) -> int:
        """N: the number of units of the reference."""
        return len(self.starts)

    @property
    def is_whole(self) -> bool:
        return self.starts.dtype.kind == "i"

    def of_category(self, names: tuple[str, ...], codes: IntArray) -> Flags:
        """Which of the codes are those of these categories."""
        wanted = np.array([*(label in names for label in self.labels), False])  # the index -1 is the last entry
        return wanted[codes] if names else np.zeros(len(codes), dtype=bool)


@dataclass(frozen=True)
class Sheet:
    """The units of one annotator while errors are applied, and links from them to the units of the reference.

    A link connects a unit (-1: missed) with the number of a reference unit (-1: none, the unit was added), and says
    what was done to it. A merged unit has several links; the pieces of a split unit are linked to the same source.
    """

    starts: NDArray[Any]
    ends: NDArray[Any]
    codes: IntArray
    link_units: Indices
    link_sources: Indices
    link_done: NDArray[np.uint8]

    @classmethod
    def of(cls, starts: NDArray[Any], ends: NDArray[Any], codes: IntArray) -> Sheet:
        """The sheet of an annotator without errors: the reference."""
        numbers = np.arange(len(starts), dtype=np.int64)
        return cls(starts, ends, codes, numbers, numbers, np.zeros(len(starts), dtype=np.uint8))

    def __len__(self) -> int:
        return len(self.starts)

    def _flag_links(self, units: Flags, done: Done) -> NDArray[np.uint8]:
        """The flags of all links after this was done to these units."""
        touched = np.append(units, False)[self.link_units]  # the index -1 is the last entry
        return np.where(touched, self.link_done | np.uint8(done), self.link_done).astype(np.uint8)

    def moved(self, starts: NDArray[Any], ends: NDArray[Any]) -> Sheet:
        """The sheet with the units at other positions."""
        differ = (starts != self.starts) | (ends != self.ends)
        return replace(self, starts=starts, ends=ends, link_done=self._flag_links(differ, Done.MOVED))

    def recategorised(self, codes: IntArray) -> Sheet:
        """The sheet with other categories."""
        return replace(self, codes=codes, link_done=self._flag_links(codes != self.codes, Done.CATEGORY))

    def without(self, missed: Flags) -> Sheet:
        """The sheet without the units that were missed."""
        kept = np.flatnonzero(~missed)
        place = np.full(len(self) + 1, -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        return Sheet(
            self.starts[kept],
            self.ends[kept],
            self.codes[kept],
            place[self.link_units],
            self.link_sources,
            self._flag_links(missed, Done.MISSED),
        )

    def cut(self, owners: Indices, starts: NDArray[Any], ends: NDArray[Any]) -> Sheet:
        """The sheet with pieces instead of units: piece i is a part, or all, of unit `owners[i]`."""
        pieces = np.bincount(owners, minlength=len(self))
        link_done = self._flag_links(pieces > 1, Done.SPLIT)
        order = np.argsort(owners, kind="stable")
        firsts = np.cumsum(pieces) - pieces
        # Each link is repeated for every piece of its unit; links of missed units are kept once.
        lost = self.link_units < 0
        copies = np.where(lost, 1, np.append(pieces, 1)[self.link_units])
        link = repeat(np.arange(len(self.link_units)), copies)
        number = np.arange(len(link)) - repeat(np.cumsum(copies) - copies, copies)
        unit = np.where(lost[link], -1, np.append(firsts, 0)[self.link_units[link]] + number)
        return Sheet(
            starts[order],
            ends[order],
            self.codes[owners[order]],
            unit.astype(np.int64),
            self.link_sources[link],
            link_done[link],
        )

    def merged(self, groups: Indices, starts: NDArray[Any], ends: NDArray[Any], codes: IntArray) -> Sheet:
        """The sheet with units merged: unit i becomes part of the new unit `groups[i]`."""
        joined = np.bincount(groups, minlength=len(starts))[groups] > 1
        return Sheet(
            starts,
            ends,
            codes,
            np.append(groups, -1)[self.link_units],
            self.link_sources,
            self._flag_links(joined, Done.MERGED),
        )

    def with_added(self, starts: NDArray[Any], ends: NDArray[Any], codes: IntArray) -> Sheet:
        """The sheet with more units, which have no source in the reference."""
        count = len(starts)
        return Sheet(
            np.concatenate((self.starts, starts)),
            np.concatenate((self.ends, ends)),
            np.concatenate((self.codes, codes)),
            np.concatenate((self.link_units, np.arange(len(self), len(self) + count))),
            np.concatenate((self.link_sources, np.full(count, -1))),
            np.concatenate((self.link_done, np.full(count, Done.ADDED, dtype=np.uint8))),
        )
