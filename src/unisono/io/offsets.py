# SPDX-License-Identifier: MIT
"""Positions on texts: in characters (code points) here, in UTF-16 units in tools written in Java or JavaScript."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def code_points(text: str, utf16: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """Positions in UTF-16 units as positions in characters; those beyond the text stay as far beyond it.

    >>> code_points("a😀b", [0, 1, 3, 4, 9]).tolist()
    [0, 1, 2, 3, 8]
    """
    positions = np.asarray(utf16, dtype=np.int64)
    return positions - np.searchsorted(_wide_ends(text), positions, side="right")


def code_point(text: str) -> Callable[[int], int]:
    """The same for single positions: a function, so that the text is looked at once and not for every unit.

    >>> [*map(code_point("a😀b"), (0, 1, 3, 4, 9))]
    [0, 1, 2, 3, 8]
    """
    ends = _wide_ends(text).tolist()
    return lambda position: position - bisect_right(ends, position)


def utf16_units(text: str, positions: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """Positions in characters as positions in UTF-16 units: the inverse, for writing.

    >>> utf16_units("a😀b", [0, 1, 2, 3]).tolist()
    [0, 1, 3, 4]
    """
    characters = np.asarray(positions, dtype=np.int64)
    return characters + np.searchsorted(_wide(text), characters, side="left")


def _wide(text: str) -> NDArray[np.int64]:
    """Where the characters stand that take two UTF-16 units."""
    if text.isascii():
        return np.empty(0, dtype=np.int64)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.flatnonzero(points > 0xFFFF).astype(np.int64)


def _wide_ends(text: str) -> NDArray[np.int64]:
    """Where they end in UTF-16: the n-th at its own position plus n plus 2."""
    wide = _wide(text)
    return wide + np.arange(len(wide)) + 2


def same_text(one: str, other: str) -> bool:
    """Whether two texts are equal but for blanks: tools write line breaks as blanks, or trim them.

    >>> same_text("New\\nYork ", "New York"), same_text("New York", "Newark")
    (True, False)
    """
    return one == other or "".join(one.split()) == "".join(other.split())
