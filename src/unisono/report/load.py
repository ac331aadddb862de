# SPDX-License-Identifier: MIT
"""Loading a saved result; the file is not trusted.

Entries are read by name and never written to disk; sizes are limited, and compared before anything is allocated;
nothing is unpickled; every number is checked before it is used as an index.
"""

from __future__ import annotations

import io
import os
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from unisono.diagnosis.alignment_columns import alignment_of
from unisono.errors import FormatError, Problem
from unisono.io.files.jsontree import parse_json
from unisono.io.files.opening import SIZE_LIMIT
from unisono.io.formats.text_versions import version_from_dict
from unisono.json_objects import decode_value
from unisono.model import Alignment, Continuum, Corpus, Extent, Feature
from unisono.model.units import ExtentSource, TimeUnit
from unisono.model.versions import OwnTexts
from unisono.report.details import Details
from unisono.report.save import FORMAT, MANIFEST, PARTS, SAVED_FIELDS, VERSION, digest
from unisono.report.saved_tables import check_annotators, check_text_alignment, check_values
from unisono.report.view import Parts
from unisono.results import MeasureValue, Result

#: What numpy, zipfile and our own constructors may raise on a damaged file.
_DAMAGE = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, EOFError, OSError,
    RuntimeError, NotImplementedError, MemoryError, zlib.error, zipfile.BadZipFile,
)  # fmt: skip


#: The types of the fields of a value, by name.
_SAVED_TYPES = get_type_hints(MeasureValue)


def load_result(path: str | os.PathLike[str], *, size_limit: int = SIZE_LIMIT) -> Result:
    """The result that `save` wrote, with its corpus, alignments and random disorders; the same values, bit for bit.

    The dissimilarity itself is not saved, only what it gave (`result.details`). FormatError for anything that is not
    such a file, is damaged, or takes more than size_limit bytes when unpacked.
    """
    where = str(os.fspath(path))
    try:
        with zipfile.ZipFile(_read_archive(path)) as archive:
            return _load(_Entries(archive, where, size_limit))
    except FormatError:
        raise
    except _DAMAGE as error:
        raise _damage(where, f"{type(error).__name__}: {str(error)[:200]}") from None


def _read_archive(path: str | os.PathLike[str]) -> io.BytesIO:
    """The bytes of a file that begins as a zip archive does."""
    where = str(os.fspath(path))
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(4)
            if head != b"PK\x03\x04":
                raise _not_a_saved_result(where, head + stream.read(1020))
            return io.BytesIO(head + stream.read())
    except OSError as error:
        why = error.strerror or str(error)
        raise FormatError.of(f"the file cannot be read: {why}", where=where, code="unreadable") from None


def _not_a_saved_result(where: str, head: bytes) -> FormatError:
    """The error for a file that is no archive; most often it is the JSON of `measure --json`."""
    if head.lstrip().startswith(b"{") and b'"schema"' in head:
        return FormatError.of(
            "this is the JSON of a result, which has values but no units, texts, alignments or random disorders",
            "Measure again and save the result: unisono.save(result, path), or unisono measure --save result.unisono.",
            where=where,
            code="light-result",
        )
    return FormatError.of(
        "this is not a saved result",
        "Make one: unisono.save(result, path), or unisono measure DATA --save result.unisono.",
        where=where,
        code="saved-result",
    )


def _damage(where: str, what: str) -> FormatError:
    return FormatError.of(
        f"the saved result is damaged: {what}", "Save it again, or copy it again.", where=where, code="saved-result"
    )


def _missing_digest_note(where: str) -> Problem:
    return Problem(
        "no-digest",
        "note",
        where,
        "the file was saved by an earlier version, without a digest: whether it was changed since cannot be told",
        "Measure and save again to have one.",
    )


class _Entries:
    """The entries of an untrusted archive, read by name; all together they may have size_limit bytes."""

    def __init__(self, archive: zipfile.ZipFile, where: str, size_limit: int):
        self.where = where
        self._archive = archive
        self._left = size_limit
        self._limit = size_limit
        self._read: dict[str, bytes] = {}

    def json(self, name: str) -> Any:
        return parse_json(self._bytes(name).decode("utf-8", "surrogatepass"), f"{self.where}/{name}", "a saved result")

    def array(self, name: str, dtype: type[Any]) -> NDArray[Any]:
        """A column; its header must fit the number of bytes before anything is allocated."""
        data = io.BytesIO(self._bytes(f"{name}.npy"))
        version = np.lib.format.read_magic(data)
        if version != (1, 0):
            raise _damage(self.where, f"{name}.npy has version {version}")
        shape, _, stored = np.lib.format.read_array_header_1_0(data)
        if stored != np.dtype(dtype) or len(shape) != 1:
            raise _damage(self.where, f"{name}.npy has type {stored} and shape {shape}")
        rest = data.getbuffer()[data.tell() :]
        if shape[0] * stored.itemsize != len(rest):
            raise _damage(self.where, f"{name}.npy has {len(rest)} bytes for {shape[0]} numbers")
        return np.frombuffer(rest, dtype=stored).copy()

    def digest(self) -> str:
        """The digest of all entries but the manifest."""
        return digest({name: self._bytes(name) for name in self._archive.namelist() if name != MANIFEST})

    def _bytes(self, name: str) -> bytes:
        if name not in self._read:
            self._read[name] = self._unpack(name)
        return self._read[name]

    def _unpack(self, name: str) -> bytes:
        try:
            entry = self._archive.open(name)
        except KeyError:
            raise _damage(self.where, f"it has no entry {name}") from None
        with entry:
            data = entry.read(min(self._left + 1, sys.maxsize))  # no more fits where addresses have 32 bits
        self._left -= len(data)
        if self._left < 0:
            raise FormatError.of(
                f"the saved result has more than {self._limit:,} bytes when unpacked",
                where=self.where,
                code="size-limit",
            )
        return data


