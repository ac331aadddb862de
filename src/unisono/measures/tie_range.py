# SPDX-License-Identifier: MIT
"""The ranges of γcat and γk over all tied best alignments: how much they depend on the rule for ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unisono.alignment.ties import TieRange, gamma_cat_range, gamma_k_range, tied_optima
from unisono.measures.resolved import Resolved
from unisono.model import Alignment
from unisono.results import MeasureValue


def with_tie_range(
    values: Mapping[str, MeasureValue], alignment: Alignment, settings: Resolved
) -> dict[str, MeasureValue]:
    """The values of a document with the range of γcat and of every γk over its tied best alignments.

    The expected disorder is not affected; γ is the same for all of them. Where the tied alignments cannot all be found,
    a note says why. There is no range for the pair rule of pygamma-agreement.
    """
    pairs = settings.pairs
    if pairs == "pygamma" or not any(name in values for name in ("gamma-cat", "gamma-k")):
        return dict(values)
    tied = tied_optima(
        alignment.continuum,
        settings.dissimilarity,
        alignment,
        effort=settings.effort,
        time_limit=settings.time_limit,
    )
    ranged = dict(values)
    if "gamma-cat" in values:
        ranged["gamma-cat"] = _with_range(values["gamma-cat"], gamma_cat_range(tied), tied.number)
    if "gamma-k" in values and values["gamma-k"].per_category:
        ranged["gamma-k"] = replace(
            values["gamma-k"],
            per_category={
                category: _with_range(value, gamma_k_range(tied, category, pairs=pairs), tied.number)
                for category, value in values["gamma-k"].per_category.items()
            },
        )
    return ranged


def _with_range(value: MeasureValue, disorders: TieRange, number: int | None) -> MeasureValue:
    if value.value is None or value.expected is None:
        return value
    if disorders.low is None or disorders.high is None:
        return replace(value, notes=(*value.notes, f"no range over tied best alignments: {disorders.reason}"))
    agreement = disorders.agreement(value.expected)
    undefined = ("undefined in some of the tied best alignments",) if disorders.may_be_undefined else ()
    assert agreement.low is not None  # the expected disorder is above 0
    assert agreement.high is not None
    return replace(value, tied=(agreement.low, agreement.high), n_tied=number, notes=(*value.notes, *undefined))
