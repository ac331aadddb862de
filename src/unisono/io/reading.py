# SPDX-License-Identifier: MIT
"""The way of the data: files -> records -> rows -> continua, with every problem met on the way."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Unpack, cast

import numpy as np

from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem, UnitError
from unisono.io import tables
from unisono.io.arrange import arranged
from unisono.io.arrangement import Arranged, UnitRows
from unisono.io.assemble import Units, continua, gather
from unisono.io.columns import UNITS, UNITS_OF_ONE, Columns
from unisono.io.contents import Contents, contents_of
from unisono.io.documents import DOCUMENTS, DocumentExtent, read_documents
from unisono.io.encoding import check_encoding
from unisono.io.files import FILE_LIMIT, NESTING_LIMIT, SIZE_LIMIT, Limits, NamedFiles, files_of
from unisono.io.finding import read_input
from unisono.io.formats import FORMATS
from unisono.io.layout import Layout, LayoutOptions
from unisono.io.maps import category_map
from unisono.io.participation import PARTICIPATION, Participation, read_participation
from unisono.io.pyannote import is_pyannote, read_pyannote
from unisono.io.record import Record
from unisono.io.settings import Settings
from unisono.io.table import Table, listing
from unisono.io.validation import counted, findings
from unisono.io.words import described
from unisono.model import Corpus, Extent, Position

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
    #: One sentence: format, annotators, documents, units, and where they were taken from.
    understood: str
    #: What the files offer to choose from: layers, features, fields.
    contents: Contents = field(default_factory=Contents)


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
    file_limit: int = FILE_LIMIT,
    nesting_limit: int = NESTING_LIMIT,
    curation: bool = False,
    **layout: Unpack[LayoutOptions],
) -> Corpus:
    """Read annotations as a corpus; an InputError lists everything that is wrong.

    `paths` is a path (a file, a folder, a zip archive), several, "-" for standard input, a data frame, or
    annotations of pyannote by annotator.
    `participation` and `documents` are tables: who saw what; extents and texts. `skip_invalid` leaves out what cannot
    be read and says so in `Corpus.problems`. What is not given is found out: format, encoding (UTF-8 or by its mark),
    header, columns. `curation` reads the curated documents of an INCEpTION export too. The other arguments are those
    of `Layout`: `annotator_from="parent"`, `layer="NamedEntity"`, ...
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
        file_limit=file_limit,
        nesting_limit=nesting_limit,
        curation=curation,
        **layout,
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
    file_limit: int = FILE_LIMIT,
    nesting_limit: int = NESTING_LIMIT,
    curation: bool = False,
    **layout: Unpack[LayoutOptions],
) -> Inspection:
    """Like `read`, but never raises on what the files hold: problems, and how the data were understood."""
    check_encoding(encoding)
    _check_options(format, decimal, extent)
    limits = Limits(size_limit, file_limit, nesting_limit)
    arrangement = _layout(layout, limits)
    schema = UNITS if arrangement.annotator_from is None else UNITS_OF_ONE
    settings = Settings(format, encoding, limits, curation, columns or Columns(), header, decimal, schema)
    with _no_collection():
        return _inspected(
            _inputs(paths), settings, arrangement, participation, documents, extent, skip_invalid=skip_invalid
        )


def arranged_input(
    paths: Any,
    *,
    format: str | None = None,
    encoding: str | None = None,
    size_limit: int = SIZE_LIMIT,
    **layout: Unpack[LayoutOptions],
) -> tuple[list[Record], Arranged]:
    """The way as far as rows with a document and an annotator: for what is no continuum; an InputError if it fails."""
    check_encoding(encoding)
    _check_options(format, ".", None)
    limits = Limits(size=size_limit)
    errors: list[Problem] = []
    notes: list[Problem] = []
    with _no_collection():
        records = _records(_inputs(paths), Settings(format, encoding, limits), errors, notes)
        if errors:
            raise _exception(errors)
        found = arranged(records, _layout(layout, limits))
    found.notes += notes
    return records, found


