# SPDX-License-Identifier: MIT
"""Frozen dataclasses as JSON objects and back; the fields of a class and their types are the only definition.

Metadata of a field: `json` is its key where that differs from its name, or None where the field is not part of the
JSON; `list_key` makes a mapping a list of objects, each with its key under that name; `required` says that the key must
be there although the field has a default; `omit_none` leaves the key out where the value is None.
"""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

#: Metadata of a field that is not part of the JSON.
NOT_IN_JSON: Mapping[str, Any] = {"json": None}


class MismatchError(ValueError):
    """A JSON value that the field of a dataclass cannot hold; `path` leads to it from the outermost object."""

    def __init__(self, expected: str, found: Any, path: str = ""):
        super().__init__(f"{path.removeprefix('.') or 'the object'} is {_quote(found)} instead of {expected}")
        self.expected = expected
        self.found = found
        self.path = path

    def inside(self, step: str) -> MismatchError:
        """The same error as seen from the object one level further out."""
        return MismatchError(self.expected, self.found, f"{step}{self.path}")


def to_json(item: Any, cls: type[Any] | None = None) -> dict[str, Any]:
    """The JSON object of a dataclass; `cls` is a base class, where fields of the subclass are not part of it.

    >>> from unisono.results import Interval
    >>> to_json(Interval("chance", 0.95, 0.5, 0.7))
    {'kind': 'chance', 'level': 0.95, 'low': 0.5, 'high': 0.7}
    """
    return {
        each.key: each.kind.encode(value)
        for each in _fields(cls or type(item))
        if (value := getattr(item, each.name)) is not None or not each.omits_none
    }


def from_json(cls: type[T], data: Any) -> T:
    """The dataclass that a JSON object describes; MismatchError where a value has the wrong type.

    Unknown keys are ignored. A key may be missing where the field has a default: files of earlier versions lack it.

    >>> from unisono.results import Interval
    >>> from_json(Interval, {"kind": "chance", "level": 0.95, "low": 0.5, "high": "much"})
    Traceback (most recent call last):
    unisono.json_objects.MismatchError: high is 'much' instead of a number
    """
    if not isinstance(data, Mapping):
        raise MismatchError("an object", data)
    values = {}
    for each in _fields(cls):
        if each.key in data:
            try:
                values[each.name] = each.kind.decode(data[each.key])
            except MismatchError as error:
                raise error.inside(f".{each.key}") from None
        elif each.is_required:
            raise MismatchError(f"an object with the key {each.key!r}", data)
    return cls(**values)


def decode_value(hint: Any, data: Any) -> Any:
    """The value of this type that a JSON value describes; MismatchError if it describes none.

    >>> decode_value(tuple[str, ...], ["ann", "bob"])
    ('ann', 'bob')
    """
    return _kind_of(hint).decode(data)


