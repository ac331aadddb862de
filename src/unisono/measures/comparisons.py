# SPDX-License-Identifier: MIT
"""Measures for two annotators on data with many annotators: which pairs are compared, and the mean over them.

All documents and pairs are rows of columns, so that no loop runs over pairs or documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.measures.chunks import Index, ranges, sum_by_code
from unisono.measures.undefined import UndefinedError, too_few_annotators
from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue, Reason, ReasonCode


@dataclass(frozen=True)
class Comparisons:
    """Every two annotators of a document, for every document; or, with a reference, it and each of the others.

    A row is one annotator in one document, `row_first[r]` to `row_first[r + 1]` its units in the joint columns.
    Comparison c is of the rows `first[c]` and `second[c]`; a pair of annotators has one for each document they share.
    """

    continua: tuple[Continuum, ...]
    annotators: tuple[str, ...]
    row_document: Index
    row_annotator: Index
    row_first: Index
    first: Index
    second: Index
    reference: str | None
    left_out: tuple[str, ...]

    @classmethod
    def of(cls, continua: Sequence[Continuum], reference: str | None) -> Comparisons:
        """The comparisons; UndefinedError where there are none."""
        annotators = tuple(sorted({name for continuum in continua for name in continuum.annotators}))
        if reference is not None and reference not in annotators:
            names = ", ".join(map(repr, annotators)) or "none"
            raise UndefinedError.of(
                ReasonCode.NO_REFERENCE, f"needs the reference {reference!r} among the annotators: they are {names}"
            )
        code = {name: i for i, name in enumerate(annotators)}
        sizes = np.array([continuum.n_annotators for continuum in continua], dtype=np.int64)
        row_annotator = np.array([code[name] for continuum in continua for name in continuum.annotators], np.int64)
        row_document = repeat(np.arange(len(continua)), sizes)
        counts = np.concatenate([np.zeros(1, np.int64), *(continuum.counts for continuum in continua)])
        row_after = repeat(np.cumsum(sizes), sizes)
        if reference is None:
            rows = np.arange(len(row_document))
            first, second = ranges(rows + 1, row_after)
        else:
            of_document = np.full(len(continua), -1)
            its_rows = np.flatnonzero(row_annotator == code[reference])
            of_document[row_document[its_rows]] = its_rows
            first = of_document[row_document]
            second = np.flatnonzero((first >= 0) & (row_annotator != code[reference]))
            first = first[second]
        if len(first) == 0:
            raise too_few_annotators(annotators)
        every = cls(
            continua=tuple(continua),
            annotators=annotators,
            row_document=row_document,
            row_annotator=row_annotator,
            row_first=np.cumsum(counts),
            first=first,
            second=second,
            reference=reference,
            left_out=(),
        )
        alone = np.ones(len(continua), dtype=bool)
        alone[every.document] = False
        missing = "two annotators" if reference is None else f"the reference {reference!r} and somebody else"
        return every.without(alone, f"without {missing}")

    def without(self, documents: NDArray[np.bool_], why: str) -> Comparisons:
        """The comparisons without those of some documents, which a note mentions."""
        if not documents.any():
            return self
        kept = ~documents[self.document]
        note = f"{int(documents.sum())} of {len(documents)} documents left out: {why}"
        return replace(self, first=self.first[kept], second=self.second[kept], left_out=(*self.left_out, note))

    @cached_property
    def _pairs(self) -> tuple[int, Index]:
        names = self.row_annotator[self.first] * len(self.annotators) + self.row_annotator[self.second]
        if len(self.continua) == 1:
            return len(names), np.arange(len(names))
        known, pair = np.unique(names, return_inverse=True)
        return len(known), pair.reshape(-1)

    @property
    def n_pairs(self) -> int:
        """The number of pairs of annotators that meet in any document."""
        return self._pairs[0]

    @property
    def pair(self) -> Index:
        """The pair of annotators of each comparison."""
        return self._pairs[1]

    @cached_property
    def document(self) -> Index:
        """The document of each comparison."""
        return self.row_document[self.first]

    @property
    def rows(self) -> Index:
        """The rows that are compared with any other."""
        return np.unique(np.concatenate((self.first, self.second)))

    @cached_property
    def n_units(self) -> Index:
        """The number of units of each row."""
        return np.diff(self.row_first)

    @property
    def documents_measured(self) -> int | None:
        """The number of documents compared; None for a single document."""
        return len(np.unique(self.document)) if len(self.continua) > 1 else None

    def where(self, row: int) -> str:
        """The name of a row in messages: annotator 'ann' in 'doc1'."""
        name = self.continua[self.row_document[row]].name
        return f"annotator {self.annotators[self.row_annotator[row]]!r}" + (f" in {name!r}" if name else "")

    def per_pair(self, per_comparison: NDArray[Any]) -> FloatArray:
        """The sums over the documents of each pair."""
        return sum_by_code(self.pair, per_comparison, self.n_pairs)


def along_documents(document: Index, *columns: FloatArray) -> list[FloatArray]:
    """Positions as numbers that sort documents one after the other, and positions within each as before."""
    if len(document) == 0 or document[0] == document[-1]:
        return list(columns)
    _, rank = np.unique(np.concatenate(columns), return_inverse=True)
    keys = rank.reshape(len(columns), -1) + document * (len(rank) + 1.0)
    return list(keys)


def mean_over_pairs(
    comparisons: Comparisons,
    parts: Sequence[tuple[FloatArray, FloatArray]],
    *,
    is_distance: bool,
    empty: Reason,
    notes: Sequence[str] = (),
) -> MeasureValue:
    """The mean of numerator / denominator over the pairs of annotators, and over the directions where there are two.

    Each part is one direction: a numerator and a denominator for each pair. A distance becomes an agreement, 1 minus
    it, and is itself the observed disagreement. Ratios with a denominator of 0 are left out, which a note mentions;
    where all are, the value is undefined for the reason `empty`.
    """
    above, below = (np.concatenate(column) for column in zip(*parts, strict=True))
    is_known = below > 0
    known, asked = int(is_known.sum()), len(below)
    left_out, all_notes = comparisons.left_out, (*comparisons.left_out, *notes)
    if comparisons.n_pairs > 1:
        directions = " in both directions" if len(parts) == 2 else ""
        all_notes = (*all_notes, f"mean over {comparisons.n_pairs} pairs of annotators{directions}")
    if known == 0:
        return MeasureValue.undefined(empty, notes=all_notes, left_out=left_out)
    mean = float(np.mean(above[is_known] / below[is_known]))
    if known < asked:
        note = f"{asked - known} of {asked} comparisons left out: {empty.sentence}"
        left_out, all_notes = (*left_out, note), (*all_notes, note)
    value, observed = (1 - mean, mean) if is_distance else (mean, 1 - mean)
    return MeasureValue(
        value,
        observed=observed,
        documents_measured=comparisons.documents_measured,
        notes=all_notes,
        left_out=left_out,
    )
