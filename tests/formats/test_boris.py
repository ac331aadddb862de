# SPDX-License-Identifier: MIT
"""BORIS. Oracle: our fixture by hand; the sample's own exports, which BORIS itself has paired."""

from __future__ import annotations

import json
from pathlib import Path

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "boris" / "zoo.boris"


def test_events_of_a_project() -> None:
    apes = read(FIXTURE)[0]
    assert apes.annotators == ("ann 1", "bob 1", "cem 1")
    assert (apes.name, apes.extent.start, apes.extent.end) == ("apes 🦍", 0, 60.6)
    names = ("subject", "modifiers", "comment", "behavioral_category")
    assert [(u.annotator, u.start, u.end, u.category, *(u.features[n] for n in names)) for u in apes] == [
        ("ann 1", 1.5, 4.25, "groom", "kim", None, "end", "social"),
        ("ann 1", 2.0, 2.0, "call", None, "loud", None, None),
        ("ann 1", 2.5, 5.0, "groom", "lee", None, "late", "social"),
        # With the time offset of 0.1 s.
        ("bob 1", 1.5, 4.3, "groom", "kim", None, None, "social"),
    ]
    assert read(FIXTURE, annotator_from="field:observer")[0].annotators == ("ann", "bob", "cem")
    one = read(FIXTURE, annotator_from="parent", document_from="field:observation")
    assert [c.name for c in one] == ["ann 1", "bob 1", "cem 1"]


def test_a_behaviour_nobody_defined(tmp_path: Path) -> None:
    path = tmp_path / "zoo.boris"
    path.write_text(FIXTURE.read_text(encoding="utf-8").replace('"code": "call"', '"code": "yell"'), encoding="utf-8")
    (problem,) = (problem for problem in inspect(path).problems if problem.code == "unknown-behavior")
    assert problem.message == "1 behaviour is not in the ethogram (call)"


def test_exports(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    path.write_text(
        "Observation id,Media file name,Subject,Behavior,Behavior type,Time\n"
        "ann,apes.mp4,kim,groom,START,1.5\nann,apes.mp4,kim,call,POINT,2\nann,apes.mp4,kim,groom,STOP,4.25\n"
        "bob,apes.mp4,kim,groom,START,1\nbob,apes.mp4,kim,groom,STOP,4\n",
        encoding="utf-8",
    )
    apes = read(path)[0]
    assert [(u.annotator, u.start, u.end, u.category) for u in apes] == [
        ("ann", 1.5, 4.25, "groom"),
        ("ann", 2.0, 2.0, "call"),
        ("bob", 1.0, 4.0, "groom"),
    ]
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    assert inspect(path, format="boris").problems[0].code == "malformed"


def test_sample(shared: Path) -> None:
    """One observation was left unpaired by its makers: refused, read without it."""
    folder = shared / "samples" / "boris"
    (problem,) = inspect(folder / "test.boris").problems
    assert (problem.code, "live not paired" in problem.where) == ("missing-position", True)
    corpus = read(folder / "test.boris", skip_invalid=True)
    root = json.loads((folder / "test.boris").read_text(encoding="utf-8"))
    states = {conf["code"] for conf in root["behaviors_conf"].values() if conf["type"] == "State event"}
    for name, observation in root["observations"].items():
        codes = [event[2] for event in observation["events"]]
        n_units = sum(code not in states for code in codes) + sum(code in states for code in codes) // 2
        assert sum(len(c.units_of(name)) for c in corpus if name in c.annotators) == n_units, name
    assert corpus.n_units == 91


def test_sample_against_its_exports(shared: Path) -> None:
    folder = shared / "samples" / "boris"
    corpus = read(folder / "test.boris", skip_invalid=True)
    for name, export, n_units in (
        ("observation #2", "test_export_aggregated_events_test_full_1", 18),
        ("observation #1", "test_export_events_tabular", 4),
    ):
        ours = [u for c in corpus if name in c.annotators for u in c.units_of(name)]
        theirs = list(read(folder / f"{export}.tsv")[0])
        key = [(u.start, u.end, u.category, u.features.get("subject")) for u in ours]
        assert len(theirs) == n_units
        assert sorted(key, key=repr) == sorted(
            ((u.start, u.end, u.category, u.features.get("subject")) for u in theirs), key=repr
        )
