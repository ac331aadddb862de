# SPDX-License-Identifier: MIT
"""Statements of a paper, our values, and the rule that decides whether a statement is reproduced.

The rule is the same for all experiments, and its tolerances were fixed before they were run. A number printed in the
text is reproduced when ours lies within half a unit of its last digit; one that the text calls "about" so much, within
0.03; a curve that can only be read off a graph, within 0.05. Ours is a mean over random sets in most experiments: two
of its standard errors are added to the first two. A bound in words ("above 0.9") may be missed by two standard errors;
a claim without a number ("strictly decreasing") holds, does not hold, or is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from unisono.errors import ParameterError

#: The kind of a statement: a number in the text, one called "about", a point of a drawn curve, a bound, a claim.
Kind = Literal["number", "about", "curve", "above", "below", "claim"]
KINDS: tuple[Kind, ...] = ("number", "about", "curve", "above", "below", "claim")

Word = Literal["reproduced", "not reproduced", "undecided"]

ABOUT = 0.03
CURVE = 0.05
#: How many standard errors a mean may be off.
ERRORS = 2.0
#: Allowance for binary rounding of decimal differences.
_SLACK = 1e-9

#: How a paper prints that there is no value.
UNDEFINED = "NA"


@dataclass(frozen=True)
class Stated:
    """The statement of a paper about one quantity: the value as printed, so that its last digit is known.

    `note` is ours: for example why the printed value is a misprint, or which part of a layout was chosen to fit.

    >>> Stated("uα", "0.405", place="p. 462").half_digit
    0.0005
    """

    quantity: str
    value: str
    kind: Kind = "number"
    #: Where in the paper: `p. 462`, `section 5.2`.
    place: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ParameterError.of(
                f"{self.kind!r} is not a kind of statement", f"Choose one of {', '.join(KINDS)}.", code="experiment"
            )
        if self.kind == "claim":
            if self.value not in ("yes", "no"):
                raise ParameterError.of(f"the value of a claim is {self.value!r}", "Give yes or no.", code="experiment")
        elif self.value != UNDEFINED:
            try:
                Fraction(self.value)
            except ValueError:
                raise ParameterError.of(
                    f"the value of a statement is {self.value!r}", "Give a number as printed, or NA.", code="experiment"
                ) from None

    @property
    def half_digit(self) -> float:
        """Half a unit of the last digit printed; 0 for a fraction (`2/3`), which is exact."""
        if "/" in self.value:
            return 0.0
        return 0.5 * 10.0 ** -len(self.value.partition(".")[2])

    @property
    def printed(self) -> str:
        """The value as the table shows it: `about 0.1`, `> 0.9`."""
        words = {"about": "about ", "above": "> ", "below": "< ", "curve": "≈ "}
        return words.get(self.kind, "") + self.value

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Stated:
        place = f"p. {data['page']}" if "page" in data else f"section {data['section']}" if "section" in data else ""
        return cls(data["quantity"], str(data["value"]), data.get("kind", "number"), place, data.get("note", ""))


@dataclass(frozen=True)
class Found:
    """Our value with its standard error (0 where nothing is random), or whether a claim holds.

    None is an undefined number or an undecided claim.
    """

    value: float | bool | None
    error: float = 0.0


@dataclass(frozen=True)
class Verdict:
    """Reproduced or not, and the difference of our value (None for claims and undefined values)."""

    word: Word
    difference: float | None = None


def verdict(stated: Stated, found: Found) -> Verdict:
    """Whether our value reproduces the statement, by the rule above.

    >>> verdict(Stated("γ at magnitude 1", "0.1", "about"), Found(0.14, 0.006))
    Verdict(word='reproduced', difference=0.04)
    >>> verdict(Stated("uα", "0.405"), Found(0.41))
    Verdict(word='not reproduced', difference=0.005)
    >>> verdict(Stated("γk(C)", "NA"), Found(None))
    Verdict(word='reproduced', difference=None)
    """
    if stated.kind == "claim":
        if found.value is None:
            return Verdict("undecided")
        return Verdict(_word(bool(found.value) == (stated.value == "yes")))
    if stated.value == UNDEFINED or found.value is None:
        return Verdict(_word(stated.value == UNDEFINED and found.value is None))
    difference = float(found.value) - float(Fraction(stated.value))
    spread = ERRORS * found.error
    match stated.kind:
        case "number":
            holds = abs(difference) <= stated.half_digit + spread + _SLACK
        case "about":
            holds = abs(difference) <= ABOUT + spread + _SLACK
        case "curve":
            holds = abs(difference) <= CURVE + _SLACK
        case "above":
            holds = difference >= -spread - _SLACK
        case "below":
            holds = difference <= spread + _SLACK
    return Verdict(_word(holds), round(difference, 12))


def _word(holds: bool) -> Word:
    return "reproduced" if holds else "not reproduced"


@dataclass(frozen=True)
class Compared:
    """A row of the table: the statement, our value, the verdict."""

    stated: Stated
    found: Found
    verdict: Verdict

    @classmethod
    def of(cls, stated: Stated, found: Found) -> Compared:
        return cls(stated, found, verdict(stated, found))

    def to_dict(self) -> dict[str, Any]:
        return {
            "quantity": self.stated.quantity,
            "place": self.stated.place,
            "kind": self.stated.kind,
            "published": self.stated.value,
            "ours": self.found.value,
            "standard_error": self.found.error,
            "difference": self.verdict.difference,
            "verdict": self.verdict.word,
            "note": self.stated.note,
        }
