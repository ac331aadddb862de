# SPDX-License-Identifier: MIT
"""Which column has which role: by option, by name with the usual synonyms, or, without a header, by known orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from unisono.errors import FormatError, ParameterError, Problem
from unisono.io.tables.cells import Cells, Table, first_cells
from unisono.io.tables.header_names import PLAIN_NAMES, match_names, plain
from unisono.io.tables.numbers import Numbers, is_number
from unisono.io.tables.span_cells import holds_spans
from unisono.io.tables.written_numbers import NumberStyle, is_time_code, read_time_code, without_groups
from unisono.io.wording import join_phrases, listing, short
from unisono.nouns import quantity

#: The words of a name, and a number or letter after one: annotator2, coder_b.
_WORD = re.compile(r"[^\W_]+")
_NUMBERED = re.compile(r"(?:[0-9]+|[a-d])$")
#: What columns of one annotator each are called, with a number or a letter after it.
_OF_ONE_ANNOTATOR = {*PLAIN_NAMES["annotator"], "ann", "anno"}


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column has which role, by name or by number counted from 1; roles left out are found by name.

    An empty name says that there is no such column: `Columns(category="")` reads units without category.

    >>> Columns(annotator="who", start=3)
    Columns(annotator='who', start=3, end=None, category=None, document=None, duration=None)
    """

    annotator: str | int | None = None
    start: str | int | None = None
    end: str | int | None = None
    category: str | int | None = None
    document: str | int | None = None
    #: Used where there is no end: end = start + duration.
    duration: str | int | None = None

    def __post_init__(self) -> None:
        for role, column in self.given():
            if isinstance(column, bool) or (isinstance(column, int) and column < 1):
                raise ParameterError.of(
                    f"{column!r} is not a column for the {role}", "Give its name, or its number counted from 1."
                )

    @classmethod
    def of(cls, columns: Columns | Mapping[str, str | int | None] | None) -> Columns:
        """The same from a mapping `{"annotator": "who"}`.

        >>> Columns.of({"annotator": "who"}).annotator
        'who'
        >>> Columns.of({"who": "annotator"})
        Traceback (most recent call last):
        unisono.errors.ParameterError: a column has no role 'who'. The roles are annotator, start, end, category, \
document and duration.
        """
        if columns is None or isinstance(columns, Columns):
            return columns or cls()
        roles = [item.name for item in fields(cls)]
        if not isinstance(columns, Mapping):
            raise ParameterError.of(
                f"[[columns]] is of type {type(columns).__name__}",
                'Give a mapping from roles to columns, such as {"annotator": "who"}.',
            )
        unknown = [role for role in columns if role not in roles]
        if unknown:
            raise ParameterError.of(f"a column has no role {unknown[0]!r}", f"The roles are {join_phrases(roles)}.")
        return cls(**columns)

    def given(self) -> Iterator[tuple[str, str | int]]:
        """The roles that were given a column."""
        for item in fields(self):
            column = getattr(self, item.name)
            if column is not None:
                yield item.name, column


@dataclass(frozen=True, slots=True)
class Schema:
    """What a table is expected to hold."""

    roles: tuple[str, ...]
    #: One column of each group is required.
    required: tuple[tuple[str, ...], ...]
    #: The first row is a header if it has a name from each group.
    header_signs: tuple[tuple[str, ...], ...]
    #: The known orders of columns without a header, the likeliest first; columns of `numeric` roles must be numbers.
    layouts: tuple[tuple[str, ...], ...]
    numeric: tuple[str, ...]
    #: What to do where there are no options for the columns; "" where there are.
    remedy: str = ""
    #: Columns after those of a known order are ignored.
    ignores_rest: bool = False


UNITS = Schema(
    roles=("annotator", "start", "end", "category", "document", "duration"),
    required=(("annotator",), ("start",), ("end", "duration")),
    header_signs=(("start",), ("end", "duration")),
    layouts=(
        ("annotator", "start", "end"),
        ("annotator", "category", "start", "end"),  # pygamma-agreement
        ("annotator", "start", "end", "category"),
        ("document", "annotator", "start", "end", "category"),
        ("document", "annotator", "category", "start", "end"),
    ),
    numeric=("start", "end"),
)


