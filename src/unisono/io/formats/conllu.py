# SPDX-License-Identifier: MIT
"""CoNLL-U as an annotator's version of a text: surface tokens with lemma, upos, xpos, feats and deprel.

`SpaceAfter=No` is heeded; a line break separates sentences, which are units of the type "sentence" if asked for. A
multiword token (1-2) is one unit, the surface form; the labels of its words are joined by plus signs. Empty nodes (1.1)
are left out. Without `format="conllu"` such files are read by `conll`: words as units of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.token_text import NO_LABEL, TokenText
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.nouns import quantity

#: The columns that are features of a token; HEAD and DEPS are numbers of other tokens.
_FEATURES = {2: "lemma", 3: "upos", 4: "xpos", 5: "feats", 7: "deprel"}
_N_COLUMNS = 10


@dataclass(slots=True)
class _Multiword:
    """A multiword token whose words are still being read."""

    #: As the file gives it: 1-2.
    position: str
    last: int
    form: str
    has_space: bool
    where: str
    words: list[list[str]] = field(default_factory=list)


def read(file: File, settings: Settings) -> Record:
    """The tokens of a file, as one text."""
    builder = RecordBuilder(file, "CoNLL-U")
    text = TokenText()
    multiword: _Multiword | None = None
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        where = f"{file.where}:{number}"
        if not line.strip():
            _refuse_incomplete(builder, multiword)
            multiword = None
            text.end_sentence(as_unit=settings.sentences, where=where)
            continue
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != _N_COLUMNS:
            message = f"the line has {quantity(len(cells), 'column')} instead of {_N_COLUMNS}"
            builder.fault(
                "conllu", where, message, "Separate columns by tabs. For other columns, choose [[format]] tokens."
            )
            continue
        position, form = cells[0], cells[1]
        if "." in position:
            continue
        first, dash, last = position.partition("-")
        if not _is_number(first) or (dash and not _is_number(last)) or not form:
            message = f"{position!r} and {form!r} are not the number of a token and its form"
            builder.fault("conllu", where, message, "Give a number or a range of numbers, and a form.")
            continue
        has_space = "SpaceAfter=No" not in cells[9].split("|")
        if dash:
            _refuse_incomplete(builder, multiword)
            multiword = _Multiword(position, int(last), form, has_space, where)
            continue
        if multiword is not None and int(first) > multiword.last:
            _refuse_incomplete(builder, multiword)
            multiword = None
        if multiword is None:
            text.add(form, _labels([cells]), where, space_after=has_space)
            continue
        multiword.words.append(cells)
        if int(first) == multiword.last:
            text.add(multiword.form, _labels(multiword.words), multiword.where, space_after=multiword.has_space)
            multiword = None
    _refuse_incomplete(builder, multiword)
    text.end_sentence(as_unit=settings.sentences, where=file.where)
    return text.record(builder)


def _refuse_incomplete(builder: RecordBuilder, multiword: _Multiword | None) -> None:
    """Report a multiword token whose last word is missing."""
    if multiword is not None:
        message = f"the words of the multiword token {multiword.position} end before word {multiword.last}"
        builder.fault("conllu", multiword.where, message, "Add its words, or correct its range.")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _labels(words: Sequence[Sequence[str]]) -> dict[str, str]:
    """The features of a token, those of its words joined by plus signs; one without any label is left out."""
    return {
        name: "+".join(word[column] for word in words)
        for column, name in _FEATURES.items()
        if any(word[column] not in NO_LABEL for word in words)
    }
