# SPDX-License-Identifier: MIT
"""A document for each layer of a document, so that every layer has values of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unisono.arrays import repeat
from unisono.io.labels import Labels
from unisono.io.layout.result import LayoutResult, TierNames
from unisono.io.record import Record
from unisono.io.unit_rows import UnitRows


def part_by_layer(records: Sequence[Record], tiers: Sequence[TierNames], result: LayoutResult) -> None:
    """Make each layer of a document a document, `talk/words`, in the rows and extents of the result.

    A row without a layer says that the annotator saw the document: it is repeated for each layer.
    """
    names = [
        [(group or {}).get("layer", sheet.layer) for sheet, group in zip(record.sheets, groups, strict=True)]
        for record, groups in zip(records, tiers, strict=True)
    ]
    used: dict[str, None] = {}
    for record, rows, own in zip(records, result.rows, names, strict=True):
        for sheet in np.unique(record.sheet_codes[rows.origin_row]).tolist():
            if (layer := own[sheet]) is not None:
                used.setdefault(layer)
    if not used:
        return
    layers = list(used)
    result.rows = [
        _part_rows(record, rows, own, layers) for record, rows, own in zip(records, result.rows, names, strict=True)
    ]
    result.extents = {f"{name}/{layer}": entry for name, entry in result.extents.items() for layer in layers}
    result.layers = tuple(sorted(layers))


def _part_rows(record: Record, rows: UnitRows, own: Sequence[str | None], layers: Sequence[str]) -> UnitRows:
    assert rows.document_labels is not None
    code_of = {name: i for i, name in enumerate(layers)}
    of_sheet = np.array([-1 if name is None else code_of.get(name, -1) for name in own], dtype=np.int64)
    layer = of_sheet[record.sheet_codes[rows.origin_row]]
    counts = np.where(layer < 0, len(layers), 1)
    index = repeat(np.arange(len(rows)), counts)
    nth = np.arange(len(index)) - repeat(np.cumsum(counts) - counts, counts)
    layer = np.where(layer[index] < 0, nth, layer[index])
    documents = rows.document_labels
    labels = tuple(f"{name}/{part}" for name in documents.labels for part in layers)
    old = documents.codes[index]
    codes = np.where(old < 0, -1, old * len(layers) + layer).astype(np.int32)
    return replace(rows.take(index), document_labels=Labels(codes, labels))
