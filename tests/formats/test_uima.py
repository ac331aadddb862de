# SPDX-License-Identifier: MIT
"""UIMA CAS and INCEpTION exports. Oracle: our fixtures by hand; dkpro-cassis; the export's own layout."""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

from unisono.io import inspect, read

FIXTURES = Path(__file__).parent / "fixtures"
TEXT = "Anna 😀 sings.\nIn Rome."


def covered(path: Path, **options: Any) -> list[tuple[object, ...]]:
    return [
        (u.annotator, c.text[u.start : u.end], u.category)  # type: ignore[index,misc]
        for c in read(path, **options)
        for u in c
    ]


def test_xmi() -> None:
    found = inspect(FIXTURES / "uima-xmi")
    assert found.understood == (
        "3 files, UIMA XMI; 3 annotators (ann, bob, cem) from file names; 1 document from folder names; "
        "layer NamedEntity; 5 units; category from feature value; features identifier, tags; integer positions"
    )
    # A unit without value; a subtype (City) on the layer it comes from; what is not indexed is not there.
    assert covered(FIXTURES / "uima-xmi") == [
        ("ann", "Anna", "PER"),
        ("ann", "Anna 😀", None),
        ("ann", "Rome", "LOC"),
        ("bob", "Anna 😀", "PER"),
        ("bob", "Rome", "CITY"),
    ]
    corpus = found.corpus
    assert corpus is not None
    assert corpus["letter.txt"].annotators == ("ann", "bob", "cem")
    assert corpus["letter.txt"].text == TEXT
    assert next(u.features for u in corpus["letter.txt"].units_of("bob")) == {"identifier": None, "tags": "a|b"}


def test_layers_on_demand() -> None:
    assert {row[1] for row in covered(FIXTURES / "uima-xmi", layer="Sentence")} == {"Anna 😀 sings.", "In Rome."}
    assert read(FIXTURES / "uima-xmi", annotator_from="field:id", layer="Token")["letter.txt"].annotators == (
        "ann", "bob", "cem",
    )  # fmt: skip


def test_several_layers(tmp_path: Path) -> None:
    text = (FIXTURES / "uima-xmi" / "letter.txt" / "bob.xmi").read_text(encoding="utf-8")
    (tmp_path / "bob.xmi").write_text(text, encoding="utf-8")  # without the type system City is a layer of its own
    (problem,) = inspect(tmp_path / "bob.xmi").problems
    assert problem.message == "there are units on 2 layers: NamedEntity (1 unit), City (1 unit)"
    (unit,) = read(tmp_path / "bob.xmi", layer="City")[0]
    assert unit.category == "CITY"
    assert read(tmp_path / "bob.xmi", layer=["City", "NamedEntity"]).n_units == 2


def test_json() -> None:
    assert covered(FIXTURES / "uima-json") == [
        ("ann", "Anna", "PER"), ("ann", "Rome", "LOC"), ("bob", "Anna 😀", "PER"),
    ]  # fmt: skip


def export(curation: bool = True) -> bytes:
    """A project export as INCEpTION lays it out: archives in an archive, named by chance."""
    root = FIXTURES / "uima-xmi" / "letter.txt"
    files: dict[str, bytes] = {"p/exportedproject1.json": b'{"name": "p"}', "p/source/letter.txt": TEXT.encode()}
    names = [("ann", "annotation"), ("bob", "annotation"), ("cem", "annotation"), ("INITIAL_CAS", "annotation")]
    if curation:
        names.append(("CURATION_USER", "curation"))
    for i, (name, folder) in enumerate(names):
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            source = root / f"{name if name in ('ann', 'bob', 'cem') else 'bob'}.xmi"
            archive.writestr(f"{name}.xmi", source.read_bytes())
            archive.writestr("TypeSystem.xml", (root / "TypeSystem.xml").read_bytes())
        files[f"p/{folder}/letter.txt/webanno{97 * i % 11}export.zip"] = inner.getvalue()
        files[f"p/{folder}_ser/letter.txt/{name}.ser"] = b"\xac\xed\0\5"
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return outer.getvalue()


