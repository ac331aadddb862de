# SPDX-License-Identifier: MIT
"""The value of a corpus from those of its documents: 1 - Σ w·observed / Σ w·expected, with its computation error."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from unisono.measures.gamma import guaranteed_range
from unisono.measures.undefined import GIVEN_PER_CATEGORY
from unisono.results import Interval, MeasureValue, Reason, ReasonCode
from unisono.sampling.student import student_quantile


def overall(values: Sequence[MeasureValue], level: float) -> MeasureValue:
    """The value of the whole: disorders weighted by the documents' weights, over those that could be measured.

    For γ the weight is the mean number of units per annotator. The weighted disorders are then sums over all unitary
    alignments of the corpus, as if the documents lay end to end in one continuum and no unitary alignment crossed a
    border between them. For γcat and γk the weight is the summed weight of the aligned pairs. Values given per
    category are pooled category by category.
    """
    if len(values) == 1:
        value = values[0]
        return replace(value, mean_over_documents=value.value, documents_measured=_n_measured(value))
    if any(value.per_category for value in values):
        return _per_category(values, level)
    measured = [value for value in values if value.value is not None]
    if not measured:
        why = "; ".join(sorted({value.reason or "" for value in values}))
        reason = Reason(ReasonCode.NO_DOCUMENT_MEASURED, f"no document could be measured: {why}")
        return MeasureValue.undefined(reason, documents_measured=0)
    weights = [value.weight or 0.0 for value in measured]
    observed = [weight * (value.observed or 0.0) for value, weight in zip(measured, weights, strict=True)]
    expected = [weight * (value.expected or 0.0) for value, weight in zip(measured, weights, strict=True)]
    gaps = [value.gap or 0.0 for value in measured]
    all_observed, all_expected, all_weights = math.fsum(observed), math.fsum(expected), math.fsum(weights)
    interval = _chance_interval(measured, all_observed, all_expected, level)
    return MeasureValue(
        # If expected and observed disorder are both 0, agreement is full, as for one document.
        value=1.0 - all_observed / all_expected if all_expected > 0 else 1.0,
        observed=all_observed / all_weights if all_weights > 0 else 0.0,
        expected=all_expected / all_weights if all_weights > 0 else 0.0,
        **_samples(measured),
        intervals={} if interval is None else {"chance": interval},
        # A document's gap bounds the error of both its disorders; the weighted means bound that of the whole.
        gap=max(
            math.fsum(gap * disorder for gap, disorder in zip(gaps, disorders, strict=True)) / (total or 1.0)
            for disorders, total in ((observed, all_observed), (expected, all_expected))
        ),
        **_bounds_and_range(measured, all_observed, all_expected, all_weights),
        n_unitary_alignments=_sum(value.n_unitary_alignments for value in measured),
        mean_over_documents=math.fsum(value.value or 0.0 for value in measured) / len(measured),
        documents_measured=len(measured),
        weight=all_weights,
        n_aligned_pairs=_sum(value.n_aligned_pairs for value in measured),
        n_pairs_apart=_sum(value.n_pairs_apart for value in measured),
        is_precise=_all_hold(value.is_precise for value in measured),
        is_settled=_all_hold(value.is_settled for value in measured),
    )


def _bounds_and_range(
    measured: Sequence[MeasureValue], observed: float, expected: float, weight: float
) -> dict[str, Any]:
    """The lower bounds of the pooled disorders and the range they leave; empty where every document is proven."""
    if all(value.observed_bound is None for value in measured):
        return {}
    low_observed = _pooled_bound((value.weight, value.observed, value.observed_bound) for value in measured)
    low_expected = _pooled_bound((value.weight, value.expected, value.expected_bound) for value in measured)
    high_expected = _pooled_bound((value.weight, value.expected, value.expected_upper_bound) for value in measured)
    return {
        "observed_bound": low_observed / weight if weight > 0 else 0.0,
        "expected_bound": low_expected / weight if weight > 0 else 0.0,
        "range": guaranteed_range(observed, low_observed, max(expected, high_expected), low_expected),
    }


def _pooled_bound(disorders: Iterable[tuple[float | None, float | None, float | None]]) -> float:
    """The summed bounds, from (weight, disorder, its bound or None where it is the disorder itself)."""
    return math.fsum(
        (weight or 0.0) * ((disorder if bound is None else bound) or 0.0) for weight, disorder, bound in disorders
    )


def _per_category(values: Sequence[MeasureValue], level: float) -> MeasureValue:
    by_category: dict[str | None, list[MeasureValue]] = defaultdict(list)
    for value in values:
        for category, of_category in (value.per_category or {}).items():
            by_category[category].append(of_category)
    pooled = {}
    for category in sorted(by_category, key=lambda label: (label is not None, label or "")):
        pooled[category] = overall(by_category[category], level)
    return MeasureValue.undefined(
        GIVEN_PER_CATEGORY,
        per_category=pooled,
        documents_measured=sum(_n_measured(value) for value in values),
    )


def _n_measured(value: MeasureValue) -> int:
    if value.per_category:
        return int(any(of_category.value is not None for of_category in value.per_category.values()))
    return int(value.value is not None)


def _all_hold(facts: Iterable[bool | None]) -> bool | None:
    known = [fact for fact in facts if fact is not None]
    return all(known) if known else None


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _samples(measured: Sequence[MeasureValue]) -> dict[str, Any]:
    """All random continua, and how many plain ones would be as precise; those that documents share count once."""
    drawn: dict[str | int, int] = {}
    effective: dict[str | int, float] = {}
    for i, value in enumerate(measured):
        key = i if value.chance_case is None else value.chance_case
        n = value.n_samples or 0
        drawn[key] = max(drawn.get(key, 0), n)
        effective[key] = max(effective.get(key, 0.0), n if value.effective_samples is None else value.effective_samples)
    n_samples, worth = sum(drawn.values()), math.fsum(effective.values())
    if all(value.effective_samples is None for value in measured):
        return {"n_samples": n_samples}
    return {"n_samples": n_samples, "effective_samples": worth, "variance_reduction": worth / n_samples}


def _chance_interval(
    measured: Sequence[MeasureValue], observed: float, expected: float, level: float
) -> Interval | None:
    """The computation error from the finite number of samples, which are independent unless documents share them.

    Student's interval for a sum of means of unequal variances, with Welch and Satterthwaite's degrees of freedom.
    """
    # Standard errors of the weighted means, and numbers of samples. Means of shared samples move together: their errors
    # add up, those of independent ones add up squared.
    errors: dict[str | int, list[float]] = defaultdict(list)
    fewest: dict[str | int, int] = {}  # degrees of freedom
    for i, value in enumerate(measured):
        n = value.n_samples or 0
        if value.chance_sd is None or n < 2:
            return None
        key = i if value.chance_case is None else value.chance_case
        errors[key].append((value.weight or 0.0) * value.chance_sd / math.sqrt(n))
        df = n - 1 if value.chance_df is None else value.chance_df
        fewest[key] = min(fewest.get(key, df), df)
    variances = [math.fsum(of_case) ** 2 for of_case in errors.values()]
    variance = math.fsum(variances)
    margin = 0.0
    if variance > 0:
        pooled = variance**2 / math.fsum(v**2 / df for v, df in zip(variances, fewest.values(), strict=True))
        margin = student_quantile((1 + level) / 2, max(1, int(pooled))) * math.sqrt(variance)
    if expected <= margin:
        return None
    return Interval("chance", level, 1 - observed / (expected - margin), 1 - observed / (expected + margin))
