# SPDX-License-Identifier: MIT
"""What a benchmark is made of: curves (reference, errors, measures, settings), magnitudes, sets; read from TOML.

A benchmark shows how measures respond to known errors (Mathet et al. 2015, section 6.3): at each magnitude, sets of
annotations are made from a reference by errors of that magnitude, and measured.
"""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from unisono.chance import CHANCE_MODELS
from unisono.errors import FormatError, InputError, ParameterError, Problem
from unisono.experiments.candidates import Candidate, candidate
from unisono.presets import PRESETS
from unisono.results import package_version
from unisono.shuffling import Errors, ReferenceModel, described, errors_of
from unisono.shuffling.protocol import UnitErrors

#: 0, 0.05, ..., 1, as in the papers; the floats nearest to these decimals.
MAGNITUDES = tuple(round(0.05 * i, 2) for i in range(21))
SETS = 40
CODE = "benchmark"


@dataclass(frozen=True, kw_only=True)
class Measuring:
    """How sets are measured: what `measure` takes, with its defaults; alpha, beta, delta_empty make a dissimilarity.

    time_limit: seconds for the alignments of a set. A value that rests on an alignment not proven within it is no
    value here, since another machine could give another one.
    """

    preset: str = "paper"
    alpha: float | None = None
    beta: float = 1.0
    delta_empty: float = 1.0
    chance: str | None = None
    samples: int | None = None
    precision: float = 0.02
    level: float = 0.95
    step: float | None = None
    atoms: Literal["position", "word"] = "position"
    predefined: bool | None = None
    window: float | None = None
    time_limit: float | None = 60.0

    @property
    def has_shared_chance(self) -> bool:
        """Whether all sets of a magnitude share their random continua, so that they must be measured together."""
        model = PRESETS[self.preset].chance if self.chance is None else CHANCE_MODELS[self.chance]()
        return model.is_shared

    def arguments(self) -> dict[str, Any]:
        """The arguments of `measure`."""
        from unisono.dissimilarity import CombinedDissimilarity

        given = asdict(self)
        alpha, beta, delta_empty = (given.pop(key) for key in ("alpha", "beta", "delta_empty"))
        alpha = PRESETS[self.preset].alpha if alpha is None else alpha
        return given | {"dissimilarity": CombinedDissimilarity(alpha=alpha, beta=beta, delta_empty=delta_empty)}


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One way of making and measuring sets; each of its measures draws one curve over the magnitudes."""

    name: str
    reference: ReferenceModel
    errors: tuple[Errors, ...]
    measures: tuple[Candidate, ...]
    annotators: int = 3
    own_reference: bool = True
    measuring: Measuring = field(default_factory=Measuring)

    def to_dict(self) -> dict[str, Any]:
        """What the curve is made of; the reference as its TOML."""
        return {
            "name": self.name,
            "reference": self.reference.to_toml(),
            "errors": [described(e) if isinstance(e, UnitErrors) else repr(e) for e in self.errors],
            "measures": [measure.name for measure in self.measures],
            "annotators": self.annotators,
            "own_reference": self.own_reference,
            "measuring": asdict(self.measuring),
        }

    def fingerprint(self, seed: int, sets: int) -> str:
        """SHA-256 of what every value of the curve depends on but its magnitude, and its set where that is its own."""
        made = self.to_dict() | {
            "name": None,
            "unisono": package_version(),
            "measures": [measure.identity for measure in self.measures],
            "seed": seed,
            "sets": sets if self.measuring.has_shared_chance else None,
        }
        return hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()


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
                "a file that says what to benchmark", error.strerror or str(error), where=where, code=CODE
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError.of("TOML", str(error), where=where, code=CODE) from None
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
        made = [curve.fingerprint(self.seed, self.sets) for curve in self.curves]
        told = [[curve.name for curve in self.curves], made, self.magnitudes, self.sets]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def limited(self, *, magnitudes: Sequence[float] | None = None, sets: int | None = None) -> BenchmarkSpec:
        """The same on other magnitudes or with another number of sets."""
        changed = replace(
            self,
            magnitudes=self.magnitudes if magnitudes is None else checked_magnitudes(magnitudes),
            sets=self.sets if sets is None else sets,
        )
        if changed.sets < 1:
            raise ParameterError.of("at least 1 set", str(changed.sets), code=CODE)
        return changed


def checked_magnitudes(magnitudes: Sequence[float]) -> tuple[float, ...]:
    """The magnitudes in ascending order, each from 0 to 1."""
    numbers = all(isinstance(m, int | float) and not isinstance(m, bool) for m in magnitudes)
    if not magnitudes or not numbers or not all(0 <= m <= 1 for m in magnitudes):
        raise ParameterError.of(
            "magnitudes from 0 to 1", ", ".join(map(str, magnitudes)) or "none", "such as 0, 0.5, 1", code=CODE
        )
    return tuple(sorted({float(m) for m in magnitudes}))


def error_types(given: Any) -> tuple[Errors, ...]:
    """Error types from what a file says: a name, a table with a type and its parameters, or a list of such.

    >>> error_types(["category", {"type": "position", "shift_factor": 1.5}])[1].shift_factor
    1.5
    """
    problems: list[Problem] = []
    found: list[Errors] = []
    for item in given if isinstance(given, list | tuple) else [given]:
        if isinstance(item, Errors):
            found.append(item)
            continue
        try:
            found.append(errors_of(item if isinstance(item, Mapping) else {"type": item}, where="errors"))
        except InputError as error:
            problems += error.problems
    if problems:
        raise ParameterError(problems)
    return tuple(found)


@dataclass(frozen=True)
class _Check:
    """What a key must be, in words and as a test."""

    expected: str
    is_met: Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: Any, low: int, high: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


_POSITIVE = _Check("a number above 0", lambda value: _is_number(value) and value > 0)
_WEIGHT = _Check("a number of at least 0", lambda value: _is_number(value) and value >= 0)
_SHARE = _Check("a number between 0 and 1", lambda value: _is_number(value) and 0 < value < 1)
_YES_NO = _Check("true or false", lambda value: isinstance(value, bool))
_NAME = _Check("a name", lambda value: isinstance(value, str) and bool(value.strip()))


def _among(names: Sequence[str]) -> _Check:
    return _Check(f"one of: {', '.join(names)}", lambda value: value in names)


_OF_BENCHMARK = {
    "title": _NAME,
    "magnitudes": _Check("a list of magnitudes from 0 to 1", lambda value: isinstance(value, list | tuple)),
    "sets": _Check("a whole number of at least 1", lambda value: _is_whole(value, 1)),
    "seed": _Check("a whole number from 0 to 2**64-1", lambda value: _is_whole(value, 0, 2**64 - 1)),
    "curves": _Check("[[curves]], each a table", lambda value: _is_list_of_tables(value)),
}
_OF_CURVE = {
    "reference": _Check(
        "a table with the model of the reference, or the path of one",
        lambda value: isinstance(value, str | Path | Mapping | ReferenceModel),
    ),
    "errors": _Check("a list of error types", lambda value: isinstance(value, str | Mapping | list | tuple | Errors)),
    "measures": _Check("a list of measures", lambda value: isinstance(value, str | list | tuple) or callable(value)),
    "annotators": _Check("a whole number of at least 2", lambda value: _is_whole(value, 2)),
    "own_reference": _YES_NO,
}
_OF_MEASURING = {
    "preset": _among(list(PRESETS)),
    "alpha": _WEIGHT,
    "beta": _WEIGHT,
    "delta_empty": _POSITIVE,
    "chance": _among(list(CHANCE_MODELS)),
    "samples": _Check("a whole number of at least 2", lambda value: _is_whole(value, 2)),
    "precision": _SHARE,
    "level": _SHARE,
    "step": _POSITIVE,
    "atoms": _among(["position", "word"]),
    "predefined": _YES_NO,
    "window": _POSITIVE,
    "time_limit": _POSITIVE,
}


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(item, Mapping) for item in value)


@dataclass
class _Reading:
    """Turns what a file says into a benchmark; collects every problem on the way."""

    folder: Path
    where: str
    problems: list[Problem] = field(default_factory=list)

    def benchmark(self, data: Mapping[str, Any]) -> BenchmarkSpec:
        known = self._known(data, _OF_BENCHMARK | _OF_CURVE | _OF_MEASURING, "")
        of_all = {key: value for key, value in known.items() if key not in _OF_BENCHMARK}
        given: Sequence[Mapping[str, Any]] = known.get("curves", ({},))
        title = known.get("title", "benchmark")
        curves = []
        for number, own in enumerate(given, start=1):
            where = f"curve {own.get('name', number)!r}" if "curves" in known else ""
            checked = self._known(own, {"name": _NAME} | _OF_CURVE | _OF_MEASURING, where)
            name = checked.pop("name", title if len(given) == 1 else str(number))
            curves.append(self._curve(name, _merged(of_all, checked), where))
        names = [curve.name for curve in curves if curve]
        if len(set(names)) < len(names):
            self._add("curves of different names", ", ".join(map(repr, names)), "", "")
        magnitudes = self._tried(lambda: checked_magnitudes(known.get("magnitudes", MAGNITUDES)), "magnitudes")
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
            self._add(_OF_CURVE[key].expected, "none", f"add: {key} = ...", f"{where} {key}".strip())
        if missing:
            return None
        reference = self._tried(lambda: self._reference(data["reference"]), where)
        errors = self._tried(lambda: error_types(data["errors"]), where)
        measures = self._tried(lambda: self._measures(data["measures"]), where)
        if reference is None or errors is None or measures is None:
            return None
        return Curve(
            name=name,
            reference=reference,
            errors=errors,
            measures=measures,
            annotators=data.get("annotators", 3),
            own_reference=data.get("own_reference", True),
            measuring=Measuring(**{key: data[key] for key in _OF_MEASURING if key in data}),
        )

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
                "options of reading beside `like`", str(error), where="reference", code=CODE
            ) from None

    def _measures(self, given: Any) -> tuple[Candidate, ...]:
        items = list(given) if isinstance(given, list | tuple) else [given]
        if not items:
            raise ParameterError.of("at least one measure", "none", code=CODE)
        found = tuple(candidate(item, self.folder) for item in items)
        names = [item.name for item in found]
        if len(set(names)) < len(names):
            raise ParameterError.of("measures of different names", ", ".join(map(repr, names)), code=CODE)
        return found

    def _known(self, data: Mapping[str, Any], checks: Mapping[str, _Check], where: str) -> dict[str, Any]:
        """What is known by name and is as expected; the rest is a problem."""
        found = {}
        for key, value in data.items():
            place = f"{where} {key}".strip()
            if key not in checks:
                close = get_close_matches(key, checks, 1)
                remedy = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(checks)}"
                self._add("a key of a benchmark", repr(key), remedy, where)
            elif not checks[key].is_met(value):
                self._add(checks[key].expected, repr(value), "", place)
            else:
                found[key] = value
        return found

    def _tried(self, build: Callable[[], Any], where: str) -> Any:
        """What can be built, or None and a problem more."""
        try:
            return build()
        except InputError as error:
            for problem in error.problems:
                places = ": ".join(part for part in (self.where, where, problem.where) if part)
                self.problems.append(replace(problem, where=places))
            return None

    def _add(self, expected: str, found: str, remedy: str, where: str) -> None:
        places = ": ".join(part for part in (self.where, where) if part)
        self.problems.append(Problem(CODE, "error", places, expected, found, remedy))


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The base with a curve's own values; tables are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in own.items():
        before = merged.get(key)
        merged[key] = _merged(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return merged