#: Values of a column `set` that divide data for learning and testing.
_SPLITS = frozenset({
    "train", "training", "dev", "devel", "development", "val", "valid", "validation", "test", "testing", "eval",
    "evaluation", "holdout", "trial",
})  # fmt: skip

#: Units of one annotator whose name is not in the table: the annotator's column may be missing.
UNITS_OF_ONE = replace(
    UNITS,
    required=UNITS.required[1:],
    layouts=(("start", "end"), ("start", "end", "category"), ("category", "start", "end"), *UNITS.layouts),
)


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """The column of each role, counted from 0, and notes on those that were guessed."""

    roles: Mapping[str, int]
    notes: tuple[Problem, ...] = ()


def is_header(first: Sequence[str], below: Sequence[Cells], schema: Schema, given: Columns) -> bool:
    """Whether a first row has names: those given by option, the usual ones, or text above columns of numbers."""
    if any(isinstance(column, str) and column and not column.isdecimal() for _, column in given.given()):
        return True
    if has_header_signs(first, schema):
        return True
    if "start" in schema.numeric and any(map(holds_spans, below)):
        return not any("[" in cell for cell in first)
    if not schema.numeric or not all(cell.strip() and not is_number(cell) for cell in first):
        return False
    # A row of units has numbers. A first row of usual names is a header even if columns are missing, which is reported.
    if "start" in schema.numeric and len(first) > 1 and match_names(first, [*PLAIN_NAMES], {}):
        return True
    if len(match_names(first, schema.roles, {})) > 1:
        return True
    return sum(is_numeric(cells) for cells in below) >= len(schema.numeric)


def has_header_signs(names: Sequence[str], schema: Schema) -> bool:
    """Whether the names are those of a header of such a table."""
    matches = match_names(names, schema.roles, {})
    return all(any(role in matches for role in group) for group in schema.header_signs)


def is_numeric(cells: Cells) -> bool:
    """Whether at least half of the filled cells at the beginning of a column are numbers."""
    if isinstance(cells, Numbers):
        return True
    filled = [cell for cell in first_cells(cells, 1000) if cell.strip()]
    return bool(filled) and 2 * sum(map(is_number, filled)) >= len(filled)


def find_roles(table: Table, schema: Schema, given: Columns) -> ColumnRoles:
    """Find the column of each role, or raise a FormatError that lists the columns there are."""
    names, cells, has_header, where = table.names, table.columns, table.has_header, table.heading
    taken, absent, problems = _given_roles(names, has_header, given, where)
    if problems:
        raise FormatError(problems)
    roles = [role for role in schema.roles if role not in absent and role not in taken]
    notes: list[Problem] = []
    if has_header:
        for role, hits in match_names(names, roles, taken).items():
            free = [
                i
                for i in hits
                if i not in taken.values() and not (role == "annotator" and _is_split(names[i], cells[i]))
            ]
            if not free:
                continue
            taken[role] = free[0]
            if len(free) > 1 and plain(names[free[0]]) != role:
                several = join_phrases([short(names[i]) for i in free[:10]])
                message = f"the columns {several} could be the {role}; {short(names[free[0]])} was taken"
                remedy = schema.remedy or f"Name another one with [[{role}_column]] if that is wrong."
                notes.append(Problem("column-choice", "note", where, message, remedy))
    elif not _is_complete(taken, schema):
        taken, note = _roles_by_order(cells, schema, taken, absent, where)
        notes.append(note)
    if "end" in taken and given.duration is None:
        taken.pop("duration", None)
    if not _is_complete(taken, schema):
        splits = {i for i, name in enumerate(names) if _is_split(name, cells[i])}
        raise FormatError([_missing_columns(names, has_header, schema, taken, where, splits)])
    return ColumnRoles(taken, tuple(notes))


def _is_split(name: str, cells: Cells) -> bool:
    """Whether a column `set`, which may name annotators, says what the rows are for: train, test."""
    if plain(name) != "set" or isinstance(cells, Numbers):
        return False
    values = {plain(cell) for cell in first_cells(cells, 1000)} - {""}
    return bool(values) and values <= _SPLITS


