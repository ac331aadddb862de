# SPDX-License-Identifier: MIT
"""spaCy's DocBin (`.spacy`): the entities and span groups of its documents.

Entities are the units of the layer `ents`, the spans of a group those of a layer named after the group; the label is
the category. Documents of a DocBin have no names: their number in the file is taken, so files of several annotators
must hold the same documents in the same order, which their texts prove. The path tells the annotator. Positions are
characters of the text that the tokens make.

spaCy lends its msgpack and its table of strings (the extra `spacy`). Its own reader is not used: it builds documents
from whatever numbers the file holds, in C, without asking whether they make sense, and unpacks without a limit.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from unisono.errors import InputError, MissingDependencyError
from unisono.io.files import File, too_large
from unisono.io.formats.marked import LABEL
from unisono.io.jsontree import malformed
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "spaCy DocBin"
#: spaCy's numbers of the attributes that matter here; they are part of its format.
_ORTH, _ENT_IOB, _ENT_TYPE = 65, 77, 78
_INSIDE, _BEGIN = 1, 3
_SPAN = struct.Struct(">QQQllll")
_ENTITIES = "ents"


def read(file: File, settings: Settings) -> Record:
    """The units of all documents in a DocBin."""
    builder = RecordBuilder(file, _WHAT)
    content = _Content(file, _message(_unpacked(file), file.where))
    for number in range(content.n_documents):
        text, bounds = content.tokens(number)
        common = {"document": str(number + 1), "text": text, "where": f"{file.where} document {number + 1}"}
        layers = {_ENTITIES: [*content.entities(number)]} | content.groups(number)
        for layer, spans in layers.items():
            sheet = builder.sheet(layer=layer, **common)
            for position, (first, last, label) in enumerate(spans, start=1):
                where = f"{common['where']} {layer} {position}"
                if not 0 <= first < last <= len(bounds):
                    expected = f"tokens from 0 to {len(bounds)}"
                    builder.fault("missing-position", where, expected, f"{first} to {last}", "write the file again")
                    continue
                builder.unit(sheet, bounds[first][0], bounds[last - 1][1], {LABEL: label}, where)
        # Without a layer: seen, whatever layer is asked for.
        builder.sheet(**common)
    return builder.record(category=LABEL, called={"document": "their order"})


class _Content:
    """The columns of a DocBin, checked to fit together."""

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
            raise self.refused(f"columns that do not fit ({type(error).__name__})") from None
        if (lengths < 0).any() or not self.starts[-1] == len(self.cells) == len(self.spaces):
            raise self.refused("fewer or more tokens than its documents have")

    @property
    def n_documents(self) -> int:
        return len(self.starts) - 1

    def refused(self, found: str) -> InputError:
        return malformed(self.where, _WHAT, found, "write it again with DocBin.to_disk")

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
        """The string behind a number."""
        if code not in self.names:
            raise self.refused(f"a token or label without a string ({code})")
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
        listed = _message(packed, self.where)
        found: dict[str, list[tuple[int, int, str]]] = {}
        try:
            # Since spaCy 3.2.4 the bytes of groups are keys of their names; before, a list of groups.
            pairs = listed.items() if isinstance(listed, dict) else ((item, None) for item in listed)
            for data, names in pairs:
                group = _message(data, self.where)
                spans = [_SPAN.unpack(span) for span in group["spans"]]
                for name in names or [group["name"]]:
                    found[str(name)] = [(span[3], span[4], self.name(span[2])) for span in spans]
        except InputError:
            raise
        except (struct.error, KeyError, TypeError, ValueError, AttributeError) as error:
            raise self.refused(f"span groups that cannot be read ({type(error).__name__})") from None
        return found


def _unpacked(file: File) -> bytes:
    """The content, unpacked within the limit on sizes."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(file.data(), file.limits.size + 1)
        if len(data) > file.limits.size:
            raise too_large("more", file.where, file.limits.size)
        if not stream.eof:
            raise malformed(file.where, _WHAT, "one that breaks off", "write it again with DocBin.to_disk")
    except zlib.error as error:
        raise malformed(file.where, _WHAT, f"what is not packed as one ({error})") from None
    return data


def _message(data: Any, where: str) -> Any:
    """A value packed with msgpack; what it holds is looked at by those who use it."""
    msgpack = _lent("srsly.msgpack")
    try:
        return msgpack.loads(data, raw=False, use_list=True)
    except Exception as error:  # whatever its parts raise on bytes they did not write
        raise malformed(where, _WHAT, f"what is no msgpack ({type(error).__name__})") from None


def _names(strings: list[str]) -> dict[int, str]:
    """The strings by the numbers spaCy gives them; the empty one is 0."""
    store = _lent("spacy.strings").StringStore()
    return {0: ""} | {int(store.add(string)): string for string in strings if string}


def _lent(module: str) -> Any:
    """A module of spaCy, or one line that says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingDependencyError("reading docbin", "spacy") from None
