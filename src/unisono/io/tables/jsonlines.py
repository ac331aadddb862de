# SPDX-License-Identifier: MIT
"""JSON lines: one object per line, its keys are the column names; and how values of any type become cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.files.jsontree import RepeatedKeyError, distinct_members, guard_stack, replace_lone_surrogates
from unisono.io.files.lines import split_lines
from unisono.io.tables.cells import Cells, Table
from unisono.io.tables.numbers import Numbers
from unisono.io.wording import short

#: Joins the members of a list in one cell: the separator of set-valued categories.
JOINED = "|"


def read_jsonlines(text: str, *, where: str, stem: str) -> Table:
    """The table in JSON lines; a FormatError lists every line that is not an object."""
    lines = split_lines(text)
    numbers = [i + 1 for i, line in enumerate(lines) if line and not line.isspace()]
    filled = [lines[i - 1] for i in numbers] if len(numbers) < len(lines) else lines
    if filled[0].lstrip().startswith("["):
        raise FormatError.of(
            "the file is one JSON array, and a table in JSON has one object per line",
            "Write one object per line, for example with jq -c '.[]'.",
            where=f"{where}:{numbers[0]}",
            code="json",
        )
    objects = _objects(filled, numbers, where)
    names = tuple(dict.fromkeys(chain.from_iterable(objects)))
    columns = [cells_of_values([item.get(name) for item in objects]) for name in names]

    def place(row: int) -> str:
        return f"{where}:{numbers[row]}"

    return Table.with_names(where, stem, "JSON lines", names, columns, len(objects), place)


def _objects(lines: list[str], numbers: list[int], where: str) -> list[dict[str, Any]]:
    try:  # all at once is faster than line by line
        together = f"[{','.join(lines)}]"
        guard_stack(together)
        objects = json.loads(replace_lone_surrogates(together), object_pairs_hook=distinct_members)
        if len(objects) == len(lines) and all(type(item) is dict for item in objects):
            return list(objects)
    except (ValueError, RecursionError):
        pass
    objects, problems = [], []
    for line, number in zip(lines, numbers, strict=True):
        try:
            guard_stack(line)
            item = json.loads(replace_lone_surrogates(line), object_pairs_hook=distinct_members)
            reason = "" if isinstance(item, dict) else f"{short(line)!r} is a JSON value but not an object"
        except json.JSONDecodeError as error:
            message = f"{error.msg[:1].lower()}{error.msg[1:]}"
            item, reason = None, f"{short(line)!r} is not JSON ({message} at character {error.pos + 1})"
        except RepeatedKeyError as error:
            item, reason = None, str(error)
        except ValueError:  # json leaves numbers to int(), which refuses thousands of digits
            item, reason = None, "a number on the line has thousands of digits"
        except RecursionError:
            item, reason = None, "the values on the line are nested too deeply"
        if reason:
            remedy = 'Write the row as one object, such as {"annotator": "ann", "start": 3, "end": 9}.'
            problems.append(Problem("json", "error", f"{where}:{number}", reason, remedy))
        objects.append(item)
    if problems:
        raise FormatError(problems)
    return objects


def cells_of_values(values: Sequence[Any]) -> Cells:
    """A column of values of any type: numbers where all values are, text otherwise."""
    kinds = set(map(type, values))
    if kinds <= {str}:
        return list(values)
    if kinds <= {int, float, type(None)} and kinds - {type(None)}:
        missing = np.fromiter((value is None for value in values), dtype=np.bool_, count=len(values))
        filled = [0 if value is None else value for value in values]
        if float in kinds:
            return Numbers(np.array(filled, dtype=np.float64), missing)
        try:
            return Numbers(np.array(filled, dtype=np.int64), missing)
        except OverflowError:
            pass
    return [_text(value) for value in values]


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return "" if value is None else "nan"
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple) and any(isinstance(member, dict | list | tuple) for member in value):
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, list | tuple | set | frozenset):
        members = map(_text, value)
        return JOINED.join(sorted(members) if isinstance(value, set | frozenset) else members)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return str(value)
