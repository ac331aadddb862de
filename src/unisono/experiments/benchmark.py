# SPDX-License-Identifier: MIT
"""Run a benchmark, from its file to its tables and figures; a stopped one can be resumed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import BrokenExecutor, Executor
from contextlib import suppress
from pathlib import Path
from typing import Any

from unisono.errors import MissingDependencyError, ParameterError, UnisonoError
from unisono.experiments.benchmark_cells import measure_blocks
from unisono.experiments.grid import BenchmarkSpec
from unisono.experiments.responses import BenchmarkResult
from unisono.experiments.stored_cells import Store
from unisono.measures.computation import Progress
from unisono.report import json_text
from unisono.whole_files import make_folder, write_whole

#: File kinds of figures.
PLOTS = ("png", "svg", "html")


def benchmark(
    spec: BenchmarkSpec | Mapping[str, Any] | str | Path,
    *,
    out: str | Path | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> BenchmarkResult:
    """How measures respond to errors of every magnitude (Mathet et al. 2015, section 6.3).

    spec: a BenchmarkSpec, a TOML file that describes one, or a dictionary with the same keys (docs/benchmark.md).
    out: a folder for the finished cells, from which a stopped run is resumed; None keeps nothing.
    threads: of the core, if there is no executor; executor: any of concurrent.futures. Neither changes a number.
    progress: called as (cells done, cells in all, what was done last).
    """
    if isinstance(spec, Mapping):
        spec = BenchmarkSpec.from_dict(spec)
    elif not isinstance(spec, BenchmarkSpec):
        spec = BenchmarkSpec.from_toml(spec)
    store = None if out is None else Store(Path(out) / "cells")
    try:
        cells = measure_blocks(spec, store=store, threads=threads, executor=executor, progress=progress)
    except BrokenExecutor as error:
        message = "a worker process ended before its cells were measured (out of memory?)"
        raise UnisonoError(f"{message}: {error}") from error
    return BenchmarkResult.of(spec, cells)


def write_benchmark(result: BenchmarkResult, out: str | Path, *, plots: Collection[str] = ()) -> list[Path]:
    """Write the tables and figures of a benchmark into a folder: the files written.

    results.csv and, with the extra `tables`, results.parquet: every value; summary.csv: means, standard errors, bands;
    verdicts.csv; benchmark.json: all but the single values; benchmark.png, .svg, .html as `plots` asks for.
    """
    unknown = sorted(set(plots) - set(PLOTS))
    if unknown:
        raise ParameterError.of(
            f"a figure cannot be drawn as {', '.join(unknown)}",
            f"Choose [[plots]] among {', '.join(PLOTS)}.",
            code="benchmark",
        )
    files: dict[str, bytes] = {
        "results.csv": result.csv().encode(),
        "summary.csv": result.summary_csv().encode(),
        "verdicts.csv": result.verdicts_csv().encode(),
        "benchmark.json": (json_text(result.to_dict()) + "\n").encode(),
    }
    with suppress(MissingDependencyError):  # the CSV has the same table
        files["results.parquet"] = result.parquet()
    for kind in (kind for kind in PLOTS if kind in plots):
        files[f"benchmark.{kind}"] = draw(result, kind)
    make_folder(out)
    for name, data in files.items():
        write_whole(Path(out) / name, data)
    return [Path(out) / name for name in files]


def draw(result: BenchmarkResult, kind: str) -> bytes:
    """The figure of a benchmark as a file of that kind."""
    if kind == "html":
        from unisono.experiments.interactive import page

        return page(result).encode()
    from unisono.experiments.plots import picture

    return picture(result, kind)
