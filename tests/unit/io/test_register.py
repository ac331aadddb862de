# SPDX-License-Identifier: MIT
"""A format of one's own. Oracle: what the reader below hands on."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from unisono.io import FORMATS, Format, read, register
from unisono.io.files.opening import File
from unisono.io.formats.sniff import Head
from unisono.io.options import Settings
from unisono.io.record import Record, RecordBuilder


def reader(file: File, settings: Settings) -> Record:
    """Lines of `annotator start end`, after a line that says hello."""
    builder = RecordBuilder(file, "hello")
    sheets: dict[str, int] = {}
    for number, line in enumerate(file.data().decode().splitlines()[1:], start=2):
        name, start, end = line.split()
        if name not in sheets:
            sheets[name] = builder.sheet(annotator=name)
        builder.unit(sheets[name], start, end, {"kind": "greeting"}, f"{file.where}:{number}")
    return builder.record(category="kind")


def test_a_format_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("hello_reader")
    module.read = reader  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "hello_reader", module)
    before = dict(FORMATS)
    try:
        register(
            Format("hello", (".hi",), "greetings", "hello_reader", lambda head: head.text.startswith("hello"), "...")
        )
        assert list(FORMATS)[-1] == "csv", "tables are asked last"
        (tmp_path / "a.txt").write_text("hello\nann 0 5\nbob 0 4.5\n")
        corpus = read(tmp_path)
        assert [(u.annotator, u.start, u.end, u.category) for u in corpus["a"]] == [
            ("ann", 0, 5, "greeting"),
            ("bob", 0, 4.5, "greeting"),
        ]
    finally:
        FORMATS.clear()
        FORMATS.update(before)


def test_no_sniffer_fails_on_any_beginning() -> None:
    for data in (
        b"",
        b"\0",
        b"<",
        b"{",
        b"[",
        b"<?xml",
        b"\xff\xfe",
        b"\xff\xfe<",
        b"PK\x03\x04",
        b"\xed\xa0\x80",
        b" # \n",
    ):
        for suffix in ("", ".json", ".xml", ".ann", ".tsv"):
            for format in FORMATS.values():
                assert format.sniff(Head(f"a{suffix}", suffix, data)) in (True, False)
