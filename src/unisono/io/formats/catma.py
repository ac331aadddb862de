# SPDX-License-Identifier: MIT
"""CATMA projects as cloned with Git: `collections/C_.../annotations/*.json`, with tag sets and texts in other folders.

An annotation is a unit: the tag's name is the category, its properties are features (several values as `A|B`), the
source document with its text is the document. The annotator is the author of the annotation, as in CATMA; if one author
has several collections on a text, `--annotator-from field:collection` separates them, as in GitMA. A target of several
stretches is a discontinuous unit; stretches that touch are joined. CATMA counts UTF-16 units, which are converted if
the text is there. Without tag sets the tag's identifier is the category. A collection without annotations is not read,
because it does not say whether anybody saw the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unisono.errors import InputError
from unisono.io.files.encoding import decode
from unisono.io.files.jsontree import get, malformed, parse_json, word, words
from unisono.io.files.opening import File
from unisono.io.formats.json_spans import objects
from unisono.io.formats.offsets import code_point_converter
from unisono.io.formats.stretches import whole_stretches
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder
from unisono.io.wording import short

_WHAT = "CATMA"
#: CATMA's own property for the author of an annotation.
_AUTHOR = "CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF"
#: Paths that a file may name: none leads out of the project, none is too long for the file system.
_TAG = re.compile(r"(?:[\w\-./]*/)?tagsets/([\w\-]{1,100})/(?:[\w\-]+/)*([\w\-]{1,100})", re.ASCII)
_NAME = re.compile(r"[\w\-]{1,100}", re.ASCII)


@dataclass
class _Project:
    """The rest of the project around a file of annotations; every file in it is read at most once."""

    file: File
    settings: Settings
    tags: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    texts: dict[str, tuple[str | None, Callable[[int], int]]] = field(default_factory=dict)

    def tag(self, path: str) -> tuple[str, dict[str, str]]:
        """The name of a tag, and the names of its properties by their identifiers."""
        if path not in self.tags:
            match = _TAG.fullmatch(path) if len(path) < 1000 else None
            definition = self._json(f"../../../tagsets/{match[1]}/{match[2]}/propertydefs.json") if match else {}
            properties = get(definition, "userDefinedPropertyDefinitions", dict) or {}
            names = {key: word(get(value, "name", str)) or key for key, value in properties.items()}
            self.tags[path] = get(definition, "name", str) or path.rpartition("/")[2], names
        return self.tags[path]

    def text(self, document: str) -> tuple[str | None, Callable[[int], int]]:
        """The text of a document, and the function that converts its positions to characters."""
        if document not in self.texts:
            other = None
            if _NAME.fullmatch(document):
                other = self.file.beside(f"../../../documents/{document}/{document}.txt")
            text = None if other is None else decode(other.data(), other.where, self.settings.encoding)
            self.texts[document] = text, code_point_converter(text or "")
        return self.texts[document]

    def collection(self) -> str | None:
        return word(get(self._json("../header.json"), "name", str))

    def _json(self, path: str) -> Any:
        """The value in a file of the project, or an empty object."""
        other = self.file.beside(path)
        if other is None:
            return {}
        try:
            return parse_json(decode(other.data(), other.where, self.settings.encoding), other.where, _WHAT)
        except InputError:  # only names are lost, so the annotations are read nevertheless
            return {}


def read(file: File, settings: Settings) -> Record:
    """The units of one file of annotations."""
    builder = RecordBuilder(file, "CATMA annotations")
    project = _Project(file, settings)
    fields = {"collection": name} if (name := project.collection()) else {}
    sheets: dict[tuple[str, str | None], int] = {}
    for where, annotation in objects(file, settings, _WHAT):
        body, target = get(annotation, "body", dict), get(annotation, "target", dict)
        if body is None or target is None:
            raise malformed(where, _WHAT, "the annotation has no body or no target")
        properties = get(body, "properties", dict) or {}
        author = words((get(properties, "system", dict) or {}).get(_AUTHOR))
        tag, names = project.tag(get(body, "tag", str) or "")
        features = {"tag": tag} | {
            names.get(key, key): words(value) for key, value in (get(properties, "user", dict) or {}).items()
        }
        for document, pieces in _pieces(target).items():
            text, position = project.text(document)
            if (document, author) not in sheets:
                sheets[document, author] = builder.sheet(
                    document=document, annotator=author, text=text, fields=fields, where=where
                )
            _add_unit(builder, sheets[document, author], pieces, features, position, where)
    return builder.record(category="tag", called={"annotator": "author", "document": "source documents"})


def _pieces(target: Mapping[str, Any]) -> dict[str, list[tuple[Any, Any]]]:
    """The stretches of a target by document."""
    pieces: dict[str, list[tuple[Any, Any]]] = {}
    for item in get(target, "items", list) or [target]:
        selector = get(item, "selector", dict) or {}
        source = word(get(item, "source", str)) or ""
        pieces.setdefault(source, []).append((selector.get("start"), selector.get("end")))
    return pieces


def _add_unit(
    builder: RecordBuilder,
    sheet: int,
    pieces: list[tuple[Any, Any]],
    features: Mapping[str, str | None],
    position: Callable[[int], int],
    where: str,
) -> None:
    stretches = whole_stretches(pieces)
    if stretches is None or any(abs(bound) > 2**53 for piece in stretches for bound in piece):
        builder.fault(
            "missing-position",
            where,
            f"{short(str(pieces))} has a bound that is not a whole number, or an end before its start",
            "Export the project again from CATMA.",
        )
        return
    stretches = [(position(start), position(end)) for start, end in stretches]
    builder.unit(sheet, stretches[0][0], stretches[-1][1], features, where, pieces=stretches)
