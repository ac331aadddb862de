# SPDX-License-Identifier: MIT
"""A benchmark as text: the verdicts with their numbers, then the means at every magnitude."""

from __future__ import annotations

from itertools import groupby

from rich.table import Table
from rich.text import Text

from unisono.experiments.responses import BenchmarkResult, Point, Response
from unisono.experiments.verdicts import LEVEL, QUESTIONS, Verdict
from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.notation import number
from unisono.report.text_page import Page, plain_table

_STYLE = {"yes": "green", "no": "red", "undecided": "yellow"}


def plain(result: BenchmarkResult) -> str:
    """What `print(result)` shows."""
    page = Page()
    add_benchmark(page, result)
    return str(page).rstrip("\n")


def add_benchmark(page: Page, result: BenchmarkResult) -> None:
    """For each curve the verdicts, then the means; sets without a value are counted, with the reason."""
    spec = result.spec
    size = f"{quantity(len(spec.magnitudes), 'magnitude')}, {quantity(spec.sets, 'set')} each, seed {spec.seed}"
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
            sentence = undefined_sentence(response)
            if sentence is not None:
                page.paragraph(sentence)
    page.paragraph(
        f"Verdicts: the answer at the {LEVEL:.0%} level, with the number that decides it (docs/benchmark.md). "
        "Means ± standard error over the sets that have a value.",
        "dim",
    )
    page.line(f"Benchmark  {spec.fingerprint[:16]}")


def _verdicts(responses: list[Response]) -> Table:
    table = plain_table()
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
        text.append(f" {number(verdict.value)} at {at}", "dim")
    return text


def _means(responses: list[Response]) -> Table:
    table = plain_table()
    table.add_column("magnitude", justify="right", no_wrap=True)
    for response in responses:
        table.add_column(Text(visible(response.symbol)), justify="right")
    for i, magnitude in enumerate(responses[0].magnitudes):
        table.add_row(Text(f"{magnitude:g}"), *(Text(_mean(response.points[i])) for response in responses))
    return table


def _mean(point: Point) -> str:
    mean = number(point.mean)
    return mean if point.error is None else f"{mean} ± {number(point.error)}"


def undefined_sentence(response: Response) -> str | None:
    """How many sets have no value, and why; None if all have one."""
    lost = [point for point in response.points if point.n_undefined]
    if not lost:
        return None
    where = ", ".join(f"{point.n_undefined} at {point.magnitude:g}" for point in lost[:8])
    more = f", ... and at {len(lost) - 8} more" if len(lost) > 8 else ""
    reasons = "; ".join(dict.fromkeys(visible(point.reason or "") for point in lost))
    return f"{visible(response.symbol)}: sets without a value: {where}{more} ({reasons})"
