# SPDX-License-Identifier: MIT
"""How a measure reports that it has no value: it raises, and the exception becomes an undefined value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING

from unisono.errors import InputError
from unisono.model import Continuum
from unisono.results import MeasureValue, Reason, ReasonCode

if TYPE_CHECKING:
    from unisono.measures.resolved import Resolved

_Measure = Callable[[Sequence[Continuum], "Resolved"], MeasureValue]


class UndefinedError(Exception):
    """The measure has no value on these data, for this reason; `returns_undefined` catches it."""

    def __init__(self, reason: Reason, *, notes: tuple[str, ...] = ()):
        super().__init__(reason.sentence)
        self.reason = reason
        self.notes = notes

    @classmethod
    def of(cls, code: ReasonCode, sentence: str, *, notes: tuple[str, ...] = ()) -> UndefinedError:
        """The exception for this code and this sentence without its full stop."""
        return cls(Reason(code, sentence), notes=notes)


def returns_undefined(measure: _Measure) -> _Measure:
    """Decorates a measure of continua: where it raises UndefinedError, it returns an undefined value instead."""

    @wraps(measure)
    def wrapper(continua: Sequence[Continuum], settings: Resolved) -> MeasureValue:
        try:
            return measure(continua, settings)
        except UndefinedError as error:
            return MeasureValue.undefined(error.reason, notes=error.notes)

    return wrapper


def wrong_labels(error: InputError, *, notes: tuple[str, ...] = ()) -> UndefinedError:
    """The distance of categories refused the labels of the data."""
    problems = "; ".join(problem.message or str(problem) for problem in error.problems)
    return UndefinedError.of(ReasonCode.WRONG_LABELS, f"needs other categories: {problems}", notes=notes)


def too_few_annotators(names: Sequence[str]) -> UndefinedError:
    """The documents together have fewer than two annotators, or no two of them are in one document."""
    if len(names) > 1:
        known = f"there are {', '.join(map(repr, names))}, no two of them in one document"
    else:
        known = f"there is only {names[0]!r}" if names else "there is none"
    return UndefinedError.of(ReasonCode.TOO_FEW_ANNOTATORS, f"needs two annotators of the same document: {known}")


def no_feature(feature: str, continuum: Continuum) -> UndefinedError:
    """The units of a document do not have the feature that is to be compared."""
    known = ", ".join(map(repr, sorted(continuum.features))) or "none"
    return UndefinedError.of(
        ReasonCode.NO_FEATURE, f"needs units with the feature {feature!r}: {continuum.name!r} has {known}"
    )


def check_step(settings: Resolved) -> None:
    """The step must be above 0 where there is one."""
    if settings.step is not None and not settings.step > 0:
        raise UndefinedError.of(ReasonCode.BAD_SETTING, f"needs a step above 0: it is {settings.step:g}")


def units_overlap(where: str, one: str, other: str, what: str = "units") -> UndefinedError:
    """Two units of one annotator overlap; `where` names the annotator and the document."""
    return UndefinedError.of(
        ReasonCode.OVERLAPPING_UNITS, f"needs {what} that do not overlap: {where} has {one} and {other}"
    )


def no_text(name: str) -> UndefinedError:
    """Words are counted as atoms, and this document has no text."""
    where = repr(name) if name else "the document"
    return UndefinedError.of(
        ReasonCode.NO_TEXT, f"needs the text of every document, to find its words: {where} has none"
    )


NO_UNITS = Reason(ReasonCode.NO_UNITS, "nobody marked any unit")
GIVEN_PER_CATEGORY = Reason(ReasonCode.PER_CATEGORY, "given per category")
