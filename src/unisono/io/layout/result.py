# SPDX-License-Identifier: MIT
"""The result of applying a layout to records: rows with documents and annotators, and what was learned on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

from unisono.errors import Problem
from unisono.io.unit_rows import UnitRows
from unisono.model import Extent

#: For each sheet the names that the tier pattern finds in its layer's name, None where the pattern does not match.
TierNames = list[dict[str, str] | None]


@dataclass(slots=True)
class LayoutResult:
    """The rows of each record, extents and texts of documents, notes, and words for where names were taken from."""

    #: One for each record, in their order.
    rows: list[UnitRows] = field(default_factory=list)
    extents: dict[str, tuple[Extent, str | None]] = field(default_factory=dict)
    #: The texts of each annotator of a document, which are one if the annotator has one text.
    texts: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    notes: list[Problem] = field(default_factory=list)
    #: Where annotators, documents and categories come from, in words.
    sources: dict[str, set[str]] = field(default_factory=dict)
    layers: tuple[str, ...] = ()
    #: Tiers of one annotator that are read together.
    joined_tiers: set[str] = field(default_factory=set)
    #: The feature that was asked for as the category.
    category_from: str | None = None
    n_discontinuous: int = 0
    discontinuous: str = "hull"

    def add_source(self, role: str, words: str) -> None:
        self.sources.setdefault(role, set()).add(words)
