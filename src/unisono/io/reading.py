# SPDX-License-Identifier: MIT
"""The way of the data: files -> tables -> rows -> continua, with every problem met on the way."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem, UnitError
from unisono.io.assemble import Units, continua, gather
from unisono.io.columns import UNITS, Columns, Schema, resolve
from unisono.io.delimited import KINDS, read_delimited
from unisono.io.documents import DOCUMENTS, DocumentExtent, read_documents
from unisono.io.formats import FORMATS, format_of
from unisono.io.jsonlines import read_jsonlines
from unisono.io.participation import PARTICIPATION, Participation, read_participation
from unisono.io.rows import UnitRows, unit_rows
from unisono.io.source import PARQUET, SIZE_LIMIT, check_encoding, decode, load
from unisono.io.table import Table, listing
from unisono.io.validation import counted, findings
from unisono.model import CATEGORY, Corpus, Extent, Position

_UNIT_CODES = frozenset({
    "not-a-number", "decimal-comma", "not-finite", "too-large", "missing-position", "missing-annotator",
    "missing-document", "end-before-start", "outside-extent",
})  # fmt: skip
_CORPUS_CODES = frozenset({"no-units"})


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a look at the input gives: the corpus unless an error stands in the way, every problem, a summary."""

    corpus: Corpus | None
    problems: tuple[Problem, ...]
    #: One sentence: format, annotators, documents, units, and the columns they were taken from.
    understood: str


@dataclass(frozen=True, slots=True)
class _Options:
    columns: Columns
    format: str | None
    encoding: str | None
    header: bool | None
    decimal: str
    size_limit: int


def read(
    paths: Any,
    *,
    columns: Columns | None = None,
    participation: Any = None,
    documents: Any = None,
    extent: tuple[Position, Position] | None = None,
    skip_invalid: bool = False,
    format: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    size_limit: int = SIZE_LIMIT,
) -> Corpus:
    """Read tables of units as a corpus; an InputError lists everything that is wrong.

    `paths` is a path, several, "-" for standard input, or a data frame. `participation` and `documents` are
    tables too: who saw what; extents and texts. `skip_invalid` leaves out the rows that cannot be read and says so
    in `Corpus.problems`. What is not given is found out: format, encoding (UTF-8 or by its mark), header, columns.
    """
    inspection = inspect(
        paths,
        columns=columns,
        participation=participation,
        documents=documents,
        extent=extent,
        skip_invalid=skip_invalid,
        format=format,
        encoding=encoding,
        header=header,
        decimal=decimal,
        size_limit=size_limit,
    )
    if inspection.corpus is None:
        raise _exception([problem for problem in inspection.problems if problem.severity == "error"])
    return inspection.corpus


def inspect(
    paths: Any,
    *,
    columns: Columns | None = None,
    participation: Any = None,
    documents: Any = None,
    extent: tuple[Position, Position] | None = None,
    skip_invalid: bool = False,
    format: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    size_limit: int = SIZE_LIMIT,
) -> Inspection:
    """Like `read`, but never raises on what the files hold: problems, and how the data were understood."""
    check_encoding(encoding)
    _check_options(format, decimal, extent, size_limit)
    options = _Options(columns or Columns(), format, encoding, header, decimal, size_limit)
    inputs = list(paths) if isinstance(paths, list | tuple | Iterator) else [paths]
    if not inputs:
        raise ParameterError.of("at least one path", "none", code="parameter")
    with _no_collection():
        return _inspected(inputs, options, participation, documents, extent, skip_invalid=skip_invalid)


