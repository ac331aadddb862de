# SPDX-License-Identifier: MIT
"""A saved result, read back; files may come from strangers.

Entries are asked for by name and never written anywhere; sizes are limited, and compared before anything is allocated;
nothing is unpickled; every number is checked before it is used as an index.
"""

from __future__ import annotations

import io
import math
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.errors import FormatError
from unisono.io.files import SIZE_LIMIT
from unisono.io.jsontree import parsed
from unisono.model import Alignment, Continuum, Corpus, Extent, Feature
from unisono.report.checks import checked_annotators, checked_result
from unisono.report.details import Details, Parts, alignment_of
from unisono.report.save import FORMAT, PARTS, VERSION
from unisono.results import MeasureValue, Result

#: What a strange file can make numpy, zipfile and our own constructors raise.
_DAMAGE = (
    KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, EOFError, OSError,
    RuntimeError, NotImplementedError, MemoryError, zlib.error, zipfile.BadZipFile,
)  # fmt: skip


def load_result(path: str | os.PathLike[str], *, size_limit: int = SIZE_LIMIT) -> Result:
    """The result that `save` wrote, with its corpus, alignments and random disorders; the same values, bit for bit.

    The dissimilarity itself is not kept, only what it gave (`result.details`). Anything that is not such a file, or
    is damaged, is a FormatError; so is one of more than size_limit bytes, unpacked.
    """
    where = os.fspath(path)
    try:
        with zipfile.ZipFile(_opened(path)) as archive:
            return _loaded(_Entries(archive, str(where), size_limit))
    except FormatError:
        raise
    except _DAMAGE as error:
        raise _damaged(str(where), f"{type(error).__name__}: {str(error)[:200]}") from None


def _opened(path: str | os.PathLike[str]) -> io.BytesIO:
    """The bytes of a file that begins as a zip archive does; what else it may be is said."""
    where = str(os.fspath(path))
    file = Path(path)
    try:
        with file.open("rb") as stream:
            head = stream.read(4)
            if head != b"PK\x03\x04":
                raise _not_saved(where, head + stream.read(1020))
            return io.BytesIO(head + stream.read())
    except OSError as error:
        raise FormatError.of(
            "a saved result", error.strerror or "nothing to read", where=where, code="unreadable"
        ) from None


def _not_saved(where: str, head: bytes) -> FormatError:
    """A file that is no archive: the light JSON is the likely one."""
    if head.lstrip().startswith(b"{") and b'"schema"' in head:
        return FormatError.of(
            "a saved result",
            "the light JSON of measure --json, which has values but no units, texts, alignments or random disorders",
            "measure again with --save result.unisono, or straight to a page with --report page.html",
            where=where,
            code="light-result",
        )
    return FormatError.of(
        "a saved result",
        "something else",
        "make one: unisono measure DATA --save result.unisono",
        where=where,
        code="saved-result",
    )


def _damaged(where: str, found: str) -> FormatError:
    return FormatError.of(
        "a saved result that is whole", found, "save it again, or copy it again", where=where, code="saved-result"
    )


class _Entries:
    """The entries of an archive from a stranger, read by name within a limit that they share."""

    def __init__(self, archive: zipfile.ZipFile, where: str, size_limit: int):
        self.where = where
        self._archive = archive
        self._left = size_limit
        self._limit = size_limit

    def json(self, name: str) -> Any:
        return parsed(self._bytes(name).decode("utf-8", "surrogatepass"), f"{self.where}/{name}", "a saved result")

    def array(self, name: str, dtype: type[Any]) -> NDArray[Any]:
        """A column: its header is believed only where it fits the bytes that are there."""
        data = io.BytesIO(self._bytes(f"{name}.npy"))
        version = np.lib.format.read_magic(data)
        if version != (1, 0):
            raise _damaged(self.where, f"{name}.npy of version {version}")
        shape, _, found = np.lib.format.read_array_header_1_0(data)
        if found != np.dtype(dtype) or len(shape) != 1:
            raise _damaged(self.where, f"{name}.npy of {found} and shape {shape}")
        left = data.getbuffer()[data.tell() :]
        if shape[0] * found.itemsize != len(left):
            raise _damaged(self.where, f"{name}.npy of {len(left)} bytes for {shape[0]} numbers")
        return np.frombuffer(left, dtype=found).copy()

    def _bytes(self, name: str) -> bytes:
        try:
            entry = self._archive.open(name)
        except KeyError:
            raise _damaged(self.where, f"no entry {name}") from None
        with entry:
            data = entry.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise FormatError.of(
                f"at most {self._limit:,} bytes, unpacked", "more", where=self.where, code="size-limit"
            )
        return data


