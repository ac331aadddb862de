# SPDX-License-Identifier: MIT
"""CorA-XML. Oracle: our fixture by hand; the samples by regular expressions, their words by the text they make."""

from __future__ import annotations

import re
from pathlib import Path

from unisono.io import read

FIXTURE = Path(__file__).parent / "fixtures" / "cora"


def test_units() -> None:
    (tale,) = read(FIXTURE)
    assert tale.text == "soltu 🙂 gan"
    rows = [(u.annotator, tale.text[u.start : u.end], u.category, u.features["lemma"]) for u in tale]
    assert rows == [
        ("ann", "sol", "VM", "sollen"),
        ("ann", "tu 🙂", "PPER", None),
        ("ann", "gan", None, None),
        ("bob", "sol", "VV", "sollen"),
        ("bob", "tu 🙂", "PPER", None),
        ("bob", "gan", None, None),
    ]
    diplomatic = read(FIXTURE / "ann", layer="dipl")[0]
    assert diplomatic.text == "soltu gan"
    assert [(u.start, u.end) for u in diplomatic] == [(0, 5), (6, 8), (8, 9)]
    assert read(FIXTURE, document_from="field:name")[0].name == "A tale"


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "cora_xml"
    for name, n_units, n_diplomatic in (
        ("cora_ren", 10, 10),
        ("document.simple", 40, 40),
        ("XMLHandler_test_expected", 6, 4),
    ):
        path = folder / f"{name}.xml"
        source = path.read_text(encoding="utf-8")
        for layer, n in (("mod", n_units), ("dipl", n_diplomatic)):
            found = read(path, layer=layer)[0]
            words = re.findall(rf'<{layer} [^>]*?\btrans="([^"]*)"', source)
            assert len(found) == n == len(words), (name, layer)
            assert found.text is not None
            assert len([u for u in found if found.text[u.start : u.end]]) == n
        tags = re.findall(r'^(?!.*source=).*?<pos [^>]*?tag="([^"]*)"', source, re.MULTILINE)
        assert [u.category for u in read(path, layer="mod")[0] if u.category] == tags
