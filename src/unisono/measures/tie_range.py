# SPDX-License-Identifier: MIT
"""γcat and γk over all tied best alignments of a document: how much hangs on the tie rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from unisono.alignment.ties import TieRange, gamma_cat_range, gamma_k_range, tied_optima
from unisono.measures.settings import Settings
from unisono.model import Alignment
from unisono.results import MeasureValue


def with_tie_range(
    values: Mapping[str, MeasureValue], alignment: Alignment, settings: Settings
) -> dict[str, MeasureValue]:
    """The values of a document with the range of γcat and of every γk over its tied best alignments.

    The expected disorder is taken as it is. γ is the same for all of them. Where they cannot all be found a note says
    why; the pairs of pygamma-agreement have no range.
    """
    pairs = settings.pairs
    if pairs == "pygamma" or not any(name in values for name in ("gamma-cat", "gamma-k")):
        return dict(values)
    tied = tied_optima(alignment.continuum, settings.dissimilarity, alignment, time_limit=settings.time_limit)
    found = dict(values)
    if "gamma-cat" in values:
        found["gamma-cat"] = _with_range(values["gamma-cat"], gamma_cat_range(tied), tied.number)
    if "gamma-k" in values and values["gamma-k"].per_category:
        found["gamma-k"] = replace(
            values["gamma-k"],
            per_category={
                category: _with_range(value, gamma_k_range(tied, category, pairs=pairs), tied.number)
                for category, value in values["gamma-k"].per_category.items()
            },
        )
    return found


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
