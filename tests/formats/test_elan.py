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
    assert problem.found == "3: gesture (5 units), phase (2 units), hand (1 unit)"


def test_other_rules() -> None:
    assert read(FIXTURE, annotator_from="field:annotator")[0].annotators == ("Ann", "Bob", "Cem")
    assert read(FIXTURE, document_from="field:media")[0].name == "talk"
    assert read(FIXTURE, layer=["ann_gesture", "bob*"])[0].annotators == ("ann_gesture", "bob_gesture")
    (problem,) = inspect(FIXTURE, layer="dan").problems
    assert problem.code == "unknown-layer"
    (problem,) = inspect(FIXTURE, annotator_from="field:author").problems
    assert str(problem).endswith(
        "the annotator's name; found none for 6 rows; fields here: annotator, hand, linguistic_type, media, "
        "participant, value; say where it is: --annotator-from parent, stem, tier, field:NAME or regex:PATTERN"
    )


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("<ANNOTATION_DOCUMENT", "<OTHER", "malformed"),
        ('TIME_VALUE="100"', 'TIME_VALUE="soon"', "not-a-number"),
        ('TIME_VALUE="100"', 'TIME_VALUE="950"', "end-before-start"),
        ('TIME_SLOT_REF1="ts7"', 'TIME_SLOT_REF1="ts77"', "missing-position"),
        ("?>\n", '?>\n<!DOCTYPE ANNOTATION_DOCUMENT [<!ENTITY a "b">]>\n', "xml-entities"),
    ],
)
def test_refused(tmp_path: Path, old: str, new: str, code: str) -> None:
    text = FIXTURE.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "talk.eaf").write_text(text.replace(old, new, 1), encoding="utf-8")
    assert inspect(tmp_path / "talk.eaf", format="elan").problems[0].code == code


def test_samples_by_count(shared: Path) -> None:
    for name, n_units in (("MaureenMarvinRobin", 4), ("eaf", 292)):
        path = shared / "samples" / "elan_eaf" / f"{name}.eaf"
        text = path.read_text(encoding="utf-8")
        assert read(path).n_units == n_units == len(re.findall("<ALIGNABLE_ANNOTATION ", text))


def test_samples_against_pympi(shared: Path) -> None:
    pympi = pytest.importorskip("pympi")
    for path in sorted((shared / "samples" / "elan_eaf").glob("*.eaf")):
        theirs = pympi.Elan.Eaf(str(path))
        tiers = [name for name in theirs.get_tier_names() if theirs.get_annotation_data_for_tier(name)]
        ours = read(path, annotator_from="tier", layer=tiers)[0]
        for name in tiers:
            rows = sorted((row[0], row[1], row[2].strip() or None) for row in theirs.get_annotation_data_for_tier(name))
            assert sorted((u.start, u.end, u.category) for u in ours.units_of(name)) == rows
