# SPDX-License-Identifier: MIT
"""Splitting a text into lines, the same way for every format that is read line by line."""

from __future__ import annotations


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends, which are LF, CRLF or, in a text without any LF, CR.

    In a text with LF a single CR is part of its line: brat copies it there from texts whose lines end in CRLF. Other
    characters that `str.splitlines` splits at, such as form feed and U+2028, belong to the line too.

    >>> split_lines("a\r\nb\n"), split_lines("a\rb\r"), split_lines("a\rb\n"), split_lines("a\x0cb")
    (['a', 'b', ''], ['a', 'b', ''], ['a\rb', ''], ['a\x0cb'])
    """
    if "\n" not in text:
        return text.split("\r")
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines
