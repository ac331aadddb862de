# SPDX-License-Identifier: MIT
"""Numbers with their nouns, for messages and tables."""

from __future__ import annotations


def quantity(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun in the singular or the plural.

    >>> quantity(1, "unit"), quantity(1200, "unit"), quantity(0, "category", "categories")
    ('1 unit', '1,200 units', '0 categories')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
