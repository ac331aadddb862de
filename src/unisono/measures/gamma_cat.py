# SPDX-License-Identifier: MIT
"""γcat and γk: agreement on the categories of aligned units (Mathet 2017, section 4, Algorithm 1)."""

from __future__ import annotations

from unisono.alignment.observed import Observed
from unisono.expected import Estimate, Expected
from unisono.measures.gamma import chance_intervals, quotient
from unisono.measures.settings import Settings
from unisono.results import MeasureValue

PER_CATEGORY = "given per category"


def gamma_cat_value(observed: Observed, expected: Expected, settings: Settings, notes: tuple[str, ...]) -> MeasureValue:
    """γcat of a continuum: 1 - δcat observed / δcat expected.

    δcat is the mean dissimilarity of the categories of aligned units, a pair weighing 1 - d_pos (at least 0) over the
    number of partners each unit has in its unitary alignment; expected is its mean over the random continua where it
    is defined. Undefined: no category at all; no aligned units that overlap; all of one category.
    """
    found = observed.categories
    if found is None:
        return MeasureValue(
            None, reason="needs a dissimilarity with a positional and a categorial part, to judge the categories alone"
        )
    if found.labels == (None,):
        return MeasureValue(None, reason="no unit has a category")
    assert expected.categories is not None  # judged together
    return _value(
        found.mean,
        found.weight,
        Estimate.of(expected.categories),
        settings,
        expected,
        notes,
        "no aligned units overlap",
    )


def gamma_k_value(observed: Observed, expected: Expected, settings: Settings, notes: tuple[str, ...]) -> MeasureValue:
    """γk of a continuum: γcat over the pairs that contain a unit of category k, for every k."""
    found = observed.categories
    if found is None or found.labels == (None,):
        return gamma_cat_value(observed, expected, settings, notes)
    chance = dict(zip(expected.labels, expected.per_label, strict=True))
    return MeasureValue(
        None,
        reason=PER_CATEGORY,
        notes=notes,
        per_category={
            label: _value(
                disorder / weight if weight > 0 else None,
                weight,
                chance.get(label),
                settings,
                expected,
                (),
                "no pair of aligned, overlapping units has one of this category",
            )
            for label, weight, disorder in zip(
                found.labels, found.weights.tolist(), found.disorders.tolist(), strict=True
            )
            if settings.categories is None or label in settings.categories
        },
    )


def _value(
    observed: float | None,
    weight: float,
    chance: Estimate | None,
    settings: Settings,
    expected: Expected,
    notes: tuple[str, ...],
    nothing: str,
) -> MeasureValue:
    """The coefficient from the observed disorder of the categories and what chance gives."""
    delta = settings.dissimilarity.delta_empty
    if observed is None:
        return MeasureValue(None, reason=nothing, notes=notes)
    if chance is None or chance.n < 2:
        too_few = f"in all but {0 if chance is None else chance.n} random continua {nothing}: nothing to expect"
        return MeasureValue(None, reason=too_few, observed=observed * delta, weight=weight, notes=notes)
    value, reason = quotient(observed, chance.mean)
    if chance.mean == 0 and observed == 0:  # unlike γ: agreement on the only category there is says nothing
        value, reason = None, "no disagreement on categories can be expected: there is only one"
    if settings.pairs == "pygamma":  # its values where ours are undefined
        value, reason = (1.0 if observed == 0 else value or 0.0), None
    return MeasureValue(
        value,
        reason=reason,
        observed=observed * delta,
        expected=chance.mean * delta,
        n_samples=chance.n,
        intervals=chance_intervals(observed, chance, settings.level),
        gap=max(0.0, expected.gap),
        weight=weight,
        notes=notes,
        chance_sd=chance.sd * delta,
        chance_case=expected.case,
    )
