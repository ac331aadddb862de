# SPDX-License-Identifier: MIT
"""VIA 3. Oracle: our fixture by hand; the samples walked as plain JSON."""

from __future__ import annotations

import json
from pathlib import Path

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "via"


def test_segments() -> None:
    corpus = read(FIXTURE)
    # A file of the project in which nothing is marked was seen by both.
    assert {c.name: c.annotators for c in corpus} == {"talk.mp4": ("ann", "bob"), "walk.mp4": ("ann", "bob")}
    assert [(u.annotator, u.start, u.end, u.category) for u in corpus["talk.mp4"]] == [
        ("ann", 0.5, 1.25, "point"),
        ("ann", 2.0, 3.5, "point|wave 👋"),
        ("ann", 4.5, 4.5, "wave 👋"),
        ("bob", 0.625, 1.25, "point"),
        ("bob", 4.5, 4.5, "wave 👋"),
    ]
    notes = [problem.message for problem in corpus.problems if problem.code == "passed-over"]
    assert notes == ["2 regions in frames or images were left out: only temporal segments are read"] * 2


def test_a_project_without_files(tmp_path: Path) -> None:
    root = json.loads((FIXTURE / "ann" / "p.json").read_text(encoding="utf-8")) | {"view": {}, "metadata": {}}
    (tmp_path / "p.json").write_text(json.dumps(root), encoding="utf-8")
    assert {problem.code for problem in inspect(tmp_path / "p.json").problems} == {"no-units", "no-annotations"}


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "via3"
    paths = sorted(folder.rglob("*.json"))
    for path, n_units in zip(paths, (2, 2, 1), strict=True):
        entries = json.loads(path.read_text(encoding="utf-8"))["metadata"].values()
        units = list(read(path)[0])
        assert len(units) == n_units
        assert sorted((u.start, u.end, u.category) for u in units) == sorted((*e["z"], e["av"]["1"]) for e in entries)
    corpus = read(folder)
    assert (corpus.n_units, len(corpus)) == (5, 3)
