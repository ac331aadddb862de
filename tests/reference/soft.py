# SPDX-License-Identifier: MIT
"""The slow twin of the best soft alignment: the cheapest cover, over all sets of covered units."""

from __future__ import annotations

from math import inf

from reference.alignment import costs
from reference.dissimilarity import Pairwise
from unisono.model import Continuum


def best_cover(continuum: Continuum, d: Pairwise, delta_empty: float) -> float:
    """The least summed disorder of unitary alignments that hold each unit at least once, over the mean number of units.

    least[s] is the cheapest way to cover at least the units of the bit set s: every unitary alignment is added to
    every set. Sets only grow, so each is final when its turn comes.
    """
    columns = [(sum(1 << i for i in members), cost) for members, cost in costs(continuum, d, delta_empty).items()]
    full = (1 << len(continuum)) - 1
    least = [inf] * (full + 1)
    least[0] = 0.0
    for covered in range(full + 1):
        if least[covered] == inf:
            continue
        for column, cost in columns:
            least[covered | column] = min(least[covered | column], least[covered] + cost)
    return least[full] / continuum.mean_units
