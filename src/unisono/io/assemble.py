# SPDX-License-Identifier: MIT
"""From rows to continua: the rows of all files are joined and sorted once, and each document is a slice of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.arrays import repeat
from unisono.io.faults import BoolArray
from unisono.io.labels import Labels, merge_labels
from unisono.io.tables.participation_table import Participation
from unisono.io.unit_rows import Keys, UnitRows
from unisono.model import CATEGORY, Continuum, Extent, Feature, TimeUnit

_DIGITS = re.compile("([0-9]+)")


def natural_order(name: str) -> tuple[Any, ...]:
    """The key that sorts doc2 before doc10.

    >>> sorted(["doc10", "doc2", "doc02"], key=natural_order)
    ['doc02', 'doc2', 'doc10']
    """
    parts: list[Any] = _DIGITS.split(name)
    # Length, then digits: the order of the numbers without int(), which refuses thousands of digits.
    parts[1::2] = [(len(digits.lstrip("0")), digits.lstrip("0")) for digits in parts[1::2]]
    return (parts, name)


@dataclass(frozen=True, slots=True)
class Shape:
    """What the rows of a whole input have in common, where only a part of them is read at a time."""

    #: Whether some position is not whole: then none is an integer.
    has_fractions: bool = False
    #: The features that some unit has, besides the category.
    features: frozenset[str] = frozenset()

    def __or__(self, other: Shape) -> Shape:
        return Shape(self.has_fractions or other.has_fractions, self.features | other.features)


def join_rows(
    parts: Sequence[UnitRows],
    bad: Sequence[BoolArray],
    participation: Participation | None = None,
    shape: Shape | None = None,
) -> UnitRows:
    """The units of all parts in the order of continua, by document; rows that are bad are left out.

    Labels are shared by all documents. Rows without a unit, and the pairs of the participation table, are kept as
    pairs of document and annotator (`seen`). `shape` says what other rows of the input have, where these are a part.
    """
    shape = shape or Shape()
    sound = [_drop_bad_rows(part, faulty) for part, faulty in zip(parts, bad, strict=True)]
    documents = [part.document_labels for part in sound if part.document_labels is not None]
    annotators = [part.annotator_labels for part in sound if part.annotator_labels is not None]
    if participation is not None:
        # A participation table without a column for documents is about the only document that there is.
        only = next((label for part in documents for label in part.labels), "")
        documents.append(participation.documents or Labels.constant(only, len(participation.annotators.codes)))
        annotators.append(participation.annotators)
    document_parts, document_names = merge_labels(documents, key=natural_order)
    annotator_parts, annotator_names = merge_labels(annotators)
    document_codes, annotator_codes = np.concatenate(document_parts), np.concatenate(annotator_parts)
    keys = document_codes.astype(np.int64) * len(annotator_names) + annotator_codes

    # Integers stay integers unless one part has fractions: concatenation promotes to float64.
    starts = np.concatenate([part.starts for part in sound])
    ends = np.concatenate([part.ends for part in sound])
    if starts.dtype != ends.dtype or shape.has_fractions:
        starts, ends = starts.astype(np.float64), ends.astype(np.float64)
    is_unit = np.concatenate([part.is_unit for part in sound])
    names = sorted({name for part in parts for name in part.features} | shape.features | {CATEGORY})
    features = {name: _join_feature(sound, name) for name in names}

    # The order of a continuum, below the document: annotator, start, end, category, other features by name.
    others = [features[name].codes for name in reversed(names) if name != CATEGORY]
    n_rows = len(starts)
    document_codes, annotator_codes = document_codes[:n_rows], annotator_codes[:n_rows]
    order = np.lexsort((*others, features[CATEGORY].codes, ends, starts, annotator_codes, document_codes))
    order = order[is_unit[order]]
    return UnitRows(
        starts=starts[order],
        ends=ends[order],
        is_unit=is_unit[order],
        features={name: labels.take(order) for name, labels in features.items()},
        document_labels=Labels(document_codes[order], document_names),
        annotator_labels=Labels(annotator_codes[order], annotator_names),
        places=tuple(part.places[0] for part in parts),
        origin_file=repeat(np.arange(len(parts), dtype=np.int32), list(map(len, sound)))[order],
        origin_row=np.concatenate([part.origin_row for part in sound])[order],
        seen=_distinct_keys(keys),
        registered=None if participation is None else _distinct_keys(keys[n_rows:]),
    )


def _drop_bad_rows(rows: UnitRows, bad: BoolArray) -> UnitRows:
    """The rows that are not bad."""
    return rows.take(np.flatnonzero(~bad)) if bad.any() else rows


def _join_feature(parts: Sequence[UnitRows], name: str) -> Labels:
    """One feature of all rows; labels of rows without a unit are not counted as labels."""
    columns = []
    for part in parts:
        labels = part.features.get(name)
        if labels is None:
            labels = Labels(np.full(len(part), -1, dtype=np.int32), ())
        elif not part.is_unit.all():
            labels = Labels(np.where(part.is_unit, labels.codes, np.int32(-1)), labels.labels)
        columns.append(labels)
    codes, names = merge_labels(columns)
    return Labels(np.concatenate(codes), names)


def _distinct_keys(keys: Keys) -> Keys:
    ordered = np.sort(keys)
    return ordered[np.concatenate(([True], ordered[1:] != ordered[:-1]))] if len(keys) else ordered


def make_continua(
    units: UnitRows,
    extents: Mapping[str, tuple[Extent, str | None]],
    time_units: Mapping[str, TimeUnit] | None = None,
) -> tuple[Continuum, ...]:
    """A continuum for each document; without an entry in `extents` its extent is that of its units."""
    n_documents, n_annotators = len(units.documents), len(units.annotators)
    starts, ends = units.starts, units.ends
    unit_bounds = np.searchsorted(units.document_codes, np.arange(n_documents + 1))
    pair_bounds = np.searchsorted(units.seen, np.arange(n_documents + 1, dtype=np.int64) * n_annotators)
    # An annotator's code in a document is their place among those who saw it, sorted by name.
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
        if extent is not None and time_units and name in time_units:
            extent = replace(extent, unit=time_units[name])
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
