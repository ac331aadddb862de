# SPDX-License-Identifier: MIT
"""Continua and alignments as columns of a table, for data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import ParameterError
from unisono.model.units import CATEGORY, Feature, unit_text

if TYPE_CHECKING:
    from unisono.model.alignments import Alignment
    from unisono.model.continuum import Continuum

Columns = dict[str, list[Any]]


def unit_columns(continua: Sequence[Continuum]) -> Columns:
    """One row for each unit, and one without positions for each annotator who marked nothing in a document.

    The column `document` is left out if the only document has no name.
    """
    names = _other_features(continua)
    fixed: Columns = {name: [] for name in ("document", "annotator", "start", "end", CATEGORY)}
    others: Columns = {name: [] for name in names}
    for continuum in continua:
        cells, features = _unit_cells(continuum, np.arange(len(continuum)), names)
        idle = [name for name, n in zip(continuum.annotators, continuum.counts.tolist(), strict=True) if not n]
        cells["document"] += [continuum.name] * len(idle)
        cells["annotator"] += idle
        for name, column in fixed.items():
            column += cells[name] + [None] * (len(cells["document"]) - len(cells[name]))
        for name, column in others.items():
            column += features[name] + [None] * len(idle)
    if len(continua) == 1 and not continua[0].name:
        del fixed["document"]
    return _with_free_names(fixed, others, "feature")


def document_columns(continua: Sequence[Continuum], rows: str = "documents") -> Columns:
    """One row for each document with its extent and text, which `read` takes as `documents`."""
    if rows != "documents":
        raise _unknown_rows(rows, "units", "documents")
    extents = [continuum.extent for continuum in continua]
    columns: Columns = {
        "document": [continuum.name for continuum in continua],
        "start": [None if extent is None else extent.start for extent in extents],
        "end": [None if extent is None else extent.end for extent in extents],
    }
    texts = [continuum.text for continuum in continua]
    return columns | {"text": texts} if any(text is not None for text in texts) else columns


def alignment_columns(alignment: Alignment, rows: str) -> Columns:
    """The columns of an alignment: one row for each unit, or one for each unitary alignment."""
    if rows == "units":
        return _aligned_units(alignment)
    if rows == "unitary alignments":
        return _unitary_alignments(alignment)
    raise _unknown_rows(rows, "units", "unitary alignments")


def _aligned_units(alignment: Alignment) -> Columns:
    """The units with the number (from 1) and the disorder of their unitary alignment, in the alignment's order."""
    continuum = alignment.continuum
    order = np.lexsort((continuum.annotator_codes, alignment.group))
    group = alignment.group[order]
    cells, features = _unit_cells(continuum, order, _other_features([continuum]))
    number = {"unitary_alignment": (group + 1).tolist(), "disorder": alignment.disorders[group].tolist()}
    return _with_free_names({"document": cells.pop("document"), **number, **cells}, features, "feature")


def _unitary_alignments(alignment: Alignment) -> Columns:
    """The unitary alignments with their range, size and disorder, and a column for the unit of each annotator."""
    continuum = alignment.continuum
    members = [[unit for unit in unitary.units if unit is not None] for unitary in alignment]
    return _with_free_names(
        {
            "document": [continuum.name] * len(members),
            "unitary_alignment": list(range(1, len(members) + 1)),
            "disorder": alignment.disorders.tolist(),
            "start": [min(unit.start for unit in units) for units in members],
            "end": [max(unit.end for unit in units) for units in members],
            "n_units": [len(units) for units in members],
        },
        {
            name: [None if unitary.units[i] is None else unit_text(unitary.units[i]) for unitary in alignment]
            for i, name in enumerate(continuum.annotators)
        },
        "annotator",
    )


def _with_free_names(fixed: Columns, named: Mapping[str, list[Any]], kind: str) -> Columns:
    """Both sets of columns; `annotator:disorder` is the column of an annotator called disorder."""
    return fixed | {f"{kind}:{name}" if name in fixed else name: values for name, values in named.items()}


def _other_features(continua: Iterable[Continuum]) -> list[str]:
    return sorted({name for continuum in continua for name in continuum.features} - {CATEGORY})


def _unit_cells(continuum: Continuum, order: NDArray[Any], others: Sequence[str]) -> tuple[Columns, Columns]:
    """The units in this order: the columns that every unit has, and those of other features."""
    nothing = Feature(np.full(len(continuum), -1, dtype=np.int32), ())
    fixed = {
        "document": [continuum.name] * len(order),
        "annotator": [continuum.annotators[code] for code in continuum.annotator_codes[order].tolist()],
        "start": continuum.starts[order].tolist(),
        "end": continuum.ends[order].tolist(),
        CATEGORY: _labels(continuum.features[CATEGORY], order),
    }
    return fixed, {name: _labels(continuum.features.get(name, nothing), order) for name in others}


def _labels(feature: Feature, order: NDArray[Any]) -> list[str | None]:
    labels = (*feature.labels, None)  # the code -1 indexes the last entry
    return [labels[code] for code in feature.codes[order].tolist()]


def _unknown_rows(rows: str, *known: str) -> ParameterError:
    return ParameterError.of(
        f"the rows of this data frame cannot be {rows!r}",
        f"Use {' or '.join(map(repr, known))}.",
        code="frame-option",
    )
