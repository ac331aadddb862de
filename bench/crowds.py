# SPDX-License-Identifier: MIT
"""What is proven for many annotators: gaps of single alignments in a few seconds, the guaranteed ranges of γ."""

from __future__ import annotations

import statistics
import time
import warnings
from collections.abc import Sequence
from typing import Any

import unisono
from kinds import Kind, crowd, shuffled
from measuring import NO_BAR, SHARED, Options, Table, peak_mb, range_width, reset_peak, verdict
from shared_documents import documents
from solver import SEED
from unisono.dissimilarity import CombinedDissimilarity
from unisono.errors import PrecisionWarning
from unisono.model import Continuum

#: The largest gap of nine in ten crowds, in per cent, or of half of them if none is above FARTHEST; of the dense kinds.
CROWD, FARTHEST, DENSE = 5.0, 15.0, 10.0
CROWD_SECONDS, DENSE_SECONDS = 10.0, 15.0
#: Simulated crowds: where annotators mark what they do in d2t_iaa, a fifth of that, and 10 to 40 units in all.
CROWDS: dict[str, Any] = {"": {}, ", a fifth of the units": {"share": 0.2}, ", few units": {"few": True}}
WIDTH = 0.05
#: γ of d2t_iaa (34 and 35 annotators) at the default precision: CPU seconds, megabytes, the widest range of a document.
CORPUS_SECONDS, CORPUS_MB, CORPUS_WIDTH = 120.0, 500.0, 0.002


def run(options: Options) -> Table:
    table = Table(
        "crowds",
        "What is proven for very many annotators",
        ("case", "instances", "median gap %", "largest", "bar %", "CPU s", "verdict"),
    )
    count = 1 if options.is_quick else 5
    folder = SHARED / "corpora" / "llm_span_annotation"
    if folder.exists() and not options.is_quick:  # before the matrices of crowds take memory
        _add_corpus(table, documents(folder / "d2t_iaa.csv.gz", folder / "d2t_iaa_participation.csv.gz"), options)
    for annotators in (67, 209):
        for name, how in CROWDS.items():
            continua = [crowd(number, annotators, **how) for number in range(count)]
            continua += [shuffled(continuum, seed=SEED, sample=0) for continuum in continua]
            _add(table, options, f"{annotators} annotators{name}", continua, CROWD)
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
    """The gaps after `seconds`: the bar holds for nine in ten, or, of crowds, for the median if all are near it."""
    gaps: list[float] = []
    began = time.process_time()
    for continuum in continua:
        alignment = unisono.best_alignment(continuum, CombinedDissimilarity(), time_limit=seconds)
        gaps.append(100 * alignment.gap)
        options.say(f"  {name}: gap {gaps[-1]:.2f} %")
    within = sum(1 for gap in gaps if gap <= bar)
    are_near = bar == CROWD and statistics.median(gaps) < bar and max(gaps) <= FARTHEST
    table.add(
        case=name,
        instances=len(gaps),
        **{"median gap %": f"{statistics.median(gaps):.2f}", "largest": f"{max(gaps):.2f}", "bar %": f"{bar:g}"},
        **{"CPU s": f"{(time.process_time() - began) / len(gaps):.1f}", "gaps": gaps},
        verdict=verdict(within >= 0.9 * len(gaps) or are_near),
    )


def _add_gamma(table: Table, continuum: Continuum) -> None:
    began = time.process_time()
    value = unisono.measure(continuum, "gamma", seed=1, samples=30, threads=1, intervals=False)["gamma"]
    taken = time.process_time() - began
    width = range_width(value)
    table.add(
        case=f"toxic_spans, {continuum.n_annotators} annotators: width of γ's range {width:.4f}, at most {WIDTH}",
        instances=30,
        **{"median gap %": NO_BAR, "largest": NO_BAR, "bar %": NO_BAR, "CPU s": f"{taken:.1f} (20)"},
        verdict=verdict(width <= WIDTH and taken <= 20),
    )


def _add_corpus(table: Table, continua: Sequence[Continuum], options: Options) -> None:
    """γ of each document at the default precision."""
    reset_peak()
    seconds: list[float] = []
    widths: list[float] = []
    imprecise = 0
    for continuum in continua:
        began = time.process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            value = unisono.measure(continuum, "gamma", seed=1, threads=1, intervals=False)["gamma"]
        seconds.append(time.process_time() - began)
        widths.append(range_width(value))
        imprecise += any(issubclass(each.category, PrecisionWarning) for each in caught)
        options.say(
            f"  {continuum.name}: γ {value.value:.4f}, range {widths[-1]:.5f}, "
            f"{value.n_samples} samples, {seconds[-1]:.1f} s, {peak_mb():.0f} MB"
        )
    largest, memory = max(widths), peak_mb()
    table.add(
        case=f"d2t_iaa, γ at the default precision: widest range {largest:.5f}, at most {CORPUS_WIDTH}; "
        f"{memory:.0f} MB, at most {CORPUS_MB:g}; {imprecise} documents not precise",
        instances=len(continua),
        **{"median gap %": NO_BAR, "largest": NO_BAR, "bar %": NO_BAR},
        **{"CPU s": f"{sum(seconds):.1f} ({CORPUS_SECONDS:g})", "seconds": seconds, "widths": widths},
        verdict=verdict(
            largest <= CORPUS_WIDTH and sum(seconds) <= CORPUS_SECONDS and memory <= CORPUS_MB and imprecise == 0
        ),
    )
