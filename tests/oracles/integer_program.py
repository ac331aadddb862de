# SPDX-License-Identifier: MIT
"""The independent integer program (2015, section 5.1.2): every tuple enumerated, solved by scipy's milp (HiGHS)."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import csc_array

from reference.dissimilarity import Pairwise
from unisono.model import Continuum


def n_tuples(continuum: Continuum) -> int:
    """How many unitary alignments there are, the empty one included."""
    return int(np.prod([count + 1 for count in continuum.counts.tolist()]))


def enumerated(continuum: Continuum, d: Pairwise, delta_empty: float) -> tuple[NDArray, NDArray]:
    """Every tuple (one column of unit numbers for each annotator, -1 for the empty unit) and its disorder, Eq. 6."""
    units = list(continuum)
    rows = [[-1, *np.flatnonzero(continuum.annotator_codes == a)] for a in range(continuum.n_annotators)]
    total = np.zeros([len(row) for row in rows])
    for a, b in combinations(range(len(rows)), 2):
        pair = [[delta_empty if i < 0 or j < 0 else d(units[i], units[j]) for j in rows[b]] for i in rows[a]]
        shape = [len(row) if c in (a, b) else 1 for c, row in enumerate(rows)]
        total += np.reshape(pair, shape)
    tuples = np.stack([grid.ravel() for grid in np.meshgrid(*rows, indexing="ij")], axis=1)
    return tuples[1:], total.ravel()[1:] / comb(len(rows), 2)  # the first tuple is wholly empty


def solved(continuum: Continuum, d: Pairwise, delta_empty: float, *, pruned: bool = False) -> float:
    """The disorder of the best alignment, by integer programming over all tuples.

    `pruned` leaves out the tuples that cost more than their units alone, which no best alignment contains
    (Eq. 9, sharpened: r units alone cost r times delta_empty).
    """
    tuples, costs = enumerated(continuum, d, delta_empty)
    kept = np.isfinite(costs)
    if pruned:
        kept &= costs <= (tuples >= 0).sum(axis=1) * delta_empty + 1e-9
    tuples, costs = tuples[kept], costs[kept]
    column, position = np.nonzero(tuples >= 0)
    incidence = csc_array(
        (np.ones(len(column)), (tuples[column, position], column)), shape=(len(continuum), len(costs))
    )
    every_unit_once = LinearConstraint(incidence, 1, 1)
    result = milp(costs, integrality=np.ones(len(costs)), constraints=every_unit_once, options={"mip_rel_gap": 0})
    assert result.success, result.message
    chosen = np.round(result.x).astype(bool)
    return float(costs[chosen].sum() / continuum.mean_units)
