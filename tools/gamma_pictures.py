# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/gamma-in-pictures.md: `python tools/gamma_pictures.py`, after a change of the figures."""

from __future__ import annotations

from pathlib import Path

import unisono
from unisono.chance import Shift
from unisono.model import Continuum

IMAGES = Path(__file__).parents[1] / "docs" / "images"
EXTENT = (0, 60)
ANN = [(0, 11, "Person"), (21, 39, "Organisation"), (35, 39, "Place"), (46, 55, "Person")]
#: What the third annotator does, for each picture of the page.
CEM = {
    "agreement": ANN,
    "boundaries": [(2, 13, "Person"), (18, 36, "Organisation"), (36, 40, "Place"), (44, 53, "Person")],
    "categories": [(0, 11, "Place"), (21, 39, "Organisation"), (35, 39, "Place"), (46, 55, "Place")],
    "missing": [(0, 11, "Person"), (46, 55, "Person")],
}


def letter(cem: list[tuple[int, int, str]]) -> Continuum:
    """A letter that ann and bob mark alike, and cem as given."""
    return unisono.continuum({"ann": ANN, "bob": ANN, "cem": cem}, extent=EXTENT, name="letter")


def draw() -> None:
    """Write every picture."""
    for name, cem in CEM.items():
        unisono.draw_alignment(unisono.best_alignment(letter(cem)), IMAGES / f"gamma-{name}.svg", width=5)
    random = Shift().draw(letter(CEM["boundaries"]), seed=3, sample=0)
    unisono.draw_alignment(unisono.best_alignment(random), IMAGES / "gamma-chance.svg", width=5)


if __name__ == "__main__":
    draw()
