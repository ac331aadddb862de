# SPDX-License-Identifier: MIT
"""Names that are no Unicode: files named before UTF-8, halves of surrogate pairs in JSON. Oracle: the names meant."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import unisono


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes are a thing of Linux")
def test_a_file_named_in_latin_1_is_read_measured_and_written(tmp_path: Path) -> None:
    for annotator in ("ann", "bob"):
        folder = tmp_path / annotator
        folder.mkdir()
        (folder / os.fsdecode(b"caf\xe9.txt")).write_text("hello world", encoding="utf-8")
        (folder / os.fsdecode(b"caf\xe9.ann")).write_text("T1\tPER 0 5\thello\n", encoding="utf-8")
    corpus = unisono.read(tmp_path)
    assert [document.name for document in corpus] == ["café"]
    assert corpus[0].text == "hello world"
    assert unisono.measure(corpus, seed=1)["gamma"].value == 1
    unisono.write(corpus, tmp_path / "out.csv")
    assert unisono.read(tmp_path / "out.csv").annotators == ("ann", "bob")


def test_half_a_surrogate_pair_in_json_becomes_the_replacement_character(tmp_path: Path) -> None:
    lines = [
        rf'{{"document": "a\ud83d", "annotator": "{annotator}", "start": 1, "end": 3, "category": "c\ud83d\ude00"}}'
        for annotator in ("ann", "bob")
    ]
    path = tmp_path / "units.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    corpus = unisono.read(path)
    assert corpus[0].name == "a\ufffd"
    assert corpus.labels("category") == ("c😀",)
    unisono.write(corpus, tmp_path / "out.csv")


def test_a_name_that_no_file_can_hold_does_not_stop_a_measurement() -> None:
    units = {"ann": [(0, 5, "a\ud800")], "bob": [(0, 6, "b")]}
    corpus = unisono.corpus({"\udce9": units})
    assert unisono.measure(corpus, ["gamma", "gamma-cat"], samples=30, seed=1)["gamma"].value is not None
