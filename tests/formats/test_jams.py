# SPDX-License-Identifier: MIT
"""JAMS. Oracle: our fixture by hand; the sample walked as plain JSON."""

from __future__ import annotations

import json
from pathlib import Path

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "jams" / "song.jams"


def test_observations() -> None:
    song = read(FIXTURE)[0]
    assert song.annotators == ("ann", "bob@example.org", "cem")
    assert (song.name, song.extent.start, song.extent.end) == ("song", 0, 12.5)
    assert [(u.annotator, u.start, u.end, u.category, u.features["confidence"]) for u in song] == [
        ("ann", 0.0, 4.1, "verse", "1.0"),
        # 4.1 + 4.2 is 8.299999999999999 in floats.
        ("ann", 4.1, 8.3, "chorus", None),
        ("bob@example.org", 0.0, 4.25, "verse", None),
        ("bob@example.org", 4.25, 12.5, "chorus", "0.5"),
    ]
    assert read(FIXTURE, annotator_from="field:annotation")[0].annotators == ("1", "2", "3")
    assert read(FIXTURE, document_from="field:title")[0].name == "Song"


def test_a_duration_that_is_too_short_is_no_extent(tmp_path: Path) -> None:
    path = tmp_path / "song.jams"
    path.write_text(FIXTURE.read_text(encoding="utf-8").replace('"duration": 12.5,', '"duration": 12.0,'), "utf-8")
    assert read(path)[0].extent.source == "guessed"


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "jams" / "SALAMI_728.jams"
    (problem,) = inspect(path).problems
    assert problem.code == "which-layer"
    root = json.loads(path.read_text(encoding="utf-8"))
    for namespace, n_units in (("segment_salami_lower", 267), ("segment_salami_upper", 77), ("multi_segment", 344)):
        song = read(path, layer=namespace)[0]
        expected = {
            (a["annotation_metadata"]["annotator"]["name"], d["time"], _label(d["value"]))
            for a in root["annotations"]
            for d in a["data"]
            if a["namespace"] == namespace
        }
        assert len(song) == n_units
        assert {(u.annotator, u.start, u.category) for u in song} == expected
        assert song.n_annotators == 5
        # Some units end half a microsecond after the file, which is then no extent.
        assert song.extent.source == "guessed"


def _label(value: object) -> object:
    return value["label"] if isinstance(value, dict) else value
