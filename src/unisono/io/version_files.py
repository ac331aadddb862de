# SPDX-License-Identifier: MIT
"""Files that are annotators' versions of one text: which files these are, by whom, and in which format."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from unisono.errors import CorpusError, FormatError, InputError, ParameterError, Problem
from unisono.io.files.search import NamedFiles, find_files
from unisono.io.formats import FORMATS
from unisono.io.formats.detection import read_input
from unisono.io.inputs import list_inputs
from unisono.io.labels import Labels
from unisono.io.options import Settings
from unisono.io.record import Record
from unisono.io.tables.column_roles import UNITS_OF_ONE
from unisono.nouns import quantity

#: The formats in which a file is one version, by the ending of its name.
FORMAT_OF_ENDING = {
    ".xml": "cora",
    ".conllu": "conllu",
    ".conll": "conllu",
    ".conllx": "conllu",
    ".tsv": "tokens",
    ".tab": "tokens",
    ".json": "text-versions",
}
#: The name of the document where the files do not name it.
DOCUMENT = "text"


def are_version_files(inputs: Sequence[Any], format: str | None) -> bool:
    """Whether inputs are files with one version of a text in each: by the format, or by the endings of their names."""
    paths = [value for item in inputs for value in (item.values() if isinstance(item, Mapping) else [item])]
    if not paths or not all(isinstance(path, str | os.PathLike) for path in paths):
        return False
    if format is not None:
        return format in FORMAT_OF_ENDING.values()
    return all(_ending(path) in FORMAT_OF_ENDING for path in paths) and not any(Path(path).is_dir() for path in paths)


def collect_versions(
    inputs: Sequence[Any], settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of files of which each has the version of one annotator, or one has all of them."""
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        files = {str(name): _only_path(name, value) for name, value in inputs[0].items()}
    else:
        files = _files_by_annotator([file for item in inputs for file in _single_files(item)])
    records: list[Record] = []
    for annotator, path in files.items():
        try:
            how = replace(settings, format=settings.format or _format_of(path, settings), schema=UNITS_OF_ONE)
            records += [_name_annotator(record, annotator) for record in read_input(path, how, errors, notes)]
        except InputError as error:
            errors += error.problems
    whole = [record for record in records if record.rows.annotator_labels is None]
    if whole and len(records) > 1:
        raise FormatError.of(
            f"this file has the versions of all annotators, and there are {len(records)} files",
            "Give files with one version each, or one file with all versions.",
            where=whole[0].where,
            code="text-json",
        )
    return records


def _only_path(annotator: Any, value: Any) -> Any:
    """The file of an annotator, which may be given in a list."""
    paths = list_inputs(value)
    if len(paths) != 1:
        raise ParameterError.of(
            f"{annotator} has {quantity(len(paths), 'file')}, and a version of a text is one file",
            "Give one file for each annotator, and measure one text at a time.",
        )
    return paths[0]


def _single_files(item: Any) -> list[Any]:
    """An input, or each of several uploaded files by itself."""
    if isinstance(item, NamedFiles):
        return [NamedFiles({name: path}) for name, path in item.files.items()]
    return [item]


def _name_annotator(record: Record, annotator: str) -> Record:
    """The record of one annotator, who is named by the file, unless the file names all annotators itself."""
    document = next((sheet.document for sheet in record.sheets if sheet.document), DOCUMENT)
    rows = replace(record.rows, document_labels=Labels.constant(document, record.n_rows))
    if all(sheet.annotator is None for sheet in record.sheets):
        rows = replace(rows, annotator_labels=Labels.constant(annotator, record.n_rows))
    bases = dict(zip([document], record.bases.values(), strict=False))
    return replace(record, rows=rows, bases=bases, called={**record.called, "annotator": "file names"})


def _ending(path: Any) -> str:
    return PurePath(str(path).removesuffix(".gz")).suffix.lower()


def _format_of(path: Any, settings: Settings) -> str:
    """The format of a file by its ending, or by its beginning if its ending does not show it."""
    ending = _ending(path)
    if ending in FORMAT_OF_ENDING:
        return FORMAT_OF_ENDING[ending]
    start = next(find_files(path, settings.limits)).data().lstrip()[:1]
    if start in (b"<", b"{"):
        return "cora" if start == b"<" else "text-versions"
    raise FormatError.of(
        f"the ending {ending!r} does not say which format of text versions it is",
        f"Use one of the endings {', '.join(FORMAT_OF_ENDING)}, or name the format with [[format]]: "
        f"{', '.join(name for name in FORMATS if name in FORMAT_OF_ENDING.values())}.",
        where=str(path),
        code="unknown-text-format",
    )


def _files_by_annotator(paths: Sequence[Any]) -> dict[str, Any]:
    """Files by annotator: the file's name without ending, or its folder's name if all files have the same name."""
    places = [PurePath(str(path)) for path in paths]
    names = [place.name.split(".")[0] or place.name for place in places]
    if len(set(names)) == 1 and len(names) > 1:
        names = [place.parent.name for place in places]
    twice = sorted(name for name, count in Counter(names).items() if count > 1)
    if twice:
        raise CorpusError.of(
            f"several files are of the annotator {', '.join(map(repr, twice))}, by the name of the file or its folder",
            "Rename a file.",
            code="repeated-annotator",
        )
    return dict(zip(names, paths, strict=True))
