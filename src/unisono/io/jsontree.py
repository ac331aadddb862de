# SPDX-License-Identifier: MIT
"""JSON from strangers: no key twice, no NaN, no endless nesting; every way it can be wrong is a FormatError."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from unisono.errors import FormatError, InputError, Problem
from unisono.io.table import short

_REMEDY = "export it again from the tool"


def parsed(text: str, where: str, what: str) -> Any:
    """The value in a JSON text; `what` is the format's name for messages."""
    try:
        return _DECODER.decode(characters(text.lstrip("\ufeff")))
    except json.JSONDecodeError as error:
        found = f"{error.msg.lower()} at character {error.colno}"
        raise malformed(f"{where}:{error.lineno}", what, found) from None
    except RecursionError:
        raise malformed(where, what, "values nested too deeply") from None
    except ValueError as error:
        raise malformed(where, what, str(error)) from None


def characters(text: str) -> str:
    r"""JSON whose escapes are all of characters: half of a surrogate pair alone is none, and becomes U+FFFD.

    Tools that cut texts by UTF-16 units write such halves; no file or terminal can hold them.

    >>> characters(r'"\ud83d\ude00 \ud83d \\ud83d"') == r'"\ud83d\ude00 \ufffd \\ud83d"'
    True
    """
    return _ESCAPE.sub(_character, text) if "\\ud" in text or "\\uD" in text else text


def parsed_lines(text: str, where: str, what: str) -> Iterator[tuple[int, Any]]:
    """Line numbers and values of JSON lines; all lines that are no JSON are told at once."""
    values: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for number, row in enumerate(text.split("\n"), start=1):
        if not row or row.isspace():
            continue
        try:
            values.append((number, parsed(row, where, what)))
        except InputError as error:
            found = error.problems[0]
            problems.append(Problem(found.code, "error", f"{where}:{number}", found.expected, found.found, _REMEDY))
    if problems:
        raise FormatError(problems)
    yield from values


def malformed(where: str, what: str, found: str, remedy: str = _REMEDY) -> InputError:
    """A file that is not what it claims to be."""
    return FormatError.of(f"a file of {what}", found, remedy, where=where, code="malformed")


def get(value: Any, key: str, kind: type[Any] | tuple[type[Any], ...]) -> Any:
    """A member of an object if it is there and of that kind, else None: nothing in a stranger's file is certain.

    >>> get({"id": 3}, "id", int), get({"id": "3"}, "id", int), get([3], "id", int)
    (3, None, None)
    """
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, kind) and not (isinstance(found, bool) and kind is not bool) else None


def word(value: Any) -> str | None:
    """A name or a number as text, None for everything else.

    >>> word(3), word("ann"), word(True), word(None), word([1])
    ('3', 'ann', 'true', None, None)
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return value if isinstance(value, str) else None


def words(value: Any) -> str | None:
    """A list of names as a set of labels, `A|B`; one name as itself.

    >>> words(["A", "B"]), words("A"), words([]), words({"a": 1})
    ('A|B', 'A', None, None)
    """
    if isinstance(value, list):
        return "|".join(filter(None, map(word, value))) or None
    return word(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {short(twice)!r} twice in one object")
    return found


def _constant(name: str) -> Any:
    raise ValueError(f"{name}, which is no JSON")


#: An escape of JSON: a surrogate pair, half of one (group 1), or anything else.
_HEX = "[0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"\\(?:u[dD][89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX}|(u[dD][89a-fA-F]{_HEX})|.)", re.DOTALL)


def _character(match: re.Match[str]) -> str:
    return r"\ufffd" if match.group(1) else match.group()


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
