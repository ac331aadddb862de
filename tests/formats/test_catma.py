# SPDX-License-Identifier: MIT
"""CATMA. Oracle: our fixture by hand; the sample project walked plainly with json."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

from marks import covered, marks
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "catma"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "2 files, CATMA annotations; 2 annotators (ann, bob) from author; 1 document from source documents; 4 units; "
        "category from feature tag; features certainty, pieces; 1 discontinuous unit read as its hull; "
        "integer positions"
    )
    assert found.corpus is not None
    # Positions are UTF-16 units after the smile; stretches that touch are one.
    assert covered(found.corpus) == [
        ("D_1", "ann", "Anna", "Person"),
        ("D_1", "ann", "went from New York", "Place"),
        ("D_1", "ann", "Rome", "Place"),
        ("D_1", "bob", "Anna 😀", "Person"),
    ]
    features = [dict(unit.features) for unit in found.corpus["D_1"]]
    assert [f["certainty"] for f in features] == ["low", None, None, "high|sure"]
    assert [f["pieces"] for f in features] == [None, "7-11 17-25", None, None]


def test_collections_as_annotators() -> None:
    assert read(FIXTURE, annotator_from="field:collection").annotators == ("first ann", "first bob")


def test_an_archive_is_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "project.zip", "w") as archive:
        for path in FIXTURE.rglob("*"):
            archive.write(path, path.relative_to(FIXTURE))
    assert covered(read(tmp_path / "project.zip")) == covered(read(FIXTURE))


def test_annotations_alone(tmp_path: Path) -> None:
    """Without tag sets and texts: the tags' identifiers, and no text."""
    for path in FIXTURE.rglob("annotations/*.json"):
        shutil.copy(path, tmp_path / path.name)
    corpus = read(tmp_path)
    assert {mark[4] for mark in marks(corpus)} == {"TAG_1", "TAG_2"}
    assert corpus["D_1"].text is None


def test_no_path_of_a_tag_leads_out(tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(FIXTURE / "project", project)
    (tmp_path / "propertydefs.json").write_text('{"name": "secret"}')
    path = next(project.rglob("ann_0.json"))
    whole = path.read_text(encoding="utf-8")
    for name in ("../..", "T_1/../../..", f"T_1/{'A' * 300}"):
        path.write_text(whole.replace("T_1/TAG_1", name), encoding="utf-8")
        assert {mark[4] for mark in marks(read(project))} == {name.rpartition("/")[2], "Person", "Place"}
    path.write_text(whole.replace('"D_1"', f'"{"D" * 300}"'), encoding="utf-8")
    assert read(project)["D" * 300].text is None


def test_sample(shared: Path) -> None:
    (project,) = (shared / "samples" / "catma").iterdir()
    names = {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))["name"]
        for path in project.rglob("propertydefs.json")
    }
    expected = []
    n_pieces = 0
    for path in project.rglob("annotations/*.json"):
        for annotation in json.loads(path.read_text(encoding="utf-8")):
            selectors = [item["selector"] for item in annotation["target"]["items"]]
            start, end = min(s["start"] for s in selectors), max(s["end"] for s in selectors)
            tag = names[annotation["body"]["tag"].rpartition("/")[2]]
            expected.append((path.stem.partition("_")[0], start, end, tag))
            n_pieces += len(selectors)
    corpus = read(project)
    assert sorted(mark[1:] for mark in marks(corpus)) == sorted(expected)
    assert (len(expected), n_pieces) == (39, 64)
    (continuum,) = corpus
    (text,) = project.rglob("*.txt")
    assert continuum.text == text.read_bytes().decode()
