# SPDX-License-Identifier: MIT
"""Corpora that are hard to write. Oracle: what is read back, or what the writer says it could not keep."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import unisono
from unisono.io.writers import lanes
from unisono.model import Continuum, Corpus, Unit


def corpus(
    *names: str, text: str | None = None, extent: tuple[int, int] | None = None, **features: str
) -> unisono.Corpus:
    units = {"ann": [Unit(0, 4, "P", features=features)], "bob": [Unit(0, 4, "P")]}
    return Corpus(tuple(Continuum.of(units, name=name, text=text, extent=extent) for name in names))


def messages(problems: tuple[unisono.Problem, ...]) -> list[str]:
    return [problem.message for problem in problems]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_a_feature_named_as_a_column_of_the_table(tmp_path: Path, ending: str) -> None:
    """A second `start` would take the place of the first."""
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    written = corpus("d", start="soon", document="other", start_feature="x")
    said = messages(unisono.write(written, tmp_path / f"a.{ending}"))
    assert said == [
        "the feature document is written as the column document_feature: the table already has a column of that name",
        "the feature start is written as the column start_feature_: the table already has a column of that name",
    ]
    [continuum] = unisono.read(tmp_path / f"a.{ending}")
    assert (continuum.name, continuum.annotators) == ("d", ("ann", "bob"))
    unit = continuum[0]
    assert (unit.start, unit.end) == (0, 4)
    wanted = {"document_feature": "other", "start_feature": "x", "start_feature_": "soon"}
    assert dict(unit.features) == wanted


@pytest.mark.parametrize("format", ["elan", "textgrid", "rttm", "pygamma"])
def test_a_text_that_a_format_has_no_place_for(tmp_path: Path, format: str) -> None:
    said = messages(unisono.write(corpus("d", text="Anna sings"), tmp_path / "out", format=format))
    assert f"1 text was left out: {format} cannot hold it" in said


@pytest.mark.parametrize("format", ["elan", "rttm", "pygamma", "brat", "glozz"])
def test_an_extent_that_a_format_has_no_place_for(tmp_path: Path, format: str) -> None:
    said = messages(unisono.write(corpus("d", extent=(0, 99)), tmp_path / "out", format=format))
    assert f"1 extent was left out: {format} cannot hold it" in said


@pytest.mark.parametrize("format", ["csv", "brat", "rttm", "json"])
def test_texts_that_the_annotators_changed(tmp_path: Path, format: str) -> None:
    """Only JSON has a place for them. Three annotators, no text of the document: three texts are lost."""
    for annotator, word in (("ann", "so"), ("bob", "soo"), ("cem", "so")):
        (tmp_path / annotator).mkdir()
        (tmp_path / annotator / "d.tsv").write_text(f"form\tpos\n{word}\tADV\nla\tX\n")
    versions = unisono.read([tmp_path / annotator for annotator in ("ann", "bob", "cem")])
    said = messages(unisono.write(versions, tmp_path / "out", format=format))
    lost = [f"3 texts of single annotators were left out: {format} cannot hold them"]
    assert [message for message in said if "single annotators" in message] == ([] if format == "json" else lost)


def test_texts_do_not_go_with_scaled_positions(tmp_path: Path) -> None:
    said = messages(unisono.write(corpus("d", text="Anna sings"), tmp_path / "a.csv", scale=1000))
    assert said[0] == "1 text was left out: scaled positions no longer count characters"


def test_control_characters_in_the_names_of_tiers(tmp_path: Path) -> None:
    units = {"a\x01b": [Unit(0, 4, "P", features={"f\x02": "x"})], "bob": [Unit(0, 4, "P")]}
    said = messages(unisono.write(Corpus((Continuum.of(units, name="d"),)), tmp_path / "a.eaf"))
    assert [message.partition(" ")[2] for message in said] == [
        "characters that XML does not allow were left out: elan cannot hold them"
    ]
    assert unisono.read(tmp_path / "a.eaf", annotator_from="tier").annotators == ("ab", "bob")


def test_tiers_that_would_have_the_same_name(tmp_path: Path) -> None:
    """An annotator named as the second tier of another one."""
    units = {"a": [Unit(0, 4, "P"), Unit(2, 6, "Q")], "a#2": [Unit(0, 4, "P")]}
    said = messages(unisono.write(Corpus((Continuum.of(units, name="d"),)), tmp_path / "a.eaf"))
    assert said[-1] == "two tiers would be named 'a#2'; one of them is written as a#2_"
    read = unisono.read(tmp_path / "a.eaf", annotator_from="tier")
    assert read.annotators == ("a", "a#2", "a#2_")
    assert read.n_units == 3


def test_documents_of_rttm_keep_names_of_their_own(tmp_path: Path) -> None:
    said = messages(unisono.write(corpus("a b", "a_b", "a  b"), tmp_path / "out", format="rttm"))
    assert [message for message in said if "blanks" in message] == [
        "RTTM allows no blanks in names of documents; 'a b' is written as a_b_",
        "RTTM allows no blanks in names of documents; 'a  b' is written as a_b__",
    ]
    assert sorted(continuum.name for continuum in unisono.read(tmp_path / "out")) == ["a_b", "a_b_", "a_b__"]


def test_names_of_files_that_some_system_does_not_tell_apart(tmp_path: Path) -> None:
    names = ("Talk", "talk", "caf\u00e9", "cafe\u0301", "con.x")
    said = messages(unisono.write(corpus(*names), tmp_path / "out", format="brat"))
    assert "some systems do not tell the name 'talk' from another one; it is written as talk_" in said
    found = [path.stem for path in (tmp_path / "out" / "ann").glob("*.ann")]
    assert sorted(found) == sorted(["Talk", "talk_", "caf\u00e9", "cafe\u0301_", "con.x%"])


def test_the_table_of_documents_is_named_after_its_table(tmp_path: Path) -> None:
    for name in ("set.train.csv", "set.test.csv"):
        unisono.write(corpus(name, text="Anna sings"), tmp_path / name)
    for name in ("set.train", "set.test"):
        with (tmp_path / f"{name}.documents.csv").open(encoding="utf-8") as file:
            assert [row["document"] for row in csv.DictReader(file)] == [f"{name}.csv"]


def test_lanes_are_the_first_that_are_free() -> None:
    """Oracle: every lane looked at in turn, on random units."""
    import numpy as np

    draw = np.random.default_rng(1)
    for _ in range(50):
        starts = np.sort(draw.integers(0, 40, 30))
        ends = starts + draw.integers(0, 12, 30)
        last: list[int] = []
        wanted = []
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
            lane = next((i for i, until in enumerate(last) if until <= start), len(last))
            last[lane : lane + 1] = [end]
            wanted.append(lane)
        assert lanes(starts, ends) == wanted


@pytest.mark.parametrize("format", ["glozz", "webanno-tsv"])
def test_a_long_text_that_is_not_ascii(tmp_path: Path, format: str) -> None:
    """Written in a moment; for ever where each position looks at the whole text."""
    text = "été 😀 soir. \n" * 12_000
    starts = range(0, len(text), 13)
    units = {name: [Unit(start, start + 3, "P") for start in starts] for name in ("ann", "bob")}
    unisono.write(Corpus((Continuum.of(units, name="d", text=text),)), tmp_path / "out", format=format)
    [read] = unisono.read(tmp_path / "out", **({"layer": "Unit"} if format == "webanno-tsv" else {}))
    assert read.starts.tolist() == [*starts, *starts]
