# SPDX-License-Identifier: MIT
"""An alignment as a figure for a paper, drawn with matplotlib (the extra `plots`).

A lane for each annotator, a box for each unit, coloured and hatched by category; bands link the units of a unitary
alignment, darker the more disorder it has; a small hollow box on the band stands for an empty unit. A long continuum is
broken into rows. No two categories have both colour and hatch in common.
"""

from __future__ import annotations

import itertools
import math
import os
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len, set_cell_size

from unisono.alignment.disagreements import Disagreements
from unisono.errors import ParameterError
from unisono.io.assemble import natural_order
from unisono.model import Alignment, Continuum, Position
from unisono.report import NO_CATEGORY, visible
from unisono.report.plotting import OKABE_ITO, load_matplotlib, new_figure, save_figure
from unisono.report.view import axis_of
from unisono.whole_files import replacement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SUFFIXES = (".svg", ".pdf", ".png")
#: Inches: the width of a column on a page with two.
COLUMN_WIDTH = 3.3
#: Grey instead of black, on which letters could not be read.
COLOURS = (*(colour for name, colour in OKABE_ITO.items() if name != "black"), "#BBBBBB")
#: Colours on which letters are white.
DARK = (OKABE_ITO["blue"],)
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++++", "oooo", "----")
UNCATEGORISED = "#FFFFFF"
#: A figure has no more rows than this; longer continua need a window.
MOST_ROWS = 12
#: Height of a lane in inches, size of letters in points, least width of a unit of median length in inches.
LANE, LETTERS, UNIT_WIDTH = 0.17, 6.5, 0.28
#: Distance of two lanes, for the bands; each line of a lane has height 1.
BETWEEN = 0.9
#: With this many annotators or more, lanes are close together and empty units are left out.
CROWD = 10
CLOSE = 0.25
#: Inches: with many annotators the rows fill a page and no more.
PAGE_HEIGHT = 9.0
#: What the axis counts.
AXES = {
    "characters": "characters", "time": "seconds", "milliseconds": "milliseconds", "positions": "positions",
    "decimals": "position",
}  # fmt: skip


def check_figure(path: str | os.PathLike[str], width: float = COLUMN_WIDTH) -> None:
    """Raise ParameterError for an impossible path or width, MissingDependencyError without matplotlib."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError.of(
            f"the name of the figure, {os.fspath(path)!r}, does not say which kind of file it is",
            f"Let it end in {', '.join(SUFFIXES)}.",
            code="figure",
        )
    if not 1 <= width <= 100:
        raise ParameterError.of(
            f"the width of the figure is {width:g} inches", "Give a width from 1 to 100 inches.", code="figure"
        )
    load_matplotlib()


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

    width: in inches; the default is a column of a page with two. window: the part `(start, end)` of the continuum, all
    of it by default. rows: into how many the continuum is broken; by default as many as make its units readable; an
    Axes has one row. legend: whether categories are explained below.

    Files contain no date: the same alignment gives the same file. Letters are embedded (PDF) or outlines (SVG).
    """
    if hasattr(target, "add_patch"):
        part = _Part.of(alignment, window, width, 1)
        _draw_on_axes(target, part)
        if legend:
            _add_legend(target, part, loc="upper center", bbox_to_anchor=(0.5, -0.12))
        return
    check_figure(target, width)
    part = _Part.of(alignment, window, width, rows)
    with _paper_style():
        figure = _figure(part, legend=legend)
        with replacement(target) as draft:
            save_figure(figure, draft, Path(target).suffix.lower()[1:], dpi=300)


def draw_units(continuum: Continuum, axes: Any) -> None:
    """Draw the units of a continuum onto a matplotlib Axes, without an alignment."""
    n = continuum.n_units
    alone = Alignment(continuum, np.arange(n, dtype=np.int32), np.zeros(n), disorder=0.0, lower_bound=0.0)
    _draw_on_axes(axes, _Part.of(alone, None, COLUMN_WIDTH, 1, with_empty=False))


@dataclass(frozen=True, slots=True)
class _Box:
    """A unit or an empty unit to draw: its unitary alignment, its annotator, its line in the lane."""

    number: int
    annotator: int
    start: float
    end: float
    label: str | None
    is_empty: bool
    line: int


