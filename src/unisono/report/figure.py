# SPDX-License-Identifier: MIT
"""An alignment as a figure for a paper, drawn with matplotlib (the extra `plots`).

A lane for each annotator, a box for each unit, coloured and hatched by category; bands link the units of a unitary
alignment, darker the more disorder it has; whoever marked nothing there has a small hollow box on the way of the band.
A long continuum is broken into rows. Colours are Okabe and Ito's, which colour-blind readers tell apart, and no two
categories have both colour and hatch in common.
"""

from __future__ import annotations

import itertools
import math
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.alignment.disagreements import Disagreements
from unisono.errors import MissingDependencyError, ParameterError
from unisono.io.writers import refusals
from unisono.model import Position
from unisono.report import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.model import Alignment

SUFFIXES = (".svg", ".pdf", ".png")
#: A column of a page of two.
COLUMN_WIDTH = 3.3
#: Okabe and Ito 2008, lightened on the page by the black letters on them; black itself is left out.
COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#CC79A7", "#D55E00", "#0072B2", "#BBBBBB")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo", "----")
NO_CATEGORY = "#FFFFFF"
#: Rows beyond this make no figure; a window does.
MOST_ROWS = 12
#: Inches: what a lane takes, the letters in points, the least width of a usual unit.
LANE, LETTERS, UNIT_WIDTH = 0.17, 6.5, 0.28


