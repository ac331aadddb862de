# SPDX-License-Identifier: MIT
"""TEI. Oracle: our fixture by hand; the samples by their elements, their texts, and the same units in columns."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from unisono.io import inspect, read

FIXTURE = Path(__file__).parent / "fixtures" / "tei"
NAMESPACE = "{http://www.tei-c.org/ns/1.0}"


def test_units_in_the_text() -> None:
    letter = read(FIXTURE)[0]
    # Indentation and line ends are the same blank; a comment is nothing.
    assert letter.text == "To Eva 🙂\nI miss your voice in Rome. So long!\n"
    assert [(u.annotator, letter.text[u.start : u.end], u.category, u.features["pieces"]) for u in letter] == [
        ("ann", "miss your voice", "feeling", "11-15 21-26"),
        ("ann", "Rome", "place", None),
        ("bob", "miss your voice", "feeling", None),
    ]
    (hi,) = read(FIXTURE, layer="hi")[0]
    assert letter.text[hi.start : hi.end] == "long"
    # Whoever has none of a layer has still seen the text.
    assert read(FIXTURE, layer="hi")[0].annotators == ("ann", "bob")


BESIDE = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/>
<text><body><p xml:id="p"><w xml:id="w1">Anna</w> <w xml:id="w2">Long</w> <w xml:id="w3">went</w> home.
<anchor xml:id="z"/></p></body></text>
<standOff>
  <spanGrp type="entities" resp="#ann"><span from="#w1" to="#w2" ana="#per"/><span target="#w3" type="move"/></spanGrp>
  <spanGrp type="entities" resp="#bob"><span target="#w1 #w3">odd</span>
    <span target="#string-range(p,15,4)"/><span from="#w3" to="#z"/></spanGrp>
</standOff></TEI>"""


def test_units_beside_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(BESIDE, encoding="utf-8")
    found = read(path)[0]
    assert found.text == "Anna Long went home.\n"
    assert found.annotators == ("ann", "bob")
    assert [(u.annotator, found.text[u.start : u.end], u.category, u.features["pieces"]) for u in found] == [
        ("ann", "Anna Long", "per", None),
        ("ann", "went", "move", None),
        ("bob", "Anna Long went", "odd", "0-4 10-14"),
        ("bob", "went home.", "span", None),
        ("bob", "home", "span", None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("TEI", "TIE", "malformed"),
        ("TEI", "teiCorpus", "malformed"),
        ("text>", "group>", "malformed"),
        ('target="#w3"', 'target="#w9"', "missing-position"),
        ('from="#w1"', 'from="#w9"', "missing-position"),
        ("(p,15,4)", "(p,15,400)", "missing-position"),
        ("<TEI", '<!DOCTYPE TEI [<!ENTITY a "b">]><TEI', "xml-entities"),
        ("</p>", "", "malformed"),
    ],
)
def test_refused(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in BESIDE
    (tmp_path / "a.xml").write_text(BESIDE.replace(old, new), encoding="utf-8")
    assert inspect(tmp_path / "a.xml", format="tei").problems[0].code == code


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "tei" / "additional" / "primary"
    assert inspect(folder).problems[0].code == "which-layer"
    for name, counts in (("seg", (12, 19)), ("said", (9, 14))):
        text = read(folder, layer=name)[0]
        assert text.annotators == ("earth", "jupiter")
        assert text.text is not None
        for annotator, n_units in zip(text.annotators, counts, strict=True):
            (path,) = (folder / annotator).rglob("*.xml")
            elements = list(ElementTree.parse(path).getroot().iter(NAMESPACE + name))
            units = list(text.units_of(annotator))
            assert len(units) == n_units == len(elements)
            covered = sorted(re.sub(r"\s+", " ", text.text[u.start : u.end]) for u in units)
            assert covered == sorted(" ".join("".join(e.itertext()).split()) for e in elements)
