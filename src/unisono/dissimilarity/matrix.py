# SPDX-License-Identifier: MIT
"""A categorial distance given pair by pair (2015, Table 3): from a dict, or from a square CSV file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from unisono.dissimilarity.categorial import Categorial, FCat, TableKind, check_number_of_labels, digest
from unisono.dissimilarity.parameter_checks import as_number, is_finite_number, quote, refuse, short
from unisono.errors import FormatError, ParameterError, Problem
from unisono.model import CATEGORY, FloatArray

Pair = tuple[str, str]


@dataclass(frozen=True)
class Matrix(Categorial):
    """Distances of labels given one by one: `{("A", "B"): 0.5}` or `{"A": {"B": 0.5}}`.

    Symmetric: (B, A) is filled in where only (A, B) is given, and the diagonal is 0. Every two labels in use need
    an entry; entries of other labels are ignored.
    """

    distances: Mapping[Pair, float] | Mapping[str, Mapping[str, float]] = field(hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs, problems = _canonicalise(_cells(self.distances), lambda row, column: "matrix")
        refuse(problems)
        object.__setattr__(self, "distances", pairs)

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that the matrix names."""
        return tuple(sorted({label for pair in self._pairs for label in pair}))

    @property
    def signature(self) -> str:
        text = quote(tuple((*pair, short(value)) for pair, value in sorted(self._pairs.items())))
        return self._with_options("matrix", f"sha256={digest(text)}")

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        check_number_of_labels(labels)
        known = set(self.labels)
        problems = [
            Problem(
                "unknown-category",
                "error",
                "matrix",
                f"the category {label!r} has no distances",
                "Add a row and a column for it.",
                found=repr(label),
            )
            for label in labels
            if label not in known
        ]
        index = {label: i for i, label in enumerate(labels)}
        distances = np.full((len(labels), len(labels)), np.nan)
        np.fill_diagonal(distances, 0.0)
        for (a, b), value in self._pairs.items():
            if a in index and b in index:
                distances[index[a], index[b]] = distances[index[b], index[a]] = value
        for i, j in np.argwhere(np.isnan(np.triu(distances))).tolist():
            if labels[i] in known and labels[j] in known:
                problems.append(_missing_distance("matrix", labels[i], labels[j]))
        refuse(problems)
        return "matrix", distances.ravel()

    @property
    def _pairs(self) -> Mapping[Pair, float]:
        return self.distances  # type: ignore[return-value]  # canonical since __post_init__


