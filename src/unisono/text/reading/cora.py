# SPDX-License-Identifier: MIT
"""A version of a text from CorA-XML: the units of one layer, and the text they make up."""

from __future__ import annotations

import os
from collections.abc import Sequence

from unisono.io.cora import read_cora
from unisono.io.source import SIZE_LIMIT
from unisono.text.versions import TextUnit, Version


def cora_version(
    path: str | os.PathLike[str],
    *,
    layer: str = "mod",
    text_from: str | None = None,
    features: Sequence[str] | None = None,
    split_symbol: str = "|",
    merge_symbol: str = "#",
    size_limit: int = SIZE_LIMIT,
) -> Version:
    """The version a CorA-XML file holds.

    Tokens are set apart by a space; units of one token are not. Where the text is the transcription (trans), the split
    symbol, with which annotators cut a token in two, is taken out, and the merge symbol, with which they join two, is
    a space: both versions then have the same text, and differ in the boundaries only. An empty symbol: none.
    """
    document = read_cora(path, layer=layer, text_from=text_from, features=features, size_limit=size_limit)
    pieces: list[str] = []
    units: list[TextUnit] = []
    at = 0
    before = -1
    for unit in document.units:
        text = unit.text
        if document.text_from == "trans":
            if split_symbol:
                text = text.replace(split_symbol, "")
            if merge_symbol:
                text = text.replace(merge_symbol, " ").strip() or text
        if before >= 0 and unit.token != before:
            pieces.append(" ")
            at += 1
        before = unit.token
        units.append(TextUnit(at, at + len(text), features=unit.features))
        pieces.append(text)
        at += len(text)
    return Version.of("".join(pieces), units, where=str(path))
