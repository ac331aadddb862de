# SPDX-License-Identifier: MIT
"""The choice of annotators, documents and categories by their names: what is not chosen is not read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fnmatch import fnmatchcase
from typing import TypedDict

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.faults import BoolArray
from unisono.io.labels import Labels
from unisono.io.tables.participation_table import Participation
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing
from unisono.model import CATEGORY


@dataclass(frozen=True, slots=True)
class Selection:
    """Names to read and to leave out; `*` and `?` stand for anything. Empty: everything is read."""

    only_annotators: tuple[str, ...] = ()
    exclude_annotators: tuple[str, ...] = ()
    only_documents: tuple[str, ...] = ()
    exclude_documents: tuple[str, ...] = ()
    only_categories: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Selection:
        """The selection among keyword arguments; a single name counts as a list of one."""
        values = {item.name: given.get(item.name) or () for item in fields(cls)}
        return cls(**{name: (v,) if isinstance(v, str) else tuple(v) for name, v in values.items()})  # type: ignore[arg-type]

    @property
    def given(self) -> dict[str, tuple[str, ...]]:
        """What was given, by name."""
        return {item.name: value for item in fields(self) if (value := getattr(self, item.name))}

    def takes_annotator(self, name: str) -> bool:
        """Whether an annotator of this name is read."""
        return _choice(self.only_annotators, self.exclude_annotators)(name)


class SelectionOptions(TypedDict, total=False):
    """The fields of a Selection as keyword arguments of `read` and `inspect`."""

    only_annotators: str | Sequence[str]
    exclude_annotators: str | Sequence[str]
    only_documents: str | Sequence[str]
    exclude_documents: str | Sequence[str]
    only_categories: str | Sequence[str]
    anonymise: bool


def select_rows(
    parts: Sequence[UnitRows], participation: Participation | None, selection: Selection
) -> tuple[list[UnitRows], Participation | None]:
    """The rows of the selected annotators and documents; a FormatError where a name matches nothing."""
    annotators = [part.annotator_labels for part in parts] + [participation.annotators if participation else None]
    documents = [part.document_labels for part in parts] + [participation.documents if participation else None]
    _check_names(selection, "annotators", _used_names(annotators))
    _check_names(selection, "documents", _used_names(documents))
    is_annotator = _choice(selection.only_annotators, selection.exclude_annotators)
    is_document = _choice(selection.only_documents, selection.exclude_documents)

    def chosen_rows(annotators: Labels | None, documents: Labels | None, n_rows: int) -> BoolArray:
        chosen = np.ones(n_rows, dtype=np.bool_)
        for labels, is_chosen in ((annotators, is_annotator), (documents, is_document)):
            if labels is not None:
                # A row without a name is a fault, which is reported.
                chosen &= np.array([*map(is_chosen, labels.labels), True], dtype=np.bool_)[labels.codes]
        return chosen

    rows = [
        part.take(np.flatnonzero(chosen_rows(part.annotator_labels, part.document_labels, len(part)))) for part in parts
    ]
    if participation is not None:
        n_pairs = len(participation.annotators.codes)
        index = np.flatnonzero(chosen_rows(participation.annotators, participation.documents, n_pairs))
        participation = replace(
            participation,
            annotators=participation.annotators.take(index),
            documents=None if participation.documents is None else participation.documents.take(index),
        )
    return rows, participation


def select_categories(parts: Sequence[UnitRows], selection: Selection) -> list[UnitRows]:
    """The rows; those of other categories are no units any more, and still say who saw the document."""
    columns = [part.features.get(CATEGORY) for part in parts]
    _check_names(selection, "categories", _used_names(columns))
    is_category = _choice(selection.only_categories, ())
    selected = []
    for part, labels in zip(parts, columns, strict=True):
        if labels is None:
            chosen = np.zeros(len(part), dtype=np.bool_)
        else:
            chosen = np.array([*map(is_category, labels.labels), False], dtype=np.bool_)[labels.codes]
        selected.append(replace(part, is_unit=part.is_unit & chosen))
    return selected


def _choice(only: Sequence[str], exclude: Sequence[str]) -> Callable[[str], bool]:
    def is_chosen(name: str) -> bool:
        return (not only or _matches(name, only)) and not _matches(name, exclude)

    return is_chosen


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)


def _used_names(columns: Sequence[Labels | None]) -> set[str]:
    return {
        labels.labels[code]
        for labels in columns
        if labels is not None and len(labels.codes)
        for code in np.unique(labels.codes).tolist()
        if code >= 0
    }


def _check_names(selection: Selection, kind: str, names: Collection[str]) -> None:
    problems = [
        *_unmatched_names(f"only_{kind}", kind, getattr(selection, f"only_{kind}"), names),
        *_unmatched_names(f"exclude_{kind}", kind, getattr(selection, f"exclude_{kind}", ()), names),
    ]
    if problems:
        raise FormatError(problems)


def _unmatched_names(setting: str, kind: str, patterns: Sequence[str], names: Collection[str]) -> Iterator[Problem]:
    from difflib import get_close_matches

    for pattern in patterns:
        if any(_matches(name, [pattern]) for name in names):
            continue
        forms = {name.casefold(): name for name in sorted(names)}
        close = [forms[hit] for hit in get_close_matches(pattern.casefold(), forms, 3)]
        noun = {"annotators": "annotator", "documents": "document", "categories": "category"}[kind]
        meant = f"Did you mean {' or '.join(map(repr, close))}? " if close else ""
        yield Problem(
            "selection",
            "error",
            "",
            f"no {noun} matches {pattern!r}, which [[{setting}]] names",
            f"{meant}The {kind} are {listing(sorted(names), 12) or 'none'}.",
        )