def read_matrix(path: str | Path, *, feature: str = CATEGORY, f_cat: FCat = "identity") -> Matrix:
    """A matrix from a CSV file: a header row and a first column of category names, distances from 0 to 1 between.

    Comma, semicolon or tab; rows and columns in any order; the half above or below the diagonal is enough. All
    problems of the file are reported at once, with their lines.
    """
    path = Path(path)
    rows = _rows(path)
    problems: list[Problem] = []

    def add_problem(line: int, message: str, remedy: str = "") -> None:
        problems.append(Problem("matrix", "error", f"{path}:{line}", message, remedy))

    header_line, header = rows[0]
    columns = [name.strip() for name in header[1:]]
    line_of: dict[str, int] = {}
    cells: dict[Pair, float] = {}
    for name in sorted({name for name in columns if columns.count(name) > 1}):
        add_problem(header_line, f"the header names {name!r} {columns.count(name)} times", "Name it once.")
    for line, row in rows[1:]:
        name = row[0].strip()
        if name in line_of:
            add_problem(line, f"the row of {name!r} is there already, on line {line_of[name]}", "Give it once.")
            continue
        line_of[name] = line
        if len(row) != len(header):
            n = f"{len(row)} column{'' if len(row) == 1 else 's'}"
            add_problem(line, f"the row has {n}, and the header has {len(header)}")
            continue
        for column, text in zip(columns, row[1:], strict=True):
            value = as_number(text.replace(",", "."))  # a decimal comma, as some spreadsheets write it
            if value is not None:
                cells[name, column] = value
            elif text.strip():
                add_problem(line, f"the distance of {name!r} and {column!r} is {text!r}, not a number from 0 to 1")
    for name in columns:
        if name not in line_of:
            add_problem(header_line, f"the column {name!r} has no row of that name", "Add the row.")
    for name, line in line_of.items():
        if name not in columns:
            add_problem(line, f"the row {name!r} has no column of that name", "Add the column.")
    pairs, more = _canonicalise(cells, lambda row, column: f"{path}:{line_of[row]}")
    problems += more
    if not problems:
        names = sorted(columns)
        problems += [
            _missing_distance(f"{path}:{line_of[a]}", a, b)
            for i, a in enumerate(names)
            for b in names[i:]
            if (a, b) not in pairs
        ]
    refuse(problems)
    return Matrix(pairs, feature=feature, f_cat=f_cat)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, with their line numbers: a header and at least one other row."""
    where = str(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise FormatError.of(f"the file cannot be read: {error.strerror or error}", where=where) from None
    except UnicodeDecodeError as error:
        raise FormatError.of(f"byte {error.start} is not text in UTF-8", "Save it as UTF-8.", where=where) from None
    if "\0" in text:
        raise FormatError.of("this is a binary file, not a CSV file", where=where)
    head = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise FormatError.of(f"this is not a CSV file: {error}", where=f"{where}:{reader.line_num}") from None
    if len(rows) < 2 or len(rows[0][1]) < 2:
        raise ParameterError.of(
            "there is no square table of distances",
            "The first row and the first column hold the category names.",
            where=where,
            code="matrix",
        )
    return rows


def _cells(distances: Any) -> dict[Pair, float]:
    """Flat or nested distances as one flat dictionary, with labels as text."""
    if not isinstance(distances, Mapping):
        raise ParameterError.of(
            f"the distances are a {type(distances).__name__}, not a dictionary",
            'Give them as {("A", "B"): 0.5} or {"A": {"B": 0.5}}.',
            where="matrix",
            code="matrix",
        )
    cells: dict[Pair, float] = {}
    problems: list[Problem] = []
    for key, value in distances.items():
        entries = [((key, column), x) for column, x in value.items()] if isinstance(value, Mapping) else [(key, value)]
        for pair, distance in entries:
            if isinstance(pair, tuple) and len(pair) == 2 and None not in pair:
                cells[str(pair[0]), str(pair[1])] = distance
            else:
                remedy = "Units without a category need no entry." if isinstance(pair, tuple) and None in pair else ""
                message = f"{pair!r} is not a pair of labels"
                problems.append(Problem("matrix", "error", "matrix", message, remedy, found=repr(pair)))
    refuse(problems)
    return cells


def _canonicalise(
    cells: Mapping[Pair, float], where: Callable[[str, str], str]
) -> tuple[dict[Pair, float], list[Problem]]:
    """One distance for each unordered pair, the diagonal included; and a problem for each value that is wrong."""
    pairs: dict[Pair, float] = {}
    problems: list[Problem] = []
    for (row, column), value in cells.items():
        this = f"the distance of {row!r} and {column!r} is {value!r}"
        if not (is_finite_number(value) and 0 <= value <= 1):
            remedy = "Divide all distances by the largest?" if is_finite_number(value) and value > 1 else ""
            message = f"{this}, not a number from 0 to 1"
            problems.append(Problem("matrix", "error", where(row, column), message, remedy, found=repr(value)))
            continue
        if row == column and value != 0:
            message = f"{this}, not 0 as on the whole diagonal"
            problems.append(Problem("matrix", "error", where(row, column), message, "Set it to 0."))
        other = cells.get((column, row))
        if row < column and other is not None and is_finite_number(other) and other != value:
            message = f"{this}, and that of {column!r} and {row!r} is {other!r}"
            problems.append(Problem("matrix", "error", where(row, column), message, "Make both equal."))
        pairs[min(row, column), max(row, column)] = float(value)
    for label in {label for pair in pairs for label in pair}:
        pairs.setdefault((label, label), 0.0)
    return dict(sorted(pairs.items())), problems


def _missing_distance(where: str, a: str, b: str) -> Problem:
    message = f"the categories {a!r} and {b!r} have no distance"
    return Problem("matrix", "error", where, message, "Give it a number from 0 to 1.")
