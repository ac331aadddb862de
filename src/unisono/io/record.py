# SPDX-License-Identifier: MIT
"""What a reader returns: the rows of one file, and what the file says about their annotators and documents.

A reader does not decide who the annotators are and what a document is: it passes on what the file says (`Sheet`), and
the layout (layout/apply.py) decides. A reader fills a record with a `RecordBuilder`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import Problem, Severity
from unisono.io.faults import Faults
from unisono.io.files.opening import File
from unisono.io.formats.offsets import code_points, same_text
from unisono.io.labels import Labels
from unisono.io.tables.numbers import fast_numbers, is_whole_number
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import short
from unisono.model import LARGEST_POSITION, Extent, IntArray, Position, PositionArray, TimeUnit
from unisono.model.versions import Version
from unisono.nouns import quantity

#: Stretches of a discontinuous unit, in order.
Stretches = Sequence[tuple[Position, Position]]

#: The feature that keeps the pieces of a discontinuous unit.
PIECES = "pieces"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What many units of a file have in common: the names that the file gives, the text, its extent.

    A sheet without units says that the annotator saw the document and marked nothing. A sheet without a layer belongs
    to every layer: the annotator saw the document whichever layer is asked for.
    """

    document: str | None = None
    annotator: str | None = None
    #: Layer, tier, annotation set, track.
    layer: str | None = None
    text: str | None = None
    extent: Extent | None = None
    #: Further fields of the file, for `annotator_from="field:NAME"`.
    fields: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    #: The feature that is the category on this layer, where it differs between layers.
    category: str | None = None
    #: Depends on another layer, such as a tier of glosses: read only if asked for by name or pattern.
    is_dependent: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """The rows of one file with everything else that the file says."""

    file: File | None
    where: str
    #: "brat", "CSV with header": for people.
    kind: str
    sheets: Sequence[Sheet]
    #: The sheet of each row.
    sheet_codes: IntArray
    #: Rows name documents and annotators where the format has them by row; otherwise their sheets do.
    rows: UnitRows
    #: The feature that is the category unless the layout names another; None if there is none.
    category: str | None
    faults: Faults
    notes: tuple[Problem, ...] = ()
    #: Rows of discontinuous units and their stretches.
    pieces: Mapping[int, Stretches] = field(default_factory=dict)
    #: Where names come from, in words: {"annotator": "column who"}.
    called: Mapping[str, str] = field(default_factory=dict)
    #: What the positions count, where the file itself says so: "s", "ms", "frames".
    time_unit: TimeUnit | None = None
    #: The format's own rule for the annotator (`tier`), used unless the layout has another.
    annotator_from: str | None = None
    #: Whether the units divide a text that annotators may have corrected, so that text-γ compares all their features.
    is_version: bool = False
    #: Where the words of the text can be taken from, the usual place first; empty where there is no choice.
    texts: tuple[str, ...] = ()
    #: Pre-annotations that the file holds, by document.
    bases: Mapping[str, Version] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    @property
    def stem(self) -> str:
        return "data" if self.file is None else self.file.stem


