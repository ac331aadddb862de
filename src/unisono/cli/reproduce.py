# SPDX-License-Identifier: MIT
"""`unisono reproduce`: the figures, tables and claims of the papers, run again and compared with what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import Json
from unisono.cli.run import FINE, command, emit, page, progress_bar, say, usage_errors
from unisono.cli.working import Cluster, Processes, check_place, executor_of
from unisono.nouns import quantity
from unisono.settings import Estimating, check_values

if TYPE_CHECKING:
    from unisono.experiments.experiment import Experiment
    from unisono.experiments.reproduction import Reproduction
    from unisono.report.text_page import Page


@command
def reproduce(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(metavar="EXPERIMENT", help="gamma-2015/26a, a whole paper (gamma-cat-2017), or all."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few magnitudes and sets, few samples: minutes.")] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Where figures and tables of numbers are written.")
    ] = Path(),
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Start of the random numbers.")] = 1,
    jobs: Processes = None,
    cluster: Cluster = None,
    json: Json = False,
) -> int:
    """List the experiments of the papers, or run some of them.

    Each run draws the figure again (SVG, PNG), writes its numbers (CSV) and shows what the paper states beside what we
    find, with a verdict.
    """
    from unisono.experiments import experiment as frame
    from unisono.experiments.reproduction import VERDICTS
    from unisono.experiments.reproduction import reproduce as run
    from unisono.report import json_text

    if not experiments:
        _list(tuple(frame.experiments().values()), json)
        return FINE
    check_place(jobs, cluster)
    with usage_errors():
        check_values(Estimating, {"seed": seed})
        frame.select_experiments(experiments)
    done = []
    try:
        with executor_of(jobs, cluster) as executor, progress_bar("reproducing", time_left=True) as progress:
            conditions = frame.Conditions(quick=quick, seed=seed, executor=executor, cells=out, progress=progress)
            for reproduction in run(experiments, out=out, conditions=conditions):
                done.append(reproduction)
                if not json:
                    sheet = page()
                    _show(sheet, reproduction)
                    emit(str(sheet))
    except BaseException:
        if (out / "cells").is_dir():
            say(f"Finished cells are kept in {out / 'cells'}; the same command continues from there.")
        raise
    if json:
        emit(json_text([reproduction.to_dict() for reproduction in done]))
    elif len(done) > 1:
        n = sum(len(reproduction.compared) for reproduction in done)
        n_reproduced = sum(reproduction.n_reproduced for reproduction in done)
        emit(f"{n_reproduced} of {quantity(n, 'statement')} reproduced; all of them: {out / VERDICTS}")
    return FINE


def _list(known: Sequence[Experiment], as_json: bool) -> None:
    if as_json:
        from unisono.report import json_text

        keys = ("name", "title", "where", "about", "also")
        emit(
            json_text(
                [
                    {key: getattr(e, key) for key in keys}
                    | {"seconds": {"quick": e.seconds[0], "full": e.seconds[1]}, "statements": len(e.stated)}
                    for e in known
                ]
            )
        )
        return
    from unisono.experiments.experiment import PAPERS
    from unisono.report.text_page import add_rows

    sheet = page()
    for paper, authors in PAPERS.items():
        here = [e for e in known if e.paper == paper]
        sheet.line(f"{authors}: unisono reproduce {paper}", "bold")
        rows = [
            (
                e.name,
                e.where.partition(", section")[0],
                e.title,
                str(len(e.stated)),
                *(f"{s:,.0f}" for s in e.seconds),
            )
            for e in here
        ]
        add_rows(sheet, ["name", "where", "what", "statements", "seconds, quick", "full"], rows)
    sheet.paragraph(
        "Run one, a whole paper, or all: unisono reproduce gamma-2015/26a --out figures. --quick takes minutes. "
        "Seconds are those of one processor."
    )
    emit(str(sheet))


def _show(sheet: Page, reproduction: Reproduction) -> None:
    """One experiment: what was computed, then the table published / ours / difference / verdict."""
    from unisono.report.text_page import add_rows

    experiment = reproduction.experiment
    sheet.line(f"{experiment.name}  {experiment.title}  ({experiment.where})", "bold")
    sheet.paragraph(experiment.about)
    rows = [
        (
            row.stated.quantity,
            row.stated.printed,
            format_found(row.found.value, row.found.error),
            "" if row.verdict.difference is None else f"{row.verdict.difference:+.3g}",
            row.verdict.word,
            row.stated.note,
        )
        for row in reproduction.compared
    ]
    if rows:
        add_rows(sheet, ["quantity", "published", "ours", "difference", "verdict", ""], rows)
    if reproduction.files:
        sheet.line("Written: " + ", ".join(str(path) for path in reproduction.files), "dim")


def format_found(value: float | bool | None, error: float) -> str:
    """What we found, as the table shows it.

    >>> format_found(0.1234567, 0.011), format_found(True, 0.0), format_found(None, 0.0), format_found(15.5115, 0.0)
    ('0.123 ± 0.011', 'yes', 'none', '15.51')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f} ± {error:.3f}" if error else f"{value:.4g}"
