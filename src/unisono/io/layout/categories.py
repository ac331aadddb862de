# SPDX-License-Identifier: MIT
"""The rows of a record that are read, with their names: discontinuous units, the choice of the category, its names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.arrays import repeat
from unisono.errors import FormatError, Problem
from unisono.io.faults import BoolArray
from unisono.io.labels import Indices, Labels
from unisono.io.layout.result import LayoutResult
from unisono.io.layout.rules import Layout
from unisono.io.record import PIECES, Record
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing
from unisono.model import CATEGORY, PositionArray
from unisono.nouns import quantity


def choose_rows(record: Record, keep: BoolArray, layout: Layout, result: LayoutResult) -> Indices:
    """The rows to read; a discontinuous unit read in pieces is repeated for each of them."""
    n_discontinuous = int(keep[list(record.pieces)].sum()) if record.pieces else 0
    result.n_discontinuous += n_discontinuous
    if layout.discontinuous == "pieces" and record.pieces:
        counts = np.ones(record.n_rows, dtype=np.intp)
        for row, stretches in record.pieces.items():
            counts[row] = len(stretches)
        return repeat(np.arange(record.n_rows), np.where(keep, counts, 0))
    return np.flatnonzero(keep)


def name_rows(
    record: Record,
    origin: Indices,
    annotators: Labels,
    documents: Labels,
    category: Sequence[str] | None,
    layout: Layout,
    result: LayoutResult,
) -> UnitRows:
    """The chosen rows of a record with their documents, annotators, category and other features."""
    rows = record.rows
    features = dict(rows.features)
    if record.pieces and layout.discontinuous == "hull":
        features[PIECES] = _pieces_feature(record)
    names = category if category is not None else _own_categories(record, origin)
    is_by_layer = category is None and len(names) > 1
    labels = _category_by_layer(record, names) if is_by_layer else _join_features(record, names)
    if labels is not None:
        result.add_source(CATEGORY, _category_source(record, names))
    is_whole = len(origin) == len(rows) and not record.pieces

    def take(column: Labels) -> Labels:
        return column if is_whole else column.take(origin)

    taken = {name: take(column) for name, column in features.items() if name not in names}
    # Features of layers that are not read have no values here.
    taken = {name: column for name, column in taken.items() if not column.is_empty}
    if CATEGORY in taken:  # the format's own category, where another one was asked for
        taken["original_category"] = taken.pop(CATEGORY)
    if labels is not None:
        taken[CATEGORY] = take(labels)
    named = replace(rows, features=taken, document_labels=take(documents), annotator_labels=take(annotators))
    if not is_whole:
        starts, ends, is_unit = rows.starts[origin], rows.ends[origin], rows.is_unit[origin]
        if record.pieces and layout.discontinuous == "pieces":
            _set_pieces(record, origin, starts, ends)
        elif record.pieces and layout.discontinuous == "skip":
            # The row stays, because the annotator has seen the document; it is no unit any more.
            is_unit &= ~np.isin(origin, list(record.pieces))
        files = rows.origin_file[origin]
        named = replace(named, starts=starts, ends=ends, is_unit=is_unit, origin_file=files, origin_row=origin)
    return named


def _set_pieces(record: Record, origin: Indices, starts: PositionArray, ends: PositionArray) -> None:
    first = np.searchsorted(origin, list(record.pieces))
    for index, (row, stretches) in zip(first.tolist(), record.pieces.items(), strict=True):
        if index < len(origin) and origin[index] == row:
            for i, (start, end) in enumerate(stretches):
                starts[index + i], ends[index + i] = start, end


def _pieces_feature(record: Record) -> Labels:
    """The pieces of discontinuous units as a feature, `3-7 12-15`."""
    codes = np.full(record.n_rows, -1, dtype=np.int32)
    words = [" ".join(f"{start}-{end}" for start, end in stretches) for stretches in record.pieces.values()]
    some = Labels.of(words)
    codes[list(record.pieces)] = some.codes
    return Labels(codes, some.labels)


def category_features(records: Sequence[Record], layout: Layout) -> list[str] | None:
    """The features asked for as the category, which must exist; None where each format's own is meant."""
    wanted = layout.category_from
    if wanted is None:
        return None
    known = {name for record in records for name in record.rows.features}
    known |= {record.category for record in records if record.category}
    names = [wanted] if wanted in known else wanted.split(":")
    missing = [name for name in names if name not in known]
    if missing:
        offered = f"the features are {listing(sorted(known))}" if known else "the units have no features"
        raise FormatError.of(
            f"there is no feature {missing[0]!r} for the category: {offered}",
            "Give [[category_from]] one of these, or two joined as one:other.",
            code="unknown-feature",
        )
    return names


