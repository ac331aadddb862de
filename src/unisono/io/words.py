# SPDX-License-Identifier: MIT
"""The sentence that says how the input was understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unisono.io.arrangement import Arranged
from unisono.io.assemble import Units
from unisono.io.paths import CALLED, STEM
from unisono.io.record import Record
from unisono.io.table import listing
from unisono.io.validation import counted
from unisono.model import CATEGORY


def described(records: Sequence[Record], found: Arranged | None = None, units: Units | None = None) -> str:
    """Formats, annotators, documents, units, and where they were taken from."""
    if not records:
        return "nothing understood"
    kinds = Counter(record.kind for record in records)
    parts = [(f"{len(records)} files, " if len(records) > 1 else "") + " and ".join(sorted(kinds))]
    if found is None or units is None:
        roles = sorted({role for record in records for role in record.called})
        named = {role: {record.called[role] for record in records if role in record.called} for role in roles}
        return "; ".join([*parts, *(f"{role} from {' or '.join(sorted(named[role]))}" for role in roles)])

    def source(role: str) -> str:
        return " or ".join(sorted(found.sources.get(role, ())))

    annotators = f"{counted(len(units.annotators), 'annotator')} ({listing(units.annotators, 5)})"
    parts.append(f"{annotators} from {source('annotator')}")
    documents = counted(len(units.documents), "document")
    if source("document") == CALLED[STEM]:
        parts.append(f"{documents} named after the file{'s' if len(records) > 1 else ''}")
    else:
        parts.append(f"{documents} from {source('document')}")
    if found.layers:
        parts.append(f"{'layer' if len(found.layers) == 1 else 'layers'} {listing(found.layers, 5)}")
    parts.append(counted(len(units.starts), "unit"))
    parts.append(f"category from {source(CATEGORY)}" if source(CATEGORY) else "no category")
    others = [name for name in units.features if name != CATEGORY]
    if others:
        parts.append(f"{'feature' if len(others) == 1 else 'features'} {listing(others, 5)}")
    if found.n_discontinuous:
        whole = "its hull" if found.n_discontinuous == 1 else "their hulls"
        how = {"hull": f"read as {whole}", "pieces": "read in pieces", "skip": "skipped"}[found.discontinuous]
        parts.append(f"{counted(found.n_discontinuous, 'discontinuous unit')} {how}")
    parts.append("integer positions" if units.starts.dtype.kind == "i" else "decimal positions")
    return "; ".join(parts)
