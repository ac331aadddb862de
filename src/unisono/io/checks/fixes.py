# SPDX-License-Identifier: MIT
"""Safe corrections of a corpus, with a list of every change.

Repeated units are kept once; overlaps that are only rounding are closed; spellings of one category are merged; labels
read in a wrong encoding are repaired. Nothing else is changed: a correction that could be wrong is left to the user.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unisono.io.checks.spellings import merged_spellings, repair_encoding
from unisono.model import CATEGORY, Continuum, Corpus, Position, PositionArray
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
    return Corpus(continua, corpus.problems, corpus.selection), tuple(changes)


def _fix_continuum(continuum: Continuum, new_names: dict[str, str], changes: list[Change]) -> Continuum:
    """The continuum with every safe correction applied; what was done is added to `changes`."""
    old = continuum.features[CATEGORY]
    affected = [code for code, label in enumerate(old.labels) if label in new_names]
    for row in np.flatnonzero(np.isin(old.codes, affected)).tolist():
        label = old[row]
        assert label is not None
        code = "similar-categories" if repair_encoding(label) is None else "wrong-encoding"
        changes.append(_change(continuum, row, code, f"category {new_names[label]}"))
    fixed = continuum.relabel(new_names) if affected else continuum
    rows, new_starts = tiny_overlaps(fixed)
    changes += [
        _change(fixed, row, "micro-overlaps", f"start {start}")
        for row, start in zip(rows.tolist(), new_starts, strict=True)
    ]
    if len(rows):
        starts = fixed.starts.copy()
        starts[rows] = new_starts
        fixed = fixed.replace(starts=starts)
    repeats = np.flatnonzero(fixed.is_repeat).tolist()
    changes += [_change(fixed, row, "duplicate-units", "left out") for row in repeats]
    return fixed.without_equal_units() if repeats else fixed


def _change(continuum: Continuum, row: int, code: str, became: str) -> Change:
    unit = continuum[row]
    return Change(code, continuum.name, unit.annotator or "", unit.start, unit.end, unit.category, became)


def tiny_overlaps(continuum: Continuum) -> tuple[NDArray[np.intp], PositionArray]:
    """Units that overlap the unit before them by less than `TINY`, and the end of that unit: their correct start."""
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
