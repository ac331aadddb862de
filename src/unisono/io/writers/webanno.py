# SPDX-License-Identifier: MIT
"""WebAnno TSV 3.3: a folder for each document, a file for each annotator; one layer with a column for each feature.

Sentences are the lines of the text, tokens its words and punctuation. A unit that begins or ends inside a token is
written on a part of it; blanks at its ends are not kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from pathlib import Path

from unisono.io.formats.offsets import utf16_converter
from unisono.io.writers import Losses, documents_with_text, file_names, needs_whole_positions
from unisono.io.writers.token_lines import Sentence, sentences
from unisono.model import CATEGORY, Continuum, Corpus, Unit
from unisono.nouns import quantity

_LAYER = "webanno.custom.Unit"
_ESCAPED = str.maketrans({
    "\\": "\\\\", "[": "\\[", "]": "\\]", "|": "\\|", "_": "\\_", "*": "\\*", ";": "\\;", "\t": "\\t", "\n": "\\n",
    "\r": "\\r", "\f": "\\f", "\b": "\\b",
})  # fmt: skip
_TEXT = str.maketrans({"\\": "\\\\", "\t": "\\t", "\r": "\\r", "\f": "\\f", "\b": "\\b"})

#: A token, or a part of one: its number, and its bounds.
_Row = tuple[int, int, int]


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write the documents that have texts."""
    needs_whole_positions(corpus, "WebAnno TSV", str(path))
    written = documents_with_text(corpus, losses)
    folders = file_names(tuple(continuum.name for continuum in written), losses)
    names = file_names(corpus.annotators, losses)
    for continuum in written:
        folder = path / folders[continuum.name]
        folder.mkdir(exist_ok=True)
        lines = sentences(continuum.text or "")
        if _text_as_read(lines) != continuum.text:
            losses.note(f"WebAnno TSV does not keep the blanks around the lines of {continuum.name}")
        for annotator in continuum.annotators:
            text = _file_content(continuum, annotator, lines, losses)
            (folder / f"{names[annotator]}.tsv").write_text(text, encoding="utf-8", newline="")


def _text_as_read(lines: list[Sentence]) -> str:
    """The text as it will be put together when the file is read."""
    parts = []
    at = 0
    for line in lines:
        parts += ["\n" * (line.start - at), line.text]
        at = line.start + len(line.text)
    return "".join(parts)


def _file_content(continuum: Continuum, annotator: str, lines: list[Sentence], losses: Losses) -> str:
    text = continuum.text or ""
    columns = [CATEGORY, *sorted(set(continuum.features) - {CATEGORY})]
    names = [_column(name) for name in columns]
    out = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={_LAYER}|{'|'.join(names)}", "", ""]
    tokens = [token for line in lines for token in line.tokens]
    rows: dict[_Row, list[tuple[Unit, int]]] = {}
    number = n_trimmed = 0
    for unit in continuum.units_of(annotator):
        places = _rows(unit, tokens)
        if not places:
            losses.add("unit(s) on blanks only")
            continue
        n_trimmed += (places[0][1], places[-1][2]) != (unit.start, unit.end)
        number += 1
        for place in places:
            rows.setdefault(place, []).append((unit, number))
    if n_trimmed:
        ends = (
            "is written without the blanks at its ends"
            if n_trimmed == 1
            else "are written without the blanks at their ends"
        )
        losses.note(f"{quantity(n_trimmed, 'unit')} of {annotator} in {continuum.name} {ends}")
    shared = {n for units in rows.values() if len(units) > 1 for _, n in units}
    counts: dict[int, int] = {}
    for units in rows.values():
        for _, n in units:
            counts[n] = counts.get(n, 0) + 1
    numbered = shared | {n for n, count in counts.items() if count > 1}
    parts_of: dict[int, list[_Row]] = {}
    for row in sorted(rows):
        if row[1:] != tokens[row[0]]:
            parts_of.setdefault(row[0], []).append(row)
    position = utf16_converter(text)
    at = 0
    for i, line in enumerate(lines, start=1):
        out += [*([""] if i > 1 else []), f"#Text={line.text.translate(_TEXT)}"]
        for j, (start, end) in enumerate(line.tokens, start=1):
            for k, row in enumerate([(at, start, end), *parts_of.get(at, ())]):
                first, last = position(row[1]), position(row[2])
                ident = f"{i}-{j}" if k == 0 else f"{i}-{j}.{k}"
                covered = text[row[1] : row[2]].translate(_TEXT)
                cells = [_cell(rows.get(row, []), name, numbered) for name in columns]
                out.append("\t".join([ident, f"{first}-{last}", covered, *cells, ""]))
            at += 1
    return "\n".join(out) + "\n"


def _column(name: str) -> str:
    """A feature's name without bars, which separate columns, and dots, which mark types."""
    return "".join("_" if c in "|.\t\n\r" else c for c in name)


def _rows(unit: Unit, tokens: list[tuple[int, int]]) -> list[_Row]:
    """The tokens that a unit covers; the first and the last in part if it begins or ends inside them."""
    start, end = int(unit.start), int(unit.end)
    if start == end:
        # A point belongs to a token that begins, ends or continues there.
        index = bisect_right(tokens, (start, float("inf"))) - 1
        for i in (index, index + 1):
            if 0 <= i < len(tokens) and tokens[i][0] <= start <= tokens[i][1]:
                return [(i, start, start)]
        return []
    first = bisect_right(tokens, start, key=lambda token: token[1])
    last = bisect_left(tokens, end, key=lambda token: token[0])
    return [(i, max(start, tokens[i][0]), min(end, tokens[i][1])) for i in range(first, last)]


def _cell(units: list[tuple[Unit, int]], name: str, numbered: set[int]) -> str:
    values = []
    for unit, number in units:
        value = unit.category if name == CATEGORY else unit.features.get(name)
        values.append(
            ("*" if value is None else value.translate(_ESCAPED)) + (f"[{number}]" if number in numbered else "")
        )
    return "|".join(values) or "_"
