# SPDX-License-Identifier: MIT
"""Layers and tiers: names found in their names by a pattern, and which of them are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.labels import Labels
from unisono.io.layout.name_parts import are_levels
from unisono.io.layout.result import LayoutResult, TierNames
from unisono.io.layout.rules import Layout
from unisono.io.record import Record, Sheet
from unisono.io.wording import listing
from unisono.nouns import quantity


def match_tier_pattern(record: Record, layout: Layout) -> TierNames:
    """For each sheet the names that the pattern finds in its layer's name, None where it does not match."""
    if layout.tier_pattern is None:
        return [{} if sheet.layer is None else {"layer": sheet.layer} for sheet in record.sheets]
    pattern = re.compile(layout.tier_pattern)
    names: TierNames = []
    for sheet in record.sheets:
        match = None if sheet.layer is None else pattern.fullmatch(sheet.layer)
        if sheet.layer is None:
            names.append({})
        else:
            names.append(None if match is None else {k: v for k, v in match.groupdict().items() if v is not None})
    return names


def _count_units(record: Record) -> list[int]:
    """How many units each sheet has."""
    codes = record.sheet_codes[record.rows.is_unit]
    counts: list[int] = np.bincount(codes, minlength=len(record.sheets)).tolist()
    return counts


def choose_sheets(
    records: Sequence[Record],
    tiers: Sequence[TierNames],
    layout: Layout,
    result: LayoutResult,
) -> list[list[bool]]:
    """Which sheets of each record are read; a FormatError where several layers could be meant."""
    taken: list[list[bool]] = []
    known: Counter[str] = Counter()
    unfit: Counter[str] = Counter()
    for record, groups in zip(records, tiers, strict=True):
        chosen = []
        for sheet, group, n_units in zip(record.sheets, groups, _count_units(record), strict=True):
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
                f"there is no layer named {listing(missing)}; the layers are {_list_layers(known)}",
                "Give one of these as [[layer]].",
                code="unknown-layer",
            )
    if unfit and not any(any(chosen) for chosen in taken):
        raise FormatError.of(
            f"no tier matches the pattern {layout.tier_pattern}; the tiers are {listing(sorted(unfit))}",
            "Correct [[tier_pattern]].",
            code="tier-pattern",
        )
    if unfit:
        do, were = ("does", "was") if len(unfit) == 1 else ("do", "were")
        message = f"{quantity(len(unfit), 'tier')} {do} not match the pattern and {were} left out"
        result.notes.append(Problem("tier-pattern", "note", "", f"{message}: {listing(sorted(unfit), 5)}"))
    in_use: Counter[str] = Counter()
    for record, groups, chosen in zip(records, tiers, taken, strict=True):
        if names_own_tiers(record, layout):
            continue
        for group, n_units, is_chosen in zip(groups, _count_units(record), chosen, strict=True):
            if is_chosen and n_units and group and "layer" in group:
                in_use[group["layer"]] += n_units
    if len(in_use) > 1 and not layout.layer and not layout.per_layer:
        name = in_use.most_common(1)[0][0]
        raise FormatError.of(
            f"there are units on {len(in_use)} layers: {_list_layers(in_use)}",
            f"Say which to read with [[layer]], for example {name}, or give [[per_layer=True]] for values of each.",
            code="which-layer",
        )
    if not in_use and not layout.layer and layout.tier_pattern is None:
        # Tokens and the like are read as units only if asked for; without anything else, the user has to choose.
        hidden = Counter({name: n for name, n in known.items() if n})
        taken_units = sum(
            int(np.isin(record.sheet_codes[record.rows.is_unit], np.flatnonzero(chosen)).sum())
            for record, chosen in zip(records, taken, strict=True)
        )
        if hidden and not taken_units:
            name = hidden.most_common(1)[0][0]
            raise FormatError.of(
                f"all units are on layers that are read only when asked for: {_list_layers(hidden)}",
                f"Say which to read with [[layer]], for example {name}.",
                code="which-layer",
            )
    result.layers = tuple(sorted(in_use))
    return taken


def _list_layers(layers: Counter[str]) -> str:
    return listing([f"{name} ({quantity(count, 'unit')})" for name, count in layers.most_common()], 12) or "none"


def _is_taken(sheet: Sheet, group: dict[str, str] | None, layout: Layout) -> bool:
    if group is None:
        return False
    if sheet.layer is None:
        return True
    if layout.layer:
        names = {sheet.layer, group.get("layer", sheet.layer)}
        return any(fnmatchcase(name, wanted) for name in names for wanted in layout.layer)
    # A pattern that names layers also asks for dependent ones; a pattern that only names annotators does not.
    return not sheet.is_dependent or (layout.tier_pattern is not None and "layer" in group)


def names_own_tiers(record: Record, layout: Layout) -> bool:
    """Whether each annotator names their own tiers: then different names are not different layers."""
    return layout.tier_pattern is None and record.annotator_from == "tier"


def tiers_to_choose_from(
    record: Record, chosen: Sequence[bool], annotators: Labels, documents: Labels, layout: Layout, result: LayoutResult
) -> Iterator[Problem]:
    """A problem where one annotator has several tiers of different levels on a document; a note for other tiers.

    Words and phones lie within one another, so that reading them together makes no sense. The tiers of two speakers
    can be read together.
    """
    if layout.layer or layout.per_layer or not names_own_tiers(record, layout):
        return
    names_by_annotator: dict[tuple[int, int], set[str]] = {}
    rows = np.flatnonzero(record.rows.is_unit & ~record.faults.bad)
    sheets, first = np.unique(record.sheet_codes[rows], return_index=True)
    for sheet, row in zip(sheets.tolist(), rows[first].tolist(), strict=True):
        layer = record.sheets[sheet].layer
        if chosen[sheet] and layer is not None and annotators.codes[row] >= 0:
            names_by_annotator.setdefault((int(documents.codes[row]), int(annotators.codes[row])), set()).add(layer)
    for (_, annotator), names in names_by_annotator.items():
        if len(names) > 1 and are_levels(names):
            message = f"{annotators.labels[annotator]} has units on {len(names)} tiers: {listing(sorted(names), 8)}"
            remedy = f"Say which to read with [[layer]] ({min(names)}), or give [[per_layer=True]] for values of each."
            yield Problem("which-layer", "error", record.where, message, remedy)
            return
        if len(names) > 1:
            result.joined_tiers |= names


def joined_tiers(names: set[str]) -> Problem:
    """The note about tiers of one annotator that are read together."""
    return Problem(
        "tiers-together",
        "note",
        "",
        f"the units of {quantity(len(names), 'tier')} ({listing(sorted(names), 5)}) are read together",
        f"Give [[per_layer=True]] for values of each tier, or [[layer={min(names)}]] for one of them.",
    )
