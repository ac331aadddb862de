# SPDX-License-Identifier: MIT
"""What is shared or spared: tables of annotators beside γ, the bootstrap beside γ, a user's function with a reach."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import unisono
from kinds import Kind
from measuring import SHARED, Options, Table, timed, verdict
from unisono.alignment import best_alignment
from unisono.analysis.annotators import annotator_tables
from unisono.dissimilarity import CombinedDissimilarity, FunctionDissimilarity
from unisono.intervals.bootstrap import stretches_interval
from unisono.model import Corpus, Unit
from unisono.results import MeasureValue

#: Every two annotators, everybody, and everybody but one of them: at most so many times γ.
TABLES = 4.0
#: Milliseconds of one alignment of 3 x 1,000 units with a Python function and a reach.
FUNCTION = 1000.0
SEED = 1


def run(options: Options) -> Table:
    table = Table("sharing", "Tables of annotators, bootstrap, users' functions", ("case", "γ", "this", "ratio"))
    table.columns += ("at most", "verdict")
    _add_function(table)
    for gap in (1, 0):
        _add_bootstrap(table, gap)
    n_documents = 1 if options.is_quick else 3
    options.say("  annotators, 12x42")
    _add_tables(
        table, f"annotators, 12x42 gap 0, {n_documents} documents", Corpus(tuple(Kind(12, 42, 0).first(n_documents)))
    )
    folder = SHARED / "corpora" / "llm_span_annotation"
    if folder.is_dir():
        d2t = unisono.read(folder / "d2t_iaa.csv.gz", participation=folder / "d2t_iaa_participation.csv.gz")
        documents = sorted(d2t, key=len)[4:5] if options.is_quick else list(d2t)
        options.say("  annotators, d2t_iaa")
        _add_tables(table, f"annotators, d2t_iaa, {len(documents)} documents", Corpus(tuple(documents)))
    else:
        table.notes.append("d2t_iaa was skipped: no corpora at hand (UNISONO_SHARED)")
    table.notes.append("seconds or milliseconds of CPU; every result is checked (bench/README.md)")
    return table


def _add_tables(table: Table, case: str, corpus: Corpus) -> None:
    """γ alone beside all the tables; checked: one annotator left out is within computation error of `measure`."""
    gamma, result = _cpu(lambda: unisono.measure(corpus, seed=SEED, intervals=False))
    tables, (matrix, left_out) = _cpu(lambda: annotator_tables(corpus, seed=SEED))
    row = left_out[0]
    others = [name for name in corpus.annotators if name != row.annotator]
    plain = unisono.measure(corpus.restrict(others), seed=SEED, intervals=False)["gamma"]
    error = 4.5 * math.hypot(_error(plain), _error(result["gamma"]))
    is_right = abs(row.without - plain.value) <= error and row.everybody == result["gamma"].value
    is_right = is_right and len(matrix.against_rest) == len(left_out) == len(corpus.annotators)
    _add(table, case, f"{gamma:.1f} s", f"{tables:.1f} s", tables / gamma, TABLES, is_right)


def _add_bootstrap(table: Table, gap: int) -> None:
    """The interval over stretches beside γ; checked: it holds γ, and its width is that of the linearised error."""
    continuum = Kind(2, 1000, gap)[0]
    gamma = timed(lambda: unisono.measure(continuum, seed=SEED, samples=30, intervals=False))
    value = gamma.result["gamma"]
    found = timed(lambda: stretches_interval(value.alignment, value.expected, level=0.95, seed=SEED))
    interval = found.result.interval
    is_right = interval.low < value.value < interval.high and 0.01 < interval.high - interval.low < 0.2
    case = f"bootstrap over stretches, 2x1,000 gap {gap}"
    _add(table, case, f"{gamma.ms:.1f} ms", f"{found.ms:.1f} ms", found.ms / gamma.ms, 1.0, is_right)


def _add_function(table: Table) -> None:
    """One alignment with a Python function; checked: the core's alignment with the same formula."""

    def sporadic_and_nominal(u: Unit, v: Unit) -> float:
        apart = abs(u.start - v.start) + abs(u.end - v.end)
        return (apart / (u.end - u.start + v.end - v.start)) ** 2 + (u.category != v.category)

    continuum = Kind(3, 1000, 1)[0]
    own = FunctionDissimilarity(sporadic_and_nominal, reach=200)
    found = timed(lambda: best_alignment(continuum, own))
    known = best_alignment(continuum, CombinedDissimilarity())
    is_right = found.result.group.tolist() == known.group.tolist()
    _add(table, "Python function with reach, 3x1,000", "", f"{found.ms:.0f} ms", found.ms / FUNCTION, 1.0, is_right)


def _add(table: Table, case: str, gamma: str, this: str, ratio: float, most: float, is_right: bool) -> None:
    row = {"case": case, "γ": gamma, "this": this, "ratio": f"{ratio:.2f}", "at most": most}
    table.add(**row, verdict=verdict(is_right and ratio <= most), values=[ratio], is_right=is_right)


def _error(value: MeasureValue) -> float:
    """The standard error of a value that comes from the number of samples."""
    interval = value.intervals["chance"]
    return (interval.high - interval.low) / 2 / 1.96


def _cpu(function: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    result = function()
    return time.process_time() - begin, result
