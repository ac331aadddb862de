# SPDX-License-Identifier: MIT
"""From bytes to text: encodings, byte order marks; and what is no text at all."""

from __future__ import annotations

import codecs

from unisono.errors import FormatError, ParameterError

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


def decode(data: bytes, where: str, encoding: str | None) -> str:
    """Bytes as text: a byte order mark is obeyed, otherwise UTF-8 unless an encoding is given; may be empty."""
    marked, start = next(((name, len(mark)) for mark, name in _MARKS if data.startswith(mark)), (None, 0))
    if encoding is not None and (marked is None or not codecs.lookup(encoding).name.startswith("utf")):
        marked, start = encoding, 0
    if marked is None:
        _refuse_binary(data, where)
    try:
        return data[start:].decode(marked or "utf-8")
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


def filled(text: str, where: str) -> str:
    """The text, refused if there is nothing in it."""
    if not text.strip():
        raise FormatError.of(
            "a table with rows", "an empty file", "check that it was saved", where=where, code="empty-file"
        )
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