def _is_complete(taken: Mapping[str, int], schema: Schema) -> bool:
    return all(any(role in taken for role in group) for group in schema.required)


def _given_roles(
    names: Sequence[str], has_header: bool, given: Columns, where: str
) -> tuple[dict[str, int], set[str], list[Problem]]:
    """The roles given by option: their columns, the roles said to have none, and the columns that do not exist."""
    taken: dict[str, int] = {}
    absent: set[str] = set()
    problems = []
    for role, column in given.given():
        if column == "":
            absent.add(role)
            continue
        hits = [i for i, name in enumerate(names) if name == column] if has_header and isinstance(column, str) else []
        if not hits and has_header and isinstance(column, str):
            hits = [i for i, name in enumerate(names) if plain(name) == plain(column)]
        if not hits and (isinstance(column, int) or column.isdecimal()) and 1 <= int(column) <= len(names):
            hits = [int(column) - 1]
        if not hits:
            problems.append(_unknown_column(role, column, names, has_header, where))
        elif hits[0] in taken.values():
            other = next(key for key, i in taken.items() if i == hits[0])
            message = f"column {column!r} is given both for the {other} and for the {role}"
            problems.append(Problem("unknown-column", "error", where, message, "Give each a column of its own."))
        else:
            taken[role] = hits[0]
    return taken, absent, problems


def _shape(names: Sequence[str], has_header: bool) -> str:
    """The columns that there are, for messages."""
    if has_header:
        return f"the {'column is' if len(names) == 1 else 'columns are'} {listing(names)}"
    return f"there {'is' if len(names) == 1 else 'are'} {quantity(len(names), 'column')} without names"


def _unknown_column(role: str, column: str | int, names: Sequence[str], has_header: bool, where: str) -> Problem:
    from difflib import get_close_matches

    remedy = f"Give [[{role}_column]] {'one of these names, or ' if has_header else ''}a number counted from 1."
    if isinstance(column, str):
        lower = {name.casefold(): name for name in names if name == short(name)}  # comparing long names is slow
        close = get_close_matches(column.casefold(), lower, n=1)
        if close and has_header:
            remedy = f"Did you mean {lower[close[0]]!r}?"
    message = f"there is no column {column!r} for the {role}: {_shape(names, has_header)}"
    return Problem("unknown-column", "error", where, message, remedy)


def _missing_columns(
    names: Sequence[str], has_header: bool, schema: Schema, taken: Mapping[str, int], where: str, splits: set[int]
) -> Problem:
    """The problem of a table without required columns; `splits` are columns of the values train, test and the like."""
    from difflib import get_close_matches

    groups = [group for group in schema.required if not any(role in taken for role in group)]
    wanted = [f"the {group[0]}" + (f" (or {' or '.join(group[1:])})" if group[1:] else "") for group in groups]
    used = {*taken.values(), *splits}
    free = {plain(name): name for i, name in enumerate(names) if i not in used and name == short(name)}
    settings = []
    for group in groups:
        usual = [name for role in group for name in PLAIN_NAMES[role]]
        close = [name for name in free.values() if set(map(plain, _WORD.findall(name))) & set(usual)]
        close += [free[hit] for name in usual for hit in get_close_matches(name, free, 1, 0.8)]
        settings.append(f"[[{group[0]}_column]]" + (f" (maybe {close[0]!r})" if close and has_header else ""))
    remedy = schema.remedy or f"Name {'it' if len(groups) == 1 else 'them'} with {join_phrases(settings)}."
    if not schema.remedy and has_header and len(names) - len(used) < len(groups) > 1:
        remedy = "Give a table with a row for each unit, and columns such as annotator, start, end, category."
    if groups == [("annotator",)] and not schema.remedy:
        remedy += (
            " If the whole file is by one annotator, give the files of all annotators with [[annotator_from=stem]]."
        )
    others = [role for role in ("category", "document") if role in schema.roles and role not in taken]
    if others and has_header and not schema.remedy and len(free) > len(groups):
        hints = join_phrases([f"[[{role}_column]]" for role in others])
        remedy += f" If one of the other columns is the {' or the '.join(others)}, name it at once with {hints}."
    message = f"no column was recognised for {join_phrases(wanted)}: {_shape(names, has_header)}"
    if splits and ("annotator",) in groups:
        message += f" ({names[min(splits)]} names parts of the data, not annotators)"
    several = [name for name in free.values() if _NUMBERED.sub("", plain(name)) in _OF_ONE_ANNOTATOR]
    if len(several) > 1 and ("annotator",) in groups and not schema.remedy:
        remedy = (
            f"If {join_phrases(several[:5])} are one annotator each, make a row for each unit of each annotator, with "
            f"the annotator's name in a column annotator. Otherwise n{remedy[1:]}"
        )
        return Problem("annotators-in-columns", "error", where, message, remedy)
    return Problem("unknown-column", "error", where, message, remedy)