@contextmanager
def _no_collection() -> Iterator[None]:
    """No garbage collection while millions of cells and rows are made: nothing here goes in circles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _inspected(
    inputs: Sequence[Any],
    options: _Options,
    participation: Any,
    documents: Any,
    extent: tuple[Position, Position] | None,
    *,
    skip_invalid: bool,
) -> Inspection:
    errors = _repeated_paths([*inputs, participation, documents])
    if errors:
        return Inspection(None, tuple(errors), _described([]))
    tables = _unit_tables(inputs, options, errors)
    # Options are about the units' table; the other two are found out on their own, but share the conventions.
    beside = replace(options, columns=Columns(), format=None, header=None)
    seen: Participation | None = None
    about: Mapping[str | None, DocumentExtent] = {}
    if participation is not None:
        try:
            seen = read_participation(_table(participation, PARTICIPATION, beside))
        except InputError as error:
            errors += error.problems
    if documents is not None:
        try:
            about = read_documents(_table(documents, DOCUMENTS, beside), decimal=options.decimal)
        except InputError as error:
            errors += error.problems
    if len(tables) == len(inputs):
        errors += _single_document(tables, seen, about)
    if errors:
        errors += [problem for rows in tables for problem in rows.table.faults.problems]
        return Inspection(None, tuple(errors), _described(tables))
    return _assembled(tables, seen, about, extent, skip_invalid=skip_invalid)


def _assembled(
    tables: Sequence[UnitRows],
    seen: Participation | None,
    about: Mapping[str | None, DocumentExtent],
    extent: tuple[Position, Position] | None,
    *,
    skip_invalid: bool,
) -> Inspection:
    def extent_of(name: str) -> tuple[Extent, str | None] | None:
        entry = about.get(name) or about.get(None)
        if entry is not None:
            return entry.extent, entry.text
        return None if extent is None else (Extent(*extent, "given"), None)

    for rows in tables:
        _check_inside(rows, extent_of)
    faults = [rows.table.faults for rows in tables]
    if any(fault.counts for fault in faults) and not skip_invalid:
        problems = [problem for fault in faults for problem in fault.problems]
        return Inspection(None, tuple(problems), _described(tables))
    skipped = [_skipped(rows.table) for rows in tables if rows.table.faults.counts]
    units = gather(tables, seen)
    where = tables[0].table.where if len(tables) == 1 else ""
    if len(units.starts) == 0:
        n_rows = sum(int((~fault.bad).sum()) for fault in faults)
        found = f"{counted(n_rows, 'row')} without start and end" if n_rows else "no row that can be used"
        problem = Problem("no-units", "error", where, "at least one unit", found, "is this the right file?")
        return Inspection(None, (problem, *skipped), _described(tables))
    named = {name: entry for name in units.documents if (entry := extent_of(name)) is not None}
    parts = continua(units, named)
    problems = [*skipped, *findings(units, parts, where), *_reading_notes(tables, units, about)]
    problems.sort(key=lambda problem: problem.severity != "warning")
    return Inspection(Corpus(parts, tuple(problems)), tuple(problems), _described(tables, units))


def _check_options(format: str | None, decimal: str, extent: tuple[Position, Position] | None, size_limit: int) -> None:
    if format is not None and format not in FORMATS:
        raise ParameterError.of(f"one of the formats {', '.join(FORMATS)}", repr(format), code="unknown-format")
    if decimal not in (".", ","):
        raise ParameterError.of("a point or a comma as the decimal sign", repr(decimal), code="parameter")
    if extent is not None and not (np.isfinite(extent).all() and extent[0] <= extent[1]):
        raise ParameterError.of("an extent that ends after it starts", f"{extent[0]}:{extent[1]}", code="parameter")
    if size_limit < 1:
        raise ParameterError.of("a size limit above zero", str(size_limit), code="parameter")


def _is_path(item: Any) -> bool:
    return isinstance(item, str | os.PathLike)


def _repeated_paths(items: Sequence[Any]) -> list[Problem]:
    known: set[str] = set()
    problems = []
    for path in (os.fspath(item) for item in items if _is_path(item)):
        # A path that no system takes is left to the opening of it to complain about.
        key = path if path == "-" or "\0" in path else os.path.realpath(path)
        if key in known:
            problems.append(
                Problem("repeated-path", "error", str(path), "each file once", "it again", "give it only once")
            )
        known.add(key)
    return problems


def _unit_tables(inputs: Sequence[Any], options: _Options, errors: list[Problem]) -> list[UnitRows]:
    tables = []
    for item in inputs:
        try:
            table = _table(item, UNITS, options)
            resolved = resolve(
                table.names,
                table.columns,
                has_header=table.has_header,
                schema=UNITS,
                given=options.columns,
                where=table.heading,
            )
            tables.append(unit_rows(table, resolved, decimal=options.decimal))
        except InputError as error:
            if isinstance(error, ParameterError):
                raise
            errors += error.problems
    return tables


def _table(item: Any, schema: Schema, options: _Options) -> Table:
    """One input as a table, whatever its format."""
    if not _is_path(item):
        from unisono.io.frame import read_frame

        return read_frame(item)
    source = load(item, size_limit=options.size_limit)
    wanted = options.format or format_of(source.suffix)
    if source.data.startswith(PARQUET) or wanted == "parquet":
        from unisono.io.parquet import read_parquet

        return read_parquet(source, size_limit=options.size_limit)
    text = decode(source, options.encoding)
    if wanted == "jsonl" or (wanted is None and text.lstrip()[0] in "{["):
        return read_jsonlines(text, where=source.where, stem=source.stem)
    # A file's ending is a hint for the separator, a format given by option an order.
    separators = tuple(KINDS)
    if options.format == "tsv":
        separators = ("\t",)
    elif options.format == "csv":
        separators = (",", ";", "|")
    elif wanted == "tsv":
        separators = ("\t", ",", ";", "|")
    return read_delimited(
        text,
        where=source.where,
        stem=source.stem,
        separators=separators,
        schema=schema,
        given=options.columns,
        header=options.header,
    )


def _single_document(
    tables: Sequence[UnitRows], seen: Participation | None, about: Mapping[str | None, DocumentExtent]
) -> Iterator[Problem]:
    """A table without a document column can only speak of a single document."""
    names = {label for rows in tables for label in rows.documents.labels}
    if len(names) <= 1:
        return
    places = [seen.table.where] if seen is not None and seen.documents is None else []
    places += [about[None].place] if None in about else []
    for place in places:
        yield Problem(
            "document-column",
            "error",
            place,
            "a column for document",
            f"{len(names)} documents and no such column",
            "add a column named document",
        )


def _check_inside(rows: UnitRows, extent_of: Any) -> None:
    table, documents = rows.table, rows.documents
    known = [extent_of(label) for label in documents.labels]
    if not any(known):
        return
    low = np.array([*(entry[0].start if entry else -np.inf for entry in known), -np.inf])
    high = np.array([*(entry[0].end if entry else np.inf for entry in known), np.inf])
    outside = (rows.starts < low[documents.codes]) | (rows.ends > high[documents.codes])
    outside &= rows.is_unit & ~table.faults.bad

    def describe(row: int) -> tuple[str, str, str, str]:
        name = documents.labels[documents.codes[row]]
        extent = extent_of(name)[0]
        return (
            table.place(row),
            f"a unit inside the extent [{extent.start}, {extent.end}) of {name}",
            f"start={rows.starts[row]}, end={rows.ends[row]}",
            "correct the unit or the extent",
        )

    table.faults.add("outside-extent", np.flatnonzero(outside).tolist(), describe)


def _skipped(table: Table) -> Problem:
    faults = table.faults
    n_rows = int(faults.bad.sum()) - faults.n_blank
    reasons = ", ".join(f"{count:,} {code}" for code, count in sorted(faults.counts.items()))
    return Problem(
        "skipped-rows",
        "warning",
        faults.problems[0].where,
        "rows that can be read",
        f"{counted(n_rows, 'row')} that cannot ({reasons})",
        "skipped",
    )


def _reading_notes(
    tables: Sequence[UnitRows], units: Units, about: Mapping[str | None, DocumentExtent]
) -> Iterator[Problem]:
    for rows in tables:
        yield from rows.notes
        if not rows.table.n_rows:
            yield Problem("no-rows", "warning", rows.table.where, "rows below the header", "none", "is it complete?")
    stems = [rows.table.stem for rows in tables if "document" not in rows.roles]
    shared = sorted({stem for stem in stems if stems.count(stem) > 1})
    if shared:
        yield Problem(
            "merged-documents",
            "note",
            "",
            "files of different names, or a column document",
            f"several files named {listing(shared, 3)}",
            "read as one document each",
        )
    strangers = sorted(name for name in about if name is not None and name not in set(units.documents))
    if strangers:
        place = min((about[name].place for name in strangers), key=len)
        yield Problem(
            "unused-documents",
            "note",
            place,
            "documents that somebody annotated",
            f"{counted(len(strangers), 'document')} without annotators ({listing(strangers, 3)})",
            "left out; list who saw them with --participation",
        )


def _described(tables: Sequence[UnitRows], units: Units | None = None) -> str:
    """The sentence that says how the input was understood."""
    if not tables:
        return "nothing understood"
    kinds = {
        f"{rows.table.kind} {'with' if rows.table.has_header else 'without'} header"
        if "CSV" in rows.table.kind or rows.table.kind == "TSV"
        else rows.table.kind
        for rows in tables
    }
    parts = [(f"{len(tables)} files, " if len(tables) > 1 else "") + " and ".join(sorted(kinds))]

    def source(role: str) -> str:
        names = {rows.table.called(rows.roles[role]) for rows in tables if role in rows.roles}
        return " or ".join(sorted(names))

    if units is None:
        roles = sorted({role for rows in tables for role in rows.roles})
        return "; ".join([*parts, *(f"{role} from {source(role)}" for role in roles)])
    annotators = f"{counted(len(units.annotators), 'annotator')} ({listing(units.annotators, 5)})"
    parts.append(f"{annotators} from {source('annotator')}")
    documents = counted(len(units.documents), "document")
    named = "named after the file" if len(tables) == 1 else "named after the files"
    parts.append(f"{documents} from {source('document')}" if source("document") else f"{documents} {named}")
    parts.append(counted(len(units.starts), "unit"))
    parts.append(f"category from {source(CATEGORY)}" if source(CATEGORY) else "no category")
    others = [name for name in units.features if name != CATEGORY]
    if others:
        parts.append(f"{'feature' if len(others) == 1 else 'features'} {listing(others, 5)}")
    parts.append("integer positions" if units.starts.dtype.kind == "i" else "decimal positions")
    return "; ".join(parts)


def _exception(problems: Sequence[Problem]) -> InputError:
    """The exception that fits all problems, the general one when they are of several kinds."""
    codes = {problem.code for problem in problems}
    if codes <= _UNIT_CODES:
        return UnitError(problems)
    if codes <= _CORPUS_CODES:
        return CorpusError(problems)
    if not codes & (_UNIT_CODES | _CORPUS_CODES):
        return FormatError(problems)
    return InputError(problems)
