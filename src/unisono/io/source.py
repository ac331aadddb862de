# SPDX-License-Identifier: MIT
"""A single file, loaded: for readers that take one file and no folder or archive."""

from __future__ import annotations

import os
from dataclasses import dataclass

from unisono.errors import FormatError
from unisono.io import encoding as encodings
from unisono.io.files import SIZE_LIMIT, Limits, files_of

__all__ = ["SIZE_LIMIT", "Source", "decode", "load"]


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one input, decompressed, and how messages call it."""

    where: str
    #: The file's name without its endings.
    stem: str
    #: The ending that tells the format, in lower case, `.gz` left out: ".csv", or "" when there is none.
    suffix: str
    data: bytes


def load(path: str | os.PathLike[str], *, size_limit: int) -> Source:
    """Read a file, or standard input for "-"; every way this can fail is a FormatError that says what to do."""
    files = files_of(path, Limits(size=size_limit))
    file = next(files)
    if not file.is_named:
        raise FormatError.of(
            "a file", "a folder or an archive", "give one of its files", where=str(path), code="directory"
        )
    return Source(file.where, file.stem, file.suffix, file.data())


def decode(source: Source, encoding: str | None) -> str:
    """The text of a source, which must hold something."""
    return encodings.filled(encodings.decode(source.data, source.where, encoding), source.where)
