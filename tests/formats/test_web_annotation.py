# SPDX-License-Identifier: MIT
"""W3C web annotations. Oracle: our fixture by hand; the sample walked plainly; the texts it quotes, in length."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from marks import marks
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "web-annotation"
LETTER = "http://example.org/letter"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "W3C web annotations; 2 annotators (Ann, bob) from creator; 1 document from source; 4 units; "
        "category from feature tag; features commenting, pieces; 1 discontinuous unit read as its hull; "
        "integer positions"
    )
    assert found.corpus is not None
    assert marks(found.corpus) == [
        (LETTER, "Ann", 0, 4, "Person"),
        (LETTER, "Ann", 7, 25, "Place"),
        (LETTER, "bob", 0, 6, "Person|Woman"),
        (LETTER, "bob", 29, 33, "Place"),
    ]
    assert [unit.features["commenting"] for unit in found.corpus[LETTER]] == ["the writer", None, None, None]
    (note,) = [problem for problem in found.problems if problem.code == "passed-over"]
    assert note.message.startswith("1 annotation without a position was left out")


def annotation(target: Any, body: Any = "X") -> dict[str, Any]:
    return {"@context": "http://www.w3.org/ns/anno.jsonld", "creator": "a", "body": body, "target": target}


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://e.org/v.mp4#t=1.5,3", ("http://e.org/v.mp4", 1.5, 3.0)),
        ({"source": "v", "selector": {"type": "FragmentSelector", "value": "t=npt:2,4"}}, ("v", 2, 4)),
        ({"id": "d#char=1,2"}, ("d", 1, 2)),
        ({"source": {"id": "d"}, "selector": {"type": "oa:TextPositionSelector", "start": 1, "end": 2}}, ("d", 1, 2)),
    ],
)
def test_positions(tmp_path: Path, target: Any, expected: tuple[str, float, float]) -> None:
    path = tmp_path / "a.jsonld"
    path.write_text(json.dumps(annotation(target)))
    ((document, _, start, end, category),) = marks(read(path))
    assert (document, start, end) == expected
    assert category == "X"


def test_a_collection_and_bodies(tmp_path: Path) -> None:
    body = {"type": "SpecificResource", "purpose": "classifying", "source": "http://e.org/Person"}
    row = annotation("d#char=1,2", body)
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"@context": row["@context"], "type": "Collection", "first": {"items": [row]}}))
    assert marks(read(path)) == [("d", "a", 1, 2, "http://e.org/Person")]


def test_sample(shared: Path) -> None:
    path = shared / "samples" / "w3c_web_annotation" / "derived_multi_annotator.jsonld"
    expected = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        position, quote = row["target"]["selector"]
        assert position["end"] - position["start"] == len(quote["exact"])
        expected.append(
            (row["target"]["source"], row["creator"]["nickname"], position["start"], position["end"],
             row["body"]["value"].strip())
        )  # fmt: skip
    corpus = read(path)
    assert sorted(marks(corpus)) == sorted(expected)
    assert (len(expected), len(corpus), len(corpus.annotators)) == (21, 3, 16)
