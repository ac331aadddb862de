# SPDX-License-Identifier: MIT
"""The value of a corpus from those of its documents: 1 - Σ w·observed / Σ w·expected, with its chance interval."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from unisono.results import Interval, MeasureValue
from unisono.student import student_quantile


def overall(values: Sequence[MeasureValue], level: float) -> MeasureValue:
    """The value of the whole: disorders weighted by the documents' weights, over those that could be measured.

    For γ the weight is the mean number of units per annotator: weighted so, the disorders are sums over all unitary
    alignments of the corpus, as if the documents lay end to end in one long continuum, none of whose unitary
    alignments crosses a border. For γcat and γk it is the summed weight of the aligned pairs. A value that is given
    per category is pooled category by category.
    """
    if len(values) == 1:
        value = values[0]
        return replace(value, mean_over_documents=value.value, documents_measured=_n_measured(value))
    if any(value.per_category for value in values):
        return _per_category(values, level)
    measured = [value for value in values if value.value is not None]
    if not measured:
        reasons = sorted({value.reason or "" for value in values})
        return MeasureValue(None, reason=f"no document could be measured: {'; '.join(reasons)}", documents_measured=0)
    weights = [value.weight or 0.0 for value in measured]
    observed = [weight * (value.observed or 0.0) for value, weight in zip(measured, weights, strict=True)]
    expected = [weight * (value.expected or 0.0) for value, weight in zip(measured, weights, strict=True)]
    gaps = [value.gap or 0.0 for value in measured]
    all_observed, all_expected, all_weights = math.fsum(observed), math.fsum(expected), math.fsum(weights)
    interval = _chance_interval(measured, all_observed, all_expected, level)
    return MeasureValue(
        # No disorder expected and none observed: full agreement, as for one document.
        value=1.0 - all_observed / all_expected if all_expected > 0 else 1.0,
        observed=all_observed / all_weights if all_weights > 0 else 0.0,
        expected=all_expected / all_weights if all_weights > 0 else 0.0,
        n_samples=_n_samples(measured),
        intervals={} if interval is None else {"chance": interval},
        # A document's gap bounds both its disorders, and so do their weighted means those of the whole.
        gap=max(
            math.fsum(gap * disorder for gap, disorder in zip(gaps, disorders, strict=True)) / (total or 1.0)
            for disorders, total in ((observed, all_observed), (expected, all_expected))
        ),
        n_unitary_alignments=_sum(value.n_unitary_alignments for value in measured),
        mean_over_documents=math.fsum(value.value or 0.0 for value in measured) / len(measured),
        documents_measured=len(measured),
        weight=all_weights,
        n_aligned_pairs=_sum(value.n_aligned_pairs for value in measured),
        n_pairs_apart=_sum(value.n_pairs_apart for value in measured),
    )


def _per_category(values: Sequence[MeasureValue], level: float) -> MeasureValue:
    by_category: dict[str | None, list[MeasureValue]] = defaultdict(list)
    for value in values:
        for category, of_category in (value.per_category or {}).items():
            by_category[category].append(of_category)
    pooled = {}
    for category in sorted(by_category, key=lambda label: (label is not None, label or "")):
        of_documents = by_category[category]
        found = overall(of_documents, level)
        pooled[category] = found
    first = next(value for value in values if value.per_category)
    return MeasureValue(
        None,
        reason=first.reason,
        per_category=pooled,
        documents_measured=sum(_n_measured(value) for value in values),
    )


def _n_measured(value: MeasureValue) -> int:
    if value.per_category:
        return int(any(of_category.value is not None for of_category in value.per_category.values()))
    return int(value.value is not None)


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def _n_samples(measured: Sequence[MeasureValue]) -> int:
    """All random continua; those that documents share count once."""
    own = sum(value.n_samples or 0 for value in measured if value.chance_case is None)
    return own + sum({v.chance_case: v.n_samples or 0 for v in measured if v.chance_case is not None}.values())


def _chance_interval(
    measured: Sequence[MeasureValue], observed: float, expected: float, level: float
) -> Interval | None:
    """What the finite number of random continua leaves open; samples are independent unless documents share them.

    Student's interval for a sum of means of unequal variances, with Welch and Satterthwaite's degrees of freedom.
    """
    # (weight, standard deviation, number) of each mean; the weights of those that share their samples add up.
    means: dict[str | int, tuple[float, float, int]] = {}
    for i, value in enumerate(measured):
        n = value.n_samples or 0
        if value.chance_sd is None or n < 2:
            return None
        key = i if value.chance_case is None else value.chance_case
        weight = means[key][0] if key in means else 0.0
        means[key] = (weight + (value.weight or 0.0), value.chance_sd, n)
    variances = [weight**2 * sd**2 / n for weight, sd, n in means.values()]
    variance = math.fsum(variances)
    margin = 0.0
    if variance > 0:
        degrees = [n - 1 for _, _, n in means.values()]
        df = variance**2 / math.fsum(v**2 / n for v, n in zip(variances, degrees, strict=True))
        margin = student_quantile((1 + level) / 2, max(1, int(df))) * math.sqrt(variance)
    if expected <= margin:
        return None
    return Interval("chance", level, 1 - observed / (expected - margin), 1 - observed / (expected + margin))