class RecordBuilder:
    """Collects sheets and units while a file is read; `record()` checks the positions and returns the record.

    >>> builder = RecordBuilder(File("a.ann", ("ann", "a.ann"), opened=None), "brat")
    >>> sheet = builder.sheet(text="Anna sings")
    >>> builder.unit(sheet, 0, 4, {"type": "Person"}, "a.ann:1", covered="Anna")
    >>> builder.record(category="type").rows.features["type"].labels
    ('Person',)
    """

    def __init__(
        self, file: File, kind: str, *, time_unit: TimeUnit | None = None, decimal_unit: TimeUnit | None = None
    ):
        """`time_unit` is what positions count; `decimal_unit` the same for formats that count characters as well."""
        self.file = file
        self.kind = kind
        self._time_unit = time_unit
        self._decimal_unit = decimal_unit
        self.sheets: list[Sheet] = []
        self._used: set[int] = set()
        self._codes: list[int] = []
        self._starts: list[Any] = []
        self._ends: list[Any] = []
        self._places: list[str] = []
        self._covered: dict[int, str] = {}
        self._columns: dict[str, tuple[list[int], list[str]]] = {}
        self._pieces: dict[int, Stretches] = {}
        self._notes: list[Problem] = []
        self._bad: list[tuple[int, Problem]] = []

    def sheet(self, **what: Any) -> int:
        """Begin a sheet (the fields of `Sheet`) and return its number, for `unit`."""
        what.setdefault("where", self.file.where)
        self.sheets.append(Sheet(**what))
        return len(self.sheets) - 1

    def unit(
        self,
        sheet: int,
        start: Position | str | None,
        end: Position | str | None,
        features: Mapping[str, str | None],
        where: str,
        *,
        covered: str | None = None,
        pieces: Stretches | None = None,
    ) -> None:
        """Add a unit. Positions may be anything; `record` reports those that are not numbers.

        `covered` is the text that the tool stored for the unit: positions are checked against it. `pieces` are the
        stretches of a discontinuous unit; start and end are those of its hull.
        """
        row = len(self._codes)
        self._codes.append(sheet)
        self._starts.append(start)
        self._ends.append(end)
        self._places.append(where)
        self._used.add(sheet)
        for name, value in features.items():
            if value:
                rows, values = self._columns.setdefault(name, ([], []))
                rows.append(row)
                values.append(value)
        if covered is not None:
            self._covered[row] = covered
        if pieces is not None and len(pieces) > 1:
            self._pieces[row] = pieces

    def feature(self, row: int, name: str, value: str) -> None:
        """Add a feature to a unit added before, such as an attribute on a line of its own."""
        rows, values = self._columns.setdefault(name, ([], []))
        rows.append(row)
        values.append(value)

    @property
    def n_units(self) -> int:
        return len(self._codes)

    def fault(self, code: str, where: str, message: str, remedy: str = "") -> None:
        """Something that cannot be read as a unit: an error, left out with `skip_invalid`."""
        row = len(self._codes)
        self._codes.append(-1)
        self._starts.append(0)
        self._ends.append(0)
        self._places.append(where)
        self._bad.append((row, Problem(code, "error", where, message, remedy)))

    def note(
        self,
        code: str,
        message: str,
        remedy: str = "",
        *,
        severity: Severity = "note",
        where: str = "",
    ) -> None:
        """Something worth knowing that does not stop the file from being read."""
        self._notes.append(Problem(code, severity, where or self.file.where, message, remedy))

    def record(
        self,
        *,
        category: str | None = None,
        called: Mapping[str, str] | None = None,
        annotator_from: str | None = None,
        time_unit: TimeUnit | None = None,
        is_version: bool = False,
        texts: tuple[str, ...] = (),
        bases: Mapping[str, Version] | None = None,
    ) -> Record:
        """The record: positions checked, offsets compared with the text, a row for every sheet without units."""
        n_units = len(self._codes)
        empty = [i for i in range(len(self.sheets)) if i not in self._used]
        places = self._places + [self.sheets[i].where for i in empty]
        n_rows = len(places)
        faults = Faults(n_rows)
        for row, problem in self._bad:
            faults.add_together(problem, [row])
        # A fault has no sheet: it gets the first one, which has no effect.
        codes = np.array([*(max(code, 0) for code in self._codes), *empty], dtype=np.int32)
        starts, ends = self._positions(faults, places, len(empty))
        record = Record(
            file=self.file,
            where=self.file.where,
            kind=self.kind,
            sheets=self.sheets or [Sheet(where=self.file.where)],
            sheet_codes=codes,
            rows=UnitRows.of_file(
                starts,
                ends,
                np.arange(n_rows) < n_units,
                {name: _sparse_labels(*column, n_rows) for name, column in self._columns.items()},
                places.__getitem__,
            ),
            category=category,
            faults=faults,
            pieces=self._pieces,
            called=called or {},
            annotator_from=annotator_from,
            time_unit=time_unit or self._time_unit or (self._decimal_unit if starts.dtype.kind == "f" else None),
            is_version=is_version,
            texts=texts,
            bases=bases or {},
        )
        return _check_texts(record, self._covered, self._notes)

    def _positions(self, faults: Faults, places: list[str], n_empty: int) -> tuple[PositionArray, PositionArray]:
        columns = [_parse_positions([*values, *[0] * n_empty]) for values in (self._starts, self._ends)]
        starts, ends = (column for column, _ in columns)
        for name, values, (_, bad) in zip(("start", "end"), (self._starts, self._ends), columns, strict=True):
            faults.add(
                "not-a-number",
                [row for row in bad if not faults.bad[row]],
                lambda row, *, n=name, v=values: (  # type: ignore[misc]
                    places[row],
                    f"the {n} of the unit, {short(repr(v[row]))}, is not a number from -2**53 to 2**53",
                    "Correct the file.",
                ),
            )
        if starts.dtype != ends.dtype:
            starts, ends = starts.astype(np.float64), ends.astype(np.float64)
        faults.add(
            "end-before-start",
            np.flatnonzero((ends < starts) & ~faults.bad).tolist(),
            lambda row: (
                places[row],
                f"the unit ends ({ends[row]}) before it starts ({starts[row]})",
                "Correct the unit.",
            ),
        )
        return starts, ends


def _parse_positions(values: list[Any]) -> tuple[PositionArray, list[int]]:
    """A column of positions, integers where all are, and the rows that are not positions."""
    kinds = set(map(type, values))
    if kinds <= {int}:
        try:
            whole = np.array(values, dtype=np.int64)
        except OverflowError:
            pass
        else:
            return whole, _rows_too_large(whole)
    if kinds == {str} and "" not in values and (read := fast_numbers(values)) is not None:
        return read.values, _rows_too_large(read.values)
    cleaned: list[Position] = []
    bad = []
    for row, value in enumerate(values):
        number = _number(value)
        if number is None:
            bad.append(row)
        cleaned.append(0 if number is None else number)
    if all(type(value) is int for value in cleaned):
        return np.array(cleaned, dtype=np.int64), bad
    return np.array(cleaned, dtype=np.float64), bad


