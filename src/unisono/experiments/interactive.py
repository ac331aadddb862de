# SPDX-License-Identifier: MIT
"""The curves of a benchmark as one page that needs nothing else: values where one points, measures on and off."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import groupby
from typing import Any

from unisono.experiments.plots import limits
from unisono.experiments.responses import BenchmarkResult, Point
from unisono.experiments.verdicts import QUESTIONS
from unisono.report import visible
from unisono.results import package_version

#: Colours and dashes that the page can tell measures apart by.
STYLES = 28


def page(result: BenchmarkResult) -> str:
    """The page. Names come from other people's files: they are text in it, whatever they look like."""
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    folder = files("unisono.experiments") / "page"
    html, css, js = ((folder / f"benchmark.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    symbols = {response.measure: visible(response.symbol) for response in result.responses}
    several = len(result.spec.curves) > 1
    template = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True).from_string(html)
    return template.render(
        title=visible(result.spec.title),
        css=Markup(css),  # our own files
        js=Markup(js),
        data=Markup(_inline(_data(result, symbols))),
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
        heads=[visible(f"{r.symbol}, {r.curve}" if several else r.symbol) for r in result.responses],
        means=[
            {"magnitude": f"{magnitude:g}", "cells": [_number(r.points[i]) for r in result.responses]}
            for i, magnitude in enumerate(result.spec.magnitudes)
        ],
    )


def _data(result: BenchmarkResult, symbols: dict[str, str]) -> dict[str, Any]:
    """What the script draws."""
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


def _inline(data: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can end the element or begin another."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _number(point: Point) -> str:
    if point.mean is None:
        return "–"
    return f"{round(point.mean, 3) + 0.0:.3f}"
