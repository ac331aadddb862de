# SPDX-License-Identifier: MIT
"""From records to rows: the layout applied, so that every unit has a document, an annotator and a category."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.arrangement import Arranged
from unisono.io.layers import chosen_sheets, several_tiers, tier_names
from unisono.io.layout import Layout
from unisono.io.naming import first_rows, names_of, path_names, repeated_annotators
from unisono.io.record import Record
from unisono.io.table import Labels, listing
from unisono.io.unitrows import category_features, row_index, unit_rows
from unisono.model import Extent


def arranged(records: Sequence[Record], layout: Layout) -> Arranged:
    """Apply a layout to all records; a FormatError where it does not fit them."""
    result = Arranged(discontinuous=layout.discontinuous)
    patterned = [tier_names(record, layout) for record in records]
    taken = chosen_sheets(records, patterned, layout, result)
    paths = path_names(records, layout)
    category = category_features(records, layout)
    seen: dict[tuple[str, str, str | None], str] = {}
    problems: list[Problem] = []
    texts: dict[str, dict[str, str]] = {}
    for number, record in enumerate(records):
        sheets = np.array(taken[number], dtype=np.bool_)
        keep = sheets[record.sheet_codes]
        groups = patterned[number]
        annotators = names_of(record, "annotator", layout, groups, paths, number, keep, problems, result)
        documents = names_of(record, "document", layout, groups, paths, number, keep, problems, result)
        if record.annotators is None and record.documents is None:
            problems += repeated_annotators(record, taken[number], groups, annotators, documents, seen)
        problems += several_tiers(record, taken[number], annotators, documents, layout)
        _media(record, taken[number], annotators, documents, texts, result)
        rows = row_index(record, keep, layout, result)
        result.rows.append(unit_rows(record, rows, annotators, documents, category, layout, result))
    if problems:
        raise FormatError(problems)
    _compare_texts(texts, result)
    return result


def _media(
    record: Record,
    taken: Sequence[bool],
    annotators: Labels,
    documents: Labels,
    texts: dict[str, dict[str, str]],
    result: Arranged,
) -> None:
    """Collect texts and extents of the documents."""
    first = first_rows(record)
    for number, sheet in enumerate(record.sheets):
        row = first.get(number)
        if row is None or not taken[number] or (sheet.text is None and sheet.extent is None):
            continue
        code = int(documents.codes[row])
        if code < 0:
            continue
        name = documents.labels[code]
        if sheet.text is not None:
            annotator = annotators.labels[annotators.codes[row]] if annotators.codes[row] >= 0 else ""
            texts.setdefault(name, {}).setdefault(sheet.text, annotator)
        if sheet.extent is not None:
            known = result.extents.get(name)
            extent = sheet.extent
            if known is not None:
                extent = Extent(min(known[0].start, extent.start), max(known[0].end, extent.end), extent.source)
            result.extents[name] = (extent, None)


def _compare_texts(texts: Mapping[str, Mapping[str, str]], result: Arranged) -> None:
    """One text for each document; where annotators have different ones, none, and a warning."""
    differing = []
    for name, versions in texts.items():
        longest = max(map(len, versions))
        text = next(iter(versions)) if len(versions) == 1 else None
        result.extents.setdefault(name, (Extent(0, longest, "text"), text))
        if result.extents[name][1] is None and text is not None:
            result.extents[name] = (result.extents[name][0], text)
        if len(versions) > 1:
            differing.append(name)
    if differing:
        named = [f"{name} ({', '.join(list(texts[name].values())[:3])})" for name in differing]
        result.notes.append(
            Problem(
                "differing-texts",
                "warning",
                "",
                "the same text for all annotators of a document",
                f"{len(differing)} with texts that differ: {listing(named, 3)}",
                "positions may not mean the same; text-γ takes such texts: unisono text PATH --text-format units "
                f"--document {shlex.quote(differing[0])}",
            )
        )
