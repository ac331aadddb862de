# SPDX-License-Identifier: MIT
"""κ and α on γ's alignment: each unitary alignment an item, its units' categories the values.

Mathet 2017 shows in section 4.2.6 why this naive way in two steps should not be used: pairs that are hardly aligned
count as much as others, and the expected agreement is biased where units differ in length. γcat is the measure
made for it. These exist because people compute them; their own names keep them apart from κ and α.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unisono.alignment.kept_alignments import observe_once
from unisono.alignment.observed import How
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.measures.items import Items, aligned_items, categorial_of
from unisono.measures.kappa import kappa_of_items
from unisono.measures.krippendorff import alpha_of_items
from unisono.measures.undefined import UndefinedError, returns_undefined
from unisono.model import Alignment, Continuum
from unisono.results import MeasureValue, ReasonCode

if TYPE_CHECKING:
    from unisono.measures.resolved import Resolved

WARNING = "on γ's alignment, which the 2017 paper advises against (section 4.2.6): prefer gamma-cat"


@returns_undefined
def kappa_on_alignment(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Cohen's κ of the unitary alignments; for more than two annotators the mean over their pairs.

    >>> from unisono.measures.resolved import Resolved
    >>> c = Continuum.of({"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 5, "A"), (6, 10, "B")]})
    >>> kappa_on_alignment([c], Resolved()).value
    1.0
    """
    return _with_advice(kappa_of_items(_items(continua, settings)))


@returns_undefined
def alpha_on_alignment(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
    """Krippendorff's α of the unitary alignments, empty units as missing values."""
    return _with_advice(alpha_of_items(_items(continua, settings), categorial_of(settings)))


def alpha_of_alignments(alignments: Sequence[Alignment], settings: Resolved) -> MeasureValue:
    """The same for alignments that are known already."""

    categorial = categorial_of(settings)
    try:
        return alpha_of_items(aligned_items(alignments, categorial.feature), categorial)
    except UndefinedError as error:
        return MeasureValue.undefined(error.reason, notes=error.notes)


def _items(continua: Sequence[Continuum], settings: Resolved) -> Items:
    """The unitary alignments of all documents that can be aligned, as items."""
    alignable = [continuum for continuum in continua if continuum.n_annotators >= 2 and len(continuum)]
    if not alignable:
        raise UndefinedError.of(ReasonCode.TOO_FEW_ANNOTATORS, "needs a document with two annotators and a unit")
    columns = CoreDocuments.of(alignable, settings.dissimilarity, judged=False)
    how = How(settings.pairs, settings.threads, settings.effort, settings.time_limit, settings.memory_limit)
    alignments = [each.alignment for each in observe_once(columns, how)]
    items = aligned_items(alignments, categorial_of(settings).feature)
    unproven = sum(not alignment.is_proven for alignment in alignments)
    if unproven:
        note = f"{unproven} of {len(alignments)} alignments not proven to be the best: a limit stopped the search"
        return replace(items, notes=(*items.notes, note))
    return items


def _with_advice(value: MeasureValue) -> MeasureValue:
    return replace(value, notes=(WARNING, *value.notes))