def check_figure(path: str | os.PathLike[str], width: float = COLUMN_WIDTH) -> None:
    """A ParameterError for a path or a width that no figure can have; MissingDependencyError without matplotlib."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError.of(f"a figure that ends in {', '.join(SUFFIXES)}", os.fspath(path), code="figure")
    if not 1 <= width <= 100:
        raise ParameterError.of("a width from 1 to 100 inches", f"{width:g}", code="figure")
    _matplotlib()


def draw_alignment(
    alignment: Alignment,
    target: Any,
    *,
    width: float = COLUMN_WIDTH,
    window: tuple[Position, Position] | None = None,
    rows: int | None = None,
    legend: bool = True,
) -> None:
    """Draw an alignment into a file (.svg, .pdf or .png, by the path's ending) or onto a matplotlib Axes.

    width: inches, a column of a page of two by default. window: the part `(start, end)` of the continuum; all of it if
    left out. rows: into how many the continuum is broken, as many as make its units readable if left out; on an Axes
    there is one row. legend: whether categories are explained below.

    Files have no date in them: the same alignment gives the same file. Letters are embedded (PDF) or outlines (SVG).
    """
    matplotlib = _matplotlib()
    if hasattr(target, "add_patch"):
        part = _Part.of(alignment, window, width, 1)
        _draw_row(target, part, part.start, part.end)
        if legend:
            _add_legend(target, part, loc="upper center", bbox_to_anchor=(0.5, -0.12))
        return
    check_figure(target, width)
    part = _Part.of(alignment, window, width, rows)
    with _paper_style(matplotlib):
        figure = _figure(part, legend=legend)
        suffix = Path(target).suffix.lower()
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {"Software": None}}[suffix]
        with refusals(target):
            figure.savefig(target, dpi=300, metadata=metadata)


@dataclass(frozen=True)
class _Part:
    """What is drawn: a part of an alignment, its lanes, the looks of its categories."""

    found: Disagreements
    start: float
    end: float
    width: float
    n_rows: int
    #: For each unit: which line of its annotator's lane it is on.
    lines: np.ndarray[Any, np.dtype[np.int64]]
    #: For each annotator: how many lines the lane has.
    n_lines: list[int]
    looks: dict[str | None, tuple[str, str]]

    @classmethod
    def of(
        cls, alignment: Alignment, window: tuple[Position, Position] | None, width: float, rows: int | None
    ) -> _Part:
        continuum = alignment.continuum
        extent = continuum.extent
        assert extent is not None  # an alignment has units
        start, end = (float(x) for x in window or (extent.start, extent.end))
        if not start < end:
            if window is not None:
                raise ParameterError.of("a window that ends after it starts", f"{window}", code="figure")
            start, end = start - 0.5, end + 0.5  # a single point
        found = Disagreements.of(alignment)
        inside = (continuum.ends >= start) & (continuum.starts <= end)
        if rows is None:
            lengths = (continuum.ends - continuum.starts)[inside & (continuum.ends > continuum.starts)]
            usual = float(np.median(lengths)) if len(lengths) else end - start
            rows = math.ceil((end - start) / usual * UNIT_WIDTH / max(0.5, width - 0.7))
            if rows > MOST_ROWS:
                raise ParameterError.of(
                    f"a part that {MOST_ROWS} rows have room for",
                    f"one that needs {rows}",
                    "draw a window of it (--window START:END), or say how many rows",
                    code="figure",
                )
        lines, n_lines = _stacked(continuum, inside)
        codes = np.unique(found.labels.codes[inside]).tolist()
        used = [found.labels.labels[code] for code in codes if code >= 0] + ([None] if -1 in codes else [])
        looks = {label: (NO_CATEGORY, "") if label is None else _look(i) for i, label in enumerate(used)}
        return cls(found, start, end, width, max(1, rows), lines, n_lines, looks)


def _stacked(continuum: Any, inside: Any) -> tuple[np.ndarray[Any, np.dtype[np.int64]], list[int]]:
    """Overlapping units of one annotator one below the other: the line of each, and how many lines there are."""
    from unisono.io.writers import lanes

    lines = np.zeros(len(continuum), dtype=np.int64)
    counts = []
    for code in range(continuum.n_annotators):
        own = np.flatnonzero((continuum.annotator_codes == code) & inside)
        lines[own] = lanes(continuum.starts[own], continuum.ends[own])
        counts.append(int(lines[own].max()) + 1 if len(own) else 1)
    return lines, counts


def _look(number: int) -> tuple[str, str]:
    return COLOURS[number % len(COLOURS)], HATCHES[number // len(COLOURS) % len(HATCHES)]


def _figure(part: _Part, *, legend: bool) -> Any:
    from matplotlib.figure import Figure

    lanes = sum(part.n_lines)
    row_height = LANE * (lanes + 0.9 * len(part.n_lines)) + 0.30
    columns = _legend_columns(part)
    legend_height = (math.ceil(len(part.looks) / columns) * 0.15 + 0.12) if legend else 0.05
    height = part.n_rows * row_height + legend_height
    figure = Figure(figsize=(part.width, height))
    names = [visible(name) for name in part.found.alignment.continuum.annotators]
    left = min(0.30, (0.12 + 0.055 * min(max(map(len, names)), 14)) / part.width)
    step = (part.end - part.start) / part.n_rows
    for row in range(part.n_rows):
        bottom = (legend_height + (part.n_rows - 1 - row) * row_height + 0.22) / height
        axes = figure.add_axes((left, bottom, 0.985 - left, (row_height - 0.27) / height))
        _draw_row(axes, part, part.start + row * step, part.start + (row + 1) * step)
    if legend:
        _add_legend(figure, part, loc="lower center", bbox_to_anchor=(0.5, 0.0))
    return figure


def _draw_row(axes: Any, part: _Part, low: float, high: float) -> None:
    """One row: bands first, boxes on them, letters on top."""
    found, continuum = part.found, part.found.alignment.continuum
    # The place of each annotator's lane, from the top; a lane is 1 high for each of its lines, 0.9 lies between.
    tops = np.concatenate(([0.0], np.cumsum([n + 0.9 for n in part.n_lines])))
    axes.set_xlim(low, high)
    axes.set_ylim(tops[-1] - 0.9 + 0.1, -0.1)
    y = tops[continuum.annotator_codes] + part.lines
    _draw_bands(axes, part, y, tops, low, high)
    seen = np.flatnonzero((continuum.ends >= low) & (continuum.starts <= high))
    inches = part.width * 0.8 / (high - low)
    for unit in seen.tolist():
        label = found.labels[unit]
        colour, hatch = part.looks[label]
        first, last = float(continuum.starts[unit]), float(continuum.ends[unit])
        # A point, or a unit thinner than its own border, is still seen.
        thin = max(0.0, 0.012 / inches - (last - first))
        axes.add_patch(_box(first - thin / 2, y[unit] + 0.08, last - first + thin, 0.84, colour, hatch))
        shown, room = visible(label or ""), (min(last, high) - max(first, low)) * inches
        letters = int(room / (0.0075 * LETTERS) - 0.4)
        if letters >= 2 and shown:
            text = shown if len(shown) <= letters else shown[: letters - 1] + "."
            axes.text(
                (max(first, low) + min(last, high)) / 2, y[unit] + 0.52, text, ha="center", va="center",
                fontsize=LETTERS - 0.5, clip_on=True, parse_math=False,
                bbox={"boxstyle": "square,pad=0.05", "fc": colour, "ec": "none"} if hatch else None,
            )  # fmt: skip
    axes.set_yticks([top + n / 2 for top, n in zip(tops[:-1], part.n_lines, strict=True)])
    axes.set_yticklabels([_short(name) for name in continuum.annotators], parse_math=False)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.tick_params(axis="x", length=2, pad=1)
    axes.locator_params(axis="x", nbins=6)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)


def _draw_bands(axes: Any, part: _Part, y: Any, tops: Any, low: float, high: float) -> None:
    """Bands from lane to lane, grey by disorder, and the hollow boxes of those who marked nothing."""
    from matplotlib.patches import Polygon

    found, continuum = part.found, part.found.alignment.continuum
    disorders = found.alignment.disorders
    most = float(disorders.max()) or 1.0
    codes = continuum.annotator_codes
    for number in np.flatnonzero((found.end >= low) & (found.start <= high)).tolist():
        shade = 0.88 - 0.55 * float(disorders[number]) / most
        members = found.order[found.firsts[number] : found.firsts[number + 1]].tolist()
        of = {int(codes[unit]): unit for unit in members}
        middle = (float(found.start[number]) + float(found.end[number])) / 2
        half = min(0.35 * (float(found.end[number]) - float(found.start[number])), 0.03 * (high - low))
        edges = []
        for code in range(continuum.n_annotators):
            if code in of:
                unit = of[code]
                first, last, top = float(continuum.starts[unit]), float(continuum.ends[unit]), float(y[unit])
                edges.append((first, last, top + 0.08, top + 0.92))
            else:
                top = float(tops[code]) + part.n_lines[code] / 2 - 0.5
                edges.append((middle - half, middle + half, top + 0.3, top + 0.7))
        for (a, b, _, bottom), (c, d, top, _) in itertools.pairwise(edges):
            corners = [(a, bottom), (b, bottom), (d, top), (c, top)]
            axes.add_patch(Polygon(corners, fc=str(shade), ec=str(shade - 0.15), lw=0.3, alpha=0.75, zorder=1))
        for code, (first, last, top, bottom) in enumerate(edges):
            if code not in of:
                box = _box(first, top, last - first, bottom - top, "white", "")
                box.set(linestyle=(0, (1.5, 1)), zorder=2)
                axes.add_patch(box)


def _box(x: float, y: float, width: float, height: float, colour: str, hatch: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fc=colour, ec="#222222", lw=0.5, hatch=hatch, zorder=3)


def _legend_columns(part: _Part) -> int:
    """As many columns as the width has room for, by the longest label."""
    longest = max((len(_label(label)) for label in part.looks), default=1)
    return max(1, min(len(part.looks), int(part.width / (0.35 + 0.052 * longest))))


def _add_legend(target: Any, part: _Part, **place: Any) -> None:
    boxes = [_box(0, 0, 1, 1, *look) for look in part.looks.values()]
    found = target.legend(
        boxes, [_label(label) for label in part.looks], ncols=_legend_columns(part), frameon=False, fontsize=LETTERS,
        handlelength=1.2, handleheight=0.9, columnspacing=0.8, handletextpad=0.4, borderaxespad=0.1, **place,
    )  # fmt: skip
    for text in found.get_texts():
        text.set_parse_math(False)


def _label(category: str | None) -> str:
    return "(no category)" if category is None else _short(category, 28)


def _short(name: str, most: int = 14) -> str:
    shown = visible(name)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


@contextmanager
def _paper_style(matplotlib: Any) -> Iterator[None]:
    """Small letters, embedded; a salt for the names inside SVG, so that a drawing is the same twice."""
    style = {
        "font.size": LETTERS,
        "font.family": "DejaVu Sans",
        "axes.linewidth": 0.5,
        "xtick.major.width": 0.5,
        "hatch.linewidth": 0.4,
        "pdf.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "unisono",
        "text.usetex": False,
    }
    with matplotlib.rc_context(style), warnings.catch_warnings():
        # A script that the font does not have is shown as boxes; that is no reason to stop.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support .* natively")
        yield


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingDependencyError("drawing figures", "plots") from None
    return matplotlib
