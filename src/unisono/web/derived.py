# SPDX-License-Identifier: MIT
"""Models that derive from settings: types and bounds for OpenAPI, values checked as everywhere else."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, create_model
from pydantic_core import PydanticCustomError

from unisono.errors import Problem
from unisono.settings import Reading, Setting, Settings, problem_with, settings_of

#: As long as a name in a file may be.
Name = Annotated[str, Field(min_length=1, max_length=10_000)]
Finite = Annotated[float, Field(allow_inf_nan=False)]

#: Marks errors of pydantic that carry a problem of ours.
_TYPE = "setting"

_COLUMN = "_column"


class RequestModel(BaseModel):
    """Unknown keys are refused: a misspelt setting must not be ignored."""

    model_config = ConfigDict(extra="forbid")


def derived_model(group: type, *, are_columns: bool = False) -> Any:
    """The base of a model: the settings of a group that the service takes.

    Settings that name columns are a model of their own, in which `start_column` is called `start`.
    """
    fields = {
        key.removesuffix(_COLUMN): _field(setting)
        for key, setting in settings_of(group).items()
        if setting.in_service and key.endswith(_COLUMN) == are_columns
    }
    return create_model(f"{group.__name__}Base", __base__=RequestModel, **fields)  # type: ignore[call-overload]


def answer_model(group: type) -> Any:
    """The base of a model of an answer: a value for each setting of a group."""
    fields = {name: (each.members[0], Field(description=each.help)) for name, each in settings_of(group).items()}
    return create_model(f"{group.__name__}Base", **fields)  # type: ignore[call-overload]


def problem_of(error: Mapping[str, Any], where: tuple[str | int, ...] = ()) -> Problem:
    """The problem that an error of pydantic is: one of a setting, or of the request."""
    place = ".".join(str(part) for part in (*where, *error["loc"]))[:200]
    if error["type"] == _TYPE:
        context = error["ctx"]
        return Problem(
            context["code"],
            "error",
            place,
            context["message"],
            context["remedy"],
            context["expected"],
            context["found"],
        )
    if error["type"] == "extra_forbidden":
        name = str(error["loc"][-1])[:100]
        close = get_close_matches(name, [*settings_of(Reading), *settings_of(Settings)], 1)
        return Problem(
            "request", "error", place, f"there is no key {name!r}", f"Did you mean {close[0]!r}?" if close else ""
        )
    expected = str(error["msg"])[:300]
    if error["type"] == "missing":
        return Problem("request", "error", place, "this key is missing", "Give it.", expected)
    found = repr(error.get("input"))[:100]
    message = f"{found} cannot be used here: {expected[:1].lower()}{expected[1:]}"
    return Problem("request", "error", place, message, expected=expected, found=found)


def _field(setting: Setting) -> tuple[Any, Any]:
    """Type and field of a setting for pydantic."""

    def check_value(value: Any) -> Any:
        problem = problem_with(setting, setting.normalise(value))
        if problem is None:
            return value
        parts = {key: getattr(problem, key) for key in ("code", "message", "remedy", "expected", "found")}
        raise PydanticCustomError(_TYPE, "{message}", parts)

    kind: Any = _type(setting)
    if setting.is_optional:
        kind = kind | None
    details: dict[str, Any] = {"description": setting.describe(str)}
    if setting.example is not None:
        details["examples"] = [setting.example]
    if Mapping[str, str] in setting.members:  # tables of names are empty by default, as lists are
        return Annotated[_type(setting), AfterValidator(check_value)], Field(default_factory=dict, **details)
    default = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    return Annotated[kind, AfterValidator(check_value)], Field(default=default, **details)


def _type(setting: Setting) -> Any:
    """The type of a value in JSON, with the bounds and choices that its schema shows."""
    members = setting.members
    if any(typing.get_origin(member) is Mapping for member in members):  # never the path of a file
        (member,) = (member for member in members if typing.get_origin(member) is Mapping)
        return _mapping(member)
    if setting.is_list:
        return Annotated[list[Name], Field(max_length=10_000)]
    if tuple[int | float, int | float] in members:
        pair = tuple[int | Finite, int | Finite]
        return Finite | pair if float in members else pair
    if bool in members:
        return bool
    if float in members or int in members:
        bounds = {
            "minimum": setting.low,
            "maximum": setting.high,
            "exclusiveMinimum": setting.above,
            "exclusiveMaximum": setting.below,
        }
        schema = {key: bound for key, bound in bounds.items() if bound is not None}
        kind, name = (float, "number") if float in members else (int, "integer")
        return Annotated[kind, WithJsonSchema({"type": name, **schema})]
    if setting.choices is not None:
        return Annotated[str, WithJsonSchema({"type": "string", "enum": list(setting.choices)})]
    return Name


def _mapping(member: Any) -> Any:
    _, value = typing.get_args(member)
    if typing.get_origin(value) is Mapping:
        return dict[Name, _mapping(value)]  # type: ignore[misc]
    return dict[Name, Finite if value is float else Name]  # type: ignore[misc]
