# SPDX-License-Identifier: MIT
"""A result in words, for the page: the sentences of the report, asked for by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unisono.report import counted, words
from unisono.results import MeasureValue, Result


def measure_words(measures: Mapping[str, MeasureValue]) -> dict[str, dict[str, Any]]:
    """Of each measure: how it is written, what its value says, and how sure that is."""
    return {
        name: {
            "symbol": words.symbol(name),
            "meaning": words.meaning(name, value),
            "certainty": words.certainty(value) if value.value is not None else [],
            "from_chance": name not in words.WITHOUT_CHANCE,
            "gap": _unproven(value),
        }
        for name, value in measures.items()
    }


def _unproven(value: MeasureValue) -> str:
    if value.is_proven or value.gap is None:
        return ""
    return (
        "Not proven: a limit stopped the search for the best alignment. Disorders may be "
        f"{100 * value.gap:.3g} % too high."
    )


def result_words(result: Result, warnings: Sequence[str]) -> dict[str, Any]:
    """Everything the page says about a result; `warnings` are those of the measurement."""
    methods = words.methods(result)
    return {
        "measures": measure_words(result.measures),
        "basis": basis(result, is_precise=not any("precision" in warning for warning in warnings)),
        "caution": words.NO_THRESHOLD,
        "methods": {"markdown": methods.markdown, "latex": methods.latex},
        "bibtex": words.bibliography(result),
    }


def basis(result: Result, *, is_precise: bool) -> str:
    """What the expected values rest on: how many random continua, and whether they are as precise as asked for.

    Empty where no measure needs any.
    """
    found = list(result.measures.values())
    found += [each for value in result.measures.values() for each in (value.per_category or {}).values()]
    samples = max((value.n_samples for value in found if value.n_samples), default=0)
    if not samples:
        return ""
    drawn = counted(samples, "random continuum", "random continua")
    given = result.parameters
    if given.get("samples") is not None:
        return f"From {drawn}, as many as were asked for"
    precision, level = (f"{100 * float(given[name]):g} %" for name in ("precision", "level"))
    within = f"{precision} of the expected disorder ({level} level)"
    if not is_precise:
        return f"From {drawn}; the precision of {within} was not reached"
    return f"Precision reached: within {within}, from {drawn}"