def _layout(options: LayoutOptions, limits: Limits) -> Layout:
    return Layout(**cast("Any", {**options, "category_map": category_map(options.get("category_map") or {}, limits)}))


def _inputs(paths: Any) -> list[Any]:
    inputs = list(paths) if isinstance(paths, list | tuple | Iterator) else [paths]
    if not inputs:
        raise ParameterError.of("at least one path", "none", code="parameter")
    return inputs


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
    settings: Settings,
    layout: Layout,
    participation: Any,
    documents: Any,
    extent: tuple[Position, Position] | None,
    *,
    skip_invalid: bool,
) -> Inspection:
    errors = _repeated_paths([*inputs, participation, documents])
    if errors:
        return Inspection(None, tuple(errors), described([]))
    notes: list[Problem] = []
    records = _records(inputs, settings, errors, notes)
    # Options are about the units' table; the other two are found out on their own, but share the conventions.
    beside = replace(settings, columns=Columns(), format=None, header=None)
    seen: Participation | None = None
    about: Mapping[str | None, DocumentExtent] = {}
    if participation is not None:
        try:
            seen = read_participation(_table(participation, replace(beside, schema=PARTICIPATION)))
        except InputError as error:
            errors += error.problems
    if documents is not None:
        try:
            about = read_documents(_table(documents, replace(beside, schema=DOCUMENTS)), decimal=settings.decimal)
        except InputError as error:
            errors += error.problems
    found: Arranged | None = None
    if records:
        try:
            found = arranged(records, layout)
        except InputError as error:
            errors += error.problems
    if found is not None and not errors:
        errors += _single_document(found.rows, seen, about)
    if errors or found is None:
        errors += [problem for record in records for problem in record.faults.problems]
        return Inspection(None, tuple(errors), described(records), contents_of(records))
    found.notes += notes
    return _assembled(records, found, seen, about, extent, skip_invalid=skip_invalid)


def _records(inputs: Sequence[Any], settings: Settings, errors: list[Problem], notes: list[Problem]) -> list[Record]:
    """The records of all inputs; what is wrong with single files goes to `errors`."""
    records: list[Record] = []
    for item in inputs:
        try:
            if _is_path(item):
                records += read_input(item, settings, errors, notes)
            elif is_pyannote(item):
                records.append(read_pyannote(item))
            else:
                records.append(tables.read_frame(item, settings))
        except InputError as error:
            if isinstance(error, ParameterError):
                raise
            errors += error.problems
    return records


def _assembled(
    records: Sequence[Record],
    found: Arranged,
    seen: Participation | None,
    about: Mapping[str | None, DocumentExtent],
    extent: tuple[Position, Position] | None,
    *,
    skip_invalid: bool,
) -> Inspection:
    def extent_of(name: str) -> tuple[Extent, str | None] | None:
        """The documents table goes first, then the option, then what the file itself says."""
        entry = about.get(name) or about.get(None)
        own = found.extents.get(name)
        if entry is not None:
            return entry.extent, entry.text or (own and own[1])
        if extent is not None:
            return Extent(*extent, "given"), own and own[1]
        return own

    for rows in found.rows:
        _check_inside(rows, extent_of)
    faults = [record.faults for record in records]
    if any(fault.counts for fault in faults) and not skip_invalid:
        problems = [problem for fault in faults for problem in fault.problems]
        return Inspection(None, tuple(problems), described(records), contents_of(records))
    skipped = [_skipped(record) for record in records if record.faults.counts]
    units = gather(found.rows, seen)
    where = records[0].where if len(records) == 1 else ""
    if len(units.starts) == 0:
        n_rows = sum(int((~rows.bad).sum()) for rows in found.rows)
        what = f"{counted(n_rows, 'row')} without start and end" if n_rows else "no row that can be used"
        problem = Problem("no-units", "error", where, "at least one unit", what, "is this the right file?")
        told = (note for record in records for note in record.notes)
        return Inspection(None, (problem, *skipped, *told), described(records), contents_of(records))
    named = {name: entry for name in units.documents if (entry := extent_of(name)) is not None}
    parts = continua(units, named)
    problems = [*skipped, *findings(units, parts, where), *_reading_notes(records, found, units, about)]
    problems.sort(key=lambda problem: problem.severity != "warning")
    understood = described(records, found, units)
    return Inspection(Corpus(parts, tuple(problems)), tuple(problems), understood, contents_of(records, found))


