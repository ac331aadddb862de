# SPDX-License-Identifier: MIT
"""The charts of the report as SVG: a value on its scale, parts of a whole, lengths of units.

Colours come from CSS classes, so that the stylesheet decides on light and dark. Every chart has a title and a
description for screen readers, and the page has a table with the same numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from unisono.model import FloatArray
from unisono.report import visible
from unisono.report.data import AnnotatorRow, Chance
from unisono.report.notation import TYPESET, bounds, level_percent, percentage, typeset
from unisono.report.sentences import SCALE_LABELS, lowest_shown, main_interval, scale_start
from unisono.results import Interval, MeasureValue

_WIDTH = 480


def scale_chart(label: str, value: MeasureValue) -> str:
    """A value between chance (0) and full agreement (1), with its uncertainty."""
    if value.value is None:
        return ""
    interval = main_interval(value)
    low = scale_start(lowest_shown(value))
    axis = _Axis(low, 1.0, 12, 268)
    parts = [f'<line class="axis" x1="{axis(low)}" x2="{axis(1)}" y1="20" y2="20"/>']
    for at, word in SCALE_LABELS.items():
        anchor = "end" if at == 1 else "start" if low > -0.1 else "middle"
        parts.append(f'<line class="tick" x1="{axis(at)}" x2="{axis(at)}" y1="13" y2="27"/>')
        parts.append(f'<text x="{axis(at)}" y="40" text-anchor="{anchor}">{word}</text>')
    if interval is not None:
        first, last = axis(max(interval.low, low)), axis(min(interval.high, 1.0))
        parts.append(f'<line class="range" x1="{first}" x2="{last}" y1="20" y2="20"/>')
    parts.append(f'<circle class="dot" cx="{axis(max(value.value, low))}" cy="20" r="6"/>')
    description = f"{label} is {typeset(value.value)}{_interval_text(interval)}; 0 is chance level, 1 full agreement."
    return _svg(280, 46, f"{label} on its scale", description, parts, "scale")


def shares_chart(shares: Sequence[float], names: Sequence[str]) -> str:
    """Parts of a whole as one bar."""
    parts = []
    at = 0.0
    for i, share in enumerate(shares):
        if share > 0:
            parts.append(
                f'<rect class="part{i}" x="{at:.1f}" y="4" width="{max(0.5, 280 * share - 1):.1f}" height="18"/>'
            )
        at += 280 * share
    listed = ", ".join(f"{name} {percentage(share)}" for name, share in zip(names, shares, strict=True))
    return _svg(280, 26, "What the disorder is made of", f"{listed}.", parts, "shares")


def bins(chance: Chance) -> tuple[NDArray[np.int64], FloatArray]:
    """Counts and edges of the histogram: about the square root of the number of samples, at most 30 bars."""
    disorders = chance.disorders
    count = max(1, min(30, math.isqrt(len(disorders)) + 3))
    if float(disorders.max()) - float(disorders.min()) <= 1e-9 * float(abs(disorders).max()):
        middle = float(disorders.mean())
        half = max(abs(middle) * 0.005, 1e-6)
        return np.array([len(disorders)]), np.array([middle - half, middle + half])
    counts, edges = np.histogram(disorders, bins=count)
    return counts, edges


def lengths_chart(rows: Sequence[AnnotatorRow]) -> str:
    """How long each annotator's units are: a box from the first to the third quartile, a line for all, the median."""
    drawn = [(row.name, row.lengths) for row in rows if row.lengths is not None]
    if not drawn:
        return ""
    shortest = min(lengths[0] for _, lengths in drawn)
    longest = max(lengths[4] for _, lengths in drawn)
    is_log = shortest > 0 and longest / shortest > 30
    axis = _Axis(shortest if is_log else 0.0, longest or 1.0, 150, _WIDTH - 24, is_log=is_log)
    parts = []
    height = 26
    for i, (name, (least, first, median, third, most)) in enumerate(drawn):
        y = 12 + i * height
        shown = visible(name)
        cut = escape(shown if len(shown) < 20 else shown[:18] + "…")
        parts.append(
            f'<text x="140" y="{y + 4}" text-anchor="end">{cut}</text>'
            f'<line class="whisker" x1="{axis(least)}" x2="{axis(most)}" y1="{y}" y2="{y}"/>'
            f'<rect class="box" x="{axis(first)}" y="{y - 7}" width="{max(2.0, axis(third) - axis(first)):.1f}" '
            f'height="14" rx="2"/>'
            f'<line class="median" x1="{axis(median)}" x2="{axis(median)}" y1="{y - 9}" y2="{y + 9}"/>'
        )
    bottom = 12 + len(drawn) * height
    parts.append(f'<line class="axis" x1="150" x2="{_WIDTH - 24}" y1="{bottom}" y2="{bottom}"/>')
    parts += [
        f'<line class="tick" x1="{axis(at)}" x2="{axis(at)}" y1="{bottom}" y2="{bottom + 5}"/>'
        f'<text x="{axis(at)}" y="{bottom + 20}" text-anchor="middle">{text}</text>'
        for at, text in axis.ticks()
    ]
    description = "Box: first to third quartile; line inside: median; thin line: shortest to longest unit." + (
        " Logarithmic scale." if is_log else ""
    )
    return _svg(_WIDTH, bottom + 28, "Lengths of the units of each annotator", description, parts, "lengths")


class _Axis:
    """Maps numbers to positions on the page: linear or logarithmic, rounded to a tenth of a pixel."""

    def __init__(self, low: float, high: float, first: float, last: float, *, is_log: bool = False):
        self._low, self._high = low, high if high > low else low + (abs(low) or 1.0)
        self._first, self._last = first, last
        self._is_log = is_log

    def __call__(self, value: float) -> float:
        if self._is_log:
            share = math.log(value / self._low) / math.log(self._high / self._low)
        else:
            share = (value - self._low) / (self._high - self._low)
        return round(self._first + share * (self._last - self._first), 1)

    def ticks(self, most: int = 7) -> list[tuple[float, str]]:
        """Round numbers on the axis, each with its text."""
        if self._is_log:
            powers = range(math.floor(math.log10(self._low)), math.ceil(math.log10(self._high)) + 1)
            places = [10.0**power for power in powers]
            if len(places) < 4:
                places = [factor * power for power in places for factor in (1, 2, 5)]
            return [(at, f"{at:,g}") for at in places if self._low <= at <= self._high]
        raw = (self._high - self._low) / most
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
        first, last = math.ceil(self._low / step - 1e-9), math.floor(self._high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [(i * step, f"{i * step:,.{digits}f}") for i in range(first, last + 1)]


def _interval_text(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f", {level_percent(interval.level)} interval {bounds(interval, TYPESET)}"


def _svg(width: int, height: int, title: str, description: str, parts: Sequence[str], kind: str) -> str:
    """The drawing, with the text that screen readers read out."""
    return (
        f'<svg class="chart {kind}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}. '
        f'{escape(description)}"><title>{escape(title)}</title><desc>{escape(description)}</desc>{"".join(parts)}</svg>'
    )
