# SPDX-License-Identifier: MIT
"""Times as files write them: sums and products in decimal, so that 0.1 s + 2.2 s is 2.3 s and not a bit more.

Units that follow each other must not overlap by the last bit of a float.
"""

from __future__ import annotations

from decimal import Decimal, DecimalException, localcontext
from typing import Any


def summed(one: Any, other: Any) -> Any:
    """The sum of two numbers, or texts of numbers, as decimals; the second as it is where either is no number.

    >>> 0.1 + 2.2, summed(0.1, 2.2), summed("0.1", "2.2"), summed(1, 2), summed("0", "soon")
    (2.3000000000000003, 2.3, 2.3, 3, 'soon')
    """
    first, second = decimal(one), decimal(other)
    if first is None:
        return one
    if second is None:
        return other
    with localcontext() as context:
        context.prec = 700  # exact: nothing here is beyond 10**300, nor has more than 400 digits
        total = first + second
    return int(total) if isinstance(one, int) and isinstance(other, int) else float(total)


def decimal(value: Any) -> Decimal | None:
    """A number as a decimal, None for what is none or beyond all sizes.

    >>> decimal("1e400"), decimal(True), decimal("NaN"), decimal(" 1.50 ")
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
