# SPDX-License-Identifier: MIT
"""Names of annotators and documents for every row: by the rule, by the file itself, or by its path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from unisono.errors import Problem
from unisono.io.arrangement import Arranged, TierNames
from unisono.io.layout import Layout, Rule
from unisono.io.paths import CALLED, PARENT, STEM, Place, annotator_level, legible, named_by_level, named_by_pattern
from unisono.io.record import Record
from unisono.io.table import BoolArray, Labels, listing
from unisono.model import IntArray

Role = Literal["annotator", "document"]


@dataclass(frozen=True, slots=True)
class PathNames:
    """Names that the paths of records give, by the number of the record, and words for where they stand."""

    annotators: Mapping[int, str]
    documents: Mapping[int, str]
    annotator_words: str
    document_words: str


def path_names(records: Sequence[Record], layout: Layout) -> PathNames:
    """Names out of the paths for the records that need them."""
    annotator, document = layout.rule("annotator"), layout.rule("document")
    numbers = [i for i, record in enumerate(records) if record.file is not None]
    places = [_place(records[i]) for i in numbers]
    if annotator is not None and annotator.kind == "regex":
        names, rests = named_by_pattern(places, annotator, "annotator")
        words, rest_words = "the pattern", "the rest of the path"
    else:
        level: int | None = None
        if annotator is None:
            level = annotator_level(places) if any(_needs_annotator(records[i]) for i in numbers) else None
        elif annotator.kind in ("parent", "stem"):
            level = PARENT if annotator.kind == "parent" else STEM
        elif annotator.kind == "field":
            # The file names the annotator, and so, maybe, does the path: what is left of it is the document.
            level = annotator_level(places, only_by_text=True)
        if level is None:
            names, rests = [place.parts[PARENT] if len(place.parts) > 1 else "" for place in places], []
            words, rest_words = CALLED[PARENT], CALLED[STEM]
            rests = [place.parts[STEM] for place in places]
        else:
            names, rests = named_by_level(places, level)
            words = CALLED.get(level, CALLED[-3])
            rest_words = CALLED[PARENT] if level == STEM else CALLED[STEM]
    if document is not None and document.kind == "regex":
        rests, _ = named_by_pattern(places, document, "document")
        rest_words = "the pattern"
    elif document is not None and document.kind in ("parent", "stem"):
        index = PARENT if document.kind == "parent" else STEM
        rests = [place.parts[index] if len(place.parts) >= -index else "" for place in places]
        rest_words = CALLED[index]
    return PathNames(dict(zip(numbers, names, strict=True)), dict(zip(numbers, rests, strict=True)), words, rest_words)


def _place(record: Record) -> Place:
    assert record.file is not None
    texts = {sheet.text for sheet in record.sheets}
    documents = {sheet.document for sheet in record.sheets}
    text = texts.pop() if len(texts) == 1 else None
    if text is None and None not in documents:
        # Files that name the same documents are on the same text, whatever it is.
        text = "\n".join(sorted(map(str, documents)))
    return Place(tuple(map(legible, (*record.file.parts[:-1], record.file.stem))), text)


def _needs_annotator(record: Record) -> bool:
    return (
        record.annotators is None
        and record.annotator_from is None
        and any(sheet.annotator is None for sheet in record.sheets)
    )


def names_of(
    record: Record,
    role: Role,
    layout: Layout,
    groups: TierNames,
    paths: PathNames,
    number: int,
    keep: BoolArray,
    problems: list[Problem],
    result: Arranged,
) -> Labels:
    """The name of each row's annotator or document, by the rule, the file itself, or its path."""
    default = record.annotator_from if role == "annotator" and layout.tier_pattern is None else None
    rule = layout.rule(role, default)
    by_row = record.annotators if role == "annotator" else record.documents
    of_path = (paths.annotators if role == "annotator" else paths.documents).get(number, "")
    path_words = paths.annotator_words if role == "annotator" else paths.document_words
    if layout.tier_pattern is not None and any(group and role in group for group in groups):
        names = [(group or {}).get(role, "") for group in groups]
        words = "tier names"
    elif rule is not None and rule.kind == "field" and rule.argument in record.features:
        result.say(role, f"field {rule.argument}")
        labels = record.features[rule.argument]
        problems += _unnamed(record, role, labels, keep)
        return labels
    elif rule is not None:
        names, words = _by_rule(record, rule, of_path, path_words)
    elif by_row is not None:
        result.say(role, record.called.get(role, "the file"))
        return by_row
    else:
        hints = [sheet.annotator if role == "annotator" else sheet.document for sheet in record.sheets]
        names = [hint or of_path for hint in hints]
        words = record.called.get(role, "the file") if any(hints) else path_words
    result.say(role, words)
    labels = _labelled(names, record.sheet_codes)
    problems += _unnamed(record, role, labels, keep)
    return labels


def _by_rule(record: Record, rule: Rule, of_path: str, path_words: str) -> tuple[list[str], str]:
    if rule.kind == "tier":
        return [sheet.layer or "" for sheet in record.sheets], "tier names"
    if rule.kind == "field":
        return [sheet.fields.get(rule.argument, "") for sheet in record.sheets], f"field {rule.argument}"
    return [of_path] * len(record.sheets), path_words


def _labelled(names: Sequence[str], codes: IntArray) -> Labels:
    """Names of sheets as labels of rows."""
    of_sheets = Labels.of(list(names))
    return Labels(of_sheets.codes[codes] if len(codes) else codes, of_sheets.labels)


def _unnamed(record: Record, role: Role, labels: Labels, keep: BoolArray) -> Iterator[Problem]:
    """One problem for rows without a name, with what the file would offer."""
    rows = np.flatnonzero((labels.codes < 0) & keep & ~record.faults.bad)
    if not len(rows):
        return
    offered = sorted({name for sheet in record.sheets for name in sheet.fields} | set(record.features))
    fields = f"; fields here: {listing(offered, 12)}" if offered else ""
    yield Problem(
        f"missing-{role}",
        "error",
        record.place(int(rows[0])),
        f"the {role}'s name",
        f"none for {len(rows)} rows{fields}",
        f"say where it is: --{role}-from parent, stem, tier, field:NAME or regex:PATTERN",
    )


def repeated_annotators(
    record: Record,
    taken: Sequence[bool],
    groups: TierNames,
    annotators: Labels,
    documents: Labels,
    seen: dict[tuple[str, str, str | None], str],
) -> Iterator[Problem]:
    """The same annotator on the same document from two places: one of them is somebody else, or a copy."""
    first = first_rows(record)
    for number, (sheet, group, is_taken) in enumerate(zip(record.sheets, groups, taken, strict=True)):
        row = first.get(number)
        if not is_taken or row is None or annotators.codes[row] < 0 or documents.codes[row] < 0:
            continue
        key = (documents.labels[documents.codes[row]], annotators.labels[annotators.codes[row]], sheet.layer)
        if key in seen:
            layer = "" if group is None or "layer" not in group else f" on {group['layer']}"
            yield Problem(
                "same-annotator",
                "error",
                sheet.where,
                "each annotator once for a document",
                f"{key[1]} again for {key[0]}{layer} (first {seen[key]})",
                "remove one, or say where the annotators' names are: --annotator-from",
            )
        seen.setdefault(key, sheet.where)


def first_rows(record: Record) -> dict[int, int]:
    """The first row of each sheet that has rows."""
    codes, index = np.unique(record.sheet_codes, return_index=True)
    return dict(zip(codes.tolist(), index.tolist(), strict=True))
