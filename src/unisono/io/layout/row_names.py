# SPDX-License-Identifier: MIT
"""The annotator and the document of every row: by the rule given, by the file itself, or by its path."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.faults import BoolArray
from unisono.io.labels import Labels
from unisono.io.layout.decision import place_of
from unisono.io.layout.name_parts import without_name
from unisono.io.layout.path_names import CALLED, PARENT, STEM, Place, differing_parts, names_by_level, names_by_pattern
from unisono.io.layout.path_splits import Split, choose_split
from unisono.io.layout.result import LayoutResult, TierNames
from unisono.io.layout.rules import Layout, Rule
from unisono.io.layout.similarity import Comparison, marks_of
from unisono.io.record import Record
from unisono.io.wording import listing
from unisono.model import IntArray
from unisono.nouns import quantity

Role = Literal["annotator", "document"]


@dataclass(frozen=True, slots=True)
class PathNames:
    """Names from the paths of records, by the number of the record, and words for where they were found."""

    annotators: Mapping[int, str]
    documents: Mapping[int, str]
    annotator_words: str
    document_words: str


def find_path_names(records: Sequence[Record], layout: Layout, split: Split | None) -> PathNames:
    """The names of annotators and documents that the paths of the records give; `split` where no rule is given."""
    annotator, document = layout.rule("annotator"), layout.rule("document")
    numbers = [i for i, record in enumerate(records) if record.file is not None]
    places = [place_of(records[i]) for i in numbers]
    if annotator is not None and annotator.kind == "regex":
        names, rests = names_by_pattern(places, annotator, "annotator")
        words, rest_words = "the pattern", "the rest of the path"
    elif annotator is not None and annotator.kind in ("parent", "stem"):
        level = PARENT if annotator.kind == "parent" else STEM
        names, rests = names_by_level(places, level)
        words, rest_words = CALLED[level], CALLED[PARENT if level == STEM else STEM]
    else:
        if annotator is not None and annotator.kind == "field" and all(place.text is not None for place in places):
            # The path may name the annotator as well as the field does; the rest of the path is the document.
            split = choose_split(places).split
        if split is not None:
            names, rests = list(split.annotators), split.documents
            words, rest_words = split.words, split.document_words
        else:
            names = [place.parts[PARENT] if len(place.parts) > 1 else "" for place in places]
            is_asked = document is None or document.kind not in ("regex", "parent", "stem")
            rests = _documents_of_rows([records[i] for i in numbers], places) if is_asked else []
            words, rest_words = CALLED[PARENT], CALLED[STEM]
    if document is not None and document.kind == "regex":
        rests, _ = names_by_pattern(places, document, "document")
        rest_words = "the pattern"
    elif document is not None and document.kind in ("parent", "stem"):
        index = PARENT if document.kind == "parent" else STEM
        rests = [place.parts[index] if len(place.parts) >= -index else "" for place in places]
        rest_words = CALLED[index]
    return PathNames(dict(zip(numbers, names, strict=True)), dict(zip(numbers, rests, strict=True)), words, rest_words)


def _documents_of_rows(records: Sequence[Record], places: Sequence[Place]) -> list[str]:
    """The documents of files whose rows or tiers name annotators: the files' names, without the annotator's in them.

    `talk_ann` by ann and `talk_bob` by bob are one document, `talk`; so are `ann/talk` and `bob/talk`. Files with tiers
    are documents of their own. A FormatError where files of one name may be one document or several.
    """
    stems = [place.parts[STEM] for place in places]
    have_same_names = len(set(stems)) < len(stems)
    if all(record.annotator_from == "tier" for record in records) and have_same_names:
        return differing_parts([place.parts for place in places])
    if len(records) < 2 or any(r.rows.annotator_labels is None or r.rows.document_labels is not None for r in records):
        return stems
    rests = [_path_without_annotator(record, place) for record, place in zip(records, places, strict=True)]
    known = [rest for rest in rests if rest is not None]
    if len(known) == len(rests):
        names = differing_parts(known)
        return names if len(set(names)) < len(names) else stems
    if have_same_names and not _mark_same_places(records, stems):
        raise _question_about_names(records, stems)
    return stems


def _path_without_annotator(record: Record, place: Place) -> tuple[str, ...] | None:
    """The path without the name of the file's only annotator in it; None if there are several, or it is not in it."""
    labels = record.rows.annotator_labels
    if labels is None or len(labels.labels) != 1:
        return None
    for level in range(STEM, -len(place.parts) - 1, -1):
        rest = without_name(place.parts[level], labels.labels[0])
        if rest is not None:
            index = len(place.parts) + level
            return (*place.parts[:index], *([rest] if rest else []), *place.parts[index + 1 :])
    return None


def _mark_same_places(records: Sequence[Record], stems: Sequence[str]) -> bool:
    """Whether files of one name mark the same places, as files about one document do."""
    groups: dict[str, list[int]] = {}
    for i, stem in enumerate(stems):
        groups.setdefault(stem, []).append(i)
    return Comparison(lambda i: {"": marks_of(records[i])}).coincide(list(groups.values()))