@dataclass(frozen=True)
class _Part:
    """The part of an alignment that is drawn, row by row, and the looks of its categories."""

    alignment: Alignment
    width: float
    #: Where rows begin and end.
    breaks: tuple[float, ...]
    #: The boxes of each visible unitary alignment, one for each annotator.
    boxes: dict[int, list[_Box]]
    #: For each annotator: how many lines the lane has.
    n_lines: tuple[int, ...]
    looks: dict[str | None, tuple[str, str]]
    #: What the positions count.
    axis: str

    @property
    def between(self) -> float:
        """The distance of two lanes."""
        return CLOSE if len(self.n_lines) >= CROWD else BETWEEN

    @property
    def room_for_names(self) -> int:
        """Characters of a name beside its lane."""
        return 14 if self.width < 5 else 26

    @property
    def has_empty(self) -> bool:
        return any(box.is_empty for boxes in self.boxes.values() for box in boxes)

    @classmethod
    def of(
        cls,
        alignment: Alignment,
        window: tuple[Position, Position] | None,
        width: float,
        rows: int | None,
        *,
        with_empty: bool = True,
    ) -> _Part:
        extent = alignment.continuum.extent
        assert extent is not None  # an alignment has units
        start, end = (float(x) for x in window or (extent.start, extent.end))
        if not start < end:
            if window is not None:
                raise ParameterError.of(
                    f"the window ends ({window[1]}) before or where it starts ({window[0]})",
                    "Give the start first, then the end.",
                    code="figure",
                )
            start, end = start - 0.5, end + 0.5  # a single point
        disagreements = Disagreements.of(alignment)
        visible_ones = np.flatnonzero((disagreements.end >= start) & (disagreements.start <= end)).tolist()
        n_annotators = alignment.continuum.n_annotators
        is_crowd = n_annotators >= CROWD
        boxes = _stack(_boxes(disagreements, visible_ones, with_empty=with_empty and not is_crowd))
        place = {code: lane for lane, code in enumerate(_natural_order(alignment.continuum.annotators))}
        boxes = [replace(box, annotator=place[box.annotator]) for box in boxes]
        lengths = [box.end - box.start for box in boxes if not box.is_empty and box.end > box.start]
        if rows is not None and rows < 1:
            raise ParameterError.of(f"a figure cannot have {rows} rows", "Give a number from 1.", code="figure")
        if rows is None:
            usual = float(np.median(lengths)) if lengths else end - start
            rows = max(1, math.ceil((end - start) / usual * UNIT_WIDTH / max(0.5, width - 0.7)))
            if is_crowd:
                rows = min(rows, max(1, int(PAGE_HEIGHT / (LANE * (1 + CLOSE) * n_annotators + 0.3))))
            if rows > MOST_ROWS:
                raise ParameterError.of(
                    f"the continuum needs {rows} rows to be readable; a figure has at most {MOST_ROWS}",
                    "Draw a part of it with [[window]], or give the number of rows.",
                    code="figure",
                )
        of_number: dict[int, list[_Box]] = {}
        for box in sorted(boxes, key=lambda box: (box.number, box.annotator)):
            of_number.setdefault(box.number, []).append(box)
        used = {box.label for box in boxes if not box.is_empty}
        named = sorted(label for label in used if label is not None)
        looks: dict[str | None, tuple[str, str]] = {label: _look(i) for i, label in enumerate(named)}
        if None in used:
            looks[None] = (UNCATEGORISED, "")
        n_lines = [0] * n_annotators
        for box in boxes:
            n_lines[box.annotator] = max(n_lines[box.annotator], box.line + 1)
        breaks = _breaks(disagreements, start, end, rows)
        lines = tuple(max(1, n) for n in n_lines)
        return cls(alignment, width, breaks, of_number, lines, looks, AXES[axis_of(alignment.continuum)])

    @property
    def annotators(self) -> tuple[str, ...]:
        """The annotators from top to bottom."""
        names = self.alignment.continuum.annotators
        return tuple(names[code] for code in _natural_order(names))


def _natural_order(names: Sequence[str]) -> list[int]:
    """The names by number, in the order in which people count: human-2 before human-10.

    >>> _natural_order(["human-10", "human-2", "ann"])
    [2, 1, 0]
    """
    return sorted(range(len(names)), key=lambda i: natural_order(names[i]))


def _boxes(found: Disagreements, numbers: Sequence[int], *, with_empty: bool) -> list[_Box]:
    """A box for each unit, and a visible one in the middle of the others for each empty unit."""
    continuum = found.alignment.continuum
    usual = float(np.median(continuum.ends - continuum.starts))
    boxes = []
    for number in numbers:
        start, end = float(found.start[number]), float(found.end[number])
        empty = set(range(continuum.n_annotators))
        for unit in found.order[found.firsts[number] : found.firsts[number + 1]].tolist():
            code = int(continuum.annotator_codes[unit])
            empty.discard(code)
            first, last = float(continuum.starts[unit]), float(continuum.ends[unit])
            boxes.append(_Box(number, code, first, last, found.labels[unit], False, 0))
        if not with_empty:
            continue
        half = min(0.3 * (end - start), 0.4 * usual)
        middle = (start + end) / 2
        boxes += [_Box(number, code, middle - half, middle + half, None, True, 0) for code in sorted(empty)]
    return boxes


