# SPDX-License-Identifier: MIT
"""Versions of a text from files with a token on each line: CoNLL-U, and plain columns with or without offsets."""

from __future__ import annotations

from collections.abc import Sequence

from unisono.errors import FormatError, Problem
from unisono.text.versions import TextUnit, Version

SENTENCE = "sentence"
#: Columns of CoNLL-U that are features of a token; HEAD and DEPS are numbers of other tokens.
_CONLLU = {2: "lemma", 3: "upos", 4: "xpos", 5: "feats", 7: "deprel"}
_FORMS = ("form", "token", "tok", "word", "text")
_NONE = {"", "_", "-"}


def conllu_version(text: str, where: str, *, features: Sequence[str] | None = None, sentences: bool = False) -> Version:
    """The version a CoNLL-U file holds: tokens, with lemma, upos, xpos, feats and deprel.

    `SpaceAfter=No` is heeded; sentences are set apart by a line break, and are units of the type "sentence" if asked
    for. A multiword token (1-2) is one unit, the surface form; its words' labels are joined by a plus sign. Empty nodes
    (1.1) are left out. Features of tokens only: those that are always `_` do not count.
    """
    builder = _Builder()
    problems: list[Problem] = []
    surface: tuple[int, int, str, bool] | None = None  # of a multiword token: first, last, form, space after
    words: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            builder.end_sentence(sentences)
            continue
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 10:
            expected = "10 columns with tabs between them"
            remedy = "for other columns, give the format tsv"
            problems.append(Problem("conllu", "error", f"{where}:{number}", expected, f"{len(cells)}", remedy))
            continue
        number_cell, form, misc = cells[0], cells[1], cells[9]
        space = "SpaceAfter=No" not in misc.split("|")
        if "." in number_cell:
            continue
        first, dash, last = number_cell.partition("-")
        if not first.isdigit() or (dash and not last.isdigit()) or not form:
            expected = "a number or a range of numbers, and a form"
            problems.append(Problem("conllu", "error", f"{where}:{number}", expected, f"{number_cell!r} and {form!r}"))
            continue
        if dash:
            surface, words = (int(first), int(last), form, space), []
            continue
        if surface is not None and int(first) <= surface[1]:
            words.append(cells)
            if int(first) == surface[1]:
                labels = {
                    name: "+".join(word[column] for word in words)
                    for column, name in _CONLLU.items()
                    if any(word[column] not in _NONE for word in words)
                }
                builder.add(surface[2], _kept(labels, features), surface[3])
                surface = None
            continue
        labels = {name: cells[column] for column, name in _CONLLU.items() if cells[column] not in _NONE}
        builder.add(form, _kept(labels, features), space)
    builder.end_sentence(sentences)
    if problems:
        raise FormatError(problems)
    return builder.version(where)


def column_version(
    text: str, where: str, *, features: Sequence[str] | None = None, columns: Sequence[str] | None = None
) -> Version:
    """The version a file with a token on each line holds, columns set apart by tabs.

    The first line names the columns, unless `columns` does. The tokens are in the column form, token, tok, word or
    text; with columns start and end they are set at those offsets, otherwise a space is set between them. Every other
    column is a feature; `_`, `-` and nothing mean that there is no label. A blank line is a line break in the text.
    """
    lines = list(enumerate(text.splitlines(), start=1))
    while lines and not lines[0][1].strip():
        lines.pop(0)
    names = [name.strip().lower() for name in (columns or (lines.pop(0)[1].split("\t") if lines else []))]
    form = next((names.index(name) for name in _FORMS if name in names), None)
    if form is None:
        raise FormatError.of(
            f"a first line with the names of the columns, one of them among {', '.join(_FORMS)}",
            ", ".join(map(repr, names[:8])) or "nothing",
            "name the columns: columns=['form', 'pos']",
            where=f"{where}:1",
            code="token-columns",
        )
    has_offsets = {"start", "end"} <= set(names)
    labelled = {i: name for i, name in enumerate(names) if i != form and name not in ("start", "end") and name}
    builder = _Builder()
    problems: list[Problem] = []
    for number, line in lines:
        if not line.strip():
            builder.end_sentence(False)
            continue
        cells = line.split("\t")
        place = f"{where}:{number}"
        if len(cells) != len(names):
            problems.append(Problem("token-columns", "error", place, f"{len(names)} columns", f"{len(cells)}"))
            continue
        if not cells[form]:
            problems.append(Problem("token-columns", "error", place, "a token", "nothing"))
            continue
        labels = _kept({name: cells[i] for i, name in labelled.items() if cells[i] not in _NONE}, features)
        if not has_offsets:
            builder.add(cells[form], labels, True)
            continue
        start, end = cells[names.index("start")], cells[names.index("end")]
        if not (start.isdigit() and end.isdigit() and int(end) - int(start) == len(cells[form])):
            expected = f"offsets that are {len(cells[form])} apart, the length of {cells[form]!r}"
            problems.append(Problem("token-columns", "error", place, expected, f"{start!r} and {end!r}"))
        elif int(start) < builder.length:
            expected = f"tokens in the order of the text: a start from {builder.length}"
            problems.append(Problem("token-columns", "error", place, expected, start))
        else:
            builder.add_at(int(start), cells[form], labels)
    if problems:
        raise FormatError(problems)
    return builder.version(where)


class _Builder:
    """Puts a text together from tokens, and their units on it."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.units: list[TextUnit] = []
        self._separator = ""
        self._sentence = 0  # the number of units before the sentence at hand

    def add(self, form: str, labels: dict[str, str], space_after: bool) -> None:
        self._append(self._separator)
        self._separator = " " if space_after else ""
        self.units.append(TextUnit(self.length, self.length + len(form), features=labels))
        self._append(form)

    def add_at(self, start: int, form: str, labels: dict[str, str]) -> None:
        self._separator = " " * (start - self.length)
        self.add(form, labels, False)

    def end_sentence(self, as_unit: bool) -> None:
        if self._sentence == len(self.units):
            return
        if as_unit:
            self.units.append(TextUnit(self.units[self._sentence].start, self.length, SENTENCE))
        self._sentence = len(self.units)
        self._separator = "\n"

    def version(self, where: str) -> Version:
        return Version.of("".join(self.pieces), self.units, where=where)

    def _append(self, piece: str) -> None:
        self.pieces.append(piece)
        self.length += len(piece)


def _kept(labels: dict[str, str], features: Sequence[str] | None) -> dict[str, str]:
    return labels if features is None else {name: label for name, label in labels.items() if name in features}
