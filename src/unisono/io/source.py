# SPDX-License-Identifier: MIT
"""From a path to text: gzip, standard input, the size limit, encodings; and what is no table at all."""

from __future__ import annotations

import codecs
import gzip
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from unisono.errors import FormatError, InputError, ParameterError

#: Largest input read, in bytes after decompression: a compressed bomb must not fill the memory.
SIZE_LIMIT = 2 * 2**30

STDIN = "-"

_GZIP = b"\x1f\x8b"
PARQUET = b"PAR1"
_UNPACK = "unpack it first"
_BINARY: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "save the sheet as CSV, or unpack the archive"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet or office file", "save the sheet as CSV"),
    (b"BZh", "a bzip2 file", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz file", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", _UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", "export the table as CSV"),
    (b"%PDF-", "a PDF", "export the table as CSV"),
)
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TABLE = "a table as text (CSV, TSV, JSON lines) or Parquet"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one input, decompressed, and how messages call it."""

    where: str
    #: The file's name without its endings: the document's name where no column gives one.
    stem: str
    #: The ending that tells the format, in lower case, `.gz` left out: ".csv", or "" when there is none.
    suffix: str
    data: bytes


def load(path: str | os.PathLike[str], *, size_limit: int) -> Source:
    """Read a file, or standard input for "-"; every way this can fail is a FormatError that says what to do."""
    if os.fspath(path) == STDIN:
        data = read_beyond(sys.stdin.buffer, size_limit)
        return Source("stdin", "stdin", "", _unpacked(data, "stdin", size_limit))
    where, file = str(path), Path(path)
    if os.path.isdir(path):  # noqa: PTH112 -- unlike Path.is_dir it never raises
        remedy = f"give the files in it, e.g. {file / '*.csv'}"
        raise FormatError.of("a file", "a directory", remedy, where=where, code="directory")
    try:
        with file.open("rb") as stream:
            data = read_beyond(stream, size_limit)
    except FileNotFoundError:
        raise FormatError.of(
            "a file", "nothing of that name", _neighbours(file), where=where, code="missing-file"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError.of(
            "a file that can be read",
            f"an error: {reason}",
            "check its name and its permissions",
            where=where,
            code="unreadable",
        ) from None
    name = file.name.removesuffix(".gz")
    suffix = Path(name).suffix.lower()
    return Source(where, name[: len(name) - len(suffix)] or name, suffix, _unpacked(data, where, size_limit))


def read_beyond(stream: BinaryIO | gzip.GzipFile, limit: int) -> bytes:
    """All that is in a stream, but no more than one byte beyond the limit.

    Read in steps: a stream asked for n bytes sets n bytes of memory aside before it looks how many there are.
    """
    parts = []
    left = limit + 1
    while left and (part := stream.read(min(left, 2**24))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _neighbours(file: Path) -> str:
    """The remedy for a missing file: a file beside it whose name is close, where there is one."""
    from difflib import get_close_matches

    try:
        names = [entry.name for entry in file.parent.iterdir()] if file.parent.is_dir() else None
    except OSError:
        names = []
    if names is None:
        return f"there is no directory {file.parent} either"
    close = get_close_matches(file.name, names, n=1, cutoff=0.8)
    return f"did you mean {file.parent / close[0]}?" if close else "check the path"


def _unpacked(data: bytes, where: str, size_limit: int) -> bytes:
    # A packed file beyond the limit was not read to its end.
    if data.startswith(_GZIP) and len(data) <= size_limit:
        import io

        try:
            with gzip.open(io.BytesIO(data)) as stream:
                data = read_beyond(stream, size_limit)
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError.of(
                "a complete gzip file",
                f"one that breaks off or is damaged ({error})",
                "fetch or pack it again",
                where=where,
                code="gzip",
            ) from None
    if len(data) > size_limit:
        raise too_large("more", where, size_limit)
    return data


def too_large(found: str, where: str, size_limit: int) -> InputError:
    """The refusal of an input beyond the limit."""
    remedy = "split the file, or raise --size-limit if you trust it"
    return FormatError.of(f"at most {size_limit} bytes (unpacked)", found, remedy, where=where, code="size-limit")


def check_encoding(encoding: str | None) -> None:
    """Refuse an encoding nobody knows before any file is opened."""
    if encoding is None:
        return
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise ParameterError.of(
            "the name of an encoding", repr(encoding), "for example utf-8, latin-1, cp1252", code="unknown-encoding"
        ) from None


def decode(source: Source, encoding: str | None) -> str:
    """The text of a source: a byte order mark is obeyed, otherwise UTF-8 unless an encoding is given."""
    data, where = source.data, source.where
    empty = FormatError.of(
        "a table with rows", "an empty file", "check that it was saved", where=where, code="empty-file"
    )
    if not data.strip():
        raise empty
    marked, start = next(((name, len(mark)) for mark, name in _MARKS if data.startswith(mark)), (None, 0))
    if encoding is not None and (marked is None or not codecs.lookup(encoding).name.startswith("utf")):
        marked, start = encoding, 0
    if marked is None:
        _refuse_binary(data, where)
    try:
        text = data[start:].decode(marked or "utf-8")
    except UnicodeDecodeError as error:
        offset = error.start + start
        line = data.count(b"\n", 0, offset) + 1
        raise FormatError.of(
            f"text in {marked or 'UTF-8'}",
            f"byte 0x{data[offset]:02x} at offset {offset}",
            "save the file as UTF-8, or name its encoding, e.g. --encoding latin-1",
            where=f"{where}:{line}",
            code="encoding",
        ) from None
    if not text.strip():
        raise empty
    return text


def _refuse_binary(data: bytes, where: str) -> None:
    for magic, found, remedy in _BINARY:
        if data.startswith(magic):
            raise FormatError.of(_TABLE, found, remedy, where=where, code="binary-file")
    head = data[:65536]
    if b"\x00" not in head:
        return
    # Every second byte zero: text in UTF-16 that forgot its mark.
    for zeros, name in ((head[1:2000:2], "utf-16-le"), (head[0:2000:2], "utf-16-be")):
        if zeros.count(0) > 0.9 * len(zeros):
            raise FormatError.of(
                _TABLE,
                "what looks like UTF-16 without a byte order mark",
                f"try --encoding {name}",
                where=where,
                code="binary-file",
            )
    raise FormatError.of(_TABLE, "a binary file", "export the annotations as a table", where=where, code="binary-file")
