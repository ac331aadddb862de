# SPDX-License-Identifier: MIT
"""Units kept in lists of JSON: `{"start": 0, "end": 4, "label": "PER"}` or `[0, 4, "PER"]`, as many tools write them.

Shared by the readers of doccano, Prodigy, Argilla, Potato, and of data sets in the manner of Hugging Face. The label is
the feature `label`; whatever else is a word or a number becomes a feature of its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.errors import FormatError, InputError
from unisono.io.jsontree import get, malformed, parsed, parsed_lines, word, words
from unisono.io.record import RecordBuilder
from unisono.io.table import short

LABEL = "label"

_STARTS = ("start", "start_offset", "start_char", "char_start", "begin")
_ENDS = ("end", "end_offset", "end_char", "char_end")
_LABELS = (LABEL, "labels", "type", "category", "tag", "entity", "entity_group", "entity_type", "name")
#: The text a unit covers, as tools keep it.
_COVERED = ("text", "exact", "span", "surface", "word")
#: Numbers of tokens and names of units: nothing to compare annotators by.
_PLUMBING = {"token_start", "token_end", "id", "input_hash", "field", "target_field", "index"}
_NO_FEATURES = {*_STARTS, *_ENDS, *_COVERED, *_PLUMBING, LABEL}


def values(text: str, where: str, what: str) -> Iterator[tuple[str, Any]]:
    """Places and values of a file: of the items of a list, of JSON lines, or of one single object."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        found = parsed(text, where, what)
        yield from ((f"{where} item {number}", value) for number, value in enumerate(found, start=1))
        return
    first, _, rest = start.partition("\n")
    if start.startswith("{") and (first.rstrip().endswith("}") or not rest.strip()):
        yield from ((f"{where}:{number}", value) for number, value in parsed_lines(text, where, what))
        return
    yield where, parsed(text, where, what)


def as_objects(value: Any) -> Any:
    """A list of objects where datasets have stored one list for each of their parts; anything else as it is.

    >>> as_objects({"start": [0, 5], "end": [4, 9]})
    [{'start': 0, 'end': 4}, {'start': 5, 'end': 9}]
    """
    if not isinstance(value, dict) or not value or not all(isinstance(part, list) for part in value.values()):
        return value
    if len({len(part) for part in value.values()}) != 1:
        return value
    return [dict(zip(value, parts, strict=True)) for parts in zip(*value.values(), strict=True)]


def is_unit(item: Any) -> bool:
    """Whether a value looks like a unit.

    >>> is_unit([0, 4, "PER"]), is_unit({"start": 0, "end": 4}), is_unit({"rank": 1}), is_unit("PER")
    (True, True, False, False)
    """
    if isinstance(item, dict):
        return any(name in item for name in _STARTS) and any(name in item for name in _ENDS)
    return isinstance(item, list) and len(item) in (2, 3) and not isinstance(item[0], str | list | dict)


def bounds_of(item: Any) -> tuple[Any, Any]:
    """Start and end of what looks like a unit, whatever they are called and whatever they are.

    >>> bounds_of([0, 4, "PER"]), bounds_of({"start_offset": 0, "end_offset": 4})
    ((0, 4), (0, 4))
    """
    if isinstance(item, dict):
        return item[_named(item, _STARTS) or ""], item[_named(item, _ENDS) or ""]
    return item[0], item[1]


def add_unit(builder: RecordBuilder, sheet: int, item: Any, where: str) -> None:
    """Add one unit; what cannot be one is a fault."""
    if not is_unit(item):
        builder.fault(
            "missing-position",
            where,
            "a unit with start, end and label",
            short(repr(item)),
            "correct the file, or export it again from the tool",
        )
        return
    start, end = bounds_of(item)
    if isinstance(item, list):
        builder.unit(sheet, start, end, {LABEL: words(item[2]) if len(item) > 2 else None}, where)
        return
    label = _named(item, _LABELS)
    features = {LABEL: words(item[label]) if label else None}
    features |= {name: words(value) for name, value in item.items() if name not in _NO_FEATURES and name != label}
    covered = next((item[name] for name in _COVERED if isinstance(item.get(name), str)), None)
    builder.unit(sheet, start, end, features, where, covered=covered)


def _named(item: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in item), None)


def fields_of(row: Mapping[str, Any], *members: str) -> dict[str, str]:
    """Words and numbers of an object, and of those of its members that are objects, as fields for layouts."""
    found = {name: text for name, value in row.items() if (text := word(value))}
    for member in members:
        inner = get(row, member, dict) or {}
        found |= {f"{member}.{name}": text for name, value in inner.items() if (text := word(value))}
    return {name: text for name, text in found.items() if len(text) <= 200}


def tell_passed_over(builder: RecordBuilder, passed_over: Counter[str], expected: str = "units on a continuum") -> None:
    """A note on what has no place on a continuum, where there is any."""
    if passed_over:
        builder.note("passed-over", expected, counted(passed_over), "left out")


def counted(passed_over: Counter[str]) -> str:
    """What was left out, in words."""
    return ", ".join(f"{count} {what}" for what, count in sorted(passed_over.items()))


def no_annotations(builder: RecordBuilder, passed_over: Counter[str], remedy: str) -> InputError:
    """The refusal of a file in which nobody annotated anything."""
    found = f"none ({counted(passed_over)})" if passed_over else "none"
    return FormatError.of("annotated texts", found, remedy, where=builder.file.where, code="no-annotations")


def row_object(value: Any, where: str, what: str) -> dict[str, Any]:
    """A row that must be an object."""
    if not isinstance(value, dict):
        raise malformed(where, what, f"{short(repr(value))} instead of an object")
    return value
