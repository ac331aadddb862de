# SPDX-License-Identifier: MIT
"""The unitizing alphas of 2016: uα and |uα on the whole continuum, cuα and kα on the intersections of units.

Krippendorff, Mathet, Bouvry and Widlöcher 2016 (Krippendorff 2019, section 12.6). Where documents have different
numbers m of annotators, the intersections of a document have the weight 1 / (m - 1), as the items of α do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.errors import InputError
from unisono.measures.chunks import Tally, sum_by_code
from unisono.measures.items import categorial_of
from unisono.measures.krippendorff import one_minus
from unisono.measures.metric import Metric
from unisono.measures.resolved import Resolved
from unisono.measures.sections import ONE_VALUE, Sections, SharedLengths, check_no_overlap, intersections, units_of
from unisono.measures.undefined import GIVEN_PER_CATEGORY, UndefinedError, returns_undefined, wrong_labels
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode


@returns_undefined
def u_alpha(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """uα: do the annotators agree on the units and their categories, gaps included? Nominal.

    ℓ_ck: lengths of the intersections of c with k, a gap being a value, over m - 1; T = Σ ℓ_ck = mL.
    ε_ck = T (ℓ_c ℓ_k - [c = k] t_c) / (T² - Σ t), with t = ℓ² for each unit and ℓ for each gap (whose atoms are no
    unit: 0 in the limit of ever smaller steps). uα = 1 - (T - Σ ℓ_cc) / (T - Σ ε_cc); both are given here over T.
    Undefined: units of one annotator that overlap; no units; De = 0, where all is one value.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "B")]}
    >>> round(u_alpha([Continuum.of(rows, extent=(0, 12))], Resolved()).value, 3)
    0.889
    """
    return _alpha_of_sections(_disjoint_units(continua, settings))


@returns_undefined
def bar_u_alpha(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """|uα: do they agree on what is a unit and what is not, whatever the categories? As `u_alpha`, with one category.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "B"), (6, 9, "A")]}
    >>> bar_u_alpha([Continuum.of(rows, extent=(0, 12))], Resolved()).value
    1.0
    """
    return _alpha_of_sections(_disjoint_units(continua, settings), is_binary=True)


@returns_undefined
def cu_alpha(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """cuα: where units of two annotators intersect, do they agree on the category? Any metric; the c|uα of 2013.

    1 - Σ ℓ*_ck δ²_ck / Σ ε*_ck δ²_ck, with ℓ* as in `u_alpha` but without the gaps, T* = Σ ℓ*_ck and
    ε*_ck = T* (ℓ*_c ℓ*_k - [c = k] t_c) / (T*² - Σ t), t_c = Σ over units of c and other annotators j of the squared
    length shared with j's units, over m - 1. Observed and expected are given over T*. It does not depend on the
    scale of the positions. Undefined: no two units intersect; De = 0, where all that intersect have one category;
    T*² not above Σ t, where of more than two annotators only few have units that intersect.
    Units of one annotator may overlap (2015, section 6.3.4, does so); each intersection then counts.
    Another public program squares the length that the union of the other annotators covers instead; the published
    examples (0.744, 0.715, 0.08) agree with both, and for two annotators both are the same.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "B")]}
    >>> cu_alpha([Continuum.of(rows)], Resolved()).value
    1.0
    """
    coincidences = _coincidences(continua, settings)
    observed, expected = float(coincidences.observed.sum()), float(coincidences.expected.sum())
    total = coincidences.total
    reason = Reason(
        ReasonCode.NO_EXPECTED_DISAGREEMENT,
        "the expected disagreement is 0: all units that intersect have one category",
    )
    return one_minus(
        observed / total, expected / total, reason, notes=coincidences.notes, left_out=coincidences.left_out
    )


@returns_undefined
def k_alpha(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """kα, for each category k: where one annotator has k, do the others who marked a unit there have it too?

    1 - (Σ_c ℓ*_ck δ²_ck / ℓ*_k) / (Σ_c ε*_ck δ²_ck / ε*_k), with the letters of `cu_alpha`. There is no overall value:
    that is cuα. Undefined for a category: no unit of it intersects another annotator's unit; De = 0.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "A")]}
    >>> {k: round(v.value, 3) for k, v in k_alpha([Continuum.of(rows)], Resolved()).per_category.items()}
    {'A': 0.066, 'B': 0.0}
    """
    coincidences = _coincidences(continua, settings)
    return MeasureValue.undefined(
        GIVEN_PER_CATEGORY,
        per_category={label: coincidences.category(k) for k, label in enumerate(coincidences.labels)},
        notes=coincidences.notes,
        left_out=coincidences.left_out,
    )


#: With more than two annotators of whom few have units that intersect, T*² - Σ t may be 0 or negative: ε* is then
#: undefined.
_TOO_FEW = Reason(
    ReasonCode.TOO_FEW_INTERSECTIONS,
    "too few units of different annotators intersect to say what to expect by chance",
)
_NO_INTERSECTION = Reason(ReasonCode.NO_INTERSECTION, "needs units of two annotators that intersect: no two of them do")
_CATEGORY_ALONE = Reason(ReasonCode.CATEGORY_ABSENT, "no unit of this category intersects a unit of another annotator")
_NOTHING_ELSE = Reason(
    ReasonCode.NO_EXPECTED_DISAGREEMENT, "the expected disagreement is 0: nothing else intersects it"
)


def _disjoint_units(continua: Sequence[Continuum], settings: Resolved) -> Sections:
    """The units, of which no two of one annotator overlap."""
    units = units_of(continua, settings, categorial_of(settings).feature)
    check_no_overlap(units)
    return units


def _alpha_of_sections(units: Sections, *, is_binary: bool = False) -> MeasureValue:
    """uα; with `is_binary` |uα, in which all units have one value and gaps the other; t is that of single units."""
    sections = units.with_gaps().sort()
    is_gap = sections.value == sections.gap
    value = is_gap.astype(np.int64) if is_binary else sections.value
    differing = 0.0
    for shared in intersections(sections):
        differ = value[shared.p] != value[shared.q]
        differing += float(np.sum((shared.lengths / sections.others[sections.document[shared.p]])[differ]))
    total, lengths = sections.total, sections.lengths
    corrections = float(np.sum(np.where(is_gap, sections.atom * lengths, lengths**2)))
    margins = sum_by_code(value, lengths, sections.gap + 1)
    nominal = Metric("nominal", np.empty(0), np.zeros(len(margins), dtype=bool))
    expected = float((margins * nominal.toward(margins)).sum()) / (total**2 - corrections)
    return one_minus(
        2 * differing / total,
        expected,
        ONE_VALUE,
        notes=units.notes,
        left_out=units.left_out,
    )


@dataclass(frozen=True)
class _Coincidences:
    """Units compared with units: for each category the sums from which cuα and kα are computed."""

    labels: tuple[str | None, ...]
    margins: FloatArray  # ℓ*_c
    observed: FloatArray  # Σ_k ℓ*_ck δ²_ck
    expected: FloatArray  # Σ_k ε*_ck δ²_ck
    expected_margins: FloatArray  # ε*_c
    notes: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def total(self) -> float:
        """T*."""
        return float(self.margins.sum())

    def category(self, k: int) -> MeasureValue:
        if self.margins[k] == 0:
            return MeasureValue.undefined(_CATEGORY_ALONE)
        if self.expected_margins[k] <= 0:
            return MeasureValue.undefined(_TOO_FEW)
        observed, expected = self.observed[k] / self.margins[k], self.expected[k] / self.expected_margins[k]
        return one_minus(float(observed), float(expected), _NOTHING_ELSE)


def _coincidences(continua: Sequence[Continuum], settings: Resolved) -> _Coincidences:
    """The coincidences of categories on the intersections of units."""
    categorial = categorial_of(settings)
    units = units_of(continua, settings, categorial.feature)
    try:
        metric = Metric.of(categorial, units.labels)
    except InputError as error:
        raise wrong_labels(error) from None
    units, size = units.sort(), len(units.labels)
    pairs, shared, corrections = Tally(size**2), SharedLengths(units), np.zeros(size)
    for part in intersections(units):
        p, q, others = part.p, part.q, units.others[units.document[part.p]]
        pairs.add(units.value[p] * size + units.value[q], part.lengths / others)
        done = shared.add(part)
        corrections += sum_by_code(
            units.value[done.unit], done.lengths**2 / units.others[units.document[done.unit]], size
        )
    keys, lengths = pairs.sums()
    if len(keys) == 0:
        raise UndefinedError(_NO_INTERSECTION)
    c, k = np.divmod(keys, size)
    margins = sum_by_code(c, lengths, size) + sum_by_code(k, lengths, size)
    total = float(margins.sum())
    metric = metric.fitted(margins)
    differences = lengths * metric.between(c, k)
    rest = total**2 - float(corrections.sum())
    if rest <= 0:
        raise UndefinedError(_TOO_FEW)
    return _Coincidences(
        units.labels,
        margins,
        sum_by_code(c, differences, size) + sum_by_code(k, differences, size),
        total * margins * metric.toward(margins) / rest,
        total * (total * margins - corrections) / rest,
        units.notes,
        units.left_out,
    )
