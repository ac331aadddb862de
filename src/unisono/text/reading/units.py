# SPDX-License-Identifier: MIT
"""Versions of a text out of files of any format that has texts and units on them: brat, WebAnno TSV, XMI, ..."""

from __future__ import annotations

import os
from collections.abc import Sequence

from unisono.errors import CorpusError
from unisono.io.layout import LayoutOptions
from unisono.io.table import listing
from unisono.io.texts import AnnotatedText, read_texts
from unisono.model import CATEGORY
from unisono.text.versions import TextUnit, TextVersions, Version


def unit_versions(
    paths: Sequence[str | os.PathLike[str]],
    *,
    document: str | None,
    features: Sequence[str] | None,
    encoding: str | None,
    size_limit: int,
    layout: LayoutOptions,
) -> TextVersions:
    """The versions of one document, by annotator; of several documents one must be named.

    Only the category is compared unless features are asked for: what else the tools keep with a unit is mostly not
    the annotator's judgement.
    """
    texts, problems = read_texts(list(paths), encoding=encoding, size_limit=size_limit, **layout)
    names = list(dict.fromkeys(text.document for text in texts))
    if document is None and len(names) > 1:
        raise CorpusError.of(
            "one document: text-γ compares the versions of one text",
            f"{len(names)} ({listing(names, 8)})",
            f"say which: --document {_most_differing(texts)}",
            code="which-document",
        )
    if document is not None and document not in names:
        raise CorpusError.of(
            f"a document named {document!r}", listing(names, 8), "give one of these", code="which-document"
        )
    wanted = (CATEGORY,) if features is None else tuple(features)
    chosen = [text for text in texts if text.document == (document or names[0])]
    versions = {
        text.annotator: Version.of(
            text.text,
            [
                TextUnit(start, end, features={name: given.get(name) for name in wanted})  # type: ignore[arg-type]
                for start, end, given in text.units
            ],
            where=text.where,
        )
        for text in chosen
    }
    found = TextVersions.of(versions, name=chosen[0].document)
    return TextVersions(found.annotators, found.versions, None, found.name, problems)


def _most_differing(texts: Sequence[AnnotatedText]) -> str:
    """The document to name as an example: the one with most different texts."""
    kinds: dict[str, set[str]] = {}
    for text in texts:
        kinds.setdefault(text.document, set()).add(text.text)
    return max(kinds, key=lambda name: len(kinds[name]))
