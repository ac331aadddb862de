# SPDX-License-Identifier: MIT
"""What stands out, as a short ordered list: one sentence each, with its size, its places and a next step.

Findings that name an annotator, two categories or short units come first, ordered by the disorder they cause; those
that describe everybody follow. Each passed a test (docs/explain.md has them); the list is never filled up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from unisono.frames import Rows

SizeUnit = Literal["share", "positions", "lengths", "disorder"]

#: Kinds that describe everybody and come after those that name somebody or something.
OF_EVERYBODY = ("units-missed", "boundaries-vague", "categories-vague", "reading-rule", "documents-worst")
#: A smaller gain is not worth a sentence.
LEAST_GAIN = 0.005
#: How many typical places a finding has at most.
MOST_PLACES = 3


@dataclass(frozen=True)
class Place:
    """Where something can be looked at."""

    document: str
    start: float
    end: float

    def to_dict(self) -> dict[str, Any]:
        return {"document": self.document, "start": _integer_if_whole(self.start), "end": _integer_if_whole(self.end)}


def _integer_if_whole(position: float) -> float:
    return int(position) if float(position).is_integer() else float(position)


@dataclass(frozen=True)
class Finding:
    """One thing that stands out; `to_dict` is the JSON contract (docs/json.md)."""

    kind: str
    #: Whom or what it is about: annotator, category, other_category, document.
    subject: Mapping[str, str | None]
    sentence: str
    size: float
    size_unit: SizeUnit
    interval: tuple[float, float] | None
    #: What to do about it.
    next: str
    places: tuple[Place, ...] = ()
    #: How much γ would rise if it were settled; None where that was not computed.
    gain: float | None = None
    #: The share of the corpus's disorder that it causes, by which findings are ordered.
    disorder: float | None = None
    #: How likely it is by chance, before the correction for looking at many; None for descriptions.
    p: float | None = field(default=None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "subject": dict(self.subject),
            "sentence": self.sentence,
            "size": self.size,
            "size_unit": self.size_unit,
            "interval": None if self.interval is None else list(self.interval),
            "gain": self.gain,
            "next": self.next,
            "places": [place.to_dict() for place in self.places],
            "disorder": self.disorder,
            "p": self.p,
        }

    @property
    def names_something(self) -> bool:
        """Whether it names an annotator, two categories or short units, rather than describing everybody."""
        return self.kind not in OF_EVERYBODY


class Findings(Rows[Finding]):
    """The findings in their order, and what is said when there are none."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(finding.sentence for finding in self) or "Nothing stands out."


def sort_findings(findings: Sequence[Finding]) -> Findings:
    """Those that name something first, by the disorder they cause; then those that describe everybody."""

    def rank(finding: Finding) -> tuple[Any, ...]:
        place = 0 if finding.names_something else 1 + OF_EVERYBODY.index(finding.kind)
        return place > 0, -(finding.disorder or 0.0), place, sorted(str(value) for value in finding.subject.values())

    return Findings(sorted(findings, key=rank))


@dataclass(frozen=True)
class Gain:
    """What settling something would do: from which value to which."""

    now: float
    then: float

    @property
    def difference(self) -> float:
        return self.then - self.now


def is_elsewhere(now: float, value: float) -> bool:
    """Whether a gain begins at another value than the one that is explained, as far as two decimals show it."""
    return abs(now - value) >= LEAST_GAIN


def with_gains(
    findings: Sequence[Finding], gains: Mapping[tuple[str, ...], Gain], name: str, value: float | None
) -> Findings:
    """The findings with what settling them would do; `gains`: by (settled, *subject). value: the one explained."""
    settled = []
    for finding in findings:
        key = _settling_row(finding)
        if key is None or key not in gains:
            settled.append(finding)
            continue
        gain = gains[key]
        sentence = finding.sentence
        if abs(gain.difference) >= LEAST_GAIN:
            sentence += f" {_GAIN_WORDS[key[0]]} would change {name} from {gain.now:.2f} to {gain.then:.2f}"
            # Where the gain does not begin at the value explained, the what-if row says on which documents and samples.
            is_less = value is not None and is_elsewhere(gain.now, value)
            sentence += ", measured on fewer documents or samples." if is_less else "."
        settled.append(replace(finding, gain=gain.difference, sentence=sentence))
    return Findings(settled)


_GAIN_WORDS = {
    "annotator": "Leaving this annotator out",
    "categories-merged": "Merging the two",
    "missed": "Adding what a majority marked for those who missed it",
    "boundaries": "Agreeing on the boundaries",
    "categories": "Agreeing on the categories",
}


def _settling_row(finding: Finding) -> tuple[str, ...] | None:
    """The what-if row that settles a finding: its name and its subject."""
    subject = finding.subject
    if "annotator" in subject:
        return "annotator", str(subject["annotator"])
    if finding.kind == "categories-confused":
        if None in subject.values():  # units without a category cannot be merged with one
            return None
        return "categories-merged", *sorted((str(subject["category"]), str(subject["other_category"])))
    if "category" in subject or "document" in subject:
        return None
    settled = {
        "units-missed": "missed",
        "short-units-missed": "missed",
        "boundaries-vague": "boundaries",
        "categories-vague": "categories",
    }
    return (settled[finding.kind],) if finding.kind in settled else None
