# SPDX-License-Identifier: MIT
"""What files offer to choose from, for those who must say what is meant: a page, a service, a wizard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.io.arrangement import Arranged
from unisono.io.record import Record


@dataclass(frozen=True, slots=True)
class Contents:
    """Kinds of files, layers with their numbers of units, features and fields, whether or not they were taken."""

    #: In words, with the number of files: {"brat": 12}.
    kinds: Mapping[str, int] = field(default_factory=dict)
    #: Layers or tiers, for `layer`.
    layers: Mapping[str, int] = field(default_factory=dict)
    #: Features of units, for `category_from`.
    features: tuple[str, ...] = ()
    #: What the files say about their units, for `annotator_from="field:NAME"`.
    fields: tuple[str, ...] = ()
    #: Layers that were read.
    read_layers: tuple[str, ...] = ()
    #: Where annotators, documents and categories were taken from, in words.
    sources: Mapping[str, str] = field(default_factory=dict)


def contents_of(records: Sequence[Record], found: Arranged | None = None) -> Contents:
    """What these records offer; `found` is what was made of them, if anything was."""
    layers: Counter[str] = Counter()
    for record in records:
        counts = np.bincount(record.sheet_codes[record.is_unit], minlength=len(record.sheets)).tolist()
        for sheet, n_units in zip(record.sheets, counts, strict=False):
            if sheet.layer is not None:
                layers[sheet.layer] += n_units
    return Contents(
        kinds=Counter(record.kind for record in records),
        layers=dict(layers.most_common()),
        features=tuple(dict.fromkeys(name for record in records for name in record.features)),
        fields=tuple(dict.fromkeys(name for record in records for sheet in record.sheets for name in sheet.fields)),
        read_layers=() if found is None else found.layers,
        sources={} if found is None else {role: " or ".join(sorted(words)) for role, words in found.sources.items()},
    )
