# SPDX-License-Identifier: MIT
"""CoNLL-U as an annotator's version of a text: surface tokens with lemma, upos, xpos, feats and deprel.

`SpaceAfter=No` is heeded; a line break separates sentences, which are units of the type "sentence" if asked for. A
multiword token (1-2) is one unit, the surface form; the labels of its words are joined by plus signs. Empty nodes (1.1)
are left out. Without `format="conllu"` such files are read by `conll`: words as units of a layer.
"""

from __future__ import annotations

from collections.abc import Sequence

from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.token_text import NO_LABEL, TokenText
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import count_of

#: The columns that are features of a token; HEAD and DEPS are numbers of other tokens.
_FEATURES = {2: "lemma", 3: "upos", 4: "xpos", 5: "feats", 7: "deprel"}
_N_COLUMNS = 10


def read(file: File, settings: Settings) -> Record:
    """The tokens of a file, as one text."""
    builder = RecordBuilder(file, "CoNLL-U")
    text = TokenText()
    multiword: tuple[int, str, bool] | None = None  # last word, form, whether a space follows
    words: list[list[str]] = []
    for number, line in enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1):
        where = f"{file.where}:{number}"
        if not line.strip():
            text.end_sentence(as_unit=settings.sentences, where=where)
            continue
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != _N_COLUMNS:
            message = f"the line has {count_of(len(cells), 'column')} instead of {_N_COLUMNS}"
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
            multiword, words = (int(last), form, has_space), []
        elif multiword is not None and int(first) <= multiword[0]:
            words.append(cells)
            if int(first) == multiword[0]:
                text.add(multiword[1], _labels(words), where, space_after=multiword[2])
                multiword = None
        else:
            text.add(form, _labels([cells]), where, space_after=has_space)
    text.end_sentence(as_unit=settings.sentences, where=file.where)
    return text.record(builder)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _labels(words: Sequence[Sequence[str]]) -> dict[str, str]:
    """The features of a token, those of its words joined by plus signs; one without any label is left out."""
    return {
        name: "+".join(word[column] for word in words)
        for column, name in _FEATURES.items()
        if any(word[column] not in NO_LABEL for word in words)
    }
