# SPDX-License-Identifier: MIT
"""What the disorder is made of: the positions and the categories of every two aligned units, and empty units.

Eq. 6 of Mathet et al. 2015 is a mean over the pairs of a unitary alignment, and Eq. 5 a sum of a positional and a
categorial part. The parts of all groups sum to the disorder; the value of a corpus weights documents in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices, sums
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import CATEGORY, Continuum, Feature, FloatArray
from unisono.results import Result


@dataclass(frozen=True)
class Costs:
    """The dissimilarities of aligned pairs, each divided by the number of pairs of its group.

    u, v: the units of each pair. positional, categorial: its parts of the disorder. empty: what a pair of a unit and
    an empty one costs, for each group.
    """

    units: AlignedUnits
    u: Indices
    v: Indices
    positional: FloatArray
    categorial: FloatArray
    empty: FloatArray

    @classmethod
    def of(cls, units: AlignedUnits, dissimilarity: CombinedDissimilarity) -> Costs:
        u, v = aligned_pairs(units)
        n_pairs = units.n_seats * (units.n_seats - 1) / 2
        share = 1 / n_pairs[units.group[u]]
        together = _one_continuum(units, dissimilarity.feature)
        first, second = u.astype(np.int32), v.astype(np.int32)
        nothing = np.zeros(len(u))
        positional = categorial = nothing
        if dissimilarity.alpha:
            positional = share * replace(dissimilarity, beta=0.0).between(together, first, second)
        if dissimilarity.beta:
            categorial = share * replace(dissimilarity, alpha=0.0).between(together, first, second)
        return cls(units, u, v, positional, categorial, dissimilarity.delta_empty / n_pairs)

    @cached_property
    def group_positional(self) -> FloatArray:
        return sums(self.units.group[self.u], self.positional, self.units.n_groups)

    @cached_property
    def group_categorial(self) -> FloatArray:
        return sums(self.units.group[self.u], self.categorial, self.units.n_groups)

    @cached_property
    def group_empty(self) -> FloatArray:
        """What is left of the disorder: pairs with an empty unit."""
        return np.maximum(self.units.disorder - self.group_positional - self.group_categorial, 0.0)

    @cached_property
    def total(self) -> float:
        """The disorder of all groups; a tiny number instead of 0, so that shares of it are defined."""
        return max(float(self.units.disorder.sum()), 1e-300)

    @cached_property
    def overlaps(self) -> Flags:
        """Which pairs share some length; two equal points do."""
        units = self.units
        first = np.maximum(units.start[self.u], units.start[self.v])
        last = np.minimum(units.end[self.u], units.end[self.v])
        points = (units.length[self.u] == 0) & (units.length[self.v] == 0)
        return np.asarray((first < last) | ((first == last) & points))


def dissimilarity_of(result: Result) -> CombinedDissimilarity:
    """The dissimilarity of a result; for a loaded result, or one with a function of the user's, the closest known one.

    It decides how findings are ordered, not whether they are made.
    """
    if isinstance(result.dissimilarity, CombinedDissimilarity):
        return result.dissimilarity
    weights = {
        name: result.parameters[name]
        for name in ("alpha", "beta", "delta_empty")
        if isinstance(result.parameters.get(name), int | float)
    }
    return CombinedDissimilarity(**weights)


def aligned_pairs(units: AlignedUnits) -> tuple[Indices, Indices]:
    """Every pair of units in one group."""
    us, vs = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.flatnonzero(np.bincount(units.size[units.size > 1])).tolist():
        members = units.first_unit[:-1][units.size == size][:, None] + np.arange(size)
        i, j = np.triu_indices(size, k=1)
        us.append(members[:, i].reshape(-1))
        vs.append(members[:, j].reshape(-1))
    return np.concatenate(us), np.concatenate(vs)


def _one_continuum(units: AlignedUnits, feature: str) -> Continuum:
    """All units as if they were of one document, so that one call compares every pair."""
    labels = Feature(units.label.astype(np.int32), units.labels)
    return Continuum.canonical(
        starts=units.start,
        ends=units.end,
        annotator_codes=np.zeros(len(units), dtype=np.int32),
        annotators=("",),
        features={CATEGORY: labels, feature: labels},
    )
