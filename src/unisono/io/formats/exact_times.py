# SPDX-License-Identifier: MIT
"""Exact sums of times: in decimal arithmetic 0.1 s + 2.2 s is 2.3 s, as the file means it.

With floats, units that follow each other would overlap by their last bit.
"""

from __future__ import annotations

from decimal import Decimal, DecimalException, localcontext
from typing import Any


def exact_sum(one: Any, other: Any) -> Any:
    """The decimal sum of two numbers, or of texts of numbers; if one of them is no number, that one, for a message.

    >>> 0.1 + 2.2, exact_sum(0.1, 2.2), exact_sum("0.1", "2.2"), exact_sum(1, 2), exact_sum("0", "soon")
    (2.3000000000000003, 2.3, 2.3, 3, 'soon')
    """
    first, second = to_decimal(one), to_decimal(other)
    if first is None:
        return one
    if second is None:
        return other
    with localcontext() as context:
        context.prec = 700  # exact: to_decimal takes at most 400 digits, within 10**330 and 10**-330
        total = first + second
    return int(total) if isinstance(one, int) and isinstance(other, int) else float(total)


def to_decimal(value: Any) -> Decimal | None:
    """A number, or the text of one, as a decimal; None for everything else and for numbers beyond any position.

    >>> to_decimal("1e400"), to_decimal(True), to_decimal("NaN"), to_decimal(" 1.50 ")
    (None, None, None, Decimal('1.50'))
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = value.strip() if isinstance(value, str) else repr(value) if abs(value) < 1e300 else ""
    if not text.isascii() or "_" in text or len(text) > 400:
        return None
    try:
        number = Decimal(text)
    except DecimalException:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 330 else None