def _stack(boxes: Sequence[_Box]) -> list[_Box]:
    """Give each box a line of its lane on which it overlaps no other: units first, then empty units."""
    lanes: dict[int, list[list[_Box]]] = {}
    stacked = []
    for box in sorted(boxes, key=lambda box: (box.is_empty, box.start, box.end)):
        lane = lanes.setdefault(box.annotator, [])
        line = next((i for i, row in enumerate(lane) if not any(_overlap(box, other) for other in row)), len(lane))
        if line == len(lane):
            lane.append([])
        lane[line].append(box)
        stacked.append(replace(box, line=line))
    return stacked


def _overlap(one: _Box, other: _Box) -> bool:
    return one.start < other.end and other.start < one.end


def _breaks(found: Disagreements, start: float, end: float, rows: int) -> tuple[float, ...]:
    """Where rows begin and end: evenly spaced, then moved a little so that few unitary alignments are cut."""
    step = (end - start) / rows
    breaks = [start]
    edges = np.unique(np.concatenate((found.start, found.end)).astype(float))
    # Middles of gaps too: a cut there is better than at an edge.
    edges = np.sort(np.concatenate((edges, (edges[1:] + edges[:-1]) / 2)))
    for row in range(1, rows):
        even = start + row * step
        places = [even, *edges[np.abs(edges - even) <= 0.2 * step].tolist()]
        cut = [int(np.count_nonzero((found.start < place) & (found.end > place))) for place in places]
        breaks.append(min(zip(cut, (abs(place - even) for place in places), places, strict=True))[2])
    return (*breaks, end)


def _look(number: int) -> tuple[str, str]:
    return COLOURS[number % len(COLOURS)], HATCHES[number // len(COLOURS) % len(HATCHES)]


def _figure(part: _Part, *, legend: bool) -> Any:
    n_rows = len(part.breaks) - 1
    row_height = LANE * (sum(part.n_lines) + part.between * len(part.n_lines)) + 0.30
    n_entries = len(part.looks) + len(_further_keys(part))
    legend_height = (math.ceil(n_entries / _legend_columns(part)) * 0.15 + 0.2) if legend else 0.17
    height = n_rows * row_height + legend_height
    figure = new_figure(part.width, height)
    longest_name = max(len(_shorten(name, part.room_for_names)) for name in part.annotators)
    left = min(0.3, (0.12 + 0.056 * longest_name) / part.width)
    longest = max(b - a for a, b in itertools.pairwise(part.breaks))
    for row, (low, high) in enumerate(itertools.pairwise(part.breaks)):
        bottom = (legend_height + (n_rows - 1 - row) * row_height + 0.22) / height
        # Rows of different lengths are drawn at one scale.
        width = (0.965 - left) * (high - low) / longest
        axes = figure.add_axes((left, bottom, width, (row_height - 0.27) / height))
        _draw_row(axes, part, low, high, inches=width * part.width / (high - low))
        if row == n_rows - 1:
            axes.set_xlabel(part.axis, fontsize=LETTERS, labelpad=1)
    if legend:
        _add_legend(figure, part, loc="lower center", bbox_to_anchor=(0.5, 0.0))
    return figure


def _draw_on_axes(axes: Any, part: _Part) -> None:
    """A part of one row, at the size of the axes."""
    low, high = part.breaks
    _draw_row(axes, part, low, high, inches=axes.get_window_extent().width / axes.figure.dpi / (high - low))
    axes.set_xlabel(part.axis)


def _draw_row(axes: Any, part: _Part, low: float, high: float, *, inches: float) -> None:
    """One row: bands first, then boxes, then letters; `inches`: the length of one position on paper."""
    # The top of each annotator's lane.
    tops = np.concatenate(([0.0], np.cumsum([n + part.between for n in part.n_lines]))).tolist()
    axes.set_xlim(low, high)
    axes.set_ylim(tops[-1] - part.between + 0.1, -0.1)
    most = float(part.alignment.disorders.max()) or 1.0
    for number, boxes in part.boxes.items():
        if not _is_visible(min(box.start for box in boxes), max(box.end for box in boxes), low, high):
            continue
        edges = [(box, tops[box.annotator] + box.line) for box in boxes]
        _draw_bands(axes, edges, 0.88 - 0.55 * float(part.alignment.disorders[number]) / most)
        for box, top in edges:
            if _is_visible(box.start, box.end, low, high):
                _draw_box(axes, part, box, top, low, high, inches)
    axes.set_yticks([top + n / 2 for top, n in zip(tops[:-1], part.n_lines, strict=True)])
    axes.set_yticklabels([_shorten(name, part.room_for_names) for name in part.annotators], parse_math=False)
    axes.tick_params(axis="y", length=0, pad=2)
    axes.tick_params(axis="x", length=2, pad=1)
    axes.locator_params(axis="x", nbins=max(1, min(6, int((high - low) * inches / 0.45))))
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)


