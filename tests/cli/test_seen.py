# SPDX-License-Identifier: MIT
"""Numbers that were quietly wrong, each as a command. Oracle: what is right, by hand or from the sample itself.

| seen | tested in |
|---|---|
| a category, or documents, in columns of unknown names | here; tests/unit/io/test_questions.py |
| TextGrids whose tiers are the speakers | tests/cli/test_layouts.py, tests/unit/io/test_messy_inputs.py |
| an annotator who opened one document and marked nothing | here; tests/cli/test_layouts.py |
| a documents interval of minus millions | here; tests/unit/test_intervals_attached.py |
| γk of a category with few units | here; tests/unit/test_intervals_attached.py |
| computation error taken for uncertainty; intervals of γk | here |
| 33 annotators, a limit reached; a busy machine | tests/oracles/test_effort.py |
| milliseconds on the viewer's axis | here; tests/unit/io/test_positions.py |
| a prediction that is not mentioned | tests/formats/test_predictions.py |
| a value over 1 of many documents | here; tests/unit/test_cautions.py |
| "1,000" as a position; seconds and milliseconds | here; tests/unit/io/test_positions.py, test_numbers.py |
| CR-only line ends | tests/formats/test_line_ends.py |
| `--measure` twice | here; tests/cli/test_measure.py |
| settings beyond all bounds | tests/cli/test_bounds.py |
| ELAN annotations at a wrong place | tests/formats/test_elan.py |
| worst documents and unitary alignments | tests/unit/report/test_ranking.py, tests/cli/test_align.py |
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

LABELS = ("PER", "LOC", "ORG", "MISC", "DATE", "TIME")


def words(text: str) -> str:
    return " ".join(text.split())


def table(path: Path, header: str, *, documents: tuple[str, ...] = (), separator: str = ",") -> Path:
    """Two annotators at the same places, who never give the same label."""
    rows = [
        separator.join(filter(None, (who, str(20 * i), str(20 * i + 9), LABELS[(i + shift) % 6], document)))
        for document in documents or ("",)
        for shift, who in enumerate(("ann", "bob"))
        for i in range(8)
    ]
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_a_category_in_a_column_of_an_unknown_name(run, tmp_path: Path) -> None:
    """Printed γ = 1.000: the labels were a feature."""
    path = table(tmp_path / "ner.csv", "annotator,start,end,ner_label")
    code, out, err = run("measure", path, "--seed", "1")
    assert (code, out) == (1, "")
    assert "--category-column ner_label" in words(err)
    assert "--no-category" in words(err)
    code, out, _ = run("measure", path, "--seed", "1", "--category-column", "ner_label", "--json")
    assert code == 0
    assert json.loads(out)["measures"]["gamma"]["value"] < 0.3
    code, out, _ = run("measure", path, "--seed", "1", "--no-category")
    assert (code, "γ = 1.000" in out, "no category" in words(out).lower()) == (0, True, True)


def test_a_german_header(run, tmp_path: Path) -> None:
    """Printed γ = 1.000 with both documents merged into one."""
    path = table(tmp_path / "t.csv", "Wer;Anfang;Ende;Kategorie;Dokument", documents=("d1", "d2"), separator=";")
    options = ("--annotator-column", "Wer", "--start-column", "Anfang", "--end-column", "Ende", "--seed", "1", "--json")
    code, out, _ = run("measure", path, *options)
    result = json.loads(out)
    assert (code, result["data"]["documents"]) == (0, 2)
    assert result["measures"]["gamma"]["value"] < 0.3


def test_an_annotator_who_marked_nothing(run, shared: Path) -> None:
    """INCEpTION export: 0.66 with an annotator who opened one document, 0.76 without."""
    path = shared / "samples/inception_project_export"
    code, out, err = run("measure", path, "--seed", "1", "--samples", "30", "--json")
    assert code == 0
    assert json.loads(out)["measures"]["gamma"]["value"] == pytest.approx(0.655, abs=0.02)
    assert "zesch has no unit in the whole corpus" in words(err)
    code, out, _ = run("measure", path, "--seed", "1", "--samples", "30", "--exclude-annotators", "zesch", "--json")
    assert code == 0
    assert json.loads(out)["measures"]["gamma"]["value"] == pytest.approx(0.76, abs=0.01)


def test_few_documents_of_which_most_are_perfect(run, shared: Path) -> None:
    """Glozz: the interval over documents was -5,210,498.9 to 1.000."""
    code, out, _ = run("measure", shared / "samples/glozz", "--seed", "1", "--samples", "10", "--json")
    value = json.loads(out)["measures"]["gamma"]
    assert (code, value["documents_measured"]) == (0, 5)
    (interval,) = [each for each in value["intervals"] if each["kind"] == "documents"]
    assert 0 < interval["low"] <= value["value"] <= interval["high"] <= 1


def one_document(folder: Path) -> Path:
    """31 units on one document, 5 of them of a rare category."""
    path = folder / "one.csv"
    rows = [f"ann,{20 * i},{20 * i + 9},{'rare' if i % 7 == 3 else 'usual'}" for i in range(16)]
    rows += [f"bob,{20 * i + i % 3},{20 * i + 9},{'rare' if i % 7 == 4 else 'usual'}" for i in range(15)]
    path.write_text("annotator,start,end,label\n" + "\n".join(rows) + "\n")
    return path


def test_the_number_of_samples_is_no_uncertainty(run, tmp_path: Path) -> None:
    """One document of 31 units: "95 % interval 0.678 to 0.681"; γk of a few units: -791,212 to 0.001."""
    report = tmp_path / "page.html"
    options = ("--measure", "gamma", "--measure", "gamma-k", "--seed", "1", "--report", report)
    code, out, _ = run("measure", one_document(tmp_path), *options)
    assert code == 0
    assert "computation error" in out
    assert "95 %" not in out
    assert "ncertainty unknown" in words(out)
    page = words(report.read_text())
    assert "what the number of random continua leaves open" not in page
    assert "ncertainty unknown" in page


def test_each_measure_that_is_asked_for(run, tmp_path: Path) -> None:
    """`--measure gamma --measure gamma-cat` gave only γcat."""
    options = ("--measure", "gamma", "--measure", "gamma-cat", "--seed", "1", "--json")
    code, out, _ = run("measure", one_document(tmp_path), *options)
    assert (code, list(json.loads(out)["measures"])) == (0, ["gamma", "gamma-cat"])


def test_a_comma_in_a_number(run, tmp_path: Path) -> None:
    """The advice was to write 1.000, which is one."""
    path = tmp_path / "t.csv"
    path.write_text('annotator,start,end,label\nann,"1,000","1,200",x\nbob,"1,000","1,300",x\n')
    code, out, err = run("measure", path)
    assert (code, out) == (1, "")
    assert "may be 1000 or 1" in words(err)
    assert "--thousands ," in words(err)
    code, out, _ = run("measure", path, "--thousands", ",", "--seed", "1", "--json")
    assert code == 0


def test_seconds_and_milliseconds(run, tmp_path: Path) -> None:
    """Nothing was said about annotators on different scales."""
    path = tmp_path / "t.csv"
    rows = [f"ann,{i}.5,{i}.9,x" for i in range(9)] + [f"bob,{i}500,{i}900,x" for i in range(1, 9)]
    path.write_text("annotator,start,end,label\n" + "\n".join(rows) + "\n")
    _, _, err = run("measure", path, "--seed", "1", "--samples", "10")
    assert "the positions of bob are about 1,000 times those of ann" in words(err)


def test_little_measured_is_said_before_the_table(run, tmp_path: Path) -> None:
    """A value over 1 of 60 documents had no warning, and 60 lines of reasons."""
    path = tmp_path / "t.csv"
    rows = [f"d{i},{who},0,9,x" for i in range(60) for who in (("ann", "bob") if i == 0 else ("ann",))]
    path.write_text("document,annotator,start,end,label\n" + "\n".join(rows) + "\n")
    code, out, err = run("measure", path, "--seed", "1", "--samples", "10")
    assert code == 0
    assert "1 of 60 documents. Not measured: 59 (needs at least two annotators)" in words(err + out)
    assert (err + out).count("needs at least two annotators") < 4
