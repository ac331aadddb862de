# SPDX-License-Identifier: MIT
"""Columns of numbers: integers stay integers, and every cell that is not a number is reported by its row."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from unisono.io.faults import BoolArray
from unisono.io.tables.written_numbers import (
    USUAL_STYLE,
    NumberStyle,
    is_doubtful,
    is_time_code,
    needs_fps,
    read_time_code,
    thousands_sign,
    without_groups,
)
from unisono.model import LARGEST_POSITION, PositionArray


@dataclass(frozen=True, slots=True)
class Numbers:
    """A column of numbers, and which of its cells are empty."""

    values: PositionArray
    missing: BoolArray


_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def is_number(cell: str) -> bool:
    """Whether a cell is meant as a number or a time code, even one that is refused later: nan, 3,5."""
    cell = cell.strip()
    if any(kind.fullmatch(cell) is not None for kind in (_NUMBER, _COMMA, _NOT_FINITE)):
        return True
    return is_time_code(cell) or any(without_groups(cell, sign) is not None for sign in (",", "."))


def is_whole_number(cell: str) -> bool:
    """Whether a text is an integer that int() takes: it refuses thousands of digits."""
    return len(cell) < 100 and _WHOLE.fullmatch(cell) is not None


def unusable_numbers(parsed: Numbers, bad: dict[str, list[int]]) -> None:
    """Add the rows whose numbers are not finite or too large to the bad rows, by problem code."""
    values = parsed.values
    present = ~parsed.missing
    finite = np.isfinite(values)
    if not finite[present].all():
        bad.setdefault("not-finite", []).extend(np.flatnonzero(present & ~finite).tolist())
    # The negated comparison also holds for the most negative integer, whose absolute value overflows.
    large = present & finite & ~((values <= LARGEST_POSITION) & (values >= -LARGEST_POSITION))
    if large.any():
        bad.setdefault("too-large", []).extend(np.flatnonzero(large).tolist())


def fast_numbers(cells: list[str]) -> Numbers | None:
    """The whole column at once, or None where it must be parsed cell by cell."""
    joined = "".join(cells)
    if not joined.isascii() or "_" in joined:  # int() also accepts 1_000 and the digits of other scripts
        return None
    missing = np.zeros(len(cells), dtype=np.bool_)
    if "" in cells:
        missing[:] = [not cell for cell in cells]
        cells = [cell or "0" for cell in cells]
    try:
        return Numbers(np.array(list(map(int, cells)), dtype=np.int64), missing)
    except OverflowError:
        return None
    except ValueError:
        pass
    try:
        values = np.array(list(map(float, cells)), dtype=np.float64)
    except ValueError:
        return None
    return Numbers(values, missing) if np.isfinite(values).all() else None


def slow_numbers(cells: list[str], bad: dict[str, list[int]], style: NumberStyle = USUAL_STYLE) -> Numbers:
    """The column cell by cell; the rows of cells that are not numbers are added to `bad`, by problem code."""
    values: list[int | float] = [0] * len(cells)
    missing = np.zeros(len(cells), dtype=np.bool_)
    texts = [cell.strip() for cell in cells]
    sign = thousands_sign(texts, style)
    for row, cell in enumerate(texts):
        if not cell:
            missing[row] = True
            continue
        if is_time_code(cell):
            if needs_fps(cell, style):
                bad.setdefault("time-code", []).append(row)
            else:
                values[row] = read_time_code(cell, style)
            continue
        ungrouped = without_groups(cell, sign)
        if ungrouped is None and is_doubtful(cell, style.decimal):
            bad.setdefault("question-number", []).append(row)
            continue
        text = (ungrouped or cell).replace(style.decimal, ".")
        if _NUMBER.fullmatch(text):
            # int() refuses thousands of digits; as a float such a number is infinite and refused as too large.
            value = int(text) if is_whole_number(text) else float(text)
            if abs(value) > LARGEST_POSITION:
                bad.setdefault("too-large", []).append(row)
            else:
                values[row] = value
        else:
            code = "not-a-number"
            if _NOT_FINITE.fullmatch(cell):
                code = "not-finite"
            elif _COMMA.fullmatch(cell):
                code = "decimal-comma"
            bad.setdefault(code, []).append(row)
    if all(type(value) is int for value in values):
        return Numbers(np.array(values, dtype=np.int64), missing)
    return Numbers(np.array(values, dtype=np.float64), missing)