def _rows_too_large(values: PositionArray) -> list[int]:
    return np.flatnonzero(~((values <= LARGEST_POSITION) & (values >= -LARGEST_POSITION))).tolist()


def _number(value: Any) -> Position | None:
    if isinstance(value, str):
        text = value.strip()
        try:
            value = int(text) if is_whole_number(text) else float(text) if text.isascii() and "_" not in text else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -LARGEST_POSITION <= value <= LARGEST_POSITION else None


def _sparse_labels(rows: list[int], values: list[str], n_rows: int) -> Labels:
    """A column in which only some rows have a value; two values of one row are joined as a set of labels."""
    if len(set(rows)) < len(rows):
        several: dict[int, list[str]] = {}
        for row, value in zip(rows, values, strict=True):
            several.setdefault(row, []).append(value)
        rows, values = list(several), ["|".join(group) for group in several.values()]
    some = Labels.of(values)
    codes = np.full(n_rows, -1, dtype=np.int32)
    codes[rows] = some.codes
    return Labels(codes, some.labels, some.n_stripped)


def _check_texts(record: Record, covered: Mapping[int, str], notes: list[Problem]) -> Record:
    """Compare the positions with the texts; convert positions that the tool counts in UTF-16 units to characters."""
    rows_of: dict[int, list[int]] = {}
    for row in covered:
        if not record.faults.bad[row]:
            rows_of.setdefault(int(record.sheet_codes[row]), []).append(row)
    bounds = [record.rows.starts, record.rows.ends]
    if not covered or any(column.dtype.kind == "f" and (column != np.floor(column)).any() for column in bounds):
        return replace(record, notes=tuple(notes))  # positions with decimals are times, not places in a text
    starts, ends = (column.astype(np.int64) for column in bounds)
    converted: set[int] = set()
    differing: list[int] = []
    for sheet, those in rows_of.items():
        text = record.sheets[sheet].text
        if text is None:
            continue
        wanted = [covered[row] for row in those]
        off = [r for r, w in zip(those, wanted, strict=True) if not same_text(text[starts[r] : ends[r]], w)]
        if off and not text.isascii():
            first, last = code_points(text, starts[those]), code_points(text, ends[those])
            still = [r for r, w, s, e in zip(those, wanted, first, last, strict=True) if not same_text(text[s:e], w)]
            if len(still) < len(off):
                converted.add(sheet)
                off = still
        differing += off
    if converted:
        record, starts, ends, n_converted = _convert_from_utf16(record, starts, ends, converted)
        message = (
            f"the positions of {quantity(n_converted, 'unit')} were counted in UTF-16 units, as the texts stored "
            "with the units show, and were converted to characters"
        )
        notes.append(Problem("utf-16-offsets", "note", record.where, message))
    differing = [row for row in differing if not record.pieces.get(row)]
    if differing:
        row = min(differing)
        text = record.sheets[int(record.sheet_codes[row])].text or ""
        at, stored = short(text[starts[row] : ends[row]]), short(covered[row])
        more = f", and likewise for {quantity(len(differing) - 1, 'other unit')}" if len(differing) > 1 else ""
        message = f"the text at the unit's positions is {at!r}, but the text stored with it is {stored!r}{more}"
        remedy = "Is it the right text? Were positions counted in bytes?"
        notes.append(Problem("text-mismatch", "warning", record.rows.place(row), message, remedy))
    columns: tuple[PositionArray, PositionArray] = (starts, ends)
    if bounds[0].dtype.kind == "f":
        columns = (starts.astype(np.float64), ends.astype(np.float64))
    rows = replace(record.rows, starts=columns[0], ends=columns[1])
    return replace(record, rows=rows, notes=tuple(notes))


def _convert_from_utf16(
    record: Record, starts: NDArray[np.int64], ends: NDArray[np.int64], sheets: set[int]
) -> tuple[Record, NDArray[np.int64], NDArray[np.int64], int]:
    """The record and its positions with all units of these sheets, and their pieces, converted; and their number."""
    rows_of: dict[int, list[int]] = {sheet: [] for sheet in sheets}
    for row, sheet in enumerate(record.sheet_codes.tolist()):
        if sheet in sheets and record.rows.is_unit[row] and not record.faults.bad[row]:
            rows_of[sheet].append(row)
    starts, ends, pieces = starts.copy(), ends.copy(), dict(record.pieces)
    for sheet, rows in rows_of.items():
        text = record.sheets[sheet].text or ""
        starts[rows], ends[rows] = code_points(text, starts[rows]), code_points(text, ends[rows])
        for row in rows:
            if row in pieces:
                flat = [int(bound) for piece in pieces[row] for bound in piece]
                moved = code_points(text, flat).tolist()
                pieces[row] = list(zip(moved[::2], moved[1::2], strict=True))
    return replace(record, pieces=pieces), starts, ends, sum(map(len, rows_of.values()))
