# SPDX-License-Identifier: MIT
"""Results as text: tables on a terminal, the same without colour and without a limit of width in a pipe or a string.

Names go through `visible` and into `Text` objects, never into markup: `[red]` in a name is shown as `[red]`.
"""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from unisono.measures import MEASURES
from unisono.report import alike, by_reason, counted, visible
from unisono.report.cells import bounds, count, number, plain_table

if TYPE_CHECKING:
    from unisono.results import DocumentResult, MeasureValue, Result

#: How many documents (or reasons, or notes) a table lists before it only counts the rest.
SHOWN_DOCUMENTS = 20
#: More measures than this are shown in one table, without the documents.
FULL_MEASURES = 3
#: Running text is not wider than this, however wide the terminal.
TEXT_WIDTH = 100
#: Document names are given at least this much before they are broken into lines.
NAME_WIDTH = 20
#: A narrower page shows the numbers without a word on each.
ROOM_FOR_REMARKS = 76
#: Width where nothing limits it: wider than any table, so that a pipe or a file gets every column whole.
UNLIMITED = 100_000

NO_THRESHOLD = (
    "No threshold for a good value holds everywhere: compare with values of the same kind of task, measured with the "
    "same parameters."
)


class Page:
    """Collects what is to be shown and turns it into one string, for a terminal or for anywhere else."""

    def __init__(self, *, width: int | None = None, colour: bool = False):
        self.width = width or UNLIMITED
        self._console = Console(
            file=StringIO(),
            width=self.width,
            force_terminal=colour,
            color_system="auto" if colour else None,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    @classmethod
    def for_stream(cls, stream: TextIO) -> Page:
        """A page as wide and colourful as the stream allows: plain unless it is a terminal and NO_COLOR is unset."""
        if not stream.isatty():
            return cls()
        return cls(width=shutil.get_terminal_size().columns, colour=not os.environ.get("NO_COLOR"))

    def add(self, item: RenderableType = "") -> None:
        self._console.print(item)

    def line(self, text: str, style: str = "") -> None:
        """One line, never broken: for what people copy."""
        self._console.print(Text(text, style), soft_wrap=True)

    def paragraph(self, text: str, style: str = "", *, indent: str = "") -> None:
        width = min(self.width, TEXT_WIDTH)
        hanging = indent and indent * 2
        self.line(
            textwrap.fill(text, width, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False),
            style,
        )

    def __str__(self) -> str:
        file = self._console.file
        assert isinstance(file, StringIO)
        return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def plain(result: Result) -> str:
    """What `print(result)` shows."""
    page = Page()
    add_result(page, result, rest="result.documents has them all")
    return str(page).rstrip("\n")


def add_result(
    page: Page,
    result: Result,
    *,
    all_documents: bool = False,
    rest: str = "--all-documents lists them, --json has them all",
) -> None:
    """The result of `measure`: each measure overall, then by document, then how to read it and how to cite it.

    rest: where the documents are that the table has no room for.
    """
    if len(result.measures) > FULL_MEASURES:
        _add_summary(page, result)
    for name, overall in result.measures.items():
        if len(result.measures) > FULL_MEASURES:
            break
        symbol = MEASURES[name].symbol if name in MEASURES else name
        if overall.per_category and overall.value is None:
            _add_categories(page, result, symbol, overall.per_category)
            _add_meaning(page, name, symbol)
            continue
        _add_overall(page, result, symbol, overall)
        if overall.per_category:
            _add_categories(page, result, symbol, overall.per_category)
        if len(result.documents) > 1:
            _add_documents(page, result.documents, name, symbol, rest=None if all_documents else rest)
            _add_unmeasured(page, result.documents, name, all_documents=all_documents)
        _add_notes(page, [(document.name, document[name]) for document in result.documents])
        _add_meaning(page, name, symbol)
    page.paragraph(NO_THRESHOLD, "dim")
    page.add()
    for problem in result.problems:
        if problem.code == "skipped-rows":
            page.paragraph(f"Measured without some rows: {visible(str(problem))}")
    page.line(f"Signature  {visible(result.signature)}")
    page.line(f"Seed       {result.seed}")
    page.line(f"Data       sha256 {result.data.sha256[:16]}…")


def _add_summary(page: Page, result: Result) -> None:
    """Many measures in one table: the value, its interval where there is one, or what it needs."""
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("interval", no_wrap=True)
    table.add_column("documents", justify="right", no_wrap=True)
    table.add_column("", overflow="fold", ratio=1)
    for name, value in result.measures.items():
        interval = next(iter(value.intervals.values()), None)
        # A value that rests on a few documents must say so where it stands.
        remark = value.reason or "; ".join(note for note in value.notes if "left out" in note)
        if value.per_category and value.value is None:
            defined = {c: v.value for c, v in value.per_category.items() if v.value is not None}
            worst = min(defined, key=lambda c: defined[c], default=None)
            remark = f"{remark}; lowest: {_category(worst)} {number(defined[worst])}" if defined and remark else remark
        table.add_row(
            Text(name),
            Text(MEASURES[name].symbol if name in MEASURES else "", "dim"),
            Text(number(value.value), "bold"),
            Text("" if interval is None else f"{bounds(interval.low, interval.high)} ({interval.kind})"),
            Text(count(_n_measured(result, value))),
            Text(visible(remark), "dim"),
        )
    page.add(table)
    page.add()


def _n_measured(result: Result, value: MeasureValue) -> int:
    if value.documents_measured is not None:
        return value.documents_measured
    return len(result.documents) if value.value is not None or value.per_category else 0


def _add_meaning(page: Page, name: str, symbol: str) -> None:
    if name in MEASURES:
        page.paragraph(f"{symbol}: {MEASURES[name].explanation}", "dim")
        page.add()


def _add_overall(page: Page, result: Result, symbol: str, overall: MeasureValue) -> None:
    several = len(result.documents) > 1
    title = Text.assemble((f"{symbol} = {number(overall.value)}", "bold"))
    if several:
        measured = count(overall.documents_measured)
        title.append(f"  over {measured} of {counted(len(result.documents), 'document')}")
    elif result.documents[0].name:
        title.append(f"  {visible(result.documents[0].name)}")
    page.add(title)
    if overall.value is None:
        page.paragraph(f"undefined: {visible(overall.reason or '')}", "bold")
    _add_gap_warning(page, symbol, overall)
    page.add()
    grid = Table.grid(padding=(0, 2, 0, 0))
    for label, value, remark in _facts(result, overall, several=several):
        # The remarks are for the eye; where each would take several lines they are left out.
        remarks = [Text(remark, "dim")] if page.width >= ROOM_FOR_REMARKS else []
        grid.add_row(Text("  " + label), Text(value), *remarks)
    page.add(grid)
    page.add()


def _add_categories(page: Page, result: Result, symbol: str, values: Mapping[str | None, MeasureValue]) -> None:
    """One row for each category, the least reliable first; those without a value last, with the reason."""
    page.add(Text(f"{symbol} by category", "bold"))
    page.add()
    defined = {category: value for category, value in values.items() if value.value is not None}
    ordered = sorted(defined, key=lambda category: defined[category].value or 0.0)
    level = next((i.level for v in defined.values() for i in v.intervals.values()), 0.95)
    table = plain_table()
    table.add_column("category", overflow="fold", min_width=12)
    headers = [symbol, f"{100 * level:g} % interval", "observed", "expected", "samples"]
    several = len(result.documents) > 1
    for header in [*headers, "documents"] if several else headers:
        table.add_column(header, justify="right", no_wrap=True)
    for category in ordered:
        value = defined[category]
        chance = value.intervals.get("chance")
        cells = [
            number(value.value),
            bounds(chance.low, chance.high) if chance else "-",
            number(value.observed),
            number(value.expected),
            count(value.n_samples),
        ]
        if several:
            cells.append(count(value.documents_measured))
        table.add_row(Text(_category(category)), *(Text(cell) for cell in cells))
    if defined:
        page.add(table)
        page.add()
    undefined = [(_category(c), v.reason or "") for c, v in values.items() if v.value is None]
    if undefined:
        page.line(f"Without a value: {counted(len(undefined), 'category', 'categories')}")
        for line in by_reason(undefined, SHOWN_DOCUMENTS):
            page.paragraph(line, indent="  ")
        page.add()


def _category(category: str | None) -> str:
    return "(no category)" if category is None else visible(category)


def _facts(result: Result, overall: MeasureValue, *, several: bool) -> Iterable[tuple[str, str, str]]:
    """The numbers behind the overall value, each with a word on what it is."""
    chance = overall.intervals.get("chance")
    if chance is not None:
        yield (
            f"{100 * chance.level:g} % chance interval",
            bounds(chance.low, chance.high),
            "what the number of samples leaves open",
        )
    for kind, remark in (
        ("documents", "had other documents been annotated"),
        ("stretches", "had other stretches been annotated"),
    ):
        if kind in overall.intervals:
            interval = overall.intervals[kind]
            yield f"{100 * interval.level:g} % {kind} interval", bounds(interval.low, interval.high), remark
    if overall.tied is not None:
        remark = f"over {counted(overall.n_tied or 0, 'tied best alignment')}"
        yield "range over ties", bounds(*overall.tied), remark
    if several and overall.mean_over_documents is not None:
        yield "mean over documents", number(overall.mean_over_documents), "every document counted alike"
    by_alignment = overall.n_samples is not None
    if overall.observed is not None:
        what = "observed disorder" if by_alignment else "observed"
        yield (
            what,
            number(overall.observed),
            "of the annotators' best alignment" if by_alignment else "disagreement found",
        )
    if overall.expected is not None:
        what = "expected disorder" if by_alignment else "expected"
        remark = "what chance would give: mean of samples" if by_alignment else "disagreement by chance"
        yield what, number(overall.expected), remark
    if overall.n_samples is not None:
        yield "samples", count(overall.n_samples), "random continua drawn"
    if overall.n_unitary_alignments is not None:
        yield "unitary alignments", count(overall.n_unitary_alignments), "groups of units that mark one thing"
    if overall.n_pairs_apart:
        share = f"of {count(overall.n_aligned_pairs)} aligned pairs of units"
        yield "pairs apart", count(overall.n_pairs_apart), f"{share} do not even overlap"
    names = ", ".join(visible(name) for name in result.documents[0].annotators)
    everywhere = f"in all {counted(len(result.documents), 'document')}"
    yield "annotators", count(result.data.annotators), everywhere if several else names
    yield "units", count(result.data.units), everywhere if several else ""


def _add_gap_warning(page: Page, symbol: str, value: MeasureValue) -> None:
    """A limit stopped the search: say so before anybody reads the number."""
    if value.is_proven:
        return
    gap = value.gap or 0.0
    text = f"NOT PROVEN: a limit stopped the search for the best alignment. Disorders may be {100 * gap:.3g} % too high"
    if value.observed is not None and value.expected and gap < 1:
        low = number(1 - value.observed / (value.expected * (1 - gap)))
        high = number(1 - value.observed * (1 - gap) / value.expected)
        text += f": {symbol} " + (
            f"stays {low} to the digits shown" if low == high else f"may be anything from {low} to {high}"
        )
    page.paragraph(text + ". Give it more time or memory.", "bold red")


def _add_documents(
    page: Page, documents: Sequence[DocumentResult], name: str, symbol: str, *, rest: str | None
) -> None:
    """The table of documents: all of them, or the first and a word on where the `rest` is."""
    measured = [document for document in documents if document[name].value is not None]
    shown = measured if rest is None else measured[:SHOWN_DOCUMENTS]
    level = next((v.level for d in measured for v in d[name].intervals.values()), 0.95)
    interval = f"{100 * level:g} % interval"
    columns = {
        symbol: [number(d[name].value) for d in shown],
        interval: [bounds(i.low, i.high) if (i := d[name].intervals.get("chance")) else "-" for d in shown],
        "observed": [number(d[name].observed) for d in shown],
        "expected": [number(d[name].expected) for d in shown],
        "samples": [count(d[name].n_samples) for d in shown],
        "unitary\nalignments": [count(d[name].n_unitary_alignments) for d in shown],
        "annotators": [count(len(d.annotators)) for d in shown],
        "units": [count(d.n_units) for d in shown],
    }
    if any(not document[name].is_proven for document in shown):
        columns["gap"] = [f"{100 * (d[name].gap or 0):.3g} %" for d in shown]
    names = [visible(document.name) or "(no name)" for document in shown]
    # Where there is no room for all columns, these go first; the line below the table says so.
    spares = ("samples", "annotators", "unitary\nalignments", "units", "observed", "expected", interval)
    dropped: list[str] = []
    for spare in spares:
        if _narrowest(names, columns) <= page.width:
            break
        dropped.append(spare.replace("\n", " "))
        del columns[spare]
    page.add(_document_table(names, columns))
    if len(shown) < len(measured):
        page.line(f"… and {count(len(measured) - len(shown))} more ({rest})")
    if dropped:
        page.paragraph(f"No room for: {', '.join(dropped)} (widen the terminal, or use --json).", "dim")
    page.add()


def _add_unmeasured(page: Page, documents: Sequence[DocumentResult], name: str, *, all_documents: bool) -> None:
    unmeasured = [
        (document.name, document[name].reason or "") for document in documents if document[name].value is None
    ]
    if not unmeasured:
        return
    page.line(f"Not measured: {counted(len(unmeasured), 'document')}")
    for line in by_reason(unmeasured, None if all_documents else SHOWN_DOCUMENTS):
        page.paragraph(line, indent="  ")
    page.add()


def _name_width(names: Sequence[str]) -> int:
    """How wide the column of document names must be; longer names take several lines."""
    return min(NAME_WIDTH, max(map(cell_len, ["document", *names])))


def _narrowest(names: Sequence[str], columns: dict[str, list[str]]) -> int:
    """The least width of the table: two blanks between columns, numbers never cut."""
    widths = [max(map(len, [*key.split("\n"), *cells])) for key, cells in columns.items()]
    return _name_width(names) + sum(width + 2 for width in widths)


def _document_table(names: Sequence[str], columns: dict[str, list[str]]) -> Table:
    table = plain_table()
    table.add_column("document", overflow="fold", min_width=_name_width(names), vertical="bottom")
    for key in columns:
        table.add_column(key, justify="right", no_wrap=True, vertical="bottom")
    for name, *cells in zip(names, *columns.values(), strict=True):
        table.add_row(Text(name), *(Text(cell) for cell in cells))
    return table


def _add_notes(page: Page, values: Sequence[tuple[str, MeasureValue]]) -> None:
    """What the measure noticed, notes that differ only by their numbers once, with the documents they concern."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for name, value in values:
        for note in value.notes:
            kinds.setdefault(alike(note), []).append((visible(name) or "(no name)", visible(note)))
    for notes in kinds.values():
        name, note = notes[0]
        others = f", and alike for {counted(len(notes) - 1, 'other')}" if len(notes) > 1 else ""
        page.paragraph(f"Note: {note}" + (f" ({name}{others})" if len(values) > 1 else ""))
    if kinds:
        page.add()


def add_rows(page: Page, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A plain table of names, for the lists of measures and formats."""
    table = plain_table()
    for column, key in enumerate(header):
        table.add_column(key, no_wrap=column == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    page.add(table)
