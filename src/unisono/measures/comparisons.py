# SPDX-License-Identifier: MIT
"""Measures for two annotators on data with many: whom to compare with whom, and the mean over the pairs.

All documents and all pairs are laid out in columns, so that nothing is done pair by pair or document by document.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.model import Continuum, FloatArray
from unisono.results import MeasureValue

Index = NDArray[np.int64]


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
    notes: tuple[str, ...]

    @classmethod
    def of(cls, continua: Sequence[Continuum], reference: str | None) -> Comparisons | str:
        """The comparisons, or why there are none."""
        annotators = tuple(sorted({name for continuum in continua for name in continuum.annotators}))
        if reference is not None and reference not in annotators:
            found = ", ".join(map(repr, annotators)) or "none"
            return f"needs the reference {reference!r} among the annotators: found {found}"
        code = {name: i for i, name in enumerate(annotators)}
        sizes = np.array([continuum.n_annotators for continuum in continua], dtype=np.int64)
        row_annotator = np.array([code[name] for continuum in continua for name in continuum.annotators], np.int64)
        row_document = np.repeat(np.arange(len(continua)), sizes)
        counts = np.concatenate([np.zeros(1, np.int64), *(continuum.counts for continuum in continua)])
        row_after = np.repeat(np.cumsum(sizes), sizes)
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
            found = f"only {annotators[0]!r}" if len(annotators) == 1 else ", ".join(map(repr, annotators)) or "none"
            where = "" if len(annotators) < 2 else ", no two of them in one document"
            return f"needs two annotators of the same document: found {found}{where}"
        every = cls(
            continua=tuple(continua),
            annotators=annotators,
            row_document=row_document,
            row_annotator=row_annotator,
            row_first=np.cumsum(counts),
            first=first,
            second=second,
            reference=reference,
            notes=(),
        )
        alone = np.ones(len(continua), dtype=bool)
        alone[every.document] = False
        missing = "two annotators" if reference is None else f"the reference {reference!r} and somebody else"
        return every.without(alone, f"without {missing}")

    def without(self, documents: NDArray[np.bool_], why: str) -> Comparisons:
        """The same but for some of the documents, which a note says."""
        if not documents.any():
            return self
        kept = ~documents[self.document]
        note = f"{int(documents.sum())} of {len(documents)} documents left out: {why}"
        return replace(self, first=self.first[kept], second=self.second[kept], notes=(*self.notes, note))

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
        """How many documents are compared, where there are several."""
        return len(np.unique(self.document)) if len(self.continua) > 1 else None

    def where(self, row: int) -> str:
        """A row in a message: annotator 'ann' in 'doc1'."""
        name = self.continua[self.row_document[row]].name
        return f"annotator {self.annotators[self.row_annotator[row]]!r}" + (f" in {name!r}" if name else "")

    def per_pair(self, per_comparison: NDArray[Any]) -> FloatArray:
        """The sums over a pair's documents."""
        return sums(self.pair, per_comparison, self.n_pairs)


def ranges(low: Index, high: Index) -> tuple[Index, Index]:
    """Every i together with each of the numbers from low[i] up to high[i] - 1, as two columns.

    >>> [column.tolist() for column in ranges(np.array([5, 0, 7]), np.array([7, 0, 8]))]
    [[0, 0, 2], [5, 6, 7]]
    """
    count = np.maximum(high - low, 0)
    left = np.repeat(np.arange(len(low)), count)
    return left, np.arange(len(left)) + np.repeat(low - (np.cumsum(count) - count), count)


def along_documents(document: Index, *columns: FloatArray) -> list[FloatArray]:
    """Positions as numbers that put one document after the other, and keep the order of the positions in each."""
    if len(document) == 0 or document[0] == document[-1]:
        return list(columns)
    _, rank = np.unique(np.concatenate(columns), return_inverse=True)
    keys = rank.reshape(len(columns), -1) + document * (len(rank) + 1.0)
    return list(keys)


def sums(group: Index, values: NDArray[Any], n: int) -> FloatArray:
    """The sum of the values of each of n groups."""
    return np.bincount(group, weights=values, minlength=n).astype(np.float64)


def mean_over_pairs(
    comparisons: Comparisons,
    parts: Sequence[tuple[FloatArray, FloatArray]],
    *,
    is_distance: bool,
    empty: str,
    notes: Sequence[str] = (),
) -> MeasureValue:
    """The mean of numerator / denominator over the pairs of annotators, and over the directions where there are two.

    Each part is one direction: a numerator and a denominator for each pair. A distance becomes an agreement, 1 minus
    it, and is itself the observed disagreement. Ratios with a denominator of 0 are left out, which a note says;
    where all are, there is no value, for the reason `empty`.
    """
    above, below = (np.concatenate(column) for column in zip(*parts, strict=True))
    is_known = below > 0
    known, asked = int(is_known.sum()), len(below)
    said = [*comparisons.notes, *notes]
    if comparisons.n_pairs > 1:
        directions = " in both directions" if len(parts) == 2 else ""
        said.append(f"mean over {comparisons.n_pairs} pairs of annotators{directions}")
    if known == 0:
        return MeasureValue(None, reason=empty, notes=tuple(said))
    mean = float(np.mean(above[is_known] / below[is_known]))
    if known < asked:
        said.append(f"{asked - known} of {asked} comparisons left out: {empty}")
    value, observed = (1 - mean, mean) if is_distance else (mean, 1 - mean)
    return MeasureValue(value, observed=observed, documents_measured=comparisons.documents_measured, notes=tuple(said))
