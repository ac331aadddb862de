# SPDX-License-Identifier: MIT
"""spaCy's DocBin (`.spacy`): the entities and span groups of its documents.

Entities are the units of the layer `ents`, the spans of a group those of a layer named after the group; the label is
the category. The documents of a DocBin have no names and go by their number in the file, so the files of several
annotators must hold the same documents in the same order; their texts are compared. The annotator is taken from the
path. Positions are characters of the text that the tokens form.

spaCy's msgpack and table of strings are used (the extra `spacy`), but not its reader: that builds documents in C from
unchecked numbers, and decompresses without a limit.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from unisono.errors import InputError, load_optional
from unisono.io.files.jsontree import malformed
from unisono.io.files.opening import File, too_large
from unisono.io.formats.json_spans import LABEL
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder

_WHAT = "spaCy DocBin"
#: spaCy's numbers of the attributes that matter here; they are part of its format.
_ORTH, _ENT_IOB, _ENT_TYPE = 65, 77, 78
_INSIDE, _BEGIN = 1, 3
_SPAN = struct.Struct(">QQQllll")
_ENTITIES = "ents"
_REMEDY = "Write the file again with DocBin.to_disk."


def read(file: File, settings: Settings) -> Record:
    """The units of all documents in a DocBin."""
    builder = RecordBuilder(file, _WHAT)
    content = _Content(file, _message(_decompress(file), file.where))
    for number in range(content.n_documents):
        text, bounds = content.tokens(number)
        common = {"document": str(number + 1), "text": text, "where": f"{file.where} document {number + 1}"}
        layers = {_ENTITIES: [*content.entities(number)]} | content.groups(number)
        for layer, spans in layers.items():
            sheet = builder.sheet(layer=layer, **common)
            for position, (first, last, label) in enumerate(spans, start=1):
                where = f"{common['where']} {layer} {position}"
                if not 0 <= first < last <= len(bounds):
                    message = f"the span goes from token {first} to {last}, the document has {len(bounds)}"
                    builder.fault("missing-position", where, message, _REMEDY)
                    continue
                builder.unit(sheet, bounds[first][0], bounds[last - 1][1], {LABEL: label}, where)
        # A sheet without a layer: the annotator has seen the document, whichever layer is read.
        builder.sheet(**common)
    return builder.record(category=LABEL, called={"document": "their order"})


class _Content:
    """The columns of a DocBin; their lengths are checked against each other."""

    def __init__(self, file: File, message: Mapping[str, Any]):
        self.where = file.where
        try:
            self.attributes = [int(attribute) for attribute in message["attrs"]]
            lengths = np.frombuffer(message["lengths"], dtype="<i4").astype(np.int64)
            self.starts = np.concatenate(([0], np.cumsum(lengths)))
            cells = np.frombuffer(message["tokens"], dtype="<u8")
            self.cells = cells.reshape(-1, len(self.attributes))
            self.spaces = np.frombuffer(message["spaces"], dtype=np.bool_)
            self.span_groups = list(message.get("span_groups") or [])
            self.flags = list(message.get("flags") or [])
            self.names = _names([string for string in message["strings"] if isinstance(string, str)])
            self.orth = self.attributes.index(_ORTH)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self.refusal(f"its columns cannot be read ({type(error).__name__})") from None
        if (lengths < 0).any() or not self.starts[-1] == len(self.cells) == len(self.spaces):
            raise self.refusal("the number of its tokens differs from that of its documents")

    @property
    def n_documents(self) -> int:
        return len(self.starts) - 1

    def refusal(self, fault: str) -> InputError:
        return malformed(self.where, _WHAT, fault, _REMEDY)

    def tokens(self, number: int) -> tuple[str, list[tuple[int, int]]]:
        """The text of a document, and where each of its tokens begins and ends."""
        rows = slice(int(self.starts[number]), int(self.starts[number + 1]))
        words = [self.name(code) for code in self.cells[rows, self.orth].tolist()]
        flags = self.flags[number] if number < len(self.flags) else None
        unknown = isinstance(flags, dict) and bool(flags.get("has_unknown_spaces"))
        blanks = [True] * len(words) if unknown else self.spaces[rows].tolist()
        starts = np.cumsum([0, *(len(word) + blank for word, blank in zip(words, blanks, strict=True))]).tolist()
        text = "".join(word + " " * blank for word, blank in zip(words, blanks, strict=True))
        return text, [(start, start + len(word)) for (start, _), word in zip(pairwise(starts), words, strict=True)]

    def name(self, code: int) -> str:
        """The string that a number stands for."""
        if code not in self.names:
            raise self.refusal(f"a token or label has no string ({code})")
        return self.names[code]

    def entities(self, number: int) -> Iterator[tuple[int, int, str]]:
        """First token, the one after the last, and label of each entity."""
        if _ENT_IOB not in self.attributes or _ENT_TYPE not in self.attributes:
            return
        rows = slice(int(self.starts[number]), int(self.starts[number + 1]))
        marks = self.cells[rows, self.attributes.index(_ENT_IOB)].tolist()
        kinds = self.cells[rows, self.attributes.index(_ENT_TYPE)].tolist()
        first: int | None = None
        for i, (mark, kind) in enumerate([*zip(marks, kinds, strict=True), (0, 0)]):
            if first is not None and (mark != _INSIDE or kind != kinds[first]):
                yield first, i, self.name(kinds[first])
                first = None
            if first is None and mark in (_BEGIN, _INSIDE):
                first = i

    def groups(self, number: int) -> dict[str, list[tuple[int, int, str]]]:
        """First token, the one after the last, and label of each span, by group."""
        packed = self.span_groups[number] if number < len(self.span_groups) else b""
        if not packed or not isinstance(packed, bytes):
            return {}
        content = _message(packed, self.where)
        groups: dict[str, list[tuple[int, int, str]]] = {}
        try:
            # Since spaCy 3.2.4 a mapping from the bytes of groups to their names; before, a list of groups.
            pairs = content.items() if isinstance(content, dict) else ((item, None) for item in content)
            for data, names in pairs:
                group = _message(data, self.where)
                spans = [_SPAN.unpack(span) for span in group["spans"]]
                for name in names or [group["name"]]:
                    groups[str(name)] = [(span[3], span[4], self.name(span[2])) for span in spans]
        except InputError:
            raise
        except (struct.error, KeyError, TypeError, ValueError, AttributeError) as error:
            raise self.refusal(f"its span groups cannot be read ({type(error).__name__})") from None
        return groups


def _decompress(file: File) -> bytes:
    """The content, decompressed up to the limit on sizes."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(file.data(), file.limits.size + 1)
        if len(data) > file.limits.size:
            raise too_large(file.where, file.limits.size)
        if not stream.eof:
            raise malformed(file.where, _WHAT, "it is truncated", _REMEDY)
    except zlib.error as error:
        raise malformed(file.where, _WHAT, f"it is not compressed by zlib ({error})") from None
    return data


def _message(data: Any, where: str) -> Any:
    """A value packed with msgpack; callers check what it contains."""
    msgpack = _spacy_module("srsly.msgpack")
    try:
        return msgpack.loads(data, raw=False, use_list=True)
    except Exception as error:  # msgpack raises many kinds of exceptions on other bytes
        raise malformed(where, _WHAT, f"it is not msgpack ({type(error).__name__})") from None


def _names(strings: list[str]) -> dict[int, str]:
    """The strings by the numbers that spaCy gives them; the empty string is 0."""
    store = _spacy_module("spacy.strings").StringStore()
    return {0: ""} | {int(store.add(string)): string for string in strings if string}


def _spacy_module(module: str) -> Any:
    """A module of spaCy; a MissingDependencyError if it is not installed."""
    return load_optional(module, "reading docbin", "spacy")
