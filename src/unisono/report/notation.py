# SPDX-License-Identifier: MIT
"""How numbers are written for people: one set of functions, in two notations (plain text, typeset pages)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # results load numpy, which `unisono --help` does without
    from unisono.results import Interval

#: Decimals of a value, an interval or a disorder.
DIGITS = 3


@dataclass(frozen=True, slots=True)
class Notation:
    """The characters that depend on where a number is shown."""

    minus: str
    #: Stands for a number that is undefined.
    undefined: str


#: For terminals and files: ASCII only.
PLAIN = Notation("-", "-")
#: For pages and sentences: a true minus sign and a dash.
TYPESET = Notation("−", "–")


def number(value: float | None, digits: int = DIGITS, notation: Notation = PLAIN) -> str:
    """A number with a fixed number of decimals; never a negative zero.

    >>> number(0.5), number(-0.0001), number(None), number(-0.0421, notation=TYPESET)
    ('0.500', '0.000', '-', '−0.042')
    """
    if value is None:
        return notation.undefined
    text = f"{value:.{digits}f}"
    if text[0] != "-":
        return text
    return notation.minus + text[1:] if float(text) else text[1:]


def plus_minus(error: float | None, notation: Notation = PLAIN) -> str:
    """A computation error.

    >>> plus_minus(0.0021), plus_minus(0.00001), plus_minus(None)
    ('±0.002', '±0.000', '-')
    """
    return notation.undefined if error is None else f"±{number(error)}"


def difference(value: float | None, notation: Notation = PLAIN, digits: int = DIGITS) -> str:
    """A difference of two values, with its sign.

    >>> difference(0.0123), difference(-0.5), difference(-0.0001)
    ('+0.012', '-0.500', '0.000')
    """
    text = number(value, digits, notation)
    return f"+{text}" if value is not None and value > 0 and float(text) else text


def typeset(value: float | None, digits: int = DIGITS) -> str:
    """A number as pages and sentences show it."""
    return number(value, digits, TYPESET)


def count(value: int | None, notation: Notation = PLAIN) -> str:
    """A whole number in groups of three digits.

    >>> count(12345), count(None)
    ('12,345', '-')
    """
    return notation.undefined if value is None else f"{value:,}"


def bounds(interval: Interval | tuple[float, float] | None, notation: Notation = PLAIN) -> str:
    """Both ends of an interval.

    >>> bounds((0.25, 0.5))
    '0.250 to 0.500'
    """
    if interval is None:
        return notation.undefined
    low, high = interval if isinstance(interval, tuple) else (interval.low, interval.high)
    return f"{number(low, notation=notation)} to {number(high, notation=notation)}"


def level_percent(level: float) -> str:
    """The level of an interval.

    >>> level_percent(0.95)
    '95 %'
    """
    return f"{100 * level:g} %"


def gap_percent(gap: float | None) -> str:
    """How far a disorder may be above the least possible one."""
    return f"{100 * (gap or 0.0):.3g} %"


def percentage(share: float) -> str:
    """A share in whole percents, except near the ends.

    >>> [percentage(x) for x in (0.382, 0.0042, 0.998, 1.0)]
    ['38 %', '0.4 %', '99.8 %', '100 %']
    """
    percent = 100 * share
    return f"{percent:.1f} %" if 0 < percent < 1 or 99 < percent < 100 else f"{percent:.0f} %"
