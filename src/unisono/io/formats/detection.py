# SPDX-License-Identifier: MIT
"""From a path to records: the format of each file is detected by its content, then by its ending."""

from __future__ import annotations

import os
from collections import Counter, defaultdict

from unisono.errors import FormatError, InputError, ParameterError, Problem
from unisono.io.files.opening import File
from unisono.io.files.search import NamedFiles, find_files
from unisono.io.formats import COMPANION, FORMATS, Format, recognise
from unisono.io.formats.inception import chosen_files
from unisono.io.formats.sniff import Head
from unisono.io.options import Settings
from unisono.io.record import Record
from unisono.io.wording import listing

#: Endings that several formats share, so that they do not identify one.
_COMMON = {".json", ".xml", ".txt", ".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".zip", ".log", ""}


def read_input(
    path: str | os.PathLike[str] | NamedFiles, settings: Settings, errors: list[Problem], notes: list[Problem]
) -> list[Record]:
    """The records of all files at a path; problems of single files are added to `errors`."""
    by_format: dict[str, list[File]] = defaultdict(list)
    ignored: list[File] = []
    for file in chosen_files(list(find_files(path, settings.limits)), settings, notes):
        format = _format(file, settings)
        if format is COMPANION:
            continue
        if format is None:
            ignored.append(file)
        else:
            by_format[format.name].append(file)
    if not by_format:
        raise FormatError.of(
            _no_format(_names(ignored), settings.format),
            "`unisono formats` lists the formats that are read; name one with [[format]].",
            where=str(path),
            code="no-format",
        )
    if len(by_format) > 1:
        counts = Counter({name: len(files) for name, files in by_format.items()}).most_common()
        raise FormatError.of(
            f"the files are of several formats ({', '.join(f'{count} {name}' for name, count in counts)})",
            f"Choose one with [[format]], for example {counts[0][0]}.",
            where=str(path),
            code="mixed-formats",
        )
    # Files named like an annotated file except for the ending, such as texts, are read with it.
    known = {(*file.parts[:-1], file.stem) for files in by_format.values() for file in files}
    ignored = [file for file in ignored if (*file.parts[:-1], file.stem) not in known]
    if ignored:
        files_are = "file is" if len(ignored) == 1 else "files are"
        message = f"{len(ignored):,} {files_are} of no known format and left out ({listing(_names(ignored), 3)})"
        notes.append(Problem("ignored-files", "note", str(path), message))
    records = []
    for name, files in by_format.items():
        reader = FORMATS[name].load()
        for file in files:
            try:
                records.append(reader.read(file, settings))
            except InputError as error:
                # At a size limit reading stops; after other errors it goes on, so that all problems are reported.
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
    format = recognise(head)
    if format is None and head.suffix not in _COMMON:
        format = next((other for other in FORMATS.values() if head.suffix in other.suffixes), None)
    if format is None and file.is_named:
        return _table(head)
    return format


def _names(files: list[File]) -> list[str]:
    return [file.name for file in files]


def _no_format(names: list[str], wanted: str | None) -> str:
    """The message about an input without a readable file."""
    if not names:
        return "there are no files"
    kind = "of a known format" if wanted is None else f"in the format {wanted}"
    return f"none of the files ({listing(names, 5)}) is {kind}" if len(names) > 1 else f"{names[0]} is not {kind}"


def _table(head: Head) -> Format | None:
    """The table format of a file under any name: text, or JSON lines."""
    if not head.is_json:
        return None if head.root else FORMATS["csv"]
    return FORMATS["jsonl"] if head.lines[0].rstrip().endswith("}") or len(head.lines) == 1 else None
