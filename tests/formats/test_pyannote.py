# SPDX-License-Identifier: MIT
"""Objects of pyannote. Oracle: what was put into them; the RTTM sample read by both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unisono.errors import ParameterError
from unisono.io import inspect, read

core = pytest.importorskip("pyannote.core")


def annotation(uri: str | None, *tracks: tuple[float, float, Any]) -> Any:
    made = core.Annotation(uri=uri)
    for i, (start, end, label) in enumerate(tracks):
        made[core.Segment(start, end), i] = label
    return made


def test_annotations_by_annotator() -> None:
    found = inspect({"ann": annotation("show", (0, 1.5, "eva"), (1.25, 2, 7)), "bob": annotation("show")})
    assert found.understood == (
        "pyannote annotations; 2 annotators (ann, bob) from the mapping; 1 document from uri; 2 units; category from "
        "labels; decimal positions"
    )
    assert found.corpus is not None
    assert [(u.annotator, u.start, u.end, u.category) for u in found.corpus[0]] == [
        ("ann", 0.0, 1.5, "eva"),
        ("ann", 1.25, 2.0, "7"),
    ]


def test_several_documents_and_timelines() -> None:
    timeline = core.Timeline([core.Segment(0, 1), core.Segment(2, 3)], uri="evening")
    corpus = read({"ann": [annotation("morning", (0, 1, "eva")), timeline], "bob": (annotation("morning"), timeline)})
    assert {c.name: c.annotators for c in corpus} == {"evening": ("ann", "bob"), "morning": ("ann", "bob")}
    assert [(u.start, u.end, u.category) for u in corpus["evening"].units_of("bob")] == [(0, 1, None), (2, 3, None)]
    assert read({"ann": annotation(None, (0, 1, "x"))})[0].name == "data"


def test_refused() -> None:
    with pytest.raises(ParameterError, match="one Annotation of pyannote does not say who the annotators are"):
        read(annotation("show", (0, 1, "eva")))
    with pytest.raises(ParameterError, match="a Segment of pyannote cannot be read"):
        read({"ann": core.Segment(0, 1)})
    (problem,) = inspect({"ann": [annotation("show", (0, 1, "eva")), annotation("show", (2, 3, "eva"))]}).problems
    assert problem.code == "same-annotator"


def test_the_rttm_sample_both_ways(shared: Path) -> None:
    path = shared / "samples" / "rttm" / "ref.rttm"
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    made = annotation("FILE1", *((float(r[3]), float(r[3]) + float(r[4]), r[7]) for r in rows))
    ours, theirs = read(path)[0], read({"rttm": made})[0]
    assert [(u.start, u.category) for u in ours] == [(u.start, u.category) for u in theirs]
    assert [u.end for u in theirs] == pytest.approx([u.end for u in ours], abs=1e-12)
