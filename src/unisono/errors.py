# SPDX-License-Identifier: MIT
"""Problems of the input, exceptions and warnings, and how they are put into words.

UnisonoError
  InputError(ValueError)             carries every problem found, not only the first
    FormatError                      the file cannot be read as that format
    UnitError                        bounds, NaN, infinity
    CorpusError                      fewer than two annotators, nothing to measure
    ParameterError                   weights, matrix, unknown category, bad option
  SolverLimitError(RuntimeError)     a limit was reached and the caller asked for a proof
  MissingDependencyError(ImportError) names the extra to install
UnisonoWarning(UserWarning): DataWarning, PrecisionWarning, SpeedWarning
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Literal, Self

from unisono.json_objects import from_json, to_json

Severity = Literal["error", "warning", "note"]

#: How many problems a message spells out before it only counts the rest.
SHOWN_PROBLEMS = 20


#: Turns the name of a setting into its name for the current user: a parameter in Python, an option on the command
#: line, a control on the page. Problems mention a setting as `[[extent]]`, with a value to copy as `[[extent=0:9]]`.
_setting_name: Callable[[str], str] = "{}=".format

_MENTION = re.compile(r"\[\[([a-z_]+)(?:=(.*?))?\]\](?!\])", re.DOTALL)


def name_settings_by(name: Callable[[str], str]) -> Callable[[str], str]:
    """Set how settings mentioned in problems are shown; each program calls this at its start. Returns what was set."""
    global _setting_name
    before, _setting_name = _setting_name, name
    return before


def show_settings(text: str, name: Callable[[str], str] | None = None) -> str:
    """The text with every `[[setting]]` replaced by its name for the current user, or by `name`.

    >>> show_settings("Give it with [[extent]], such as [[annotator_from=stem]].")
    "Give it with extent=, such as annotator_from='stem'."
    """
    call = name or _setting_name
    return _MENTION.sub(lambda match: _with_value(call(match[1]), match[2]), text) if "[[" in text else text


def _with_value(name: str, value: str | None) -> str:
    """The setting with a value, to be copied; `True` stands for a flag.

    >>> _with_value("layer=", "a b"), _with_value("--layer", "a b"), _with_value("--per-layer", "True")
    ("layer='a b'", "--layer 'a b'", '--per-layer')
    """
    if value is None:
        return name
    if name.endswith("="):
        return f"{name}{value if value == 'True' else repr(value)}"
    if value == "True":
        return name
    return f"{name} {shlex.quote(value) if name.startswith('--') else value}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem: where it is, what is wrong with the value found, and what to do about it.

    `code` is a stable slug with an entry in docs/messages.md. `message` is one plain sentence without its full stop,
    beginning in lower case; `remedy` is one or more whole sentences. Both may mention settings as `[[extent]]`.
    `expected` and `found` repeat parts of the message for programs that show them separately.

    >>> print(Problem("end-before-start", "error", "a.csv:17", "the unit ends (30.9) before it starts (31.2)",
    ...               "Are the two columns swapped?"))
    a.csv:17: the unit ends (30.9) before it starts (31.2). Are the two columns swapped?
    """

    code: str
    severity: Severity
    where: str
    message: str = ""
    remedy: str = ""
    expected: str = ""
    found: str = ""

    def __str__(self) -> str:
        text = self._sentence()
        return f"{self.where}: {text}" if self.where else text

    def _sentence(self) -> str:
        if self.message:
            end = "" if self.message.endswith((".", "?", "!")) else "."
            return show_settings(" ".join(filter(None, (f"{self.message}{end}", self.remedy))))
        parts = [self.expected, f"found {self.found}" if self.found else "", self.remedy]
        return show_settings("; ".join(filter(None, parts)))

    def to_dict(self) -> dict[str, str]:
        """The JSON contract: every key is always there, and a text; the remedy is the last."""
        data = to_json(self)
        remedy = data.pop("remedy")
        data["expected"] = data["expected"] or data["message"]
        return {key: show_settings(text) for key, text in {**data, "remedy": remedy}.items()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Problem:
        """A problem from its JSON; files of earlier versions have no message."""
        problem = from_json(cls, data)
        return replace(problem, expected="") if problem.expected == problem.message else problem


def list_problems(problems: Sequence[Problem]) -> str:
    """The problems one per line: the first twenty, then how many more."""
    lines = [str(problem) for problem in problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        lines.append(f"... and {len(problems) - SHOWN_PROBLEMS} more")
    return "\n".join(lines)


class UnisonoError(Exception):
    """Base of every exception raised on purpose."""

    slug = "error"


class InputError(UnisonoError, ValueError):
    """The input cannot be used; `problems` says everything that is wrong with it."""

    slug = "input"

    def __init__(self, problems: Problem | Sequence[Problem]):
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__(list_problems(self.problems))

    @classmethod
    def of(
        cls,
        message: str = "",
        remedy: str = "",
        *,
        where: str = "",
        code: str = "",
        expected: str = "",
        found: str = "",
    ) -> Self:
        """The exception for a single problem, for callers that have just one."""
        return cls(Problem(code or cls.slug, "error", where, message, remedy, expected, found))


class FormatError(InputError):
    """The file cannot be read as that format."""

    slug = "format"


class UnitError(InputError):
    """Units with impossible bounds."""

    slug = "unit"


class CorpusError(InputError):
    """Readable, but nothing that can be measured: one annotator only, no units."""

    slug = "corpus"


class ParameterError(InputError):
    """An option, a weight or a table that cannot be used."""

    slug = "parameter"


class SolverLimitError(UnisonoError, RuntimeError):
    """A time or memory limit stopped the search before the proof; the best known is attached."""

    slug = "limit"

    def __init__(self, message: str, *, incumbent: float, bound: float):
        super().__init__(message)
        self.incumbent = incumbent
        self.bound = bound

    @property
    def gap(self) -> float:
        return (self.incumbent - self.bound) / self.incumbent if self.incumbent > 0 else 0.0


class MissingDependencyError(UnisonoError, ImportError):
    """An optional library is needed; the message names the command that installs it.

    cause: why it could not be imported. If it is installed but cannot be loaded, the message says so.
    """

    slug = "missing-dependency"

    def __init__(self, purpose: str, extra: str, cause: ImportError | None = None):
        is_absent = cause is None or (isinstance(cause, ModuleNotFoundError) and "." not in (cause.name or ""))
        message = (
            f"{purpose} needs an optional library: pip install 'unisono[{extra}]'"
            if is_absent
            else f"{purpose} needs an optional library, which is installed but cannot be loaded ({cause}): "
            f"pip install --force-reinstall 'unisono[{extra}]'"
        )
        super().__init__(message)
        self.extra = extra


def load_optional(module: str, purpose: str, extra: str) -> Any:
    """A module of an optional library; a MissingDependencyError where it cannot be loaded."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingDependencyError(purpose, extra, error) from None


class UnisonoWarning(UserWarning):
    """Base of every warning."""


class DataWarning(UnisonoWarning):
    """The data can be used, but something about them is worth knowing."""


class PrecisionWarning(UnisonoWarning):
    """The cap on samples was reached before the asked precision."""


class SpeedWarning(UnisonoWarning):
    """A user's own function will take long."""
