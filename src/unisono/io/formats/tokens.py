# SPDX-License-Identifier: MIT
"""Columns of tokens as an annotator's version of a text: one token on each line, columns separated by tabs.

The first line names the columns, unless `token_columns` does. The tokens are in the column form, token, tok, word or
text; with columns start and end they are placed at those offsets, otherwise a blank separates them. Every other column
is a feature; `_`, `-` and an empty cell mean that there is no label. A blank line is a line break in the text.
"""

from __future__ import annotations

from unisono.errors import FormatError
from unisono.io.files.encoding import decode
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.sniff import TOKEN_HEADERS
from unisono.io.formats.token_text import MOST_FILLED, NO_LABEL, TokenText
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.nouns import quantity


def read(file: File, settings: Settings) -> Record:
    """The tokens of a file, as one text."""
    lines = list(enumerate(split_lines(decode(file.data(), file.where, settings.encoding)), start=1))
    while lines and not lines[0][1].strip():
        lines.pop(0)
    header = settings.token_columns or (lines.pop(0)[1].split("\t") if lines else [])
    names = [name.strip().lower() for name in header]
    form = next((names.index(name) for name in TOKEN_HEADERS if name in names), None)
    if form is None:
        raise FormatError.of(
            f"no column is named {' or '.join(TOKEN_HEADERS)} in the first line ({', '.join(map(repr, names[:8]))})",
            "Name the columns in the first line, or with [[token_columns]]: form, pos.",
            where=f"{file.where}:1",
            code="token-columns",
        )
    has_offsets = {"start", "end"} <= set(names)
    labelled = {i: name for i, name in enumerate(names) if i != form and name not in ("start", "end") and name}
    builder = RecordBuilder(file, "columns of tokens")
    text = TokenText()
    n_filled = 0
    for number, line in lines:
        where = f"{file.where}:{number}"
        if not line.strip():
            text.end_sentence(as_unit=settings.sentences, where=where)
            continue
        cells = line.split("\t")
        if len(cells) != len(names):
            message = f"the line has {quantity(len(cells), 'column')} instead of {len(names)}"
            builder.fault("token-columns", where, message, "Correct the line.")
            continue
        word = cells[form]
        if not word:
            builder.fault("token-columns", where, "the token is empty", "Fill it in.")
            continue
        labels = {name: cells[i] for i, name in labelled.items() if cells[i] not in NO_LABEL}
        if not has_offsets:
            text.add(word, labels, where)
            continue
        start, end = cells[names.index("start")], cells[names.index("end")]
        if not (_is_offset(start) and _is_offset(end) and int(end) - int(start) == len(word)):
            message = f"the offsets {start!r} and {end!r} are not {len(word)} apart, the length of {word!r}"
            builder.fault("token-columns", where, message, "Correct the offsets.")
        elif int(start) < text.length:
            message = f"the token starts at {start}, before the end of the token above ({text.length})"
            builder.fault("token-columns", where, message, "Sort the tokens as in the text.")
        elif n_filled + (gap := int(start) - text.length) > MOST_FILLED:
            message = f"the token starts at {start}, {gap:,} characters after the end of the token above"
            builder.fault("token-columns", where, message, "Correct the offsets: they count characters of the text.")
        else:
            n_filled += gap
            text.add_at(int(start), word, labels, where)
    text.end_sentence(as_unit=settings.sentences, where=file.where)
    return text.record(builder)


def _is_offset(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
