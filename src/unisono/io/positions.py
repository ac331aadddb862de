# SPDX-License-Identifier: MIT
"""What positions mean, once files are read: their unit of time, inclusive ends, scales, ends beyond the extent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.record import Record
from unisono.io.row_checks import ExtentOf
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing
from unisono.model import Continuum, PositionArray, TimeUnit
from unisono.nouns import quantity
from unisono.settings.table_positions import Positions

#: How far an end may pass the extent by rounding: a thousandth of a second, or of whatever decimals count.
_ROUNDING = 1e-3
#: At least this many neighbours must touch before ends are taken for inclusive ones.
_NEIGHBOURS = 4
#: Two annotators whose positions differ by about 1000: the ratio of their last ends, and that of their median lengths.
_LAST_RATIO = (400.0, 2500.0)
_LENGTH_RATIO = (100.0, 10_000.0)


def time_units(records: Sequence[Record], parts: Sequence[UnitRows], positions: Positions) -> Mapping[str, TimeUnit]:
    """The unit of time of each document: as asked for, or as its file says."""
    units: dict[str, TimeUnit] = {}
    for record, rows in zip(records, parts, strict=True):
        unit = positions.time_unit or record.time_unit
        if unit is not None:
            units |= dict.fromkeys(rows.documents, unit)  # type: ignore[arg-type]
    return units


def shift_positions(record: Record, positions: Positions) -> Record:
    """The record with half-open positions from 0, where the file counts from 1 or has inclusive ends."""
    if not (positions.inclusive_ends or positions.one_based):
        return record
    rows = record.rows
    if rows.starts.dtype.kind != "i" or rows.ends.dtype.kind != "i":
        name = "inclusive_ends" if positions.inclusive_ends else "one_based"
        raise FormatError.of(
            f"[[{name}]] is for whole positions, and these are decimal numbers", "Leave it out.",
            where=record.where, code="inclusive-ends",
        )  # fmt: skip
    has_ends = "end" in record.called or "duration" not in record.called  # start + duration is never inclusive
    before, after = int(positions.one_based), int(positions.inclusive_ends and has_ends) - int(positions.one_based)
    pieces = {
        row: [(start - before, end + after) for start, end in stretches] for row, stretches in record.pieces.items()
    }
    return replace(record, rows=replace(rows, starts=rows.starts - before, ends=rows.ends + after), pieces=pieces)


def clip_to_extents(
    rows: UnitRows, extent_of: ExtentOf, units: Mapping[str, TimeUnit], where: str
) -> tuple[UnitRows, list[Problem]]:
    """The rows with ends that pass their document's extent by no more than rounding moved to it, and a note."""
    labels = rows.document_labels
    known = [] if labels is None else [extent_of(label) for label in labels.labels]
    if labels is None or not any(known):
        return rows, []
    is_decimal = rows.starts.dtype.kind == "f" or rows.ends.dtype.kind == "f"
    slack = np.array([1.0 if units.get(label) == "ms" else _ROUNDING * is_decimal for label in labels.labels] + [0.0])
    low = np.array([*(entry[0].start if entry else -np.inf for entry in known), -np.inf])[labels.codes]
    high = np.array([*(entry[0].end if entry else np.inf for entry in known), np.inf])[labels.codes]
    near = slack[labels.codes]
    late = rows.is_unit & (rows.ends > high) & (rows.ends <= high + near) & (rows.starts <= high)
    early = rows.is_unit & (rows.starts < low) & (rows.starts >= low - near) & (rows.ends >= low)
    changed = np.flatnonzero(late | early)
    if not len(changed):
        return rows, []
    # Positions stay whole only if all of them are, and the extents too.
    are_whole = not is_decimal and bool((low[changed] % 1 == 0).all() and (high[changed] % 1 == 0).all())
    kind: Any = np.int64 if are_whole else np.float64
    starts: PositionArray = rows.starts.astype(kind)
    ends: PositionArray = rows.ends.astype(kind)
    starts[early] = low[early]
    ends[late] = high[late]
    most = max(np.max(rows.ends[late] - high[late], initial=0), np.max(low[early] - rows.starts[early], initial=0))
    is_one = len(changed) == 1
    passes, were = ("passes", "was") if is_one else ("pass", "were")
    message = (
        f"{quantity(len(changed), 'unit')} {passes} the extent of the document by at most {most:.1g}, which is "
        f"rounding, and {were} cut there"
    )
    note = Problem("rounded-ends", "note", rows.place(int(changed[0])) or where, message)
    return replace(rows, starts=starts, ends=ends), [note]


