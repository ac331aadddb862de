# SPDX-License-Identifier: MIT
"""What all matplotlib drawings share (the extra `plots`): figures without a display, colours, files without dates."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from unisono.errors import load_optional
from unisono.whole_files import make_folder, replacement

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Okabe and Ito 2008: colours that colour-blind readers can tell apart, by their names.
OKABE_ITO = {
    "sky blue": "#56B4E9", "orange": "#E69F00", "green": "#009E73", "yellow": "#F0E442", "purple": "#CC79A7",
    "vermilion": "#D55E00", "blue": "#0072B2", "black": "#000000",
}  # fmt: skip

#: No date in a file, and no random identifiers in an SVG: the same drawing gives the same bytes.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {"Software": None},
}
_STYLE: dict[str, Any] = {"svg.hashsalt": "unisono", "svg.fonttype": "path", "pdf.fonttype": 42, "text.usetex": False}


def load_matplotlib() -> Any:
    """The library; MissingDependencyError if it is not installed."""
    library, _ = (load_optional(name, "drawing figures", "plots") for name in ("matplotlib", "matplotlib.figure"))
    return library


def new_figure(width: float, height: float, *, layout: Literal["constrained"] | None = None) -> Figure:
    """An empty figure of that size in inches, which needs no display."""
    figure: Figure = load_matplotlib().figure.Figure(figsize=(width, height), layout=layout)
    return figure


def save_figure(figure: Figure, file: str | Path | IO[bytes], kind: str, *, dpi: int = 150) -> None:
    """Write a figure as svg, pdf or png."""
    with load_matplotlib().rc_context(_STYLE):
        figure.savefig(file, format=kind, dpi=dpi, metadata=_METADATA[kind])


def save_svg_and_png(figure: Figure, stem: Path, *, dpi: int = 160) -> tuple[Path, ...]:
    """Write a figure as `stem.svg` and `stem.png`."""
    make_folder(stem.parent)
    paths = tuple(stem.with_name(f"{stem.name}.{kind}") for kind in ("svg", "png"))
    for path in paths:
        with replacement(path) as draft:
            save_figure(figure, draft, path.suffix[1:], dpi=dpi)
    return paths
