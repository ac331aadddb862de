# SPDX-License-Identifier: MIT
"""A result as a file, `result.unisono`: everything a report needs, bit for bit; `load` reads it back.

A zip archive of JSON and of numpy arrays (.npy, never pickled), in which nothing is kept twice.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.diagnosis.alignment_columns import corpus_of
from unisono.io.formats.text_versions import version_as_dict
from unisono.model import CATEGORY, Alignment, Continuum, Corpus
from unisono.report.details import details_of, without_quotations
from unisono.report.version_table import as_dict
from unisono.report.view import Parts
from unisono.results import MeasureValue, Result
from unisono.whole_files import replacement

FORMAT = "unisono result"
#: Version of the file. 1: the first.
VERSION = 1
#: The entry that says what the file is, with a digest of the others.
MANIFEST = "manifest.json"
#: The columns of the parts of disorders.
PARTS = tuple(Parts().columns())
#: The fields of a value that are not part of its JSON but are saved beside it.
SAVED_FIELDS = tuple(each for each in fields(MeasureValue) if "saved_as" in each.metadata)


def save(result: Result, path: str | os.PathLike[str], *, text: bool = True, annotators: bool | None = None) -> None:
    """Write a result with its continua, alignments and random disorders to a file, `result.unisono`.

    text: whether the texts of the documents are kept, and features of units that were not compared (comments and the
    like, which may quote them). annotators: whether the tables of annotators are computed and
    kept, by default if that takes little time. ParameterError for a result without its corpus.
    """
    corpus, details = corpus_of(result), details_of(result, annotators=annotators)
    result = result if text else without_quotations(result)
    columns = _Columns(keeps_texts=text)

    def of_values(values: Mapping[str, MeasureValue]) -> dict[str, Any]:
        return {name: _fields_beside_json(value, columns) for name, value in values.items()}

    hidden = {
        "measures": of_values(result.measures),
        "documents": [of_values(document.measures) for document in result.documents],
    }
    parts = [_add_parts(part, columns) for part in details.parts]
    objects = {
        "result.json": result.to_dict(),
        "corpus.json": _add_corpus(corpus, columns, None if text else {CATEGORY, details.feature}),
        "hidden.json": {
            **hidden,
            "alignments": columns.alignments,
            "chance": columns.chance,
            "text_alignments": columns.text_alignments,
            "feature": details.feature,
            "parts": parts,
            "annotators": details.annotators,
            "annotators_reason": details.annotators_reason,
        },
    }
    entries = {name: _json_bytes(entry) for name, entry in objects.items()}
    entries |= {f"{name}.npy": _array_bytes(arrays) for name, arrays in columns.arrays.items()}
    manifest = {"format": FORMAT, "version": VERSION, "unisono": result.version, "digest": digest(entries)}
    with replacement(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {MANIFEST: _json_bytes(manifest), **entries}.items():
            archive.writestr(_zip_entry(name), data)


def digest(entries: Mapping[str, bytes]) -> str:
    """SHA-256 over the names and contents of all entries but the manifest, in the order of their names."""
    total = hashlib.sha256()
    for name in sorted(entries):
        total.update(f"{len(name)} {name} {len(entries[name])} ".encode())
        total.update(entries[name])
    return f"sha256:{total.hexdigest()}"


def _json_bytes(entry: Any) -> bytes:
    return json.dumps(entry, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")


def _array_bytes(arrays: list[NDArray[Any]]) -> bytes:
    data = io.BytesIO()
    np.lib.format.write_array(data, np.concatenate(arrays), allow_pickle=False)
    return data.getvalue()


class _Columns:
    """The arrays of the file, those of all values end to end; alignments and random disorders are kept once."""

    def __init__(self, *, keeps_texts: bool) -> None:
        self.keeps_texts = keeps_texts
        self.arrays: dict[str, list[NDArray[Any]]] = {}
        self.alignments: list[dict[str, Any]] = []
        self.chance: list[int] = []
        self.text_alignments: list[Mapping[str, Any]] = []
        #: The index of each object, by id; holding the object keeps Python from giving its id to another.
        self._seen: dict[int, tuple[object, int]] = {}
        for name, dtype in _DTYPES.items():
            self.arrays[name] = [np.empty(0, dtype)]

    def add(self, name: str, array: NDArray[Any]) -> None:
        self.arrays[name].append(np.asarray(array, dtype=_DTYPES.get(name, np.int32)))

    def number(self, item: object, into: list[Any], entry: Any) -> tuple[int, bool]:
        """The index of an object in a list, and whether it was added now."""
        if id(item) in self._seen:
            return self._seen[id(item)][1], False
        self._seen[id(item)] = item, len(into)
        into.append(entry)
        return len(into) - 1, True

    def add_alignment(self, alignment: Alignment) -> int:
        """The number of an alignment, which is kept once for all the values that share it."""
        entry = {
            "size": len(alignment),
            "disorder": alignment.disorder,
            "lower_bound": alignment.lower_bound,
            "limit": alignment.limit,
            "duals": alignment.duals is not None,
            "name": alignment.continuum.name,
        }
        number, is_new = self.number(alignment, self.alignments, entry)
        if is_new:
            self.add("groups", alignment.group)
            self.add("disorders", alignment.disorders)
            if alignment.duals is not None:
                self.add("duals", alignment.duals)
        return number

    def add_text_alignment(self, alignment: Any) -> int | None:
        """The number of an alignment of versions, kept once; None where texts are left out, which it quotes."""
        if not self.keeps_texts:
            return None
        return self.number(alignment, self.text_alignments, as_dict(alignment))[0]

    def add_chance(self, disorders: NDArray[Any]) -> int:
        """The number of a sample of random disorders, which is kept once for all the values that share it."""
        number, is_new = self.number(disorders, self.chance, len(disorders))
        if is_new:
            self.add("chance", disorders)
        return number


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


def _zip_entry(name: str) -> zipfile.ZipInfo:
    """An entry with the earliest date of the zip format, so that the same result gives the same bytes."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _fields_beside_json(value: MeasureValue, columns: _Columns) -> dict[str, Any]:
    """The fields of a value that are not part of its JSON, by the names in their metadata; None is left out."""
    kept: dict[str, Any] = {}
    for each in SAVED_FIELDS:
        item = getattr(value, each.name)
        if isinstance(item, Alignment):
            item = columns.add_alignment(item)
        elif isinstance(item, np.ndarray):
            item = columns.add_chance(item)
        elif each.name == "text_alignment" and item is not None:
            item = columns.add_text_alignment(item)
        if item is not None:
            kept[each.metadata["saved_as"]] = item
    if value.per_category is not None:
        kept["per_category"] = [_fields_beside_json(each, columns) for each in value.per_category.values()]
    return kept


def _own_texts(continuum: Continuum) -> dict[str, Any] | None:
    """The annotators' own texts and their base."""
    own = continuum.own_texts
    if own is None:
        return None
    return {
        "texts": list(own.texts),
        "base": None if own.base is None else version_as_dict(own.base),
        "features": None if own.features is None else list(own.features),
        "category": own.category,
    }


def _add_parts(parts: Parts | None, columns: _Columns) -> dict[str, int] | None:
    if parts is None:
        return None
    sizes = {}
    for name, column in parts.columns().items():
        if column is not None:
            columns.add(name, column)
            sizes[name] = len(column)
    return sizes


def _add_corpus(corpus: Corpus, columns: _Columns, only: set[str] | None) -> dict[str, Any]:
    """The continua: names and texts as JSON, units as columns; label tables that documents share are kept once.

    only: the features to keep, and no texts; None keeps everything.
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
                "extent": None if extent is None else [extent.start, extent.end, extent.source, extent.unit],
                "tables": table_of,
                "text": continuum.text if only is None else None,
                "own_texts": _own_texts(continuum) if only is None else None,
            }
        )
    return {"features": features, "tables": tables, "documents": documents}
