# SPDX-License-Identifier: MIT
"""Rows and their features: discontinuous units as wanted, the category chosen, renamed, left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.arrangement import Arranged, Indices, UnitRows
from unisono.io.layout import Layout
from unisono.io.record import PIECES, Record
from unisono.io.table import BoolArray, Labels, listing
from unisono.model import CATEGORY, PositionArray


def row_index(record: Record, keep: BoolArray, layout: Layout, result: Arranged) -> Indices:
    """The rows to take, those of discontinuous units as the layout wants them."""
    n_discontinuous = int(keep[list(record.pieces)].sum()) if record.pieces else 0
    result.n_discontinuous += n_discontinuous
    if layout.discontinuous == "pieces" and record.pieces:
        counts = np.ones(record.n_rows, dtype=np.intp)
        for row, stretches in record.pieces.items():
            counts[row] = len(stretches)
        return np.repeat(np.arange(record.n_rows), np.where(keep, counts, 0))
    return np.flatnonzero(keep)


def unit_rows(
    record: Record,
    origin: Indices,
    annotators: Labels,
    documents: Labels,
    category: Sequence[str] | None,
    layout: Layout,
    result: Arranged,
) -> UnitRows:
    """The rows of a record that were chosen, with their category and their other features."""
    starts, ends = record.starts[origin], record.ends[origin]
    features = dict(record.features)
    if record.pieces:
        whole = layout.discontinuous == "hull"
        if layout.discontinuous == "pieces":
            starts, ends = _in_pieces(record, origin, starts, ends)
        if whole:
            features[PIECES] = _pieces_feature(record)
    names = category if category is not None else _own_names(record, origin)
    found = _category(record, names) if category is not None or len(names) < 2 else _by_layer(record, names)
    if found is not None:
        result.say(CATEGORY, _category_words(record, names))
    taken = {name: _taken(labels, origin) for name, labels in features.items() if name not in names}
    # Features of layers that were not chosen have nothing to say here.
    taken = {name: labels for name, labels in taken.items() if not labels.is_empty}
    is_unit = record.is_unit[origin]
    if layout.discontinuous == "skip" and record.pieces:
        # Who marked nothing else has still seen the document: the row stays, the unit goes.
        is_unit &= ~np.isin(origin, list(record.pieces))
    if CATEGORY in taken:  # the format's own category, where another was asked for
        taken["original_category"] = taken.pop(CATEGORY)
    if found is not None:
        taken[CATEGORY] = _taken(found, origin)
    rows = UnitRows(
        record,
        origin,
        _taken(documents, origin),
        _taken(annotators, origin),
        starts,
        ends,
        is_unit,
        taken,
    )
    return _mapped(rows, layout, result)


def _taken(labels: Labels, origin: Indices) -> Labels:
    return Labels(labels.codes[origin], labels.labels, labels.n_stripped)


def _in_pieces(
    record: Record, origin: Indices, starts: PositionArray, ends: PositionArray
) -> tuple[PositionArray, PositionArray]:
    first = np.searchsorted(origin, list(record.pieces))
    for index, (row, stretches) in zip(first.tolist(), record.pieces.items(), strict=True):
        if index < len(origin) and origin[index] == row:
            for i, (start, end) in enumerate(stretches):
                starts[index + i], ends[index + i] = start, end
    return starts, ends


def _pieces_feature(record: Record) -> Labels:
    codes = np.full(record.n_rows, -1, dtype=np.int32)
    words = [" ".join(f"{start}-{end}" for start, end in stretches) for stretches in record.pieces.values()]
    some = Labels.of(words)
    codes[list(record.pieces)] = some.codes
    return Labels(codes, some.labels)


def category_features(records: Sequence[Record], layout: Layout) -> list[str] | None:
    """The features that make the category, checked to be there; None: each format's own."""
    wanted = layout.category_from
    if wanted is None:
        return None
    known = {name for record in records for name in record.features}
    known |= {record.category for record in records if record.category}
    names = [wanted] if wanted in known else wanted.split(":")
    missing = [name for name in names if name not in known]
    if missing:
        raise FormatError.of(
            f"a feature {missing[0]!r} for the category",
            listing(sorted(known)) or "no features",
            "give one of these, or two joined as one:other",
            code="unknown-feature",
        )
    return names


def _category(record: Record, names: Sequence[str]) -> Labels | None:
    parts = [(name, record.features[name]) for name in names if name in record.features]
    if not parts:
        return None
    if len(parts) == 1 and len(names) == 1:
        return parts[0][1]
    # Joined: what a feature is called says more than that it is true.
    cells = np.full(record.n_rows, "", dtype=object)
    for name, labels in parts:
        words = np.array([*(name if label == "true" else label for label in labels.labels), ""], dtype=object)[
            labels.codes
        ]
        both = (cells != "") & (words != "")
        cells = np.where(both, cells + ":" + words, cells + words)
    return Labels.of(cells.tolist())


def _own_names(record: Record, origin: Indices) -> list[str]:
    """The feature that is the category by itself: the format's, or that of each layer chosen."""
    if record.category is not None:
        return [record.category]
    sheets = np.unique(record.sheet_codes[origin[record.is_unit[origin]]]).tolist() if len(origin) else []
    return sorted({name for sheet in sheets if (name := record.sheets[sheet].category) is not None})


def _by_layer(record: Record, names: Sequence[str]) -> Labels:
    """The category of units on layers that differ in the feature it is."""
    own = np.array([sheet.category or "" for sheet in record.sheets], dtype=object)[record.sheet_codes]
    cells = np.full(record.n_rows, "", dtype=object)
    for name in names:
        if name in record.features:
            labels = record.features[name]
            words = np.array([*labels.labels, ""], dtype=object)[labels.codes]
            cells = np.where(own == name, words, cells)
    return Labels.of(cells.tolist())


def _category_words(record: Record, names: Sequence[str]) -> str:
    if list(names) == [record.category]:
        return record.called.get(CATEGORY, f"feature {names[0]}")
    return f"feature {names[0]}" if len(names) == 1 else f"features {' and '.join(names)}"


def _mapped(rows: UnitRows, layout: Layout, result: Arranged) -> UnitRows:
    """Categories renamed, merged, left out."""
    category = rows.features.get(CATEGORY)
    if category is None or not (layout.category_map or layout.ignore):
        return rows
    names = [layout.category_map.get(label, label) for label in category.labels]
    gone = [old for old, new in zip(category.labels, names, strict=True) if {old, new} & set(layout.ignore)]
    ignored = np.array([*(label in gone for label in category.labels), False])[category.codes]
    again = Labels.of(names)
    codes = np.append(again.codes, -1).astype(np.int32)[category.codes]
    features = {**rows.features, CATEGORY: Labels(codes, again.labels)}
    # Who marked nothing else has still seen the document: the row stays, the unit goes.
    is_unit = rows.is_unit & ~ignored
    n_ignored = int((rows.is_unit & ignored & ~rows.bad).sum())
    if n_ignored:
        result.notes.append(
            Problem(
                "ignored-units",
                "note",
                rows.record.where,
                "categories to be measured",
                f"{n_ignored} units of {listing(gone, 5)}",
                "left out, as asked",
            )
        )
    return replace(rows, features=features, is_unit=is_unit)
