# SPDX-License-Identifier: MIT
"""GATE. Oracle: our fixtures by hand; the samples counted by regular expression; XML and bdoc of one document agree."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("name", ["gate-xml", "bdoc"])
def test_fixtures(name: str) -> None:
    found = inspect(FIXTURES / name)
    assert "3 annotators (ann, bob, cem) from tier names; 1 document named after the file" in found.understood
    assert found.corpus is not None
    expected = [
        ("letter", "ann", "Anna", "Person"),
        ("letter", "ann", "New York", "Place"),
        ("letter", "ann", "Rome", "Place"),
        ("letter", "bob", "Anna 😀", "Person"),
    ]
    assert covered(found.corpus) == [unit for unit in expected if name == "gate-xml" or unit[2] != "Rome"]
    # An empty set: seen, nothing marked.
    assert seen(found.corpus) == {"letter": ("ann", "bob", "cem")}
    assert [unit.features["certainty"] for unit in found.corpus["letter"]][:2] == ["low", None]
    if name == "bdoc":
        assert found.corpus["letter"][0].features["parts"] == "[1, 2]"


@pytest.mark.parametrize("name", ["gate-xml", "bdoc"])
def test_the_default_set_on_demand(name: str) -> None:
    assert covered(read(FIXTURES / name, layer="default")) == [("letter", "default", "Anna", "Token")]
    assert read(FIXTURES / name, layer=["ann", "bob"])["letter"].annotators == ("ann", "bob")


def test_documents_with_the_default_set_only(tmp_path: Path) -> None:
    """Then the path tells the annotator, as with any file for each."""
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.xml").write_text(
            '<GateDocument><TextWithNodes><Node id="0"/>ab<Node id="2"/></TextWithNodes><AnnotationSet>'
            '<Annotation Id="1" Type="X" StartNode="0" EndNode="2"/></AnnotationSet></GateDocument>'
        )
    assert marks(read(tmp_path)) == [("d", "ann", 0, 2, "X"), ("d", "bob", 0, 2, "X")]


XML = '<GateDocument><TextWithNodes><Node id="0"/>ab<Node id="2"/></TextWithNodes>{}</GateDocument>'


@pytest.mark.parametrize(
    ("name", "content", "code", "message"),
    [
        ("a.xml", "<GateDocument/>", "malformed", "it has no element <TextWithNodes>"),
        ("a.xml", "<GateDocument>", "malformed", "it is not well-formed XML"),
        (
            "a.xml",
            XML.format('<AnnotationSet><Annotation Type="X" StartNode="0" EndNode="9"/></AnnotationSet>'),
            "missing-position",
            "the annotation's EndNode (9) is not in the text",
        ),
        (
            "a.xml",
            XML.format('<AnnotationSet><Annotation Type="X" StartNode="2" EndNode="0"/></AnnotationSet>'),
            "end-before-start",
            "",
        ),
        ("a.xml", XML.format(""), "no-units", ""),
        ("a.bdocjs", '{"text": 3, "annotation_sets": {}}', "malformed", "no text or no annotation sets"),
        (
            "a.bdocjs",
            '{"text": "ab", "annotation_sets": {"s": {"annotations": [{"start": 0}]}}}',
            "missing-position",
            "start and end are not both whole numbers",
        ),
        (
            "a.bdocjs",
            '{"text": "ab", "annotation_sets": [{"name": "s", "annotations": [{"start": 0, "end": 5}]}]}',
            "outside-extent",
            "",
        ),
    ],
)
def test_refused(tmp_path: Path, name: str, content: str, code: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    problem = inspect(tmp_path / name).problems[0]
    assert problem.code == code
    assert message in str(problem)


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "gate_xml"
    for name, n_all, n_read in (("testdoc1.xml", 7, 5), ("testdocument1.xml", 14, 14)):
        content = (folder / name).read_text(encoding="utf-8")
        assert len(re.findall(r"<Annotation Id=", content)) == n_all
        last = content.rpartition("<AnnotationSet")[2]
        assert read(folder / name).n_units == n_read == len(re.findall(r"<Annotation Id=", last))
    # The tokens of the second document kept their text.
    tokens = read(folder / "testdocument1.xml")
    (continuum,) = tokens
    assert continuum.text is not None
    assert all(
        unit.features["string"] in (None, continuum.text[unit.start : unit.end])  # type: ignore[misc]
        for unit in continuum
    )
    # The first document in both forms, every set of it.
    for layer in ("default", "Set2"):
        assert marks(read(folder / "testdoc1.bdocjs", layer=layer)) == marks(read(folder / "testdoc1.xml", layer=layer))
    sets = json.loads((folder / "testdoc1.bdocjs").read_text())["annotation_sets"]
    assert {name: len(group["annotations"]) for name, group in sets.items()} == {"": 2, "Set2": 5}
    assert read(folder / "testdoc1.bdocjs", layer="*").n_units == 7
