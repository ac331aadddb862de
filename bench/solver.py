# SPDX-License-Identifier: MIT
"""Milliseconds of one best alignment on every kind of continuum, beside the floor and the target set for it.

"call": a whole `best_alignment` through Python. "in γ": one random continuum drawn and aligned inside γ, where
thousands of them run without Python in between: what a tiny document costs. Every alignment must be proven.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

import unisono
from kinds import CATEGORIES, Kind, long_segments, shuffled
from measuring import NO_BAR, NOT_MET, SHARED, Options, Table, timed
from shared_documents import documents
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.measures.gamma import gamma
from unisono.model import Continuum
from unisono.sampling import Sampling

TIME_LIMIT = 30.0  # three times the highest floor
INSTANCES = 5
SEED = 2015


@dataclass(frozen=True)
class Row:
    """A row to come: where its continua are from, and what is expected of them."""

    name: str
    continua: Sequence[Continuum] | Kind
    floor: float
    target: float
    how: Literal["call", "in γ"] = "call"
    instances: int = INSTANCES
    is_judged: bool = True  # whether it has to meet floor and target


def _rows() -> list[Row]:
    rows = [Row("tiny document (3 ann., 0-3 units)", [_tiny(i) for i in range(200)], 0.002, 0.001, "in γ", 200)]
    # Calling through Python doubles the time of so small an alignment: it is judged by the rows "in γ".
    rows += [replace(row, is_judged=False) for row in _row_pairs(2, 100, (1.0, 0.0), 0.025, 0.012)]
    for units, floor, target in ((1000, 0.3, 0.15), (5000, 2.3, 1.0)):
        rows += _row_pairs(2, units, (1.0, 0.0), floor, target)
    rows += [Row(f"2x100 gap {gap:g}", Kind(2, 100, gap), 0.025, 0.012, "in γ") for gap in (1.0, 0.0)]
    rows += _row_pairs(3, 100, (1.0,), 0.8, 0.3) + _row_pairs(3, 100, (0.0,), 3, 0.7)
    for units, floor, target in ((500, 3.5, 1.5), (2000, 13, 6), (10_000, 65, 30)):
        rows += _row_pairs(3, units, (1.0,), floor, target)
    for units, floor, target in ((500, 16, 6), (2000, 80, 30), (10_000, 350, 150)):
        rows += _shuffled_rows(3, units, 0.0, floor, target)
    rows += _shuffled_rows(4, 100, 1.0, 4, 1) + _shuffled_rows(4, 100, 0.0, 12, 4)
    rows += _shuffled_rows(5, 100, 1.0, 13, 5) + _shuffled_rows(5, 100, 0.0, 32, 12)
    for annotators, floor, target in ((6, 40, 12), (8, 100, 30), (10, 230, 60), (12, 350, 120)):
        rows += _shuffled_rows(annotators, 100, 1.0, floor, target)
    rows += _row_pairs(8, 20, (0.0,), 27, 8)
    rows += _shuffled_rows(8, 100, 0.0, 260, 80) + _shuffled_rows(10, 100, 0.0, 1500, 400)
    # Stands in for eye fixations: 12 annotators, some 500 units that follow each other without a gap.
    eye = Kind(12, 42, 0.0)
    rows.append(Row(f"eye stand-in {eye.name}", eye, 240, 80))
    rows.append(Row("eye stand-in 12x42 gap 0 shuffled", Kind(12, 42, 0.0, is_shuffled=True), 500, 80))
    # As in music: the bound that sums all negative columns stagnates here.
    segments = [shuffled(long_segments(number), seed=SEED, sample=0) for number in range(12)]
    rows.append(Row("5 ann., long segments, shuffled", segments, 500, 100, instances=len(segments)))
    return rows + _corpora()


def _row_pairs(annotators: int, units: int, gaps: tuple[float, ...], floor: float, target: float) -> list[Row]:
    """For each gap a row of observed continua and one of shuffled ones."""
    kinds = [Kind(annotators, units, gap, is_shuffled) for gap in gaps for is_shuffled in (False, True)]
    return [Row(kind.name, kind, floor, target) for kind in kinds]


def _shuffled_rows(annotators: int, units: int, gap: float, floor: float, target: float) -> list[Row]:
    kind = Kind(annotators, units, gap, is_shuffled=True)
    return [Row(kind.name, kind, floor, target)]


def _tiny(number: int) -> Continuum:
    """A short document of 300 characters: three annotators with up to three units, at least one of them with one."""
    rng = np.random.default_rng([SEED, number])
    units: dict[str, list[tuple[int, int, str]]] = {}
    for annotator, count in zip("abc", (max(1, rng.integers(4)), rng.integers(4), rng.integers(4)), strict=True):
        starts = rng.integers(0, 260, count)
        lengths = rng.integers(3, 40, count)
        labels = rng.integers(len(CATEGORIES), size=count)
        units[annotator] = [
            (int(s), int(s + k), CATEGORIES[c]) for s, k, c in zip(starts, lengths, labels, strict=True)
        ]
    return Continuum.of(units, extent=(0, 300), name=f"tiny {number}")


def _corpora() -> list[Row]:
    """Real documents, read where they are at hand."""
    folder = SHARED / "corpora" / "llm_span_annotation"
    if not folder.exists():
        return []
    propaganda = documents(folder / "propaganda.csv.gz", folder / "propaganda_participation.csv.gz")
    every = len(propaganda)
    d2t = documents(folder / "d2t_iaa.csv.gz", folder / "d2t_iaa_participation.csv.gz")
    large = sorted((document for document in d2t if len(document) >= 250), key=len)
    small = [document for document in d2t if len(document) < 250]
    rows = [
        Row(f"propaganda, {every} documents, observed", propaganda, 10, 3, instances=every),
        Row(f"propaganda, {every} documents, shuffled", _shift_documents(propaganda), 10, 3, instances=every),
    ]
    rows += [Row(f"d2t_iaa, {len(small)} smaller documents, observed", small, math.nan, math.nan, instances=len(small))]
    for document in large:
        words = f"d2t_iaa, {document.n_annotators} ann., {len(document)} units"
        rows.append(Row(f"{words}, observed", [document], 10_000, 1_500))
        rows.append(Row(f"{words}, shuffled", _shift_documents([document]), 10_000, 1_500))
    return rows


def _shift_documents(documents: Sequence[Continuum]) -> list[Continuum]:
    return [shuffled(document, seed=SEED, sample=0) for document in documents]


def run(options: Options) -> Table:
    columns = ("case", "how", "units", "median ms", "largest", "floor", "target", "proven", "verdict")
    table = Table("solver", "Milliseconds of one best alignment, CPU time, one thread", columns)
    for row in _rows():
        if options.is_quick and row.floor > 100:
            continue
        measured = _in_gamma(row) if row.how == "in γ" else _calls(row, options)
        options.say(f"  {row.name} ({row.how}): {measured['median']:.4g} ms")
        table.add(
            case=row.name,
            how=row.how,
            units=f"{measured['units']:.0f}",
            **{"median ms": _digits(measured["median"]), "largest": _digits(measured["largest"])},
            floor=NO_BAR if math.isnan(row.floor) else f"{row.floor:g}",
            target=NO_BAR if math.isnan(row.target) else f"{row.target:g}",
            proven=measured["proven"],
            verdict=_verdict(row, measured),
            **{"measured": measured},
        )
    if not SHARED.exists():
        table.notes.append("propaganda and d2t_iaa were skipped: no corpora at hand (UNISONO_SHARED)")
    table.notes.append("median and largest are over the instances of a row (each the median of several calls)")
    return table


def _verdict(row: Row, measured: dict[str, Any]) -> str:
    if measured["gaps"]:
        return NOT_MET
    if math.isnan(row.floor) or not row.is_judged:
        return NO_BAR
    if measured["median"] <= row.target:
        return "target met"
    return "floor met" if measured["median"] <= row.floor else NOT_MET


def _calls(row: Row, options: Options) -> dict[str, Any]:
    """Whole calls of `best_alignment`: one figure per instance."""
    dissimilarity = CombinedDissimilarity()
    taken: list[float] = []
    gaps: list[float] = []
    units = 0
    count = min(row.instances, 2) if options.is_quick else row.instances
    instances = row.continua.first(count) if isinstance(row.continua, Kind) else row.continua[:count]
    for continuum in instances:
        units += len(continuum)
        align = partial(unisono.best_alignment, continuum, dissimilarity, time_limit=TIME_LIMIT)
        run = timed(align, for_seconds=0.2 if row.instances <= INSTANCES else 0.02, patience=0.5)
        taken.append(run.ms)
        alignment = run.result
        if not alignment.is_proven or alignment.gap > 0.0:
            gaps.append(alignment.gap)
        if sum(taken) > 30e3:
            break
    return _summary(taken, gaps, units / len(taken))


def _in_gamma(row: Row) -> dict[str, Any]:
    """Random continua drawn and aligned inside γ: the CPU time that each further one adds."""
    taken: list[float] = []
    gaps: list[float] = []
    units = 0
    count = row.instances
    instances = row.continua.first(count) if isinstance(row.continua, Kind) else row.continua[:count]
    for continuum in instances:
        units += len(continuum)
        few, many = (
            timed(
                partial(
                    gamma,
                    continuum,
                    dissimilarity=CombinedDissimilarity(),
                    chance=Shift(),
                    sampling=Sampling(samples=samples),
                    seed=SEED,
                    threads=1,
                ),
                for_seconds=0.02 if count > INSTANCES else 0.2,
            )
            for samples in (1000, 3000)
        )
        taken.append((many.ms - few.ms) / 2000)
        if many.result.gap:
            gaps.append(many.result.gap)
    return _summary(taken, gaps, units / len(taken))


def _summary(taken: list[float], gaps: list[float], units: float) -> dict[str, Any]:
    proven = "all" if not gaps else f"{len(taken) - len(gaps)} of {len(taken)}, gap {max(gaps):.1e}"
    return {
        "median": statistics.median(taken),
        "largest": max(taken),
        "taken": taken,
        "gaps": gaps,
        "proven": proven,
        "units": units,
    }


def _digits(value: float) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}" if value < 10 else f"{value:,.0f}"
