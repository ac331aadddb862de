# SPDX-License-Identifier: MIT
"""Placing units near where they were, so that no two of them overlap."""

from __future__ import annotations

import math
from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.model import FloatArray


def place_apart(
    starts: FloatArray,
    ends: FloatArray,
    reach: FloatArray,
    least: FloatArray,
    low: float,
    high: float,
    random: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """New boundaries: in random order, each unit gets a uniform draw from the free places within its reach.

    This has the same distribution as drawing both boundaries again until the unit overlaps no unit placed before, but
    needs one draw only. The allowed pairs (start, end) form one region of the plane for each gap between placed units,
    a rectangle with a corner cut off; a region is chosen by its area, then a point in it. Units without reach stay and
    are placed first. Each placement depends on all earlier ones, so this is a plain loop.
    """
    first, last = starts.copy(), ends.copy()
    lefts, rights = _occupied_stretches(starts[reach <= 0], ends[reach <= 0])
    todo = random.permutation(np.flatnonzero(reach > 0))
    draws = random.random((len(todo), 3)).tolist()
    columns = zip(starts[todo].tolist(), ends[todo].tolist(), reach[todo].tolist(), least[todo].tolist(), strict=True)
    for unit, (start, end, within, length), draw in zip(todo.tolist(), columns, draws, strict=True):
        x, y, place = _point(start, end, within, length, low, high, lefts, rights, draw)
        first[unit], last[unit] = x, y
        lefts.insert(place, x)
        rights.insert(place, y)
    return first, last


def place_groups_apart(
    starts: FloatArray,
    ends: FloatArray,
    reach: FloatArray,
    least: FloatArray,
    groups: NDArray[np.int64],
    random: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """`place_apart` for the units of many groups at once; those of different groups may overlap.

    A unit that cannot come near another one is drawn without looking at them; only the others are placed in turn.
    """
    first, last = starts.copy(), ends.copy()
    alone = (reach > 0) & _find_isolated(starts - reach, ends + reach, groups)
    todo = np.flatnonzero(alone)
    while len(todo):
        shifts = (2 * random.random((2, len(todo))) - 1) * reach[todo]
        first[todo], last[todo] = starts[todo] + shifts[0], ends[todo] + shifts[1]
        todo = todo[last[todo] - first[todo] < least[todo]]
    left = np.where(alone, 0.0, reach)
    order = np.argsort(groups, kind="stable")
    bounds = np.flatnonzero(np.diff(groups[order])) + 1
    for members in np.split(order, bounds):
        if (left[members] > 0).any():
            first[members], last[members] = place_apart(
                first[members], last[members], left[members], least[members], -math.inf, math.inf, random
            )
    return first, last


def _find_isolated(lefts: FloatArray, rights: FloatArray, groups: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which stretches overlap no other one of their group."""
    order = np.lexsort((lefts, groups))
    # The furthest end so far in each group; ends are compared as ranks, which is exact for any positions.
    positions, rank = np.unique(rights[order], return_inverse=True)
    furthest = np.maximum.accumulate(groups[order] * len(positions) + rank)
    is_new = np.append(True, np.diff(groups[order]) > 0)[: len(order)]
    before = positions[np.append(0, furthest[:-1])[: len(order)] % max(len(positions), 1)]
    begins = is_new | (lefts[order] >= before)
    result = np.empty(len(order), dtype=bool)
    result[order] = begins & np.append(begins[1:], True)[: len(order)]
    return result


def _occupied_stretches(starts: FloatArray, ends: FloatArray) -> tuple[list[float], list[float]]:
    """Starts and ends of the stretches that units cover, with overlapping ones joined."""
    order = np.argsort(starts, kind="stable")
    starts, until = starts[order], np.maximum.accumulate(ends[order])
    if not len(starts):
        return [], []
    opens = np.concatenate(([True], starts[1:] >= until[:-1]))
    return starts[opens].tolist(), until[np.append(np.flatnonzero(opens)[1:] - 1, len(starts) - 1)].tolist()


def _point(
    start: float,
    end: float,
    within: float,
    least: float,
    low: float,
    high: float,
    lefts: list[float],
    rights: list[float],
    draw: list[float],
) -> tuple[float, float, int]:
    """A random start and end for a unit, and its index among the placed units."""
    while True:
        pieces: list[tuple[float, float, float, float, float, int]] = []  # the first member is the area up to here
        total = 0.0
        place = bisect_right(rights, start - within)
        while True:
            free_from = rights[place - 1] if place else low
            if free_from > start + within:
                break
            free_to = lefts[place] if place < len(lefts) else high
            x0, x1 = max(free_from, start - within), min(free_to, start + within)
            y0, y1 = max(free_from, end - within), min(free_to, end + within)
            x1 = min(x1, y1 - least)
            if x1 > x0 and y1 > y0:
                bend = min(max(y0 - least, x0), x1)  # beyond this start, the least length limits the end
                total += (bend - x0) * (y1 - y0) + ((y1 - least - bend) ** 2 - (y1 - least - x1) ** 2) / 2
                pieces.append((total, x0, x1, y0, y1, place))
            if place == len(lefts):
                break
            place += 1
        if total > 0:
            break
        if start - within < low and end + within > high:
            raise ParameterError.of(
                f"there is no room left between {low:g} and {high:g} for units that may not overlap",
                "Let them move beyond the extent, or make fewer or shorter units.",
                code="no-room",
            )
        within *= 2
    chosen = min(bisect_right(pieces, (draw[0] * total, math.inf)), len(pieces) - 1)
    until, x0, x1, y0, y1, place = pieces[chosen]
    area = draw[1] * (until - (pieces[chosen - 1][0] if chosen else 0.0))
    bend = min(max(y0 - least, x0), x1)
    flat = (bend - x0) * (y1 - y0)
    if area < flat:
        x = x0 + area / (y1 - y0)
    else:
        height = y1 - least - bend
        x = y1 - least - math.sqrt(max(height * height - 2 * (area - flat), 0.0))
    x = min(max(x, x0), x1)
    shortest = max(y0, x + least)
    return x, shortest + draw[2] * (y1 - shortest), place
