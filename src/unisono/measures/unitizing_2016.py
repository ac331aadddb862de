# SPDX-License-Identifier: MIT
"""The unitizing alphas of 2016: uα and |uα on the whole continuum, cuα and kα on the intersections of units.

Krippendorff, Mathet, Bouvry and Widlöcher 2016 (Krippendorff 2019, section 12.6). Where documents have different
numbers of annotators, each one's intersections weigh 1 / (m - 1), as the items of α do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.measures.chunks import Tally
from unisono.measures.items import categorial_of, summed
from unisono.measures.krippendorff import one_minus
from unisono.measures.metric import Metric, metric_of
from unisono.measures.sections import Sections, SharedLengths, intersections, overlap, units_of
from unisono.measures.settings import Settings
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue


def u_alpha(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """uα: do the annotators agree on the units and their categories, gaps included? Nominal.

    ℓ_ck: lengths of the intersections of c with k, a gap being a value, over m - 1; T = Σ ℓ_ck = mL.
    ε_ck = T (ℓ_c ℓ_k - [c = k] t_c) / (T² - Σ t), with t = ℓ² for each unit and ℓ for each gap (whose atoms are no
    unit: 0 in the limit of ever smaller steps). uα = 1 - (T - Σ ℓ_cc) / (T - Σ ε_cc); both are given here over T.
    Undefined: units of one annotator that overlap; no units; De = 0, where all is one value.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "B")]}
    >>> round(u_alpha([Continuum.of(rows, extent=(0, 12))], Settings()).value, 3)
    0.889
    """
    units = _separate(continua, settings)
    return MeasureValue(None, reason=units) if isinstance(units, str) else _whole(units)


def bar_u_alpha(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """|uα: do they agree on what is a unit and what is not, whatever the categories? As `u_alpha`, with one category.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "B"), (6, 9, "A")]}
    >>> bar_u_alpha([Continuum.of(rows, extent=(0, 12))], Settings()).value
    1.0
    """
    units = _separate(continua, settings)
    return MeasureValue(None, reason=units) if isinstance(units, str) else _whole(units, is_binary=True)


def cu_alpha(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """cuα: where units of two annotators intersect, do they agree on the category? Any metric; the c|uα of 2013.

    1 - Σ ℓ*_ck δ²_ck / Σ ε*_ck δ²_ck, with ℓ* as in `u_alpha` but without the gaps, T* = Σ ℓ*_ck and
    ε*_ck = T* (ℓ*_c ℓ*_k - [c = k] t_c) / (T*² - Σ t), t_c = Σ over units of c and other annotators j of the squared
    length shared with j's units, over m - 1. Observed and expected are given over T*. It does not depend on the
    scale of the positions. Undefined: no two units intersect; De = 0, where all that intersect have one category;
    T*² not above Σ t, where of more than two annotators only few have units that intersect.
    Units of one annotator may overlap (2015, section 6.3.4, does so); each intersection then counts.
    Another public program squares what the union of the others covers instead; the published examples (0.744, 0.715,
    0.08) agree with both, and with two annotators they are the same.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "B")]}
    >>> cu_alpha([Continuum.of(rows)], Settings()).value
    1.0
    """
    coincidences = _coincidences(continua, settings)
    if isinstance(coincidences, str):
        return MeasureValue(None, reason=coincidences)
    observed, expected = float(coincidences.observed.sum()), float(coincidences.expected.sum())
    total = coincidences.total
    reason = "the expected disagreement is 0: all units that intersect have one category"
    return one_minus(observed / total, expected / total, reason, notes=coincidences.notes)


def k_alpha(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """kα, for each category k: where one annotator has k, do the others who marked a unit there have it too?

    1 - (Σ_c ℓ*_ck δ²_ck / ℓ*_k) / (Σ_c ε*_ck δ²_ck / ε*_k), with the letters of `cu_alpha`. There is no overall value:
    that is cuα. Undefined for a category: no unit of it intersects another annotator's unit; De = 0.

    >>> rows = {"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 4, "A"), (5, 9, "A")]}
    >>> {k: round(v.value, 3) for k, v in k_alpha([Continuum.of(rows)], Settings()).per_category.items()}
    {'A': 0.066, 'B': 0.0}
    """
    coincidences = _coincidences(continua, settings)
    if isinstance(coincidences, str):
        return MeasureValue(None, reason=coincidences)
    return MeasureValue(
        None,
        reason="given per category",
        per_category={label: coincidences.category(k) for k, label in enumerate(coincidences.labels)},
        notes=coincidences.notes,
    )


#: T*² - Σ t can be 0 or below it when few of more than two annotators' units meet: then ε* means nothing.
_TOO_FEW = "too few units of different annotators intersect to say what to expect by chance"


def _separate(continua: Sequence[Continuum], settings: Settings) -> Sections | str:
    """The units, where no annotator's own overlap; or which need is not met."""
    units = units_of(continua, settings, categorial_of(settings).feature)
    return units if isinstance(units, str) else overlap(units) or units


def _whole(units: Sections, *, is_binary: bool = False) -> MeasureValue:
    """uα, or |uα where only gap or no gap counts: the units stay apart (their t does), their categories do not."""
    sections = units.with_gaps().ordered()
    is_gap = sections.value == sections.gap
    value = is_gap.astype(np.int64) if is_binary else sections.value
    differing = 0.0
    for found in intersections(sections):
        differ = value[found.p] != value[found.q]
        differing += float(np.sum((found.lengths / sections.others[sections.document[found.p]])[differ]))
    total, lengths = sections.total, sections.lengths
    corrections = float(np.sum(np.where(is_gap, sections.atom * lengths, lengths**2)))
    margins = summed(value, lengths, sections.gap + 1)
    nominal = Metric("nominal", np.empty(0), np.zeros(len(margins), dtype=bool))
    expected = float(margins @ nominal.toward(margins)) / (total**2 - corrections)
    return one_minus(
        2 * differing / total,
        expected,
        "the expected disagreement is 0: all sections have one value",
        notes=units.notes,
    )


@dataclass(frozen=True)
class _Coincidences:
    """Units against units: for each category the sums that cuα and kα are made of."""

    labels: tuple[str | None, ...]
    margins: FloatArray  # ℓ*_c
    observed: FloatArray  # Σ_k ℓ*_ck δ²_ck
    expected: FloatArray  # Σ_k ε*_ck δ²_ck
    expected_margins: FloatArray  # ε*_c
    notes: tuple[str, ...]

    @property
    def total(self) -> float:
        """T*."""
        return float(self.margins.sum())

    def category(self, k: int) -> MeasureValue:
        if self.margins[k] == 0:
            return MeasureValue(None, reason="no unit of this category intersects a unit of another annotator")
        if self.expected_margins[k] <= 0:
            return MeasureValue(None, reason=_TOO_FEW)
        observed, expected = self.observed[k] / self.margins[k], self.expected[k] / self.expected_margins[k]
        return one_minus(float(observed), float(expected), "the expected disagreement is 0: nothing else intersects it")


def _coincidences(continua: Sequence[Continuum], settings: Settings) -> _Coincidences | str:
    """The coincidences of categories on the intersections of units; or which need is not met."""
    categorial = categorial_of(settings)
    units = units_of(continua, settings, categorial.feature)
    if isinstance(units, str):
        return units
    metric = metric_of(categorial, units.labels)
    if isinstance(metric, str):
        return metric
    units, size = units.ordered(), len(units.labels)
    pairs, shared, corrections = Tally(size**2), SharedLengths(units), np.zeros(size)
    for found in intersections(units):
        p, q, others = found.p, found.q, units.others[units.document[found.p]]
        pairs.add(units.value[p] * size + units.value[q], found.lengths / others)
        done = shared.add(found)
        corrections += summed(units.value[done.unit], done.lengths**2 / units.others[units.document[done.unit]], size)
    keys, lengths = pairs.sums()
    if len(keys) == 0:
        return "needs units of two annotators that intersect; no two do"
    c, k = np.divmod(keys, size)
    margins = summed(c, lengths, size) + summed(k, lengths, size)
    total = float(margins.sum())
    metric = metric.fitted(margins)
    differences = lengths * metric.between(c, k)
    rest = total**2 - float(corrections.sum())
    if rest <= 0:
        return _TOO_FEW
    return _Coincidences(
        units.labels,
        margins,
        summed(c, differences, size) + summed(k, differences, size),
        total * margins * metric.toward(margins) / rest,
        total * (total * margins - corrections) / rest,
        units.notes,
    )
