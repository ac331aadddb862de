# SPDX-License-Identifier: MIT
"""Texts that differ between annotators, from files of any format, for text-γ. Oracle: the versions made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unisono import read
from unisono.cli import main
from unisono.errors import CorpusError, FormatError, InputError, ParameterError
from unisono.io import inspect
from unisono.one_text import measure_text
from unisono.text import ReadingOptions, TextVersions, Version
from unisono.text.version_reading import read_versions

TEXTS = {"ann": "Anna sang loud.", "bob": "Anna sang aloud."}
UNITS = {
    "ann": [(0, 4, "Person"), (5, 9, "Verb"), (10, 14, "Manner")],
    "bob": [(0, 4, "Person"), (5, 15, "Verb")],
}


@pytest.fixture
def brat(tmp_path: Path) -> Path:
    """Two annotators, a folder each, who corrected the text of one document and agree on that of another."""
    for annotator, text in TEXTS.items():
        folder = tmp_path / "corrected" / annotator
        folder.mkdir(parents=True)
        (folder / "song.txt").write_text(text)
        lines = [f"T{i}\t{label} {s} {e}\t{text[s:e]}\n" for i, (s, e, label) in enumerate(UNITS[annotator], 1)]
        (folder / "song.ann").write_text("".join(lines))
        (folder / "other.txt").write_text("No song")
        (folder / "other.ann").write_text("T1\tThing 3 7\tsong\n")
    return tmp_path / "corrected"


def by_hand() -> TextVersions:
    return TextVersions.of({name: Version.of(TEXTS[name], UNITS[name]) for name in TEXTS}, name="song")


def test_the_warning_names_the_measure(brat: Path) -> None:
    (warning,) = [problem for problem in inspect(brat).problems if problem.code == "differing-texts"]
    assert "song (ann, bob)" in warning.message
    assert warning.remedy.endswith("The measure text-gamma compares such texts.")


def test_each_annotator_keeps_their_text(brat: Path) -> None:
    versions = read_versions(brat, options=ReadingOptions(document="song"))
    assert versions.annotators == ("ann", "bob")
    assert {name: versions[name].text for name in versions.annotators} == TEXTS
    for name, units in UNITS.items():
        assert [(u.start, u.end, u.features["category"]) for u in versions[name]] == units
    assert versions.sha256 == by_hand().sha256
    assert versions.name == "song"


def test_text_gamma_is_that_of_the_versions(brat: Path) -> None:
    found = measure_text(brat, reading=ReadingOptions(document="song"), seed=1, samples=30)
    wanted = measure_text(by_hand(), seed=1, samples=30)
    assert found["text-gamma"] == wanted["text-gamma"]
    assert found["text-gamma"].value is not None


def test_both_commands_give_the_value_of_the_library_to_the_bit(brat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [str(brat), "--seed", "1", "--samples", "30", "--json"]
    assert main(["text", *options, "--text-format", "units", "--document", "song"]) == 0
    of_text = json.loads(capsys.readouterr().out)
    assert main(["measure", "--measure", "text-gamma", *options]) == 0
    of_measure = json.loads(capsys.readouterr().out)
    wanted = measure_text(by_hand(), seed=1, samples=30).to_dict()
    assert of_text["measures"] == wanted["measures"]
    by_name = {document["name"]: document["measures"] for document in of_measure["documents"]}
    assert by_name["song"] == wanted["documents"][0]["measures"]
    assert of_measure["signature"] == of_text["signature"] == wanted["signature"]


def test_other_formats_do_as_well(brat: Path, tmp_path: Path) -> None:
    """JSON lines of doccano, a file for each annotator; the ending alone would mean something else."""
    folder = tmp_path / "doccano"
    folder.mkdir()
    for name, text in TEXTS.items():
        row = {"id": "song", "text": text, "label": [list(unit) for unit in UNITS[name]]}
        (folder / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    files = [folder / "ann.jsonl", folder / "bob.jsonl"]
    assert read_versions(folder).sha256 == read_versions(files, options=ReadingOptions(format="units")).sha256
    assert read_versions(folder).sha256 == by_hand().sha256


def test_who_marked_nothing_has_a_version_too(brat: Path) -> None:
    (brat / "bob" / "song.ann").write_text("")
    versions = read_versions(brat, options=ReadingOptions(document="song"))
    assert (versions["bob"].text, versions["bob"].n_units) == (TEXTS["bob"], 0)


def refusal(kind: type[InputError], path: Path, **options: object) -> str:
    with pytest.raises(kind) as found:
        read_versions(path, options=ReadingOptions(**options))  # type: ignore[arg-type]
    return str(found.value)


def test_refusals(brat: Path, tmp_path: Path) -> None:
    assert "there are 2 documents (other, song)" in refusal(CorpusError, brat)
    assert "Choose one with document=, for example song" in refusal(CorpusError, brat)
    assert "there is no document named 'x'" in refusal(CorpusError, brat, document="x")
    table = tmp_path / "units.csv"
    table.write_text("annotator,start,end\nann,0,1\nbob,0,1\n")
    assert "there is no text of units for the units of ann" in refusal(FormatError, table)
    assert "parent, stem" in refusal(ParameterError, brat, layout={"annotator_from": "nowhere"})
    (brat / "ann" / "song.ann").write_text("T1\tPerson x 4\tAnna\n")
    assert "song.ann:1" in refusal(FormatError, brat, document="song")
    with pytest.raises(FormatError, match="the base has no text of units"):
        read_versions(brat, base=table, options=ReadingOptions(document="other"))


def test_units_on_two_texts_of_one_annotator(tmp_path: Path) -> None:
    """A text of a document that comes twice from one annotator: which one is meant cannot be told."""
    path = tmp_path / "ann.jsonl"
    rows = [{"id": "d", "text": text, "label": [[0, 4, "P"]]} for text in TEXTS.values()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match="ann has annotated d before"):
        read(path, format="doccano")
