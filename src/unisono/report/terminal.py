# SPDX-License-Identifier: MIT
"""Results as text: tables on a terminal; without colour and without a limit of width in a pipe or a string."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from unisono.errors import show_settings
from unisono.measures import MEASURES
from unisono.nouns import quantity
from unisono.report import NO_CATEGORY, by_reason, some, visible, without_numbers
from unisono.report.notation import PLAIN, bounds, count, difference, level_percent, number, plus_minus
from unisono.report.ranking import ORDER, has_few_units, rank_categories, rank_documents, units_by_category
from unisono.report.sentences import (
    COMPUTATION_ERROR,
    FROM_SAMPLES,
    INTERVAL_MEANINGS,
    NO_THRESHOLD,
    RAISE_EFFORT,
    SENSITIVITY,
    computation_error,
    interval_header,
    is_alarming,
    main_interval,
    not_proven,
    symbol,
)
from unisono.report.text_page import NAME_WIDTH, ROOM_FOR_REMARKS, Page, plain_table
from unisono.settings import option_name

if TYPE_CHECKING:
    from unisono.results import DocumentResult, MeasureValue, Result, Variation

#: How many documents a table lists before it only counts the rest.
SHOWN_DOCUMENTS = 20
#: How many names a reason lists before it only counts the rest.
SHOWN_NAMES = 5
#: More measures than this are shown in one table, without the documents.
FULL_MEASURES = 3
#: Words of names are not broken unless they are longer than this.
LONGEST_WORD = 60
_ERROR_COLUMN = "computation\nerror"


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

    rest: where to find the documents that the table leaves out.
    """
    _add_cautions(page, result)
    if len(result.measures) > FULL_MEASURES:
        _add_summary(page, result)
    for name, overall in result.measures.items():
        if len(result.measures) > FULL_MEASURES:
            break
        if overall.per_category and overall.value is None:
            _add_categories(page, result, name, overall.per_category)
            _add_explanation(page, name)
            continue
        _add_overall(page, result, name, overall)
        if overall.per_category:
            _add_categories(page, result, name, overall.per_category)
        if len(result.documents) > 1:
            _add_documents(page, result.documents, name, rest=None if all_documents else rest)
            _add_undefined(page, result.documents, name, all_documents=all_documents)
        _add_notes(page, [(document.name, document[name]) for document in result.documents])
        _add_explanation(page, name)
    if result.sensitivity is not None:
        _add_sensitivity(page, result.sensitivity)
    page.paragraph(NO_THRESHOLD, "dim")
    page.add()
    for problem in result.problems:
        if problem.code == "skipped-rows":
            page.paragraph(f"Measured without some rows: {visible(str(problem))}")
    page.line(f"Signature  {visible(result.signature)}")
    page.line(f"Seed       {result.seed}")
    page.line(f"Data       sha256 {result.data.sha256[:16]}…")


def _add_cautions(page: Page, result: Result) -> None:
    """What must be known before the values, one paragraph each."""
    for caution in result.cautions:
        page.paragraph(f"CAUTION: {visible(show_settings(caution.sentence))}", "bold")
    if result.cautions:
        page.add()


