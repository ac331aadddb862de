# SPDX-License-Identifier: MIT
"""uα of 2013: agreement on where the units are and on their categories, by lengths of intersections, squared.

The c|uα of 2013 is `cu-alpha` (unitizing_2016.py): both editions define it alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.measures.chunks import Index
from unisono.measures.items import categorial_of
from unisono.measures.krippendorff import one_minus
from unisono.measures.resolved import Resolved
from unisono.measures.sections import ONE_VALUE, check_no_overlap, intersections, units_of
from unisono.measures.undefined import returns_undefined
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue

#: Up to this many sections are compared all with all, which is faster than splitting them further.
FEW = 64


@returns_undefined
def u_alpha_2013(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """uα = 1 - Do / De of Krippendorff 2013, from p. 310, as Mathet et al. 2015, section 6.1.1, print and use it.

    Do: the squared lengths of all intersections of sections of different values, over L m (m - 1). De: for every
    ordered pair of distinct sections of different values, of whichever annotators, one is slid along the other and the
    squared lengths of what they share are summed; over (mL)² - Σ ℓ². Documents with different numbers of annotators:
    each document's intersections weigh 1 / (m - 1), and mL is summed over the documents.
    Lengths are integers: positions, or steps. Without either, the limit of ever smaller steps (noted in the value).
    Undefined: units of one annotator that overlap; no units; De = 0, where all is one value.
    Krippendorff et al. 2016 replaced it, because it is wrong for more than two annotators.

    >>> rows = {"ann": [(2, 17, 1), (22, 37, 1), (58, 68, 2), (70, 75, 4)],
    ...         "bob": [(2, 17, 1), (32, 45, 3), (58, 63, 1), (70, 75, 4)]}
    >>> found = u_alpha_2013([Continuum.of(rows, extent=(0, 76))], Resolved())
    >>> round(found.observed, 3), round(found.expected, 3), round(found.value, 3)
    (3.145, 5.286, 0.405)
    """
    units = units_of(continua, settings, categorial_of(settings).feature)
    check_no_overlap(units)
    sections = units.with_gaps().sort()
    squares = 0.0
    for shared in intersections(sections):
        differ = sections.value[shared.p] != sections.value[shared.q]
        squares += float(np.sum((shared.lengths**2 / sections.others[sections.document[shared.p]])[differ]))
    total = sections.total
    observed = 2 * squares / total
    pairs = sliding_overlap(sections.lengths, sections.value, sections.atom)
    expected = 2 * pairs / (total**2 - float(np.sum(sections.lengths**2)))
    return one_minus(observed, expected, ONE_VALUE, notes=units.notes, left_out=units.left_out)


def sliding_overlap(lengths: FloatArray, values: Index, atom: float) -> float:
    """Over unordered pairs of sections of different values: the squared lengths shared as one slides along the other.

    For lengths a ≤ b that is (b - a + 1) a² + (a - 1) a (2a - 1) / 3 = b a² - (a³ - a) / 3; in the limit of small
    steps the last a vanishes. The set of values is halved recursively, and the halves are compared by prefix sums.
    Every term is positive and nothing is subtracted from a larger sum, so that small units keep their digits among
    long gaps. Each halving takes n log n time.
    """
    order = np.lexsort((lengths, values))
    return _sliding_overlap(lengths[order], values[order], atom)


def _sliding_overlap(lengths: FloatArray, values: Index, atom: float) -> float:
    n = len(values)
    if n == 0 or values[0] == values[-1]:
        return 0.0
    if n <= FEW:
        a, b = np.minimum.outer(lengths, lengths), np.maximum.outer(lengths, lengths)
        shared = b * a**2 - (a**3 - atom * a) / 3
        return float(np.sum(np.triu(shared * (values[:, None] != values))))
    middle = values[n // 2]
    low, high = int(np.searchsorted(values, middle)), int(np.searchsorted(values, middle, side="right"))
    cut = high if low == 0 or (high < n and high - n // 2 < n // 2 - low) else low
    halves = lengths[:cut], lengths[cut:]
    across = _overlap_with_longer(np.sort(halves[0]), halves[1], "right", atom) + _overlap_with_longer(
        np.sort(halves[1]), halves[0], "left", atom
    )
    return across + _sliding_overlap(halves[0], values[:cut], atom) + _sliding_overlap(halves[1], values[cut:], atom)


def _overlap_with_longer(shorter: FloatArray, longer: FloatArray, side: str, atom: float) -> float:
    """Each section of one half against those of the other half that are longer, or as long if side is `right`."""
    until = np.searchsorted(shorter, longer, side=side)  # type: ignore[call-overload]
    squares = np.concatenate(([0.0], np.cumsum(shorter**2)))
    cubes = np.concatenate(([0.0], np.cumsum((shorter**3 - atom * shorter) / 3)))
    return float(np.sum(longer * squares[until] - cubes[until]))
