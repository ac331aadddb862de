# SPDX-License-Identifier: MIT
"""The cells of a benchmark, one for each curve, magnitude and set: shuffled, measured, and stored when they are done.

Cells are measured in blocks of a few sets, so that many processes have work and little is lost when one is stopped; all
sets of a magnitude form one block if they share their random continua. The blocks depend on the benchmark alone, so
that the numbers are the same on any number of processes.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from unisono.api import measure
from unisono.errors import InputError, UnisonoWarning
from unisono.experiments.candidates import Value
from unisono.experiments.grid import BenchmarkSpec, Curve
from unisono.experiments.whole_files import Cells, Store
from unisono.measures.computation import Progress
from unisono.model import Corpus
from unisono.parallel import as_done, n_threads
from unisono.results import MeasureValue
from unisono.shuffling import shuffled_corpus

#: Sets in one block, unless all sets of a magnitude share their random continua.
SETS_AT_ONCE = 10


@dataclass(frozen=True)
class Block:
    """The sets `first` to `last` - 1 of a curve at a magnitude; `sets` is the number of all sets."""

    curve: Curve
    magnitude: float
    first: int
    last: int
    sets: int
    seed: int


def blocks(spec: BenchmarkSpec) -> Iterator[Block]:
    """Every block of a benchmark, in the order of the table."""
    for curve in spec.curves:
        size = spec.sets if curve.measuring.has_shared_chance else SETS_AT_ONCE
        for magnitude in spec.magnitudes:
            for first in range(0, spec.sets, size):
                yield Block(curve, magnitude, first, min(first + size, spec.sets), spec.sets, spec.seed)


def measure_blocks(
    spec: BenchmarkSpec,
    *,
    store: Store | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[tuple[Block, Cells]]:
    """Every block with its cells, loaded from the store or measured and then stored.

    threads: of the core, if there is no executor; each task of an executor runs in one thread.
    """
    every = list(blocks(spec))
    known = {i: cells for i, block in enumerate(every) if store and (cells := store.load(block)) is not None}
    done, total = (sum(every[i].last - every[i].first for i in these) for these in (known, range(len(every))))
    missing = [(i, block) for i, block in enumerate(every) if i not in known]
    if progress is not None:
        progress(done, total, spec.title)
    work = partial(_work, threads=n_threads(threads) if executor is None else 1)
    for (i, block), cells in as_done(work, missing, executor):
        known[i] = cells
        if store:
            store.save(block, cells)
        done += block.last - block.first
        if progress is not None:
            progress(done, total, f"{block.curve.name} {block.magnitude:g}")
    return [(block, known[i]) for i, block in enumerate(every)]


def _work(piece: tuple[int, Block], *, threads: int) -> Cells:
    return measure_block(piece[1], threads=threads)


def measure_block(block: Block, *, threads: int = 1) -> Cells:
    """Shuffle the sets of a block and measure them."""
    curve = block.curve
    corpus = shuffled_corpus(
        curve.reference,
        curve.errors,
        block.magnitude,
        sets=range(block.first + 1, block.last + 1),  # sets are numbered from 1
        annotators=curve.annotators,
        seed=block.seed,
        own_reference=curve.own_reference,
        unequal=curve.unequal,
    )
    names = list(dict.fromkeys(item.measure for item in curve.measures if item.measure))
    with warnings.catch_warnings():
        # Warnings of worker processes are suppressed; an undefined value has its reason in the cell.
        warnings.simplefilter("ignore", UnisonoWarning)
        ours = _documents(corpus, names, block, threads) if names else {}
        return {
            item.name: [
                item.value(continuum) if item.measure is None else item.pick(ours[item.measure][i])
                for i, continuum in enumerate(corpus)
            ]
            for item in curve.measures
        }


def _documents(corpus: Corpus, names: Sequence[str], block: Block, threads: int) -> dict[str, list[MeasureValue]]:
    """The values of our measures on each document, or the reason why a measure refuses the corpus."""
    try:
        arguments = block.curve.measuring.arguments()
        result = measure(corpus, names, seed=block.seed, threads=threads, intervals=False, **arguments)
    except InputError as error:
        if len(names) > 1:  # one measure refuses the corpus; the others may have values
            return {name: _documents(corpus, [name], block, threads)[name] for name in names}
        problem = error.problems[0]
        reason = problem.message or str(problem)
        return {names[0]: [MeasureValue(None, reason=reason, reason_code="refused")] * len(corpus)}
    return {name: [document[name] for document in result.documents] for name in names}


def values_of(cells: Sequence[tuple[Block, Cells]], curve: Curve, name: str) -> list[list[Value]]:
    """The values of a measure on a curve: for each magnitude, in order, one for each set."""
    rows: dict[float, list[Value]] = {}
    for block, values in cells:
        if block.curve is curve:
            rows.setdefault(block.magnitude, []).extend(values[name])
    return list(rows.values())
