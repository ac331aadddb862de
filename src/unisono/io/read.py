# SPDX-License-Identifier: MIT
"""`read`, `inspect` and `as_corpus`: from files to records, rows and continua, with every problem on the way."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem, UnitError
from unisono.io.anonymous import anonymise, hide_names, hiding, key_of
from unisono.io.assemble import Shape, join_rows, make_continua
from unisono.io.checks.findings import findings
from unisono.io.contents import Contents, list_contents
from unisono.io.describe import describe_corpus, describe_input
from unisono.io.files.search import keep_stdin
from unisono.io.inputs import collect_records, corpus_in_memory, list_inputs, read_single_table, repeated_paths
from unisono.io.layout.apply import apply_layout
from unisono.io.layout.result import LayoutResult
from unisono.io.options import Settings
from unisono.io.own_texts import BASE, add_own_texts, find_bases
from unisono.io.percent_names import match_encoded_names
from unisono.io.positions import clip_to_extents, position_findings, shift_positions, time_units
from unisono.io.reading_options import ReadingKeywords, ReadingPlan, plan_reading, show_keywords
from unisono.io.record import Record
from unisono.io.row_checks import (
    check_inside,
    check_lengths,
    no_units,
    reading_notes,
    skipped_rows,
    tables_without_documents,
)
from unisono.io.selection import Selection, select_rows
from unisono.io.tables.column_roles import UNITS, UNITS_OF_ONE, Columns
from unisono.io.tables.documents_table import DOCUMENTS, DocumentExtent, read_documents
from unisono.io.tables.participation_table import PARTICIPATION, Participation, read_participation
from unisono.io.tables.questions import join_questions
from unisono.io.tables.unit_table import number_style
from unisono.io.version_files import are_version_files, collect_versions
from unisono.io.wording import listing
from unisono.model import Corpus, Extent
from unisono.model.versions import Version

_UNIT_CODES = frozenset({
    "not-a-number", "decimal-comma", "not-finite", "too-large", "missing-position", "missing-annotator",
    "missing-document", "end-before-start", "outside-extent",
})  # fmt: skip
_CORPUS_CODES = frozenset({"no-units"})
#: Problems that a table has, among others, if it has no column for the annotator.
_COLUMN_CODES = frozenset({"unknown-column", "ambiguous-columns"})


@dataclass(frozen=True, slots=True)
class Inspection:
    """The result of inspecting an input: the corpus unless an error prevents it, every problem, a summary."""

    corpus: Corpus | None
    problems: tuple[Problem, ...]
    #: One sentence: format, annotators, documents, units, and where they were taken from.
    understood: str
    #: What the files offer to choose from: layers, features, fields.
    contents: Contents = field(default_factory=Contents)


def read(paths: Any, **options: Unpack[ReadingKeywords]) -> Corpus:
    """Read annotations as a corpus; an InputError lists everything that is wrong.

    `paths` is one of
    - a path (a file, a folder, a zip archive) or "-" for standard input,
    - a data frame,
    - several of these in a list,
    - `{annotator: path}` or `{annotator: frame}`, also with lists of them; `{annotator: annotation}` of pyannote,
    - `{document: {annotator: [(start, end, category), ...]}}`, or `{annotator: [...]}` for one document,
    - a Corpus or Continuum, which is returned as a Corpus.

    `participation` and `documents` are tables: who saw what; extents and texts. `columns` says which column has which
    role: `{"annotator": "who"}`; so do `annotator_column="who"` and the like. `skip_invalid` leaves out rows that
    cannot be read and reports them in `Corpus.problems`. Format, encoding (UTF-8 or by its byte order mark), header and
    columns are recognised where they are not given. `curation` also reads the curated documents of an INCEpTION export,
    `predictions` those of models, as annotators. `no_category` and `one_document` answer the questions about columns
    that are left over. `time_unit` ("ms", "s", "frames"), `fps`, `thousands`, `inclusive_ends` and `one_based` say how
    positions are written; `sheet` names the sheet of an Excel file.

    For text-γ: `versions` says that each file is one annotator's version of a text, whose name is the annotator's;
    `base` is the pre-annotation that the annotators started from. `text_from` (utf, trans, simple or ascii),
    `split_symbol` and `merge_symbol` are for CorA-XML, `sentences` and `token_columns` for files of tokens. Wherever
    the annotators' texts differ, the continua have them as their `versions`.
    The other arguments are those of `Layout`: `annotator_from="parent"`, `layer="NamedEntity"`, ..., and names to read
    or to leave out: `only_annotators="ann*"`, `exclude_annotators`, `only_documents`, `exclude_documents`,
    `only_categories`. `anonymise` replaces the annotators' names by letters, also in the problems.
    """
    inspection = inspect(paths, **options)
    if inspection.corpus is None:
        raise exception_of(inspection.problems)
    return inspection.corpus


def inspect(paths: Any, **options: Unpack[ReadingKeywords]) -> Inspection:
    """Like `read`, but returns the problems of the files, with how the data were understood, instead of raising."""
    return inspect_inputs(list_inputs(paths), plan_reading(options))


show_keywords(read, Corpus)
show_keywords(inspect, Inspection)


def inspect_inputs(inputs: Sequence[Any], plan: ReadingPlan, shape: Shape | None = None) -> Inspection:
    """The same for single inputs; `shape` is what is known of all rows, where these inputs are only a part of them."""
    corpus = corpus_in_memory(inputs)
    if corpus is not None:
        _refuse_options(plan.refused_in_memory)
        return Inspection(corpus, corpus.problems, describe_corpus(corpus))
    with _no_garbage_collection(), keep_stdin():
        found = _inspect(inputs, plan, shape)
    return _hide_annotators(found) if plan.anonymise else found


def _hide_annotators(found: Inspection) -> Inspection:
    """The same with letters instead of the annotators' names."""
    if found.corpus is None:
        return found
    key = key_of(found.corpus)
    hide = hiding(key)
    # The letters are listed in their own order: that of the names would show which names come first in the alphabet.
    names, letters = (f"({listing(each, 5)})" for each in (found.corpus.annotators, sorted(key.annotators.values())))
    # Tiers may be named after their annotators.
    layers = {key.annotators.get(name) or hide(name): n_units for name, n_units in found.contents.layers.items()}
    read_layers = tuple(key.annotators.get(name) or hide(name) for name in found.contents.read_layers)
    return replace(
        found,
        corpus=anonymise(found.corpus, key),
        problems=tuple(hide_names(problem, hide) for problem in found.problems),
        understood=letters.join(map(hide, found.understood.split(names, 1))),
        contents=replace(found.contents, layers=layers, read_layers=read_layers),
    )


