# SPDX-License-Identifier: MIT
"""αU of 1995: the squared distances between the boundaries of overlapping units, category by category."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.measures.chunks import Index, sum_by_code
from unisono.measures.items import categorial_of
from unisono.measures.krippendorff import one_minus
from unisono.measures.resolved import Resolved
from unisono.measures.sections import Sections, SharedLengths, check_no_overlap, intersections, units_of
from unisono.measures.undefined import returns_undefined
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode


@returns_undefined
def alpha_u_1995(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """αU = 1 - Σ Do_c / Σ De_c over the categories c, and 1 - Do_c / De_c for each.

    Definition: Krippendorff 1995 (2004, chapter 11). Do_c = 2 Σ δ² / (m (m - 1) L²) over the pairs of annotators,
    δ² = (difference of the starts)² + (difference of the ends)² for two units of c that intersect, ℓ² for a unit of c
    that lies in a gap of the other annotator, a gap being what is not c.
    De_c = (2 / L) Σ over units [(N - 1) / 3 · (2ℓ³ - 3ℓ² + ℓ) + ℓ² Σ over gaps g ≥ ℓ of (g - ℓ + 1)] over
    mL (mL - 1) - Σ ℓ (ℓ - 1), N the number of units of c, with the gaps of all annotators.
    Lengths are integers: positions, or steps; otherwise the limit of ever smaller steps (noted in the value).
    Documents with different numbers of annotators: as in uα, 1 / (m - 1) for each, and mL summed.
    Undefined: overlapping units of one category by one annotator (of different categories they may overlap); no units.

    >>> rows = {"ann": [(225, 295, "c"), (370, 400, "c"), (180, 240, "k"), (300, 350, "k")],
    ...         "bob": [(220, 300, "c"), (355, 375, "c"), (400, 420, "c"), (180, 240, "k"), (300, 350, "k")]}
    >>> found = alpha_u_1995([Continuum.of(rows, extent=(150, 450))], Resolved())
    >>> round(found.value, 4), {c: round(value.value, 4) for c, value in found.per_category.items()}
    (0.8587, {'c': 0.7286, 'k': 1.0})
    """
    units = units_of(continua, settings, categorial_of(settings).feature)
    check_no_overlap(units, within_values=True)
    observed, expected = _observed(units), _expected(units)
    reason = Reason(
        ReasonCode.NO_EXPECTED_DISAGREEMENT,
        "the expected disagreement is 0: there is nowhere else for the units to be",
    )
    return one_minus(
        float(observed.sum()),
        float(expected.sum()),
        reason,
        per_category={
            label: one_minus(float(observed[c]), float(expected[c]), reason) for c, label in enumerate(units.labels)
        },
        notes=units.notes,
        left_out=units.left_out,
    )


def _observed(units: Sections) -> FloatArray:
    """Do_c for each category."""
    units, size = units.sort(within_values=True), len(units.labels)
    sums, shared = np.zeros(size), SharedLengths(units)
    alone = units.others[units.document]  # annotators who have no unit of this category there
    for shared_parts in intersections(units, within_values=True):
        p, q = shared_parts.p, shared_parts.q
        squares = (units.starts[p] - units.starts[q]) ** 2 + (units.ends[p] - units.ends[q]) ** 2
        sums += sum_by_code(units.value[p], squares / units.others[units.document[p]], size)
        alone -= np.bincount(shared.add(shared_parts).unit, minlength=len(alone))
    sums += sum_by_code(units.value, units.lengths**2 * alone / units.others[units.document], size)
    return 2 * sums / (units.total * units.length)


def _expected(units: Sections) -> FloatArray:
    """De_c for each category."""
    atom, total, size, n_places = units.atom, units.total, len(units.labels), len(units.place_starts)
    # The gaps of a category: those between its units, and the whole of every place without such a unit. The latter
    # are computed as all places less those with one, so that no loop runs over categories times places.
    keys, which = np.unique(units.value * n_places + units.place, return_inverse=True)
    value, place = np.divmod(keys, n_places)
    between = replace(
        units,
        place=which,
        place_starts=units.place_starts[place],
        place_ends=units.place_ends[place],
        place_document=units.place_document[place],
    ).gaps()
    everywhere = _Stretches(units.place_lengths)
    lengths = _split_by_value(units.value, units.lengths, size)
    gaps = _split_by_value(value[between.place], between.lengths, size)
    taken = _split_by_value(value, units.place_lengths[place], size)
    sums = np.zeros(size)
    for c, (ours, free, marked) in enumerate(zip(lengths, gaps, taken, strict=True)):
        within = (len(ours) - 1) / 3 * (2 * ours**3 - 3 * atom * ours**2 + atom * ours)
        room = _Stretches(free).room(ours, atom) + everywhere.room(ours, atom) - _Stretches(marked).room(ours, atom)
        pairs = total * (total - atom) - float(np.sum(ours * (ours - atom)))
        sums[c] = float(np.sum(within + ours**2 * room)) / pairs
    return 2 * sums / units.length


class _Stretches:
    """Stretches of a continuum, and the number of positions that a unit of some length could take in them."""

    def __init__(self, lengths: FloatArray) -> None:
        self._sorted = np.sort(lengths)
        self._sums_from = np.concatenate((np.cumsum(self._sorted[::-1])[::-1], [0.0]))

    def room(self, lengths: FloatArray, atom: float) -> FloatArray:
        """Σ over stretches g ≥ ℓ of (g - ℓ + 1), for each length ℓ."""
        first = np.searchsorted(self._sorted, lengths)
        room: FloatArray = self._sums_from[first] - (len(self._sorted) - first) * (lengths - atom)
        return room


def _split_by_value(value: Index, lengths: FloatArray, size: int) -> list[FloatArray]:
    """The lengths of each value."""
    order = np.argsort(value, kind="stable")
    return np.split(lengths[order], np.searchsorted(value[order], np.arange(1, size)))
