# SPDX-License-Identifier: MIT
"""Random segmentations for the tests: corpora whose units cover everything, and boundary strings of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from generators import NAMES
from unisono.model import Continuum


def segmented(length: int, boundaries: dict[str, Iterable[int]], *, name: str = "", start: int = 0) -> Continuum:
    """A continuum of that length, cut by each annotator at some boundaries."""
    rows = {}
    for annotator, inner in boundaries.items():
        edges = [start, *(start + b for b in sorted(inner)), start + length]
        rows[annotator] = list(pairwise(edges))
    return Continuum.of(rows, extent=(start, start + length), name=name)


def random_segmentations(rng: np.random.Generator, *, documents: int = 3, annotators: int = 3) -> list[Continuum]:
    """Documents of 1 to 40 atoms by some of the annotators; near misses are common."""
    continua = []
    for d in range(int(rng.integers(1, documents + 1))):
        length = int(rng.integers(1, 41))
        n = int(rng.integers(2, annotators + 1))
        who = sorted(rng.choice(annotators, size=n, replace=False).tolist())
        truth = np.flatnonzero(rng.random(length) < rng.choice([0.05, 0.2, 0.6]))
        cuts = {}
        for a in who:
            moved = truth + rng.integers(-2, 3, len(truth)) * (rng.random(len(truth)) < 0.5)
            kept = moved[rng.random(len(truth)) < 0.8]
            cuts[NAMES[a]] = sorted({int(b) for b in kept if 0 < b < length})
        continua.append(segmented(length, cuts, name=f"d{d}", start=int(rng.integers(0, 50))))
    return continua


def masses(continuum: Continuum, annotator: str) -> list[int]:
    """The lengths of the units, as segeval takes them."""
    return [int(unit.length) for unit in continuum.units_of(annotator)]


def string(continuum: Continuum, annotator: str) -> str:
    """The potential boundaries as 0 and 1, as nltk takes them."""
    assert continuum.extent is not None
    used = {int(unit.start - continuum.extent.start) for unit in continuum.units_of(annotator)[1:]}
    return "".join("1" if b in used else "0" for b in range(1, int(continuum.extent.length)))