class _Reader:
    """Takes columns apart again, in the order in which they were put together."""

    def __init__(self, entries: _Entries, name: str, dtype: type[Any]):
        self._array = entries.array(name, dtype)
        self._name = name
        self._at = 0
        self._where = entries.where
        if dtype is np.float64 and not np.isfinite(self._array).all():
            raise _damaged(entries.where, f"a number in {name}.npy that is not finite")

    def take(self, count: Any) -> NDArray[Any]:
        stop = self._at + _index(count, len(self._array) - self._at + 1, self._where)
        taken = self._array[self._at : stop]
        self._at = stop
        return taken


def _index(number: Any, bound: int, where: str) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < bound:
        raise _damaged(where, f"the number {str(number)[:40]} where there are {bound}")
    return number


def _loaded(entries: _Entries) -> Result:
    manifest = entries.json("manifest.json")
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise _damaged(entries.where, "an archive of something else")
    if manifest.get("version") != VERSION:
        raise FormatError.of(
            f"a saved result of version {VERSION}",
            f"version {str(manifest.get('version'))[:40]}",
            "update unisono, or save it again with this version",
            where=entries.where,
            code="saved-version",
        )
    result = Result.from_dict(checked_result(entries.json("result.json"), entries.where))
    corpus = _loaded_corpus(entries, result)
    hidden = entries.json("hidden.json")
    alignments = _loaded_alignments(entries, hidden["alignments"], corpus)
    chance_column = _Reader(entries, "chance", np.float64)
    chance = [chance_column.take(size) for size in hidden["chance"]]
    for array in chance:
        array.flags.writeable = False

    def whole(values: Mapping[str, MeasureValue], kept: Mapping[str, Any]) -> dict[str, MeasureValue]:
        return {name: _whole(value, kept[name], alignments, chance, entries.where) for name, value in values.items()}

    if len(hidden["documents"]) != len(result.documents):
        raise _damaged(entries.where, "documents without their details")
    documents = tuple(
        replace(document, measures=whole(document.measures, kept))
        for document, kept in zip(result.documents, hidden["documents"], strict=True)
    )
    result = replace(result, measures=whole(result.measures, hidden["measures"]), documents=documents, corpus=corpus)
    return replace(result, details=_loaded_details(entries, hidden, result))


def _loaded_corpus(entries: _Entries, result: Result) -> Corpus:
    kept = entries.json("corpus.json")
    where = entries.where
    tables = [tuple(_strings(table, where)) for table in kept["tables"]]
    starts, ends = _Reader(entries, "starts", np.float64), _Reader(entries, "ends", np.float64)
    codes = _Reader(entries, "annotators", np.int32)
    names = _strings(kept["features"], where)
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
            annotators=_strings(document["annotators"], where),
            features=columns,
            extent=_extent(document["extent"], where),
            name=_string(document["name"], where),
            text=None if document["text"] is None else _string(document["text"], where),
        )
        if not (np.array_equal(continuum.starts, first) and np.array_equal(continuum.ends, last)):
            raise _damaged(where, f"units of {continuum.name[:80]!r} out of order")
        continua.append(continuum)
    found = [(c.name, c.annotators, c.n_units) for c in continua]
    if found != [(d.name, d.annotators, d.n_units) for d in result.documents]:
        raise _damaged(where, "documents that are not those of the values")
    return Corpus(tuple(continua), result.problems)


