# SPDX-License-Identifier: MIT
"""Our own JSON: everything a corpus holds, document by document. formats/unisono_json.py reads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from unisono.io.writers import Losses
from unisono.model import CATEGORY, Continuum, Corpus

#: Version of the layout. 1: the first.
SCHEMA = 1


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """One object with all documents."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f'{{"unisono-corpus": {SCHEMA}, "documents": [')
        for number, continuum in enumerate(corpus):
            stream.write(",\n" if number else "\n")
            json.dump(_document(continuum), stream, ensure_ascii=False)
        stream.write("\n]}\n")


def _document(continuum: Continuum) -> dict[str, Any]:
    extent = continuum.extent
    known = extent is not None and extent.source != "guessed"
    return {
        "name": continuum.name,
        "text": continuum.text,
        "extent": [extent.start, extent.end] if known and extent is not None else None,
        "annotators": [
            {"name": annotator, "units": [_unit(continuum, i) for i in range(len(continuum)) if codes[i] == number]}
            for codes in [continuum.annotator_codes.tolist()]
            for number, annotator in enumerate(continuum.annotators)
        ],
    }


def _unit(continuum: Continuum, index: int) -> dict[str, Any]:
    unit = continuum[index]
    features = {name: value for name, value in unit.features.items() if value is not None}
    found: dict[str, Any] = {"start": unit.start, "end": unit.end, CATEGORY: unit.category}
    return found | ({"features": features} if features else {})
