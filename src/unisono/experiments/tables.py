# SPDX-License-Identifier: MIT
"""A benchmark as text: the verdicts with the numbers behind them, then the means at every magnitude."""

from __future__ import annotations

from itertools import groupby

from rich import box
from rich.table import Table
from rich.text import Text

from unisono.experiments.responses import BenchmarkResult, Point, Response
from unisono.experiments.verdicts import LEVEL, QUESTIONS, Verdict
from unisono.report import counted, visible
from unisono.report.terminal import Page

_STYLE = {"yes": "green", "no": "red", "undecided": "yellow"}


def plain(result: BenchmarkResult) -> str:
    """What `print(result)` shows."""
    page = Page()
    add_benchmark(page, result)
    return str(page).rstrip("\n")


def add_benchmark(page: Page, result: BenchmarkResult) -> None:
    """For each curve the verdicts, then the means; sets without a value are counted, with the reason."""
    spec = result.spec
    size = f"{counted(len(spec.magnitudes), 'magnitude')}, {counted(spec.sets, 'set')} each, seed {spec.seed}"
    page.line(f"{visible(spec.title)}: {size}", "bold")
    for name, members in groupby(result.responses, key=lambda response: response.curve):
        responses = list(members)
        page.add()
        if len(spec.curves) > 1:
            page.line(visible(name), "bold")
        page.add(_verdicts(responses))
        page.add()
        page.add(_means(responses))
        page.add()
        for response in responses:
            _add_undefined(page, response)
    page.paragraph(
        f"Verdicts: the number they rest on, and whether it is sure at {LEVEL:.0%} (docs/benchmark.md). "
        "Means ± standard error over the sets that have a value.",
        "dim",
    )
    page.line(f"Benchmark  {spec.fingerprint[:16]}")


def _verdicts(responses: list[Response]) -> Table:
    table = _table()
    table.add_column("measure", overflow="fold", min_width=10)
    for question in QUESTIONS.values():
        table.add_column(question, overflow="fold")
    for response in responses:
        verdicts = [getattr(response.verdicts, name) for name in QUESTIONS]
        table.add_row(Text(visible(response.symbol)), *(_verdict(verdict) for verdict in verdicts))
    return table


def _verdict(verdict: Verdict) -> Text:
    text = Text(verdict.answer, _STYLE[verdict.answer])
    if verdict.value is not None:
        at = "-".join(f"{m:g}" for m in verdict.magnitudes)
        text.append(f" {round(verdict.value, 3) + 0.0:.3f} at {at}", "dim")
    return text


def _means(responses: list[Response]) -> Table:
    table = _table()
    table.add_column("magnitude", justify="right", no_wrap=True)
    for response in responses:
        table.add_column(Text(visible(response.symbol)), justify="right")
    for i, magnitude in enumerate(responses[0].magnitudes):
        table.add_row(Text(f"{magnitude:g}"), *(Text(_mean(response.points[i])) for response in responses))
    return table


def _mean(point: Point) -> str:
    if point.mean is None:
        return "-"
    mean = f"{round(point.mean, 3) + 0.0:.3f}"
    return mean if point.error is None else f"{mean} ± {point.error:.3f}"


def _add_undefined(page: Page, response: Response) -> None:
    """How many sets have no value, and why: one line for each measure that has such sets."""
    lost = [point for point in response.points if point.n_undefined]
    if not lost:
        return
    where = ", ".join(f"{point.n_undefined} at {point.magnitude:g}" for point in lost[:8])
    more = f", ... and at {len(lost) - 8} more" if len(lost) > 8 else ""
    reasons = "; ".join(dict.fromkeys(visible(point.reason or "") for point in lost))
    page.paragraph(f"{visible(response.symbol)}: sets without a value: {where}{more} ({reasons})")


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)
