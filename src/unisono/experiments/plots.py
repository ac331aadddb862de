# SPDX-License-Identifier: MIT
"""The curves of a benchmark as a picture, by matplotlib (the extra `plots`): agreement against magnitude."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from unisono.experiments.responses import BenchmarkResult, Response
from unisono.report.plotting import OKABE_ITO, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Panels = Literal["each", "one"]

#: Without yellow, which is too light for lines.
COLOURS = tuple(OKABE_ITO[name] for name in ("blue", "vermilion", "green", "purple", "sky blue", "orange", "black"))
MARKERS = "osD^vPX*"
DASHES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 1.5, 1, 1.5)))

#: With more lines in a panel, names are in a legend instead of at the ends of the lines.
NAMED_AT_END = 8
#: Least distance of two names at the ends of lines, as a share of the height.
NAME_HEIGHT = 0.055
#: Panels in a row.
ABREAST = 3


def figure(result: BenchmarkResult, *, panels: Panels = "each", title: str | None = None) -> Figure:
    """The figure: a panel for each curve, or one panel in which curves differ by line style.

    Lines are means over the sets, bands 95 % intervals of the means.
    """
    groups: list[tuple[str, list[Response]]] = [
        (curve, list(members)) for curve, members in groupby(result.responses, key=lambda response: response.curve)
    ]
    if panels == "one" or len(groups) == 1:
        groups = [("", list(result.responses))]
    across = 2 if len(groups) == 4 else min(len(groups), ABREAST)  # four panels form a square
    down = -(-len(groups) // across)
    drawing = new_figure(6.4 * across, 4.6 * down, layout="constrained")
    drawing.suptitle(title or result.spec.title, fontsize=12)
    measures = list(dict.fromkeys(response.measure for response in result.responses))
    curves = list(dict.fromkeys(response.curve for response in result.responses))
    low, high = limits(result.responses)
    for place, (name, members) in enumerate(groups, start=1):
        axes = drawing.add_subplot(down, across, place)
        axes.set_title(name, fontsize=10)
        axes.set_ylim(low, high)
        for response in members:
            _add(axes, response, measures.index(response.measure), curves.index(response.curve) if not name else 0)
        style_axes(axes)
        axes.set_ylabel("agreement")
        axes.set_xlim(0, 1)
        _label_lines(axes, members, measures, several=not name and len(curves) > 1)
    return drawing


def picture(result: BenchmarkResult, kind: str, *, panels: Panels = "each", title: str | None = None) -> bytes:
    """The figure as a file (png, svg, pdf): the same bytes for the same result."""
    file = io.BytesIO()
    save_figure(figure(result, panels=panels, title=title), file, kind)
    return file.getvalue()


def limits(responses: Sequence[Response]) -> tuple[float, float]:
    """The range of the axis of agreement: 0 to 1 at least, every mean, and bands as far as they leave room for them."""
    points = [point for response in responses for point in response.points]
    means = [point.mean for point in points if point.mean is not None]
    lows = [max(point.low, -0.5) for point in points if point.low is not None]
    highs = [min(point.high, 1.2) for point in points if point.high is not None]
    low, high = min([0.0, *means, *lows]), max([1.0, *means, *highs])
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _add(axes: Axes, response: Response, colour: int, dash: int) -> None:
    """One curve: its band, its line, a gap where there is no value."""
    nan = float("nan")
    magnitudes = [point.magnitude for point in response.points]
    means, lows, highs = (
        [nan if (end := getattr(point, name)) is None else end for point in response.points]
        for name in ("mean", "low", "high")
    )
    style = _style(colour)
    axes.fill_between(magnitudes, lows, highs, color=style["color"], alpha=0.15, linewidth=0)
    axes.plot(
        magnitudes,
        means,
        **style,
        linestyle=DASHES[dash % len(DASHES)],
        linewidth=1.6,
        markersize=3.5,
        markevery=max(1, len(magnitudes) // 10),
        clip_on=False,
    )


def _style(colour: int) -> dict[str, Any]:
    """Colour and marker: with more measures than colours, the markers still differ."""
    return {"color": COLOURS[colour % len(COLOURS)], "marker": MARKERS[colour % len(MARKERS)]}


def style_axes(axes: Axes) -> None:
    """The look of every figure of agreement against magnitude."""
    axes.set_xlabel("magnitude")
    axes.axhline(0, color="0.35", linewidth=0.8, zorder=1)
    axes.grid(color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _label_lines(axes: Axes, members: Sequence[Response], measures: Sequence[str], *, several: bool) -> None:
    """Names of the lines: at their ends, without overlap; in a legend if there are many."""
    names = [f"{r.symbol}, {r.curve}" if several else r.symbol for r in members]
    styles = [_style(measures.index(r.measure)) for r in members]
    if len(members) > NAMED_AT_END:
        lines = [line for line in axes.get_lines() if line.get_marker() != "None"]
        axes.legend(lines, names, fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
        return
    low, high = axes.get_ylim()
    ends = [_end(response) for response in members]
    wanted = [0.5 if end is None else (end[1] - low) / (high - low) for end in ends]
    for name, style, end, height in zip(names, styles, ends, spread(wanted, NAME_HEIGHT), strict=True):
        y = low + height * (high - low)
        if end is not None and (end[0] < 1 or abs(end[1] - y) > 0.01 * (high - low)):
            axes.plot([end[0], 1.02], [end[1], y], color=style["color"], linewidth=0.6, clip_on=False, alpha=0.7)
        label = name if end is not None else f"{name} (no value)"
        axes.text(1.03, y, label, color=style["color"], fontsize=9, va="center", transform=axes.transData)


def _end(response: Response) -> tuple[float, float] | None:
    """The last point of a curve that has a value."""
    there = [(point.magnitude, point.mean) for point in response.points if point.mean is not None]
    return there[-1] if there else None


def spread(wanted: Sequence[float], apart: float) -> list[float]:
    """Heights as near as possible to those wanted, in the same order, with at least that distance.

    Heights that are too close are spread around their common mean (pool adjacent violators, isotonic regression).

    >>> spread([0.5, 0.5, 1.0], 0.25)
    [0.375, 0.625, 1.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # After subtracting rank * distance, heights must not decrease.
    pools: list[list[float]] = []
    for rank, i in enumerate(order):
        pools.append([wanted[i] - rank * apart])
        while len(pools) > 1 and sum(pools[-2]) / len(pools[-2]) > sum(pools[-1]) / len(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    level = [sum(pool) / len(pool) for pool in pools for _ in pool]
    heights = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        heights[i] = level[rank] + rank * apart
    return heights