def _is_visible(start: float, end: float, low: float, high: float) -> bool:
    """Whether a stretch is visible in a row; a point on the border is."""
    return (start < high and end > low) or (start == end and low <= start <= high)


def _draw_bands(axes: Any, edges: Sequence[tuple[_Box, float]], shade: float) -> None:
    """Bands from lane to lane, darker with more disorder."""
    from matplotlib.patches import Polygon

    for (one, above), (other, below) in itertools.pairwise(edges):
        bottom, top = above + 1 - _inset(one), below + _inset(other)
        corners = [(one.start, bottom), (one.end, bottom), (other.end, top), (other.start, top)]
        axes.add_patch(Polygon(corners, fc=str(shade), ec=str(shade - 0.15), lw=0.4, alpha=0.75, zorder=1))


def _draw_box(axes: Any, part: _Part, box: _Box, top: float, low: float, high: float, inches: float) -> None:
    # A point, or a unit thinner than its border, gets a least width.
    thin = max(0.0, 0.012 / inches - (box.end - box.start))
    start, length, inset = box.start - thin / 2, box.end - box.start + thin, _inset(box)
    if box.is_empty:
        hollow = _rectangle(start, top + inset, length, 1 - 2 * inset, "white", "")
        hollow.set(linestyle=(0, (1.5, 1)), zorder=2)
        axes.add_patch(hollow)
        return
    colour, hatch = part.looks[box.label]
    axes.add_patch(_rectangle(start, top + inset, length, 1 - 2 * inset, colour, hatch))
    first, last = max(box.start, low), min(box.end, high)
    label = visible(box.label or "")
    room = int((last - first) * inches / (0.0075 * LETTERS) - 0.4)
    if room >= 2 and label:
        axes.text(
            (first + last) / 2,
            top + 0.52,
            label if cell_len(label) <= room else set_cell_size(label, room - 1).rstrip() + ".",
            ha="center",
            va="center",
            fontsize=LETTERS - 0.5,
            clip_on=True,
            parse_math=False,
            zorder=4,
            color="white" if colour in DARK else "black",
            bbox={"boxstyle": "square,pad=0.05", "fc": colour, "ec": "none"} if hatch else None,
        )


def _inset(box: _Box) -> float:
    """The margin above and below a box on its line; empty units are smaller."""
    return 0.25 if box.is_empty else 0.08


def _rectangle(x: float, y: float, width: float, height: float, colour: str, hatch: str) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fc=colour, ec="#222222", lw=0.5, hatch=hatch, zorder=3)


def _legend_columns(part: _Part) -> int:
    """As many columns as fit into the width, by the longest label."""
    texts = [*(_label(label) for label in part.looks), *(text for text, _ in _further_keys(part))]
    longest = max(map(len, texts), default=1)
    return max(1, min(len(texts), int(part.width / (0.35 + 0.052 * longest))))


def _further_keys(part: _Part) -> list[tuple[str, Any]]:
    """What the bands and the hollow boxes stand for, where there are any."""
    keys: list[tuple[str, Any]] = []
    if any(len(boxes) > 1 for boxes in part.boxes.values()):
        keys.append(("aligned (dark: worse)", _rectangle(0, 0, 1, 1, "0.6", "")))
    if part.has_empty:
        hollow = _rectangle(0, 0, 1, 1, "white", "")
        hollow.set(linestyle=(0, (1.5, 1)))
        keys.append(("nothing marked", hollow))
    return keys


def _add_legend(target: Any, part: _Part, **place: Any) -> None:
    further = _further_keys(part)
    boxes = [*(_rectangle(0, 0, 1, 1, *look) for look in part.looks.values()), *(box for _, box in further)]
    texts = [*(_label(label) for label in part.looks), *(text for text, _ in further)]
    legend = target.legend(
        boxes, texts, ncols=_legend_columns(part), frameon=False, fontsize=LETTERS,
        handlelength=1.2, handleheight=0.9, columnspacing=0.8, handletextpad=0.4, borderaxespad=0.1, **place,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)


def _label(category: str | None) -> str:
    return NO_CATEGORY if category is None else _shorten(category, 28)


def _shorten(name: str, most: int = 14) -> str:
    shown = visible(name)
    return shown if len(shown) <= most else shown[: most - 1] + "…"


@contextmanager
def _paper_style() -> Iterator[None]:
    """Small letters and thin lines."""
    style = {
        "font.size": LETTERS,
        "axes.linewidth": 0.5,
        "xtick.major.width": 0.5,
        "hatch.linewidth": 0.4,
    }
    with load_matplotlib().rc_context(style), warnings.catch_warnings():
        # Characters that the font lacks are shown as boxes.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support .* natively")
        yield