def _join_features(record: Record, names: Sequence[str]) -> Labels | None:
    """The feature of that name, or several joined with colons."""
    features = record.rows.features
    parts = [(name, features[name]) for name in names if name in features]
    if not parts:
        return None
    if len(parts) == 1 and len(names) == 1:
        return parts[0][1]
    cells = np.full(record.n_rows, "", dtype=object)
    for name, labels in parts:
        # The name of a flag is a better category than "true".
        texts = [*(name if label == "true" else label for label in labels.labels), ""]
        words = np.array(texts, dtype=object)[labels.codes]
        both = (cells != "") & (words != "")
        cells = np.where(both, cells + ":" + words, cells + words)
    return Labels.of(cells.tolist())


def _own_categories(record: Record, origin: Indices) -> list[str]:
    """The features that are the category unless the layout says otherwise: the format's, or each layer's."""
    if record.category is not None:
        return [record.category]
    sheets = np.unique(record.sheet_codes[origin[record.rows.is_unit[origin]]]).tolist() if len(origin) else []
    return sorted({name for sheet in sheets if (name := record.sheets[sheet].category) is not None})


def _category_by_layer(record: Record, names: Sequence[str]) -> Labels:
    """The category of units on layers with different features for it."""
    own = np.array([sheet.category or "" for sheet in record.sheets], dtype=object)[record.sheet_codes]
    cells = np.full(record.n_rows, "", dtype=object)
    for name in names:
        if name in record.rows.features:
            labels = record.rows.features[name]
            words = np.array([*labels.labels, ""], dtype=object)[labels.codes]
            cells = np.where(own == name, words, cells)
    return Labels.of(cells.tolist())


def _category_source(record: Record, names: Sequence[str]) -> str:
    if list(names) == [record.category]:
        return record.called.get(CATEGORY, f"feature {names[0]}")
    return f"feature {names[0]}" if len(names) == 1 else f"features {' and '.join(names)}"


def rename_categories(record: Record, rows: UnitRows, layout: Layout, result: LayoutResult) -> UnitRows:
    """Rename and merge categories by the map; units of ignored categories become rows without a unit."""
    category = rows.features.get(CATEGORY)
    if category is None or not (layout.category_map or layout.ignore):
        return rows
    names = [layout.category_map.get(label, label) for label in category.labels]
    ignored = [old for old, new in zip(category.labels, names, strict=True) if {old, new} & set(layout.ignore)]
    is_ignored = np.array([*(label in ignored for label in category.labels), False])[category.codes]
    renamed = Labels.of(names)
    codes = np.append(renamed.codes, -1).astype(np.int32)[category.codes]
    # The rows stay, because the annotators have seen the documents.
    is_unit = rows.is_unit & ~is_ignored
    n_ignored = int((rows.is_unit & is_ignored & ~record.faults.bad[rows.origin_row]).sum())
    if n_ignored:
        were = "was" if n_ignored == 1 else "were"
        message = (
            f"{quantity(n_ignored, 'unit')} of {listing(ignored, 5)} {were} left out, as asked for with [[ignore]]"
        )
        result.notes.append(Problem("ignored-units", "note", record.where, message))
    features = {**rows.features, CATEGORY: Labels(codes, renamed.labels)}
    return replace(rows, features=features, is_unit=is_unit)
