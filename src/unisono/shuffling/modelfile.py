# SPDX-License-Identifier: MIT
"""A model of references as a TOML file: reading, which reports all problems at once, and writing."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import FormatError, ParameterError, Problem
from unisono.shuffling.distributions import distribution
from unisono.shuffling.error_type import is_number

if TYPE_CHECKING:
    from unisono.shuffling.reference import ReferenceModel

_SHARES = ("uncategorised", "overlap", "nesting")
_SWITCHES = ("exact_prevalence", "covering", "fixed_positions", "decimals")
_DISTRIBUTIONS = ("units", "length", "gap")
_KEYS = (*_DISTRIBUTIONS, "categories", *_SHARES, *_SWITCHES, "depth", "extent")
_CATEGORY_KEYS = ("prevalence", "length", "gap")


def model_of_toml(source: str | os.PathLike[str]) -> ReferenceModel:
    """A model from a TOML file or its text: a string with a line break, or with a = and without the ending .toml."""
    is_text = isinstance(source, str) and ("\n" in source or ("=" in source and not source.endswith(".toml")))
    where = "reference model" if is_text else str(source)
    try:
        table = tomllib.loads(str(source) if is_text else Path(source).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FormatError.of(
            "there is no such file", "Check the path of the reference model.", where=where, code="missing-file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError.of(
            f"the file cannot be read ({error})",
            "Check its permissions; it must be text in UTF-8.",
            where=where,
            code="unreadable",
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise FormatError.of(
            f"this is not valid TOML ({error})",
            "docs/shuffling.md describes reference models.",
            where=where,
            code="reference-model",
        ) from None
    return model_of_dict(table, where=where)


def model_of_dict(table: Mapping[str, Any], *, where: str = "") -> ReferenceModel:
    """A model from the contents of a file; a ParameterError lists everything that is wrong."""
    from unisono.shuffling.reference import CategoryModel, ReferenceModel

    place = where or "reference model"
    problems = _unknown_keys(table, _KEYS, place)
    values: dict[str, Any] = {}
    for name in _DISTRIBUTIONS:
        if name in table:
            values[name] = _distribution(table[name], f"{place}: {name}", problems)
    categories = table.get("categories")
    if isinstance(categories, Mapping):
        models = {}
        for name, item in categories.items():
            at = f"{place}: categories.{name}"
            entries = item if isinstance(item, Mapping) else {"prevalence": item}
            problems += _unknown_keys(entries, _CATEGORY_KEYS, at)
            laws = {
                key: _distribution(entries[key], f"{at}.{key}", problems) for key in ("length", "gap") if key in entries
            }
            try:
                models[str(name)] = CategoryModel(entries.get("prevalence", 1.0), **laws)
            except ParameterError as error:
                problems += [_locate(problem, at) for problem in error.problems]
        values["categories"] = models
    elif isinstance(categories, list) and all(isinstance(name, str) for name in categories):
        values["categories"] = {name: CategoryModel() for name in categories}
    elif categories is not None:
        message = f"categories is {categories!r}, not a table or a list of names"
        remedy = "Give a table of categories, or a list of their names."
        problems.append(_problem(f"{place}: categories", message, remedy))
    for name in (*_SHARES, *_SWITCHES, "depth"):
        if name in table:
            values[name] = table[name]
    if "extent" in table:
        extent = table["extent"]
        values["extent"] = tuple(extent) if isinstance(extent, list) else extent
    if problems:
        raise ParameterError(problems)
    try:
        return ReferenceModel(**values)
    except ParameterError as error:
        raise ParameterError([_locate(problem, place) for problem in error.problems]) from None


def check_model(model: ReferenceModel) -> None:
    """Refuse a model from which no reference can be drawn; all problems are reported at once."""
    problems: list[Problem] = []
    for name in _SHARES:
        value = getattr(model, name)
        if not is_number(value) or not 0 <= value <= 1:
            problems.append(_problem(name, f"{name} is {value!r}, not a share", "Give a number from 0 to 1."))
    for name in _SWITCHES:
        value = getattr(model, name)
        if not isinstance(value, bool):
            problems.append(_problem(name, f"{name} is {value!r}, not true or false", "Choose true or false."))
    if isinstance(model.depth, bool) or not isinstance(model.depth, int) or model.depth < 1:
        message = f"the depth is {model.depth!r}, not a whole number of 1 or more"
        problems.append(_problem("depth", message, "Give a whole number of 1 or more."))
    laws = [item for item in model.categories.values() if not isinstance(item, int | float)]
    if laws and not sum(item.prevalence for item in laws) > 0:
        message = "no category has a prevalence above 0"
        problems.append(_problem("categories", message, "Give at least one category a prevalence above 0."))
    if model.uncategorised and not laws:
        message = f"uncategorised is {model.uncategorised!r}, but there are no categories"
        problems.append(_problem("uncategorised", message, "Add categories, or leave uncategorised out."))
    if model.covering and (model.overlap or model.nesting):
        message = "units that cover the extent once cannot overlap or nest"
        problems.append(_problem("covering", message, "Leave out covering, or overlap and nesting."))
    if model.covering and any(item.gap is not None for item in laws):
        message = "units that cover the extent have no gaps, but a category has gaps of its own"
        problems.append(_problem("covering", message, "Leave out covering, or the gaps of categories."))
    if model.fixed_positions and any(item.length is not None or item.gap is not None for item in laws):
        problems.append(
            _problem(
                "fixed_positions",
                "positions cannot be fixed if lengths or gaps depend on categories, which differ between references",
                "Leave out fixed_positions, or the lengths and gaps of categories.",
            )
        )
    problems += _extent_problems(model)
    if problems:
        raise ParameterError(problems)


def _extent_problems(model: ReferenceModel) -> list[Problem]:
    extent = model.extent
    if extent is None:
        return []
    kinds = (int, float) if model.decimals else (int,)
    numbers = isinstance(extent, tuple) and len(extent) == 2 and all(is_number(x) for x in extent)
    if not numbers or not all(isinstance(x, kinds) for x in extent) or not extent[0] < extent[1]:
        numbers_are = "two numbers" if model.decimals else "two whole numbers"
        message = f"the extent is {extent!r}, not {numbers_are} of which the second is larger"
        return [_problem("extent", message, "Give [START, END].")]
    return []


def dict_of_model(model: ReferenceModel) -> dict[str, Any]:
    """The contents of a file: units, length, gap and categories always, other keys if they differ from the default."""
    defaults = {field.name: field.default for field in fields(model)}
    table: dict[str, Any] = {name: distribution(getattr(model, name)).to_dict() for name in _DISTRIBUTIONS}
    if model.covering:
        del table["gap"]
    for name in (*_SHARES, *_SWITCHES, "depth", "extent"):
        value = getattr(model, name)
        if value != defaults[name]:
            table[name] = list(value) if isinstance(value, tuple) else value
    table["categories"] = {
        name: {
            "prevalence": item.prevalence,
            **{key: getattr(item, key).to_dict() for key in ("length", "gap") if getattr(item, key) is not None},
        }
        for name, item in model._categories.items()
    }
    return table


def toml_of_model(model: ReferenceModel) -> str:
    """The text of a TOML file."""
    table = dict_of_model(model)
    categories = table.pop("categories")
    lines = [f"{name} = {_toml(value)}" for name, value in table.items()]
    if not categories:
        lines.append("categories = {}")
    for name, item in categories.items():
        lines += ["", f"[categories.{_key(name)}]", *(f"{key} = {_toml(value)}" for key, value in item.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value).lower() if isinstance(value, bool) else repr(value)


def _key(name: str) -> str:
    """A key of a table, if necessary quoted as in JSON; TOML requires DEL to be escaped as well."""
    bare = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if bare else json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def _unknown_keys(table: Mapping[str, Any], keys: tuple[str, ...], where: str) -> list[Problem]:
    problems = []
    for name in table:
        if name not in keys:
            near = get_close_matches(str(name), keys, 1)
            remedy = f"Did you mean {near[0]}?" if near else f"The keys are {', '.join(keys)}."
            problems.append(_problem(where, f"{name!r} is not a key of a reference model", remedy))
    return problems


def _distribution(value: Any, where: str, problems: list[Problem]) -> Any:
    try:
        return distribution(value)
    except ParameterError as error:
        problems += [_locate(problem, where) for problem in error.problems]
        return 1


def _problem(where: str, message: str, remedy: str) -> Problem:
    return Problem("reference-model", "error", where, message, remedy)


def _locate(problem: Problem, where: str) -> Problem:
    """The problem with its place inside `where`."""
    inner = f"{where}: {problem.where}" if problem.where and problem.where not in where else where
    return replace(problem, where=inner)
