# SPDX-License-Identifier: MIT
"""A result with its intervals: over documents where there are several, over stretches where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unisono.errors import ParameterError
from unisono.inference.bootstrap import RESAMPLES, Bootstrap, documents_interval, stretches_interval
from unisono.inference.ratios import ABSENT, weighted
from unisono.results import DocumentResult, MeasureValue, Result


def with_intervals(result: Result, *, resamples: int = RESAMPLES) -> Result:
    """The result with bootstrap intervals of its overall values, and of those of each category.

    Several documents: `documents`. One document: `stretches`, for γ, whose alignment partitions the units. Where an
    interval does not exist a note says why. Measures that are not pooled by weights stay as they are. The level is
    that of the result, the random numbers come from its seed.
    """
    level = float(result.parameters.get("level", 0.95))
    measures = {}
    for name, overall in result.measures.items():
        values = [document[name] for document in result.documents]
        found = _with_interval(overall, result.documents, name, values, level, result.seed, resamples)
        if overall.per_category is not None:
            found = replace(
                found,
                per_category={
                    category: _with_interval(
                        value,
                        result.documents,
                        name,
                        [(document.per_category or {}).get(category, ABSENT) for document in values],
                        level,
                        result.seed,
                        resamples,
                    )
                    for category, value in overall.per_category.items()
                },
            )
        measures[name] = found
    return replace(result, measures=measures)


def _with_interval(
    overall: MeasureValue,
    documents: Sequence[DocumentResult],
    name: str,
    values: Sequence[MeasureValue],
    level: float,
    seed: int,
    resamples: int,
) -> MeasureValue:
    if overall.value is None or any(value.value is not None and value.expected is None for value in values):
        return overall
    found: Bootstrap
    if len(documents) > 1:
        kind = "documents"
        try:
            ratios = weighted(documents, name, values)
        except ParameterError:
            return overall
        found = documents_interval(ratios.numerators, ratios.denominators, level=level, seed=seed, resamples=resamples)
    elif name == "gamma" and overall.alignment is not None and overall.expected is not None:
        kind = "stretches"
        found = stretches_interval(overall.alignment, overall.expected, level=level, seed=seed, resamples=resamples)
    else:
        return overall
    intervals = dict(overall.intervals)
    if found.interval is not None:
        intervals[kind] = found.interval
    missing = () if found.reason is None else (f"no interval over {kind}: {found.reason}",)
    # Said once, however often this is called.
    notes = tuple(dict.fromkeys((*overall.notes, *missing, *found.notes)))
    return replace(overall, intervals=intervals, notes=notes)
