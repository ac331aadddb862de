# SPDX-License-Identifier: MIT
"""Decisions of a person on the units of a gold standard: read from a file, and applied to the voted units.

A decision names a voted unit by its document, boundaries and category, and beats the vote: the unit is kept, dropped or
replaced by another one; a unit can also be added. The report and the page write such files (docs/gold.md has the form).
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from unisono.analysis.gold.standard import GoldDocument
from unisono.errors import ParameterError, Problem
from unisono.io.files.jsontree import guard_stack
from unisono.model import Feature, Position

Kind = Literal["keep", "drop", "replace", "add"]
#: Version of the file. 1: the first.
SCHEMA = 1
CODE = "gold-decisions"


class Span(NamedTuple):
    """Where a unit is and what it is called."""

    start: Position
    end: Position
    category: str | None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided on one unit; `unit` is what was voted, None for one that is added."""

    document: str
    unit: Span | None
    decision: Kind
    result: Span | None = None
    by: str | None = None
    #: The number of its unitary alignment, from 1: which of several equal units is meant.
    unitary_alignment: int | None = None
    #: The line or the entry it was read from.
    where: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "unit": None if self.unit is None else self.unit._asdict(),
            "unitary_alignment": self.unitary_alignment,
            "decision": self.decision,
            "result": None if self.result is None else self.result._asdict(),
            "by": self.by,
        }


