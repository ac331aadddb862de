# SPDX-License-Identifier: MIT
"""Stretches of a continuum, of which discontinuous units and scored regions are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

_Position = TypeVar("_Position", int, float)


def join_stretches(
    stretches: Iterable[tuple[_Position, _Position]],
    touch: Callable[[_Position, _Position], bool] | None = None,
) -> list[tuple[_Position, _Position]]:
    """The stretches in order, with those that overlap or touch joined to one.

    `touch(end, start)`, if given, decides instead whether a stretch continues the one before it.

    >>> join_stretches([(5, 8), (0, 3), (3, 5)]), join_stretches([(4, 6), (0, 2)])
    ([(0, 8)], [(0, 2), (4, 6)])
    """
    joined: list[tuple[_Position, _Position]] = []
    for start, end in sorted(stretches):
        if joined and (start <= joined[-1][1] if touch is None else touch(joined[-1][1], start)):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def whole_stretches(pieces: list[tuple[Any, Any]]) -> list[tuple[int, int]] | None:
    """Pieces read from a file as joined stretches; None unless all bounds are whole numbers, each pair in order.

    >>> whole_stretches([(5, 8), (0, 3), (3, 5)]), whole_stretches([(0, "x")]), whole_stretches([(2, 0)])
    ([(0, 8)], None, None)
    """
    if not all(type(bound) is int for piece in pieces for bound in piece) or any(end < start for start, end in pieces):
        return None
    return join_stretches(pieces)
