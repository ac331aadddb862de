# SPDX-License-Identifier: MIT
"""A corpus larger than memory: tables grouped by document, read a few documents at a time.

The documents are those that `read` makes of the same files, to the last bit. If a later part has the first fraction
among whole positions, or the first cell of a column that was empty until then, the rows before it were read with the
wrong type, and reading starts again with what is known now (`ReadAgain`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np

from unisono.errors import FormatError, ParameterError, Problem
from unisono.io.assemble import Shape
from unisono.io.files.opening import File
from unisono.io.files.search import find_files
from unisono.io.inputs import is_path, list_inputs, repeated_paths
from unisono.io.labels import Labels
from unisono.io.read import exception_of, inspect_inputs
from unisono.io.reading_options import ReadingKeywords, ReadingPlan, plan_reading, show_keywords
from unisono.io.tables.cells import labels_of
from unisono.io.tables.column_roles import find_roles
from unisono.io.tables.parts import TablePart, cut_table
from unisono.model import CATEGORY, Continuum, Corpus, TimeUnit

#: Rows that are read at a time; a document with more of them is read whole.
ROWS = 10_000

#: Options that need all documents at once, or other files than tables of units.
_REFUSED = ("participation", "documents", "base", "versions", "curation", "predictions", "anonymise", "annotator_from",
            "document_from", "per_layer", "one_document", "sentences", "token_columns", "text_from")  # fmt: skip

_IN_MEMORY = "Leave it out, or read the corpus into memory."


class ReadAgain(Exception):  # noqa: N818 - a signal, not an error
    """Reading must start again with this shape: a later part of the rows has fractions, or features, that are new."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape


