# SPDX-License-Identifier: MIT
"""The sentences that the page shows about a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unisono.errors import show_settings
from unisono.nouns import quantity
from unisono.report import sentences
from unisono.report.notation import level_percent
from unisono.report.ranking import FEW_UNITS, units_by_category
from unisono.report.sensitivity_rows import sensitivity_rows
from unisono.results import Interval, MeasureValue, Result
from unisono.settings import control_name


def measure_words(measures: Mapping[str, MeasureValue]) -> dict[str, dict[str, Any]]:
    """For each measure: its symbol, what its value means, and its intervals in words."""
    return {
        name: {
            "symbol": sentences.symbol(name),
            "meaning": sentences.meaning(name, value),
            "certainty": sentences.certainty(value) if value.value is not None else [],
            "from_chance": sentences.is_corrected(name),
            "gap": "" if value.is_proven else f"Not proven: {sentences.not_proven(name, value)}{_remedy(value)}",
            "alarming": sentences.is_alarming(value),
            "interval": _interval(sentences.main_interval(value)) if value.value is not None else None,
            "scale_start": sentences.scale_start(sentences.lowest_shown(value)),
            "scale_labels": list(sentences.SCALE_LABELS.values()),
            "categories": [_interval(sentences.main_interval(each)) for each in (value.per_category or {}).values()],
        }
        for name, value in measures.items()
    }


def _remedy(value: MeasureValue) -> str:
    return show_settings(f" {sentences.RAISE_EFFORT}", control_name) if sentences.is_alarming(value) else ""


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {"kind": interval.kind, "low": interval.low, "high": interval.high, "over": sentences.OVER[interval.kind]}


def result_words(result: Result, *, is_precise: bool) -> dict[str, Any]:
    """Everything the page says about a result; `is_precise`: whether the precision that was asked for was reached."""
    methods = sentences.methods(result)
    return {
        "measures": measure_words(result.measures),
        "basis": basis(result, is_precise=is_precise),
        "caution": sentences.NO_THRESHOLD,
        "cautions": [show_settings(caution.sentence) for caution in result.cautions],
        "few_units": FEW_UNITS,
        "category_units": [list(item) for item in units_by_category(result).items()],
        "sensitivity": _sensitivity(result),
        "methods": {"markdown": methods.markdown, "latex": methods.latex},
        "bibtex": sentences.bibliography(result),
    }


def _sensitivity(result: Result) -> dict[str, Any] | None:
    rows = sensitivity_rows(result)
    return None if rows is None else {"meaning": sentences.SENSITIVITY, "rows": rows}


def basis(result: Result, *, is_precise: bool) -> str:
    """How many random continua the expected values rest on, and whether the precision was reached.

    Empty where no measure needs any.
    """
    values = list(result.measures.values())
    values += [each for value in result.measures.values() for each in (value.per_category or {}).values()]
    samples = max((value.n_samples for value in values if value.n_samples), default=0)
    if not samples:
        return ""
    drawn = quantity(samples, "random continuum", "random continua")
    given = result.parameters
    if given.get("samples") is not None:
        return f"From {drawn}, as many as were asked for"
    precision, level = (level_percent(float(given[name])) for name in ("precision", "level"))
    within = f"{precision} of the expected disorder ({level} level)"
    if not is_precise:
        return f"From {drawn}; the precision of {within} was not reached"
    return f"Precision reached: within {within}, from {drawn}"
