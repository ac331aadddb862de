# SPDX-License-Identifier: MIT
"""What files offer to choose from: for the page and the service, where the user says what is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from unisono.io.layout.result import LayoutResult
from unisono.io.record import Record


@dataclass(frozen=True, slots=True)
class Contents:
    """Kinds of files, layers with their numbers of units, features and fields, whether or not they were read."""

    #: In words, with the number of files: {"brat": 12}.
    kinds: Mapping[str, int] = field(default_factory=dict)
    #: Layers or tiers, for `layer`.
    layers: Mapping[str, int] = field(default_factory=dict)
    #: Features of units, for `category_from`.
    features: tuple[str, ...] = ()
    #: Fields of the files, for `annotator_from="field:NAME"`.
    fields: tuple[str, ...] = ()
    #: Layers that were read.
    read_layers: tuple[str, ...] = ()
    #: Where annotators, documents and categories were taken from, in words.
    sources: Mapping[str, str] = field(default_factory=dict)


def list_contents(records: Sequence[Record], result: LayoutResult | None = None) -> Contents:
    """What the records offer, and, where a layout could be applied, what it took."""
    layers: Counter[str] = Counter()
    for record in records:
        counts = np.bincount(record.sheet_codes[record.rows.is_unit], minlength=len(record.sheets)).tolist()
        for sheet, n_units in zip(record.sheets, counts, strict=False):
            if sheet.layer is not None:
                layers[sheet.layer] += n_units
    return Contents(
        kinds=Counter(record.kind for record in records),
        layers=dict(layers.most_common()),
        features=tuple(dict.fromkeys(name for record in records for name in record.rows.features)),
        fields=tuple(dict.fromkeys(name for record in records for sheet in record.sheets for name in sheet.fields)),
        read_layers=() if result is None else result.layers,
        sources={} if result is None else {role: " or ".join(sorted(words)) for role, words in result.sources.items()},
    )
