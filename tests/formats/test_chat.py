# SPDX-License-Identifier: MIT
"""CHAT. Oracle: our fixture by hand; the sample against pylangacq, and by a regular expression."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "chat"


def test_utterances() -> None:
    (kitchen,) = read(FIXTURE)
    names = ("utterance", "postcode", "add", "com")
    assert [(u.annotator, u.start, u.end, u.category, *(u.features[n] for n in names)) for u in kitchen] == [
        ("ann", 100, 900, "CHI", "&=laughs .", "c", "MOT", None),
        ("ann", 950, 1800, "MOT", "well that is a long one 🙂 .", "id|x", None, "points at the door"),
        ("ann", 2000, 2500, "CHI", "two stretches .", None, None, None),
        # The old bullet, with the name of the media.
        ("bob", 120, 880, "CHI", "&=laughs .", "nc", None, None),
    ]
    assert read(FIXTURE, annotator_from="field:transcriber")[0].annotators == ("Ann A.", "Bob B.")
    assert [problem.message for problem in inspect(FIXTURE).problems if problem.code == "passed-over"] == [
        "1 utterance without a time bullet was left out: only utterances with one are read"
    ]


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "chat" / "vandam.cha"
    text = path.read_text(encoding="utf-8")
    rows = re.findall(r"^\*(\w+):.*\x15(\d+)_(\d+)\x15", text, re.MULTILINE)
    units = list(read(path)[0])
    assert len(units) == 20 == len(rows)
    assert [(u.category, str(u.start), str(u.end)) for u in units] == rows


def test_sample_against_pylangacq(shared: Path) -> None:
    pylangacq = pytest.importorskip("pylangacq")
    path = shared / "samples" / "chat" / "vandam.cha"
    reader = pylangacq.read_chat(str(path), strict=False)
    theirs = [(u.participant, *u.time_marks) for u in reader.utterances() if u.time_marks]
    assert [(u.category, u.start, u.end) for u in read(path)[0]] == theirs
