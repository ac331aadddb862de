# SPDX-License-Identifier: MIT
"""The extent of a continuum: guessed where it was not given, checked against the units, common to two continua."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.errors import Problem, UnitError
from unisono.model.units import Extent, IntArray, PositionArray
from unisono.settings.bounds import LARGEST_POSITION


def guess_extent(starts: PositionArray, ends: PositionArray, text: str | None) -> Extent | None:
    """The length of the text where there is one, otherwise from the first start to the last end; None without units."""
    if text is not None:
        return Extent(0, len(text), "text")
    if len(starts) == 0:
        return None
    return Extent(starts.min().item(), ends.max().item(), "guessed")


def check_extent(
    extent: Extent,
    starts: PositionArray,
    ends: PositionArray,
    annotator_codes: IntArray,
    annotators: Sequence[str],
    *,
    where: str,
) -> None:
    """Raise a UnitError if the extent passes the largest position, or for each unit that is not inside it.

    where: the document.
    """
    if not all(abs(bound) <= LARGEST_POSITION for bound in (extent.start, extent.end)):
        raise UnitError.of(
            f"the extent [{extent.start:g}, {extent.end:g}) passes the largest position, 2**53",
            "Correct [[extent]].",
            where=where,
            code="bad-bounds",
        )
    outside = np.flatnonzero((starts < extent.start) | (ends > extent.end))
    if not len(outside):
        return
    raise UnitError(
        [
            Problem(
                "outside-extent",
                "error",
                where,
                f"the unit {starts[i]}-{ends[i]} of {annotators[annotator_codes[i]]} is not inside the extent "
                f"[{extent.start}, {extent.end})",
                "Widen [[extent]], or correct the unit.",
            )
            for i in outside.tolist()
        ]
    )


def common_extent(first: Extent | None, second: Extent | None) -> Extent | None:
    """The extent that covers both; it counts as guessed if one of them is."""
    if first is None or second is None:
        return first or second
    source = first.source if second.source != "guessed" else second.source
    unit = first.unit if first.unit == second.unit else None
    return Extent(min(first.start, second.start), max(first.end, second.end), source, unit)
