# SPDX-License-Identifier: MIT
"""From bytes to text: encodings, byte order marks, and files that are not text at all."""

from __future__ import annotations

import codecs

from unisono.errors import FormatError, ParameterError
from unisono.io.wording import short

_UNPACK = "Unpack it first."
_SAVE_AS_CSV = "Save the sheet as CSV."
_EXPORT_AS_CSV = "Export the table as CSV."
_RESAVE = "Save the file as UTF-8, or name its encoding with [[encoding]] (often cp1252 or latin-1)."
#: The first bytes of files that are not text, what they are, and what to do.
_BINARY: tuple[tuple[bytes, str, str], ...] = (
    (b"PK\x03\x04", "a spreadsheet or a zip archive", "Save the sheet as CSV, or unpack the archive."),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet or office file", _SAVE_AS_CSV),
    (b"BZh", "a bzip2 file", _UNPACK),
    (b"\xfd7zXZ\x00", "an xz file", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd file", _UNPACK),
    (b"SQLite format 3\x00", "an SQLite database", _EXPORT_AS_CSV),
    (b"%PDF-", "a PDF", _EXPORT_AS_CSV),
)
#: Byte order marks; those of UTF-32 begin like those of UTF-16 and therefore come first.
MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def check_encoding(encoding: str | None) -> None:
    """Refuse an unknown encoding before any file is opened."""
    if encoding is None:
        return
    try:
        b"a".decode(encoding)
    except UnicodeDecodeError:
        pass  # an encoding in which a character takes more than one byte
    except (LookupError, ValueError):  # not an encoding, or not one of texts
        raise ParameterError.of(
            f"there is no encoding named {encoding!r}",
            "Usual ones are utf-8, latin-1, cp1252 and utf-16.",
            code="unknown-encoding",
        ) from None


def decode(data: bytes, where: str, encoding: str | None) -> str:
    """Bytes as text: as their byte order mark says, otherwise in the given encoding, otherwise UTF-8; may be empty."""
    name, start = text_encoding(data, where, encoding)
    return _decode(data, start, name, where)


def decode_to_utf8(data: bytes, where: str, encoding: str | None) -> bytes:
    """Like `decode`, but the text as UTF-8: bytes that are UTF-8 already are checked and passed on as they are."""
    name, start = text_encoding(data, where, encoding)
    if name is not None and codecs.lookup(name).name != "utf-8":
        return _decode(data, start, name, where).encode("utf-8", "surrogatepass")
    if not data.isascii():
        _decode(data, start, name, where)
    return data[start:] if start else data


def text_encoding(data: bytes, where: str, encoding: str | None) -> tuple[str | None, int]:
    """The encoding of a text with these first bytes (None: UTF-8 by default), and where the text begins.

    FormatError for a file that is not text.
    """
    marked, start = next(((name, len(mark)) for mark, name in MARKS if data.startswith(mark)), (None, 0))
    if encoding is not None and (marked is None or not codecs.lookup(encoding).name.startswith("utf")):
        return encoding, 0
    if marked is None:
        _refuse_binary(data, where)
    return marked, start


def _decode(data: bytes, start: int, name: str | None, where: str) -> str:
    try:
        return data[start:].decode(name or "utf-8")
    except UnicodeDecodeError as error:
        raise not_in_encoding(error, name, where, offset=start) from None
    except UnicodeError as error:  # the encodings of domain names (idna, punycode) do not say where
        raise FormatError.of(
            f"the text is not {name}: {short(str(error))}", _RESAVE, where=where, code="encoding"
        ) from None


def not_in_encoding(
    error: UnicodeDecodeError, name: str | None, where: str, *, offset: int = 0, n_lines: int = 0
) -> FormatError:
    """The refusal of a text; before the bytes of the error there are `offset` bytes with `n_lines` line ends."""
    line = n_lines + error.object.count(b"\n", 0, error.start) + 1
    message = (
        f"the text is not {name or 'UTF-8'}: byte 0x{error.object[error.start]:02x} at offset {offset + error.start} "
        "does not fit"
    )
    return FormatError.of(
        message,
        _RESAVE,
        where=f"{where}:{line}",
        code="encoding",
    )


def require_content(text: str | bytes, where: str) -> None:
    """Refuse a file without content."""
    # bytes.isspace knows only ASCII blanks; a file of nothing but other blanks is refused as a table without rows.
    if not text or text.isspace():
        raise FormatError.of(
            "the file is empty", "Was it saved, and copied to its end?", where=where, code="empty-file"
        )


def _refuse_binary(data: bytes, where: str) -> None:
    for magic, kind, remedy in _BINARY:
        if data.startswith(magic):
            raise _not_text(f"the file is {kind}, not text or Parquet", remedy, where)
    head = data[:65536]
    if b"\x00" not in head:
        return
    # Every second byte is zero in Latin text in UTF-16.
    for zeros, name in ((head[1:2000:2], "utf-16-le"), (head[0:2000:2], "utf-16-be")):
        if zeros.count(0) > 0.9 * len(zeros):
            remedy = f"Give {name} as [[encoding]]."
            raise _not_text("the file looks like UTF-16 without a byte order mark", remedy, where)
    raise _not_text("the file is binary, not text or Parquet", "Export the annotations as a table.", where)


def _not_text(message: str, remedy: str, where: str) -> FormatError:
    return FormatError.of(message, remedy, where=where, code="binary-file")
