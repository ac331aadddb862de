# SPDX-License-Identifier: MIT
"""`unisono align`: which units are held to mark the same thing."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from unisono.cli.command_options import EscapeFormulas, Json, Paths, option
from unisono.cli.read_corpus import read
from unisono.cli.run import command, emit, page, say, search_code, usage, usage_errors
from unisono.cli.working import dissimilarity_of
from unisono.errors import CorpusError, Problem
from unisono.report import by_reason
from unisono.settings import AlignmentLimits, Comparing, Reading
from unisono.settings.parsing import parse_extent

if TYPE_CHECKING:
    from unisono import Alignment, CombinedDissimilarity, Corpus
    from unisono.model import Position
    from unisono.report.alignment_table import Row, Selection

_SHOWING = "What is shown"
_FIGURE = "Drawing"


class RowKind(StrEnum):
    """What a row of a table for other programs is."""

    unitary = "unitary"
    units = "units"


@command
def align(
    *,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write there: .csv, .tsv, .json or .parquet.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="table, csv, tsv, json or parquet, if the ending does not tell."),
    ] = None,
    rows: Annotated[
        RowKind, typer.Option(help="A row of CSV, TSV, Parquet: one for each unitary alignment, or for each unit.")
    ] = RowKind.unitary,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table: --to csv.")] = False,
    escape_formulas: EscapeFormulas = False,
    json: Json = False,
    disagreements: Annotated[
        bool, option(_SHOWING, "Only unitary alignments with disorder.", name="--disagreements")
    ] = False,
    kind: Annotated[
        list[str] | None,
        option(_SHOWING, "Only those that differ in this: position, category or missing; may be given again."),
    ] = None,
    worst: Annotated[
        bool,
        option(
            _SHOWING, "The greatest disorder first, not by place; what does not overlap comes later.", name="--worst"
        ),
    ] = False,
    document: Annotated[
        str | None, option(_SHOWING, "Only this document, the others are not aligned.", "NAME", name="--document")
    ] = None,
    draw: Annotated[bool, option(_FIGURE, "Draw the alignment in characters.", name="--draw")] = False,
    figure: Annotated[
        str | None, option(_FIGURE, "Draw it as a figure for a paper: .svg, .pdf or .png.", "FILE")
    ] = None,
    figure_width: Annotated[float, option(_FIGURE, "Width of the figure: 3.3 is a column.", "INCHES")] = 3.3,
    window: Annotated[
        str | None, option(_FIGURE, "The part of the continuum to draw; all of it if not given.", "START:END")
    ] = None,
    comparing: Comparing,
    limits: AlignmentLimits,
    paths: Paths,
    reading: Reading,
) -> int:
    """Find the best alignment: which units of the annotators are held to mark the same thing.

    Prints one row for each unitary alignment, with the unit of each annotator or - for none, and the proof that no
    alignment has less disorder.

    Exit codes: 0 fine; 1 the data cannot be read or aligned; 2 wrong usage; 3 a limit was reached; 130 interrupted.
    """
    from unisono.report.alignment_table import Selection

    format = _format(output, to, as_csv=as_csv, as_json=json, draw=draw)
    if escape_formulas and format not in ("csv", "tsv"):
        usage("--escape-formulas is for CSV and TSV")
    place = None if window is None else _parse_window(window)
    if place is not None and not (draw or figure):
        usage("--window is for --draw and --figure")
    selection = Selection(disagreements, _kinds(kind or []), worst)
    dissimilarity = dissimilarity_of(comparing)
    if figure is not None:
        from unisono.report.figure import check_figure

        with usage_errors():
            check_figure(figure, figure_width)
    corpus = read(paths, reading)
    fitted = dissimilarity.fitted(corpus)
    corpus = corpus if document is None else _select_document(corpus, document)
    alignments = _align_documents(corpus, fitted, limits)
    if figure is not None:
        _write_figure(alignments, figure, figure_width, place)
    if draw:
        _draw(alignments, place)
    if not draw and not (figure and format == "table" and output is None):
        shown = _rows(alignments, selection, fitted.feature)
        _show(corpus, fitted.signature, alignments, shown, format, output, rows, escape_formulas=escape_formulas)
    return search_code([name for name, alignment in alignments.items() if alignment.gap > 0])


def _format(output: str | None, to: str | None, *, as_csv: bool, as_json: bool, draw: bool) -> str:
    """The one format that the options ask for."""
    from unisono.report.tabular import FORMATS, format_of

    if as_csv and as_json:
        usage("--csv and --json exclude each other")
    short = "csv" if as_csv else "json" if as_json else None
    if to is not None and to not in ("table", *FORMATS):
        usage(f"{to!r} is not a valid value of --to. Choose one of: table, {', '.join(FORMATS)}.")
    if to is not None and short is not None and to != short:
        usage(f"--to {to} and --{short} exclude each other")
    asked = to or short
    if draw and (asked or output):
        usage("--draw prints a drawing and cannot be combined with another output")
    if asked is None and output is not None:
        with usage_errors():
            return format_of(output)
    if asked == "parquet" and output is None:
        usage("--to parquet needs a file to write: -o FILE")
    return asked or "table"


def _kinds(kinds: list[str]) -> tuple[str, ...]:
    from unisono.alignment.disagreements import KINDS

    for kind in kinds:
        if kind not in KINDS:
            usage(f"{kind!r} is not a valid value of --kind. Choose one of: {', '.join(KINDS)}.")
    return tuple(kinds)


def _parse_window(text: str) -> tuple[Position, Position]:
    """The part of the continuum that --window names."""
    try:
        start, end = parse_extent(text)
    except ValueError:
        usage(f"{text!r} is not a valid value of --window. Give START:END such as 0:1500.")
    if start >= end:
        usage(f"--window ends ({end}) before it starts ({start}), or is empty. Give an end after the start.")
    return start, end


def _align_documents(corpus: Corpus, fitted: CombinedDissimilarity, limits: AlignmentLimits) -> dict[str, Alignment]:
    """The alignment of each document that can be aligned; the others are listed on stderr."""
    import unisono

    alignments: dict[str, Alignment] = {}
    refused: list[Problem] = []
    for continuum in corpus:
        try:
            alignments[continuum.name] = unisono.best_alignment(
                continuum,
                fitted,
                effort=limits.effort,
                time_limit=limits.time_limit,
                memory_limit=limits.memory_limit,
            )
        except CorpusError as error:
            refused += error.problems
    if not alignments:
        raise CorpusError(refused)
    for line in by_reason((problem.where, f"needs {problem.expected}") for problem in refused):
        say(f"not aligned: {line}")
    return alignments


def _rows(alignments: dict[str, Alignment], selection: Selection, feature: str) -> list[Row]:
    """The unitary alignments that are shown, of all documents; the worst of all first, if the worst come first."""
    from unisono.report.alignment_table import rank_rows, rows

    shown = [row for name, alignment in alignments.items() for row in rows(name, alignment, selection, feature=feature)]
    return rank_rows(shown) if selection.worst_first else shown


def _show(
    corpus: Corpus,
    signature: str,
    alignments: dict[str, Alignment],
    shown: list[Row],
    format: str,
    output: str | None,
    rows: RowKind,
    *,
    escape_formulas: bool,
) -> None:
    from unisono.nouns import quantity
    from unisono.report import json_text
    from unisono.report.alignment_table import add_alignment, as_dict, by_unit, by_unitary_alignment
    from unisono.report.text_page import Page
    from unisono.whole_files import write_whole

    if format == "table":
        sheet = page() if output is None else Page()
        for name, alignment in alignments.items():
            add_alignment(sheet, name, alignment, [row for row in shown if row.document == name])
        text = str(sheet)
    elif format == "json":
        data = as_dict(alignments, shown, dissimilarity=signature)
        text = json_text(data | {"problems": [problem.to_dict() for problem in corpus.problems]})
    else:
        table = (by_unit if rows is RowKind.units else by_unitary_alignment)(alignments, shown)
        if output is not None:
            table.write(output, format, escape_formulas=escape_formulas)
        text = "" if format == "parquet" else table.text(format, escape_formulas=escape_formulas)
    if output is None:
        emit(text)
        return
    if format in ("table", "json"):
        write_whole(output, text if text.endswith("\n") else text + "\n")
    say(f"wrote {output}: {quantity(len(shown), 'unitary alignment')} of {quantity(len(alignments), 'document')}")


def _draw(alignments: dict[str, Alignment], window: tuple[Position, Position] | None) -> None:
    from unisono.report.character_drawing import add_drawing, signs_for

    sheet = page()
    signs = signs_for(getattr(sys.stdout, "encoding", None))
    for name, alignment in alignments.items():
        add_drawing(sheet, name, alignment, window=window, signs=signs)
    emit(str(sheet))


def _select_document(corpus: Corpus, name: str) -> Corpus:
    """The document of this name as a corpus; if there is none, a usage error that names some of the documents."""
    names = [continuum.name for continuum in corpus]
    if name not in names:
        more = ", ..." if len(names) > 5 else ""
        usage(f"there is no document called {name!r}; there are {', '.join(names[:5])}{more}")
    place = names.index(name)
    return corpus[place : place + 1]


def _write_figure(
    alignments: dict[str, Alignment], path: str, width: float, window: tuple[Position, Position] | None
) -> None:
    import unisono

    if len(alignments) > 1:
        raise CorpusError.of(
            f"a figure shows one document, and there are {len(alignments)}",
            "Name one with --document.",
            code="several-documents",
        )
    (alignment,) = alignments.values()
    unisono.draw_alignment(alignment, path, width=width, window=window)
    say(f"wrote {path}")
