# SPDX-License-Identifier: MIT
"""What is proven for very many annotators in a few seconds: gaps of single alignments, the guaranteed range of a γ."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

import unisono
from kinds import Kind, crowd, shuffled
from measuring import NO_BAR, Options, Table, verdict
from solver import SEED, SHARED, documents
from unisono.dissimilarity import CombinedDissimilarity
from unisono.model import Continuum

#: The largest gap of nine in ten crowds, in per cent, and of the dense kinds.
CROWD, DENSE = 5.0, 10.0
CROWD_SECONDS, DENSE_SECONDS = 10.0, 15.0
WIDTH = 0.05


def run(options: Options) -> Table:
    table = Table(
        "crowds",
        "What is proven for very many annotators",
        ("case", "instances", "median gap %", "largest", "bar %", "CPU s", "verdict"),
    )
    count = 1 if options.is_quick else 5
    for annotators in (67, 209):
        for few in (False, True):
            continua = [crowd(number, annotators, few=few) for number in range(count)]
            continua += [shuffled(continuum, seed=SEED, sample=0) for continuum in continua]
            _add(table, options, f"{annotators} annotators{', few units' if few else ''}", continua, CROWD)
    folder = SHARED / "corpora" / "llm_span_annotation"
    if folder.exists():
        real = documents(folder / "d2t_test.csv.gz", folder / "d2t_test_participation.csv.gz")
        real = [document for document in real if document.n_annotators == 67]
        _add(table, options, "d2t_test, 67 annotators, observed", real[:count], CROWD)
        of_chance = [shuffled(document, seed=SEED, sample=0) for document in real[:count]]
        _add(table, options, "d2t_test, 67 annotators, shuffled", of_chance, CROWD)
    for annotators, units in ((50, 50), (100, 20)):
        for gap in (1.0, 0.0):
            for is_shuffled in (False, True):
                kind = Kind(annotators, units, gap, is_shuffled)
                _add(table, options, kind.name, [kind[0]], DENSE, DENSE_SECONDS)
    toxic = SHARED / "corpora" / "toxic_spans"
    if toxic.exists():
        _add_gamma(table, max(documents(toxic / "units.csv.gz", toxic / "participation.csv.gz"), key=_n_annotators))
    return table


def _n_annotators(continuum: Continuum) -> int:
    return continuum.n_annotators


def _add(
    table: Table,
    options: Options,
    name: str,
    continua: Sequence[Continuum],
    bar: float,
    seconds: float = CROWD_SECONDS,
) -> None:
    """The gaps after `seconds`: the bar holds for nine in ten."""
    gaps: list[float] = []
    began = time.process_time()
    for continuum in continua:
        alignment = unisono.best_alignment(continuum, CombinedDissimilarity(), time_limit=seconds)
        gaps.append(100 * alignment.gap)
        options.say(f"  {name}: gap {gaps[-1]:.2f} %")
    within = sum(1 for gap in gaps if gap <= bar)
    table.add(
        case=name,
        instances=len(gaps),
        **{"median gap %": f"{statistics.median(gaps):.2f}", "largest": f"{max(gaps):.2f}", "bar %": f"{bar:g}"},
        **{"CPU s": f"{(time.process_time() - began) / len(gaps):.1f}", "gaps": gaps},
        verdict=verdict(within >= 0.9 * len(gaps)),
    )


def _add_gamma(table: Table, continuum: Continuum) -> None:
    began = time.process_time()
    value = unisono.measure(continuum, "gamma", seed=1, samples=30, threads=1, intervals=False)["gamma"]
    taken = time.process_time() - began
    low, high = value.range or (0.0, 0.0)
    table.add(
        case=f"toxic_spans, {continuum.n_annotators} annotators: width of γ's range {high - low:.4f}, at most {WIDTH}",
        instances=30,
        **{"median gap %": NO_BAR, "largest": NO_BAR, "bar %": NO_BAR, "CPU s": f"{taken:.1f} (20)"},
        verdict=verdict(high - low <= WIDTH and taken <= 20),
    )
