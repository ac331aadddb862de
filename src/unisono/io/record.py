# SPDX-License-Identifier: MIT
"""What a reader gives back: the units of one file in columns, and what the file says about whose they are.

A reader decides nothing about annotators and documents: it hands on what the file says (`Sheet`), and the layout
(layout.py, arrange.py) makes continua of it. `RecordBuilder` is how a reader fills a record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unisono.errors import Problem, Severity
from unisono.io.files import File
from unisono.io.offsets import code_points, same_text
from unisono.io.table import BoolArray, Faults, Labels, fast_numbers, is_whole_number, short
from unisono.model import LARGEST_POSITION, Extent, IntArray, Position, PositionArray

#: Stretches of a discontinuous unit, in order.
Stretches = Sequence[tuple[Position, Position]]

#: The feature that keeps the pieces of a discontinuous unit.
PIECES = "pieces"


@dataclass(frozen=True, slots=True)
class Sheet:
    """What holds for many units of a file: the names the file gives, the text they stand on, its extent.

    A sheet without units says that somebody saw the document and marked nothing. A sheet without a layer belongs to
    every layer: it says that somebody saw the document whatever layer is asked for.
    """

    document: str | None = None
    annotator: str | None = None
    #: Layer, tier, annotation set, track.
    layer: str | None = None
    text: str | None = None
    extent: Extent | None = None
    #: What else the file says here, for `--annotator-from field:NAME`.
    fields: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    #: The feature that is the category on this layer, where layers differ in it.
    category: str | None = None
    #: Hangs on another layer, such as a tier of glosses: read only when asked for by name or pattern.
    is_dependent: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """The units of one file. A row is a unit, or, where `is_unit` is False, says that a document was seen."""

    file: File | None
    where: str
    #: "brat", "CSV with header": for people.
    kind: str
    sheets: Sequence[Sheet]
    #: The sheet of each row.
    sheet_codes: IntArray
    starts: PositionArray
    ends: PositionArray
    is_unit: BoolArray
    features: Mapping[str, Labels]
    #: The feature that is the category unless the layout names another; None if there is none.
    category: str | None
    place: Callable[[int], str]
    faults: Faults
    notes: tuple[Problem, ...] = ()
    #: Rows of discontinuous units and their stretches.
    pieces: Mapping[int, Stretches] = field(default_factory=dict)
    #: Names of documents and annotators by row, where the format has them so.
    documents: Labels | None = None
    annotators: Labels | None = None
    #: How the sentence of what was understood calls the sources: {"annotator": "column who"}.
    called: Mapping[str, str] = field(default_factory=dict)
    #: The format's own rule for the annotator (`tier`), followed unless the layout has another.
    annotator_from: str | None = None

    @property
    def n_rows(self) -> int:
        return len(self.starts)

    @property
    def stem(self) -> str:
        return "data" if self.file is None else self.file.stem


class RecordBuilder:
    """Collects sheets and units while a file is read; `record()` checks the positions and gives the record.

    >>> builder = RecordBuilder(File("a.ann", ("ann", "a.ann"), opened=None), "brat")
    >>> sheet = builder.sheet(text="Anna sings")
    >>> builder.unit(sheet, 0, 4, {"type": "Person"}, "a.ann:1", covered="Anna")
    >>> builder.record(category="type").features["type"].labels
    ('Person',)
    """

    def __init__(self, file: File, kind: str):
        self.file = file
        self.kind = kind
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
        self._bad: list[tuple[int, str, str, str, str]] = []

    def sheet(self, **what: Any) -> int:
        """Begin a sheet (the fields of `Sheet`); its number, for `unit`."""
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
        """Add a unit. Positions may be anything; what is no number is reported by `record`.

        `covered` is the text the tool stored for the unit, to check the positions against; `pieces` the stretches of
        a discontinuous unit, start and end being then the ends of its hull.
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
        """A further feature of a unit added before, such as an attribute on a line of its own."""
        rows, values = self._columns.setdefault(name, ([], []))
        rows.append(row)
        values.append(value)

    @property
    def n_units(self) -> int:
        return len(self._codes)

    def fault(self, code: str, where: str, expected: str, found: str = "", remedy: str = "") -> None:
        """Something that cannot be read as a unit: an error, passed over with `skip_invalid`."""
        row = len(self._codes)
        self._codes.append(-1)
        self._starts.append(0)
        self._ends.append(0)
        self._places.append(where)
        self._bad.append((row, code, expected, found, remedy))

    def note(
        self,
        code: str,
        expected: str,
        found: str = "",
        remedy: str = "",
        *,
        severity: Severity = "note",
        where: str = "",
    ) -> None:
        """Something worth knowing that spoils nothing."""
        self._notes.append(Problem(code, severity, where or self.file.where, expected, found, remedy))

    def record(
        self,
        *,
        category: str | None = None,
        called: Mapping[str, str] | None = None,
        annotator_from: str | None = None,
    ) -> Record:
        """The record: positions checked, offsets compared with the text, a row for every sheet without units."""
        n_units = len(self._codes)
        empty = [i for i in range(len(self.sheets)) if i not in self._used]
        places = self._places + [self.sheets[i].where for i in empty]
        n_rows = len(places)
        faults = Faults(n_rows)
        for row, *problem in self._bad:
            code, expected, found, remedy = problem
            faults.add(code, [row], lambda row, *, x=(expected, found, remedy): (places[row], *x))  # type: ignore[misc]
        # A fault has no sheet; it stands on the first, and is never looked at again.
        codes = np.array([*(max(code, 0) for code in self._codes), *empty], dtype=np.int32)
        starts, ends = self._positions(faults, places, len(empty))
        record = Record(
            file=self.file,
            where=self.file.where,
            kind=self.kind,
            sheets=self.sheets or [Sheet(where=self.file.where)],
            sheet_codes=codes,
            starts=starts,
            ends=ends,
            is_unit=np.arange(n_rows) < n_units,
            features={name: _sparse(*column, n_rows) for name, column in self._columns.items()},
            category=category,
            place=places.__getitem__,
            faults=faults,
            pieces=self._pieces,
            called=called or {},
            annotator_from=annotator_from,
        )
        return _on_text(record, self._covered, self._notes)

    def _positions(self, faults: Faults, places: list[str], n_empty: int) -> tuple[PositionArray, PositionArray]:
        columns = [_numbers([*values, *[0] * n_empty]) for values in (self._starts, self._ends)]
        starts, ends = (column for column, _ in columns)
        for name, values, (_, bad) in zip(("start", "end"), (self._starts, self._ends), columns, strict=True):
            faults.add(
                "not-a-number",
                [row for row in bad if not faults.bad[row]],
                lambda row, *, n=name, v=values: (  # type: ignore[misc]
                    places[row],
                    f"a number as the {n} of a unit, between -2**53 and 2**53",
                    short(repr(v[row])),
                    "correct the file",
                ),
            )
        if starts.dtype != ends.dtype:
            starts, ends = starts.astype(np.float64), ends.astype(np.float64)
        faults.add(
            "end-before-start",
            np.flatnonzero((ends < starts) & ~faults.bad).tolist(),
            lambda row: (
                places[row],
                "a unit must end after it starts",
                f"start={starts[row]}, end={ends[row]}",
                "correct the unit",
            ),
        )
        return starts, ends


