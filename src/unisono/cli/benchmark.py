# SPDX-License-Identifier: MIT
"""`unisono benchmark`: how measures respond to errors of every magnitude."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from unisono.cli.command_options import Json
from unisono.cli.run import FINE, command, emit, page, progress_bar, say, usage, usage_errors
from unisono.cli.working import Cluster, Processes, check_place, executor_of


@command
def benchmark(
    *,
    spec: Annotated[Path, typer.Argument(metavar="SPEC", help="A TOML file that says what to make and to measure.")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for tables and figures; named after SPEC if not given.")
    ] = None,
    sets: Annotated[int | None, typer.Option(metavar="N", help="Sets at each magnitude, instead of SPEC's.")] = None,
    magnitudes: Annotated[
        str | None, typer.Option(metavar="X,...", help="Magnitudes, instead of SPEC's: 0,0.5,1.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="KIND,...", help="Figures to draw: png, svg, html (interactive).")
    ] = None,
    jobs: Processes = None,
    cluster: Cluster = None,
    json: Json = False,
) -> int:
    """Benchmark measures: how they respond to known errors, from none (magnitude 0) to chance (magnitude 1).

    Makes sets of annotations with errors of each magnitude, measures them, and prints which desiderata each measure
    meets, and the means. All values go to DIR. Finished cells are kept there: the same command continues where it was
    stopped.

    Exit codes: 0 fine; 1 the benchmark cannot be read or run; 2 wrong usage; 130 interrupted.
    """
    import unisono
    from unisono.experiments.benchmark import PLOTS

    check_place(jobs, cluster)
    kinds = [kind.strip() for kind in (plot or "").split(",") if kind.strip()]
    if not set(kinds) <= set(PLOTS):
        usage(f"{plot!r} is not a valid value of --plot. Choose among: {', '.join(PLOTS)}.")
    chosen = None if magnitudes is None else _parse_magnitudes(magnitudes)
    if sets is not None and sets < 1:
        usage(f"{sets} is not a valid value of --sets. Give a whole number of at least 1.")
    limited = unisono.experiments.BenchmarkSpec.from_toml(spec)
    with usage_errors():
        limited = limited.limited(magnitudes=chosen, sets=sets)
    folder = Path(spec.stem) if out is None else out
    modules = dict.fromkeys(item.module for curve in limited.curves for item in curve.measures if item.module)
    try:
        with (
            executor_of(jobs, cluster, list(modules)) as executor,
            progress_bar("benchmark", time_left=True) as progress,
        ):
            result = unisono.benchmark(limited, out=folder, executor=executor, threads=1, progress=progress)
    except BaseException:
        if (folder / "cells").is_dir():
            say(f"Finished cells are kept in {folder / 'cells'}; the same command continues from there.")
        raise
    files = unisono.experiments.write_benchmark(result, folder, plots=kinds)
    if "results.parquet" not in [file.name for file in files]:
        say("results.parquet was not written; it needs an optional library: pip install 'unisono[tables]'")
    say(f"written: {', '.join(str(file) for file in files)}")
    if json:
        from unisono.report import json_text

        emit(json_text(result.to_dict()))
    else:
        from unisono.experiments.benchmark_tables import add_benchmark

        sheet = page()
        add_benchmark(sheet, result)
        emit(str(sheet))
    return FINE


def _parse_magnitudes(text: str) -> list[float]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(re.fullmatch(r"\d*\.?\d+|\d+\.", part, re.ASCII) for part in parts):
        usage(f"{text!r} is not a valid value of --magnitudes. Give numbers from 0 to 1 such as 0,0.5,1.")
    return [float(part) for part in parts]
