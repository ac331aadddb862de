# SPDX-License-Identifier: MIT
"""Pictures of continua and alignments, drawn by unisono's figures; they need matplotlib."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import unisono
from unisono.compat.pygamma.alignment import Alignment
from unisono.compat.pygamma.continuum import Continuum
from unisono.errors import MissingDependencyError
from unisono.report.figure import draw_units
from unisono.report.plotting import load_matplotlib


def show_continuum(continuum: Continuum, labelled: bool = True) -> None:
    """Show the units of a continuum with matplotlib; `labelled` is accepted, the units are always labelled."""
    _figure(lambda axes: draw_units(continuum.to_unisono(), axes), interactive=True)


def show_alignment(alignment: Alignment, labelled: bool = True) -> None:
    """Show an alignment with matplotlib, its categories explained below where `labelled`."""
    _figure(lambda axes: _draw(alignment, axes, legend=labelled), interactive=True)


def png_of_continuum(continuum: Continuum) -> bytes | None:
    """The picture that notebooks show of a continuum; None without units or without matplotlib."""
    return _png(lambda axes: draw_units(continuum.to_unisono(), axes)) if continuum else None


def png_of_alignment(alignment: Alignment) -> bytes | None:
    """The picture that notebooks show of an alignment; None without matplotlib."""
    return _png(lambda axes: _draw(alignment, axes, legend=True))


def _draw(alignment: Alignment, axes: Any, *, legend: bool) -> None:
    own = alignment.to_unisono()
    if not isinstance(own, unisono.Alignment):
        raise TypeError("a soft alignment has no picture: its unitary alignments share units")
    unisono.draw_alignment(own, axes, legend=legend)


def _png(draw: Callable[[Any], None]) -> bytes | None:
    target = BytesIO()
    try:
        _figure(draw, interactive=False).savefig(target, format="png", dpi=120, bbox_inches="tight")
    except MissingDependencyError:  # the notebook shows the object as text then
        return None
    return target.getvalue()


def _figure(draw: Callable[[Any], None], *, interactive: bool) -> Any:
    load_matplotlib()
    if interactive:
        from matplotlib import pyplot

        figure, axes = pyplot.subplots(figsize=(10, 3))
        draw(axes)
        pyplot.show()
        return figure
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3))
    draw(figure.add_subplot())
    return figure
