# SPDX-License-Identifier: MIT
"""Atoms: the pieces into which a continuum is cut for measures that count places instead of lengths."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.measures.resolved import Resolved
from unisono.model import Continuum, FloatArray, Position

#: A word, or a punctuation mark by itself.
WORD = re.compile(r"\w+|[^\w\s]")


def is_cut(continuum: Continuum, settings: Resolved) -> bool:
    """Whether there are atoms: integer positions, steps, or words."""
    return continuum.has_integer_positions or settings.step is not None or settings.atoms == "word"


def in_atoms(positions: NDArray[Any], origin: Position, settings: Resolved, text: str | None) -> FloatArray:
    """Positions as numbers of atoms from the origin: the atoms whose middle lies between the two.

    An atom belongs to the unit that holds its middle. Without a step every integer position is an atom; positions that
    are not integers are returned as lengths from the origin.

    >>> in_atoms(np.array([0.0, 0.2, 0.3, 1.0]), 0.0, Resolved(step=0.5), None).tolist()
    [0.0, 0.0, 1.0, 2.0]
    """
    if settings.atoms == "word":
        middles = np.array([(word.start() + word.end()) / 2 for word in WORD.finditer(text or "")])
        return (np.searchsorted(middles, positions) - np.searchsorted(middles, origin)).astype(np.float64)
    lengths = np.asarray(positions - origin, dtype=np.float64)
    return lengths if settings.step is None else np.ceil(lengths / settings.step - 0.5) + 0.0
