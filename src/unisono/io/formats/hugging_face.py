# SPDX-License-Identifier: MIT
"""Data sets as Hugging Face stores them: one text per row and a column with the list of its units; Parquet or JSON.

The units are objects with a start, an end and a label, or lists `[start, end, label]`, or one object of lists, as the
library `datasets` stores sequences of objects. Every column of such lists is a layer. Labels stored as numbers
(`ClassLabel`) get the names that `datasets` describes in the file. A column `annotator` (or `annotator_id`, `user`,
`worker_id`, ...) names the annotator, or else the path does; `document`, `doc_id`, `id`, ... names the document, or
else it is the number of the row. Other columns are fields. Positions are characters.

If there are no such lists but a column of `tokens` (or `words`) and one of tags (`ner_tags`: B-PER, I-PER, O, or
numbers whose names the file describes), the tags are read as units on the tokens joined by blanks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed, word
from unisono.io.files.opening import File
from unisono.io.formats.bio_tags import is_tag, tag_runs
from unisono.io.formats.json_spans import (
    LABEL,
    add_unit,
    as_objects,
    bounds_of,
    fields_of,
    is_unit,
    require_object,
    values,
)
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_WHAT = "a Hugging Face data set"
_REMEDY = "Units need a start and an end, or there must be tokens and tags such as B-PER (numbers need names)."
_PARQUET = b"PAR1"
_TEXTS = ("text", "sentence", "content", "document_text")
_TOKENS = ("tokens", "words")
_ANNOTATORS = ("annotator", "annotator_id", "annotator_name", "user", "user_id", "username", "worker_id", "worker")
_DOCUMENTS = ("document", "document_id", "doc_id", "id", "idx", "file_name", "filename", "title", "name")


def read(file: File, settings: Settings) -> Record:
    """The units of all rows."""
    return record_of(file, file.data(), settings)


def record_of(file: File, data: bytes, settings: Settings) -> Record:
    """The units of all rows, from a file's bytes."""
    if data.startswith(_PARQUET):
        items, names = _parquet_rows(file, data)
        builder = RecordBuilder(file, "Parquet with lists of units")
    else:
        items, names = [*values(decode(data, file.where, settings.encoding), file.where, _WHAT)], {}
        builder = RecordBuilder(file, "JSON with lists of units")
    rows = [(where, require_object(value, where, _WHAT)) for where, value in items]
    layers = _layers(rows)
    if not layers:
        rows = [(where, _units_from_tags(row, names)) for where, row in rows]
        layers = _layers(rows)
    if not layers:
        raise malformed(file.where, _WHAT, "no column has lists of units", _REMEDY)
    for number, (where, row) in enumerate(rows, start=1):
        common = {
            "document": _first_value(row, _DOCUMENTS) or str(number),
            "annotator": _first_value(row, _ANNOTATORS),
            "text": _text(row, layers),
            "fields": fields_of(row, "meta", "metadata"),
            "where": where,
        }
        for layer in layers:
            sheet = builder.sheet(layer=layer, **common)
            _add_cell(builder, sheet, row.get(layer), names.get(layer, ()), f"{where} {layer}")
    annotator, document = _first_column(rows, _ANNOTATORS), _first_column(rows, _DOCUMENTS)
    called = {"document": f"column {document}" if document else "rows"}
    return builder.record(category=LABEL, called=called | ({"annotator": f"column {annotator}"} if annotator else {}))


def _add_cell(builder: RecordBuilder, sheet: int, cell: Any, names: Sequence[str], where: str) -> None:
    """Add the units of one row; a cell that is neither empty nor a list with units is a fault."""
    units = as_objects(cell)
    if units is None or units in ([], {}):
        return
    if not isinstance(units, list) or not any(map(is_unit, units)):
        message = f"{short(repr(cell))} is not a list of units, or its tags do not fit the tokens"
        builder.fault("missing-position", where, message, "Correct the row.")
        return
    for position, unit in enumerate(units, start=1):
        add_unit(builder, sheet, _with_name(unit, names), f"{where} {position}")


