# SPDX-License-Identifier: MIT
"""Values written as text, as options of the command line are; a ValueError where the text cannot be read."""

from __future__ import annotations

import math
import re

_POWERS = " KMGT"


def parse_limit(text: str) -> float | None:
    """A number, or None for `none`: no limit.

    >>> parse_limit("2000"), parse_limit("none")
    (2000, None)
    """
    return None if text.strip().lower() == "none" else _parse_position(text)


def parse_size(text: str) -> int:
    """Bytes from a number with or without a letter for its power of 1024.

    >>> [parse_size(text) for text in ("2G", "1.5 KiB", "300")]
    [2147483648, 1536, 300]
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE | re.ASCII)
    if match is None:
        raise ValueError(text)
    return int(float(match[1]) * 1024 ** _POWERS.index(match[2].upper() or " "))


def show_size(n_bytes: int) -> str:
    """Bytes as `parse_size` reads them.

    >>> show_size(200 * 2**20), show_size(1000)
    ('200M', '1000')
    """
    power = 0
    while n_bytes and n_bytes % 1024 == 0 and power < len(_POWERS) - 1:
        n_bytes //= 1024
        power += 1
    return f"{n_bytes}{_POWERS[power]}".strip()


def parse_extent(text: str) -> tuple[int | float, int | float]:
    """Start and end from `START:END`; integers stay integers.

    >>> parse_extent("0:120"), parse_extent("-1.5:3")
    ((0, 120), (-1.5, 3))
    """
    start, end = (_parse_position(part) for part in text.split(":"))
    return start, end


def _parse_position(text: str) -> int | float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return int(text) if re.fullmatch(r"\s*[+-]?\d+\s*", text) else number


def parse_probability(text: str) -> float | tuple[float, float]:
    """A probability, or the mean and strength of its prior.

    >>> parse_probability("0.25"), parse_probability("0.25,100")
    (0.25, (0.25, 100.0))
    """
    first, *others = (float(part) for part in text.split(","))
    if len(others) > 1:
        raise ValueError(text)
    return (first, others[0]) if others else first


def parse_names(text: str) -> tuple[str, ...]:
    """Names separated by commas.

    >>> parse_names("low, middle,high")
    ('low', 'middle', 'high')
    """
    return tuple(name.strip() for name in text.split(","))