@dataclass(frozen=True, slots=True)
class Decided:
    """How far the decisions got: of the units that a person should look at, how many are decided; further decisions, on
    other units and for units that were added; and the decisions that met no unit."""

    decided: int
    to_look_at: int
    further: int
    unmet: tuple[Decision, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "decided": self.decided,
            "to_look_at": self.to_look_at,
            "further": self.further,
            "unmet": [decision.to_dict() for decision in self.unmet],
        }


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of a file; `data` is the sha256 of the data they were made on, None if it is not known."""

    decisions: tuple[Decision, ...]
    data: str | None = None

    @classmethod
    def of(cls, given: Decisions | Mapping[str, Any] | str | os.PathLike[str]) -> Decisions:
        """Decisions as such, as the object of a decisions file, or from a file: JSON, or CSV with a heading."""
        if isinstance(given, Decisions):
            return given
        if isinstance(given, Mapping):
            return _parse_object(given, "decisions")
        where = os.fspath(given)
        try:
            text = Path(given).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise _error(where, f"the decisions cannot be read: {error.strerror}", "Check the path.") from None
        except UnicodeDecodeError:
            raise _error(where, "the decisions are not in UTF-8", "Save the file as UTF-8.") from None
        if not text.lstrip().startswith(("{", "[")):
            return _parse_table(text, where)
        try:
            guard_stack(text)
            content = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise _error(where, f"the file is not JSON: {error}", "Save the decisions again.") from None
        if not isinstance(content, dict):
            raise _error(where, "the file is a JSON list, not a decisions file", "Save the decisions again.")
        return _parse_object(content, where)


def apply_decisions(
    documents: Sequence[GoldDocument], decisions: Decisions
) -> tuple[tuple[GoldDocument, ...], Decided]:
    """The documents with the decisions in them, and how far these got.

    A decision meets the unit with exactly its boundaries and category, as voted. Of several equal units in a document
    it meets the one of its unitary alignment; decisions that name none of them meet the others in their order. A unit
    that was decided needs no further look.
    """
    to_look_at = sum(int(np.count_nonzero(document.reasons)) for document in documents)
    of_document: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions.decisions:
        of_document[decision.document].append(decision)
    known = {document.name for document in documents}
    unmet = [decision for decision in decisions.decisions if decision.document not in known]
    problems: list[Problem] = []
    decided = []
    for document in documents:
        own = of_document.get(document.name)
        decided.append(document if own is None else _apply(document, own, unmet, problems))
    if problems:
        raise ParameterError(problems)
    n_all = sum(len(document.decided) + len(document.added) for document in decided)
    n_decided = sum(
        int(np.count_nonzero(before.reasons[list(after.decided)]))
        for before, after in zip(documents, decided, strict=True)
        if after.decided
    )
    return tuple(decided), Decided(n_decided, to_look_at, n_all - n_decided, tuple(unmet))


def _apply(
    document: GoldDocument, decisions: Sequence[Decision], unmet: list[Decision], problems: list[Problem]
) -> GoldDocument:
    starts, ends = document.starts.tolist(), document.ends.tolist()
    labels = [document.labels[number] for number in range(len(document))]
    kept, reasons = document.kept.copy(), document.reasons.copy()
    made: dict[int, str] = {}
    added: list[Span] = []
    for each, number in zip(decisions, _match_decisions(document, decisions), strict=True):
        if each.result is not None:
            problem = _extent_problem(document, each)
            if problem is not None:
                problems.append(problem)
                continue
        if each.decision == "add":
            assert each.result is not None
            if each.result not in added:
                added.append(each.result)
            continue
        if number is None:
            unmet.append(each)
            continue
        made[number] = each.decision
        kept[number] = each.decision != "drop"
        reasons[number] = 0
        if each.decision == "replace":
            assert each.result is not None
            starts[number], ends[number], labels[number] = each.result
    return replace(
        document,
        starts=np.array(starts, dtype=None if starts else document.starts.dtype),
        ends=np.array(ends, dtype=None if ends else document.ends.dtype),
        labels=Feature.encode(labels),
        kept=kept,
        reasons=reasons,
        decided=made,
        added=tuple(added),
    )


def _match_decisions(document: GoldDocument, decisions: Sequence[Decision]) -> list[int | None]:
    """The unit that each decision meets, as the number of its unitary alignment, from 0; None where it meets none."""
    waiting: dict[Span, list[int]] = defaultdict(list)
    voted = zip(document.starts.tolist(), document.ends.tolist(), strict=True)
    for number, (start, end) in enumerate(voted):
        waiting[Span(start, end, document.labels[number])].append(number)
    met: list[int | None] = [None] * len(decisions)
    others: list[tuple[int, Span]] = []
    taken: set[tuple[Span, int]] = set()
    for place, each in enumerate(decisions):
        if each.unit is None or each.decision == "add":
            continue
        named = (each.unitary_alignment or 0) - 1
        if named in waiting[each.unit]:
            met[place] = named
            waiting[each.unit].remove(named)
            taken.add((each.unit, named))
        elif (each.unit, named) not in taken:  # a second decision on one unit must not match another
            others.append((place, each.unit))
    for place, unit in others:
        if waiting[unit]:
            met[place] = waiting[unit].pop(0)
    return met


def _extent_problem(document: GoldDocument, decision: Decision) -> Problem | None:
    """The problem if the unit that a decision puts in lies outside the document; None if it lies inside."""
    assert decision.result is not None
    start, end, _ = decision.result
    extent = document.continuum.extent
    if extent is None or extent.start <= start <= end <= extent.end:
        return None
    message = f"the unit {start}-{end} does not lie within {document.name}, from {extent.start} to {extent.end}"
    return Problem(CODE, "error", decision.where, message, "Correct the decision.")


def _parse_object(content: Mapping[str, Any], where: str) -> Decisions:
    if content.get("schema") != SCHEMA or not isinstance(content.get("decisions"), list):
        raise _error(where, "this is not a decisions file of schema 1", "Save the decisions again.")
    problems: list[Problem] = []
    found = []
    for number, entry in enumerate(content["decisions"], start=1):
        place = f"{where}, decision {number}"
        try:
            unit, result = entry.get("unit"), entry.get("result")
            found.append(
                _decision(entry["document"], unit and _span(unit), entry["decision"], result and _span(result),
                          entry.get("by"), entry.get("unitary_alignment"), place)
            )  # fmt: skip
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problems.append(_problem(place, error))
    if problems:
        raise ParameterError(problems)
    data = content.get("data")
    return Decisions(tuple(found), data if isinstance(data, str) else None)


def _span(entry: Mapping[str, Any]) -> Span:
    category = entry.get("category")
    if category is not None and not isinstance(category, str):
        raise ValueError(f"{category!r} is not a category")
    return Span(_position(entry["start"]), _position(entry["end"]), category)


def _position(value: Any) -> Position:
    """A number, or the text of one; whole numbers are integers."""
    number = value if isinstance(value, int) and not isinstance(value, bool) else float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value!r} is not a position")
    return int(number) if number == int(number) and not isinstance(value, float) else number


def _parse_table(text: str, where: str) -> Decisions:
    """The rows of an adjudication table with a decision; the others are undecided."""
    first = text.split("\n", 1)[0]
    delimiter = "\t" if "\t" in first else ";" if ";" in first and "," not in first else ","
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    needed = {"document", "start", "end", "category", "decision"}
    missing = sorted(needed - set(rows.fieldnames or ()))
    if missing:
        raise _error(where, f"the table has no column {', '.join(missing)}", "Use the table of gold --adjudication.")
    problems: list[Problem] = []
    found = []
    for row in rows:
        if not (row["decision"] or "").strip():
            continue
        place = f"{where}:{rows.line_num}"
        try:
            kind = row["decision"].strip()
            old = {name: row[name] or None for name in ("start", "end", "category")}
            unit = None if kind == "add" else _span(old)
            result = None
            if kind in ("replace", "add"):
                new = {name: row.get(f"new_{name}") or (old[name] if kind == "replace" else None) for name in old}
                result = _span(new)
            number = row.get("unitary_alignment") or None
            found.append(_decision(row["document"], unit, kind, result, row.get("by") or None, number, place))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problems.append(_problem(place, error))
    if problems:
        raise ParameterError(problems)
    return Decisions(tuple(found))


def _decision(
    document: Any, unit: Span | None, kind: Any, result: Span | None, by: Any, number: Any, where: str
) -> Decision:  # fmt: skip
    if not isinstance(document, str):
        raise ValueError(f"{document!r} is not the name of a document")
    if kind not in get_args(Kind):
        raise ValueError(f"{kind!r} is not a decision: choose {', '.join(get_args(Kind))}")
    if kind in ("replace", "add") and result is None:
        raise ValueError(f"the decision has no unit to put in, which {kind} needs")
    if kind != "add" and unit is None:
        raise ValueError("the decision does not name the unit that it is about")
    if result is not None and result.end < result.start:
        raise ValueError(f"the unit ends ({result.end}) before it starts ({result.start})")
    if number is not None and not (str(number).isascii() and str(number).isdecimal() and int(number) > 0):
        raise ValueError(f"{number!r} is not the number of a unitary alignment")
    result = result if kind in ("replace", "add") else None
    return Decision(document, unit, kind, result, by, None if number is None else int(number), where)


def _problem(where: str, error: Exception) -> Problem:
    message = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
    return Problem(CODE, "error", where, message, "Correct the decision, or leave it out.")


def _error(where: str, message: str, remedy: str) -> ParameterError:
    return ParameterError.of(message, remedy, where=where, code=CODE)
