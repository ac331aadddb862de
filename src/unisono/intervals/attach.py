# SPDX-License-Identifier: MIT
"""A result with its uncertainty: over documents where there are several, over stretches where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from unisono.alignment.kept_alignments import keep_alignments
from unisono.dissimilarity import CombinedDissimilarity
from unisono.intervals.bootstrap import ENOUGH_STRETCHES, RESAMPLES, blocks_interval, stretches_interval
from unisono.intervals.category_stretches import category_stretches
from unisono.intervals.jackknife import (
    FEWEST_DOCUMENTS,
    compute_without_each,
    documents_interval,
    jackknife_interval,
    too_few_documents,
)
from unisono.intervals.ratios import ABSENT, ratios_of_values
from unisono.intervals.uncertainty import Uncertainty
from unisono.measures import MEASURES
from unisono.measures.computation import is_unfit
from unisono.measures.pooling import Pool
from unisono.measures.resolved import Resolved
from unisono.model import FloatArray
from unisono.results import MeasureValue, Result, UncertaintyCode

_ONE_DOCUMENT = Uncertainty.unknown(
    UncertaintyCode.ONE_DOCUMENT,
    "it takes several documents, and there is one; only γ, and γcat and γk measured beside it, are cut into stretches",
    1,
)
_UNDEFINED_WITHOUT = "the value depends on too few documents: without some of them it is undefined"


def with_intervals(result: Result, settings: Resolved | None = None, *, resamples: int = RESAMPLES) -> Result:
    """The result with the uncertainty of its overall values, and of those of each category.

    Several documents: the interval `documents`. One document: `stretches`, for γ, whose alignment partitions the units,
    and for γcat and γk where γ is measured beside them.
    Where an interval cannot be given, `uncertainty_reason` says why. Measures that are not pooled by weights are
    computed again without each document, for which `settings` are needed; without them they stay as they are. The level
    is that of the result.
    """
    level = float(result.parameters.get("level", 0.95))
    measures = {}
    for name, overall in result.measures.items():
        if len(result.documents) == 1:
            measures[name] = _with_stretches_interval(result, name, overall, level, resamples)
        elif _is_pooled([document[name] for document in result.documents]):
            measures[name] = _with_ratios_interval(result, name, overall, level)
        elif settings is not None and name in MEASURES and not MEASURES[name].is_family and result.corpus is not None:
            measures[name] = _with_recomputed_interval(result, name, overall, settings, level)
        else:
            measures[name] = overall
    return replace(result, measures=measures)


def _is_pooled(values: Sequence[MeasureValue]) -> bool:
    """Whether the values of documents, or those of their categories, are pooled by weights."""
    parts = [part for value in values for part in (value, *(value.per_category or {}).values())]
    defined = [part for part in parts if part.value is not None]
    return bool(defined) and all(part.weight is not None and part.expected is not None for part in defined)


def _with_ratios_interval(result: Result, name: str, overall: MeasureValue, level: float) -> MeasureValue:
    """The value with its interval over documents, from their weighted disorders."""
    values = [document[name] for document in result.documents]

    def of(parts: Sequence[MeasureValue]) -> Uncertainty:
        ratios = ratios_of_values(result.documents, name, parts)
        return documents_interval(ratios.numerators, ratios.denominators, level=level)

    attached = _attach(overall, of(values)) if overall.value is not None else overall
    if overall.per_category is None:
        return attached
    by_category = {
        category: of([(value.per_category or {}).get(category, ABSENT) for value in values])
        for category, value in overall.per_category.items()
        if value.value is not None
    }
    return _attach_categories(attached, by_category)


def with_documents_interval(overall: MeasureValue, pool: Pool, level: float) -> MeasureValue:
    """The value with its interval over documents, from their weighted disorders, where the documents were not kept."""

    def of(pool: Pool) -> Uncertainty:
        return documents_interval(pool.weighted("observed"), pool.weighted("expected"), level=level)

    attached = _attach(overall, of(pool)) if overall.value is not None else overall
    if overall.per_category is None:
        return attached
    pools = pool.categories
    by_category = {
        category: of(pools[category]) for category, value in overall.per_category.items() if value.value is not None
    }
    return _attach_categories(attached, by_category)


def _with_recomputed_interval(
    result: Result, name: str, overall: MeasureValue, settings: Resolved, level: float
) -> MeasureValue:
    """The value with its interval over documents, from values of the measure without some of them."""
    assert result.corpus is not None
    parts = {category: value for category, value in (overall.per_category or {}).items() if value.value is not None}
    if overall.value is None and not parts:
        return overall
    documents = sorted(
        (c for c, document in zip(result.corpus, result.documents, strict=True) if not is_unfit(document[name])),
        key=lambda continuum: continuum.name,
    )
    n, is_share = len(documents), MEASURES[name].is_share
    if n < FEWEST_DOCUMENTS:
        attached = overall if overall.value is None else _attach(overall, too_few_documents(n))
        return _attach_categories(attached, dict.fromkeys(parts, too_few_documents(n)))
    measure = MEASURES[name].load()
    with keep_alignments():
        left_out: list[MeasureValue] = compute_without_each(lambda continua: measure(continua, settings), documents)

    def of(value: float, others: Sequence[MeasureValue | None]) -> Uncertainty:
        numbers = [other.value for other in others if other is not None and other.value is not None]
        if len(numbers) < len(others):
            return Uncertainty.unknown(UncertaintyCode.UNDEFINED_WITHOUT, _UNDEFINED_WITHOUT, n)
        return jackknife_interval(value, numbers, n=n, level=level, is_share=is_share)

    attached = overall if overall.value is None else _attach(overall, of(overall.value, left_out))
    by_category = {
        category: of(value.value, [(other.per_category or {}).get(category) for other in left_out])
        for category, value in parts.items()
        if value.value is not None
    }
    return _attach_categories(attached, by_category)


def _with_stretches_interval(
    result: Result, name: str, overall: MeasureValue, level: float, resamples: int
) -> MeasureValue:
    """The value of one document with its interval over stretches, or the reason why there is none."""
    parts = {category: value for category, value in (overall.per_category or {}).items() if value.value is not None}
    of_value, of_categories = _ONE_DOCUMENT, dict.fromkeys(parts, _ONE_DOCUMENT)
    dissimilarity, pairs = result.dissimilarity, result.parameters.get("pairs", "once")
    # γcat and γk rest on the alignment of γ, where it was measured beside them.
    alignment = result.measures["gamma"].alignment if "gamma" in result.measures else None
    if name == "gamma" and alignment is not None and overall.expected is not None:
        of_value = stretches_interval(alignment, overall.expected, level=level, seed=result.seed, resamples=resamples)
    elif (
        name in ("gamma-cat", "gamma-k")
        and alignment is not None
        and isinstance(dissimilarity, CombinedDissimilarity)
        and dissimilarity.beta > 0
        and pairs in ("once", "twice")
    ):
        sums = category_stretches(alignment, dissimilarity, pairs)

        def of(value: MeasureValue, disorders: FloatArray, weights: FloatArray) -> Uncertainty:
            top, bottom = disorders * dissimilarity.delta_empty, weights * (value.expected or 0.0)
            return blocks_interval(top, bottom, level=level, seed=result.seed, resamples=resamples)

        of_value = of(overall, sums.disorders, sums.weights)
        of_categories = {category: of(value, *sums.by_category[category]) for category, value in parts.items()}
    attached = overall if overall.value is None else _attach(overall, of_value)
    return _attach_categories(attached, of_categories)


def _attach(value: MeasureValue, uncertainty: Uncertainty) -> MeasureValue:
    """The value with this interval, or with the reason why there is none."""
    intervals = {kind: interval for kind, interval in value.intervals.items() if kind == "chance"}
    if uncertainty.interval is not None:
        intervals[uncertainty.interval.kind] = uncertainty.interval
    return replace(
        value,
        intervals=intervals,
        uncertainty_reason=uncertainty.reason,
        uncertainty_reason_code=None if uncertainty.code is None else uncertainty.code.value,
        # Each note once, however often this is called.
        notes=tuple(dict.fromkeys((*value.notes, *uncertainty.notes))),
    )


def _attach_categories(value: MeasureValue, by_category: Mapping[str | None, Uncertainty]) -> MeasureValue:
    """The value with the uncertainty of its categories, as far as it is given."""
    if value.per_category is None:
        return value
    return replace(
        value,
        per_category={
            category: _attach(part, _reword_for_category(by_category[category])) if category in by_category else part
            for category, part in value.per_category.items()
        },
    )


def _reword_for_category(uncertainty: Uncertainty) -> Uncertainty:
    """The uncertainty in the words of a category; whether documents are few is noted once, on the whole."""
    reasons = {
        UncertaintyCode.TOO_FEW_DOCUMENTS: f"too few units to say: it is in fewer than {FEWEST_DOCUMENTS} documents",
        UncertaintyCode.TOO_FEW_STRETCHES: f"too few units to say: it is in fewer than {ENOUGH_STRETCHES} stretches",
        UncertaintyCode.TOO_WIDE: "too few units to say: an interval would be wider than 2",
        UncertaintyCode.UNDEFINED_WITHOUT: "too few units to say: without some documents it has no value",
    }
    reason = uncertainty.reason if uncertainty.code is None else reasons.get(uncertainty.code, uncertainty.reason)
    return replace(uncertainty, notes=(), reason=reason)
