# SPDX-License-Identifier: MIT
"""Which data were measured: their fingerprint, their size, and the size and extent of each document."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from unisono.json_objects import to_json
from unisono.model import CATEGORY, Continuum, Corpus
from unisono.model.versions import TextUnit

#: What the fingerprint of a corpus begins with; the documents follow in the order of their names.
FINGERPRINT = b"unisono corpus 1\n"


@dataclass(frozen=True, slots=True)
class DataSummary:
    """Which data were measured: their fingerprint and their size."""

    sha256: str
    documents: int
    annotators: int
    units: int
    #: How many categories the units have: 0 where the measures compare positions only; None in older files.
    categories: int | None = None

    @classmethod
    def of(cls, corpus: Corpus, *, with_texts: bool = False) -> DataSummary:
        labels = {label for document in corpus for label in document.features[CATEGORY].compact().labels}
        digest = fingerprint(corpus, with_texts=with_texts)
        return cls(digest, len(corpus), len(corpus.annotators), corpus.n_units, len(labels))

    @property
    def has_only_positions(self) -> bool:
        """Whether there are units and none of them has a category."""
        return self.categories == 0 and self.units > 0

    def to_dict(self) -> dict[str, Any]:
        return to_json(self)


def outline(continuum: Continuum) -> dict[str, Any]:
    """The size and extent of a document, for the JSON of `validate`."""
    extent = continuum.extent
    return {
        "name": continuum.name,
        "annotators": list(continuum.annotators),
        "units": continuum.n_units,
        "extent": None if extent is None else {"start": extent.start, "end": extent.end, "source": extent.source},
    }


def fingerprint(corpus: Corpus, *, with_texts: bool = False) -> str:
    """SHA-256 of the content of a corpus: names, annotators, extents, units, features, in any order.

    with_texts: with the texts too, the annotators' own ones and their base included, for measures that compare them.
    """
    digest = hashlib.sha256(FINGERPRINT)
    for continuum in sorted(corpus, key=lambda continuum: continuum.name):
        digest.update(canonical_bytes(continuum))
        if with_texts:
            own = continuum.own_texts
            base = None if own is None or own.base is None else [own.base.text, *map(_base_unit, own.base)]
            texts = [continuum.text] if own is None else [*own.texts, base]
            digest.update(json.dumps(texts).encode() + b"\n")
    return digest.hexdigest()


def _base_unit(unit: TextUnit) -> list[Any]:
    return [unit.start, unit.end, unit.type, sorted((k, v) for k, v in unit.features.items() if v is not None)]


def canonical_bytes(continuum: Continuum) -> bytes:
    """A continuum in canonical form: a line of names, then the columns of the sorted units."""
    # Positions as doubles (exact, below 2**53): 3 and 3.0 are the same position. Adding 0 turns -0.0 into 0.0.
    columns = [np.asarray(column, dtype="<f8") + 0.0 for column in (continuum.starts, continuum.ends)]
    codes = np.asarray(continuum.annotator_codes, dtype="<i4")
    labels: dict[str, tuple[str, ...]] = {}
    for name in sorted(continuum.features):
        # Only labels in use count, whatever the table of labels is.
        feature = continuum.features[name].compact()
        labels[name] = feature.labels
        columns.append(np.asarray(feature.codes, dtype="<i4"))
    order = np.lexsort((*reversed(columns), codes))
    extent = continuum.extent
    header = [
        continuum.name,
        continuum.annotators,
        None if extent is None else [float(extent.start) + 0.0, float(extent.end) + 0.0],
        labels,
        continuum.n_units,
    ]
    line = json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    return b"".join((line, *(np.ascontiguousarray(column[order]).tobytes() for column in (codes, *columns))))
