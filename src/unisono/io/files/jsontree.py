# SPDX-License-Identifier: MIT
"""Parsing of untrusted JSON: repeated keys, NaN and excessive nesting are refused, always with a FormatError."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from unisono.errors import FormatError, InputError, Problem
from unisono.io.files.lines import split_lines
from unisono.io.wording import short

_REMEDY = "Export it again from the tool."

#: Whether a deeply nested text would overflow the stack of the process instead of raising RecursionError.
STACK_IS_SMALL = sys.platform in ("emscripten", "wasi")
#: How deeply values may be nested there.
DEPTH = 200


def parse_json(text: str, where: str, what: str) -> Any:
    """The value in a JSON text; `what` is the format's name for messages."""
    try:
        guard_stack(text)
        return _DECODER.decode(replace_lone_surrogates(text.lstrip("\ufeff")))
    except json.JSONDecodeError as error:
        fault = f"it is not valid JSON at character {error.colno} ({error.msg[:1].lower()}{error.msg[1:]})"
        raise malformed(f"{where}:{error.lineno}", what, fault) from None
    except RecursionError:
        raise malformed(where, what, "its values are nested too deeply") from None
    except ValueError as error:
        raise malformed(where, what, str(error)) from None


def guard_stack(text: str) -> None:
    """RecursionError for a text whose nesting would end the process; elsewhere the parser itself raises it."""
    if STACK_IS_SMALL and is_nested_deeper(text, DEPTH):
        raise RecursionError("JSON is nested too deeply")


def is_nested_deeper(text: str, depth: int) -> bool:
    """Whether lists and objects of a JSON text are nested more deeply than `depth`; the text is not parsed.

    >>> is_nested_deeper('[{"a": "[[["}]', 2), is_nested_deeper('[{"a": []}]', 2), is_nested_deeper('[{"a": 1', 2)
    (False, True, False)
    """
    brackets = np.frombuffer(_NO_BRACKET.sub("", text).encode(), dtype=np.uint8)
    steps = np.where((brackets == ord("[")) | (brackets == ord("{")), 1, -1)
    return bool((steps.cumsum() > depth).any())


def replace_lone_surrogates(text: str) -> str:
    r"""JSON in which each escaped half of a surrogate pair without its other half is replaced by U+FFFD.

    Tools that cut texts by UTF-16 units write such halves; no file or terminal can hold them.

    >>> replace_lone_surrogates(r'"\ud83d\ude00 \ud83d \\ud83d"') == r'"\ud83d\ude00 \ufffd \\ud83d"'
    True
    """
    return _ESCAPE.sub(_replacement, text) if "\\ud" in text or "\\uD" in text else text


def parse_json_lines(text: str, where: str, what: str) -> Iterator[tuple[int, Any]]:
    """Line numbers and values of JSON lines; the FormatError lists every line that is not JSON."""
    values: list[tuple[int, Any]] = []
    problems: list[Problem] = []
    for number, row in enumerate(split_lines(text), start=1):
        if not row or row.isspace():
            continue
        try:
            values.append((number, parse_json(row, where, what)))
        except InputError as error:
            problems.append(replace(error.problems[0], where=f"{where}:{number}"))
    if problems:
        raise FormatError(problems)
    yield from values


def malformed(where: str, what: str, fault: str, remedy: str = _REMEDY) -> InputError:
    """The refusal of a file that breaks the rules of its format; `fault` is a clause: "it has no documents"."""
    return FormatError.of(f"this cannot be read as {what}: {fault}", remedy, where=where, code="malformed")


def get(value: Any, key: str, kind: type[Any] | tuple[type[Any], ...]) -> Any:
    """A member of a JSON object if it is present and of that type, else None.

    >>> get({"id": 3}, "id", int), get({"id": "3"}, "id", int), get([3], "id", int)
    (3, None, None)
    """
    member = value.get(key) if isinstance(value, dict) else None
    return member if isinstance(member, kind) and not (isinstance(member, bool) and kind is not bool) else None


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


class RepeatedKeyError(ValueError):
    """An object of JSON has a key twice."""


def distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON by its members; a RepeatedKeyError where a key is repeated."""
    members = dict(pairs)
    if len(members) < len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise RepeatedKeyError(f"the key {short(twice)!r} is there twice in one object")
    return members


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a value of JSON")


#: Strings, of which the last may be unterminated, and everything else that is not a bracket.
_NO_BRACKET = re.compile(r'"(?:[^"\\]+|\\.)*+(?:"|\Z)|[^\[\]{}"]+', re.DOTALL)

#: An escape of JSON: a surrogate pair, half of one (group 1), or anything else.
_HEX = "[0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"\\(?:u[dD][89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX}|(u[dD][89a-fA-F]{_HEX})|.)", re.DOTALL)


def _replacement(match: re.Match[str]) -> str:
    return r"\ufffd" if match.group(1) else match.group()


_DECODER = json.JSONDecoder(object_pairs_hook=distinct_members, parse_constant=_refuse_constant)