def _numbers(values: list[Any]) -> tuple[PositionArray, list[int]]:
    """A column of positions, integers where all are, and the rows that are none."""
    kinds = set(map(type, values))
    if kinds <= {int}:
        try:
            whole = np.array(values, dtype=np.int64)
        except OverflowError:
            pass
        else:
            return whole, _too_large(whole)
    if kinds == {str} and "" not in values and (read := fast_numbers(values)) is not None:
        return read.values, _too_large(read.values)
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


def _too_large(values: PositionArray) -> list[int]:
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


def _sparse(rows: list[int], values: list[str], n_rows: int) -> Labels:
    """A column that only some rows fill; a row filled twice keeps both, joined as a set of labels."""
    if len(set(rows)) < len(rows):
        joined: dict[int, str] = {}
        for row, value in zip(rows, values, strict=True):
            joined[row] = f"{joined[row]}|{value}" if row in joined else value
        rows, values = list(joined), list(joined.values())
    some = Labels.of(values)
    codes = np.full(n_rows, -1, dtype=np.int32)
    codes[rows] = some.codes
    return Labels(codes, some.labels, some.n_stripped)


def _on_text(record: Record, covered: Mapping[int, str], notes: list[Problem]) -> Record:
    """Compare the positions with the texts; where the tool counts in UTF-16, count in characters instead."""
    from dataclasses import replace

    rows_of: dict[int, list[int]] = {}
    for row in covered:
        if not record.faults.bad[row]:
            rows_of.setdefault(int(record.sheet_codes[row]), []).append(row)
    starts, ends = record.starts.copy(), record.ends.copy()
    n_converted, differing = 0, []
    for sheet, rows in rows_of.items():
        text = record.sheets[sheet].text
        if text is None or starts.dtype.kind != "i":
            continue
        wanted = [covered[row] for row in rows]
        off = [r for r, w in zip(rows, wanted, strict=True) if not same_text(text[starts[r] : ends[r]], w)]
        if off and not text.isascii():
            first, last = code_points(text, starts[rows]), code_points(text, ends[rows])
            still = [r for r, w, s, e in zip(rows, wanted, first, last, strict=True) if not same_text(text[s:e], w)]
            if len(still) < len(off):
                starts[rows], ends[rows] = first, last
                n_converted += len(rows)
                off = still
        differing += off
    if n_converted:
        notes.append(
            Problem(
                "utf-16-offsets",
                "note",
                record.where,
                "positions in characters",
                f"positions of {n_converted} units in UTF-16 units, as their texts tell",
                "converted to characters",
            )
        )
    differing = [row for row in differing if not record.pieces.get(row)]
    if differing:
        row = min(differing)
        text = record.sheets[int(record.sheet_codes[row])].text or ""
        found = f"{short(text[starts[row] : ends[row]])!r} instead of {short(covered[row])!r}"
        more = f" ({len(differing)} such units)" if len(differing) > 1 else ""
        notes.append(
            Problem(
                "text-mismatch",
                "warning",
                record.place(row),
                "units that cover the text stored with them",
                found + more,
                "is it the right text? were positions counted in bytes?",
            )
        )
    return replace(record, starts=starts, ends=ends, notes=tuple(notes))
