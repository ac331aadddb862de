# SPDX-License-Identifier: MIT
"""Positions as people write them: signs between thousands, decimal commas, time codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

#: Signs between groups of three digits that mean nothing else: blanks of several kinds and apostrophes.
_PLAIN_SIGNS = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
_PLAIN_GROUPS = re.compile(rf"[+-]?[0-9]{{1,3}}(?:[{_PLAIN_SIGNS}][0-9]{{3}})+(?:[.,][0-9]+)?")
_GROUPS = {
    ",": re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"),
    ".": re.compile(r"[+-]?[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?"),
}
#: Groups that can be nothing else: several, or one before a decimal sign.
_SURE_GROUPS = {
    ",": re.compile(r"[+-]?[0-9]{1,3}(?:(?:,[0-9]{3}){2,}|,[0-9]{3}\.[0-9]+)"),
    ".": re.compile(r"[+-]?[0-9]{1,3}(?:(?:\.[0-9]{3}){2,}|\.[0-9]{3},[0-9]+)"),
}
_WHOLE = re.compile(r"[0-9]{1,3}")
_THREE_DECIMALS = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{3}")

_CLOCK = re.compile(
    r"(?:(?P<hours>[0-9]{1,6}):)?(?P<minutes>[0-9]{1,6}):(?P<seconds>[0-5]?[0-9])(?:[.,](?P<part>[0-9]+))?"
)
_FRAMES = re.compile(r"(?P<hours>[0-9]{1,6}):(?P<minutes>[0-5]?[0-9]):(?P<seconds>[0-5]?[0-9]):(?P<frames>[0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How numbers are written, and what time codes become."""

    decimal: str = "."
    #: The sign between groups of three digits; None if the cells decide.
    thousands: str | None = None
    #: What time codes become: "s" (also for None), "ms", "frames".
    time_unit: str | None = None
    fps: float | None = None


#: Numbers as programs write them.
USUAL_STYLE = NumberStyle()


def is_time_code(cell: str) -> bool:
    """Whether a cell is a time code: `mm:ss`, `hh:mm:ss`, either with a fraction, or `hh:mm:ss:ff`.

    >>> [is_time_code(cell) for cell in ("1:02.5", "00:01:02,500", "01:00:02:12", "1:75", "12")]
    [True, True, True, False, False]
    """
    return _parts(cell) is not None


def _parts(cell: str) -> dict[str, str] | None:
    match = _FRAMES.fullmatch(cell) or _CLOCK.fullmatch(cell)
    if match is None:
        return None
    parts = {name: text or "" for name, text in match.groupdict().items()}
    return None if parts["hours"] and int(parts["minutes"]) > 59 else parts


def needs_fps(cell: str, style: NumberStyle) -> bool:
    """Whether a time code cannot be read without the frames per second, or has more frames than a second."""
    if style.fps is None:
        return style.time_unit == "frames" or _FRAMES.fullmatch(cell) is not None
    match = _FRAMES.fullmatch(cell)
    return match is not None and int(match["frames"]) >= style.fps


def read_time_code(cell: str, style: NumberStyle) -> int | float:
    """The position of a time code, whole where it is.

    >>> read_time_code("1:02.5", NumberStyle()), read_time_code("00:01:02,500", NumberStyle(time_unit="ms"))
    (62.5, 62500)
    >>> read_time_code("00:00:02:12", NumberStyle(fps=25)), read_time_code("0:02", NumberStyle(".", None, "frames", 25))
    (2.48, 50)
    """
    parts = _parts(cell)
    assert parts is not None
    time = Fraction(3600 * int(parts["hours"] or 0) + 60 * int(parts["minutes"]) + int(parts["seconds"]))
    fps = Fraction(style.fps or 1)
    if parts.get("part"):
        digits = parts["part"][:30]
        time += Fraction(int(digits), 10 ** len(digits))
    if parts.get("frames"):
        time += int(parts["frames"]) / fps
    time *= {"ms": Fraction(1000), "frames": fps}.get(style.time_unit or "s", Fraction(1))
    return int(time) if time.denominator == 1 else float(time)


def thousands_sign(cells: Sequence[str], style: NumberStyle) -> str | None:
    """The sign between thousands in a column: the one given, or the one that some cell shows beyond doubt."""
    if style.thousands is not None:
        return style.thousands
    sign = "," if style.decimal == "." else "."
    signed = [cell for cell in cells if sign in cell and not is_time_code(cell)]
    if signed and all(_GROUPS[sign].fullmatch(cell) for cell in signed):
        return sign if any(_SURE_GROUPS[sign].fullmatch(cell) for cell in signed) else None
    return None


def without_groups(cell: str, sign: str | None) -> str | None:
    """The number without the signs between its thousands; None where it has none.

    >>> without_groups("1,000", ","), without_groups("1\N{NO-BREAK SPACE}000", None), without_groups("1,000", None)
    ('1000', '1000', None)
    """
    if _PLAIN_GROUPS.fullmatch(cell):
        return re.sub(f"[{_PLAIN_SIGNS}]", "", cell)
    if sign in _GROUPS and _GROUPS[sign].fullmatch(cell):
        return cell.replace(sign, "")
    return None


def is_doubtful(cell: str, decimal: str) -> bool:
    """Whether a cell may be a thousand with a sign, or a small number with the other decimal sign.

    >>> is_doubtful("1,000", "."), is_doubtful("1.000", ","), is_doubtful("12,5", "."), is_doubtful("0,500", ".")
    (True, True, False, False)
    """
    sign = "," if decimal == "." else "."
    return _GROUPS[sign].fullmatch(cell) is not None and not cell.lstrip("+-").startswith("0")


def looks_like_points_between_thousands(cells: Sequence[str]) -> bool:
    """Whether numbers below 1000 are whole and all others have three digits after a point: 950, 1.000, 1.050."""
    filled = [cell for cell in map(str.strip, cells) if cell]
    pointed = [cell for cell in filled if "." in cell]
    whole = [cell for cell in filled if "." not in cell and cell != "0"]
    return (
        bool(pointed)
        and bool(whole)
        and all(map(_THREE_DECIMALS.fullmatch, pointed))
        and all(map(_WHOLE.fullmatch, whole))
    )
