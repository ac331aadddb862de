# SPDX-License-Identifier: MIT
"""CATMA projects as kept by its Git access: `collections/C_.../annotations/*.json` with tag sets and texts beside.

An annotation is a unit: the tag's name is the category, its properties are features (several values joined `A|B`), the
source document the document, with its text. The annotator is the author of the annotation, as in CATMA; where one
author keeps several collections on a text, `--annotator-from field:collection` tells them apart, as in GitMA. A target
of several stretches is a discontinuous unit; stretches that touch are one. CATMA is written in Java and counts UTF-16
units, converted here where the text is there. Without tag sets the tag's identifier is the category. A collection
without annotations is not read: whether somebody saw the text is not said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from unisono.errors import InputError
from unisono.io.encoding import decode
from unisono.io.files import File
from unisono.io.formats.marked import row_object, values
from unisono.io.formats.web_annotation import joined
from unisono.io.jsontree import get, malformed, parsed, word, words
from unisono.io.offsets import code_point
from unisono.io.record import Record, RecordBuilder
from unisono.io.settings import Settings

_WHAT = "CATMA"
#: CATMA's own property for the author of an annotation.
_AUTHOR = "CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF"
#: Names of files in strangers' files: no way out of the project, none that is too long for a system.
_TAG = re.compile(r"(?:[\w\-./]*/)?tagsets/([\w\-]{1,100})/(?:[\w\-]+/)*([\w\-]{1,100})", re.ASCII)
_NAME = re.compile(r"[\w\-]{1,100}", re.ASCII)


@dataclass
class _Project:
    """What lies around a file of annotations, looked up once."""

    file: File
    settings: Settings
    tags: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    texts: dict[str, tuple[str | None, Callable[[int], int]]] = field(default_factory=dict)

    def tag(self, path: str) -> tuple[str, dict[str, str]]:
        """The name of a tag, and the names of its properties by their identifiers."""
        if path not in self.tags:
            found = _TAG.fullmatch(path) if len(path) < 1000 else None
            described = self._described(f"../../../tagsets/{found[1]}/{found[2]}/propertydefs.json") if found else {}
            properties = get(described, "userDefinedPropertyDefinitions", dict) or {}
            names = {key: word(get(value, "name", str)) or key for key, value in properties.items()}
            self.tags[path] = get(described, "name", str) or path.rpartition("/")[2], names
        return self.tags[path]

    def text(self, document: str) -> tuple[str | None, Callable[[int], int]]:
        """The text of a document, and what makes characters of its positions."""
        if document not in self.texts:
            other = None
            if _NAME.fullmatch(document):
                other = self.file.beside(f"../../../documents/{document}/{document}.txt")
            text = None if other is None else decode(other.data(), other.where, self.settings.encoding)
            self.texts[document] = text, code_point(text or "")
        return self.texts[document]

    def collection(self) -> str | None:
        return word(get(self._described("../header.json"), "name", str))

    def _described(self, path: str) -> Any:
        other = self.file.beside(path)
        if other is None:
            return {}
        try:
            return parsed(decode(other.data(), other.where, self.settings.encoding), other.where, _WHAT)
        except InputError:  # a name is worth no refusal
            return {}


def read(file: File, settings: Settings) -> Record:
    """The units of one file of annotations."""
    builder = RecordBuilder(file, "CATMA annotations")
    project = _Project(file, settings)
    fields = {"collection": name} if (name := project.collection()) else {}
    sheets: dict[tuple[str, str | None], int] = {}
    content = decode(file.data(), file.where, settings.encoding)
    for where, value in values(content, file.where, _WHAT):
        annotation = row_object(value, where, _WHAT)
        body, target = get(annotation, "body", dict), get(annotation, "target", dict)
        if body is None or target is None:
            raise malformed(where, _WHAT, "an annotation without body or target")
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
            _add(builder, sheets[document, author], pieces, features, position, where)
    return builder.record(category="tag", called={"annotator": "author", "document": "source documents"})


def _pieces(target: Mapping[str, Any]) -> dict[str, list[tuple[Any, Any]]]:
    """The stretches of a target by document."""
    found: dict[str, list[tuple[Any, Any]]] = {}
    for item in get(target, "items", list) or [target]:
        selector = get(item, "selector", dict) or {}
        source = word(get(item, "source", str)) or ""
        found.setdefault(source, []).append((selector.get("start"), selector.get("end")))
    return found


def _add(
    builder: RecordBuilder,
    sheet: int,
    pieces: list[tuple[Any, Any]],
    features: Mapping[str, str | None],
    position: Callable[[int], int],
    where: str,
) -> None:
    stretches = joined(pieces)
    if stretches is None or any(abs(bound) > 2**53 for piece in stretches for bound in piece):
        expected = "start and end as whole numbers, in order"
        builder.fault("missing-position", where, expected, str(pieces)[:60], "export it again from the tool")
        return
    stretches = [(position(start), position(end)) for start, end in stretches]
    builder.unit(sheet, stretches[0][0], stretches[-1][1], features, where, pieces=stretches)
