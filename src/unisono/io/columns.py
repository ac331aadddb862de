# SPDX-License-Identifier: MIT
"""Which column is what: by option, by name with the usual synonyms, or, without a header, by known layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from unisono.errors import FormatError, ParameterError, Problem
from unisono.io.table import Cells, Numbers, first_cells, is_number, listing, short

#: The names a column may have, the most telling first. Case, blanks and punctuation do not matter.
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "annotator": (
        "annotator", "annotator_id", "annotator_name", "coder", "coder_id", "rater", "rater_id", "worker", "worker_id",
        "user", "user_id", "user_name", "annotated_by", "labeler", "labeller", "judge", "observer", "expert",
        "completed_by", "created_by", "set",
    ),
    "start": (
        "start", "begin", "onset", "from", "start_offset", "begin_offset", "start_char", "char_start", "begin_char",
        "start_position", "start_pos", "start_time", "begin_time", "onset_time", "start_index", "start_token",
        "segment_onset", "segment_start", "span_start", "tmin", "xmin", "start_s", "start_sec", "start_ms",
    ),
    "end": (
        "end", "stop", "to", "until", "end_offset", "stop_offset", "end_char", "char_end", "end_position", "end_pos",
        "end_time", "stop_time", "offset_time", "end_index", "end_token", "segment_offset", "segment_end", "span_end",
        "tmax", "xmax", "finish", "end_s", "end_sec", "end_ms", "offset",
    ),
    "category": (
        "category", "label", "type", "tag", "class", "code", "categories", "labels", "entity_type", "entity_label",
        "annotation_type", "annotation", "concept", "speaker_type", "entity", "value",
    ),
    "document": (
        "document", "doc", "document_id", "doc_id", "document_name", "doc_name", "file", "file_name", "file_id",
        "text_id", "item", "item_id", "recording", "recording_filename", "recording_id", "track", "track_id",
        "continuum", "media", "media_file", "task_id", "instance_id", "record_id", "example_id",
        "sentence_id", "sent_id", "post_id", "comment_id",
    ),
    "duration": ("duration", "length", "dur", "len"),
    "text": ("text", "content", "body"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what, by name or by number counted from 1; what is left out is found by name.

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
                raise ParameterError.of("a column's name, or its number counted from 1", f"{role}={column!r}")

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
    #: Of each group one column must be there.
    required: tuple[tuple[str, ...], ...]
    #: A first row is a header when of each group one name is there.
    header_signs: tuple[tuple[str, ...], ...]
    #: The orders of columns known without a header, the likeliest first; the roles in `numeric` decide.
    layouts: tuple[tuple[str, ...], ...]
    numeric: tuple[str, ...]
    #: What to do where options cannot say which column is what; "" where they can.
    remedy: str = ""
    #: Further columns after a known layout are ignored.
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


#: Units of somebody whose name stands elsewhere: the annotator's column may be missing.
UNITS_OF_ONE = replace(
    UNITS,
    required=UNITS.required[1:],
    layouts=(("start", "end"), ("start", "end", "category"), ("category", "start", "end"), *UNITS.layouts),
)


@dataclass(frozen=True, slots=True)
class Resolved:
    """The column of each role, counted from 0, and what was guessed on the way."""

    roles: Mapping[str, int]
    notes: tuple[Problem, ...] = ()


def plain(name: str) -> str:
    """A name without case, blanks and punctuation, for comparing.

    >>> plain("Annotator ID") == plain("annotator_id")
    True
    """
    return "".join(character for character in name.casefold() if character.isalnum())


_PLAIN = {role: tuple(plain(name) for name in names) for role, names in SYNONYMS.items()}


def by_name(names: Sequence[str], roles: Sequence[str], taken: Mapping[str, int]) -> dict[str, list[int]]:
    """For each role the columns whose names fit it, the most telling first."""
    normal = [plain(name) for name in names]
    free = [i for i in range(len(names)) if i not in taken.values()]
    found = {}
    for role in roles:
        if role not in taken:
            rank = {name: i for i, name in enumerate(_PLAIN[role])}
            hits = sorted((i for i in free if normal[i] in rank), key=lambda i: (rank[normal[i]], i))
            if hits:
                found[role] = hits
    # "offset" beside a length is where a unit starts, not where it ends.
    if "start" in roles and not ({"start"} & (found.keys() | taken.keys())) and "duration" in found and "end" in found:
        offset = [i for i in found["end"] if normal[i] == "offset"]
        if offset and len(found["end"]) == 1:
            found["start"] = offset
            del found["end"]
    return found


def is_header(first: Sequence[str], below: Sequence[Cells], schema: Schema, given: Columns) -> bool:
    """Whether a first row holds names: the asked ones, the usual ones, or text above columns of numbers."""
    if any(isinstance(column, str) and column and not column.isdigit() for _, column in given.given()):
        return True
    found = by_name(first, schema.roles, {})
    if all(any(role in found for role in group) for group in schema.header_signs):
        return True
    if not schema.numeric or not all(cell.strip() and not is_number(cell) for cell in first):
        return False
    return sum(is_numeric(cells) for cells in below) >= len(schema.numeric)


def is_numeric(cells: Cells) -> bool:
    """Whether most of the filled cells of a column (of its beginning) are numbers."""
    if isinstance(cells, Numbers):
        return True
    filled = [cell for cell in first_cells(cells, 1000) if cell.strip()]
    return bool(filled) and 2 * sum(map(is_number, filled)) >= len(filled)


def resolve(
    names: Sequence[str],
    cells: Sequence[Cells],
    *,
    has_header: bool,
    schema: Schema,
    given: Columns,
    where: str,
) -> Resolved:
    """Find the column of each role, or raise a FormatError that lists the columns there are."""
    taken, absent, problems = _asked(names, has_header, given, where)
    if problems:
        raise FormatError(problems)
    roles = [role for role in schema.roles if role not in absent and role not in taken]
    notes: list[Problem] = []
    if has_header:
        for role, hits in by_name(names, roles, taken).items():
            free = [i for i in hits if i not in taken.values()]
            if not free:
                continue
            taken[role] = free[0]
            if len(free) > 1 and plain(names[free[0]]) != role:
                others = listing([names[i] for i in free[1:]])
                notes.append(
                    Problem(
                        "column-choice",
                        "note",
                        where,
                        f"one column for {role}",
                        f"{names[free[0]]} and {others}",
                        f"{names[free[0]]} was taken; if that is wrong, {_how(schema, **{role: 'NAME'})}",
                    )
                )
    elif not _complete(taken, schema):
        taken, note = _by_layout(cells, schema, taken, absent, where)
        notes.append(note)
    if "end" in taken and given.duration is None:
        taken.pop("duration", None)
    if not _complete(taken, schema):
        raise FormatError([_missing(names, has_header, schema, taken, where)])
    return Resolved(taken, tuple(notes))


def _complete(taken: Mapping[str, int], schema: Schema) -> bool:
    return all(any(role in taken for role in group) for group in schema.required)


def _asked(
    names: Sequence[str], has_header: bool, given: Columns, where: str
) -> tuple[dict[str, int], set[str], list[Problem]]:
    """The columns given by option: those found, the roles said to have none, and what could not be found."""
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
        if not hits and (isinstance(column, int) or column.isdigit()) and 1 <= int(column) <= len(names):
            hits = [int(column) - 1]
        if not hits:
            problems.append(_unknown(role, column, names, has_header, where))
        elif hits[0] in taken.values():
            other = next(key for key, i in taken.items() if i == hits[0])
            problems.append(
                Problem(
                    "unknown-column",
                    "error",
                    where,
                    "a column of its own for each role",
                    f"{column!r} for {other} and for {role}",
                    "give each its own column",
                )
            )
        else:
            taken[role] = hits[0]
    return taken, absent, problems


def _unknown(role: str, column: str | int, names: Sequence[str], has_header: bool, where: str) -> Problem:
    from difflib import get_close_matches

    found = f"columns {listing(names)}" if has_header else f"{len(names)} columns without names"
    remedy = "give one of these, or its number counted from 1"
    if isinstance(column, str):
        lower = {name.casefold(): name for name in names if name == short(name)}  # comparing long ones takes ages
        close = get_close_matches(column.casefold(), lower, n=1)
        if close and has_header:
            remedy = f"did you mean {lower[close[0]]!r}?"
    return Problem("unknown-column", "error", where, f"a column {column!r} for {role}", found, remedy)


def _missing(names: Sequence[str], has_header: bool, schema: Schema, taken: Mapping[str, int], where: str) -> Problem:
    from difflib import get_close_matches

    groups = [group for group in schema.required if not any(role in taken for role in group)]
    wanted = [f"{group[0]} (or {', '.join(group[1:])})" if group[1:] else group[0] for group in groups]
    expected = f"a column for {' and one for '.join(wanted)}"
    options: dict[str, str | int] = {}
    for group in groups:
        free = {plain(name): name for i, name in enumerate(names) if i not in taken.values() and name == short(name)}
        close = [free[hit] for role in group for name in _PLAIN[role] for hit in get_close_matches(name, free, 1, 0.75)]
        options[group[0]] = (repr(close[0]) if close else "NAME") if has_header else "NUMBER"
    found = listing(names) if has_header else f"{len(names)} columns without names"
    return Problem("unknown-column", "error", where, expected, found, _how(schema, **options))


def _how(schema: Schema, **columns: str | int) -> str:
    options = " ".join(f"--{role}-column {column}" for role, column in columns.items())
    return schema.remedy or f"say which: {options}"


def _by_layout(
    cells: Sequence[Cells], schema: Schema, taken: Mapping[str, int], absent: set[str], where: str
) -> tuple[dict[str, int], Problem]:
    """Without a header: the known layout whose start and end are numbers, and in order, in most rows."""
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
            fitting.append(((_out_of_order(cells, place), -len(layout), -n_numeric), layout))
    fitting.sort(key=lambda item: item[0])
    # With four columns pygamma's layout is the known one; elsewhere two equally good readings are one too many.
    tied = len(fitting) > 1 and fitting[0][0] == fitting[1][0]
    if tied and not (fitting[0][1][:2] == ("annotator", "category") and not numeric[0]):
        fitting = []
    if not fitting:
        shape = ", ".join("numbers" if is_number_column else "text" for is_number_column in numeric)
        known = " or ".join(",".join(layout) for layout in schema.layouts if len(layout) == width)
        raise FormatError.of(
            f"a header, or columns in a known order{known and f' ({known})'}",
            f"{width} columns without a header: {shape}",
            schema.remedy or f"add a header line, or {_how(schema, annotator=1, start=2, end=3)} (by number)",
            where=where,
            code="ambiguous-columns",
        )
    layout = fitting[0][1]
    note = Problem(
        "guessed-columns",
        "note",
        where,
        "a header",
        f"none; columns read as {', '.join(layout)}",
        f"if they are something else, {_how(schema, annotator=1, start=2, end=3)} (by number)",
    )
    return {role: i for i, role in enumerate(layout) if role not in absent}, note


def _out_of_order(cells: Sequence[Cells], place: Mapping[str, int]) -> int:
    """How many of the first rows would end before they start, were they laid out so."""
    if "start" not in place or "end" not in place:
        return 0
    first, last = cells[place["start"]], cells[place["end"]]
    if isinstance(first, Numbers) or isinstance(last, Numbers):
        return 0
    pairs = zip(first_cells(first, 1000), first_cells(last, 1000), strict=True)
    return sum(is_number(start) and is_number(end) and _value(end) < _value(start) for start, end in pairs)


def _value(cell: str) -> float:
    return float(cell.strip().replace(",", "."))
