# SPDX-License-Identifier: MIT
"""A comparison as text: both values, the difference with its interval and p, and what was permuted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from unisono.nouns import quantity
from unisono.report import visible
from unisono.report.notation import bounds, level_percent, number
from unisono.report.sentences import INTERVAL_MEANINGS, symbol
from unisono.report.text_page import ROOM_FOR_REMARKS, Page

if TYPE_CHECKING:
    from unisono.analysis.compare import Comparison

#: What is exchanged under the hypothesis that there is no difference.
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
    """The difference, then both values, the interval and the test, then the design."""
    name = symbol(comparison.measure)
    if comparison.category is not None:
        name += f" of {visible(comparison.category)}"
    page.add(Text(f"{name}: A - B = {number(comparison.difference)}", "bold"))
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
        (label, number(value), quantity(documents, "document") + (f", {visible(name)}" if name != label else ""))
        for label, name, value, documents in sides
    ]
    if comparison.interval is not None:
        level = f"{level_percent(comparison.interval.level)} interval"
        facts.append((level, bounds(comparison.interval), INTERVAL_MEANINGS["documents"]))
    if comparison.p is not None:
        kind = "all" if comparison.is_exact else "random"
        facts.append(
            ("p", f"{comparison.p:.4g}", f"two-sided, {kind} {quantity(comparison.n_permutations, 'permutation')}")
        )
    return facts
