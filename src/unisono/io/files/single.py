# SPDX-License-Identifier: MIT
"""A single file with its content, for readers that take no folder or archive."""

from __future__ import annotations

import os
from dataclasses import dataclass

from unisono.errors import FormatError
from unisono.io.files import encoding as encodings
from unisono.io.files.opening import SIZE_LIMIT, ReadLimits
from unisono.io.files.search import find_files

__all__ = ["SIZE_LIMIT", "Source", "decode", "load"]


@dataclass(frozen=True, slots=True)
class Source:
    """The unpacked bytes of one file and its name in messages."""

    where: str
    #: The file's name without its endings.
    stem: str
    #: The ending that hints at the format, in lower case, without `.gz`: ".csv", or "" when there is none.
    suffix: str
    data: bytes


def load(path: str | os.PathLike[str], *, size_limit: int) -> Source:
    """Read a file, or standard input for "-"; a FormatError where that fails."""
    file = next(find_files(path, ReadLimits(size=size_limit)))
    if not file.is_named:
        raise FormatError.of(
            "this is a folder or an archive, and a single file is needed",
            "Give one of its files.",
            where=str(path),
            code="directory",
        )
    return Source(file.where, file.stem, file.suffix, file.data())


def decode(source: Source, encoding: str | None) -> str:
    """The text of a file, which must not be empty."""
    text = encodings.decode(source.data, source.where, encoding)
    encodings.require_content(text, source.where)
    return text
