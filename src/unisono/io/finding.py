# SPDX-License-Identifier: MIT
"""From a path to records: the format of each file is found by its content, then by its ending."""

from __future__ import annotations

import os
from collections import Counter, defaultdict

from unisono.errors import FormatError, InputError, ParameterError, Problem
from unisono.io.files import File, NamedFiles, files_of
from unisono.io.formats import COMPANION, FORMATS, Format, sniffed
from unisono.io.formats.sniff import Head
from unisono.io.inception import chosen_files
from unisono.io.record import Record
from unisono.io.settings import Settings
from unisono.io.table import listing

#: Endings that say too little.
_COMMON = {".json", ".xml", ".txt", ".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".zip", ".log", ""}


def read_input(
    path: str | os.PathLike[str] | NamedFiles, settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of all files at a path; what is wrong with single files goes to `errors`."""
    by_format: dict[str, list[File]] = defaultdict(list)
    ignored: list[File] = []
    for file in chosen_files(list(files_of(path, settings.limits)), settings, notes):
        format = _format(file, settings)
        if format is COMPANION:
            continue
        if format is None:
            ignored.append(file)
        else:
            by_format[format.name].append(file)
    if not by_format:
        raise FormatError.of(
            "files of a known format" if settings.format is None else f"files in the format {settings.format}",
            listing([file.name for file in ignored], 5) or "no files",
            "unisono formats lists what is read; --format names one",
            where=str(path),
            code="no-format",
        )
    if len(by_format) > 1:
        counts = Counter({name: len(files) for name, files in by_format.items()}).most_common()
        raise FormatError.of(
            "files of one format",
            ", ".join(f"{count} {name}" for name, count in counts),
            f"say which: --format {counts[0][0]}",
            where=str(path),
            code="mixed-formats",
        )
    # Texts and the like that lie beside an annotated file under its name are read with it.
    known = {(*file.parts[:-1], file.stem) for files in by_format.values() for file in files}
    ignored = [file for file in ignored if (*file.parts[:-1], file.stem) not in known]
    if ignored:
        found = f"{len(ignored)} of no known format ({listing([file.name for file in ignored], 3)})"
        notes.append(Problem("ignored-files", "note", str(path), "files with annotations", found, "left out"))
    records = []
    for name, files in by_format.items():
        reader = FORMATS[name].load()
        for file in files:
            try:
                records.append(reader.read(file, settings))
            except InputError as error:
                # Beyond a limit nothing more is unpacked; the other files are read for what is wrong with them.
                if isinstance(error, ParameterError) or error.problems[0].code == "size-limit":
                    raise
                errors += error.problems
    return records


def _format(file: File, settings: Settings) -> Format | None:
    head = Head(file.name, file.suffix, file.head())
    if not file.is_named and COMPANION.sniff(head):
        return COMPANION
    if settings.format is not None:
        wanted = FORMATS[settings.format]
        return wanted if file.is_named or file.suffix in wanted.suffixes or wanted.sniff(head) else None
    found = sniffed(head)
    if found is None and head.suffix not in _COMMON:
        found = next((format for format in FORMATS.values() if head.suffix in format.suffixes), None)
    if found is None and file.is_named:
        return _table(head)
    return found


def _table(head: Head) -> Format | None:
    """A table under any name: text, or JSON whose first line is a whole object."""
    if not head.is_json:
        return None if head.root else FORMATS["csv"]
    return FORMATS["jsonl"] if head.lines[0].rstrip().endswith("}") or len(head.lines) == 1 else None