@dataclasses.dataclass(frozen=True, slots=True)
class _Kind:
    """How the values of one type become JSON, and how JSON is checked and becomes such a value."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


@dataclasses.dataclass(frozen=True, slots=True)
class _Field:
    name: str
    key: str
    kind: _Kind
    is_required: bool
    omits_none: bool


_KNOWN: dict[type[Any], tuple[_Field, ...]] = {}


def _fields(cls: type[Any]) -> tuple[_Field, ...]:
    """The fields of a dataclass that are part of its JSON; worked out once for each class."""
    if cls in _KNOWN:
        return _KNOWN[cls]
    hints = get_type_hints(cls)
    _KNOWN[cls] = tuple(
        _Field(
            each.name,
            each.metadata.get("json", each.name),
            _kind_of(hints[each.name], each.metadata.get("list_key")),
            each.metadata.get("required", each.default is each.default_factory is dataclasses.MISSING),
            each.metadata.get("omit_none", False),
        )
        for each in dataclasses.fields(cls)
        if each.metadata.get("json", each.name) is not None
    )
    return _KNOWN[cls]


def _kind_of(hint: Any, list_key: str | None = None) -> _Kind:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        (some,) = (each for each in arguments if each is not types.NoneType)
        return _optional_kind(_kind_of(some, list_key))
    if origin is Literal:
        return _Kind(_unchanged, _checking_decoder(lambda item: item in arguments, " or ".join(map(repr, arguments))))
    if origin is tuple:
        return _tuple_kind(arguments)
    if origin is not None and issubclass(origin, Mapping):
        item = _kind_of(arguments[1])
        return (
            _mapping_kind(item) if list_key is None else _mapping_as_list_kind(item, _kind_of(arguments[0]), list_key)
        )
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        # A class may have a conversion of its own around the one of this module.
        return _Kind(getattr(hint, "to_dict", to_json), getattr(hint, "from_dict", partial(from_json, hint)))
    return _SCALARS[hint]


def _optional_kind(kind: _Kind) -> _Kind:
    return _Kind(
        lambda value: None if value is None else kind.encode(value),
        lambda data: None if data is None else kind.decode(data),
    )


def _tuple_kind(arguments: tuple[Any, ...]) -> _Kind:
    """Tuples are lists in JSON: of one type and any length, or of this many values."""
    size = None if arguments[-1] is Ellipsis else len(arguments)
    kind = _kind_of(arguments[0])
    expected = "a list" if size is None else f"a list of {size} values"

    def decode(data: Any) -> tuple[Any, ...]:
        if not isinstance(data, list | tuple) or (size is not None and len(data) != size):
            raise MismatchError(expected, data)
        return tuple(_decode_item(kind, item, f"[{i}]") for i, item in enumerate(data))

    return _Kind(lambda value: [kind.encode(item) for item in value], decode)


def _mapping_kind(kind: _Kind) -> _Kind:
    def decode(data: Any) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise MismatchError("an object", data)
        return {key: _decode_item(kind, item, f".{key}") for key, item in data.items()}

    return _Kind(lambda value: {key: kind.encode(item) for key, item in value.items()}, decode)


def _mapping_as_list_kind(kind: _Kind, key_kind: _Kind, name: str) -> _Kind:
    """A mapping as a list of objects, each of which holds its key under this name."""

    def decode(data: Any) -> dict[Any, Any]:
        if not isinstance(data, list | tuple):
            raise MismatchError("a list", data)
        values = {}
        for i, item in enumerate(data):
            if not isinstance(item, Mapping) or name not in item:
                raise MismatchError(f"an object with the key {name!r}", item, f"[{i}]")
            key = _decode_item(key_kind, item[name], f"[{i}].{name}")
            values[key] = _decode_item(kind, item, f"[{i}]")
        return values

    return _Kind(lambda value: [{name: key, **kind.encode(item)} for key, item in value.items()], decode)


def _decode_item(kind: _Kind, data: Any, step: str) -> Any:
    try:
        return kind.decode(data)
    except MismatchError as error:
        raise error.inside(step) from None


def _unchanged(value: Any) -> Any:
    return value


def _checking_decoder(check: Callable[[Any], bool], expected: str) -> Callable[[Any], Any]:
    """A decoder that takes the JSON value as it is, if it passes the check."""

    def decode(data: Any) -> Any:
        if not check(data):
            raise MismatchError(expected, data)
        return data

    return decode


def _is_number(data: Any) -> bool:
    return isinstance(data, int | float) and not isinstance(data, bool) and math.isfinite(data)


def _is_count(data: Any) -> bool:
    return isinstance(data, int) and not isinstance(data, bool) and data >= 0


def _quote(found: Any) -> str:
    """A JSON value in a message, cut short; objects and lists are only named."""
    if isinstance(found, Mapping):
        return "an object"
    if isinstance(found, list | tuple):
        return f"a list of {len(found)}"
    return "null" if found is None else repr(found)[:40]


#: Integers in our JSON are counts, seeds and versions: none is negative.
_SCALARS: Mapping[Any, _Kind] = {
    str: _Kind(_unchanged, _checking_decoder(lambda data: isinstance(data, str), "a text")),
    float: _Kind(_unchanged, _checking_decoder(_is_number, "a number")),
    int: _Kind(_unchanged, _checking_decoder(_is_count, "a whole number that is not negative")),
    bool: _Kind(_unchanged, _checking_decoder(lambda data: isinstance(data, bool), "true or false")),
    Any: _Kind(_unchanged, _unchanged),
}
