# SPDX-License-Identifier: MIT
"""Lists of units in cells, and percent-encoded names. Oracle: the same units as rows, the same names plainly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unisono.errors import FormatError
from unisono.io import inspect, read

PLAIN = """\
document,annotator,start,end,category
d1,ann,0,5,PER
d1,ann,9,12,LOC
d1,bob,0,5,PER
d2,ann,,,
d2,bob,3,4,LOC
"""
UNITS = {
    ("d1", "ann"): [(0, 5, "PER"), (9, 12, "LOC")],
    ("d1", "bob"): [(0, 5, "PER")],
    ("d2", "ann"): [],
    ("d2", "bob"): [(3, 4, "LOC")],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


@pytest.mark.parametrize("kind", ["objects", "lists", "label first", "python", "durations"])
def test_lists_of_units_in_cells(kind: str) -> None:
    lines = ["document,annotator,spans"]
    for (document, annotator), units in UNITS.items():
        objects = [{"start": s, "end": e, "label": c} for s, e, c in units]
        cell = {
            "objects": json.dumps(objects),
            "lists": json.dumps(units),
            "label first": json.dumps([(c, s, e) for s, e, c in units]),
            "python": repr(objects),
            "durations": json.dumps([{"start": s, "length": e - s, "type": c} for s, e, c in units]),
        }[kind]
        lines.append(f"{document},{annotator},{quoted(cell)}")
    Path("a.csv").write_text("\n".join(lines))
    Path("plain.csv").write_text(PLAIN)
    assert read("a.csv") == read("plain.csv")
    assert "span-cells" in [problem.code for problem in inspect("a.csv").problems]


def test_sets_of_labels_and_further_keys() -> None:
    cell = quoted(json.dumps([{"start": 0, "end": 4, "text": "Anna", "labels": ["PER", "F"]}]))
    Path("a.csv").write_text(f"document,annotator,text,label\nd,ann,Anna sang,{cell}\nd,bob,Anna sang,{cell}\n")
    unit = read("a.csv")[0][0]
    assert (unit.category, unit.features["label_text"], unit.features["text"]) == ("PER|F", "Anna", "Anna sang")


def test_a_cell_that_is_no_list_is_refused() -> None:
    cells = ['[[0, 5, "PER"]]', '[[1, 5, "PER"]]', '[[0, 5, "PER"']
    rows = [f"d,{name},{quoted(cell)}" for name, cell in zip("abc", cells, strict=True)]
    Path("a.csv").write_text("\n".join(["document,annotator,spans", *rows]))
    with pytest.raises(FormatError, match=r"a.csv:4: .* in column spans is not a list of units"):
        read("a.csv")


def test_lists_of_units_in_a_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        [{"document": d, "annotator": a, "spans": [list(unit) for unit in units]} for (d, a), units in UNITS.items()]
    )
    Path("plain.csv").write_text(PLAIN)
    assert read(frame) == read("plain.csv")


def test_percent_encoded_names_are_matched() -> None:
    Path("a.csv").write_text("document,annotator,start,end,category\nmy talk,ann,0,5,X\nmy%20talk,bob,0,5,X\n")
    Path("about.csv").write_text("document,end\nmy%20talk,100\n")
    Path("seen.csv").write_text("document,annotator\nmy%20talk,ann\nmy talk,cem\nmy talk,bob\n")
    corpus = read("a.csv", documents="about.csv", participation="seen.csv")
    assert [(document.name, document.annotators) for document in corpus] == [("my talk", ("ann", "bob", "cem"))]
    assert corpus[0].extent is not None
    assert corpus[0].extent.end == 100
    notes = [str(problem) for problem in corpus.problems if problem.code == "percent-encoded"]
    assert notes == ["1 percent-encoded name of documents was matched: 'my%20talk' with 'my talk'."]


def test_a_percent_sign_alone_changes_nothing() -> None:
    Path("a.csv").write_text("document,annotator,start,end,category\n50%20,ann,0,5,X\n50%20,bob,0,5,X\n")
    assert [document.name for document in read("a.csv")] == ["50%20"]
