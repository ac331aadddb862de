# SPDX-License-Identifier: MIT
"""Columns of tokens: CoNLL files with BIO tags in any dialect (IOB1, IOB2, BIOES, BILOU), CoNLL-X and CoNLL-U.

A token a line, blank lines between sentences, cells parted by tabs (or by blanks where there are none). A run of tags
is a unit: a column of tags is a layer, named by the header or by its number (`column 4`), and the label is the
category. A new unit begins with B, S or U, and with any tag after O or after another label, as the CoNLL scorer has
it.

Columns that name their units (`direct.speech.3`, `frame.1|frame.2`, `-` or `_` for none; with a header) are layers
too: all tokens of one name are a unit, of several pieces where others lie between, and the name without its number is
the category.

In CoNLL-X and CoNLL-U files each token is a unit of the layer `token`, read on demand: universal tag as the category;
lemma, tag and relation as features.

Positions are characters of a text made of the tokens: a blank after each (none after `SpaceAfter=No`), a line end
after each sentence. Annotators of one text with the same tokens get the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unisono.errors import InputError
from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.tags import TAG, tagged
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings
from unisono.io.table import short
from unisono.io.xmltree import malformed

_WHAT = "CoNLL (columns of tokens)"
_NAMED = re.compile(r"([^\d|]*[^\d|.])\.(\d{1,9})((?:\.[^|]*)?)")
_NONE = ("-", "_", "O", "")
_DOCUMENT = re.compile(r"#\s*(?:newdoc\s+id|newdoc_id|doc_id|document)\s*=\s*(.+)")
_ID = re.compile(r"[0-9]{1,9}")
#: Surface forms of several words and words without a surface, which CoNLL-U numbers 3-4 and 8.1.
_NO_WORD = re.compile(r"[0-9]{1,9}[-.][0-9]{1,9}")
_TOKEN_FEATURES = {2: "lemma", 3: "label", 4: "fine_tag", 7: "relation"}
_TOKEN_HEADERS = ("tok", "token", "tokens", "word", "words", "form", "text")


#: The features of a unit, and its stretches: first and last token of each.
Run = tuple[Mapping[str, str | None], list[tuple[int, int]]]


@dataclass(slots=True)
class _Document:
    """The tokens of one document: their cells, places and lines, and the text they make."""

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
        raise malformed(file.where, _WHAT, "no tokens", "is it the right file?")
    header = _header(rows)
    width = len(rows[0])
    names = list(header) if header else [f"column {i + 1}" for i in range(width)]
    if header:
        for several in (documents[0].rows, documents[0].lines, documents[0].ends):
            del several[0]
        rows = rows[1:]
    has_ids = width > 2 and all(_ID.fullmatch(row[0]) for row in rows)
    form = 1 if has_ids else 0
    others = [i for i in range(width) if i > form or (i < form and not has_ids)]
    with_tags = [i for i in others if _is_tagged([row[i] for row in rows])]
    named = [i for i in others if header and i not in with_tags and _is_named([row[i] for row in rows])]
    if not with_tags and not named and not (has_ids and width >= 8):
        raise _untagged(documents, others, width, file.where)
    if len(documents) > 1:
        for number, document in enumerate(documents, start=1):
            document.name = document.name or f"{file.stem}_{number}"
    for document in documents:
        places, text = _laid_out(document, form, width)
        whose = {"document": document.name, "text": text}
        for i in with_tags:
            _units(builder, builder.sheet(layer=names[i], **whose), document, places, i, _tag_runs)
        for i in named:
            _units(builder, builder.sheet(layer=names[i], **whose), document, places, i, _named_runs)
        if has_ids and width >= 8:
            sheet = builder.sheet(layer="token", is_dependent=True, **whose)
            for row, line, (start, end) in zip(document.rows, document.lines, places, strict=True):
                features = {name: row[i] for i, name in _TOKEN_FEATURES.items() if row[i] not in ("_", "")}
                builder.unit(sheet, start, end, features, f"{file.where}:{line}")
    return builder.record(category="label", called={"category": "tags", "document": "the file"})


def _untagged(documents: Sequence[_Document], columns: Sequence[int], width: int, where: str) -> InputError:
    """No column of tags: one cell that is none may be the reason, and is then told."""
    rows = [row for document in documents for row in document.rows]
    lines = [line for document in documents for line in document.lines]
    for i in columns:
        odd = [n for n, row in enumerate(rows) if not _is_tag(row[i])]
        if 0 < len(odd) <= len(rows) // 2 and any(_is_tag(row[i]) and len(row[i]) > 2 for row in rows):
            found = f"{short(rows[odd[0]][i])!r} in column {i + 1}, among tags"
            return malformed(f"{where}:{lines[odd[0]]}", _WHAT, found, "a tag is O, or B-, I- and a label")
    found = f"{width} columns without B-, I- tags"
    return malformed(where, _WHAT, found, "give the file with the tags, or as a table of units")


def _documents(builder: RecordBuilder, text: str) -> list[_Document]:
    """The tokens, document by document; lines of another number of columns are faults."""
    documents = [_Document()]
    separator = "\t" if "\t" in text[:65_536] else None
    width = 0
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip("\r")
        current = documents[-1]
        if not line.strip():
            if current.ends:
                current.ends[-1] = True
            continue
        if line.startswith("-DOCSTART-"):
            if current.rows:
                documents.append(_Document())
            continue
        cells = line.rstrip("\n").split(separator)
        if line.startswith("#") and (len(cells) == 1 or (width and len(cells) != width) or line.startswith("# ")):
            if found := _DOCUMENT.fullmatch(line.strip()):
                if current.rows:
                    documents.append(_Document())
                documents[-1].name = found[1].strip()
            continue
        cells = [cell.strip() for cell in cells]
        width = width or _width(text, separator)
        if len(cells) != width:
            builder.fault(
                "malformed",
                f"{builder.file.where}:{number}",
                f"a token and its tags in {width} columns",
                repr(short(line)),
                "correct the line",
            )
        elif not _NO_WORD.fullmatch(cells[0]) or width < 8:
            current.rows.append(cells)
            current.lines.append(number)
            current.ends.append(False)
    return documents


def _width(text: str, separator: str | None) -> int:
    """How many columns most of the first lines have: the first one may be the odd one."""
    counts: dict[int, int] = {}
    for line in text[:65_536].split("\n")[:200]:
        if line.strip() and not line.startswith(("#", "-DOCSTART-")):
            n = len(line.rstrip("\r").split(separator))
            counts[n] = counts.get(n, 0) + 1
    return max(counts, key=lambda n: (counts[n], n), default=1)


def _header(rows: Sequence[Sequence[str]]) -> list[str] | None:
    """The first line, if it names the columns: `token` and the like, and no tags after it."""
    first = rows[0]
    if len(rows) < 2 or len(first) < 2 or len(set(first)) < len(first):
        return None
    return list(first) if first[0].lower() in _TOKEN_HEADERS and not any(map(_is_tag, first[1:])) else None


def _is_tag(cell: str) -> bool:
    return TAG.fullmatch(cell) is not None


def _is_tagged(cells: Sequence[str]) -> bool:
    """Whether a column is one of tags: all of them. Single letters count only if there is a B, or nothing but O."""
    kinds = set(cells)
    if not all(map(_is_tag, kinds)):
        return False
    return any(len(kind) > 2 for kind in kinds) or (kinds <= {"B", "I", "O"} and bool(kinds & {"B", "O"}))


def _is_named(cells: Sequence[str]) -> bool:
    kinds = {part for cell in set(cells) for part in cell.split("|")} - set(_NONE)
    return bool(kinds) and all(map(_NAMED.fullmatch, kinds))


def _laid_out(document: _Document, form: int, width: int) -> tuple[list[tuple[int, int]], str]:
    """Where each token begins and ends in the text they make."""
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


def _units(
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


def _tag_runs(cells: Sequence[str], ends: Sequence[bool]) -> Iterator[Run]:
    """The units in a column of tags."""
    return (({"label": label}, [(first, after - 1)]) for first, after, label in tagged(cells, ends))


def _named_runs(cells: Sequence[str], ends: Sequence[bool]) -> Iterator[Run]:
    """The units in a column of names: all stretches of tokens of one name."""
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
        found = _NAMED.fullmatch(name)
        yield {"label": found[1] + found[3] if found else name, "id": found[2] if found else None}, stretches
