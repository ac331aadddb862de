# SPDX-License-Identifier: MIT
"""An explanation as text: findings, error equivalents, what-if, the habits of annotators, confused categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from unisono.nouns import quantity
from unisono.report import NO_CATEGORY, visible
from unisono.report.notation import bounds, difference, number, percentage
from unisono.report.sentences import main_interval, symbol
from unisono.report.text_page import Page, plain_table

if TYPE_CHECKING:
    from unisono.diagnosis.explanation import Explanation
    from unisono.diagnosis.finding import Finding

#: How many rows a table shows before it only counts the rest.
SHOWN_ROWS = 15
#: How many findings an explanation shows before it only counts the rest.
SHOWN_FINDINGS = 10
#: How many findings a measurement ends with.
OF_A_MEASUREMENT = 3
NOTHING = "Nothing stands out: no annotator, no two categories, no short units differ more than chance would have it."
#: No alignment of units: text-γ, or nobody marked any unit.
NOT_LOOKED_AT = "Not known: there is no alignment of units that could show it."

_HABITS = {
    "misses": "misses",
    "adds": "adds",
    "starts": "starts",
    "ends": "ends",
    "splits": "splits",
    "merges": "merges",
    "categories": "other\ncategory",
}


def plain(explanation: Explanation) -> str:
    """What `print(explanation)` shows."""
    page = Page()
    add_explanation(page, explanation)
    return str(page).rstrip("\n")


def add_explanation(page: Page, explanation: Explanation) -> None:
    """Everything an explanation has, the most useful first."""
    value = explanation.value
    interval = main_interval(value)
    around = "" if interval is None else f"  {bounds(interval)} ({interval.kind}, {100 * interval.level:g} %)"
    page.line(f"{symbol(explanation.measure)} = {number(value.value)}{around}", "bold")
    if value.value is None and value.reason:
        page.paragraph(visible(value.reason))
    if explanation.significance is not None and getattr(explanation.significance, "sentence", None):
        page.paragraph(visible(explanation.significance.sentence))
    page.add()
    page.add(Text("What stands out", "bold"))
    page.add()
    if explanation.annotators:
        add_findings(page, explanation.findings, most=SHOWN_FINDINGS)
    else:
        page.paragraph(NOT_LOOKED_AT)
        page.add()
    if len(explanation.findings) > SHOWN_FINDINGS:
        page.line(
            f"{quantity(len(explanation.findings) - SHOWN_FINDINGS, 'more finding')} (--json has them all)", "dim"
        )
        page.add()
    _add_sentences(page, "How large errors of one kind alone would give this value", explanation.equivalents)
    _add_what_if(page, explanation.what_if)
    _add_annotators(page, explanation.annotators)
    _add_confusions(page, explanation.confusions)
    _add_categories(page, explanation.categories)
    _add_sentences(page, "Which measure, which settings", explanation.advice)
    page.line(f"Signature  {visible(explanation.signature)}")


def add_findings(page: Page, findings: Sequence[Finding], *, most: int | None = None) -> None:
    """The findings as numbered sentences, each with its next step and its places."""
    if not findings:
        page.paragraph(NOTHING)
        page.add()
        return
    for i, finding in enumerate(findings[:most], start=1):
        page.paragraph(f"{i}. {visible(finding.sentence)}")
        page.paragraph(visible(finding.next), indent="   ")
        if finding.places:
            shown = "; ".join(
                f"{visible(place.document)} {_position(place.start)}-{_position(place.end)}" for place in finding.places
            )
            page.paragraph(f"Look at: {shown}", "dim", indent="   ")
    page.add()


def _position(value: float) -> str:
    return f"{value:g}" if float(value).is_integer() else f"{value:.2f}"


def _add_sentences(page: Page, title: str, rows: Sequence[Any]) -> None:
    """Rows that are sentences."""
    sentences = [getattr(row, "sentence", None) or row.line for row in rows]
    if not sentences:
        return
    page.add(Text(title, "bold"))
    page.add()
    for sentence in sentences:
        page.paragraph(visible(sentence), indent="  ")
    page.add()


def _add_what_if(page: Page, rows: Sequence[Any]) -> None:
    """What settling one thing would do, the largest gains first; then what cannot be settled."""
    if not rows:
        return
    page.add(Text("What if one thing were settled?", "bold"))
    page.add()
    known = [row for row in rows if row.gamma is not None]
    for row in [*known[:SHOWN_ROWS], *(row for row in rows if row.gamma is None)]:
        page.paragraph(visible(row.sentence), indent="  ")
    if len(known) > SHOWN_ROWS:
        page.line(f"  {quantity(len(known) - SHOWN_ROWS, 'more row')} (--json has them all)", "dim")
    page.paragraph("The gains overlap: they do not add up.", "dim", indent="  ")
    page.add()


def _add_annotators(page: Page, rows: Sequence[Any]) -> None:
    if not rows:
        return
    page.add(Text("Who differs, and how", "bold"))
    page.add()
    table = plain_table()
    table.add_column("annotator", overflow="fold")
    for header in ("units per\ndocument", *_HABITS.values()):
        table.add_column(header, justify="right", no_wrap=True)

    def rank(row: Any) -> tuple[Any, ...]:
        return -sum(row[habit]["stands_out"] for habit in _HABITS), min(row[habit]["p"] for habit in _HABITS)

    ordered = sorted(rows, key=rank)
    for row in ordered[:SHOWN_ROWS]:
        mean = row["units_per_document"]
        cells = [Text("-" if mean is None else f"{mean:.1f}")]
        cells += [_habit(row[habit], is_shift=habit in ("starts", "ends")) for habit in _HABITS]
        table.add_row(Text(visible(row["annotator"])), *cells)
    page.add(table)
    page.add()
    if len(rows) > SHOWN_ROWS:
        page.line(f"{quantity(len(rows) - SHOWN_ROWS, 'more annotator')} (--json has them all)", "dim")
    page.paragraph(
        "misses: of the units that most of the others mark; adds: of the annotator's own units, those that most of the "
        "others do not mark; starts, ends: mean shift in lengths of the unit, minus is early; * stands out.",
        "dim",
    )
    page.add()


def _habit(cell: Mapping[str, Any], *, is_shift: bool) -> Text:
    value = cell["value"]
    if value is None:
        return Text("-")
    text = difference(value, digits=2) if is_shift else percentage(value)
    return Text(f"{text}*", "bold") if cell["stands_out"] else Text(text)


def _add_confusions(page: Page, rows: Sequence[Any]) -> None:
    """The pairs of categories that cause the most disorder."""
    if not rows:
        return
    page.add(Text("Categories that are taken for each other", "bold"))
    page.add()
    table = plain_table()
    table.add_column("category", overflow="fold")
    table.add_column("other category", overflow="fold")
    for header in ("pairs", "of", "disorder", ""):
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows[:SHOWN_ROWS]:
        table.add_row(
            Text(_category(row["category"])),
            Text(_category(row["other_category"])),
            Text(f"{row['pairs']:,}"),
            Text(f"{row['of']:,}"),
            Text(percentage(row["disorder"])),
            Text("*" if row["stands_out"] else ""),
        )
    page.add(table)
    page.add()
    if len(rows) > SHOWN_ROWS:
        page.line(f"{quantity(len(rows) - SHOWN_ROWS, 'more pair')} (--json has them all)", "dim")
        page.add()


def _add_categories(page: Page, rows: Sequence[Any]) -> None:
    if not any(row["category"] is not None for row in rows):
        return
    page.add(Text("Categories", "bold"))
    page.add()
    table = plain_table()
    table.add_column("category", overflow="fold")
    for header in ("units", "missed", "seen by\nnobody else", "boundaries", "split"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows[:SHOWN_ROWS]:
        cells = [Text(f"{row['units']:,}")]
        for habit in ("missed", "alone", "boundaries", "split"):
            cell = row[habit]
            shown = "-" if cell["value"] is None else percentage(cell["value"])
            if habit == "boundaries" and cell["value"] is not None:
                shown = number(cell["value"])
            cells.append(Text(f"{shown}*", "bold") if cell["stands_out"] else Text(shown))
        table.add_row(Text(_category(row["category"])), *cells)
    page.add(table)
    page.add()
    if len(rows) > SHOWN_ROWS:
        more = quantity(len(rows) - SHOWN_ROWS, "more category", "more categories")
        page.line(f"{more} (--json has them all)", "dim")
        page.add()


def _category(name: str | None) -> str:
    return NO_CATEGORY if name is None else visible(name)
