# SPDX-License-Identifier: MIT
"""The best alignments of all documents in columns: units, unitary alignments, and who saw which document.

Everything that is said about annotators and categories is computed from these columns, by array operations only: a
corpus may have thousands of documents and annotators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.numbering import one_table
from unisono.errors import ParameterError
from unisono.model import CATEGORY, Alignment, Corpus, Feature, FloatArray
from unisono.results import DocumentResult, Result

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class AlignedUnits:
    """The units of all documents that are aligned, their unitary alignments ("groups"), and the seats.

    A seat is an annotator in a document that they saw, whether or not they marked anything. Units are sorted by group.
    """

    annotators: tuple[str, ...]
    documents: tuple[str, ...]
    #: The categories; a unit without one has the label -1.
    labels: tuple[str, ...]
    #: One entry for each unit.
    start: FloatArray
    end: FloatArray
    label: Indices
    group: Indices
    seat: Indices
    #: The number of each unit in the continuum of its document.
    number: Indices
    #: One entry for each unitary alignment: its document and its disorder.
    group_document: Indices
    disorder: FloatArray
    #: One entry for each seat: its annotator and its document. The seats of a document are neighbours.
    seat_annotator: Indices
    seat_document: Indices

    @classmethod
    def of(cls, result: Result) -> AlignedUnits:
        """The alignments that a result has; documents without one (fewer than two annotators, no units) are left out.

        ParameterError for a result without its corpus, such as one read from JSON.
        """
        alignments = [found for found in map(alignment_of, result.documents) if found is not None and len(found)]
        kept = getattr(result.details, "feature", None)  # a loaded result has no dissimilarity
        return cls.of_alignments(alignments, kept or feature_of(result.dissimilarity))

    @classmethod
    def of_alignments(cls, alignments: Sequence[Alignment], feature: str = CATEGORY) -> AlignedUnits:
        continua = [alignment.continuum for alignment in alignments]
        columns, labels = one_table(
            [c.features.get(feature, Feature(np.full(len(c), -1, dtype=np.int32), ())) for c in continua]
        )
        names = tuple(sorted({name for continuum in continua for name in continuum.annotators}))
        place = {name: i for i, name in enumerate(names)}
        first_group = np.cumsum([0, *(len(alignment) for alignment in alignments)])
        first_seat = np.cumsum([0, *(continuum.n_annotators for continuum in continua)])
        group = _join_columns([a.group + first for a, first in zip(alignments, first_group[:-1].tolist(), strict=True)])
        seat = _join_columns(
            [c.annotator_codes + first for c, first in zip(continua, first_seat[:-1].tolist(), strict=True)]
        )
        order = np.argsort(group, kind="stable")
        documents = np.arange(len(continua))
        return cls(
            names,
            tuple(continuum.name for continuum in continua),
            labels,
            _join_columns([c.starts for c in continua], np.float64)[order],
            _join_columns([c.ends for c in continua], np.float64)[order],
            _join_columns(columns)[order],
            group[order],
            seat[order],
            _join_columns([np.arange(len(c)) for c in continua])[order],
            repeat(documents, np.diff(first_group)),
            _join_columns([alignment.disorders for alignment in alignments], np.float64),
            np.array([place[name] for c in continua for name in c.annotators], dtype=np.int64),
            repeat(documents, np.diff(first_seat)),
        )

    def __len__(self) -> int:
        return len(self.start)

    @property
    def n_groups(self) -> int:
        return len(self.group_document)

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    @cached_property
    def annotator(self) -> Indices:
        """The annotator of each unit."""
        return self.seat_annotator[self.seat]

    @cached_property
    def document(self) -> Indices:
        """The document of each unit."""
        return self.group_document[self.group]

    @cached_property
    def size(self) -> Indices:
        """The number of units of each group."""
        return np.bincount(self.group, minlength=self.n_groups)

    @cached_property
    def seats(self) -> Indices:
        """The number of seats of each document."""
        return np.bincount(self.seat_document, minlength=len(self.documents))

    @cached_property
    def n_seats(self) -> Indices:
        """The number of annotators who could have a unit in each group."""
        return self.seats[self.group_document]

    @cached_property
    def first_unit(self) -> Indices:
        """The first unit of each group, and the number of units."""
        return np.concatenate(([0], np.cumsum(self.size)))

    @cached_property
    def first_seat(self) -> Indices:
        """The first seat of each document, and the number of seats."""
        return np.concatenate(([0], np.cumsum(self.seats)))

    @cached_property
    def length(self) -> FloatArray:
        return self.end - self.start

    @cached_property
    def group_label(self) -> Indices:
        """The most frequent label of each group, the first of them if there are several."""
        keys = self.group * (len(self.labels) + 1) + self.label + 1
        found, counts = np.unique(keys, return_counts=True)
        owner = found // (len(self.labels) + 1)
        order = np.lexsort((found, -counts, owner))
        _, first = np.unique(owner[order], return_index=True)
        labels: Indices = found[order][first] % (len(self.labels) + 1) - 1
        return labels

    @cached_property
    def middle(self) -> tuple[FloatArray, FloatArray]:
        """The median start and the median end of each group."""
        return self.group_median(self.start), self.group_median(self.end)

    def group_median(self, values: FloatArray) -> FloatArray:
        ordered = values[np.lexsort((values, self.group))]
        low = self.first_unit[:-1] + (self.size - 1) // 2
        high = self.first_unit[:-1] + self.size // 2
        medians: FloatArray = (ordered[low] + ordered[high]) / 2
        return medians

    def find_unit(self, group: Indices, seat: Indices) -> Indices:
        """The unit of a seat in a group; -1 where there is none."""
        width = len(self.seat_annotator)
        keys = self._unit_keys
        wanted = group * width + seat
        place = np.minimum(np.searchsorted(keys[0], wanted), len(keys[0]) - 1)
        return np.where(keys[0][place] == wanted, keys[1][place], -1)

    @cached_property
    def _unit_keys(self) -> tuple[Indices, Indices]:
        keys = self.group * len(self.seat_annotator) + self.seat
        order = np.argsort(keys, kind="stable")
        return keys[order], order

    def without(self, annotators: Flags) -> AlignedUnits:
        """What is left without some annotators: groups that keep a unit, documents that keep three seats or lose none.

        Where two of three annotators are left, it could not be said which of the two differs.
        """
        seats = ~annotators[self.seat_annotator]
        left = np.bincount(self.seat_document[seats], minlength=len(self.documents))
        seats &= ((left >= 3) | (left == self.seats))[self.seat_document]
        units = seats[self.seat]
        groups = np.bincount(self.group[units], minlength=self.n_groups) > 0
        new_group, new_seat = (np.cumsum(kept) - 1 for kept in (groups, seats))
        return AlignedUnits(
            self.annotators,
            self.documents,
            self.labels,
            self.start[units],
            self.end[units],
            self.label[units],
            new_group[self.group[units]],
            new_seat[self.seat[units]],
            self.number[units],
            self.group_document[groups],
            self.disorder[groups],
            self.seat_annotator[seats],
            self.seat_document[seats],
        )


def sums(index: Indices, weights: NDArray[Any] | None, n: int) -> FloatArray:
    """The sum of the weights (or the count, without weights) of each of n numbers."""
    return np.asarray(np.bincount(index, weights, n), dtype=np.float64)


def _join_columns(columns: Sequence[NDArray[Any]], dtype: Any = np.int64) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *(np.asarray(column, dtype=dtype) for column in columns)])


def feature_of(dissimilarity: Dissimilarity | None) -> str:
    """The feature that is compared as the category."""
    return dissimilarity.feature if isinstance(dissimilarity, CombinedDissimilarity) else CATEGORY


def corpus_of(result: Result) -> Corpus:
    """The corpus behind a result; a ParameterError for a result that has none, such as one read from JSON."""
    if result.corpus is not None:
        return result.corpus
    raise ParameterError.of(
        "the result has its values only, as JSON keeps them, without units, alignments and random disorders",
        "Measure again: unisono.measure(...), or `unisono measure DATA --save result.unisono`.",
        code="light-result",
    )


def alignment_of(document: DocumentResult) -> Alignment | None:
    """The best alignment of a document, whichever measure needed it."""
    alignments = (value.alignment for value in document.measures.values())
    return next((alignment for alignment in alignments if isinstance(alignment, Alignment)), None)
