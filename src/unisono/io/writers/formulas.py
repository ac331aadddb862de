# SPDX-License-Identifier: MIT
"""Cells that a spreadsheet would take for formulas: a category called `=HYPERLINK(...)` is computed when opened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: What a formula begins with in Excel, LibreOffice or Google Sheets; the wide forms too, which some take for the same.
BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(cell: Any) -> Any:
    """The cell with an apostrophe before it if it is a text that begins as a formula does; numbers stay as they are.

    >>> [escape_formula(cell) for cell in ("=1+1", "-", "PER", -1.5, None)]
    ["'=1+1", "'-", 'PER', -1.5, None]
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINNINGS) else cell


def escape_rows(rows: Iterable[Iterable[Any]]) -> Iterable[list[Any]]:
    """Rows with every such cell escaped."""
    return ([escape_formula(cell) for cell in row] for row in rows)
