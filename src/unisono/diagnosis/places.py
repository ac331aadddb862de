# SPDX-License-Identifier: MIT
"""Typical places of what was found: up to three, in different documents where there are some."""

from __future__ import annotations

import numpy as np

from unisono.diagnosis.alignment_columns import AlignedUnits, Indices
from unisono.diagnosis.finding import MOST_PLACES, Place


def places_of(units: AlignedUnits, groups: Indices) -> tuple[Place, ...]:
    """The first of these groups, the next ones from other documents before further ones from the same."""
    if not len(groups):
        return ()
    _, first = np.unique(units.group_document[groups], return_index=True)
    again = np.ones(len(groups), dtype=bool)
    again[first] = False
    chosen = groups[np.argsort(again, kind="stable")][:MOST_PLACES]
    found = []
    for group in chosen.tolist():
        members = slice(units.first_unit[group], units.first_unit[group + 1])
        found.append(
            Place(
                units.documents[units.group_document[group]],
                float(units.start[members].min()),
                float(units.end[members].max()),
            )
        )
    return tuple(found)
