# SPDX-License-Identifier: MIT
"""What a benchmark is made of: curves (reference, errors, measures, settings), magnitudes, sets; read from TOML.

A benchmark shows how measures respond to known errors (Mathet et al. 2015, section 6.3): at each magnitude, sets of
annotations are made from a reference by errors of that magnitude, and measured.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from unisono.chance import CHANCE_MODELS
from unisono.errors import FormatError, InputError, ParameterError, Problem, show_settings
from unisono.experiments.candidates import Candidate, candidate
from unisono.nouns import quantity
from unisono.presets import PRESETS
from unisono.results import package_version
from unisono.settings import Setting, Settings, check, problem_with, settings_of
from unisono.shuffling import Errors, ReferenceModel, describe_errors, errors_of
from unisono.shuffling.error_type import UnitErrors, is_number

#: 0, 0.05, ..., 1, as in the papers; the floats nearest to these decimals.
MAGNITUDES = tuple(round(0.05 * i, 2) for i in range(21))
SETS = 40
CODE = "benchmark"


#: The settings that a benchmark may give.
KEYS = {name: setting for name, setting in settings_of(Settings).items() if setting.in_benchmark}


@dataclass(frozen=True, kw_only=True)
class Measuring(Settings):
    """How sets are measured: the settings of `measure` that a benchmark may give.

    A value whose alignments were not proven within the limits, nor nearly so, is no value here.
    """

    @property
    def has_shared_chance(self) -> bool:
        """Whether all sets of a magnitude share their random continua, so that they must be measured together."""
        model = PRESETS[self.preset].chance if self.chance is None else CHANCE_MODELS[self.chance]()
        return model.is_shared

    def arguments(self) -> dict[str, Any]:
        """The arguments of `measure`."""
        return {name: getattr(self, name) for name in KEYS}


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One way of making and measuring sets; each of its measures draws one curve over the magnitudes."""

    name: str
    reference: ReferenceModel
    errors: tuple[Errors, ...]
    measures: tuple[Candidate, ...]
    annotators: int = 3
    own_reference: bool = True
    #: Annotators of unequal skill: a factor of the magnitude for each, or a spread.
    unequal: float | tuple[float, ...] | None = None
    measuring: Measuring = field(default_factory=Measuring)

    def to_dict(self) -> dict[str, Any]:
        """What the curve is made of; the reference as its TOML."""
        return {
            "name": self.name,
            "reference": self.reference.to_toml(),
            "errors": [describe_errors(e) if isinstance(e, UnitErrors) else repr(e) for e in self.errors],
            "measures": [measure.name for measure in self.measures],
            "annotators": self.annotators,
            "own_reference": self.own_reference,
            "measuring": self.measuring.arguments(),
        } | ({} if self.unequal is None else {"unequal": self.unequal})

    def fingerprint(self, seed: int, sets: int) -> str:
        """SHA-256 of what all values of the curve depend on, besides the magnitude and the set of each."""
        described_curve = self.to_dict() | {
            "name": None,
            "unisono": package_version(),
            "measures": [measure.identity for measure in self.measures],
            "seed": seed,
            "sets": sets if self.measuring.has_shared_chance else None,
        }
        if self.measuring.category_distances is not None:  # the file's content counts, not its name
            from unisono.dissimilarity.from_settings import make_dissimilarity

            described_curve["distances"] = make_dissimilarity(self.measuring).signature
        return hashlib.sha256(json.dumps(described_curve, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, kw_only=True)
class BenchmarkSpec:
    """A benchmark: curves, magnitudes, sets; `from_toml` reads one, `from_dict` takes the same as a dictionary.

    Set i has the same reference and the same random numbers at every magnitude and on every curve, so that
    differences are those of the magnitude or of the curve, not of the draw.
    """

    title: str
    curves: tuple[Curve, ...]
    magnitudes: tuple[float, ...] = MAGNITUDES
    sets: int = SETS
    seed: int = 0

    @classmethod
    def from_toml(cls, source: str | Path) -> BenchmarkSpec:
        """A benchmark from a TOML file, or from a text in TOML; paths in it are relative to the file."""
        is_text = isinstance(source, str) and "\n" in source
        where = "" if is_text else str(source)
        try:
            text = str(source) if is_text else Path(source).read_text(encoding="utf-8")
            data = tomllib.loads(text)
        except OSError as error:
            raise FormatError.of(
                f"the file cannot be read: {error.strerror or error}", "Check the path.", where=where, code=CODE
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError.of(f"the file is not TOML: {error}", where=where, code=CODE) from None
        folder = Path() if is_text else Path(source).parent
        title = "benchmark" if is_text else Path(source).stem
        return cls.from_dict({"title": title, **data}, folder=folder, where=where)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, folder: Path = Path(), where: str = "") -> BenchmarkSpec:
        """A benchmark from what a TOML file would say; every problem is listed at once."""
        return _Reading(folder, where).benchmark(data)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of everything the values depend on."""
        curves = [curve.fingerprint(self.seed, self.sets) for curve in self.curves]
        parts = [[curve.name for curve in self.curves], curves, self.magnitudes, self.sets]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def limited(self, *, magnitudes: Sequence[float] | None = None, sets: int | None = None) -> BenchmarkSpec:
        """The same on other magnitudes or with another number of sets."""
        changed = replace(
            self,
            magnitudes=self.magnitudes if magnitudes is None else sort_magnitudes(magnitudes),
            sets=self.sets if sets is None else sets,
        )
        if changed.sets < 1:
            raise ParameterError.of(f"{changed.sets} sets cannot be made", "Give at least 1.", code=CODE)
        return changed


def sort_magnitudes(magnitudes: Sequence[float]) -> tuple[float, ...]:
    """The magnitudes in ascending order, each from 0 to 1."""
    numbers = all(isinstance(m, int | float) and not isinstance(m, bool) for m in magnitudes)
    if not magnitudes or not numbers or not all(0 <= m <= 1 for m in magnitudes):
        raise ParameterError.of(
            f"{', '.join(map(str, magnitudes)) or 'an empty list'} cannot be magnitudes",
            "Give numbers from 0 to 1, such as 0, 0.5, 1.",
            code=CODE,
        )
    return tuple(sorted({float(m) for m in magnitudes}))


def error_types(given: Any) -> tuple[Errors, ...]:
    """Error types from what a file says: a name, a table with a type and its parameters, or a list of such.

    >>> error_types(["category", {"type": "position", "shift_factor": 1.5}])[1].shift_factor
    1.5
    """
    problems: list[Problem] = []
    types: list[Errors] = []
    for item in given if isinstance(given, list | tuple) else [given]:
        if isinstance(item, Errors):
            types.append(item)
            continue
        try:
            types.append(errors_of(item if isinstance(item, Mapping) else {"type": item}, where="errors"))
        except InputError as error:
            problems += error.problems
    if problems:
        raise ParameterError(problems)
    return tuple(types)


@dataclass(frozen=True)
class _Key:
    """What the value of a key must be, in words and as a test."""

    requirement: str
    is_met: Callable[[Any], bool]


def _is_whole(value: Any, low: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value


_NAME = _Key("a name", lambda value: isinstance(value, str) and bool(value.strip()))

_OF_BENCHMARK: Mapping[str, _Key | Setting] = {
    "title": _NAME,
    "magnitudes": _Key("a list of magnitudes from 0 to 1", lambda value: isinstance(value, list | tuple)),
    "sets": _Key("a whole number of at least 1", lambda value: _is_whole(value, 1)),
    "seed": settings_of(Settings)["seed"],
    "curves": _Key("one or more tables named curves", lambda value: _is_list_of_tables(value)),
}
_OF_CURVE: Mapping[str, _Key | Setting] = {
    "reference": _Key(
        "a table with the model of the reference, or the path of one",
        lambda value: isinstance(value, str | Path | Mapping | ReferenceModel),
    ),
    "errors": _Key("a list of error types", lambda value: isinstance(value, str | Mapping | list | tuple | Errors)),
    "measures": _Key("a list of measures", lambda value: isinstance(value, str | list | tuple) or callable(value)),
    "annotators": _Key("a whole number of at least 2", lambda value: _is_whole(value, 2)),
    "own_reference": _Key("true or false", lambda value: isinstance(value, bool)),
    "unequal": _Key(
        "a spread of 0 or more, or a list of factors, one for each annotator", lambda value: _is_skill(value)
    ),
}


def _is_skill(value: Any) -> bool:
    given = value if isinstance(value, list | tuple) else [value]
    return bool(given) and all(is_number(number) and number >= 0 for number in given)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)


@dataclass
class _Reading:
    """Turns what a file says into a benchmark; collects every problem on the way."""

    folder: Path
    where: str
    problems: list[Problem] = field(default_factory=list)

    def benchmark(self, data: Mapping[str, Any]) -> BenchmarkSpec:
        known = self._check_keys(data, {**_OF_BENCHMARK, **_OF_CURVE, **KEYS}, "")
        of_all = {key: value for key, value in known.items() if key not in _OF_BENCHMARK}
        given: Sequence[Mapping[str, Any]] = known.get("curves", ({},))
        title = known.get("title", "benchmark")
        curves = []
        for number, own in enumerate(given, start=1):
            where = f"curve {own.get('name', number)!r}" if "curves" in known else ""
            checked = self._check_keys(own, {"name": _NAME, **_OF_CURVE, **KEYS}, where)
            name = checked.pop("name", title if len(given) == 1 else str(number))
            curves.append(self._curve(name, _merge(of_all, checked), where))
        names = [curve.name for curve in curves if curve]
        if len(set(names)) < len(names):
            self._add(f"two curves have the same name: {', '.join(map(repr, names))}", "Rename one of them.", "")
        magnitudes = self._attempt(lambda: sort_magnitudes(known.get("magnitudes", MAGNITUDES)), "magnitudes")
        if self.problems:
            raise ParameterError(self.problems)
        return BenchmarkSpec(
            title=title,
            curves=tuple(curve for curve in curves if curve),
            magnitudes=magnitudes or MAGNITUDES,
            sets=known.get("sets", SETS),
            seed=known.get("seed", 0),
        )

    def _curve(self, name: str, data: Mapping[str, Any], where: str) -> Curve | None:
        missing = [key for key in ("reference", "errors", "measures") if key not in data]
        for key in missing:
            self._add(f"the key {key!r} is missing", f"Add: {key} = ...", where)
        if missing:
            return None
        reference = self._attempt(lambda: self._reference(data["reference"]), where)
        errors = self._attempt(lambda: error_types(data["errors"]), where)
        measures = self._attempt(lambda: self._measures(data["measures"]), where)
        measuring = self._attempt(lambda: self._measuring(data), where)
        if reference is None or errors is None or measures is None or measuring is None:
            return None
        annotators, unequal = data.get("annotators", 3), data.get("unequal")
        if isinstance(unequal, list | tuple):
            unequal = tuple(unequal)
            if len(unequal) != annotators:
                factors = quantity(len(unequal), "factor")
                self._add(
                    f"unequal has {factors} for {quantity(annotators, 'annotator')}",
                    "Give one factor for each annotator, or one spread.",
                    where,
                )
                return None
        return Curve(
            name=name,
            reference=reference,
            errors=errors,
            measures=measures,
            annotators=annotators,
            own_reference=data.get("own_reference", True),
            unequal=unequal,
            measuring=measuring,
        )

    def _measuring(self, data: Mapping[str, Any]) -> Measuring:
        measuring = Measuring(**{key: setting.normalise(data[key]) for key, setting in KEYS.items() if key in data})
        try:
            check(measuring)
        except ParameterError as error:
            raise ParameterError([_show_keys(problem) for problem in error.problems]) from None
        if isinstance(measuring.category_distances, str):
            return replace(measuring, category_distances=str(self.folder / measuring.category_distances))
        return measuring

    def _reference(self, given: Any) -> ReferenceModel:
        """The model itself, a file with one, a table, or one fitted to a corpus: `like` and how to read it."""
        if isinstance(given, ReferenceModel):
            return given
        if not isinstance(given, Mapping):
            return ReferenceModel.from_toml(self.folder / given)
        if "like" not in given:
            return ReferenceModel.from_dict(given, where="reference")
        from unisono.io import read

        how = {key: value for key, value in given.items() if key != "like"}
        paths = [given["like"]] if isinstance(given["like"], str) else list(given["like"])
        try:
            return ReferenceModel.fitted(read([self.folder / path for path in paths], **how))
        except TypeError as error:
            raise ParameterError.of(
                f"a key beside `like` is not a setting of reading: {error}", where="reference", code=CODE
            ) from None

    def _measures(self, given: Any) -> tuple[Candidate, ...]:
        items = list(given) if isinstance(given, list | tuple) else [given]
        if not items:
            raise ParameterError.of("no measure is named", "Name at least one.", code=CODE)
        candidates = tuple(candidate(item, self.folder) for item in items)
        names = [item.name for item in candidates]
        if len(set(names)) < len(names):
            raise ParameterError.of(
                f"two measures have the same name: {', '.join(map(repr, names))}", "Leave one out.", code=CODE
            )
        return candidates

    def _check_keys(self, data: Mapping[str, Any], keys: Mapping[str, _Key | Setting], where: str) -> dict[str, Any]:
        """The keys that are known and whose values can be used; every other is a problem."""
        usable = {}
        for key, value in data.items():
            known = keys.get(key)
            if known is None:
                close = get_close_matches(key, keys, 1)
                hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(keys)}."
                self._add(f"a benchmark has no key {key!r} here", hint, where)
            elif isinstance(known, Setting):
                problem = problem_with(known, known.normalise(value), where=self._place(where, key))
                if problem is None:
                    usable[key] = value
                else:
                    self.problems.append(_show_keys(problem))
            elif known.is_met(value):
                usable[key] = value
            else:
                self._add(f"{value!r} is not a valid value of {key}", f"Give {known.requirement}.", where, key)
        return usable

    def _attempt(self, build: Callable[[], Any], where: str) -> Any:
        """What `build` returns; None, and its problems are added, if it raises."""
        try:
            return build()
        except InputError as error:
            self.problems += [replace(each, where=self._place(where, each.where)) for each in error.problems]
            return None

    def _add(self, message: str, remedy: str, *where: str) -> None:
        self.problems.append(Problem(CODE, "error", self._place(*where), message, remedy))

    def _place(self, *parts: str) -> str:
        return ": ".join(part for part in (self.where, *parts) if part)


def _show_keys(problem: Problem) -> Problem:
    """The problem with settings called as in a benchmark's file, where they are keys."""
    return replace(problem, message=show_settings(problem.message, str), remedy=show_settings(problem.remedy, str))


def _merge(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The base with a curve's own values; tables are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in own.items():
        before = merged.get(key)
        merged[key] = _merge(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return merged
