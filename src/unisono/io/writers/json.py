# SPDX-License-Identifier: MIT
"""unisono's own JSON: everything a corpus holds, document by document; io/formats/unisono_json.py reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from unisono.io.formats.text_versions import version_as_dict
from unisono.io.writers import Losses
from unisono.model import CATEGORY, Continuum, Corpus

#: Version of the layout. 1: the first.
SCHEMA = 1


def write(corpus: Corpus, path: Path, losses: Losses) -> None:
    """Write one object with all documents."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f'{{"unisono-corpus": {SCHEMA}, "documents": [')
        for number, continuum in enumerate(corpus):
            stream.write(",\n" if number else "\n")
            json.dump(_document(continuum), stream, ensure_ascii=False)
        stream.write("\n]}\n")


def _document(continuum: Continuum) -> dict[str, Any]:
    extent, own = continuum.extent, continuum.own_texts
    places: list[list[int]] = [[] for _ in continuum.annotators]
    for place, code in enumerate(continuum.annotator_codes.tolist()):
        places[code].append(place)
    texts: list[dict[str, Any]] = [{} if own is None else {"text": text} for text in _texts(continuum)]
    base = {} if own is None or own.base is None else {"base": version_as_dict(own.base)}
    return {
        "name": continuum.name,
        "text": continuum.text,
        **base,
        "extent": None if extent is None or extent.source == "guessed" else [extent.start, extent.end],
        **({} if extent is None or extent.unit is None else {"time_unit": extent.unit}),
        "annotators": [
            {"name": annotator, **texts[number], "units": [_unit(continuum, i) for i in places[number]]}
            for number, annotator in enumerate(continuum.annotators)
        ],
    }


def _texts(continuum: Continuum) -> Sequence[str | None]:
    """The text of each annotator, None where they share one."""
    return (None,) * continuum.n_annotators if continuum.own_texts is None else continuum.own_texts.texts


def _unit(continuum: Continuum, index: int) -> dict[str, Any]:
    unit = continuum[index]
    features = {name: value for name, value in unit.features.items() if value is not None}
    members: dict[str, Any] = {"start": unit.start, "end": unit.end, CATEGORY: unit.category}
    return members | ({"features": features} if features else {})
