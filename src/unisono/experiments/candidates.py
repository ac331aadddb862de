# SPDX-License-Identifier: MIT
"""The measures that a benchmark tests: ours by name, one of their categories, or anybody's function of a continuum."""

from __future__ import annotations

import hashlib
import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

from unisono.errors import ParameterError
from unisono.measures import MEASURES
from unisono.model import Continuum
from unisono.results import MeasureValue

#: A value, or None with the reason why there is none.
Value = tuple[float | None, str | None]


@dataclass(frozen=True)
class Candidate:
    """A measure on trial: the name it has in tables, and one of: a measure of ours (of a category), a function."""

    name: str
    measure: str | None = None
    category: str | None = None
    function: Callable[[Continuum], Any] | None = None
    #: The name, and for a function a digest of its file: when it changes, what was measured before counts no more.
    identity: str = ""

    @property
    def module(self) -> Path | None:
        """The file of a function, which others who run it need."""
        return None if self.function is None else _file(self.function)

    @property
    def symbol(self) -> str:
        """What it is called in a figure: γ, γk of Person, a function's own name."""
        if self.measure is None:
            return self.name.rpartition(":")[2]
        symbol = MEASURES[self.measure].symbol
        return symbol if self.category is None else f"{symbol} of {self.category}"

    def value(self, continuum: Continuum) -> Value:
        """What a function says of a continuum. Whatever it raises is the reason why there is no value."""
        assert self.function is not None
        try:
            found = self.function(continuum)
            if isinstance(found, MeasureValue):
                return found.value, found.reason
            if found is None:
                return None, f"{self.name} gave none"
            number = float(found)
        except Exception as error:
            said = str(error).splitlines()
            return None, f"{type(error).__name__}: {said[0]}" if said else type(error).__name__
        return (number, None) if math.isfinite(number) else (None, f"{self.name} gave {number}")

    def taken_from(self, value: MeasureValue) -> Value:
        """What our measure says, or says of the category."""
        if self.category is not None:
            of_categories = value.per_category or {}
            if self.category not in of_categories:
                return None, value.reason if not of_categories and value.reason else "no unit of that category"
            value = of_categories[self.category]
        if value.value is not None and not value.is_proven:
            return None, "a limit stopped the search for the best alignment"
        return value.value, value.reason


def candidate(given: Any, folder: Path = Path()) -> Candidate:
    """A measure by name (`gamma`), of one category (`gamma-k:Person`), a `module:function`, or a function.

    A module is looked for beside the benchmark's file first.

    >>> candidate("gamma-k:Person").category
    'Person'
    >>> candidate("gama")
    Traceback (most recent call last):
    unisono.errors.ParameterError: a measure, or module:function; found 'gama'; did you mean 'gamma'?
    """
    if callable(given):
        name = getattr(given, "__name__", type(given).__name__)
        return Candidate(name, function=given, identity=f"{name} {_digest(given)}")
    if not isinstance(given, str):
        raise ParameterError.of("a measure, or module:function", repr(given), code="benchmark")
    name, _, part = given.partition(":")
    if name in MEASURES:
        if name == "text-gamma":
            raise ParameterError.of(
                "a measure of units", "'text-gamma', which needs versions of a text",
                "unisono reproduce text-gamma-2016", code="benchmark",
            )  # fmt: skip
        return Candidate(given, measure=name, category=part or None, identity=given)
    if not part:
        close = get_close_matches(name, MEASURES, 1)
        remedy = f"did you mean {close[0]!r}?" if close else "unisono measures lists them"
        raise ParameterError.of("a measure, or module:function", repr(given), remedy, code="benchmark")
    function = _loaded(name, part, folder, given)
    return Candidate(given, function=function, identity=f"{given} {_digest(function)}")


def _loaded(module: str, name: str, folder: Path, given: str) -> Callable[[Continuum], Any]:
    """A function by its name. Its folder stays on the path, where processes that are started later find it too."""
    for place in (str(Path.cwd()), str(folder.resolve())):
        if place not in sys.path:
            sys.path.insert(0, place)
    try:
        found = getattr(import_module(module), name)
    except Exception as error:
        raise ParameterError.of(
            "a function that can be imported",
            f"{given!r} ({type(error).__name__}: {error})",
            f"is {module}.py beside the benchmark's file, or installed?",
            code="benchmark",
        ) from error
    if not callable(found):
        raise ParameterError.of("a function of a continuum", f"{given!r}, a {type(found).__name__}", code="benchmark")
    return found  # type: ignore[no-any-return]


def _file(function: Callable[..., Any]) -> Path | None:
    """The file a function is written in, if there is one."""
    try:
        source = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None
    return Path(source) if source and Path(source).is_file() else None


def _digest(function: Callable[..., Any]) -> str:
    """SHA-256 of the file a function is written in; of its name where there is none."""
    file = _file(function)
    source = str(getattr(function, "__qualname__", type(function))).encode() if file is None else file.read_bytes()
    return hashlib.sha256(source).hexdigest()
