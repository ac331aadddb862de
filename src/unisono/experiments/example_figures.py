# SPDX-License-Identifier: MIT
"""The papers' examples as figures: the units of each annotator, and their alignment if there is one (extra `plots`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from unisono.model import CATEGORY, Alignment, Continuum, Feature
from unisono.report.figure import draw_alignment, draw_units
from unisono.report.plotting import new_figure, save_svg_and_png


@dataclass(frozen=True)
class Panel:
    """One continuum to draw, with a title, its alignment if there is one, and names for units by their start."""

    continuum: Continuum
    title: str
    alignment: Alignment | None = None
    names: Mapping[int, str] = field(default_factory=dict)


def draw_panels(stem: Path, *, panels: Sequence[Panel]) -> tuple[Path, ...]:
    """The panels below one another, as `stem.svg` and `stem.png`."""
    heights = [1 + len(panel.continuum.annotators) for panel in panels]
    figure = new_figure(8, sum(0.55 + 0.42 * (height - 1) for height in heights) + 0.2, layout="constrained")
    grid = figure.subplots(len(panels), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    for axes, panel in zip(grid[:, 0], panels, strict=True):
        continuum = _name_units(panel.continuum, panel.names) if panel.names else panel.continuum
        if panel.alignment is None:
            draw_units(continuum, axes)
        else:
            draw_alignment(_replace_continuum(panel.alignment, continuum), axes, legend=False)
        axes.tick_params(labelsize=8)
        axes.set_title(panel.title, fontsize=9, loc="left")
    return save_svg_and_png(figure, stem)


def _name_units(continuum: Continuum, names: Mapping[int, str]) -> Continuum:
    """The continuum with the names of the units as their categories, so that they are shown in the boxes."""
    return Continuum(
        starts=continuum.starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features={CATEGORY: Feature.encode([names.get(int(start)) for start in continuum.starts.tolist()])},
        extent=continuum.extent,
        name=continuum.name,
    )


def _replace_continuum(alignment: Alignment, continuum: Continuum) -> Alignment:
    """The same alignment, of a continuum with the same units under other categories."""
    return Alignment(
        continuum, alignment.group, alignment.disorders,
        disorder=alignment.disorder, lower_bound=alignment.lower_bound, limit=alignment.limit,
    )  # fmt: skip
