# SPDX-License-Identifier: MIT
"""Files as strangers send them: broken in the ways files break. The same seed breaks a file in the same way."""

from __future__ import annotations

import random

#: What tends to upset readers: signs of the formats, numbers at the edge, odd characters.
_BITS = [
    b"", b"\0", b"\xff", b"\n", b"\r\n", b"\t", b" ", b'"', b"'", b"<", b">", b"/>", b"</x>", b"&", b"&amp;", b"&x;",
    b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"-1", b"0", b"1e999", b"NaN", b"9" * 30, b"1.5", b"[[[[[[[[",
    b"{}", b"[]", b'""', b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xff\xfe", b"<!--", b"]]>",
    b"<![CDATA[", b'<!DOCTYPE x [<!ENTITY a "b">]>', b"%s", b"\\u0000", b"\\", b"0x10", b"2**53", b"9007199254740993",
    b"None",
]  # fmt: skip


def mutated(data: bytes, seed: int) -> bytes:
    """The data with one to four changes: bytes replaced, removed, repeated, moved, broken off, tokens put in."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 4))):
        data = _CHANGES[chance.randrange(len(_CHANGES))](data, chance)
    return data


def _place(data: bytes, chance: random.Random) -> int:
    return chance.randint(0, len(data))


def _put_in(data: bytes, chance: random.Random) -> bytes:
    place = _place(data, chance)
    return data[:place] + chance.choice(_BITS) + data[place:]


def _replace(data: bytes, chance: random.Random) -> bytes:
    place = _place(data, chance)
    return data[:place] + chance.choice(_BITS) + data[place + chance.choice((1, 1, 2, 5, 20)) :]


def _remove(data: bytes, chance: random.Random) -> bytes:
    first, last = sorted((_place(data, chance), _place(data, chance)))
    return data[:first] + data[min(last, first + chance.choice((1, 3, 10, 100, 10_000))) :]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    first, last = sorted((_place(data, chance), _place(data, chance)))
    piece = data[first : min(last, first + 500)]
    return data[:first] + piece * chance.choice((2, 3)) + data[last:]


def _break_off(data: bytes, chance: random.Random) -> bytes:
    return data[: _place(data, chance)]


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _swap_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _change_number(data: bytes, chance: random.Random) -> bytes:
    digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
    if not digits:
        return data
    place = chance.choice(digits)
    return data[:place] + chance.choice((b"-", b"", b"99", b".", b"e9", b"x")) + data[place + 1 :]


_CHANGES = (_put_in, _replace, _replace, _remove, _repeat, _break_off, _flip, _swap_lines, _change_number)
