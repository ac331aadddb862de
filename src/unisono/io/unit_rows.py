# SPDX-License-Identifier: MIT
"""The one container of units between files and continua: columns of positions, names and features.

A reader fills the rows of its file, the layout names their documents and annotators (`layout.apply`), and `assemble`
joins and sorts the rows of all files; continua are slices of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from unisono.io.faults import BoolArray
from unisono.io.labels import Indices, Labels
from unisono.model import IntArray, PositionArray

Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitRows:
    """Rows of units in columns. A row where `is_unit` is False only says that the annotator saw the document."""

    starts: PositionArray
    ends: PositionArray
    is_unit: BoolArray
    #: The category, once it is chosen, and the other features.
    features: Mapping[str, Labels]
    #: Names of documents and annotators; None where the rows do not have them yet.
    document_labels: Labels | None
    annotator_labels: Labels | None
    #: Functions that say where a row of a file is, one for each file.
    places: tuple[Callable[[int], str], ...]
    #: Where each row comes from: the number of the file, the row in it.
    origin_file: IntArray
    origin_row: Indices
    # Once the rows of all files are joined:
    #: Who saw what: document code * number of annotators + annotator code, sorted.
    seen: Keys = field(default_factory=lambda: np.empty(0, np.int64))
    #: The pairs of the participation table, where there is one.
    registered: Keys | None = None

    @classmethod
    def of_file(
        cls,
        starts: PositionArray,
        ends: PositionArray,
        is_unit: BoolArray,
        features: Mapping[str, Labels],
        place: Callable[[int], str],
        documents: Labels | None = None,
        annotators: Labels | None = None,
    ) -> UnitRows:
        """The rows of one file, as its reader gives them; `place` says where a row is."""
        n_rows = len(starts)
        origin = np.zeros(n_rows, dtype=np.int32), np.arange(n_rows)
        return cls(starts, ends, is_unit, features, documents, annotators, (place,), *origin)

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, index: Indices) -> UnitRows:
        """Some of the rows, in this order; a row may be taken several times."""
        documents, annotators = self.document_labels, self.annotator_labels
        return replace(
            self,
            starts=self.starts[index],
            ends=self.ends[index],
            is_unit=self.is_unit[index],
            features={name: labels.take(index) for name, labels in self.features.items()},
            document_labels=None if documents is None else documents.take(index),
            annotator_labels=None if annotators is None else annotators.take(index),
            origin_file=self.origin_file[index],
            origin_row=self.origin_row[index],
        )

    def place(self, row: int) -> str:
        """File and line of a row."""
        return self.places[int(self.origin_file[row])](int(self.origin_row[row]))

    @property
    def documents(self) -> tuple[str, ...]:
        """The distinct names of documents."""
        return () if self.document_labels is None else self.document_labels.labels

    @property
    def annotators(self) -> tuple[str, ...]:
        """The distinct names of annotators."""
        return () if self.annotator_labels is None else self.annotator_labels.labels

    @property
    def document_codes(self) -> IntArray:
        """The document of each row: its place among `documents`."""
        assert self.document_labels is not None
        return self.document_labels.codes

    @property
    def annotator_codes(self) -> IntArray:
        """The annotator of each row: their place among `annotators`."""
        assert self.annotator_labels is not None
        return self.annotator_labels.codes

    @property
    def keys(self) -> Keys:
        """Document and annotator of each row as one number."""
        return self.document_codes.astype(np.int64) * len(self.annotators) + self.annotator_codes
