# SPDX-License-Identifier: MIT
"""What `read` takes: paths, data frames, corpora, and mappings of several kinds; from each to records or a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unisono.errors import CorpusError, InputError, ParameterError, Problem
from unisono.io.files.search import NamedFiles, find_one_file
from unisono.io.formats.detection import read_input
from unisono.io.formats.pyannote import is_pyannote, read_pyannote
from unisono.io.labels import Labels
from unisono.io.options import Settings
from unisono.io.record import Record
from unisono.io.tables.cells import Table
from unisono.io.tables.column_roles import UNITS_OF_ONE
from unisono.io.tables.unit_table import read_data_frame, read_table
from unisono.model import Continuum, Corpus, Unit

#: The name of the document where only its annotators are given.
_ONE_DOCUMENT = "data"

_MAPPINGS = (
    "Give {document: {annotator: [(start, end, category), ...]}}, {annotator: [(start, end, category), ...]} for one "
    "document, or {annotator: path}; make a data frame of columns."
)


def list_inputs(data: Any) -> list[Any]:
    """The single inputs; several may be given in a list, a tuple or an iterator."""
    inputs = list(data) if isinstance(data, list | tuple | Iterator) else [data]
    if not inputs:
        raise ParameterError.of("there is nothing to read: the list of inputs is empty", "Give at least one path.")
    return inputs


def is_path(item: Any) -> bool:
    """Whether an input is read from files."""
    return isinstance(item, str | os.PathLike | NamedFiles)


def corpus_in_memory(inputs: Sequence[Any]) -> Corpus | None:
    """The corpus that is given as Python objects, or None where there are files, frames or foreign objects to read."""
    if len(inputs) == 1 and isinstance(inputs[0], Corpus):
        return inputs[0]
    if all(isinstance(item, Continuum) for item in inputs):
        return Corpus(tuple(inputs))
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        return _corpus_of_mapping(inputs[0])
    if any(isinstance(item, Corpus | Continuum) for item in inputs):
        raise ParameterError.of(
            "a Corpus or Continuum cannot be combined with other inputs", "Give it alone, or only Continuum objects."
        )
    return None


def _corpus_of_mapping(mapping: Mapping[Any, Any]) -> Corpus | None:
    """The corpus in a mapping of units; None where its values are paths, frames or objects of pyannote."""
    if is_pyannote(mapping):
        return None
    kinds = {_kind(value) for value in mapping.values()}
    if kinds == {"document"}:
        return make_corpus(mapping)
    if kinds == {"units"}:
        return Corpus((Continuum.of({str(name): units for name, units in mapping.items()}, name=_ONE_DOCUMENT),))
    if kinds == {"files"}:
        return None
    if not kinds:
        raise ParameterError.of("there is nothing to read: the mapping is empty", _MAPPINGS)
    raise ParameterError.of("the values of the mapping are neither units nor files", _MAPPINGS)


def _kind(value: Any) -> str:
    """What a value of a mapping is: a document, the units of an annotator, files or frames, or something else."""
    if isinstance(value, Mapping | Continuum):
        return "document"
    if is_path(value) or hasattr(value, "columns"):
        return "files"
    if not isinstance(value, list | tuple):
        return "other"
    if all(isinstance(item, list | tuple | Unit) for item in value):
        return "units"
    return "files" if all(is_path(item) or hasattr(item, "columns") for item in value) else "other"


def make_corpus(documents: Mapping[str, Continuum | Mapping[str, Iterable[Sequence[Any] | Unit]]]) -> Corpus:
    """A corpus from `{document: {annotator: [(start, end, category), ...]}}`.

    >>> make_corpus({"doc1": {"ann": [(0, 5, "PER")], "bob": []}}).annotators
    ('ann', 'bob')
    """
    problems = [
        Problem(
            "document-name",
            "error",
            str(name),
            f"the continuum of the document {name!r} is itself called {item.name!r}",
            "Rename one of them.",
        )
        for name, item in documents.items()
        if isinstance(item, Continuum) and item.name != name
    ]
    if problems:
        raise CorpusError(problems)
    return Corpus(
        tuple(
            item if isinstance(item, Continuum) else Continuum.of(item, name=str(name))
            for name, item in documents.items()
        )
    )


def collect_records(
    inputs: Sequence[Any], settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of all inputs; problems of single files are added to `errors`."""
    records: list[Record] = []
    for item in inputs:
        try:
            if is_path(item):
                records += read_input(item, settings, errors, notes)
            elif is_pyannote(item):
                records.append(read_pyannote(item))
            elif isinstance(item, Mapping) and {_kind(value) for value in item.values()} == {"files"}:
                for annotator, value in item.items():
                    records += _records_of_annotator(str(annotator), value, settings, errors, notes)
            else:
                records.append(read_data_frame(item, settings))
        except ParameterError:
            raise
        except InputError as error:
            errors += error.problems
    return records


def _records_of_annotator(
    annotator: str, value: Any, settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of files or frames that are all by one annotator, whatever they say about that themselves."""
    records = collect_records(list_inputs(value), replace(settings, schema=UNITS_OF_ONE), errors, notes)
    return [
        replace(
            record,
            rows=replace(record.rows, annotator_labels=Labels.constant(annotator, record.n_rows)),
            called={**record.called, "annotator": "the mapping"},
        )
        for record in records
    ]


def read_single_table(item: Any, settings: Settings) -> Table:
    """The participation or documents table: a data frame or a single file."""
    if not is_path(item):
        from unisono.io.tables.data_frame import read_frame

        return read_frame(item)
    return read_table(find_one_file(item, settings.limits), settings)


def repeated_paths(items: Sequence[Any]) -> list[Problem]:
    """A problem for each file that is given twice, also to two annotators of a mapping."""
    known: set[str] = set()
    problems = []
    for path in _paths(items):
        # A path with a null character is reported when it is opened.
        key = path if path == "-" or "\0" in path else os.path.realpath(path)
        if key in known:
            problems.append(Problem("repeated-path", "error", path, "the file is given twice", "Give it only once."))
        known.add(key)
    return problems


def _paths(items: Iterable[Any]) -> Iterator[str]:
    """The paths among inputs, in mappings and lists too."""
    for item in items:
        if isinstance(item, str | os.PathLike):
            yield os.fspath(item)
        elif isinstance(item, Mapping | list | tuple):
            yield from _paths(item.values() if isinstance(item, Mapping) else item)
