# SPDX-License-Identifier: MIT
"""Questions about columns: a table without a category or document, and a column left over that could be it.

Reading stops with a question rather than guess, because both answers give a number and one of them is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.io.labels import Labels
from unisono.io.tables.cells import Table
from unisono.io.tables.header_names import PLAIN_NAMES, plain
from unisono.io.tables.numbers import Numbers, is_number
from unisono.io.wording import join_phrases, short
from unisono.model import PositionArray
from unisono.nouns import quantity

#: A whole number, as programs may also write it.
_WHOLE = re.compile(r"-?[0-9]{1,5}(?:\.0)?")

#: Every question has a code that begins like this.
QUESTION = "question-"

#: Columns of these names hold texts or remarks, whatever their content looks like.
_REMARKS = frozenset(
    map(plain, ("text", "content", "body", "covered_text", "quote", "comment", "comments", "note", "notes", "remark",
                "remarks", "kommentar", "bemerkung", "commentaire", "comentario", "commento", "opmerking", "url"))
)  # fmt: skip
#: A column of more different values than this is not a category unless each is repeated often.
_FEW_VALUES = 50
#: Labels are short: their median length is at most this many characters.
_LABEL_LENGTH = 40
#: In a table of at most this many rows labels need not repeat.
_SMALL_TABLE = 20
#: Columns of whole numbers are codes of categories only if they have at most this many different values, each repeated.
_MOST_CODES = 20
#: Words in the names of columns whose numbers count or measure something.
_COUNTING = frozenset({
    "id", "ids", "uid", "index", "idx", "i", "n", "nr", "no", "num", "number", "count", "counts", "token", "tokens",
    "word", "words", "char", "chars", "sentence", "sent", "line", "row", "page", "paragraph", "position", "pos",
    "offset", "confidence", "conf", "certainty", "score", "scores", "prob", "probability", "weight", "rating", "likert",
    "time", "times", "date", "year", "month", "day", "age", "duration", "length", "len", "size", "order", "rank",
    "round", "batch", "version", "session", "block", "trial", "step", "frame", "frames", "seed", "task", "checked",
    "done", "valid", "correct", "flag", "nummer", "anzahl", "zeile", "seite", "satz", "alter", "jahr", "zeit", "dauer",
    "numero", "nombre", "ligne", "phrase", "durée", "temps", "année", "linea", "pagina", "frase", "tiempo", "edad",
    "año", "tempo", "anno",
})  # fmt: skip
#: At most this many values are shown.
_SHOWN_VALUES = 4


def ask_about_columns(
    table: Table,
    unasked: Mapping[int, Labels],
    missing: Sequence[str],
    annotators: Labels | None,
    starts: PositionArray,
) -> None:
    """Raise a FormatError with a question where a role is missing and columns are left over that could have it.

    unasked: the columns without a role; missing: the roles without a column among category and document.
    """
    free = {column: labels for column, labels in unasked.items() if plain(table.names[column]) not in _REMARKS}
    documents = [
        column for column, labels in free.items() if _could_be_document(table, column, labels, annotators, starts)
    ]
    categories = [
        column
        for column, labels in free.items()
        if _could_be_category(table, column, labels) or _could_be_codes(table, column, labels, annotators)
    ]
    if "document" not in missing:
        documents = []
    if "category" not in missing:
        categories = []
    # A column that could be both is asked about as the category only if no other column could be.
    categories = [column for column in categories if column not in documents] or categories
    both = [column for column in categories if column in documents]
    documents = [column for column in documents if column not in both]
    problems = []
    if categories:
        problems.append(_question(table, "category", categories, free, both))
    if documents:
        problems.append(_question(table, "document", documents, free, []))
    if problems:
        raise FormatError(problems)


def _could_be_category(table: Table, column: int, labels: Labels) -> bool:
    """Whether a column holds labels: short texts, few of them, repeated (or in a short table, where none need be)."""
    filled = labels.codes[labels.codes >= 0]
    values = [labels.labels[code] for code in np.unique(filled).tolist()]
    # One label tells nothing, unless the column is named like a category: `ner_label`.
    words = {plain(word) for word in re.findall(r"[^\W\d_]+", table.names[column])}
    if (
        len(values) < (1 if words & set(PLAIN_NAMES["category"]) else 2)
        or _is_numeric(table, column, values)
        or plain(table.names[column]).endswith("id")
    ):
        return False
    if sorted(map(len, values))[len(values) // 2] > _LABEL_LENGTH:
        return False
    if len(values) == len(filled):
        return len(filled) <= _SMALL_TABLE
    return len(values) <= max(_FEW_VALUES, len(filled) // 20) and 2 * len(values) <= max(len(filled), _SMALL_TABLE)


def _could_be_codes(table: Table, column: int, labels: Labels, annotators: Labels | None) -> bool:
    """Whether a column holds categories as whole numbers: few, each repeated, in no order, several for an annotator.

    Not those that count or measure something, by their name: indices, confidences, pages.
    """
    words = re.findall(r"[^\W\d_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", table.names[column]).casefold())
    is_counting = bool(set(words) & _COUNTING) and not set(map(plain, words)) & set(PLAIN_NAMES["category"])
    if not table.has_header or not words or is_counting or words[0] in ("is", "has"):
        return False
    usable = np.flatnonzero((labels.codes >= 0) & ~table.faults.bad)
    codes = labels.codes[usable]
    names = {code: labels.labels[code] for code in np.unique(codes).tolist()}
    if not 2 <= len(names) <= _MOST_CODES or not all(map(_WHOLE.fullmatch, names.values())):
        return False
    counts = np.bincount(codes)
    if counts[counts > 0].min() < 2:
        return False
    number_of = {code: float(name) for code, name in names.items()}
    values = np.array([number_of[code] for code in codes.tolist()])
    who = np.zeros(len(usable), dtype=np.int64) if annotators is None else annotators.codes[usable]
    steps = [np.diff(values[who == name]) for name in np.unique(who).tolist()]
    # Numbers that only rise, or only fall, count something; numbers that never change belong to the annotator.
    return any((own > 0).any() and (own < 0).any() for own in steps)


def _is_numeric(table: Table, column: int, values: Sequence[str]) -> bool:
    return isinstance(table.columns[column], Numbers) or 2 * sum(map(is_number, values)) >= len(values)


def _could_be_document(
    table: Table, column: int, labels: Labels, annotators: Labels | None, starts: PositionArray
) -> bool:
    """Whether a column names documents: the rows of a value are together, and positions start over at a new value.

    A document may begin after the end of the one before; numbers are documents only if positions always start over.
    """
    usable = np.flatnonzero((labels.codes >= 0) & ~table.faults.bad)
    codes = labels.codes[usable]
    n_values = len(np.unique(codes))
    if n_values < 2 or 2 * n_values > len(codes):
        return False
    who = np.zeros(len(usable), dtype=np.int64) if annotators is None else annotators.codes[usable].astype(np.int64)
    order = np.argsort(who, kind="stable")
    who, codes, positions = who[order], codes[order], starts[usable][order]
    same = who[1:] == who[:-1]
    changes = same & (codes[1:] != codes[:-1])
    n_runs = 1 + int((~same | (codes[1:] != codes[:-1])).sum())
    n_pairs = len(np.unique(who * len(labels.labels) + codes))
    begins_anew = positions[1:][changes] <= positions[:-1][changes]
    values = [labels.labels[code] for code in np.unique(codes).tolist()]
    if n_runs != n_pairs or n_pairs == len(codes) or not begins_anew.any():
        return False
    return bool(begins_anew.all()) or not _is_numeric(table, column, values)


def _question(
    table: Table, role: str, columns: Sequence[int], labels: Mapping[int, Labels], also_documents: Sequence[int]
) -> Problem:
    """The question which column has the role, with every answer written out."""
    shown = [f"{short(table.names[column])!r} ({_values(labels[column])})" for column in columns]
    are = "a column that could be it is" if len(columns) == 1 else "columns that could be it are"
    message = f"no column was recognised as the {role}; {are} {join_phrases(shown)}"
    others = [table.names[i] for i in labels if i not in columns]
    if others:
        message += f" (not recognised either: {join_phrases([repr(short(name)) for name in others[:12]])})"
    given = [f"[[{role}_column]] {_argument(table, column)}" for column in columns]
    nothing = {"category": "if the units have no category, give [[no_category]]",
               "document": "if the table is one document, give [[one_document]]"}[role]  # fmt: skip
    remedy = f"If it is the {role}, give {given[0]}; {nothing}."
    if len(columns) > 1:
        remedy = f"Which is the {role}? Give {', or '.join(given)}; {nothing}."
    if also_documents:
        named = ", or ".join(f"[[document_column]] {_argument(table, column)}" for column in also_documents)
        remedy += f" If it names documents instead, give {named} and [[no_category]]."
    return Problem(QUESTION + role, "error", table.heading, message, remedy)


def _values(labels: Labels) -> str:
    values = [short(labels.labels[code]) for code in dict.fromkeys(labels.codes[labels.codes >= 0].tolist())]
    more = ", ..." if len(values) > _SHOWN_VALUES else ""
    return ", ".join(values[:_SHOWN_VALUES]) + more


def _argument(table: Table, column: int) -> str:
    """A column as the value of an option: its name, in quotes if it has blanks, or its number."""
    if not table.has_header:
        return str(column + 1)
    name = table.names[column]
    return name if re.fullmatch(r"[\w.:/+-]+", name) else f'"{name}"'


def join_questions(problems: Sequence[Problem]) -> list[Problem]:
    """The problems with each question once, however many files ask it."""
    asked: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        if problem.code.startswith(QUESTION):
            asked.setdefault((problem.code, problem.remedy), []).append(problem)
    joined = []
    for problem in problems:
        same = asked.get((problem.code, problem.remedy), [problem])
        if problem is same[0]:
            more = f", and likewise in {quantity(len(same) - 1, 'other file')}" if len(same) > 1 else ""
            joined.append(replace(problem, message=problem.message + more))
    return joined