def _layers(rows: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """The columns that have lists of units."""
    return list(dict.fromkeys(name for _, row in rows for name, value in row.items() if _units(value)))


def fits(data: bytes) -> bool:
    """Whether a Parquet file has lists of objects or of tokens, and is thus no table with a row for each unit."""
    import pyarrow
    import pyarrow.parquet

    try:
        schema = pyarrow.parquet.read_schema(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        return False  # the reader of tables will report what is wrong
    return any(_is_nested(pyarrow.types, field.type) or field.name in _TOKENS for field in schema)


def _is_nested(types: Any, kind: Any) -> bool:
    """Whether a type is a list of objects, or an object of lists."""
    if types.is_list(kind) or types.is_large_list(kind):
        return bool(types.is_struct(kind.value_type))
    return bool(types.is_struct(kind)) and any(
        types.is_list(kind.field(i).type) or types.is_large_list(kind.field(i).type) for i in range(kind.num_fields)
    )


def _units(value: Any) -> list[Any]:
    """The units in a cell; none if it holds anything else."""
    value = as_objects(value)
    return value if isinstance(value, list) and value and all(is_unit(item) for item in value) else []


def _text(row: Mapping[str, Any], layers: list[str]) -> str | None:
    """The text that the units are on; none if positions have fractions, as on a recording."""
    bounds = (bound for layer in layers for unit in _units(row.get(layer)) for bound in bounds_of(unit))
    if any(isinstance(bound, float) for bound in bounds):
        return None
    return next((row[name] for name in _TEXTS if isinstance(row.get(name), str)), None)


def _units_from_tags(row: dict[str, Any], names: Mapping[str, list[str]]) -> dict[str, Any]:
    """A row of tokens and tags as a row with a text and lists of units; other rows unchanged."""
    tokens = next((row[name] for name in _TOKENS if isinstance(row.get(name), list)), None)
    if tokens is None or not all(isinstance(token, str) for token in tokens):
        return row
    starts = [0, *accumulate(len(token) + 1 for token in tokens)]
    columns: dict[str, Any] = {"text": " ".join(tokens)}
    for column, cells in row.items():
        if not isinstance(cells, list) or cells is tokens or len(cells) != len(tokens):
            continue
        tags = [_tag(cell, names.get(column, ())) for cell in cells]
        if all(is_tag(tag) for tag in tags):
            columns[column] = [
                {"start": starts[first], "end": starts[after] - 1, LABEL: label}
                for first, after, label in tag_runs(tags)
            ]
    return {name: value for name, value in row.items() if name not in _TOKENS} | columns


def _tag(cell: Any, names: Sequence[str]) -> str:
    """A cell as a tag; `?`, which is no tag, for a cell that cannot be one."""
    if isinstance(cell, int) and not isinstance(cell, bool):
        return names[cell] if 0 <= cell < len(names) else "?"
    return cell if isinstance(cell, str) else "?"


def _with_name(unit: Any, names: Sequence[str]) -> Any:
    """The unit with the name of its label, if the label is a number and its name is known."""
    code = unit.get(LABEL) if isinstance(unit, dict) else None
    if isinstance(code, int) and not isinstance(code, bool) and 0 <= code < len(names):
        return {**unit, LABEL: names[code]}
    return unit


def _first_value(row: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((text for name in names if (text := word(row.get(name)))), None)


def _first_column(rows: list[tuple[str, dict[str, Any]]], names: tuple[str, ...]) -> str | None:
    return next((name for name in names for _, row in rows if word(row.get(name))), None)


def _parquet_rows(file: File, data: bytes) -> tuple[list[tuple[str, Any]], dict[str, list[str]]]:
    """Places and rows of a Parquet file, and the names of labels by column."""
    from unisono.io.tables.parquet import arrow_table

    table = arrow_table(file, data)
    rows = table.to_pylist()
    description = (table.schema.metadata or {}).get(b"huggingface", b"{}")
    return [(f"{file.where} row {i}", row) for i, row in enumerate(rows, start=1)], dict(_label_names(description))


def _label_names(text: bytes) -> Iterator[tuple[str, list[str]]]:
    """The names of labels stored as numbers, by column: the first ClassLabel in the column's description."""
    try:
        features = json.loads(text)["info"]["features"]
        columns = list(features.items())
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return
    for column, description in columns:
        todo = [description]
        while todo:
            part = todo.pop()
            if isinstance(part, dict) and part.get("_type") == "ClassLabel" and isinstance(part.get("names"), list):
                yield column, [str(name) for name in part["names"]]
                break
            todo += part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