def position_findings(units: UnitRows, continua: Sequence[Continuum], positions: Positions) -> Iterator[Problem]:
    """Warnings about positions that look like inclusive ends, and about annotators on different scales."""
    if not positions.inclusive_ends:
        yield from _inclusive_ends(units, continua, is_one_based=positions.one_based)
    yield from _mixed_scales(continua)


def _inclusive_ends(units: UnitRows, continua: Sequence[Continuum], *, is_one_based: bool) -> Iterator[Problem]:
    """Whether every unit ends one before the next one of its annotator starts, throughout."""
    if units.starts.dtype.kind != "i" or any(continuum.text is not None for continuum in continua):
        return
    same = units.keys[1:] == units.keys[:-1]
    steps = (units.starts[1:] - units.ends[:-1])[same]
    if len(steps) < _NEIGHBOURS or not (steps == 1).all():
        return
    remedy = "If the end is the last position of a unit, give [[inclusive_ends]]."
    if not is_one_based and int(units.starts.min()) == 1:
        remedy += " If the first position is 1, give [[one_based]] too."
    yield Problem(
        "inclusive-ends",
        "warning",
        units.place(int(np.flatnonzero(same)[0])),
        "every unit ends one before the next one starts, as where the end is the last position of a unit; ends are "
        "read as the first position after it",
        remedy,
    )


def _mixed_scales(continua: Sequence[Continuum]) -> Iterator[Problem]:
    """Whether the positions of some annotators are about 1000 times those of others, document by document."""
    pairs: dict[tuple[str, str], int] = {}
    n_documents = 0
    for continuum in continua:
        filled = np.flatnonzero(continuum.counts).tolist()
        if len(filled) < 2:
            continue
        n_documents += 1
        # Units are sorted by annotator.
        firsts = (np.cumsum(continuum.counts) - continuum.counts)[filled]
        last = dict(zip(filled, np.maximum.reduceat(continuum.ends, firsts).tolist(), strict=True))
        small, large = min(filled, key=last.__getitem__), max(filled, key=last.__getitem__)
        if last[small] <= 0 or not _LAST_RATIO[0] <= last[large] / last[small] <= _LAST_RATIO[1]:
            continue  # medians take longer, and are hardly ever needed
        lengths = (continuum.ends - continuum.starts).astype(np.float64)
        middle = {code: float(np.median(lengths[continuum.annotator_codes == code])) for code in (small, large)}
        if middle[small] > 0 and _LENGTH_RATIO[0] <= middle[large] / middle[small] <= _LENGTH_RATIO[1]:
            pair = (continuum.annotators[large], continuum.annotators[small])
            pairs[pair] = pairs.get(pair, 0) + 1
    if not pairs:
        return
    large_name, small_name = max(pairs, key=pairs.__getitem__)
    total = sum(pairs.values())
    more = f" in {total:,} of {quantity(n_documents, 'document')}" if n_documents > 1 else ""
    others = listing([f"{a} and {b}" for a, b in pairs if (a, b) != (large_name, small_name)], 3)
    message = f"the positions of {large_name} are about 1,000 times those of {small_name}{more}"
    if others:
        message += f" (and likewise for {others})"
    yield Problem(
        "mixed-scales",
        "warning",
        "",
        message,
        "Is one in milliseconds and the other in seconds? Convert one of them.",
    )
