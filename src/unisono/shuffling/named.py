# SPDX-License-Identifier: MIT
"""Error types by name, with their parameters as text: for files and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from difflib import get_close_matches
from typing import Any

from unisono.errors import ParameterError
from unisono.shuffling.boundary_errors import BoundaryErrors
from unisono.shuffling.category_errors import CategoryErrors
from unisono.shuffling.error_type import Errors, UnitErrors
from unisono.shuffling.number_errors import FalseNegatives, FalsePositives
from unisono.shuffling.piece_errors import Merges, Splits
from unisono.shuffling.position_errors import PositionErrors
from unisono.shuffling.systematic_errors import BoundaryHabit, CategoryConfusion

#: Every type of errors of units, in the order they are applied.
ERRORS: dict[str, type[UnitErrors]] = {
    kind.name: kind
    for kind in (
        FalseNegatives,
        CategoryErrors,
        CategoryConfusion,
        PositionErrors,
        BoundaryErrors,
        BoundaryHabit,
        Merges,
        Splits,
        FalsePositives,
    )
}


def errors_of(table: Mapping[str, Any], *, where: str = "") -> Errors:
    """A type of errors from `{type = "position", shift_factor = 1.5}`.

    >>> errors_of({"type": "false-positives", "factor": 3})
    FalsePositives(immune=(), magnitude_factor=1.0, by=(), at_least=None, at_most=None, factor=3)
    """
    given = dict(table)
    name = given.pop("type", None)
    if name not in ERRORS:
        near = get_close_matches(str(name), ERRORS, 1)
        raise ParameterError.of(
            f"{name!r} is not a type of errors",
            f"Did you mean {near[0]}?" if near else f"Choose one of {', '.join(ERRORS)}.",
            where=where,
            code="error-type",
        )
    kind = ERRORS[name]
    known = [field.name for field in fields(kind)]
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            raise ParameterError.of(
                f"{key!r} is not a parameter of {name} errors",
                f"Did you mean {near[0]}?" if near else f"Choose among {', '.join(known)}.",
                where=where,
                code="error-type",
            )
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    errors: Errors = kind(**given)  # type: ignore[assignment]  # each class in ERRORS satisfies the protocol
    return errors


def describe_errors(errors: Errors) -> dict[str, Any]:
    """The type and every parameter that is not its default, as `errors_of` takes them.

    >>> describe_errors(PositionErrors(keep_apart=True))
    {'type': 'position', 'keep_apart': True}
    """
    table: dict[str, Any] = {"type": errors.name}
    for field in fields(errors):  # type: ignore[arg-type]  # the types of this package are dataclasses
        value = getattr(errors, field.name)
        if field.default is MISSING or value != field.default:
            table[field.name] = list(value) if isinstance(value, tuple) else value
    return table


def parse_errors(text: str) -> Errors:
    """A type of errors from `TYPE` or `TYPE:key=value,...`; several categories or annotators are separated by `|`.

    >>> parse_errors("category:law=square,immune=D|E").immune
    ('D', 'E')
    """
    name, _, rest = text.partition(":")
    table: dict[str, Any] = {"type": name.strip()}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ParameterError.of(
                f"in the errors {text!r}, {part!r} has no = sign",
                "Write errors as TYPE or TYPE:key=value,key=value.",
                code="error-type",
            )
        table[key.strip().replace("-", "_")] = _value(key.strip(), value.strip())
    return errors_of(table)


def _value(key: str, text: str) -> Any:
    if key in ("immune", "by"):
        return tuple(text.split("|"))
    if key in ("category", "instead"):
        return text
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
    """Closeness (1 - distance) from a table of distances between categories, as `--category-distances` reads it."""
    from unisono.dissimilarity import read_matrix

    matrix = read_matrix(path)
    labels = matrix.labels
    _, distances = matrix.table(labels)
    rows = (1.0 - distances.reshape(len(labels), len(labels))).tolist()
    return {row: dict(zip(labels, closeness, strict=True)) for row, closeness in zip(labels, rows, strict=True)}
