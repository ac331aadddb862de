# SPDX-License-Identifier: MIT
"""Line ends of every format that is read line by line. Oracle: the fixture as it is, whose lines end in LF or CRLF."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from marks import marks, seen
from unisono.io import read

FIXTURES = Path(__file__).parent / "fixtures"

#: Texts to which positions refer: their line ends are characters that count.
TEXTS = {"brat": ".txt", "catma": ".txt", "glozz": ".ac"}
NAMES = (
    "audacity", "brat", "chat", "childproject", "conll", "csv", "doccano", "factgenie", "hugging-face", "jsonl",
    "prodigy", "raven", "rttm", "textgrid", "tsv", "webanno-tsv",
)  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("name", NAMES)
def test_line_ends_do_not_matter(tmp_path: Path, name: str, end: str) -> None:
    shutil.copytree(FIXTURES / name, tmp_path / name)
    for path in (tmp_path / name).rglob("*"):
        if path.is_file() and path.suffix != TEXTS.get(name):
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", end.encode()))
    corpus, expected = read(tmp_path / name, format=name), read(FIXTURES / name, format=name)
    assert expected.n_units > 1
    assert marks(corpus) == marks(expected)
    assert seen(corpus) == seen(expected)


def test_exported_events_of_boris(tmp_path: Path) -> None:
    """Oracle: the same events written by hand."""
    rows = ["Observation id\tTime\tBehavior\tBehavior type", "o\t1\teat\tSTART", "o\t3\teat\tSTOP", "o\t4\tcall\tPOINT"]
    for end in ("\n", "\r\n", "\r"):
        (tmp_path / "events.tsv").write_bytes(end.join(rows).encode())
        corpus = read(tmp_path / "events.tsv", format="boris")
        assert [(u.start, u.end, u.category) for u in corpus[0]] == [(1, 3, "eat"), (4, 4, "call")]
