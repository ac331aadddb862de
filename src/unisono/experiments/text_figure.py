# SPDX-License-Identifier: MIT
"""Figure 2 of Barteld et al. 2016 as an experiment: the statements of section 7 about its curves, and the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from unisono.experiments.experiment import Conditions, Outcome
from unisono.experiments.plots import style_axes
from unisono.experiments.statements import Found
from unisono.experiments.text_gamma_figure2 import PARAMETERS, SETTINGS, Point, points
from unisono.report.plotting import new_figure, save_svg_and_png

#: Each line of a panel: colour, marker, dashes.
_STYLES = {
    "text-gamma (Cat)": ("#0072B2", "o", "-"),
    "text-gamma (Cat + Seg)": ("#D55E00", "s", "-"),
    "text-gamma (Cat + Seg + Text)": ("#009E73", "^", "-"),
    "alpha": ("#000000", "x", "--"),
    "alpha-u-1995": ("#CC79A7", "D", "--"),
    "gamma": ("#56B4E9", "v", ":"),
}
_SYMBOLS = {"alpha": "α", "alpha-u-1995": "αU", "gamma": "γ"}


def figure_2(conditions: Conditions) -> Outcome:
    """The curves, and the quantities that the paper states about them."""
    quick = {"magnitudes": (0.0, 0.25, 0.5, 0.75, 1.0), "repetitions": 2, "samples": 10} if conditions.quick else {}
    every_point = list(points(seed=conditions.seed, threads=conditions.jobs or 1, **quick))  # type: ignore[arg-type]
    curves: dict[tuple[str, str], list[Point]] = {}
    for point in every_point:
        curves.setdefault((point.setting, point.measure), []).append(point)
    text = {(s, p): curves[s, f"text-gamma ({p})"] for s in SETTINGS for p in PARAMETERS}
    matching = {s: text[s, s] for s in SETTINGS}
    values: dict[str, Found | float | bool | None] = {}
    for setting, curve in matching.items():
        values[f"tγ, {setting}, at 1"] = _value_at_end(curve)
    values["least R² of tγ against the magnitude"] = min(_linearity(curve) for curve in text.values())
    values["expecting less change gives less"] = all(
        a.mean < b.mean < c.mean
        for s in SETTINGS
        for a, b, c in list(zip(*(text[s, p] for p in PARAMETERS), strict=True))[1:]
    )
    values["tγ (Cat) less α, Cat"] = _difference(matching["Cat"], curves["Cat", "alpha"])
    values["lowest tγ of other parameters, Cat"] = min(
        (Found(p.mean, p.standard_error) for name in list(PARAMETERS)[1:] for p in text["Cat", name]),
        key=lambda f: f.value or 0.0,
    )
    values["lowest tγ, Cat + Seg + Text expecting Cat"] = min(p.mean for p in text["Cat + Seg + Text", "Cat"])
    beside = _difference(matching["Cat + Seg"], curves["Cat + Seg", "alpha-u-1995"])
    values["tγ stays within 0.15 of αU, Cat + Seg"] = abs(float(beside.value or 0.0)) <= 0.15
    gamma = {p.magnitude: p.mean for p in curves["Cat + Seg", "gamma"]}
    values["γ is above tγ, Cat + Seg"] = all(
        gamma[p.magnitude] > p.mean for p in matching["Cat + Seg"] if p.magnitude and p.magnitude in gamma
    )
    rows = [
        {
            "setting": p.setting,
            "measure": p.measure,
            "magnitude": p.magnitude,
            "mean": p.mean,
            "standard error": p.standard_error,
            "n": p.repetitions,
        }
        for p in every_point
    ]
    return Outcome.of(values, rows=rows, draw=partial(_draw, curves=curves))


def _value_at_end(curve: Sequence[Point]) -> Found:
    return Found(curve[-1].mean, curve[-1].standard_error)


def _linearity(curve: Sequence[Point]) -> float:
    return float(np.corrcoef([p.magnitude for p in curve], [p.mean for p in curve])[0, 1] ** 2)


def _difference(one: Sequence[Point], other: Sequence[Point]) -> Found:
    """The largest difference of two curves."""
    pairs = [(a.mean - b.mean, a.standard_error + b.standard_error) for a, b in zip(one, other, strict=True)]
    return Found(*max(pairs, key=lambda pair: abs(pair[0])))


def _draw(stem: Path, *, curves: dict[tuple[str, str], list[Point]]) -> tuple[Path, ...]:
    figure = new_figure(12, 4.2, layout="constrained")
    lowest = min(p.mean - p.standard_error for curve in curves.values() for p in curve)
    for place, setting in enumerate(SETTINGS, start=1):
        axes = figure.add_subplot(1, len(SETTINGS), place)
        for (where, name), curve in curves.items():
            if where != setting:
                continue
            colour, marker, dashes = _STYLES[name]
            label = _SYMBOLS.get(name, name.replace("text-gamma ", "tγ "))
            axes.errorbar(
                [p.magnitude for p in curve],
                [p.mean for p in curve],
                [p.standard_error for p in curve],
                color=colour,
                marker=marker,
                linestyle=dashes,
                markersize=3.5,
                linewidth=1.4,
                capsize=2,
                label=label,
            )
        style_axes(axes)
        axes.set_title(f"shuffled: {setting}", fontsize=10)
        axes.set_ylim(min(0.0, lowest) - 0.05, 1.05)
        axes.legend(fontsize=7, frameon=False, loc="lower left")
        if place == 1:
            axes.set_ylabel("agreement")
    return save_svg_and_png(figure, stem)
