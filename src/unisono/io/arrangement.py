# SPDX-License-Identifier: MIT
"""What comes of a layout applied to records: rows that have a document and an annotator, and what was learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem
from unisono.io.record import Record
from unisono.io.table import BoolArray, Labels
from unisono.model import Extent, PositionArray

Indices = NDArray[np.intp]

#: For each sheet the names that its layer's name gives, None where the tier pattern does not fit it.
TierNames = list[dict[str, str] | None]


@dataclass(frozen=True, slots=True)
class UnitRows:
    """The rows of one record that the layout takes, in columns; rows at fault are marked in `record.faults`."""

    record: Record
    #: The record's row behind each row.
    origin: Indices
    documents: Labels
    annotators: Labels
    starts: PositionArray
    ends: PositionArray
    #: False where the row only says that the annotator saw the document.
    is_unit: BoolArray
    #: The category, where there is one, and the other features.
    features: Mapping[str, Labels]

    @property
    def bad(self) -> BoolArray:
        return self.record.faults.bad[self.origin]

    def place(self, row: int) -> str:
        return self.record.place(int(self.origin[row]))


@dataclass(slots=True)
class Arranged:
    """All rows of the input, what was told about documents, what was noticed, and words for what was understood."""

    rows: list[UnitRows] = field(default_factory=list)
    extents: dict[str, tuple[Extent, str | None]] = field(default_factory=dict)
    notes: list[Problem] = field(default_factory=list)
    #: Where annotators, documents and categories come from, in words.
    sources: dict[str, set[str]] = field(default_factory=dict)
    layers: tuple[str, ...] = ()
    n_discontinuous: int = 0
    discontinuous: str = "hull"

    def say(self, role: str, words: str) -> None:
        self.sources.setdefault(role, set()).add(words)
