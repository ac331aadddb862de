# SPDX-License-Identifier: MIT
"""Error types by name, with parameters in words: for files, specifications and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

from unisono.errors import ParameterError
from unisono.shuffling.boundaries import BoundaryErrors
from unisono.shuffling.categories import CategoryErrors
from unisono.shuffling.numbers import FalseNegatives, FalsePositives
from unisono.shuffling.pieces import Merges, Splits
from unisono.shuffling.positions import PositionErrors
from unisono.shuffling.protocol import Errors, UnitErrors

#: Every type of errors of units, in the order they are applied.
ERRORS: dict[str, type[UnitErrors]] = {
    kind.name: kind
    for kind in (FalseNegatives, CategoryErrors, PositionErrors, BoundaryErrors, Merges, Splits, FalsePositives)
}


def errors_of(table: Mapping[str, Any], *, where: str = "") -> Errors:
    """A type of errors from `{type = "position", shift_factor = 1.5}`.

    >>> errors_of({"type": "false-positives", "factor": 3})
    FalsePositives(immune=(), magnitude_factor=1.0, factor=3)
    """
    given = dict(table)
    name = given.pop("type", None)
    if name not in ERRORS:
        near = get_close_matches(str(name), ERRORS, 1)
        raise ParameterError.of(
            f"a type of errors among: {', '.join(ERRORS)}",
            repr(name),
            f"did you mean {near[0]}?" if near else "",
            where=where,
            code="error-type",
        )
    kind = ERRORS[name]
    known = [field.name for field in fields(kind)]
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            raise ParameterError.of(
                f"parameters of {name} errors among: {', '.join(known)}",
                repr(key),
                f"did you mean {near[0]}?" if near else "",
                where=where,
                code="error-type",
            )
    if "immune" in given and isinstance(given["immune"], list):
        given["immune"] = tuple(given["immune"])
    made: Errors = kind(**given)  # type: ignore[assignment]  # each of them is one
    return made


def described(errors: Errors) -> dict[str, Any]:
    """What `errors_of` takes: the type and every parameter that is not its default.

    >>> described(PositionErrors(keep_apart=True))
    {'type': 'position', 'keep_apart': True}
    """
    found: dict[str, Any] = {"type": errors.name}
    for field in fields(errors):  # type: ignore[arg-type]  # ours are dataclasses
        value = getattr(errors, field.name)
        if field.default is MISSING or value != field.default:
            found[field.name] = list(value) if isinstance(value, tuple) else value
    return found


def parsed_errors(text: str) -> Errors:
    """A type of errors from `TYPE` or `TYPE:key=value,...`; several categories are separated by `|`.

    >>> parsed_errors("category:law=square,immune=D|E").immune
    ('D', 'E')
    """
    name, _, rest = text.partition(":")
    table: dict[str, Any] = {"type": name.strip()}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError.of(
                "an error as TYPE or TYPE:key=value,key=value", repr(text), f"no = in {part!r}", code="error-type"
            )
        table[key.strip().replace("-", "_")] = _value(key.strip(), value.strip())
    return errors_of(table)


def _value(key: str, text: str) -> Any:
    if key == "immune":
        return tuple(text.split("|"))
    if key == "overlap":
        return _closeness(text)
    if text in ("true", "false"):
        return text == "true"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _closeness(path: str) -> dict[str, dict[str, float]]:
    """Closeness from a table of distances between categories, such as `--category-distances` takes: 1 - distance."""
    from unisono.dissimilarity import read_matrix

    matrix = read_matrix(path)
    labels = matrix.labels
    _, distances = matrix.table(labels)
    rows = (1.0 - distances.reshape(len(labels), len(labels))).tolist()
    return {row: dict(zip(labels, closeness, strict=True)) for row, closeness in zip(labels, rows, strict=True)}
