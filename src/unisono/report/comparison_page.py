# SPDX-License-Identifier: MIT
"""Two results side by side: what got better and what worse, as one object of numbers and as one HTML page."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unisono.report import assets
from unisono.report.chart_numbers import overview
from unisono.report.data import ReportData
from unisono.report.page import Markup, environment
from unisono.whole_files import write_whole

if TYPE_CHECKING:
    from unisono.analysis.compare import Comparison
    from unisono.results import Result

#: Version of the object. 1: the first.
SCHEMA = 1


def comparison_overview(
    first: Result, second: Result, comparison: Comparison, names: tuple[str, str] = ("A", "B")
) -> dict[str, Any]:
    """The numbers of two results beside each other, ready for JSON.

    `comparison` is that of the second with the first: its difference is second - first, positive if the second agree
    better. Categories, annotators and documents that both have are paired by name; the others have one value.
    """
    sides = [overview(ReportData.of(result)) for result in (first, second)]
    # Both sides by the measure, or both by the share of matches: the two cannot be compared with each other.
    are_measured = all(side["annotators"]["is_measured"] for side in sides)
    return {
        "schema": SCHEMA,
        "symbol": sides[1]["symbol"],
        "names": list(names),
        "sides": [_side(result, shown) for result, shown in zip((first, second), sides, strict=True)],
        "difference": comparison.difference,
        "interval": None if comparison.interval is None else [comparison.interval.low, comparison.interval.high],
        "p": comparison.p,
        "design": comparison.design,
        "reason": comparison.reason,
        "signature": comparison.signature,
        "categories": _pair_values(*({row["category"]: row["value"] for row in side["categories"]} for side in sides)),
        "annotators": _pair_values(
            *(
                {row["annotator"]: row["value"] if are_measured else row["matches"]["share"] for row in rows}
                for rows in (side["annotators"]["rows"] for side in sides)
            )
        ),
        "annotators_measured": are_measured,
        "documents": _pair_values(
            *(
                {document.name: document[side["measure"]].value for document in result.documents}
                for result, side in zip((first, second), sides, strict=True)
            )
        ),
    }


def _side(result: Result, shown: Mapping[str, Any]) -> dict[str, Any]:
    data = result.data
    return {
        "value": shown["value"],
        "interval": shown["interval"],
        "shares": shown["shares"],
        "documents": data.documents,
        "annotators": data.annotators,
        "units": data.units,
        "signature": result.signature,
    }


def _pair_values(first: Mapping[Any, Any], second: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """The names of both with their two values, the largest losses first; those of one side only come last."""
    names = sorted({*first, *second}, key=lambda name: (name is None, name or ""))
    rows = []
    for name in names:
        a, b = first.get(name), second.get(name)
        rows.append({"name": name, "a": a, "b": b, "change": None if a is None or b is None else b - a})
    return sorted(rows, key=lambda row: (row["change"] is None, row["change"] or 0.0))


def write_comparison(shown: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a comparison as one self-contained HTML page."""
    script = assets.bundle("comparison.js")
    style = assets.stylesheet("shared.css")
    html = environment().get_template("comparison.html").render(
        policy=assets.policy(script, style), script=Markup(script), style=Markup(style), shown=shown
    )  # fmt: skip
    write_whole(path, html.encode(errors="replace"))