@dataclass
class CorpusStream:
    """A corpus in tables that are grouped by document; `parts` reads a few documents at a time."""

    inputs: tuple[Any, ...]
    plan: ReadingPlan
    rows: int = ROWS
    #: What is known of all rows so far.
    shape: Shape = field(default_factory=Shape)
    #: What the positions of the documents so far count: "s" where they are time codes, None for plain numbers.
    _units: dict[TimeUnit | None, str] = field(default_factory=dict)
    #: What was noticed: the first problem of each kind, and in how many parts there is one of that kind.
    _noticed: dict[str, tuple[Problem, int]] = field(default_factory=dict)

    @property
    def selection(self) -> Any:
        """The names by which annotators, documents and categories are selected."""
        return self.plan.selection.given

    def parts(self) -> Iterator[Corpus]:
        """The documents in the order of the files, a few at a time; ReadAgain where reading must start again.

        FormatError where the rows of a document are not together: it names the document that comes again.
        """
        seen: set[str] = set()
        self._noticed = {}
        self._units = {}
        n_units = 0
        for continua in self._continua(seen):
            shape = self.shape | Shape(
                any(not continuum.has_integer_positions for continuum in continua),
                frozenset(name for continuum in continua for name in continuum.features if name != CATEGORY),
            )
            if shape != self.shape:
                self.shape = shape
                # Of the first part nothing has been handed on yet, but it may itself be of several shapes.
                raise ReadAgain(shape)
            n_units += sum(map(len, continua))
            yield Corpus(tuple(continua), selection=self.selection)
        if not n_units:
            what = "the selection has no units" if self.selection else "there are no units"
            raise exception_of([Problem("no-units", "error", "", what, "Is this the right file?")])

    def _continua(self, seen: set[str]) -> Iterator[list[Continuum]]:
        """The continua of whole documents, in lists of about `rows` rows."""
        waiting: list[Continuum] = []
        n_rows = 0
        for file in self._files():
            for part in cut_table(file, self.plan.settings, self.rows):
                for documents in self._whole_documents(part, seen):
                    inspection = inspect_inputs([documents], self.plan, self.shape)
                    self._note(inspection.problems)
                    if inspection.corpus is None:
                        raise exception_of(inspection.problems)
                    self._check_units(inspection.corpus, file)
                    waiting += inspection.corpus
                    n_rows += documents.n_rows
                if n_rows >= self.rows:
                    yield waiting
                    waiting, n_rows = [], 0
        if waiting:
            yield waiting

    def _check_units(self, documents: Corpus, file: File) -> None:
        """Refuse time codes in one document and plain numbers in another, as reading the whole table does."""
        for continuum in documents:
            if continuum.extent is not None and (continuum.extent.start or continuum.extent.end):  # 0 is both
                self._units.setdefault(continuum.extent.unit, continuum.name)
        if len(self._units) > 1:
            numbers, codes = self._units.pop(None), next(iter(self._units.values()))
            raise FormatError.of(
                f"the positions of {codes!r} are time codes, those of {numbers!r} plain numbers",
                "If the plain numbers are seconds, give [[time_unit]] s; if they are milliseconds, give [[time_unit]] "
                "ms.",
                where=file.where,
                code="question-time-unit",
            )

    def _whole_documents(self, part: TablePart, seen: set[str]) -> Iterator[TablePart]:
        """The part without its last document: its rows may continue in the next part, so they are given back."""
        names = _document_names(part, self.plan)
        codes = names.codes
        if part.is_last:
            whole = part
        else:
            before = np.flatnonzero(codes != codes[-1]) if len(codes) else codes
            if not len(before):
                part.give_back(0)  # all of it is one document: more must be read
                return
            end = int(before[-1]) + 1
            part.give_back(end)
            whole, codes = part.first(end), codes[:end]
        _check_grouping(codes, names, seen, whole)
        yield whole

    def _files(self) -> Iterator[File]:
        for item in self.inputs:
            yield from find_files(item, self.plan.settings.limits)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was noticed on reading: a problem of each kind, as it was in the first part that had one."""
        return tuple(
            problem
            if n == 1
            else replace(problem, message=f"{problem.message} (in the first of {n:,} such parts of the rows)")
            for problem, n in self._noticed.values()
        )

    def _note(self, problems: Sequence[Problem]) -> None:
        for code, problem in {each.code: each for each in reversed(problems) if each.severity != "error"}.items():
            first, n = self._noticed.get(code, (problem, 0))
            self._noticed[code] = first, n + 1


def stream(paths: Any, **options: Unpack[ReadingKeywords]) -> CorpusStream:
    """A corpus that is read while it is measured: `measure(stream("units.parquet"))` takes corpora larger than memory.

    `paths` is a table (CSV, TSV, also compressed; Parquet), several of them, or a folder of them, with a column for the
    document and one for the annotator. The rows of a document stand together, in one file. An annotator who marked
    nothing in a document has a row without start and end. The options are those of `read`, without tables beside the
    units (`participation`, `documents`), and without what needs all documents at once (`anonymise`).
    """
    plan = plan_reading(options)
    if refused := plan.given_among(_REFUSED):
        raise ParameterError.of(f"[[{refused[0]}]] cannot be used in a stream", _IN_MEMORY, code="stream")
    inputs = tuple(list_inputs(paths))
    other = next((item for item in inputs if not is_path(item) or item == "-"), None)
    if other is not None:
        what = "standard input" if other == "-" else f"a value of type {type(other).__name__}"
        raise ParameterError.of(f"{what} cannot be read as a stream", "Give the path of a file.", code="stream")
    if repeated := repeated_paths(inputs):
        raise exception_of(repeated)
    return CorpusStream(inputs, plan)


show_keywords(stream, CorpusStream)


def _document_names(part: TablePart, plan: ReadingPlan) -> Labels:
    """The document of each row of a part; FormatError where there is no column for it, or none for the annotator."""
    table = part.table
    settings = plan.settings
    roles = find_roles(table, settings.schema, settings.columns).roles
    for role in ("document", "annotator"):
        if role not in roles:
            raise FormatError.of(
                f"the table has no column for the {role}, which a stream needs",
                f"Name it with [[{role}_column]], or read the corpus into memory.",
                where=table.heading,
                code="stream",
            )
    return labels_of(table.columns[roles["document"]])


def _check_grouping(codes: Any, names: Labels, seen: set[str], part: TablePart) -> None:
    """Refuse a document whose rows are not together; the names of the documents are added to those seen."""
    if not len(codes):
        return
    starts = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))
    for row, code in zip(starts.tolist(), codes[starts].tolist(), strict=True):
        if code < 0:
            continue  # a row without a document is a fault that reading reports
        name = names.labels[code]
        if name in seen:
            raise FormatError.of(
                f"the document {name!r} comes again here, after rows of other documents",
                "Sort the table by document, and put each document into one file; or read the corpus into memory.",
                where=part.table.place(row),
                code="not-grouped",
                found=name,
            )
        seen.add(name)