def _add_sensitivity(page: Page, rows: Sequence[Variation]) -> None:
    """γ with single choices made differently."""
    page.add(Text("How much do the choices matter?", "bold"))
    page.add()
    table = plain_table()
    table.add_column("choice", no_wrap=True)
    for header in ("γ", "computation error", "difference", "documents"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in rows:
        style = "bold" if row.setting is None else ""
        cells = [number(row.value), plus_minus(row.error), difference(row.difference), count(row.documents_measured)]
        table.add_row(Text(row.choice, style), *(Text(cell, style) for cell in cells))
    page.add(table)
    page.add()
    for row in rows:
        if row.reason is not None:
            page.paragraph(f"{row.choice}: {visible(row.reason)}.", indent="  ")
    page.paragraph(SENSITIVITY, "dim")
    page.add()


def _add_summary(page: Page, result: Result) -> None:
    """Many measures in one table: the value and its uncertainty; then those without a value, each reason once."""
    table = plain_table()
    table.add_column("measure", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column(interval_header(result.measures.values()), no_wrap=True)
    table.add_column("documents", justify="right", no_wrap=True)
    table.add_column("", overflow="fold", ratio=1)
    undefined = undefined_measures(result)
    without_value = {name for names in undefined.values() for name in names}
    for name, value in result.measures.items():
        if name in without_value:
            continue
        interval = main_interval(value)
        # A value that rests on a few documents must say so where it stands.
        remark = value.reason or "; ".join(value.left_out)
        if value.uncertainty_reason:
            remark = "; ".join(filter(None, [remark, f"uncertainty unknown: {value.uncertainty_reason}"]))
        if value.per_category and value.value is None:
            defined = {c: v.value for c, v in value.per_category.items() if v.value is not None}
            worst = next(iter(rank_categories(value.per_category, units_by_category(result))), None)
            remark = f"{remark}; worst: {_category(worst)} {number(defined[worst])}" if defined and remark else remark
        table.add_row(
            Text(name),
            Text(MEASURES[name].symbol if name in MEASURES else "", "dim"),
            Text(number(value.value), "bold"),
            Text("" if interval is None else bounds(interval)),
            Text(count(_n_measured(result, value))),
            Text(visible(remark), "dim"),
        )
    if table.row_count:
        page.add(table)
        page.add()
    if undefined:
        page.paragraph(f"{quantity(len(without_value), 'measure')} without a value:", "bold")
        for reason, names in undefined.items():
            page.paragraph(f"{', '.join(names)}: {visible(reason)}", indent="  ")
        page.add()


def undefined_measures(result: Result) -> dict[str, list[str]]:
    """The measures without any value by reason, in the order in which the reasons come up."""
    groups: dict[str, list[str]] = {}
    for name, value in result.measures.items():
        if value.value is None and not value.per_category:
            groups.setdefault(value.reason or "", []).append(name)
    return groups


def _n_measured(result: Result, value: MeasureValue) -> int:
    if value.documents_measured is not None:
        return value.documents_measured
    return result.data.documents if value.value is not None or value.per_category else 0


def _add_explanation(page: Page, name: str) -> None:
    if name in MEASURES:
        page.paragraph(f"{symbol(name)}: {MEASURES[name].explanation}", "dim")
        page.add()


def _add_overall(page: Page, result: Result, name: str, overall: MeasureValue) -> None:
    several = result.data.documents > 1
    title = Text.assemble((f"{symbol(name)} = {number(overall.value)}", "bold"))
    if several:
        measured = count(overall.documents_measured)
        title.append(f"  over {measured} of {quantity(result.data.documents, 'document')}")
    elif result.documents[0].name:
        title.append(f"  {visible(result.documents[0].name)}")
    if result.is_by_position(name):
        title.append("  positions only: the units have no category")
    page.add(title)
    if overall.value is None:
        page.paragraph(f"undefined: {visible(overall.reason or '')}", "bold")
    if not overall.is_proven:
        alarming = is_alarming(overall)
        alarm = "NOT PROVEN" if alarming else "Not proven"
        remedy = show_settings(f" {RAISE_EFFORT}", option_name) if alarming else ""
        page.paragraph(f"{alarm}: {not_proven(name, overall, PLAIN)}{remedy}", "bold red" if alarming else "")
    page.add()
    grid = Table.grid(padding=(0, 2, 0, 0))
    for label, value, remark in _facts(result, overall, several=several):
        # On a narrow page each remark would take several lines: they are left out.
        remarks = [Text(remark, "dim")] if page.width >= ROOM_FOR_REMARKS else []
        grid.add_row(Text("  " + label), Text(value), *remarks)
    page.add(grid)
    page.add()
    if overall.uncertainty_reason:
        page.paragraph(f"Uncertainty unknown: {visible(overall.uncertainty_reason)}.")
        page.add()


def _add_categories(page: Page, result: Result, name: str, values: Mapping[str | None, MeasureValue]) -> None:
    """One row for each category, those that cost most first; those without a value last, with the reason."""
    page.add(Text(f"{symbol(name)} by category", "bold"))
    page.add()
    defined = {category: value for category, value in values.items() if value.value is not None}
    units = units_by_category(result)
    ordered = rank_categories(defined, units)
    has_excess = any(value.contribution is not None for value in defined.values())
    table = plain_table()
    table.add_column("category", overflow="fold", min_width=12)
    has_intervals = any(main_interval(value) is not None for value in defined.values())
    has_samples = any(value.n_samples is not None for value in defined.values())
    several = result.data.documents > 1
    headers = [
        symbol(name),
        *([interval_header(defined.values())] if has_intervals else []),
        "observed",
        "expected",
        *(["samples", _ERROR_COLUMN] if has_samples else []),
        *(["excess"] if has_excess else []),
        *(["units"] if units else []),
        *(["documents"] if several else []),
    ]
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True, vertical="bottom")
    for category in ordered:
        value = defined[category]
        cells = [number(value.value)]
        if has_intervals:
            cells.append(bounds(main_interval(value)))
        cells += [number(value.observed), number(value.expected)]
        if has_samples:
            cells += [count(value.n_samples), plus_minus(computation_error(value))]
        if has_excess:
            cells.append(number(value.contribution, 2))
        if units:
            cells.append(count(units.get(category, 0)))
        if several:
            cells.append(count(value.documents_measured))
        style = "dim" if has_few_units(units.get(category)) else ""
        table.add_row(Text(_category(category), style), *(Text(cell, style) for cell in cells))
    if defined:
        page.add(table)
        if has_excess:
            page.paragraph(ORDER.format(one="category", symbol=symbol(name)), "dim")
        page.add()
    unknown = [(_category(c), defined[c].uncertainty_reason or "") for c in ordered if defined[c].uncertainty_reason]
    if unknown:
        page.line(f"Uncertainty unknown: {quantity(len(unknown), 'category', 'categories')}")
        for line in by_reason(unknown, SHOWN_DOCUMENTS):
            page.paragraph(line, indent="  ")
        page.add()
    undefined = [(_category(c), v) for c, v in values.items() if v.value is None]
    if undefined:
        page.line(f"Without a value: {quantity(len(undefined), 'category', 'categories')}")
        for line in group_reasons(undefined, SHOWN_NAMES, "category", "categories"):
            page.paragraph(line, indent="  ")
        page.add()


def _category(category: str | None) -> str:
    return NO_CATEGORY if category is None else visible(category)


def _facts(result: Result, overall: MeasureValue, *, several: bool) -> Iterable[tuple[str, str, str]]:
    """The numbers behind the overall value, each with an explanation."""
    interval = main_interval(overall)
    if interval is not None:
        yield f"{level_percent(interval.level)} interval", bounds(interval), INTERVAL_MEANINGS[interval.kind]
    if overall.range is not None:
        yield "guaranteed range", bounds(overall.range), "given these samples: not every alignment is proven"
    if overall.tied is not None:
        remark = f"over {quantity(overall.n_tied or 0, 'tied best alignment')}"
        yield "range over ties", bounds(overall.tied), remark
    if several and overall.mean_over_documents is not None:
        yield "mean over documents", number(overall.mean_over_documents), "every document weighted equally"
    by_alignment = overall.n_samples is not None
    if overall.observed is not None:
        what = "observed disorder" if by_alignment else "observed"
        yield (
            what,
            number(overall.observed),
            "of the annotators' best alignment" if by_alignment else "observed disagreement",
        )
    if overall.expected is not None:
        what = "expected disorder" if by_alignment else "expected"
        remark = "expected by chance: mean over the samples" if by_alignment else "disagreement expected by chance"
        yield what, number(overall.expected), remark
    if overall.n_samples is not None:
        more = f", and {count(overall.rough_samples)} more by a short search" if overall.rough_samples else ""
        yield "samples", count(overall.n_samples), f"random continua drawn{more}"
    error = computation_error(overall)
    if error is not None:
        yield COMPUTATION_ERROR, plus_minus(error), FROM_SAMPLES
    if overall.n_unitary_alignments is not None:
        yield "unitary alignments", count(overall.n_unitary_alignments), "groups of units that mark one thing"
    if overall.n_pairs_apart:
        share = f"of {count(overall.n_aligned_pairs)} aligned pairs of units"
        yield "pairs apart", count(overall.n_pairs_apart), f"{share} do not even overlap"
    names = ", ".join(visible(name) for document in result.documents[:1] for name in document.annotators)
    everywhere = f"in all {quantity(result.data.documents, 'document')}"
    yield "annotators", count(result.data.annotators), everywhere if several else names
    yield "units", count(result.data.units), everywhere if several else ""


def _add_documents(page: Page, documents: Sequence[DocumentResult], name: str, *, rest: str | None) -> None:
    """The table of documents, those that cost most first: all of them, or the first ones and where the `rest` is."""
    ranked = [documents[i] for i in rank_documents(documents, name)]
    measured = [document for document in ranked if document[name].value is not None]
    if not measured:
        return  # the reasons follow; a table without rows would say nothing
    shown = measured if rest is None else measured[:SHOWN_DOCUMENTS]
    columns = {
        symbol(name): [number(d[name].value) for d in shown],
        "observed": [number(d[name].observed) for d in shown],
        "expected": [number(d[name].expected) for d in shown],
        "samples": [count(d[name].n_samples) for d in shown],
        _ERROR_COLUMN: [plus_minus(computation_error(d[name])) for d in shown],
        "unitary\nalignments": [count(d[name].n_unitary_alignments) for d in shown],
        "annotators": [count(len(d.annotators)) for d in shown],
        "units": [count(d.n_units) for d in shown],
    }
    has_excess = any(document[name].contribution is not None for document in shown)
    if has_excess:
        columns["excess"] = [number(d[name].contribution, 2) for d in shown]
    if any(not document[name].is_proven for document in shown):
        columns["guaranteed"] = [
            "" if d[name].is_proven else bounds(d[name].range) if d[name].range else "not proven" for d in shown
        ]
    names = [visible(document.name) or "(no name)" for document in shown]
    # Where there is no room for all columns, these are dropped first; a line below the table says which.
    droppable = ("samples", "annotators", "unitary\nalignments", "units", "observed", "expected", _ERROR_COLUMN)
    dropped: list[str] = []
    kept = {column: cells for column, cells in columns.items() if column not in droppable}
    room = page.width - _width_of(kept)
    name_width = _name_width(names, room)
    for column in droppable:
        if name_width + _width_of(columns) <= page.width:
            break
        dropped.append(column.replace("\n", " "))
        del columns[column]
    styles = ["dim" if has_few_units(document.n_units) else "" for document in shown]
    page.add(_document_table(names, columns, styles, name_width))
    if len(shown) < len(measured):
        page.line(f"… and {count(len(measured) - len(shown))} more ({rest})")
    if has_excess:
        page.paragraph(ORDER.format(one="document", symbol=symbol(name)), "dim")
    if dropped:
        page.paragraph(f"No room for: {', '.join(dropped)} (widen the terminal, or use --json).", "dim")
    page.add()


def _add_undefined(page: Page, documents: Sequence[DocumentResult], name: str, *, all_documents: bool) -> None:
    undefined = [(document.name, document[name]) for document in documents if document[name].value is None]
    if not undefined:
        return
    page.line(f"Not measured: {quantity(len(undefined), 'document')}")
    for line in group_reasons(undefined, None if all_documents else SHOWN_NAMES, "document"):
        page.paragraph(line, indent="  ")
    page.add()


def group_reasons(
    values: Iterable[tuple[str, MeasureValue]], most: int | None, noun: str, plural: str | None = None
) -> Iterable[str]:
    """One line for each code of a reason: how many, the sentence of the first, their names.

    Reasons without a code are told apart by their sentences.
    """
    groups: dict[tuple[str | None, str], list[tuple[str, str]]] = {}
    for name, value in values:
        reason = visible(value.reason or "")
        key = value.reason_code, reason if value.reason_code == "unspecified" else ""
        groups.setdefault(key, []).append((visible(name) or "(no name)", reason))
    for group in groups.values():
        example = "" if len({reason for _, reason in group}) == 1 else "for example, "
        names = some([name for name, _ in group], most)
        how_many = "" if len(groups) == 1 else f"{quantity(len(group), noun, plural)}: "
        yield f"{how_many}{example}{group[0][1]}: {names}"


def _name_width(names: Sequence[str], room: int) -> int:
    """How wide the column of document names must be; longer names take several lines.

    They are broken between words, and within one only if there is no room for it beside the numbers.
    """
    least = min(NAME_WIDTH, max(map(cell_len, ["document", *names])))
    longest = max((cell_len(word) for name in names for word in name.split()), default=0)
    return max(least, longest) if longest <= min(room, LONGEST_WORD) else least


def _width_of(columns: dict[str, list[str]]) -> int:
    """The width of columns of numbers, which are never cut: two blanks before each."""
    widths = [max(map(len, [*key.split("\n"), *cells])) for key, cells in columns.items()]
    return sum(width + 2 for width in widths)


def _document_table(
    names: Sequence[str], columns: dict[str, list[str]], styles: Sequence[str], name_width: int
) -> Table:
    table = plain_table()
    table.add_column("document", overflow="fold", min_width=name_width, vertical="bottom")
    for key in columns:
        table.add_column(key, justify="right", no_wrap=True, vertical="bottom")
    for style, name, *cells in zip(styles, names, *columns.values(), strict=True):
        table.add_row(Text(name, style), *(Text(cell, style) for cell in cells))
    return table


def _add_notes(page: Page, values: Sequence[tuple[str, MeasureValue]]) -> None:
    """The notes of a measure; those that differ only in their numbers are shown once, with their documents."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for name, value in values:
        for note in value.notes:
            kinds.setdefault(without_numbers(note), []).append((visible(name) or "(no name)", visible(note)))
    for notes in kinds.values():
        name, note = notes[0]
        others = f", and similarly for {quantity(len(notes) - 1, 'other')}" if len(notes) > 1 else ""
        page.paragraph(f"Note: {note}" + (f" ({name}{others})" if len(values) > 1 else ""))
    if kinds:
        page.add()