def _check_options(format: str | None, decimal: str, extent: tuple[Position, Position] | None) -> None:
    if format is not None and format not in FORMATS:
        raise ParameterError.of(
            "the name of a format", repr(format), "unisono formats lists them", code="unknown-format"
        )
    if decimal not in (".", ","):
        raise ParameterError.of("a point or a comma as the decimal sign", repr(decimal), code="parameter")
    if extent is not None and not (np.isfinite(extent).all() and extent[0] <= extent[1]):
        raise ParameterError.of("an extent that ends after it starts", f"{extent[0]}:{extent[1]}", code="parameter")


def _is_path(item: Any) -> bool:
    return isinstance(item, str | os.PathLike | NamedFiles)


def _repeated_paths(items: Sequence[Any]) -> list[Problem]:
    known: set[str] = set()
    problems = []
    for path in (os.fspath(item) for item in items if isinstance(item, str | os.PathLike)):
        # A path that no system takes is left to the opening of it to complain about.
        key = path if path == "-" or "\0" in path else os.path.realpath(path)
        if key in known:
            problems.append(
                Problem("repeated-path", "error", str(path), "each file once", "it again", "give it only once")
            )
        known.add(key)
    return problems


def _table(item: Any, settings: Settings) -> Table:
    """A table beside the units."""
    if not _is_path(item):
        from unisono.io.frame import read_frame

        return read_frame(item)
    files = list(files_of(item, settings.limits))
    if len(files) > 1:
        raise FormatError.of("one table", f"{len(files)} files", "give one of them", where=str(item), code="directory")
    return tables.table(files[0], settings)


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
    documents = rows.documents
    known = [extent_of(label) for label in documents.labels]
    if not any(known):
        return
    low = np.array([*(entry[0].start if entry else -np.inf for entry in known), -np.inf])
    high = np.array([*(entry[0].end if entry else np.inf for entry in known), np.inf])
    outside = (rows.starts < low[documents.codes]) | (rows.ends > high[documents.codes])
    outside &= rows.is_unit & ~rows.bad
    index = {int(rows.origin[row]): row for row in np.flatnonzero(outside)[::-1].tolist()}

    def describe(origin: int) -> tuple[str, str, str, str]:
        row = index[origin]
        name = documents.labels[documents.codes[row]]
        extent = extent_of(name)[0]
        return (
            rows.place(row),
            f"a unit inside the extent [{extent.start}, {extent.end}) of {name}",
            f"start={rows.starts[row]}, end={rows.ends[row]}",
            "correct the unit or the extent",
        )

    rows.record.faults.add("outside-extent", sorted(index), describe)


def _skipped(record: Record) -> Problem:
    faults = record.faults
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
    records: Sequence[Record], found: Arranged, units: Units, about: Mapping[str | None, DocumentExtent]
) -> Iterator[Problem]:
    yield from found.notes
    for record in records:
        yield from record.notes
        if not record.n_rows:
            yield Problem("no-rows", "warning", record.where, "rows below the header", "none", "is it complete?")
    if found.n_discontinuous:
        yield Problem(
            "discontinuous-units",
            "note",
            "",
            "units of one piece",
            counted(found.n_discontinuous, "discontinuous unit"),
            f"read as {found.discontinuous}; --discontinuous hull, pieces or skip",
        )
    stems = [record.stem for record in records if record.annotators is not None and record.documents is None]
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
