# SPDX-License-Identifier: MIT
"""CVAT video tracks. Oracle: our fixture by hand; the sample by the frames in its own XML."""

from __future__ import annotations

import re
from pathlib import Path

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "cvat" / "apes.xml"


def test_tracks() -> None:
    apes = read(FIXTURE)[0]
    assert apes.annotators == ("ann", "bob", "cem")
    assert (apes.name, apes.extent.start, apes.extent.end) == ("apes.mp4", 0, 30)
    assert [(u.annotator, u.start, u.end, u.category, u.features["pose"]) for u in apes] == [
        # Seen in frames 4 to 9, again from 20 to the end of the task: every second frame was annotated.
        ("ann", 4, 10, "ape 🦍", "sits|runs"),
        ("ann", 20, 30, "ape 🦍", "sits"),
        ("bob", 3, 5, "keeper", None),
    ]
    (note,) = (problem for problem in inspect(FIXTURE).problems if problem.code == "passed-over")
    assert note.message == "1 annotation of single images was left out: only tracks are read"
    assert read(FIXTURE, annotator_from="field:task")[0].annotators[0] == "apes for ann"


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "cvat" / "annotations.xml"
    video = read(path)[0]
    assert [(u.start, u.end, u.category, u.features["hgl"]) for u in video] == [
        (10, 13, "II", None),
        (10, 13, "klhg", "hgkf"),
        (10, 19, "skeleton", None),
        (13, 16, "II", None),
    ]
    assert (video.name, video.extent.start, video.extent.end) == ("t.mp4", 10, 20)
    # Tracks that stand two blanks in, of skeletons but not of their parts.
    assert len(video) == len(re.findall("^  <track ", path.read_text(encoding="utf-8"), re.MULTILINE))
