# SPDX-License-Identifier: MIT
"""A comparison as text: both values, the difference, how sure it is, and what was permuted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from unisono.measures import MEASURES
from unisono.report import counted, visible
from unisono.report.cells import bounds, number
from unisono.report.terminal import ROOM_FOR_REMARKS, Page

if TYPE_CHECKING:
    from unisono.comparison import Comparison

#: What is exchangeable if there is no difference.
DESIGNS = {
    "paired": "the same documents on both sides, A and B swapped within documents",
    "unpaired": "documents exchanged between the sides",
    "annotators": "two groups of annotators on the same documents, annotators permuted within documents",
}


def plain(comparison: Comparison) -> str:
    """What `print(comparison)` shows."""
    page = Page()
    add_comparison(page, comparison)
    return str(page).rstrip("\n")


def add_comparison(page: Page, comparison: Comparison, names: tuple[str, str] = ("A", "B")) -> None:
    """Difference first, then what it is made of, then the test and its design."""
    symbol = MEASURES[comparison.measure].symbol if comparison.measure in MEASURES else comparison.measure
    if comparison.category is not None:
        symbol += f" of {visible(comparison.category)}"
    page.add(Text(f"{symbol}: A - B = {number(comparison.difference)}", "bold"))
    page.add()
    grid = Table.grid(padding=(0, 2, 0, 0))
    for label, value, remark in _facts(comparison, names):
        remarks = [Text(remark, "dim")] if page.width >= ROOM_FOR_REMARKS else []
        grid.add_row(Text("  " + label), Text(value), *remarks)
    page.add(grid)
    page.add()
    page.paragraph(f"Design: {comparison.design}: {DESIGNS[comparison.design]}.")
    if comparison.reason:
        page.paragraph(f"No p: {visible(comparison.reason)}.", "bold")
    for note in comparison.notes:
        page.paragraph(f"Note: {visible(note)}.")
    page.add()
    page.line(f"Signature  {visible(comparison.signature)}")
    page.line(f"Seed       {comparison.seed}")


def _facts(comparison: Comparison, names: tuple[str, str]) -> list[tuple[str, str, str]]:
    sides = zip("AB", names, (comparison.a, comparison.b), comparison.documents, strict=True)
    facts = [
        (label, number(value), counted(documents, "document") + (f", {visible(name)}" if name != label else ""))
        for label, name, value, documents in sides
    ]
    if comparison.interval is not None:
        level = f"{100 * comparison.interval.level:g} % interval"
        facts.append(
            (level, bounds(comparison.interval.low, comparison.interval.high), "had there been other documents")
        )
    if comparison.p is not None:
        kind = "all" if comparison.is_exact else "random"
        facts.append(
            ("p", f"{comparison.p:.4g}", f"two-sided, {kind} {counted(comparison.n_permutations, 'permutation')}")
        )
    return facts
