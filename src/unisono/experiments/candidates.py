# SPDX-License-Identifier: MIT
"""The measures that a benchmark tests: a measure by name, one of its categories, or any function of a continuum."""

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

#: A value, or None and the reason why it is undefined.
Value = tuple[float | None, str | None]


@dataclass(frozen=True)
class Candidate:
    """A measure to test: its name in tables, and either a measure of this package (of a category) or a function."""

    name: str
    measure: str | None = None
    category: str | None = None
    function: Callable[[Continuum], Any] | None = None
    #: The name, and for a function a digest of its file: when the file changes, stored values are not used.
    identity: str = ""

    @property
    def module(self) -> Path | None:
        """The file of a function, which is needed to run it elsewhere."""
        return None if self.function is None else _file(self.function)

    @property
    def symbol(self) -> str:
        """Its name in a figure: γ, γk of Person, the name of a function."""
        if self.measure is None:
            return self.name.rpartition(":")[2]
        symbol = MEASURES[self.measure].symbol
        return symbol if self.category is None else f"{symbol} of {self.category}"

    def value(self, continuum: Continuum) -> Value:
        """The value of a function on a continuum; an exception that it raises is the reason of an undefined value."""
        assert self.function is not None
        try:
            outcome = self.function(continuum)
            if isinstance(outcome, MeasureValue):
                return outcome.value, outcome.reason
            if outcome is None:
                return None, f"{self.name} returned None"
            number = float(outcome)
        except Exception as error:
            lines = str(error).splitlines()
            return None, f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
        return (number, None) if math.isfinite(number) else (None, f"{self.name} returned {number}")

    def pick(self, value: MeasureValue) -> Value:
        """The value of our measure, or that of the category."""
        if self.category is not None:
            of_categories = value.per_category or {}
            if self.category not in of_categories:
                return None, value.reason if not of_categories and value.reason else "no unit of that category"
            value = of_categories[self.category]
        if value.value is not None and not value.is_near_enough:
            return None, "a limit stopped the search for the best alignment"
        return value.value, value.reason


def candidate(given: Any, folder: Path = Path()) -> Candidate:
    """A measure by name (`gamma`), of one category (`gamma-k:Person`), a `module:function`, or a function.

    A module is looked for in the folder of the benchmark's file first.

    >>> candidate("gamma-k:Person").category
    'Person'
    >>> candidate("gama")
    Traceback (most recent call last):
    unisono.errors.ParameterError: there is no measure called 'gama'. Did you mean 'gamma'?
    """
    if callable(given):
        name = getattr(given, "__name__", type(given).__name__)
        return Candidate(name, function=given, identity=f"{name} {_digest(given)}")
    if not isinstance(given, str):
        raise ParameterError.of(
            f"{given!r} is not a measure", "Give the name of a measure, or `module:function`.", code="benchmark"
        )
    name, _, part = given.partition(":")
    if name.replace("_", "-") in MEASURES:
        name = name.replace("_", "-")
        if name == "text-gamma":
            raise ParameterError.of(
                "text-gamma needs versions of a text, and a benchmark shuffles units",
                "`unisono reproduce text-gamma-2016` runs the experiment of its paper.", code="benchmark",
            )  # fmt: skip
        full = f"{name}:{part}" if part else name
        return Candidate(full, measure=name, category=part or None, identity=full)
    if not part:
        close = get_close_matches(name, MEASURES, 1)
        remedy = (
            f"Did you mean {close[0]!r}?" if close else "`unisono measures` lists them; `module:function` also works."
        )
        raise ParameterError.of(f"there is no measure called {given!r}", remedy, code="benchmark")
    function = _load_function(name, part, folder, given)
    return Candidate(given, function=function, identity=f"{given} {_digest(function)}")


def _load_function(module: str, name: str, folder: Path, given: str) -> Callable[[Continuum], Any]:
    """A function by its name. Its folder stays on the path, so that processes started later find it too."""
    for place in (str(Path.cwd()), str(folder.resolve())):
        if place not in sys.path:
            sys.path.insert(0, place)
    try:
        function = getattr(import_module(module), name)
    except Exception as error:
        raise ParameterError.of(
            f"{given!r} cannot be imported ({type(error).__name__}: {error})",
            f"Put {module}.py beside the benchmark's file, or install it.",
            code="benchmark",
        ) from error
    if not callable(function):
        raise ParameterError.of(
            f"{given!r} is of type {type(function).__name__}, not a function",
            "Give a function of a continuum.",
            code="benchmark",
        )
    return function  # type: ignore[no-any-return]


def _file(function: Callable[..., Any]) -> Path | None:
    """The source file of a function, if there is one."""
    try:
        source = inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None
    return Path(source) if source and Path(source).is_file() else None


def _digest(function: Callable[..., Any]) -> str:
    """SHA-256 of the source file of a function, or of its name if there is none."""
    file = _file(function)
    source = str(getattr(function, "__qualname__", type(function))).encode() if file is None else file.read_bytes()
    return hashlib.sha256(source).hexdigest()
