# SPDX-License-Identifier: MIT
"""What can go wrong, and how it is said: problems of the input, exceptions, warnings.

UnisonoError
  InputError(ValueError)             carries every problem found, not only the first
    FormatError                      the file cannot be read as that format
    UnitError                        bounds, NaN, infinity
    CorpusError                      fewer than two annotators, nothing to measure
    ParameterError                   weights, matrix, unknown category, bad option
  SolverLimitError(RuntimeError)     a limit was reached and the caller asked for a proof
  MissingDependencyError(ImportError) names the extra to install
UnisonoWarning(UserWarning): DataWarning, PrecisionWarning
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Literal, Self

Severity = Literal["error", "warning", "note"]

#: How many problems a message spells out before it only counts the rest.
SHOWN_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding: where it is, what was expected there, what was found, what to do about it.

    `code` is a stable slug with an entry in docs/messages.md.

    >>> print(Problem("end-before-start", "error", "a.csv:17", "a unit must end after it starts",
    ...               "start=31.2, end=30.9", "swap the columns?"))
    a.csv:17: a unit must end after it starts; found start=31.2, end=30.9; swap the columns?
    """

    code: str
    severity: Severity
    where: str
    expected: str
    found: str = ""
    remedy: str = ""

    def __str__(self) -> str:
        parts = [self.expected]
        if self.found:
            parts.append(f"found {self.found}")
        if self.remedy:
            parts.append(self.remedy)
        text = "; ".join(parts)
        return f"{self.where}: {text}" if self.where else text

    def to_dict(self) -> dict[str, str]:
        return asdict(self)


def listed(problems: Sequence[Problem]) -> str:
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
        super().__init__(listed(self.problems))

    @classmethod
    def of(cls, expected: str, found: str = "", remedy: str = "", *, where: str = "", code: str = "") -> Self:
        """The exception for a single problem, for callers that have just one."""
        return cls(Problem(code or cls.slug, "error", where, expected, found, remedy))


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
    """An optional library is needed; the message names the command that installs it."""

    slug = "missing-dependency"

    def __init__(self, purpose: str, extra: str):
        super().__init__(f"{purpose} needs an optional library: pip install 'unisono[{extra}]'")
        self.extra = extra


class UnisonoWarning(UserWarning):
    """Base of every warning."""


class DataWarning(UnisonoWarning):
    """The data can be used, but something about them is worth knowing."""


class PrecisionWarning(UnisonoWarning):
    """The cap on samples was reached before the asked precision."""
