# SPDX-License-Identifier: MIT
"""From rows to continua: one sort over the whole corpus, then a slice for each document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.io.arrangement import UnitRows
from unisono.io.participation import Participation
from unisono.io.table import Labels, merged
from unisono.model import CATEGORY, Continuum, Extent, Feature, IntArray, PositionArray

Indices = NDArray[np.intp]
Keys = NDArray[np.int64]

_DIGITS = re.compile("([0-9]+)")


@dataclass(frozen=True, slots=True)
class Units:
    """All units of a corpus in canonical order, by document, with labels shared by all documents."""

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    #: document code * number of annotators + annotator code, sorted: who saw what.
    seen: Keys
    #: The pairs of the participation table, where there is one.
    registered: Keys | None
    document_codes: IntArray
    annotator_codes: IntArray
    starts: PositionArray
    ends: PositionArray
    features: Mapping[str, Feature]
    #: Where each unit comes from: number of the table, row in it.
    origin_table: IntArray
    origin_row: Indices
    tables: Sequence[UnitRows]

    def place(self, unit: int) -> str:
        """File and line of a unit."""
        return self.tables[int(self.origin_table[unit])].place(int(self.origin_row[unit]))

    @property
    def keys(self) -> Keys:
        """Document and annotator of each unit as one number."""
        return self.document_codes.astype(np.int64) * len(self.annotators) + self.annotator_codes


def natural(name: str) -> tuple[Any, ...]:
    """Sorts doc2 before doc10.

    >>> sorted(["doc10", "doc2", "doc02"], key=natural)
    ['doc02', 'doc2', 'doc10']
    """
    parts: list[Any] = _DIGITS.split(name)
    # Length first, then digits: the order of numbers without making numbers, which may be too long for int().
    parts[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return (parts, name)


def gather(tables: Sequence[UnitRows], participation: Participation | None) -> Units:
    """The sound rows of all tables as one set of columns, sorted canonically."""
    sound = [np.flatnonzero(~rows.bad) for rows in tables]
    documents = [_taken(rows.documents, index) for rows, index in zip(tables, sound, strict=True)]
    annotators = [_taken(rows.annotators, index) for rows, index in zip(tables, sound, strict=True)]
    if participation is not None:
        pairs = len(participation.annotators.codes)
        alone = Labels.constant(next((label for part in documents for label in part.labels), ""), pairs)
        documents.append(participation.documents or alone)
        annotators.append(participation.annotators)
    document_parts, document_names = merged(documents, key=natural)
    annotator_parts, annotator_names = merged(annotators)
    keys = np.concatenate(document_parts).astype(np.int64) * len(annotator_names) + np.concatenate(annotator_parts)
    registered = None if participation is None else _distinct(keys[len(keys) - pairs :])

    is_unit = np.concatenate([rows.is_unit[index] for rows, index in zip(tables, sound, strict=True)])
    n_rows = len(is_unit)
    # Integers stay integers unless one table has fractions: concatenation promotes to float64.
    starts = np.concatenate([rows.starts[index] for rows, index in zip(tables, sound, strict=True)])
    ends = np.concatenate([rows.ends[index] for rows, index in zip(tables, sound, strict=True)])
    if starts.dtype != ends.dtype:
        starts, ends = starts.astype(np.float64), ends.astype(np.float64)
    names = sorted({name for rows in tables for name in rows.features} | {CATEGORY})
    features = {
        name: Feature(*_feature([_feature_part(rows, name, i) for rows, i in zip(tables, sound, strict=True)]))
        for name in names
    }
    document_codes = np.concatenate(document_parts)[:n_rows]
    annotator_codes = np.concatenate(annotator_parts)[:n_rows]
    origin_table = np.repeat(np.arange(len(tables), dtype=np.int32), [len(index) for index in sound])
    origin_row = np.concatenate(sound)

    # The order of Continuum, below the document: annotator, start, end, category, other features by name.
    others = [features[name].codes for name in reversed(names) if name != CATEGORY]
    order = np.lexsort((*others, features[CATEGORY].codes, ends, starts, annotator_codes, document_codes))
    order = order[is_unit[order]]
    return Units(
        documents=document_names,
        annotators=annotator_names,
        seen=_distinct(keys),
        registered=registered,
        document_codes=document_codes[order],
        annotator_codes=annotator_codes[order],
        starts=starts[order],
        ends=ends[order],
        features={name: feature.take(order) for name, feature in features.items()},
        origin_table=origin_table[order],
        origin_row=origin_row[order],
        tables=tables,
    )


def _distinct(keys: Keys) -> Keys:
    ordered = np.sort(keys)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(keys) else ordered


def _taken(labels: Labels, index: Indices) -> Labels:
    return Labels(labels.codes[index], labels.labels)


def _feature_part(rows: UnitRows, name: str, index: Indices) -> Labels:
    if name in rows.features:
        # Labels of rows that mark nothing are no labels of units.
        part = rows.features[name]
        return Labels(np.where(rows.is_unit[index], part.codes[index], -1).astype(np.int32), part.labels)
    return Labels(np.full(len(index), -1, dtype=np.int32), ())


def _feature(parts: Sequence[Labels]) -> tuple[IntArray, tuple[str, ...]]:
    columns, labels = merged(parts)
    return np.concatenate(columns), labels


def continua(units: Units, extents: Mapping[str, tuple[Extent, str | None]]) -> tuple[Continuum, ...]:
    """A continuum for each document; documents without an entry in `extents` get theirs from their units."""
    n_documents, n_annotators = len(units.documents), len(units.annotators)
    starts, ends = units.starts, units.ends
    unit_bounds = np.searchsorted(units.document_codes, np.arange(n_documents + 1))
    pair_bounds = np.searchsorted(units.seen, np.arange(n_documents + 1, dtype=np.int64) * n_annotators)
    # An annotator's code in a document: their place among those who saw it, in the order of names.
    local = (np.searchsorted(units.seen, units.keys) - pair_bounds[units.document_codes]).astype(np.int32)
    pair_names = [units.annotators[code] for code in (units.seen % n_annotators).tolist()]
    filled = np.flatnonzero(np.diff(unit_bounds))
    lowest: list[int | float | None] = [None] * n_documents
    highest: list[int | float | None] = [None] * n_documents
    if len(filled):
        firsts = unit_bounds[filled]
        for document, low, high in zip(
            filled.tolist(),
            np.minimum.reduceat(starts, firsts).tolist(),
            np.maximum.reduceat(ends, firsts).tolist(),
            strict=True,
        ):
            lowest[document], highest[document] = low, high
    result = []
    unit_edges, pair_edges = unit_bounds.tolist(), pair_bounds.tolist()
    columns = [(name, feature.codes, feature.labels) for name, feature in units.features.items()]
    for i, name in enumerate(units.documents):
        stretch = slice(unit_edges[i], unit_edges[i + 1])
        extent, text = extents.get(name, (None, None))
        low, high = lowest[i], highest[i]
        if extent is None and low is not None and high is not None:
            extent = Extent(low, high, "guessed")
        result.append(
            Continuum.canonical(
                name=name,
                text=text,
                starts=starts[stretch],
                ends=ends[stretch],
                annotator_codes=local[stretch],
                annotators=tuple(pair_names[pair_edges[i] : pair_edges[i + 1]]),
                features={key: Feature(codes[stretch], labels) for key, codes, labels in columns},
                extent=extent,
            )
        )
    return tuple(result)
