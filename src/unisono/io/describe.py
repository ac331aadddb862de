# SPDX-License-Identifier: MIT
"""The sentence that says how the input was understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from unisono.io.layout.path_names import CALLED, STEM
from unisono.io.layout.result import LayoutResult
from unisono.io.record import Record
from unisono.io.unit_rows import UnitRows
from unisono.io.wording import listing
from unisono.model import CATEGORY, Corpus
from unisono.nouns import quantity


def describe_input(records: Sequence[Record], result: LayoutResult | None = None, units: UnitRows | None = None) -> str:
    """Formats, annotators, documents, units, and where they were taken from."""
    if not records:
        return "nothing understood"
    kinds = Counter(record.kind for record in records)
    parts = [(f"{len(records)} files, " if len(records) > 1 else "") + " and ".join(sorted(kinds))]
    if result is None or units is None:
        roles = sorted({role for record in records for role in record.called})
        named = {role: {record.called[role] for record in records if role in record.called} for role in roles}
        return "; ".join([*parts, *(f"{role} from {' or '.join(sorted(named[role]))}" for role in roles)])

    def source(role: str) -> str:
        return " or ".join(sorted(result.sources.get(role, ())))

    annotators = f"{quantity(len(units.annotators), 'annotator')} ({listing(units.annotators, 5)})"
    parts.append(f"{annotators} from {source('annotator')}")
    documents = quantity(len(units.documents), "document")
    if source("document") == CALLED[STEM]:
        parts.append(f"{documents} named after the file{'s' if len(records) > 1 else ''}")
    else:
        parts.append(f"{documents} from {source('document')}")
    if result.layers:
        parts.append(f"{'layer' if len(result.layers) == 1 else 'layers'} {listing(result.layers, 5)}")
    parts.append(quantity(len(units.starts), "unit"))
    parts.append(f"category from {source(CATEGORY)}" if source(CATEGORY) else "no category")
    others = [name for name in units.features if name != CATEGORY]
    if others:
        parts.append(f"{'feature' if len(others) == 1 else 'features'} {listing(others, 5)}")
    if result.n_discontinuous:
        whole = "its hull" if result.n_discontinuous == 1 else "their hulls"
        how = {"hull": f"read as {whole}", "pieces": "read in pieces", "skip": "skipped"}[result.discontinuous]
        parts.append(f"{quantity(result.n_discontinuous, 'discontinuous unit')} {how}")
    parts.append("integer positions" if units.starts.dtype.kind == "i" else "decimal positions")
    return "; ".join(parts)


def describe_corpus(corpus: Corpus) -> str:
    """The same for a corpus in memory."""
    annotators = corpus.annotators
    names = f" ({listing(annotators, 5)})" if annotators else ""
    return "; ".join(
        [
            "a corpus in memory",
            f"{quantity(len(annotators), 'annotator')}{names}",
            quantity(len(corpus), "document"),
            quantity(corpus.n_units, "unit"),
        ]
    )
