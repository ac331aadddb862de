# SPDX-License-Identifier: MIT
"""A result as a file, `result.unisono`: everything a report needs, bit for bit; `load` reads it back.

A zip archive of JSON and of numpy arrays (.npy, never pickled), in which nothing is kept twice.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.model import CATEGORY, Alignment, Corpus
from unisono.report.details import Parts, corpus_of, details_of, without_quotations
from unisono.results import MeasureValue, Result

FORMAT = "unisono result"
#: Version of the file. 1: the first.
VERSION = 1
#: The columns of the parts of disorders.
PARTS = ("positional", "categorial", "empty")


def save(result: Result, path: str | os.PathLike[str], *, text: bool = True, annotators: bool | None = None) -> None:
    """Write a result with its continua, alignments and random disorders to a file, `result.unisono`.

    text: whether the texts of the documents are kept, and features of units that were not compared (comments and the
    like, which may quote them). annotators: whether the tables of annotators are computed and
    kept, by default if that takes little time. A result without its corpus is a ParameterError.
    """
    corpus, details = corpus_of(result), details_of(result, annotators=annotators)
    result = result if text else without_quotations(result)
    columns = _Columns()
    hidden = {
        "measures": {name: _hidden(value, columns) for name, value in result.measures.items()},
        "documents": [
            {name: _hidden(value, columns) for name, value in document.measures.items()}
            for document in result.documents
        ],
    }
    parts = [_kept_parts(part, columns) for part in details.parts]
    entries = {
        "manifest.json": {"format": FORMAT, "version": VERSION, "unisono": result.version},
        "result.json": result.to_dict(),
        "corpus.json": _kept_corpus(corpus, columns, None if text else {CATEGORY, details.feature}),
        "hidden.json": {
            **hidden,
            "alignments": columns.alignments,
            "chance": columns.chance,
            "feature": details.feature,
            "parts": parts,
            "annotators": details.annotators,
            "annotators_reason": details.annotators_reason,
        },
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in entries.items():
            written = json.dumps(entry, ensure_ascii=False, allow_nan=False)
            archive.writestr(_dated(name), written.encode("utf-8", "surrogatepass"))
        for name, arrays in columns.arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.concatenate(arrays), allow_pickle=False)
            archive.writestr(_dated(f"{name}.npy"), data.getvalue())


class _Columns:
    """Arrays that many values share, end to end; what is kept of each alignment and each sample of chance, once."""

    def __init__(self) -> None:
        self.arrays: dict[str, list[NDArray[Any]]] = {}
        self.alignments: list[dict[str, Any]] = []
        self.chance: list[int] = []
        #: By identity; the objects are held, so that no other can get the number.
        self._seen: dict[int, tuple[object, int]] = {}
        for name, dtype in _DTYPES.items():
            self.arrays[name] = [np.empty(0, dtype)]

    def add(self, name: str, array: NDArray[Any]) -> None:
        self.arrays[name].append(np.asarray(array, dtype=_DTYPES.get(name, np.int32)))

    def number(self, item: object, into: list[Any], entry: Any) -> tuple[int, bool]:
        """The place of an object in a list, and whether it is new there."""
        if id(item) in self._seen:
            return self._seen[id(item)][1], False
        self._seen[id(item)] = item, len(into)
        into.append(entry)
        return len(into) - 1, True


_DTYPES: Mapping[str, type[Any]] = {
    "starts": np.float64,
    "ends": np.float64,
    "annotators": np.int32,
    "groups": np.int32,
    "disorders": np.float64,
    "duals": np.float64,
    "chance": np.float64,
    **dict.fromkeys(PARTS, np.float64),
}


def _dated(name: str) -> zipfile.ZipInfo:
    """An entry with the archive's earliest date: the same result gives the same bytes."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _hidden(value: MeasureValue, columns: _Columns) -> dict[str, Any]:
    """What a value has that is not part of the JSON."""
    alignment = chance = None
    if isinstance(value.alignment, Alignment):
        kept = value.alignment
        entry = {
            "size": len(kept),
            "disorder": kept.disorder,
            "lower_bound": kept.lower_bound,
            "limit": kept.limit,
            "duals": kept.duals is not None,
            "name": kept.continuum.name,
        }
        alignment, is_new = columns.number(kept, columns.alignments, entry)
        if is_new:
            columns.add("groups", kept.group)
            columns.add("disorders", kept.disorders)
            if kept.duals is not None:
                columns.add("duals", kept.duals)
    if value.chance_disorders is not None:
        chance, is_new = columns.number(value.chance_disorders, columns.chance, len(value.chance_disorders))
        if is_new:
            columns.add("chance", value.chance_disorders)
    of_categories = value.per_category and [_hidden(each, columns) for each in value.per_category.values()]
    hidden = {
        "alignment": alignment,
        "chance": chance,
        "sd": value.chance_sd,
        "case": value.chance_case,
        "per_category": of_categories,
    }
    return {key: item for key, item in hidden.items() if item is not None}


def _kept_parts(parts: Parts | None, columns: _Columns) -> dict[str, int] | None:
    if parts is None:
        return None
    kept = {}
    for name in PARTS:
        column = getattr(parts, name)
        if column is not None:
            columns.add(name, column)
            kept[name] = len(column)
    return kept


def _kept_corpus(corpus: Corpus, columns: _Columns, only: set[str] | None) -> dict[str, Any]:
    """The continua: names and texts as JSON, units as columns; label tables that documents share are kept once.

    only: leave out the texts, and all features but these.
    """
    features = sorted({name for continuum in corpus for name in continuum.features if only is None or name in only})
    tables: list[list[str]] = []
    documents = []
    for i, _ in enumerate(features):
        columns.arrays[f"feature-{i}"] = [np.empty(0, np.int32)]
    for continuum in corpus:
        columns.add("starts", continuum.starts)
        columns.add("ends", continuum.ends)
        columns.add("annotators", continuum.annotator_codes)
        table_of: list[int | None] = []
        for i, name in enumerate(features):
            feature = continuum.features.get(name)
            if feature is None:
                table_of.append(None)
                continue
            table_of.append(columns.number(feature.labels, tables, list(feature.labels))[0])
            columns.add(f"feature-{i}", feature.codes)
        extent = continuum.extent
        documents.append(
            {
                "name": continuum.name,
                "annotators": list(continuum.annotators),
                "units": len(continuum),
                "integers": continuum.has_integer_positions,
                "extent": None if extent is None else [extent.start, extent.end, extent.source],
                "tables": table_of,
                "text": continuum.text if only is None else None,
            }
        )
    return {"features": features, "tables": tables, "documents": documents}
