# SPDX-License-Identifier: MIT
"""Positions on texts: unisono counts characters (code points), tools written in Java or JavaScript UTF-16 units."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def code_points(text: str, utf16: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
    """Positions in UTF-16 units as positions in characters; a position n units beyond the text stays n beyond it.

    >>> code_points("a😀b", [0, 1, 3, 4, 9]).tolist()
    [0, 1, 2, 3, 8]
    """
    positions = np.asarray(utf16, dtype=np.int64)
    return positions - np.searchsorted(_wide_ends(text), positions, side="right")


def code_point_converter(text: str) -> Callable[[int], int]:
    """A function that does the same for one position; it analyses the text only once.

    >>> [*map(code_point_converter("a😀b"), (0, 1, 3, 4, 9))]
    [0, 1, 2, 3, 8]
    """
    ends = _wide_ends(text).tolist()
    return lambda position: position - bisect_right(ends, position)


def utf16_converter(text: str) -> Callable[[int], int]:
    """A function from one position in characters to one in UTF-16 units; it analyses the text only once.

    >>> [*map(utf16_converter("a😀b"), (0, 1, 2, 3))]
    [0, 1, 3, 4]
    """
    wide = _wide_characters(text).tolist()
    return lambda position: position + bisect_left(wide, position)


def _wide_characters(text: str) -> NDArray[np.int64]:
    """Positions of the characters that take two UTF-16 units."""
    if text.isascii():
        return np.empty(0, dtype=np.int64)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.flatnonzero(points > 0xFFFF).astype(np.int64)


def _wide_ends(text: str) -> NDArray[np.int64]:
    """Where these characters end, in UTF-16 units: the n-th (from 0) at its position in characters plus n plus 2."""
    wide = _wide_characters(text)
    return wide + np.arange(len(wide)) + 2


def same_text(one: str, other: str) -> bool:
    """Whether two texts are equal apart from white space: some tools write line breaks as blanks, or trim them.

    >>> same_text("New\\nYork ", "New York"), same_text("New York", "Newark")
    (True, False)
    """
    return one == other or "".join(one.split()) == "".join(other.split())
