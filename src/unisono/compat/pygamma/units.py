# SPDX-License-Identifier: MIT
"""Segments, units and sorted sets, so that neither pyannote.core nor sortedcontainers is needed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import total_ordering
from typing import Any, Generic, Protocol, TypeVar, overload

Item = TypeVar("Item")

#: Segments that are not longer than this have no length: pyannote.core's precision.
SHORTEST = 1e-6


class AnySegment(Protocol):
    """A segment of ours or of pyannote.core."""

    @property
    def start(self) -> float:
        """Where it begins."""

    @property
    def end(self) -> float:
        """Where it ends."""

    @property
    def duration(self) -> float:
        """Its length, 0 where it ends before it begins."""


@total_ordering
@dataclass(frozen=True, eq=False, repr=False)
class Segment:
    """A stretch of the continuum; equal to a segment of pyannote.core with the same start and end.

    >>> Segment(2, 9), Segment(2, 9).duration, Segment(9, 2).duration
    (<Segment(2, 9)>, 7, 0.0)
    """

    start: float = 0.0
    end: float = 0.0

    @property
    def duration(self) -> float:
        return self.end - self.start if self else 0.0

    @property
    def middle(self) -> float:
        return 0.5 * (self.start + self.end)

    def __bool__(self) -> bool:
        return bool(self.end - self.start > SHORTEST)

    def __iter__(self) -> Iterator[float]:
        return iter((self.start, self.end))

    def __eq__(self, other: object) -> bool:
        ends = _ends(other)
        return NotImplemented if ends is None else (self.start, self.end) == ends

    def __lt__(self, other: object) -> bool:
        ends = _ends(other)
        return NotImplemented if ends is None else (self.start, self.end) < ends

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def __repr__(self) -> str:
        return f"<Segment({self.start:g}, {self.end:g})>"


def _ends(segment: Any) -> tuple[float, float] | None:
    return (segment.start, segment.end) if hasattr(segment, "start") and hasattr(segment, "end") else None


@total_ordering
@dataclass(frozen=True)
class Unit:
    """A segment with its category (`annotation`), ordered by segment, then by category, None first."""

    segment: AnySegment
    annotation: str | None = None

    def __lt__(self, other: Unit) -> bool:
        return self._key() < other._key()

    def _key(self) -> tuple[float, float, bool, str]:
        return self.segment.start, self.segment.end, self.annotation is not None, self.annotation or ""


class SortedSet(Set[Item], Generic[Item]):
    """A sorted set that can be indexed; what `annotators`, `categories` and `continuum[annotator]` are.

    >>> names = SortedSet(["b", "a"])
    >>> names, names[0], names.index("b"), "c" in names
    (SortedSet(['a', 'b']), 'a', 1, False)
    """

    def __init__(self, items: Iterable[Item] = ()):
        self._items: list[Any] = sorted(set(items))

    def __contains__(self, item: object) -> bool:
        return item in self._items

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        return self._items[index]

    def index(self, item: Item) -> int:
        """The place of the item; ValueError where it is not there."""
        if item not in self._items:
            raise ValueError(f"{item!r} is not in the set")
        return bisect_left(self._items, item)

    def issuperset(self, other: Iterable[Item]) -> bool:
        return set(self._items) >= set(other)

    def issubset(self, other: Iterable[Item]) -> bool:
        return set(self._items) <= set(other)

    def __repr__(self) -> str:
        return f"SortedSet({self._items!r})"