def test_inception_export(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(export())
    assert sorted(covered(path), key=str) == sorted(covered(FIXTURES / "uima-xmi"), key=str)
    found = inspect(path)
    assert found.corpus is not None
    assert found.corpus["letter.txt"].annotators == ("ann", "bob", "cem")
    (note,) = [problem for problem in found.problems if problem.code == "curation"]
    assert note.message == "the export has 1 curated document, which was left out"
    curated = read(path, curation=True)["letter.txt"]
    assert curated.annotators == ("CURATION_USER", "ann", "bob", "cem")
    assert [u.category for u in curated.units_of("CURATION_USER")] == ["PER", "CITY"]


def cassis_units(cassis: Any, path: Path, typesystem: Path, names: set[str]) -> list[tuple[str, str]]:
    """Type and covered text of the annotations of these types, by dkpro-cassis."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        types = cassis.load_typesystem(typesystem.read_text(encoding="utf-8"))
        cas = cassis.load_cas_from_xmi(path.read_text(encoding="utf-8"), typesystem=types)
        return sorted(
            (fs.type.name.rpartition(".")[2], fs.get_covered_text())
            for fs in cas.select_all()
            if fs.type.name.rpartition(".")[2] in names
        )


def test_our_fixture_against_cassis() -> None:
    cassis = pytest.importorskip("cassis")
    folder = FIXTURES / "uima-xmi" / "letter.txt"
    for name in ("ann", "bob", "cem"):
        theirs = cassis_units(cassis, folder / f"{name}.xmi", folder / "TypeSystem.xml", {"NamedEntity", "City"})
        ours = covered(FIXTURES / "uima-xmi")
        assert sorted(text for _, text in theirs) == sorted(str(row[1]) for row in ours if row[0] == name)


def test_samples_against_cassis(shared: Path) -> None:
    """Emoji, and two annotators' files of the same text: the same texts are covered."""
    cassis = pytest.importorskip("cassis")
    folder = shared / "samples" / "uima_cas"
    small = folder / "xmi" / "small_cas.xmi"
    theirs = cassis_units(cassis, small, folder / "typesystems" / "small_typesystem.xml", {"Token", "Sentence"})
    ours = read(small, layer=["Token", "Sentence"])[0]
    assert sorted(text for _, text in theirs) == sorted(ours.text[u.start : u.end] for u in ours)  # type: ignore
    assert len(ours) == 13
    for name in ("earth", "jupiter"):
        path = folder / "primary" / name / "xmi" / "rwk1_digbib_1014-1.xmi"
        theirs = cassis_units(cassis, path, folder / "primary" / "resources_xmi" / "rwTypesystem.xml", {"Stwr"})
        c = read(path, layer="Stwr")[0]
        assert sorted(text for _, text in theirs) == sorted(c.text[u.start : u.end] for u in c)  # type: ignore


def test_samples(shared: Path) -> None:
    folder = shared / "samples" / "uima_cas"
    corpus = read(folder / "primary", layer="Stwr")
    assert {c.name: c.annotators for c in corpus} == {"rwk1_digbib_1014-1": ("earth", "jupiter")}
    lines = "".join(path.read_text(encoding="utf-8") for path in (folder / "primary").rglob("*.xmi"))
    assert corpus.n_units == 23 == len(re.findall(r"<rw:Stwr ", lines))
    smileys = folder / "xmi" / "cas_with_smileys.xmi"
    entities = re.findall(r'NamedEntity [^>]*begin="(\d+)" end="(\d+)"', smileys.read_text(encoding="utf-8"))
    found = read(smileys)[0]
    assert found.text is not None
    units = found.text.encode("utf-16-le")
    expected = sorted(units[2 * int(b) : 2 * int(e)].decode("utf-16-le") for b, e in entities)
    assert expected == sorted(found.text[u.start : u.end] for u in found)  # type: ignore[misc]
    assert len(found) == 5
    data = json.loads((folder / "json/fs_as_array/ser-ref/casWithTextAndAnnotations/data.json").read_text())
    n = sum(item["%TYPE"] == "uima.tcas.Annotation" for item in data["%FEATURE_STRUCTURES"])
    assert read(folder / "json/fs_as_array/ser-ref/casWithTextAndAnnotations/data.json").n_units == n == 4


def test_inception_sample(shared: Path) -> None:
    """Counted in the archives themselves: POS elements that are indexed."""
    path = shared / "samples" / "inception_project_export" / "Example_Project_POS.zip"
    corpus = read(path)
    expected: dict[tuple[str, str], int] = {}
    with zipfile.ZipFile(path) as outer:
        for name in outer.namelist():
            found = re.match(r"[^_/][^/]*/annotation/([^/]+)/[^/]+\.zip$", name)
            if found:
                with zipfile.ZipFile(io.BytesIO(outer.read(name))) as inner:
                    member = next(n for n in inner.namelist() if n.endswith(".xmi"))
                    text = inner.read(member).decode()
                    indexed = set(re.findall(r'<cas:View [^>]*members="([^"]*)"', text)[0].split())
                    parts = re.findall(r'<(?:pos|tweet):\w+ xmi:id="(\d+)"', text)
                    expected[found[1], member.removesuffix(".xmi")] = sum(i in indexed for i in parts)
    ours = {(c.name, a): int(n) for c in corpus for a, n in zip(c.annotators, c.counts, strict=True)}
    assert ours == expected
    assert corpus.n_units == 355