def _loaded_alignments(entries: _Entries, kept: Sequence[Mapping[str, Any]], corpus: Corpus) -> list[Alignment]:
    where = entries.where
    groups, disorders = _Reader(entries, "groups", np.int32), _Reader(entries, "disorders", np.float64)
    duals = _Reader(entries, "duals", np.float64)
    found = []
    for entry in kept:
        continuum = corpus[_string(entry["name"], where)]
        n, size = len(continuum), entry["size"]
        group = groups.take(n)
        alignment = Alignment(
            continuum,
            group,
            disorders.take(size),
            disorder=_number(entry["disorder"], where),
            lower_bound=_number(entry["lower_bound"], where),
            duals=duals.take(n) if entry["duals"] is True else None,
            limit=None if entry["limit"] is None else _string(entry["limit"], where),
        )
        # A partition: every unitary alignment has a unit, and no annotator has two in one of them.
        if n and (group.min() < 0 or len(np.unique(group)) != size or group.max() != size - 1):
            raise _damaged(where, "an alignment that does not part its units")
        places = group.astype(np.int64) * continuum.n_annotators + continuum.annotator_codes
        if len(np.unique(places)) != n:
            raise _damaged(where, "two units of one annotator in one unitary alignment")
        found.append(alignment)
    return found


def _whole(
    value: MeasureValue,
    kept: Mapping[str, Any],
    alignments: Sequence[Alignment],
    chance: Sequence[NDArray[Any]],
    where: str,
) -> MeasureValue:
    """A value with what is not part of its JSON."""
    of_categories = value.per_category
    if of_categories is not None and "per_category" in kept:
        pairs = zip(of_categories.items(), kept["per_category"], strict=True)
        of_categories = {name: _whole(each, hidden, alignments, chance, where) for (name, each), hidden in pairs}
    return replace(
        value,
        alignment=alignments[_index(kept["alignment"], len(alignments), where)] if "alignment" in kept else None,
        chance_disorders=chance[_index(kept["chance"], len(chance), where)] if "chance" in kept else None,
        chance_sd=_number(kept["sd"], where) if "sd" in kept else None,
        chance_case=_string(kept["case"], where) if "case" in kept else None,
        per_category=of_categories,
    )


def _loaded_details(entries: _Entries, hidden: Mapping[str, Any], result: Result) -> Details:
    columns = {name: _Reader(entries, name, np.float64) for name in PARTS}
    parts: list[Parts | None] = []
    for document, kept in zip(result.documents, hidden["parts"], strict=True):
        alignment = alignment_of(document)
        if kept is None or alignment is None:
            parts.append(None)
            continue
        taken = {name: columns[name].take(kept[name]) if name in kept else None for name in PARTS}
        if any(column is not None and len(column) != len(alignment) for column in taken.values()):
            raise _damaged(entries.where, "parts of disorders that are not those of the alignment")
        parts.append(Parts(**taken))
    reason = hidden["annotators_reason"]
    return Details(
        _string(hidden["feature"], entries.where),
        tuple(parts),
        checked_annotators(hidden["annotators"], entries.where),
        None if reason is None else _string(reason, entries.where),
    )


def _extent(kept: Any, where: str) -> Extent | None:
    if kept is None:
        return None
    start, end, source = kept
    _number(start, where), _number(end, where)
    if source not in ("given", "documents", "text", "duration", "guessed") or end < start:
        raise _damaged(where, "an extent that is none")
    return Extent(start, end, source)


def _strings(items: Any, where: str) -> list[str]:
    return [_string(item, where) for item in items]


def _string(item: Any, where: str) -> str:
    if not isinstance(item, str):
        raise _damaged(where, f"{str(item)[:40]} where there is a text")
    return item


def _number(item: Any, where: str) -> float:
    if not isinstance(item, int | float) or isinstance(item, bool) or not math.isfinite(item):
        raise _damaged(where, f"{str(item)[:40]} where there is a number")
    return item
