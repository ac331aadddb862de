# SPDX-License-Identifier: MIT
"""Columns of tokens: CoNLL files with BIO tags in any dialect (IOB1, IOB2, BIOES, BILOU), CoNLL-X and CoNLL-U.

One token per line, blank lines between sentences, cells separated by tabs (or by blanks if there are no tabs). A column
of tags is a layer, named by the header or by its number (`column 4`). A run of tags is a unit, its label the category.
A new unit begins with B, S or U, and with any tag that follows O or a tag with another label, as in the CoNLL scorer.

Columns that name their units (`direct.speech.3`, `frame.1|frame.2`, `-` or `_` for none) are layers too, if there is a
header: all tokens of one name are a unit, of several pieces if other tokens lie between; the name without its number is
the category.

In CoNLL-X and CoNLL-U files each token is a unit of the layer `token`, which is read only if asked for, with the
universal tag as its category and lemma, tag and relation as features.

Positions are characters of a text made of the tokens, with a blank after each (none after `SpaceAfter=No`) and a line
end after each sentence. Files with the same tokens get the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unisono.errors import InputError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import malformed
from unisono.io.files.lines import split_lines
from unisono.io.files.opening import File
from unisono.io.formats.bio_tags import TAG, tag_runs
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short
from unisono.nouns import quantity

_WHAT = "CoNLL (columns of tokens)"
_NAMED = re.compile(r"([^\d|]*[^\d|.])\.(\d{1,9})((?:\.[^|]*)?)")
_NONE = ("-", "_", "O", "")
_DOCUMENT = re.compile(r"#\s*(?:newdoc\s+id|newdoc_id|doc_id|document)\s*=\s*(.+)")
_ID = re.compile(r"[0-9]{1,9}")
#: Numbers such as 3-4 and 8.1, which CoNLL-U gives to multiword tokens and to empty nodes.
_NO_WORD = re.compile(r"[0-9]{1,9}[-.][0-9]{1,9}")
_TOKEN_FEATURES = {2: "lemma", 3: "label", 4: "fine_tag", 7: "relation"}
_TOKEN_HEADERS = ("tok", "token", "tokens", "word", "words", "form", "text")


#: The features of a unit, and the first and last token of each of its stretches.
Run = tuple[Mapping[str, str | None], list[tuple[int, int]]]


@dataclass(slots=True)
class _Document:
    """The tokens of one document: their cells and their lines in the file."""

    name: str | None = None
    rows: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    #: Whether a sentence ends after the token.
    ends: list[bool] = field(default_factory=list)


def read(file: File, settings: Settings) -> Record:
    """The units of all columns of tags."""
    builder = RecordBuilder(file, "CoNLL columns")
    documents = _documents(builder, decode(file.data(), file.where, settings.encoding))
    rows = [row for document in documents for row in document.rows]
    if not rows:
        raise malformed(file.where, _WHAT, "it has no tokens", "Is it the right file?")
    header = _header(rows)
    width = len(rows[0])
    names = list(header) if header else [f"column {i + 1}" for i in range(width)]
    if header:
        for several in (documents[0].rows, documents[0].lines, documents[0].ends):
            del several[0]
        rows = rows[1:]
    has_ids = width > 2 and all(_ID.fullmatch(row[0]) for row in rows)
    form = 1 if has_ids else 0
    others = range(form + 1, width)
    with_tags = [i for i in others if _is_tagged([row[i] for row in rows])]
    named = [i for i in others if header and i not in with_tags and _is_named([row[i] for row in rows])]
    if not with_tags and not named and not (has_ids and width >= 8):
        raise _no_tags(documents, others, width, file.where)
    if len(documents) > 1:
        for number, document in enumerate(documents, start=1):
            document.name = document.name or f"{file.stem}_{number}"
    for document in documents:
        places, text = _text(document, form, width)
        common = {"document": document.name, "text": text}
        for i in with_tags:
            _add_units(builder, builder.sheet(layer=names[i], **common), document, places, i, _runs_of_tags)
        for i in named:
            _add_units(builder, builder.sheet(layer=names[i], **common), document, places, i, _runs_of_names)
        if has_ids and width >= 8:
            sheet = builder.sheet(layer="token", is_dependent=True, **common)
            for row, line, (start, end) in zip(document.rows, document.lines, places, strict=True):
                features = {name: row[i] for i, name in _TOKEN_FEATURES.items() if row[i] not in ("_", "")}
                builder.unit(sheet, start, end, features, f"{file.where}:{line}")
    return builder.record(category="label", called={"category": "tags", "document": "the file"})


def _no_tags(documents: Sequence[_Document], columns: Sequence[int], width: int, where: str) -> InputError:
    """The refusal of a file without a column of tags; if few cells of a column are no tags, it names the first."""
    rows = [row for document in documents for row in document.rows]
    lines = [line for document in documents for line in document.lines]
    for i in columns:
        odd = [n for n, row in enumerate(rows) if not _is_tag(row[i])]
        if 0 < len(odd) <= len(rows) // 2 and any(_is_tag(row[i]) and len(row[i]) > 2 for row in rows):
            fault = f"{short(rows[odd[0]][i])!r} in column {i + 1} is not a tag like the other cells of the column"
            return malformed(f"{where}:{lines[odd[0]]}", _WHAT, fault, "A tag is O, or B- or I- and a label.")
    columns_have = f"none of its {width} columns has" if width > 1 else "its only column does not have"
    remedy = "Give the file with the tags, or the units as a table."
    return malformed(where, _WHAT, f"{columns_have} B-, I- tags", remedy)


def _documents(builder: RecordBuilder, text: str) -> list[_Document]:
    """The tokens, document by document; lines with another number of columns are faults."""
    documents = [_Document()]
    lines = split_lines(text)
    separator = "\t" if "\t" in text[:65_536] else None
    width = 0
    for number, line in enumerate(lines, start=1):
        current = documents[-1]
        if not line.strip():
            if current.ends:
                current.ends[-1] = True
            continue
        if line.startswith("-DOCSTART-"):
            if current.rows:
                documents.append(_Document())
            continue
        cells = line.split(separator)
        if line.startswith("#") and (len(cells) == 1 or (width and len(cells) != width) or line.startswith("# ")):
            if match := _DOCUMENT.fullmatch(line.strip()):
                if current.rows:
                    documents.append(_Document())
                documents[-1].name = match[1].strip()
            continue
        cells = [cell.strip() for cell in cells]
        width = width or _width(lines, separator)
        if len(cells) != width:
            builder.fault(
                "malformed",
                f"{builder.file.where}:{number}",
                f"the line {short(line)!r} has {quantity(len(cells), 'column')} instead of {width}",
                "Correct the line.",
            )
        elif not _NO_WORD.fullmatch(cells[0]) or width < 8:
            current.rows.append(cells)
            current.lines.append(number)
            current.ends.append(False)
    return documents


def _width(lines: Sequence[str], separator: str | None) -> int:
    """The number of columns that most of the first lines have: the very first line may be wrong."""
    counts: dict[int, int] = {}
    for line in lines[:200]:
        if line.strip() and not line.startswith(("#", "-DOCSTART-")):
            n = len(line.split(separator))
            counts[n] = counts.get(n, 0) + 1
    return max(counts, key=lambda n: (counts[n], n), default=1)


def _header(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """The first line, if it names the columns: it begins with `token` or similar and has no tags."""
    first = rows[0]
    if len(rows) < 2 or len(first) < 2 or len(set(first)) < len(first):
        return None
    return list(first) if first[0].lower() in _TOKEN_HEADERS and not any(map(_is_tag, first[1:])) else None


def _is_tag(cell: str) -> bool:
    return TAG.fullmatch(cell) is not None


def _is_tagged(cells: Sequence[str]) -> bool:
    """Whether all cells of a column are tags; tags without labels count only if they are B, I, O with a B or an O."""
    kinds = set(cells)
    if not all(map(_is_tag, kinds)):
        return False
    return any(len(kind) > 2 for kind in kinds) or (kinds <= {"B", "I", "O"} and bool(kinds & {"B", "O"}))


def _is_named(cells: Sequence[str]) -> bool:
    kinds = {part for cell in set(cells) for part in cell.split("|")} - set(_NONE)
    return bool(kinds) and all(map(_NAMED.fullmatch, kinds))


def _text(document: _Document, form: int, width: int) -> tuple[list[tuple[int, int]], str]:
    """Start and end of each token in the text that the tokens form, and this text."""
    parts: list[str] = []
    places = []
    at = 0
    for row, is_last in zip(document.rows, document.ends, strict=True):
        word = row[form]
        joined = width >= 8 and "SpaceAfter=No" in row[-1]
        gap = "\n" if is_last else "" if joined else " "
        places.append((at, at + len(word)))
        parts += (word, gap)
        at += len(word) + len(gap)
    return places, "".join(parts).rstrip(" \n") + "\n" if parts else ""


def _add_units(
    builder: RecordBuilder,
    sheet: int,
    document: _Document,
    places: Sequence[tuple[int, int]],
    column: int,
    runs: Callable[[Sequence[str], Sequence[bool]], Iterator[Run]],
) -> None:
    cells = [row[column] for row in document.rows]
    for features, stretches in runs(cells, document.ends):
        pieces = [(places[first][0], places[last][1]) for first, last in stretches]
        where = f"{builder.file.where}:{document.lines[stretches[0][0]]}"
        builder.unit(sheet, pieces[0][0], pieces[-1][1], features, where, pieces=pieces)


def _runs_of_tags(cells: Sequence[str], ends: Sequence[bool]) -> Iterator[Run]:
    """The units in a column of tags."""
    return (({"label": label}, [(first, after - 1)]) for first, after, label in tag_runs(cells, ends))


def _runs_of_names(cells: Sequence[str], ends: Sequence[bool]) -> Iterator[Run]:
    """The units in a column of names: all tokens of a name form one unit."""
    units: dict[str, list[tuple[int, int]]] = {}
    for i, cell in enumerate(cells):
        for name in dict.fromkeys(cell.split("|")):
            if name in _NONE:
                continue
            stretches = units.setdefault(name, [])
            if stretches and stretches[-1][1] == i - 1:
                stretches[-1] = (stretches[-1][0], i)
            else:
                stretches.append((i, i))
    for name, stretches in units.items():
        match = _NAMED.fullmatch(name)
        yield {"label": match[1] + match[3] if match else name, "id": match[2] if match else None}, stretches