class _Reader:
    """Cuts a column into the pieces that it was concatenated from, in their order."""

    def __init__(self, entries: _Entries, name: str, dtype: type[Any]):
        self._array = entries.array(name, dtype)
        self._name = name
        self._at = 0
        self._where = entries.where
        if dtype is np.float64 and not np.isfinite(self._array).all():
            raise _damage(entries.where, f"{name}.npy has a number that is not finite")

    def take(self, count: Any) -> NDArray[Any]:
        stop = self._at + _index(count, len(self._array) - self._at + 1, self._where)
        piece = self._array[self._at : stop]
        self._at = stop
        return piece


def _index(number: Any, bound: int, where: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < bound:
        raise _damage(where, f"the number {str(number)[:40]} is not below {bound}")
    return number


def _load(entries: _Entries) -> Result:
    manifest = entries.json(MANIFEST)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise _damage(entries.where, "its manifest is not that of a saved result")
    if manifest.get("version") != VERSION:
        raise FormatError.of(
            f"the saved result has version {str(manifest.get('version'))[:40]}, and this program reads {VERSION}",
            "Update unisono, or save the result again with this version.",
            where=entries.where,
            code="saved-version",
        )
    if "digest" in manifest and manifest["digest"] != entries.digest():
        raise _damage(entries.where, "its content is not what was saved: the digest differs")
    result = Result.from_dict(entries.json("result.json"), where=entries.where)
    check_values(result)
    if "digest" not in manifest:
        result = replace(result, problems=(*result.problems, _missing_digest_note(entries.where)))
    corpus = _load_corpus(entries, result)
    hidden = entries.json("hidden.json")
    alignments = _load_alignments(entries, hidden["alignments"], corpus)
    text_alignments = [check_text_alignment(entry) for entry in hidden.get("text_alignments", ())]
    chance_column = _Reader(entries, "chance", np.float64)
    chance = [chance_column.take(size) for size in hidden["chance"]]
    for array in chance:
        array.flags.writeable = False

    shared: dict[str, Sequence[Any]] = {
        "alignment": alignments,
        "chance": chance,
        "bounds": chance,
        "text_alignment": text_alignments,
    }

    def complete(values: Mapping[str, MeasureValue], kept: Mapping[str, Any]) -> dict[str, MeasureValue]:
        return {name: _add_fields(value, kept[name], shared, entries.where) for name, value in values.items()}

    if len(hidden["documents"]) != len(result.documents):
        raise _damage(entries.where, "some documents have no entry in hidden.json")
    documents = tuple(
        replace(document, measures=complete(document.measures, kept))
        for document, kept in zip(result.documents, hidden["documents"], strict=True)
    )
    result = replace(result, measures=complete(result.measures, hidden["measures"]), documents=documents, corpus=corpus)
    return replace(result, details=_load_details(entries, hidden, result))


def _load_corpus(entries: _Entries, result: Result) -> Corpus:
    kept = entries.json("corpus.json")
    where = entries.where
    tables = [_strings(table) for table in kept["tables"]]
    starts, ends = _Reader(entries, "starts", np.float64), _Reader(entries, "ends", np.float64)
    codes = _Reader(entries, "annotators", np.int32)
    names = _strings(kept["features"])
    features = [_Reader(entries, f"feature-{i}", np.int32) for i in range(len(names))]
    continua = []
    for document in kept["documents"]:
        n = document["units"]
        first, last = starts.take(n), ends.take(n)
        if document["integers"] is True:
            first, last = first.astype(np.int64), last.astype(np.int64)
        columns = {
            name: Feature(column.take(n), tables[_index(table, len(tables), where)])
            for name, column, table in zip(names, features, document["tables"], strict=True)
            if table is not None
        }
        continuum = Continuum(
            starts=first,
            ends=last,
            annotator_codes=codes.take(n),
            annotators=_strings(document["annotators"]),
            features=columns,
            extent=_load_extent(document["extent"]),
            name=decode_value(str, document["name"]),
            text=decode_value(str | None, document["text"]),
            own_texts=_load_own_texts(document.get("own_texts"), len(document["annotators"]), where),
        )
        if not (np.array_equal(continuum.starts, first) and np.array_equal(continuum.ends, last)):
            raise _damage(where, f"the units of {continuum.name[:80]!r} are out of order")
        continua.append(continuum)
    outlines = [(c.name, c.annotators, c.n_units) for c in continua]
    if outlines != [(d.name, d.annotators, d.n_units) for d in result.documents]:
        raise _damage(where, "its documents are not those of its values")
    return Corpus(tuple(continua), result.problems)


def _load_own_texts(kept: Mapping[str, Any] | None, n_annotators: int, where: str) -> OwnTexts | None:
    if kept is None:
        return None
    texts = _strings(kept["texts"])
    if len(texts) != n_annotators:
        raise _damage(where, "a document does not have one text for each annotator")
    return OwnTexts(
        texts,
        None if kept["base"] is None else version_from_dict(kept["base"], where),
        None if kept["features"] is None else _strings(kept["features"]),
        decode_value(str, kept["category"]),
    )


def _load_alignments(entries: _Entries, kept: Sequence[Mapping[str, Any]], corpus: Corpus) -> list[Alignment]:
    where = entries.where
    groups, disorders = _Reader(entries, "groups", np.int32), _Reader(entries, "disorders", np.float64)
    duals = _Reader(entries, "duals", np.float64)
    loaded = []
    for entry in kept:
        continuum = corpus[decode_value(str, entry["name"])]
        n, size = len(continuum), entry["size"]
        group = groups.take(n)
        alignment = Alignment(
            continuum,
            group,
            disorders.take(size),
            disorder=decode_value(float, entry["disorder"]),
            lower_bound=decode_value(float, entry["lower_bound"]),
            duals=duals.take(n) if entry["duals"] is True else None,
            limit=decode_value(str | None, entry["limit"]),
        )
        # Every unitary alignment must have a unit, and no annotator two units in one of them.
        if n and (group.min() < 0 or len(np.unique(group)) != size or group.max() != size - 1):
            raise _damage(where, "an alignment is not a partition of its units")
        places = group.astype(np.int64) * continuum.n_annotators + continuum.annotator_codes
        if len(np.unique(places)) != n:
            raise _damage(where, "two units of one annotator are in one unitary alignment")
        loaded.append(alignment)
    return loaded


def _add_fields(
    value: MeasureValue,
    kept: Mapping[str, Any],
    shared: Mapping[str, Sequence[Any]],
    where: str,
) -> MeasureValue:
    """The value with the fields that are not part of its JSON; see `save.SAVED_FIELDS`.

    shared: lists of what several values share, by the name of the field; `kept` has the index into such a list.
    """
    items: dict[str, Any] = {}
    for each in SAVED_FIELDS:
        name = each.metadata["saved_as"]
        if name not in kept:
            continue
        if name not in shared:
            items[each.name] = decode_value(_SAVED_TYPES[each.name], kept[name])
        else:
            items[each.name] = shared[name][_index(kept[name], len(shared[name]), where)]
    if value.per_category is not None and "per_category" in kept:
        pairs = zip(value.per_category.items(), kept["per_category"], strict=True)
        items["per_category"] = {
            category: _add_fields(each, hidden, shared, where) for (category, each), hidden in pairs
        }
    return replace(value, **items)


def _load_details(entries: _Entries, hidden: Mapping[str, Any], result: Result) -> Details:
    columns = {name: _Reader(entries, name, np.float64) for name in PARTS}
    parts: list[Parts | None] = []
    for document, kept in zip(result.documents, hidden["parts"], strict=True):
        alignment = alignment_of(document)
        if kept is None or alignment is None:
            parts.append(None)
            continue
        arrays = {name: columns[name].take(kept[name]) if name in kept else None for name in PARTS}
        if any(array is not None and len(array) != len(alignment) for array in arrays.values()):
            raise _damage(entries.where, "the parts of the disorders do not belong to the alignment")
        parts.append(Parts(**arrays))
    return Details(
        decode_value(str, hidden["feature"]),
        tuple(parts),
        check_annotators(hidden["annotators"]),
        decode_value(str | None, hidden["annotators_reason"]),
    )


def _load_extent(kept: Any) -> Extent | None:
    if kept is None:
        return None
    start, end, source, *unit = kept  # files of earlier versions have no unit
    decode_value(ExtentSource, source)
    decode_value(TimeUnit | None, unit[0] if unit else None)
    if decode_value(float, end) < decode_value(float, start):
        raise ValueError("an extent ends before it starts")
    return Extent(start, end, source, *unit)


def _strings(items: Any) -> tuple[str, ...]:
    return tuple(decode_value(tuple[str, ...], items))
