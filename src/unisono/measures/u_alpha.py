# SPDX-License-Identifier: MIT
"""uα of 2013: agreement on where the units are and on their categories, by lengths of intersections, squared.

The c|uα of 2013 is `cu-alpha` (unitizing_2016.py): both editions define it alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unisono.measures.items import categorial_of
from unisono.measures.krippendorff import one_minus
from unisono.measures.sections import Index, intersections, overlap, units_of
from unisono.measures.settings import Settings
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue

#: So few sections are compared all with all: to split them further would take longer.
FEW = 64


def u_alpha_2013(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """uα = 1 - Do / De of Krippendorff 2013, from p. 310, as Mathet et al. 2015, section 6.1.1, print and use it.

    Do: the squared lengths of all intersections of sections of different values, over L m (m - 1). De: for every
    ordered pair of distinct sections of different values, of whichever annotators, one is slid along the other and the
    squared lengths of what they share are summed; over (mL)² - Σ ℓ². Documents with different numbers of annotators:
    each document's intersections weigh 1 / (m - 1), and mL is summed over the documents.
    Lengths are integers: positions, or steps. Without either, the limit of ever smaller steps (noted in the value).
    Undefined: units of one annotator that overlap; no units; De = 0, where all is one value.
    Krippendorff et al. 2016 replaced it, because it does not do what it should for more than two annotators.

    >>> rows = {"ann": [(2, 17, 1), (22, 37, 1), (58, 68, 2), (70, 75, 4)],
    ...         "bob": [(2, 17, 1), (32, 45, 3), (58, 63, 1), (70, 75, 4)]}
    >>> found = u_alpha_2013([Continuum.of(rows, extent=(0, 76))], Settings())
    >>> round(found.observed, 3), round(found.expected, 3), round(found.value, 3)
    (3.145, 5.286, 0.405)
    """
    units = units_of(continua, settings, categorial_of(settings).feature)
    problem = units if isinstance(units, str) else overlap(units)
    if isinstance(units, str) or problem:
        return MeasureValue(None, reason=problem)
    sections = units.with_gaps().ordered()
    squares = 0.0
    for found in intersections(sections):
        differ = sections.value[found.p] != sections.value[found.q]
        squares += float(np.sum((found.lengths**2 / sections.others[sections.document[found.p]])[differ]))
    total = sections.total
    observed = 2 * squares / total
    pairs = slid(sections.lengths, sections.value, sections.atom)
    expected = 2 * pairs / (total**2 - float(np.sum(sections.lengths**2)))
    reason = "the expected disagreement is 0: all sections have one value"
    return one_minus(observed, expected, reason, notes=units.notes)


def slid(lengths: FloatArray, values: Index, atom: float) -> float:
    """Over unordered pairs of sections of different values: the squared lengths shared, one slid along the other.

    For a ≤ b that is (b - a + 1) a² + (a - 1) a (2a - 1) / 3 = b a² - (a³ - a) / 3; in the limit of small steps the
    last a is gone. The values are halved again and again, each half is held against the other by prefix sums: every
    term is positive and nothing is subtracted from a larger sum, so that small units keep their digits among long
    gaps. Time n log n for each halving.
    """
    order = np.lexsort((lengths, values))
    return _slid(lengths[order], values[order], atom)


def _slid(lengths: FloatArray, values: Index, atom: float) -> float:
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
    across = _not_longer(np.sort(halves[0]), halves[1], "right", atom) + _not_longer(
        np.sort(halves[1]), halves[0], "left", atom
    )
    return across + _slid(halves[0], values[:cut], atom) + _slid(halves[1], values[cut:], atom)


def _not_longer(shorter: FloatArray, longer: FloatArray, side: str, atom: float) -> float:
    """Each of one half slid along those of the other half that are longer, or as long (`right`)."""
    until = np.searchsorted(shorter, longer, side=side)  # type: ignore[call-overload]
    squares = np.concatenate(([0.0], np.cumsum(shorter**2)))
    cubes = np.concatenate(([0.0], np.cumsum((shorter**3 - atom * shorter) / 3)))
    return float(np.sum(longer * squares[until] - cubes[until]))
