# SPDX-License-Identifier: MIT
"""From records to rows that have a document, an annotator and a category: the layout is applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.labels import Labels
from unisono.io.layout.categories import category_features, choose_rows, name_rows, rename_categories
from unisono.io.layout.decision import decide_annotators
from unisono.io.layout.layer_choice import choose_sheets, joined_tiers, match_tier_pattern, tiers_to_choose_from
from unisono.io.layout.per_layer import part_by_layer
from unisono.io.layout.result import LayoutResult
from unisono.io.layout.row_names import find_names, find_path_names, first_rows, repeated_annotators
from unisono.io.layout.rules import Layout
from unisono.io.record import Record
from unisono.io.selection import Selection, select_categories
from unisono.io.wording import listing
from unisono.model import Extent
from unisono.nouns import quantity


def apply_layout(records: Sequence[Record], layout: Layout, selection: Selection) -> LayoutResult:
    """Apply a layout to all records; a FormatError where it does not fit them.

    Of the selection only the categories are chosen here: before they are renamed or ignored. Nothing is asked about
    annotators that are not selected.
    """
    result = LayoutResult(discontinuous=layout.discontinuous, category_from=layout.category_from)
    decision = decide_annotators(records, layout, selection)
    tiers = [match_tier_pattern(record, layout) for record in records]
    taken = choose_sheets(records, tiers, layout, result)
    paths = find_path_names(records, layout, decision.split)
    category = category_features(records, layout)
    seen: dict[tuple[str, str, str | None], str] = {}
    problems: list[Problem] = []
    texts: dict[str, dict[str, str]] = {}
    for number, record in enumerate(records):
        sheets = np.array(taken[number], dtype=np.bool_)
        keep = sheets[record.sheet_codes]
        groups = tiers[number]
        default = record.annotator_from if decision.by_tier and layout.tier_pattern is None else None
        names = (layout, groups, paths, number, keep, problems, result)
        annotators = find_names(record, "annotator", *names, default=default)
        documents = find_names(record, "document", *names)
        if record.rows.annotator_labels is None and record.rows.document_labels is None:
            problems += repeated_annotators(record, taken[number], groups, annotators, documents, seen)
        if not any(problem.code == "which-layer" for problem in problems):  # asked once for all files
            problems += tiers_to_choose_from(record, taken[number], annotators, documents, layout, result)
        _collect_documents(record, taken[number], annotators, documents, texts, result)
        rows = choose_rows(record, keep, layout, result)
        result.rows.append(name_rows(record, rows, annotators, documents, category, layout, result))
    if problems:
        raise FormatError(problems)
    if selection.only_categories:
        result.rows = select_categories(result.rows, selection)
    result.rows = [
        rename_categories(record, rows, layout, result) for record, rows in zip(records, result.rows, strict=True)
    ]
    _compare_texts(texts, result)
    if result.joined_tiers:
        result.notes.append(joined_tiers(result.joined_tiers))
    if layout.per_layer:
        part_by_layer(records, tiers, result)
    return result


def _collect_documents(
    record: Record,
    taken: Sequence[bool],
    annotators: Labels,
    documents: Labels,
    texts: dict[str, dict[str, str]],
    result: LayoutResult,
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
            result.texts.setdefault(name, {}).setdefault(annotator, set()).add(sheet.text)
        if sheet.extent is not None:
            known = result.extents.get(name)
            extent = sheet.extent
            if known is not None:
                extent = Extent(min(known[0].start, extent.start), max(known[0].end, extent.end), extent.source)
            result.extents[name] = (extent, None)


def _compare_texts(texts: Mapping[str, Mapping[str, str]], result: LayoutResult) -> None:
    """Give each document its text; where annotators have different texts, none and a warning."""
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
                f"the annotators of {quantity(len(differing), 'document')} have different texts: {listing(named, 3)}",
                "Their positions may not mean the same. The measure text-gamma compares such texts.",
            )
        )
