# SPDX-License-Identifier: MIT
"""γcat and γk: agreement on the categories of aligned units (Mathet 2017, section 4, Algorithm 1)."""

from __future__ import annotations

from dataclasses import replace

from unisono.alignment.observed import Observed
from unisono.measures.gamma import chance_fields, chance_intervals, is_settled, one_minus_ratio
from unisono.measures.resolved import Resolved
from unisono.measures.undefined import GIVEN_PER_CATEGORY
from unisono.results import MeasureValue, Reason, ReasonCode
from unisono.sampling import Estimate, Expected

NO_CATEGORIAL_PART = Reason(
    ReasonCode.NO_CATEGORIAL_PART,
    "needs a dissimilarity with a positional and a categorial part, to judge the categories alone",
)
NO_CATEGORIES = Reason(ReasonCode.NO_CATEGORIES, "no unit has a category")
NO_OVERLAP = Reason(ReasonCode.NO_ALIGNED_OVERLAP, "no aligned units overlap")
NO_OVERLAP_OF_CATEGORY = Reason(
    ReasonCode.NO_ALIGNED_OVERLAP, "no pair of aligned, overlapping units has one of this category"
)
ONE_CATEGORY = Reason(
    ReasonCode.NO_EXPECTED_DISAGREEMENT, "no disagreement on categories can be expected: there is only one"
)


def gamma_cat_value(observed: Observed, expected: Expected, settings: Resolved, notes: tuple[str, ...]) -> MeasureValue:
    """γcat of a continuum: 1 - δcat observed / δcat expected.

    δcat is the mean dissimilarity of the categories of aligned units, a pair weighing 1 - d_pos (at least 0) over the
    number of partners each unit has in its unitary alignment; expected is its mean over the random continua where it
    is defined. Undefined: no category at all; no aligned units that overlap; all of one category.
    """
    categories = observed.categories
    if categories is None:
        return MeasureValue.undefined(NO_CATEGORIAL_PART)
    if categories.labels == (None,):
        return MeasureValue.undefined(NO_CATEGORIES)
    assert expected.categories is not None  # observed and expected are judged together
    chance = expected.category
    notes = (*notes, *_unproven_notes(observed, expected))
    return _value(categories.mean, categories.weight, chance, settings, (observed, expected), notes, NO_OVERLAP)


def gamma_k_value(observed: Observed, expected: Expected, settings: Resolved, notes: tuple[str, ...]) -> MeasureValue:
    """γk of a continuum: γcat over the pairs that contain a unit of category k, for every k."""
    categories = observed.categories
    if categories is None or categories.labels == (None,):
        return gamma_cat_value(observed, expected, settings, notes)
    chance = dict(zip(expected.labels, expected.per_label, strict=True))
    return MeasureValue.undefined(
        GIVEN_PER_CATEGORY,
        notes=(*notes, *_unproven_notes(observed, expected)),
        per_category={
            label: _value(
                disorder / weight if weight > 0 else None,
                weight,
                chance.get(label),
                settings,
                (observed, expected),
                (),
                NO_OVERLAP_OF_CATEGORY,
            )
            for label, weight, disorder in zip(
                categories.labels, categories.weights.tolist(), categories.disorders.tolist(), strict=True
            )
            if settings.categories is None or label in settings.categories
        },
    )


def _unproven_notes(observed: Observed, expected: Expected) -> tuple[str, ...]:
    """A note where γcat and γk rest on alignments that may not be the best; no bound on disorders bounds them."""
    notes = []
    if observed.alignment.gap > 0:
        notes.append("not proven: a limit stopped the search for the best alignment; another may give any other value")
    if expected.gap > 0:
        notes.append(
            f"not proven: the search ended early for {expected.n_unproven} of {expected.n_samples} random continua; "
            "their categories may be aligned otherwise"
        )
    return tuple(notes)


def _value(
    observed: float | None,
    weight: float,
    chance: Estimate | None,
    settings: Resolved,
    source: tuple[Observed, Expected],
    notes: tuple[str, ...],
    nothing: Reason,
) -> MeasureValue:
    """The coefficient from the observed disorder of the categories and its estimate by chance.

    `source` has the alignments that both rest on; `nothing` is the reason where no pair of units can be judged.
    """
    alignment, expected = source[0].alignment, source[1]
    delta = settings.dissimilarity.delta_empty
    if observed is None:
        return MeasureValue.undefined(nothing, notes=notes)
    if chance is None or chance.n < 2:
        where = "in all random continua but one" if chance is not None and chance.n else "in all random continua"
        too_few = Reason(ReasonCode.TOO_FEW_SAMPLES, f"{where} {nothing.sentence}: the expected value is unknown")
        return MeasureValue.undefined(too_few, observed=observed * delta, weight=weight, notes=notes)
    value = one_minus_ratio(observed, chance.mean)
    if chance.mean == 0 and observed == 0:  # unlike γ: agreement on the only category there is says nothing
        value = MeasureValue.undefined(ONE_CATEGORY)
    if settings.pairs == "pygamma":  # that program has a value where ours is undefined
        value = MeasureValue(1.0 if observed == 0 else value.value or 0.0)
    return replace(
        value,
        observed=observed * delta,
        expected=chance.mean * delta,
        n_samples=chance.n,
        intervals=chance_intervals(observed, chance, settings.level),
        gap=max(alignment.gap, expected.gap),
        is_settled=is_settled(alignment, expected, settings),
        weight=weight,
        notes=notes,
        is_precise=expected.is_precise,
        **chance_fields(chance, delta),
        chance_case=expected.case,
    )
