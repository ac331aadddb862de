# SPDX-License-Identifier: MIT
"""ELAN. Oracle: our fixture by hand; the samples against pympi-ling, or counted by a regular expression."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "elan" / "talk.eaf"


def test_a_tier_for_each_annotator() -> None:
    found = inspect(FIXTURE)
    assert found.understood == (
        "ELAN; 3 annotators (ann_gesture, bob_gesture, cem_gesture) from tier names; 1 document named after the file; "
        "5 units; category from the annotations' values; feature hand; integer positions"
    )
    assert found.corpus is not None
    assert [(u.annotator, u.start, u.end, u.category, u.features["hand"]) for u in found.corpus[0]] == [
        ("ann_gesture", 100, 900, "point", "left"),
        # Slots without times lie evenly between those that have one.
        ("ann_gesture", 1000, 1200, "wave", None),
        ("ann_gesture", 1200, 1400, "wave", None),
        ("ann_gesture", 1400, 1600, None, None),
        ("bob_gesture", 150, 880, "point", None),
    ]


def test_tier_names_taken_apart() -> None:
    corpus = read(FIXTURE, tier_pattern="(?P<annotator>[^_]+)_(?P<layer>.+)", layer="gesture")
    assert corpus[0].annotators == ("ann", "bob", "cem")
    phases = read(FIXTURE, tier_pattern="(?P<annotator>[^_]+)_(?P<layer>.+)", layer="phase")[0]
    # Parts of a subdivision share their parent's time, in the order of their links.
    assert [(u.start, u.end, u.category) for u in phases] == [(100, 500, "stroke"), (500, 900, "hold")]
    (problem,) = inspect(FIXTURE, tier_pattern="(?P<annotator>[^_]+)_(?P<layer>.+)").problems
    assert problem.code == "which-layer"
    assert problem.message == "there are units on 3 layers: gesture (5 units), phase (2 units), hand (1 unit)"


def test_other_rules() -> None:
    assert read(FIXTURE, annotator_from="field:annotator")[0].annotators == ("Ann", "Bob", "Cem")
    assert read(FIXTURE, document_from="field:media")[0].name == "talk"
    assert read(FIXTURE, layer=["ann_gesture", "bob*"])[0].annotators == ("ann_gesture", "bob_gesture")
    (problem,) = inspect(FIXTURE, layer="dan").problems
    assert problem.code == "unknown-layer"
    (problem,) = inspect(FIXTURE, annotator_from="field:author").problems
    assert problem.code == "missing-annotator"
    assert "field:NAME (fields here: annotator, hand, linguistic_type, media, participant, value)" in (problem.remedy)


def test_samples_by_count(shared: Path) -> None:
    for name, n_units in (("MaureenMarvinRobin", 4), ("eaf", 292)):
        path = shared / "samples" / "elan_eaf" / f"{name}.eaf"
        text = path.read_text(encoding="utf-8")
        assert read(path, annotator_from="tier").n_units == n_units == len(re.findall("<ALIGNABLE_ANNOTATION ", text))


def test_samples_against_pympi(shared: Path) -> None:
    pympi = pytest.importorskip("pympi")
    for path in sorted((shared / "samples" / "elan_eaf").glob("*.eaf")):
        theirs = pympi.Elan.Eaf(str(path))
        tiers = [name for name in theirs.get_tier_names() if theirs.get_annotation_data_for_tier(name)]
        ours = read(path, annotator_from="tier", layer=tiers)[0]
        for name in tiers:
            rows = sorted((row[0], row[1], row[2].strip() or None) for row in theirs.get_annotation_data_for_tier(name))
            assert sorted((u.start, u.end, u.category) for u in ours.units_of(name)) == rows


def test_annotations_at_a_wrong_place(tmp_path: Path) -> None:
    """Outside of the tiers, or not inside an ANNOTATION: ELAN itself does not read them."""
    text = FIXTURE.read_text(encoding="utf-8")
    stray = (
        '<ALIGNABLE_ANNOTATION ANNOTATION_ID="a99" TIME_SLOT_REF1="ts1" TIME_SLOT_REF2="ts2">'
        "<ANNOTATION_VALUE>x</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION>"
    )
    for number, (wrong, place) in enumerate({
        text.replace("</TIER>", f"{stray}</TIER>", 1): "ANNOTATION_DOCUMENT/TIER",
        text.replace("<TIER ", f"<ANNOTATION>{stray}</ANNOTATION><TIER ", 1): "ANNOTATION_DOCUMENT/ANNOTATION",
    }.items()):  # fmt: skip
        path = tmp_path / f"talk{number}.eaf"
        path.write_text(wrong, encoding="utf-8")
        (problem,) = inspect(path).problems
        assert problem.code == "misplaced"
        assert problem.message == f"the annotation a99 stands at {place}, where ELAN does not read it"
        assert problem.where.startswith(f"{path}:")
        assert read(path, skip_invalid=True).n_units == read(FIXTURE).n_units
