# SPDX-License-Identifier: MIT
"""Safe corrections of a corpus, with a list of every change.

Repeated units are kept once; overlaps that are only rounding are closed; spellings of one category are merged; labels
read in a wrong encoding are repaired. Nothing else is changed: a correction that could be wrong is left to the user.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unisono.io.checks.spellings import merged_spellings
from unisono.model import CATEGORY, Continuum, Corpus, Feature, Position, PositionArray
from unisono.whole_files import replacement

#: Overlaps up to this length are rounding of floating-point numbers: a microsecond, if positions are seconds.
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Change:
    """One change: which unit, and what was done."""

    #: duplicate-units, micro-overlaps, similar-categories, wrong-encoding.
    code: str
    document: str
    annotator: str
    start: Position
    end: Position
    category: str | None
    #: What the unit became, in words.
    became: str


def fix_corpus(corpus: Corpus) -> tuple[Corpus, tuple[Change, ...]]:
    """The corpus with every safe correction applied, and the list of changes."""
    counts: Counter[str] = Counter()
    for continuum in corpus:
        codes = continuum.category_codes[continuum.category_codes >= 0]
        for code, n in zip(*np.unique(codes, return_counts=True), strict=True):
            counts[continuum.categories[code]] += int(n)
    new_names = merged_spellings(counts)
    changes: list[Change] = []
    continua = tuple(_fix_continuum(continuum, new_names, changes) for continuum in corpus)
    return Corpus(continua, corpus.problems), tuple(changes)


def _fix_continuum(continuum: Continuum, new_names: dict[str, str], changes: list[Change]) -> Continuum:
    """The continuum with every safe correction applied; what was done is added to `changes`."""
    features = dict(continuum.features)
    starts = continuum.starts.copy()
    old = continuum.features[CATEGORY]
    affected = [code for code, label in enumerate(old.labels) if label in new_names]
    if affected:
        for row in np.flatnonzero(np.isin(old.codes, affected)).tolist():
            label = old[row]
            assert label is not None
            code = "similar-categories" if label.isascii() else "wrong-encoding"
            changes.append(_change(continuum, row, code, f"category {new_names[label]}"))
        names = [None if (label := old[i]) is None else new_names.get(label, label) for i in range(len(continuum))]
        features[CATEGORY] = Feature.encode(names)
    for row, start in zip(*tiny_overlaps(continuum), strict=True):
        changes.append(_change(continuum, int(row), "micro-overlaps", f"start {start}"))
        starts[row] = start
    if not changes and not _repeats(continuum.annotator_codes, starts, continuum.ends, features).any():
        return continuum
    again = Continuum(
        starts=starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features=features,
        extent=continuum.extent,
        name=continuum.name,
        text=continuum.text,
    )
    repeats = _repeats(again.annotator_codes, again.starts, again.ends, again.features)
    changes += [_change(again, row, "duplicate-units", "left out") for row in np.flatnonzero(repeats).tolist()]
    return Continuum.canonical(
        starts=again.starts[~repeats],
        ends=again.ends[~repeats],
        annotator_codes=again.annotator_codes[~repeats],
        annotators=again.annotators,
        features={name: feature.take(~repeats) for name, feature in again.features.items()},
        extent=again.extent,
        name=again.name,
        text=again.text,
    )


def _change(continuum: Continuum, row: int, code: str, became: str) -> Change:
    unit = continuum[row]
    return Change(code, continuum.name, unit.annotator or "", unit.start, unit.end, unit.category, became)


def _repeats(
    annotators: NDArray[np.int32], starts: PositionArray, ends: PositionArray, features: Mapping[str, Feature]
) -> NDArray[np.bool_]:
    """Which units equal the one before them, in canonical order."""
    same = np.zeros(len(starts), dtype=np.bool_)
    if len(starts) > 1:
        same[1:] = True
        for column in (annotators, starts, ends, *(feature.codes for feature in features.values())):
            same[1:] &= column[1:] == column[:-1]
    return same


def tiny_overlaps(continuum: Continuum) -> tuple[NDArray[np.intp], PositionArray]:
    """Units that begin less than `TINY` before the unit before them ends, and that end, where they should begin."""
    starts, ends = continuum.starts, continuum.ends
    if continuum.has_integer_positions or len(starts) < 2:
        return np.empty(0, dtype=np.intp), starts[:0]
    before, after = ends[:-1], starts[1:]
    own = continuum.annotator_codes[1:] == continuum.annotator_codes[:-1]
    tolerance = np.maximum(TINY, 1e-12 * np.abs(before))
    is_tiny = own & (after < before) & (before - after <= tolerance) & (before <= ends[1:]) & (starts[:-1] < after)
    rows = np.flatnonzero(is_tiny) + 1
    return rows, ends[rows - 1]


def write_changes(changes: Sequence[Change], path: Path) -> None:
    """Write the list of changes as a table."""
    with replacement(path, replace=False) as draft, draft.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow([item.name for item in fields(Change)])
        rows.writerows(astuple(replace(change, category=change.category or "")) for change in changes)
