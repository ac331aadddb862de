# SPDX-License-Identifier: MIT
"""Numbers as cells, and the one look of every table: what all reports in text share."""

from __future__ import annotations

from rich import box
from rich.table import Table


def plain_table() -> Table:
    """A table without columns yet, with a line below its header and no frame."""
    return Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_edge=False)


def number(value: float | None) -> str:
    """Three decimals, or - for what is undefined.

    >>> number(0.5), number(None)
    ('0.500', '-')
    """
    return "-" if value is None else f"{value:.3f}"


def count(value: int | None) -> str:
    """A whole number in groups of three digits, or - for what was not counted."""
    return "-" if value is None else f"{value:,}"


def bounds(low: float, high: float) -> str:
    """Both ends of an interval."""
    return f"{low:.3f} to {high:.3f}"
