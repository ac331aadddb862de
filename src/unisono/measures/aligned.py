# SPDX-License-Identifier: MIT
"""κ and α on γ's alignment: each unitary alignment an item, its units' categories the values.

Mathet 2017 shows in section 4.2.6 why this naive way in two steps should not be used: pairs that are hardly aligned
count as much as others, and the expected agreement is biased where units differ in length. γcat is the measure
made for it. These are here because people do it, named apart, so that nobody takes them for κ or α.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unisono.alignment import best_alignment
from unisono.measures.items import Items, aligned_items, categorial_of
from unisono.measures.kappa import kappa_of_items
from unisono.measures.krippendorff import alpha_of_items
from unisono.model import Continuum
from unisono.results import MeasureValue

if TYPE_CHECKING:
    from unisono.measures.settings import Settings

WARNING = "on γ's alignment, which the 2017 paper advises against (section 4.2.6): prefer gamma-cat"


def kappa_on_alignment(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """Cohen's κ of the unitary alignments; for more than two annotators the mean over their pairs.

    >>> from unisono.measures.settings import Settings
    >>> c = Continuum.of({"ann": [(0, 4, "A"), (6, 9, "B")], "bob": [(0, 5, "A"), (6, 10, "B")]})
    >>> kappa_on_alignment([c], Settings()).value
    1.0
    """
    items = _items(continua, settings)
    if isinstance(items, str):
        return MeasureValue(None, reason=items)
    return _warned(kappa_of_items(items))


def alpha_on_alignment(continua: Sequence[Continuum], settings: Settings) -> MeasureValue:
    """Krippendorff's α of the unitary alignments, empty units as missing values."""
    items = _items(continua, settings)
    if isinstance(items, str):
        return MeasureValue(None, reason=items)
    return _warned(alpha_of_items(items, categorial_of(settings)))


def _items(continua: Sequence[Continuum], settings: Settings) -> Items | str:
    """The unitary alignments of all documents that can be aligned."""
    alignable = [continuum for continuum in continua if continuum.n_annotators >= 2 and len(continuum)]
    if not alignable:
        return "needs a document with two annotators and a unit"
    alignments = [
        best_alignment(
            continuum,
            settings.dissimilarity,
            time_limit=settings.time_limit,
            memory_limit=settings.memory_limit,
        )
        for continuum in alignable
    ]
    items = aligned_items(alignments, categorial_of(settings).feature)
    unproven = sum(not alignment.is_proven for alignment in alignments)
    if unproven and isinstance(items, Items):
        note = f"{unproven} of {len(alignments)} alignments not proven to be the best: a limit stopped the search"
        return replace(items, notes=(*items.notes, note))
    return items


def _warned(value: MeasureValue) -> MeasureValue:
    return replace(value, notes=(WARNING, *value.notes))