def as_corpus(data: Any, *, for_texts: bool = False) -> Corpus:
    """The data as a corpus: whatever `read` takes, with its defaults.

    for_texts: only text-γ is measured, so that files of tokens are annotators' versions of a text.
    """
    if isinstance(data, Corpus):
        return data
    inputs = list_inputs(data)
    return read(inputs, versions=for_texts and are_version_files(inputs, None))


def _refuse_options(names: Sequence[str]) -> None:
    if names:
        raise ParameterError.of(
            f"[[{names[0]}]] is for files and data frames; a corpus in memory is taken as it is", "Leave it out."
        )


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """No garbage collection while millions of cells and rows are made: they are not part of reference cycles."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


def _inspect(inputs: Sequence[Any], plan: ReadingPlan, shape: Shape | None) -> Inspection:
    settings, layout, selection = plan.settings, plan.layout, plan.selection
    participation, documents, base = plan.participation, plan.documents, plan.base
    errors = repeated_paths([*inputs, participation, documents])
    if errors:
        return _refusal(errors, [])
    notes: list[Problem] = []
    records = _collect(inputs, settings, errors, notes)
    bases: Mapping[str, Version] = {}
    if base is not None:
        bases = _read_base(base, replace(settings, text_from=_common_text(records, settings)), plan, errors)
    try:
        records = [shift_positions(record, settings.positions) for record in records]
    except InputError as error:
        errors += error.problems
    errors = join_questions(errors)
    # Columns, format and header are given for the units; the encoding and the decimal sign hold for all tables.
    others = replace(
        settings, columns=Columns(), format=None, header=None, positions=replace(settings.positions, sheet=None)
    )
    attendance: Participation | None = None
    about: Mapping[str | None, DocumentExtent] = {}
    try:
        if participation is not None:
            attendance = read_participation(read_single_table(participation, replace(others, schema=PARTICIPATION)))
    except InputError as error:
        errors += error.problems
    try:
        if documents is not None:
            table = read_single_table(documents, replace(others, schema=DOCUMENTS))
            about = read_documents(table, style=number_style(settings))
    except InputError as error:
        errors += error.problems
    result: LayoutResult | None = None
    of_layout: tuple[Problem, ...] = ()
    if records:
        try:
            result = apply_layout(records, layout, selection)
            if selection.given:
                rows, attendance = select_rows(result.rows, attendance, selection)
                for record, before, after in zip(records, result.rows, rows, strict=True):
                    record.faults.forget(np.setdiff1d(before.origin_row, after.origin_row))
                result.rows = rows
        except InputError as error:
            of_layout = error.problems
    if result is not None and not errors and not of_layout:
        attendance, about = match_encoded_names(result, attendance, about)
        errors += tables_without_documents(result.rows, attendance, about)
    if errors or of_layout or result is None:
        # Faults of single rows come before a question about the layout, which may be gone once they are corrected.
        errors += [problem for record in records for problem in record.faults.problems]
        return _refusal([*errors, *of_layout], records)
    result.notes += notes
    return _assemble(records, result, plan, attendance, about, bases, shape)


def _collect(inputs: Sequence[Any], settings: Settings, errors: list[Problem], notes: list[Problem]) -> list[Record]:
    """The records of all inputs, with their texts taken from the same place."""
    collect = collect_versions if settings.versions else _collect_records
    n_errors, n_notes = len(errors), len(notes)
    records = collect(inputs, settings, errors, notes)
    text_from = _common_text(records, settings)
    if text_from == settings.text_from or all(not record.texts or record.texts[0] == text_from for record in records):
        return records
    del errors[n_errors:], notes[n_notes:]
    return collect(inputs, replace(settings, text_from=text_from), errors, notes)


def _collect_records(
    inputs: Sequence[Any], settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of all inputs. Several tables without annotators are read again as those of one annotator each."""
    records = collect_records(inputs, settings, errors, notes)
    is_by_table = settings.schema is UNITS and settings.columns.annotator is None
    if not is_by_table or not errors or not {problem.code for problem in errors} <= _COLUMN_CODES:
        return records
    if sum(record.file is not None for record in records) + len({problem.where for problem in errors}) < 2:
        return records  # a single file cannot be one of several annotators
    faults: list[Problem] = []
    again = collect_records(inputs, replace(settings, schema=UNITS_OF_ONE), faults, [])
    if faults and all(problem.code.startswith("question-") for problem in faults):
        errors[:] = faults  # the annotators are clear now, and something else is not
        return again
    if faults or sum(record.file is not None for record in again) < 2:
        return records
    errors.clear()
    return again


