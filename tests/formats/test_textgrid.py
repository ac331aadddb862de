# SPDX-License-Identifier: MIT
"""Praat TextGrids. Oracle: our fixture by hand; the samples against praatio, and against each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.io import inspect, read
from unisono.io.writers import write
from unisono.model import Continuum, Corpus

FIXTURE = Path(__file__).parent / "fixtures" / "textgrid" / "talk.TextGrid"
SAMPLES = {
    "MaureenMarvinRobin": 4, "bobby_phones": 13, "bobby_words": 5, "bobby_words_with_newlines": 9,
    "bobby_words_with_newlines_longfile": 9, "mary": 22, "mary_longfile_with_negative_zero": 22,
    "mary_with_constrained_tier_times": 22, "textgrid/raw/example": 5, "textgrid2/raw/example": 5,
}  # fmt: skip


def units(continuum: Continuum) -> list[tuple[object, ...]]:
    return [(u.annotator, u.start, u.end, u.category) for u in continuum]


def test_a_tier_for_each_annotator() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "Praat TextGrid; 4 annotators (ann_gesture, bob_gesture, cem_gesture, dan_gesture) from tier names; 1 document "
        "named after the file; 5 units; category from the intervals' texts; decimal positions"
    )
    assert found.corpus is not None
    talk = found.corpus[0]
    assert (talk.name, talk.extent.start, talk.extent.end) == ("talk", 0, 4.5)
    assert units(talk) == [
        # Quotation marks are doubled in the file; intervals without text, or with a blank, are gaps.
        ("ann_gesture", 0.5, 1.25, 'points "there" 🙂'),
        ("ann_gesture", 3.0, 4.5, "wave\nboth hands"),
        ("bob_gesture", 0.625, 1.5, "wave"),
        # Points are units without length, also those without a mark.
        ("dan_gesture", 0.75, 0.75, "wave"),
        ("dan_gesture", 2.0, 2.0, None),
    ]
    assert read(FIXTURE, tier_pattern="(?P<annotator>[^_]+)_(?P<layer>.+)")[0].annotators == (
        "ann",
        "bob",
        "cem",
        "dan",
    )


def short(text: str) -> str:
    """The short form: values only, a line each. Comments and flags stay."""
    text = re.sub(r"^ *(?:item|intervals|points) ?\[\d*\]: *\n", "", text, flags=re.MULTILINE)
    return re.sub(r"^ *(?!File|Object)[a-z:? ]+(?: =)? (?=[\d\"<])", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_forms_and_encodings(tmp_path: Path, encoding: str, line_end: str) -> None:
    text = FIXTURE.read_text(encoding="utf-8")
    assert "xmin" not in short(text)
    for name, form in (("long", text), ("short", short(text)), ("noted", text.replace("xmax", '! 7 "no" 8\nxmax', 1))):
        path = tmp_path / f"{name}.TextGrid"
        path.write_bytes(form.replace("\n", line_end).encode(encoding))
        assert units(read(path)[0]) == units(read(FIXTURE)[0]), name


def test_tiers_of_the_same_name(tmp_path: Path) -> None:
    path = tmp_path / "talk.TextGrid"
    path.write_text(FIXTURE.read_text(encoding="utf-8").replace("bob_gesture", "ann_gesture"), encoding="utf-8")
    found = inspect(path)
    assert found.corpus is not None
    assert found.corpus[0].annotators == ("ann_gesture", "cem_gesture", "dan_gesture")
    assert [u.start for u in found.corpus[0].units_of("ann_gesture")] == [0.5, 0.625, 3.0]
    assert str(found.problems[0]) == (
        f"{path}: several tiers are named 'ann_gesture'; they are read as one tier. "
        "Rename them if they belong to different annotators."
    )


def test_there_and_back(tmp_path: Path) -> None:
    """The writer puts overlapping units, and points, on further tiers of the same name."""
    corpus = Corpus((
        Continuum.of(
            {"ann": [(0.1, 0.7, "a"), (0.5, 0.9, 'b "c"\nd'), (0.6, 0.6, "p")], "bob": [], "eva": [(1, 2.25, "a")]},
            name="talk",
            extent=(0, 3.5),
        ),
    ))  # fmt: skip
    write(corpus, tmp_path / "talk.TextGrid")
    again = read(tmp_path / "talk.TextGrid", annotator_from="tier")
    assert units(again[0]) == units(corpus[0])
    assert again[0].annotators == corpus[0].annotators
    assert (again[0].extent.start, again[0].extent.end) == (0, 3.5)


@pytest.mark.parametrize("data", [b"ooBinaryFile\x08TextGrid\0\0", b'"Praat chronological TextGrid text file"\n0 1\n'])
def test_other_forms_of_praat(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "talk.TextGrid"
    path.write_bytes(data)
    (problem,) = inspect(path).problems
    assert problem.code == "malformed"
    assert problem.remedy == "Open it in Praat and choose Save as text file."


def test_samples_by_count(shared: Path) -> None:
    folder = shared / "samples" / "praat_textgrid"
    assert sorted(SAMPLES) == sorted(str(p.relative_to(folder).with_suffix("")) for p in folder.rglob("*.TextGrid"))
    for name, n_units in SAMPLES.items():
        assert read(folder / f"{name}.TextGrid", annotator_from="tier").n_units == n_units


def test_the_same_grid_in_other_clothes(shared: Path) -> None:
    """UTF-16 and long against UTF-8 and short."""
    folder = shared / "samples" / "praat_textgrid"
    for one, other in (
        ("mary", "mary_longfile_with_negative_zero"),
        ("mary", "mary_with_constrained_tier_times"),
    ):
        grids = [read(folder / f"{name}.TextGrid", annotator_from="tier")[0] for name in (one, other)]
        assert units(grids[0]) == units(grids[1])


def test_samples_against_praatio(shared: Path) -> None:
    textgrid = pytest.importorskip("praatio.textgrid")
    for name in SAMPLES:
        path = shared / "samples" / "praat_textgrid" / f"{name}.TextGrid"
        theirs = textgrid.openTextgrid(str(path), includeEmptyIntervals=False, duplicateNamesMode="rename")
        ours = read(path, annotator_from="tier")[0]
        assert len(theirs.tierNames) == len(ours.annotators)
        rows = [
            (e.start, e.end, e.label.strip() or None) if len(e) == 3 else (e.time, e.time, e.label.strip() or None)
            for tier in theirs.tiers
            for e in tier.entries
        ]
        assert sorted(rows, key=repr) == sorted(((u.start, u.end, u.category) for u in ours), key=repr)


def test_two_sets_of_one_recording(shared: Path) -> None:
    """Files of one name in two folders, each with several tiers: a question until the layout says more."""
    folder = shared / "samples" / "praat_textgrid"
    both = [folder / "textgrid", folder / "textgrid2"]
    assert {problem.code for problem in inspect(both).problems} == {"question-annotators"}
    corpus = read(both, annotator_from=r"regex:(textgrid\d?)/raw", layer="C*")
    assert corpus[0].annotators == ("textgrid", "textgrid2")
