# SPDX-License-Identifier: MIT
"""The data behind the report: documents, categories and their confusions, annotators, disorders of chance.

The page is drawn from this alone, whether the result was just measured or loaded from a file. There may be thousands of
units, categories or annotators: they are counted with array operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.analysis.gold import GoldDocument, vote_on
from unisono.diagnosis.alignment_columns import alignment_of, corpus_of
from unisono.measures.random_corpora import pooled_chance
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, FloatArray
from unisono.report.details import MAIN_MEASURE, Details, details_of, without_quotations
from unisono.report.ranking import has_few_units, rank_categories, rank_documents
from unisono.report.view import gold_columns, stored_view
from unisono.results import MeasureValue, Result

#: Categories in the table of confusions; the rarer ones share a row.
MOST_CATEGORIES = 25
#: Unitary alignments counted at a time, to bound the memory.
AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True)
class Confusion:
    """Which categories were aligned with which: pairs of units in one unitary alignment, and missing units.

    `labels` are the categories, None for units without one; `pairs[i, j]` counts the pairs of a unit of category i and
    one of category j, each pair once, so that the table is symmetric; `missing[i]` counts how often a unit of category
    i was aligned with an annotator's empty unit. `n_rare` categories beyond the most frequent ones share the last row.
    """

    labels: tuple[str | None, ...]
    pairs: NDArray[np.int64]
    missing: NDArray[np.int64]
    n_rare: int = 0

    @property
    def total(self) -> int:
        """Pairs of units, each once."""
        return int(np.triu(self.pairs).sum())

    def worst(self, most: int = 8) -> list[tuple[int, int, int]]:
        """The pairs of different categories that were aligned most often: (row, row, how often)."""
        i, j = np.triu_indices(len(self.labels), k=1)
        counts = self.pairs[i, j]
        order = np.argsort(-counts, kind="stable")[:most]
        return [(int(i[k]), int(j[k]), int(counts[k])) for k in order if counts[k] > 0]


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category: its units, those that only one annotator marked, and γk if it was measured."""

    label: str | None
    units: int
    annotators: int
    alone: int | None
    value: MeasureValue | None

    @property
    def is_small(self) -> bool:
        """Whether it has so few units that its value says little."""
        return has_few_units(self.units)


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    """One annotator: documents seen, units marked, those nobody else marked, and their lengths."""

    name: str
    documents: int
    units: int
    alone: int | None
    #: Shortest, first quartile, median, third quartile, longest; None without units.
    lengths: tuple[float, float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class Chance:
    """The disorders of random corpora beside the observed one."""

    disorders: FloatArray
    observed: float
    expected: float
    #: How many documents each random corpus consists of.
    documents: int


@dataclass(frozen=True)
class ReportData:
    """Everything the page is drawn from."""

    result: Result
    corpus: Corpus
    details: Details
    has_text: bool

    @classmethod
    def of(cls, result: Result, *, text: bool = True, annotators: bool | None = None) -> ReportData:
        """The report's data of a result that has its corpus, measured or loaded."""
        details = details_of(result, annotators=annotators)
        return cls(result if text else without_quotations(result), corpus_of(result), details, text)

    @cached_property
    def main(self) -> str:
        """The measure that documents are sorted by: γ, or the first with a value."""
        names = list(self.result.measures)
        if MAIN_MEASURE in names:
            return MAIN_MEASURE
        return next((name for name in names if self.result[name].value is not None), names[0])

    @cached_property
    def alignments(self) -> tuple[Alignment | None, ...]:
        return tuple(map(alignment_of, self.result.documents))

    def view(self, i: int) -> dict[str, Any]:
        """Document i for the viewer, with its alignment and the parts of its disorders as the result has them."""
        alignment = self.alignments[i]
        continuum = self.corpus[i] if alignment is None else alignment.continuum
        shown = stored_view(
            continuum,
            alignment,
            parts=self.details.parts[i],
            labels=continuum.features.get(self.details.feature, continuum.features[CATEGORY]),
            delta_empty=self.result.parameters.get("delta_empty"),
            text=self.has_text,
        )
        voted = self.gold[i]
        return shown if voted is None else {**shown, "gold": gold_columns(voted)}

    @cached_property
    def gold(self) -> tuple[GoldDocument | None, ...]:
        """What a vote over each alignment gives, for a person to decide on; None where there is nothing to vote on."""
        can_vote = (
            each is not None and each.continuum.n_annotators > 1 and each.continuum.own_texts is None
            for each in self.alignments
        )
        wanted = [each if can else None for each, can in zip(self.alignments, can_vote, strict=True)]
        return vote_on(wanted, self.details.feature)

    @cached_property
    def order(self) -> list[int]:
        """The documents, those that cost most first; those of few units later, those without a value last."""
        return rank_documents(self.result.documents, self.main)

    @cached_property
    def shares(self) -> tuple[float, float, float] | None:
        """The shares of all disorder that come from positions, categories and empty units.

        Over the unitary alignments of all documents; None if there is none, or the dissimilarity has no parts.
        """
        sums = [0.0, 0.0, 0.0]
        for parts in self.details.parts:
            if parts is None:
                continue
            for i, column in enumerate((parts.positional, parts.categorial, parts.empty)):
                if column is None:
                    return None
                sums[i] += float(column.sum())
        total = sum(sums)
        return (sums[0] / total, sums[1] / total, sums[2] / total) if total > 0 else None

    @cached_property
    def categories(self) -> tuple[CategoryRow, ...]:
        """Every category, those that cost most first if γk was measured, otherwise the most frequent first."""
        units = self._units
        n = len(units.labels)
        counts = np.bincount(units.category, minlength=n)
        width = len(units.annotators)
        users = np.bincount(np.unique(units.category * width + units.annotator) // width, minlength=n)
        alone = np.bincount(units.category[units.is_alone], minlength=n)
        measured = ("gamma-k" in self.result.measures and self.result["gamma-k"].per_category) or {}
        rows = {
            label: CategoryRow(
                label,
                int(counts[i]),
                int(users[i]),
                int(alone[i]) if units.is_aligned else None,
                measured.get(label),
            )
            for i, label in enumerate(units.labels)
            if counts[i]
        }
        values = {label: row.value for label, row in rows.items()}
        return tuple(rows[label] for label in rank_categories(values, {row.label: row.units for row in rows.values()}))

    @cached_property
    def confusion(self) -> Confusion | None:
        """Pairs of aligned units by category; None without an alignment, or where no unit has a category."""
        units = self._units
        if not units.is_aligned or units.labels == (None,) or not units.labels:
            return None
        counts = np.bincount(units.category, minlength=len(units.labels))
        frequent = np.argsort(-counts, kind="stable")
        kept = np.sort(frequent[:MOST_CATEGORIES]) if len(frequent) > MOST_CATEGORIES + 1 else np.arange(len(counts))
        n_rare = len(counts) - len(kept)
        width = len(kept) + bool(n_rare)
        place = np.full(len(counts), len(kept), dtype=np.int64)
        place[kept] = np.arange(len(kept))
        aligned = units.group >= 0
        group, row = units.group[aligned], place[units.category[aligned]]
        missing = np.bincount(row, weights=units.n_missing[aligned], minlength=width).astype(np.int64)
        return Confusion(tuple(units.labels[i] for i in kept.tolist()), _pairs(group, row, width), missing, n_rare)

    @cached_property
    def annotators(self) -> tuple[AnnotatorRow, ...]:
        """Every annotator, in the order of the names."""
        units = self._units
        n = len(units.annotators)
        documents = np.zeros(n, dtype=np.int64)
        place = {name: i for i, name in enumerate(units.annotators)}
        for continuum in self.corpus:
            documents[[place[name] for name in continuum.annotators]] += 1
        counts = np.bincount(units.annotator, minlength=n)
        alone = np.bincount(units.annotator[units.is_alone], minlength=n)
        lengths = _quartiles(units.length, units.annotator, counts)
        return tuple(
            AnnotatorRow(
                name,
                int(documents[i]),
                int(counts[i]),
                int(alone[i]) if units.is_aligned else None,
                (lengths[0][i], lengths[1][i], lengths[2][i], lengths[3][i], lengths[4][i]) if counts[i] else None,
            )
            for i, name in enumerate(units.annotators)
        )

    @cached_property
    def chance(self) -> Chance | None:
        """Disorders of random corpora, made of one sample of each document; for one document, those of its samples."""
        overall = self.result[self.main]
        if overall.observed is None or overall.expected is None:
            return None
        n_documents = overall.documents_measured or 0
        pooled = pooled_chance(self.result, self.main) if len(self.result.documents) > 1 else None
        disorders = overall.chance_disorders if pooled is None else pooled.chance_disorders
        if disorders is None:  # one of several documents has a value
            kept = (document[self.main].chance_disorders for document in self.result.documents)
            disorders = next((each for each in kept if each is not None), None)
        if disorders is None or len(disorders) < 2:
            return None
        return Chance(disorders, overall.observed, overall.expected, n_documents)

    @cached_property
    def _units(self) -> _Units:
        return _Units.of(self.corpus, self.alignments, self.details.feature)


@dataclass(frozen=True)
class _Units:
    """All units of a corpus as columns: who, what, how long, in which unitary alignment (-1: none)."""

    annotators: tuple[str, ...]
    labels: tuple[str | None, ...]
    annotator: NDArray[np.int64]
    category: NDArray[np.int64]
    length: FloatArray
    group: NDArray[np.int64]
    #: How many annotators of the document have no unit in the same unitary alignment.
    n_missing: NDArray[np.int64]
    is_aligned: bool

    @property
    def is_alone(self) -> NDArray[np.bool_]:
        """Units that stand alone in their unitary alignment."""
        sizes = np.bincount(self.group[self.group >= 0]) if self.is_aligned else np.zeros(1, np.int64)
        return (self.group >= 0) & (sizes[self.group] == 1) if self.is_aligned else np.zeros(len(self.group), bool)

    @classmethod
    def of(cls, corpus: Corpus, alignments: tuple[Alignment | None, ...], feature: str) -> _Units:
        names = corpus.annotators
        place = {name: i for i, name in enumerate(names)}
        tables: dict[int, NDArray[np.int64]] = {}
        labels: dict[str | None, int] = {None: 0}
        annotator, category, group, missing, length = [], [], [], [], []
        n_groups = 0
        for continuum, alignment in zip(corpus, alignments, strict=True):
            annotator.append(np.array([place[name] for name in continuum.annotators])[continuum.annotator_codes])
            category.append(_global_codes(continuum, feature, tables, labels))
            length.append(np.asarray(continuum.ends - continuum.starts, dtype=np.float64))
            if alignment is None:
                group.append(np.full(len(continuum), -1, dtype=np.int64))
                missing.append(np.zeros(len(continuum), dtype=np.int64))
                continue
            sizes = np.bincount(alignment.group, minlength=len(alignment))
            group.append(alignment.group.astype(np.int64) + n_groups)
            missing.append(continuum.n_annotators - sizes[alignment.group])
            n_groups += len(alignment)
        codes = np.concatenate(category) if category else np.empty(0, np.int64)
        # Only labels in use, sorted, units without one last.
        used, codes = np.unique(codes, return_inverse=True)
        known = {code: label for label, code in labels.items()}
        in_use = [known[code] for code in used.tolist()]
        order = sorted(range(len(in_use)), key=lambda i: (in_use[i] is None, in_use[i] or ""))
        rank = np.empty(len(in_use), dtype=np.int64)
        rank[order] = np.arange(len(in_use))
        return cls(
            names,
            tuple(in_use[i] for i in order),
            _join(annotator),
            rank[codes.reshape(-1)] if len(in_use) else np.empty(0, np.int64),
            np.concatenate([np.empty(0), *length]),
            _join(group),
            _join(missing),
            n_groups > 0,
        )


def _global_codes(
    continuum: Continuum, feature: str, tables: dict[int, NDArray[np.int64]], labels: dict[str | None, int]
) -> NDArray[np.int64]:
    """The categories of a document as codes of the whole corpus; label tables shared by documents are mapped once."""
    column = continuum.features.get(feature)
    if column is None:
        return np.zeros(len(continuum), dtype=np.int64)
    if id(column.labels) not in tables:
        codes = [labels.setdefault(label, len(labels)) for label in column.labels]
        tables[id(column.labels)] = np.array([*codes, 0], dtype=np.int64)  # code -1: no category
    return tables[id(column.labels)][column.codes]


def _join(columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.empty(0, np.int64), *columns]).astype(np.int64)


def _quartiles(values: FloatArray, owner: NDArray[np.int64], counts: NDArray[np.int64]) -> list[list[float]]:
    """Minimum, quartiles (interpolated) and maximum of the values of each owner."""
    ordered = np.append(values[np.lexsort((values, owner))], 0.0)  # the sentinel: the last owners may have no values
    first = np.cumsum(counts) - counts
    quartiles = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        place = share * np.maximum(counts - 1, 0)
        below = np.floor(place).astype(np.int64)
        above = np.minimum(below + 1, np.maximum(counts - 1, 0))
        low, high = ordered[first + below], ordered[first + above]
        quartiles.append((low + (place - below) * (high - low)).tolist())
    return quartiles


def _pairs(group: NDArray[np.int64], row: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """The number of pairs of units in one group, by the rows of both: products of the counts within each group."""
    order = np.argsort(group, kind="stable")
    group, row = group[order], row[order]
    pairs = np.zeros((width, width), dtype=np.int64)
    for first in range(0, int(group[-1]) + 1 if len(group) else 0, AT_ONCE):
        low, high = np.searchsorted(group, [first, first + AT_ONCE])
        size = min(AT_ONCE, int(group[-1]) + 1 - first)
        counts = np.bincount((group[low:high] - first) * width + row[low:high], minlength=size * width)
        counts = counts.reshape(size, width).astype(np.float64)
        both = counts.T @ counts  # whole numbers: exact in any order
        both[np.diag_indices(width)] = (both[np.diag_indices(width)] - counts.sum(axis=0)) / 2
        pairs += both.astype(np.int64)
    return pairs