def _question_about_names(records: Sequence[Record], stems: Sequence[str]) -> FormatError:
    """The question whether files of one name in several folders are one document."""
    name = next(stem for stem, count in Counter(stems).items() if count > 1)
    files = [record.where for record, stem in zip(records, stems, strict=True) if stem == name]
    return FormatError.of(
        f"{quantity(len(files), 'file')} in different folders are named {name} ({listing(files, 3)}); it is not clear "
        "whether they are about one document",
        "If each folder is a document of its own, give [[document_from=parent]]; if files of one name are one "
        "document, give [[document_from=stem]].",
        code="question-document",
    )


def find_names(
    record: Record,
    role: Role,
    layout: Layout,
    groups: TierNames,
    paths: PathNames,
    number: int,
    keep: BoolArray,
    problems: list[Problem],
    result: LayoutResult,
    *,
    default: str | None = None,
) -> Labels:
    """The name of each row's annotator or document, by the rule (`default` if none is given), the file, or its path."""
    rule = layout.rule(role, default)
    rows = record.rows
    by_row = rows.annotator_labels if role == "annotator" else rows.document_labels
    of_path = (paths.annotators if role == "annotator" else paths.documents).get(number, "")
    path_words = paths.annotator_words if role == "annotator" else paths.document_words
    if layout.tier_pattern is not None and any(group and role in group for group in groups):
        names = [(group or {}).get(role, "") for group in groups]
        words = "tier names"
    elif rule is not None and rule.kind == "field" and rule.argument in rows.features:
        result.add_source(role, f"field {rule.argument}")
        labels = rows.features[rule.argument]
        problems += _rows_without_name(record, role, labels, keep)
        return labels
    elif rule is not None:
        names, words = _names_by_rule(record, rule, of_path, path_words)
    elif by_row is not None:
        result.add_source(role, record.called.get(role, "the file"))
        return by_row
    else:
        hints = [sheet.annotator if role == "annotator" else sheet.document for sheet in record.sheets]
        names = [hint or of_path for hint in hints]
        words = record.called.get(role, "the file") if any(hints) else path_words
    result.add_source(role, words)
    labels = _labels_of_sheets(names, record.sheet_codes)
    problems += _rows_without_name(record, role, labels, keep)
    return labels


def _names_by_rule(record: Record, rule: Rule, of_path: str, path_words: str) -> tuple[list[str], str]:
    if rule.kind == "tier":
        return [sheet.layer or "" for sheet in record.sheets], "tier names"
    if rule.kind == "field":
        return [sheet.fields.get(rule.argument, "") for sheet in record.sheets], f"field {rule.argument}"
    return [of_path] * len(record.sheets), path_words


def _labels_of_sheets(names: Sequence[str], codes: IntArray) -> Labels:
    """The names of sheets as labels of their rows."""
    of_sheets = Labels.of(list(names))
    return Labels(of_sheets.codes[codes] if len(codes) else codes, of_sheets.labels)


def _rows_without_name(record: Record, role: Role, labels: Labels, keep: BoolArray) -> Iterator[Problem]:
    """One problem for all rows without a name, with the fields in which it may be."""
    rows = np.flatnonzero((labels.codes < 0) & keep & ~record.faults.bad)
    if not len(rows):
        return
    offered = sorted({name for sheet in record.sheets for name in sheet.fields} | set(record.rows.features))
    fields = f" (fields here: {listing(offered, 12)})" if offered else ""
    have = "has" if len(rows) == 1 else "have"
    yield Problem(
        f"missing-{role}",
        "error",
        record.rows.place(int(rows[0])),
        f"{quantity(len(rows), 'row')} of the file {have} no {role}: neither the file nor its path gives a name",
        f"Say where it is with [[{role}_from]]: parent (the folder's name), stem (the file's name), tier, "
        f"field:NAME{fields} or regex:PATTERN.",
    )


def repeated_annotators(
    record: Record,
    taken: Sequence[bool],
    groups: TierNames,
    annotators: Labels,
    documents: Labels,
    seen: dict[tuple[str, str, str | None], str],
) -> Iterator[Problem]:
    """Problems where two sheets have the same annotator and document: a copy, or in fact another annotator."""
    first = first_rows(record)
    for number, (sheet, group, is_taken) in enumerate(zip(record.sheets, groups, taken, strict=True)):
        row = first.get(number)
        if not is_taken or row is None or annotators.codes[row] < 0 or documents.codes[row] < 0:
            continue
        key = (documents.labels[documents.codes[row]], annotators.labels[annotators.codes[row]], sheet.layer)
        if key in seen:
            layer = "" if group is None or "layer" not in group else f" on layer {group['layer']}"
            message = f"{key[1]} has annotated {key[0]}{layer} before, in {seen[key]}"
            remedy = "Remove one of them, or say where the annotators' names are with [[annotator_from]]."
            yield Problem("same-annotator", "error", sheet.where, message, remedy)
        seen.setdefault(key, sheet.where)


def first_rows(record: Record) -> dict[int, int]:
    """The first row of each sheet that has rows."""
    codes, index = np.unique(record.sheet_codes, return_index=True)
    return dict(zip(codes.tolist(), index.tolist(), strict=True))
