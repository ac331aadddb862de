# SPDX-License-Identifier: MIT
"""Examples drawn: units as boxes, a row for each annotator, what is aligned joined by lines (extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import MissingDependencyError
from unisono.model import Alignment, Continuum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Fills told apart by people who do not see all colours (Okabe and Ito 2008), lightened so that labels can be read.
FILLS = ("#9ecbe8", "#f6c98a", "#8fd3bd", "#f2b8a0", "#e3b8d3", "#f5ee9e", "#7fa8cc", "#cfcfcf")
#: A fixed identifier instead of a random one, and no date: the same picture is the same file.
SVG: dict[Any, Any] = {"svg.hashsalt": "unisono", "svg.fonttype": "none"}


@dataclass(frozen=True)
class Panel:
    """One continuum to draw, with a title, its alignment if there is one, and names for units by their start."""

    continuum: Continuum
    title: str
    alignment: Alignment | None = None
    names: Mapping[int, str] = field(default_factory=dict)


def draw_panels(stem: Path, *, panels: Sequence[Panel]) -> tuple[Path, ...]:
    """The panels below one another, as `stem.svg` and `stem.png`."""
    figure = new_figure(8, sum(0.55 + 0.42 * len(p.continuum.annotators) for p in panels) + 0.2)
    heights = [1 + len(p.continuum.annotators) for p in panels]
    for axes, panel in zip(_axes(figure, len(panels), heights), panels, strict=True):
        _draw(axes, panel)
    return saved(figure, stem)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure that needs no display."""
    try:
        from matplotlib.figure import Figure as New
    except ImportError:
        raise MissingDependencyError("figures", extra="plots") from None
    return New(figsize=(width, height), layout="constrained")


def saved(figure: Figure, stem: Path) -> tuple[Path, ...]:
    """The figure as SVG and PNG, the same bytes whenever it is drawn."""
    import matplotlib as mpl

    stem.parent.mkdir(parents=True, exist_ok=True)
    paths = (stem.with_name(f"{stem.name}.svg"), stem.with_name(f"{stem.name}.png"))
    with mpl.rc_context(SVG):
        figure.savefig(paths[0], metadata={"Date": None})
        figure.savefig(paths[1], dpi=160, metadata={"Software": None})
    return paths


def _axes(figure: Figure, n: int, heights: Sequence[int]) -> Sequence[Axes]:
    grid: Any = figure.subplots(n, 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    return [row[0] for row in grid]


def _draw(axes: Axes, panel: Panel) -> None:
    from matplotlib.patches import Rectangle

    continuum = panel.continuum
    annotators = continuum.annotators
    labels = sorted({str(u.category) for u in continuum if u.category is not None})
    extent = continuum.extent
    low, high = (extent.start, extent.end) if extent else (0, 1)
    for row, annotator in enumerate(annotators):
        axes.axhline(row, color="#bbbbbb", linewidth=0.8, zorder=0)
        places = [(u.start, u.end) for u in continuum.units_of(annotator)]
        for unit in continuum.units_of(annotator):
            level = int(any(_is_inside((unit.start, unit.end), other) for other in places))
            hosts = any(_is_inside(other, (unit.start, unit.end)) for other in places)
            label = "" if unit.category is None else str(unit.category)
            fill = FILLS[labels.index(label) % len(FILLS)] if label else FILLS[-1]
            height = 0.56 - 0.24 * min(level, 1)
            axes.add_patch(
                Rectangle(
                    (unit.start, row - height / 2),
                    unit.end - unit.start,
                    height,
                    facecolor=fill,
                    edgecolor="#333333",
                    linewidth=0.8,
                    zorder=2 + level,
                )
            )
            name = panel.names.get(int(unit.start), label if len(labels) > 1 else "")
            if (unit.end - unit.start) > 0.012 * (high - low) * max(1, len(name)):
                place, align = ((unit.start + unit.end) / 2, "center") if not hosts else (unit.start, "left")
                margin = 0 if align == "center" else 0.008 * (high - low)
                axes.text(place + margin, row, name, ha=align, va="center", fontsize=8, zorder=5)
    if panel.alignment is not None:
        rows = {annotator: row for row, annotator in enumerate(annotators)}
        for unitary in panel.alignment.unitary_alignments:
            members = [(rows[a], u) for a, u in zip(annotators, unitary.units, strict=True) if u is not None]
            for (above, u), (below, v) in pairwise(members):
                x = (u.start + u.end) / 2, (v.start + v.end) / 2
                axes.plot(x, (above + 0.28, below - 0.28), color="#0072b2", linewidth=1.6, zorder=6)
    margin = 0.01 * (high - low)
    axes.set_xlim(low - margin, high + margin)
    axes.set_ylim(len(annotators) - 0.45, -0.55)
    axes.set_yticks(range(len(annotators)), annotators, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=7)
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(panel.title, fontsize=9, loc="left")


def _is_inside(inner: tuple[float, float], outer: tuple[float, float]) -> bool:
    """Whether a unit lies inside another: inner ones are drawn lower and in front, the name of the outer one aside."""
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]
