# SPDX-License-Identifier: MIT
"""Write a corpus as a table: document, annotator, start, end, category and the other features."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from unisono.errors import ParameterError
from unisono.io.formats import format_of
from unisono.io.tables.parquet import require
from unisono.io.writers import nameless_document
from unisono.io.writers.formulas import escape_rows
from unisono.model import CATEGORY, Corpus
from unisono.whole_files import replacement

_KINDS = ("csv", "tsv", "jsonl", "parquet")
#: The columns that say where a unit is and who marked it.
_PLACE = ("document", "annotator", "start", "end")


def write_table(corpus: Corpus, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write CSV, TSV, JSON lines or Parquet by the path's ending (`.gz` compresses text); `read` reads it back.

    Annotators who marked nothing in a document get a row with empty start and end. Extents and texts are not part
    of the table.
    """
    with replacement(path) as draft:
        write_units(corpus, draft, format=format)


def write_units(corpus: Corpus, file: Path, *, format: str | None = None, escape_formulas: bool = False) -> None:
    """Write the table to a file row by row; texts that begin as formulas get an apostrophe if asked for."""
    packed = file.suffix == ".gz"
    suffix = Path(file.stem).suffix if packed else file.suffix
    kind = format or format_of(suffix)
    if kind not in _KINDS:
        raise ParameterError.of(
            f"the ending of {file.name} names no table format",
            "Use one of the endings .csv, .tsv, .jsonl and .parquet, or name a format.",
        )
    names = header(corpus)
    if kind == "parquet":
        _write_parquet(names, list(rows(corpus)), file)
        return
    stream: IO[str]
    with (
        # without a date: the same corpus gives the same bytes
        io.TextIOWrapper(gzip.GzipFile(file, "wb", mtime=0), encoding="utf-8", newline="")
        if packed
        else file.open("w", encoding="utf-8", newline="") as stream
    ):
        if kind == "jsonl":
            # Without any category the key stays, so that reading does not ask for it.
            always = () if any(len(continuum.categories) for continuum in corpus) else (CATEGORY,)
            for row in rows(corpus):
                pairs = zip(names, row, strict=True)
                item = {name: value for name, value in pairs if value is not None or name in always}
                stream.write(json.dumps(item, ensure_ascii=False) + "\n")
        else:
            writer = csv.writer(stream, delimiter="\t" if kind == "tsv" else ",", lineterminator="\n")
            writer.writerow(names)
            writer.writerows(escape_rows(rows(corpus)) if escape_formulas else rows(corpus))


def header(corpus: Corpus) -> list[str]:
    """The names of the columns."""
    return [*_PLACE, CATEGORY, *titles(corpus).values()]


def titles(corpus: Corpus) -> dict[str, str]:
    """The column of each feature but the category: its name, with a suffix if the table has a column of that name."""
    features = sorted({name for continuum in corpus for name in continuum.features} - {CATEGORY})
    named = {}
    for feature in features:
        title = f"{feature}_feature" if feature in _PLACE else feature
        while title != feature and title in features:
            title += "_"
        named[feature] = title
    return named


def rows(corpus: Corpus) -> Iterator[list[Any]]:
    """A row for each unit, and one for each annotator who marked nothing in a document; None is an empty cell."""
    names = [CATEGORY, *titles(corpus)]
    for continuum in corpus:
        if not continuum.name:
            raise nameless_document()
        columns = [_labels(continuum.features[name]) if name in continuum.features else None for name in names]
        starts, ends = continuum.starts.tolist(), continuum.ends.tolist()
        codes = continuum.annotator_codes.tolist()
        for i in range(len(continuum)):
            labels = [None if column is None else column[i] for column in columns]
            yield [continuum.name, continuum.annotators[codes[i]], starts[i], ends[i], *labels]
        for annotator, count in zip(continuum.annotators, continuum.counts.tolist(), strict=True):
            if not count:
                yield [continuum.name, annotator, None, None, *([None] * len(names))]


def _labels(feature: Any) -> list[str | None]:
    labels = (*feature.labels, None)  # the code -1 indexes the last, None
    return [labels[code] for code in feature.codes.tolist()]


def _write_parquet(names: list[str], table: list[list[Any]], file: Path) -> None:
    pyarrow = require("writing Parquet")
    parquet = require("writing Parquet", "pyarrow.parquet")
    columns = list(zip(*table, strict=True)) or [()] * len(names)
    whole = all(not isinstance(value, float) for column in columns[2:4] for value in column)
    position = pyarrow.int64() if whole else pyarrow.float64()
    types = [position if name in ("start", "end") else pyarrow.string() for name in names]
    arrays = [pyarrow.array(column, type=kind) for column, kind in zip(columns, types, strict=True)]
    parquet.write_table(pyarrow.table(dict(zip(names, arrays, strict=True))), file)