def _roles_by_order(
    cells: Sequence[Cells], schema: Schema, taken: Mapping[str, int], absent: set[str], where: str
) -> tuple[dict[str, int], Problem]:
    """Without a header: the known order in which start and end are numbers, and in order in most rows."""
    numeric = [is_numeric(column) for column in cells]
    width = len(cells)
    fitting: list[tuple[tuple[int, int, int], tuple[str, ...]]] = []
    for layout in schema.layouts:
        if len(layout) != width and not (schema.ignores_rest and len(layout) <= width):
            continue
        place = {role: i for i, role in enumerate(layout)}
        if any(place.get(role) != i for role, i in taken.items()):
            continue
        if all(numeric[i] for role, i in place.items() if role in schema.numeric):
            n_numeric = sum(role in schema.numeric for role in layout)
            fitting.append(((_n_reversed(cells, place), -len(layout), -n_numeric), layout))
    fitting.sort(key=lambda item: item[0])
    # Of two equally good readings of four columns pygamma's is taken; otherwise the user has to decide.
    tied = len(fitting) > 1 and fitting[0][0] == fitting[1][0]
    if tied and not (fitting[0][1][:2] == ("annotator", "category") and not numeric[0]):
        fitting = []
    if width == 1 and not fitting and not schema.remedy:
        raise FormatError.of(
            "the table has 1 column",
            "Are the columns separated by blanks? Separate them by commas, semicolons or tabs.",
            where=where,
            code="ambiguous-columns",
        )
    by_number = "[[annotator_column]], [[start_column]] and [[end_column]]"
    if not fitting:
        shape = ", ".join("numbers" if is_number_column else "text" for is_number_column in numeric)
        known = [f"({', '.join(layout)})" for layout in schema.layouts if len(layout) == width]
        orders = f"; known orders of {width} are {' and '.join(known)}" if len(known) > 1 else ""
        raise FormatError.of(
            f"the table has {quantity(width, 'column')} without a header, in no known order ({shape}{orders})",
            schema.remedy
            or "Add a header line with names such as annotator, start, end, or give the numbers of the columns, "
            f"from 1, with {by_number}.",
            where=where,
            code="ambiguous-columns",
        )
    layout = fitting[0][1]
    message = f"there is no header; the columns are read as {join_phrases(list(layout))}"
    remedy = schema.remedy or f"If that is wrong, give the numbers of the columns, from 1, with {by_number}."
    note = Problem("guessed-columns", "note", where, message, remedy)
    return {role: i for i, role in enumerate(layout) if role not in absent}, note


def _n_reversed(cells: Sequence[Cells], place: Mapping[str, int]) -> int:
    """How many of the first rows would end before they start with the columns in this order."""
    if "start" not in place or "end" not in place:
        return 0
    first, last = cells[place["start"]], cells[place["end"]]
    if isinstance(first, Numbers) or isinstance(last, Numbers):
        return 0
    pairs = zip(first_cells(first, 1000), first_cells(last, 1000), strict=True)
    return sum(is_number(start) and is_number(end) and _value(end) < _value(start) for start, end in pairs)


def _value(cell: str) -> float:
    """The number in a cell, roughly, for comparing."""
    text = cell.strip()
    if is_time_code(text):
        return float(read_time_code(text, NumberStyle(fps=1000)))
    return float((without_groups(text, None) or text).replace(",", ".", 1).replace(",", ""))
