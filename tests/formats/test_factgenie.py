# SPDX-License-Identifier: MIT
"""factgenie. Oracle: our fixture by hand; the samples walked plainly with json and re."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from marks import covered, marks, seen
from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "factgenie"


def test_fixture() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "factgenie JSON lines; 2 annotators (0, 1) from annotator_group; 2 documents from examples; 4 units; "
        "category from feature type; feature reason; integer positions"
    )
    assert found.corpus is not None
    first, second = "letters_test_model-a_0", "letters_test_model-a_1"
    # "New York" stands at 18 in UTF-16 units, after a smile; a type beyond the names keeps its number.
    assert covered(found.corpus) == [
        (first, "0", "Anna", "Person"),
        (first, "0", "New York", "Place"),
        (first, "1", "Anna 😀", "Person"),
        (second, "1", "Nobody", "5"),
    ]
    assert seen(found.corpus) == {first: ("0", "1"), second: ("0", "1")}
    assert [problem.code for problem in found.problems] == ["utf-16-offsets"]


def test_a_unit_with_a_smile_after_a_smile(tmp_path: Path) -> None:
    """The end is counted from the start in characters, the start in UTF-16 units."""
    row = {"dataset": "d", "split": "s", "setup_id": "m", "example_idx": 0, "annotator_group": 0, "output": "😀 a😀b c"}
    row["annotations"] = [{"type": 0, "text": "a😀b", "start": 3}]
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert covered(read(tmp_path / "a.jsonl")) == [("d_s_m_0", "0", "a😀b", "0")]


@pytest.mark.parametrize("name", ["metadata.json", "line"])
def test_names_of_categories(tmp_path: Path, name: str) -> None:
    described = {"config": {"annotation_span_categories": [{"name": "A"}, {"name": "B"}]}}
    row = {"dataset": "d", "split": "s", "setup_id": "m", "example_idx": 0, "annotator_group": 0}
    row |= {"annotations": [{"type": 1, "text": "x", "start": 0}]}
    if name == "line":
        row["metadata"] = described["config"]
    else:
        (tmp_path / name).write_text(json.dumps(described))
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert marks(read(tmp_path)) == [("d_s_m_0", "0", 0, 1, "B")]


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "factgenie"
    expected = []
    for path in folder.rglob("annotations.jsonl"):
        names = re.findall(r"^- name: (.+)$", (path.parent / "config.yaml").read_text(), re.MULTILINE)
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            document = f"{row['dataset']}_{row['split']}_{row['setup_id']}_{row['example_idx']}"
            who = f"{path.parent.name}-{row['annotator_group']}"
            expected += [
                (document, who, a["start"], a["start"] + len(a["text"]), names[a["type"]]) for a in row["annotations"]
            ]
    # Two campaigns that both have a group 0: refused until told apart.
    assert {problem.code for problem in inspect(folder).problems} == {"same-annotator"}
    corpus = read(folder, annotator_from="field:campaign_group")
    assert sorted(marks(corpus)) == sorted(expected)
    assert (len(expected), len(corpus), len(corpus.annotators)) == (1276 + 25, 12, 30)
    human = read(folder / "human")
    assert (human.n_units, len(human.annotators)) == (1276, 29)
