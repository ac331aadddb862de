# SPDX-License-Identifier: MIT
"""Layers and tiers: their names taken apart by a pattern, and which of them are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.arrangement import Arranged, TierNames
from unisono.io.layout import Layout
from unisono.io.record import Record, Sheet
from unisono.io.table import Labels, listing


def tier_names(record: Record, layout: Layout) -> TierNames:
    """For each sheet the names its layer's name gives, None where the pattern does not fit it."""
    if layout.tier_pattern is None:
        return [{} if sheet.layer is None else {"layer": sheet.layer} for sheet in record.sheets]
    pattern = re.compile(layout.tier_pattern)
    found: TierNames = []
    for sheet in record.sheets:
        match = None if sheet.layer is None else pattern.fullmatch(sheet.layer)
        if sheet.layer is None:
            found.append({})
        else:
            found.append(None if match is None else {k: v for k, v in match.groupdict().items() if v is not None})
    return found


def chosen_sheets(
    records: Sequence[Record],
    patterned: Sequence[TierNames],
    layout: Layout,
    result: Arranged,
) -> list[list[bool]]:
    """Which sheets are read; the layer must be plain, or there must be one only."""
    taken: list[list[bool]] = []
    known: Counter[str] = Counter()
    unfit: Counter[str] = Counter()
    for record, groups in zip(records, patterned, strict=True):
        counts = np.bincount(record.sheet_codes[record.is_unit], minlength=len(record.sheets))
        chosen = []
        for sheet, group, n_units in zip(record.sheets, groups, counts.tolist(), strict=True):
            if group is None:
                unfit[sheet.layer or ""] += 1
            elif "layer" in group:
                known[group["layer"]] += n_units
            chosen.append(_is_taken(sheet, group, layout))
        taken.append(chosen)
    if layout.layer:
        missing = [name for name in layout.layer if not any(fnmatchcase(layer, name) for layer in known)]
        if missing:
            raise FormatError.of(
                f"a layer named {listing(missing)}", _counts(known), "give one of these", code="unknown-layer"
            )
    if unfit and not any(any(chosen) for chosen in taken):
        raise FormatError.of(
            f"tiers that fit the pattern {layout.tier_pattern}",
            listing(sorted(unfit)),
            "correct it",
            code="tier-pattern",
        )
    if unfit:
        found = f"{len(unfit)} that do not ({listing(sorted(unfit), 5)})"
        result.notes.append(Problem("tier-pattern", "note", "", "tiers that fit the pattern", found, "left out"))
    in_use: Counter[str] = Counter()
    for record, groups, chosen in zip(records, patterned, taken, strict=True):
        if names_own_tiers(record, layout):
            continue
        counts = np.bincount(record.sheet_codes[record.is_unit], minlength=len(record.sheets)).tolist()
        for group, n_units, is_chosen in zip(groups, counts, chosen, strict=True):
            if is_chosen and n_units and group and "layer" in group:
                in_use[group["layer"]] += n_units
    if len(in_use) > 1 and not layout.layer:
        name = in_use.most_common(1)[0][0]
        raise FormatError.of(
            "one layer of units", f"{len(in_use)}: {_counts(in_use)}", f"say which: --layer {name}", code="which-layer"
        )
    if not in_use and not layout.layer and layout.tier_pattern is None:
        # Tokens and the like are no units unless asked for; if there is nothing else, that must be said.
        hidden = Counter({name: n for name, n in known.items() if n})
        taken_units = sum(
            int(np.isin(record.sheet_codes[record.is_unit], np.flatnonzero(chosen)).sum())
            for record, chosen in zip(records, taken, strict=True)
        )
        if hidden and not taken_units:
            name = hidden.most_common(1)[0][0]
            raise FormatError.of(
                "a layer of units",
                f"only layers read on demand: {_counts(hidden)}",
                f"say which: --layer {name}",
                code="which-layer",
            )
    result.layers = tuple(sorted(in_use))
    return taken


def _counts(layers: Counter[str]) -> str:
    return (
        listing([f"{name} ({count} unit{'s' if count != 1 else ''})" for name, count in layers.most_common()], 12)
        or "none"
    )


def _is_taken(sheet: Sheet, group: dict[str, str] | None, layout: Layout) -> bool:
    if group is None:
        return False
    if sheet.layer is None:
        return True
    if layout.layer:
        names = {sheet.layer, group.get("layer", sheet.layer)}
        return any(fnmatchcase(name, wanted) for name in names for wanted in layout.layer)
    # A pattern that names layers asks for all of them; one that only names annotators does not.
    return not sheet.is_dependent or (layout.tier_pattern is not None and "layer" in group)


def names_own_tiers(record: Record, layout: Layout) -> bool:
    """Whether tiers are named freely, each annotator's own: then it is no matter that their names differ."""
    return layout.tier_pattern is None and record.annotator_from == "tier"


def several_tiers(
    record: Record, chosen: Sequence[bool], annotators: Labels, documents: Labels, layout: Layout
) -> Iterator[Problem]:
    """Tiers of one annotator on one document, where the tier itself is not the annotator: which is meant?"""
    rule = layout.rule("annotator", record.annotator_from)
    if layout.layer or not names_own_tiers(record, layout) or rule is None or rule.kind == "tier":
        return
    tiers: dict[tuple[int, int], set[str]] = {}
    rows = np.flatnonzero(record.is_unit & ~record.faults.bad)
    sheets, first = np.unique(record.sheet_codes[rows], return_index=True)
    for sheet, row in zip(sheets.tolist(), rows[first].tolist(), strict=True):
        layer = record.sheets[sheet].layer
        if chosen[sheet] and layer is not None and annotators.codes[row] >= 0:
            tiers.setdefault((int(documents.codes[row]), int(annotators.codes[row])), set()).add(layer)
    for (_, annotator), names in tiers.items():
        if len(names) > 1:
            found = f"{len(names)} of {annotators.labels[annotator]}: {listing(sorted(names), 8)}"
            remedy = f"say which: --tier {min(names)}, or take their names apart with --tier-pattern"
            yield Problem("which-layer", "error", record.where, "one tier of each annotator", found, remedy)
            return
