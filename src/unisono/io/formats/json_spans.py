# SPDX-License-Identifier: MIT
"""Units in lists of JSON, such as `{"start": 0, "end": 4, "label": "PER"}` or `[0, 4, "PER"]`.

Shared by the readers of Argilla, doccano, factgenie, Hugging Face data sets, Potato, Prodigy and web annotations. The
label becomes the feature `label`; other words and numbers of a unit become features under their own names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from unisono.errors import FormatError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, parse_json_lines, word, words
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import list_counts, short
from unisono.nouns import quantity

LABEL = "label"

#: The annotator of predictions whose model the file does not name.
UNNAMED_MODEL = "model"

_STARTS = ("start", "start_offset", "start_char", "char_start", "begin")
_ENDS = ("end", "end_offset", "end_char", "char_end")
_LABELS = (LABEL, "labels", "type", "category", "tag", "entity", "entity_group", "entity_type", "name")
#: Keys under which tools store the text that a unit covers.
_COVERED = ("text", "exact", "span", "surface", "word")
#: Token numbers and identifiers, by which annotators are not compared.
_TECHNICAL = {"token_start", "token_end", "id", "input_hash", "field", "target_field", "index"}
_NO_FEATURES = {*_STARTS, *_ENDS, *_COVERED, *_TECHNICAL, LABEL}


def objects(file: File, settings: Settings, what: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Places and objects of a JSON file whose values must all be objects; `what` is the format's name."""
    text = decode(file.data(), file.where, settings.encoding)
    return ((where, require_object(value, where, what)) for where, value in values(text, file.where, what))


def values(text: str, where: str, what: str) -> Iterator[tuple[str, Any]]:
    """Places and values of a text: of the items of a list, of JSON lines, or of one single object."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        items = parse_json(text, where, what)
        yield from ((f"{where} item {number}", value) for number, value in enumerate(items, start=1))
        return
    first, *rest = split_lines(start)
    if start.startswith("{") and (first.rstrip().endswith("}") or not any(line.strip() for line in rest)):
        yield from ((f"{where}:{number}", value) for number, value in parse_json_lines(text, where, what))
        return
    yield where, parse_json(text, where, what)


def require_object(value: Any, where: str, what: str) -> dict[str, Any]:
    """The value, refused unless it is an object."""
    if not isinstance(value, dict):
        raise malformed(where, what, f"there is {short(repr(value))} instead of an object")
    return value


def as_objects(value: Any) -> Any:
    """A list of objects where a data set has stored one list for each of their members; other values unchanged.

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
    """Start and end of what looks like a unit, whatever their keys are; the values are not checked.

    >>> bounds_of([0, 4, "PER"]), bounds_of({"start_offset": 0, "end_offset": 4})
    ((0, 4), (0, 4))
    """
    if isinstance(item, dict):
        return item[_first_key(item, _STARTS) or ""], item[_first_key(item, _ENDS) or ""]
    return item[0], item[1]


def add_unit(builder: RecordBuilder, sheet: int, item: Any, where: str) -> None:
    """Add one unit; a value that does not look like a unit is a fault."""
    if not is_unit(item):
        builder.fault(
            "missing-position",
            where,
            f"{short(repr(item))} has no start and end",
            "Correct the file, or export it again from the tool.",
        )
        return
    start, end = bounds_of(item)
    if isinstance(item, list):
        builder.unit(sheet, start, end, {LABEL: words(item[2]) if len(item) > 2 else None}, where)
        return
    label = _first_key(item, _LABELS)
    features = {LABEL: words(item[label]) if label else None}
    features |= {name: words(value) for name, value in item.items() if name not in _NO_FEATURES and name != label}
    covered = next((item[name] for name in _COVERED if isinstance(item.get(name), str)), None)
    builder.unit(sheet, start, end, features, where, covered=covered)


def _first_key(item: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in item), None)


def fields_of(row: Mapping[str, Any], *members: str) -> dict[str, str]:
    """The words and numbers of an object and of these members of it that are objects, as fields for the layout."""
    fields = {name: text for name, value in row.items() if (text := word(value))}
    for member in members:
        inner = get(row, member, dict) or {}
        fields |= {f"{member}.{name}": text for name, value in inner.items() if (text := word(value))}
    return {name: text for name, text in fields.items() if len(text) <= 200}


def finish(
    builder: RecordBuilder,
    left_out: Counter[str],
    remedy: str,
    *,
    called: Mapping[str, str],
    category: str = LABEL,
    reads: str = "units on a continuum",
    n_predictions: int = 0,
) -> Record:
    """The record, with a note on what was left out; a file without any annotation is refused with the remedy."""
    if not builder.sheets:
        left_out = left_out + Counter({"prediction(s)": n_predictions} if n_predictions else {})
        only = f", only {list_counts(left_out)}" if left_out else ""
        if n_predictions:
            remedy = f"{remedy} Give [[predictions=True]] to read predictions as annotators."
        raise FormatError.of(
            f"there are no annotations in this file{only}",
            remedy,
            where=builder.file.where,
            code="no-annotations",
        )
    note_left_out(builder, left_out, reads)
    return builder.record(category=category, called=called)


def note_left_out(builder: RecordBuilder, left_out: Counter[str], reads: str = "units on a continuum") -> None:
    """Note what a reader left out, if anything: counts by name, in which `(s)` stands for the plural ending."""
    if left_out:
        verb = "was" if left_out.total() == 1 else "were"
        builder.note("passed-over", f"{list_counts(left_out)} {verb} left out: only {reads} are read")


def note_predictions(builder: RecordBuilder, models: Mapping[str, int]) -> None:
    """Note the predictions that were not read, by model."""
    for model, n_predictions in sorted(models.items()):
        is_one = n_predictions == 1
        builder.note(
            "predictions",
            f"{quantity(n_predictions, 'prediction')} by model {short(model)} {'is' if is_one else 'are'} not read",
            f"Give [[predictions=True]] to read {'it' if is_one else 'them'} as an annotator.",
        )