def _common_text(records: Sequence[Record], settings: Settings) -> str | None:
    """Where all files have the words of their texts: as asked for, or the first place that they have in common."""
    choices = [record.texts for record in records if record.texts]
    if settings.text_from is not None or not choices:
        return settings.text_from
    return next((name for name in choices[0] if all(name in texts for texts in choices)), None)


def _read_base(base: Any, settings: Settings, plan: ReadingPlan, errors: list[Problem]) -> Mapping[str, Version]:
    """The pre-annotations of documents, read like an annotator's files."""
    read_files = collect_versions if settings.versions else collect_records
    own: list[Problem] = []
    try:
        records = read_files([{BASE: base}], replace(settings, format=None), own, [])
        records = [shift_positions(record, settings.positions) for record in records]
        result = apply_layout(records, plan.layout, Selection()) if records and not own else None
    except InputError as error:
        errors += [*own, *error.problems]
        return {}
    errors += own
    if result is None:
        return {}
    whole = replace(plan, settings=settings, selection=Selection(), extent=None, skip_invalid=False)
    inspection = _assemble(records, result, whole, None, {}, {}, None)
    if inspection.corpus is None:
        errors += inspection.problems
        return {}
    return find_bases(inspection.corpus, str(base), errors)


def _assemble(
    records: Sequence[Record],
    result: LayoutResult,
    plan: ReadingPlan,
    attendance: Participation | None,
    about: Mapping[str | None, DocumentExtent],
    bases: Mapping[str, Version],
    shape: Shape | None,
) -> Inspection:
    """Join the rows of all records and cut them into continua."""
    selection, extent, positions = plan.selection, plan.extent, plan.settings.positions

    def extent_of(name: str) -> tuple[Extent, str | None] | None:
        """Extent and text of a document: by the documents table, else by the option, else by the file itself."""
        entry = about.get(name) or about.get(None)
        own = result.extents.get(name)
        if entry is not None:
            return entry.extent, entry.text or (own and own[1])
        if extent is not None:
            return Extent(*extent, "given"), own and own[1]
        return own

    units_of_time = time_units(records, result.rows, positions)
    for i, record in enumerate(records):
        result.rows[i], clipped = clip_to_extents(result.rows[i], extent_of, units_of_time, record.where)
        result.notes += clipped
        check_inside(record, result.rows[i], extent_of)
        check_lengths(record, result.rows[i])
    faulty = [record for record in records if record.faults.counts]
    if faulty and not plan.skip_invalid:
        return _refusal([problem for record in faulty for problem in record.faults.problems], records)
    skipped = [skipped_rows(record) for record in faulty]
    bad = [record.faults.bad[rows.origin_row] for record, rows in zip(records, result.rows, strict=True)]
    units = join_rows(result.rows, bad, attendance, shape)
    where = records[0].where if len(records) == 1 else ""
    if not len(units) and shape is None:  # in a part of the rows there may be none
        notes = (note for record in records for note in record.notes)
        missing = _empty_selection(selection) if selection.given else no_units(records, result)
        return _refusal([missing, *skipped, *notes], records)
    extents = {name: entry for name in units.documents if (entry := extent_of(name)) is not None}
    continua = make_continua(units, extents, units_of_time)
    bases = {**{name: version for record in records for name, version in record.bases.items()}, **bases}
    continua = add_own_texts(continua, records, result, bases)
    problems = [*skipped, *findings(units, continua, where), *position_findings(units, continua, positions)]
    problems += reading_notes(records, result, units, about)
    problems.sort(key=lambda problem: problem.severity != "warning")
    understood = describe_input(records, result, units)
    corpus = Corpus(continua, tuple(problems), selection.given)
    return Inspection(corpus, tuple(problems), understood, list_contents(records, result))


def _refusal(problems: Sequence[Problem], records: Sequence[Record]) -> Inspection:
    """The inspection of an input that cannot be read."""
    return Inspection(None, tuple(problems), describe_input(records), list_contents(records))


def _empty_selection(selection: Selection) -> Problem:
    """The error about a selection without a single unit."""
    settings = ", ".join(f"[[{name}]]" for name in selection.given)
    message = f"the selection by {settings} has no units"
    return Problem("selection", "error", "", message, "Leave out fewer, or compare the names in the files.")


def exception_of(found: Sequence[Problem]) -> InputError:
    """The exception that fits all errors among the problems: InputError itself if they are of several kinds."""
    problems = [problem for problem in found if problem.severity == "error"]
    codes = {problem.code for problem in problems}
    if codes <= _UNIT_CODES:
        return UnitError(problems)
    if codes <= _CORPUS_CODES:
        return CorpusError(problems)
    if not codes & (_UNIT_CODES | _CORPUS_CODES):
        return FormatError(problems)
    return InputError(problems)
