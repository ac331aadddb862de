# SPDX-License-Identifier: MIT
"""The curves of a benchmark as one self-contained page: values under the pointer, measures can be switched off."""

from __future__ import annotations

from importlib.resources import files
from itertools import groupby
from typing import Any

from unisono.experiments.benchmark_tables import undefined_sentence
from unisono.experiments.plots import limits
from unisono.experiments.responses import BenchmarkResult
from unisono.experiments.verdicts import QUESTIONS
from unisono.report import assets, script_json, visible
from unisono.report.notation import typeset
from unisono.results import package_version

#: The number of distinct line styles of the page.
STYLES = 28


def page(result: BenchmarkResult) -> str:
    """The page as HTML. All names are escaped: they come from other people's files."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    html = (files("unisono.experiments") / "templates" / "benchmark.html").read_text(encoding="utf-8")
    script, style = assets.bundle("benchmark.js"), assets.stylesheet("shared.css", "benchmark.css")
    symbols = {response.measure: visible(response.symbol) for response in result.responses}
    several = len(result.spec.curves) > 1
    template = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True).from_string(html)
    return template.render(
        title=visible(result.spec.title),
        policy=assets.policy(script, style),
        script=Markup(script),  # our own files
        style=Markup(style),
        data=Markup(script_json(_data(result, symbols))),
        sets=result.spec.sets,
        seed=result.spec.seed,
        version=package_version(),
        fingerprint=result.spec.fingerprint[:16],
        measures=list(symbols.values()),
        n_styles=STYLES,
        several=several,
        questions=list(QUESTIONS.values()),
        verdicts=[
            {
                "curve": visible(response.curve),
                "symbol": visible(response.symbol),
                "cells": [
                    {"answer": verdict.answer, "said": visible(verdict.because)}
                    for verdict in (getattr(response.verdicts, name) for name in QUESTIONS)
                ],
            }
            for response in result.responses
        ],
        undefined=[
            f"{visible(response.curve)}: {sentence}" if several else sentence
            for response in result.responses
            if (sentence := undefined_sentence(response)) is not None
        ],
        heads=[visible(f"{r.symbol}, {r.curve}" if several else r.symbol) for r in result.responses],
        means=[
            {"magnitude": f"{magnitude:g}", "cells": [typeset(r.points[i].mean) for r in result.responses]}
            for i, magnitude in enumerate(result.spec.magnitudes)
        ],
    )


def _data(result: BenchmarkResult, symbols: dict[str, str]) -> dict[str, Any]:
    """The data for the script."""
    low, high = limits(result.responses)
    measures = list(symbols)
    return {
        "symbols": list(symbols.values()),
        "styles": STYLES,
        "magnitudes": list(result.spec.magnitudes),
        "low": low,
        "high": high,
        "curves": [
            {
                "name": visible(curve),
                "responses": [
                    {"measure": measures.index(r.measure), "points": [point.to_dict() for point in r.points]}
                    for r in members
                ],
            }
            for curve, members in groupby(result.responses, key=lambda response: response.curve)
        ],
    }
