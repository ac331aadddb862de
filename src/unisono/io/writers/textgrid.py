# SPDX-License-Identifier: MIT
"""Praat TextGrid: a tier for each annotator, in the long form; one document.

Intervals of a tier may not overlap, so an annotator with overlapping units gets several tiers of the same name; units
without length become points on a tier of points.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from unisono.io.writers import Losses, lanes, needs_one_document
from unisono.model import Continuum, Corpus, Position

_Labelled = list[tuple[Position, Position, str]]


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the units with a category; an interval without text would be a gap in Praat."""
    continuum = needs_one_document(corpus, "Praat", str(path))
    losses.add_features([continuum])
    extent = continuum.extent
    low, high = (extent.start, extent.end) if extent is not None else (0, 1)
    tiers: list[str] = []
    for annotator in continuum.annotators:
        tiers += _tiers(continuum, annotator, low, high, losses)
    head = [
        'File type = "ooTextFile"', 'Object class = "TextGrid"', "",
        f"xmin = {low}", f"xmax = {high}", "tiers? <exists>", f"size = {len(tiers)}", "item []:",
    ]  # fmt: skip
    numbered = [f"    item [{i}]:\n{tier}" for i, tier in enumerate(tiers, start=1)]
    path.write_text("\n".join([*head, *numbered]) + "\n", encoding="utf-8", newline="")


def _tiers(continuum: Continuum, annotator: str, low: Position, high: Position, losses: Losses) -> list[str]:
    units = [unit for unit in continuum.units_of(annotator) if unit.category is not None]
    losses.add("unit(s) without category", len(continuum.units_of(annotator)) - len(units))
    points = [(unit.start, str(unit.category)) for unit in units if unit.start == unit.end]
    long = [unit for unit in units if unit.start < unit.end]
    lane = lanes(np.array([u.start for u in long]), np.array([u.end for u in long]))
    rows: list[_Labelled] = [[] for _ in range(max(lane, default=0) + 1)]
    for unit, number in zip(long, lane, strict=True):
        rows[number].append((unit.start, unit.end, str(unit.category)))
    tiers = [_interval_tier(annotator, row, low, high) for row in rows]
    if len(rows) > 1:
        losses.note(f"units of {annotator} overlap, so they are written on {len(rows)} tiers of that name")
    return [*tiers, _point_tier(annotator, points, low, high)] if points else tiers


def _head(kind: str, name: str, low: Position, high: Position, what: str, n: int) -> list[str]:
    return [
        f'        class = "{kind}"',
        f"        name = {_quote(name)}",
        f"        xmin = {low}",
        f"        xmax = {high}",
        f"        {what}: size = {n}",
    ]


def _interval_tier(name: str, row: _Labelled, low: Position, high: Position) -> str:
    filled: _Labelled = []
    at = low
    for start, end, label in row:
        if at < start:
            filled.append((at, start, ""))
        filled.append((start, end, label))
        at = end
    if at < high or not filled:
        filled.append((at, high, ""))
    lines = _head("IntervalTier", name, low, high, "intervals", len(filled))
    for i, (start, end, label) in enumerate(filled, start=1):
        lines += [
            f"        intervals [{i}]:",
            f"            xmin = {start}",
            f"            xmax = {end}",
            f"            text = {_quote(label)}",
        ]
    return "\n".join(lines)


def _point_tier(name: str, points: list[tuple[Position, str]], low: Position, high: Position) -> str:
    lines = _head("TextTier", name, low, high, "points", len(points))
    for i, (at, label) in enumerate(points, start=1):
        lines += [f"        points [{i}]:", f"            number = {at}", f"            mark = {_quote(label)}"]
    return "\n".join(lines)


def _quote(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
