# SPDX-License-Identifier: MIT
"""Files with versions of a text. Oracle: what is written in them; the CorA samples; broken files."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.errors import CorpusError, FormatError, InputError
from unisono.io.formats.text_versions import as_dict
from unisono.text import ReadingOptions, TextVersions, Version, read_versions

CORA = """<?xml version="1.0"?>
<text id="1"><cora-header name="t"/>
 <token id="t1" trans="solt|tu">
  <dipl id="t1_d1" trans="solt|tu" utf="solttu"/>
  <mod id="t1_m1" trans="solt|" utf="solt"><pos tag="VV"/><comment tag="look"/></mod>
  <mod id="t1_m2" trans="tu" utf="tu"><pos tag="PP"/><lemma tag="&lt;none&gt;"/></mod>
 </token>
 <token id="t2" trans="ge#eten">
  <dipl id="t2_d1" trans="ge#" utf="ge"/><dipl id="t2_d2" trans="eten" utf="eten"/>
  <mod id="t2_m1" trans="ge#eten" utf="geeten"><pos tag="VP"/></mod>
 </token>
</text>
"""


def one(path: Path, **options: object) -> Version:
    return read_versions(path, options=ReadingOptions(**options)).versions[0]  # type: ignore[arg-type]


def texts(version: Version) -> list[str]:
    return [version.covered(i) for i in range(len(version))]


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_cora(tmp_path: Path) -> None:
    path = write(tmp_path, "ann.xml", CORA)
    version = one(path, text_from="trans")
    assert version.text == "solttu ge eten", "split symbols vanish, merge symbols are spaces"
    assert texts(version) == ["solt", "tu", "ge eten"]
    assert [version.features["pos"][i] for i in range(3)] == ["VV", "PP", "VP"]
    assert set(version.features) == {"pos"}
    assert texts(one(path)) == ["solt", "tu", "geeten"], "utf, where every unit has it"
    assert texts(one(path, layer="dipl")) == ["solttu", "ge", "eten"]
    assert one(path, text_from="trans", split_symbol="", merge_symbol="").text == "solt|tu ge#eten"
    assert set(one(path, features=["lemma"]).features) == set()


def test_cora_takes_one_text_from_all_files(tmp_path: Path) -> None:
    first = write(tmp_path, "ann.xml", CORA)
    second = write(tmp_path, "bob.xml", CORA.replace(' utf="tu"', ' utf=""'))
    versions = read_versions([first, second])
    assert {version.text for version in versions.versions} == {"solttu ge eten"}


@pytest.mark.parametrize("layer", ["mod", "dipl"])
@pytest.mark.parametrize("text_from", [None, "utf", "trans", "simple", "ascii"])
def test_every_cora_sample_is_read_or_refused_with_a_reason(shared: Path, layer: str, text_from: str | None) -> None:
    found, refused = {}, []
    for path in sorted((shared / "samples" / "cora_xml").glob("*.xml")):
        try:
            found[path.stem] = one(path, layer=layer, text_from=text_from).n_units
        except FormatError as error:
            refused += error.problems
    incomplete = [problem for problem in refused if problem.code == "cora"]
    assert all("Choose another of the attributes" in str(problem) for problem in incomplete)
    assert all(re.search(r"\.xml:\d+$", problem.where) for problem in incomplete)
    # A layer without words in that attribute is no layer to choose.
    assert {problem.code for problem in refused} <= {"cora", "unknown-layer"}
    if text_from in (None, "trans"):
        sizes = (10, 6, 40) if layer == "mod" else (10, 4, 40)
        assert found == dict(zip(("cora_ren", "XMLHandler_test_expected", "document.simple"), sizes, strict=True))


def test_the_authors_sample_has_its_features(shared: Path) -> None:
    version = one(shared / "samples" / "cora_xml" / "cora_ren.xml", features=["pos", "lemma"])
    assert version[2].features == {"lemma": "histôrie", "pos": "NA"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<text><token>", "it is not well-formed XML"),
        ("<html></html>", "its root element <html> is not a <text> with <token> elements"),
        ("<text><token/></text>", "there are no rows of data"),
        ("", "the file is empty"),
        (
            f'<!DOCTYPE t [<!ENTITY x SYSTEM "{__file__}">]><text><token><mod trans="a">&x;</mod></token></text>',
            "entities",
        ),
    ],
)
def test_broken_cora(tmp_path: Path, content: str, message: str) -> None:
    path = write(tmp_path, "ann.xml", content)
    with pytest.raises(InputError, match=re.escape(message)):
        one(path)


CONLLU = (
    "# text = vamonos al mar.\n"
    "1-2\tvamonos\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tvamos\tir\tVERB\t_\t_\t0\troot\t_\t_\n"
    "2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_\n"
    "2.1\tx\tx\tX\t_\t_\t_\t_\t_\t_\n"
    "3\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No\n"
    "4\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n"
    "\n"
    "1\tSi\tsi\tINTJ\t_\t_\t0\troot\t_\t_\n"
)


def test_conllu(tmp_path: Path) -> None:
    path = write(tmp_path, "ann.conllu", CONLLU)
    version = one(path)
    assert version.text == "vamonos mar.\nSi"
    assert texts(version) == ["vamonos", "mar", ".", "Si"]
    assert version.features["upos"][0] == "VERB+PRON"
    assert set(version.features) == {"lemma", "upos", "deprel"}
    nested = one(path, sentences=True)
    assert [nested.covered(i) for i in range(len(nested)) if nested.types[i] == "sentence"] == ["vamonos mar.", "Si"]
    assert set(one(path, features=["upos"]).features) == {"upos"}


def test_columns_with_and_without_offsets(tmp_path: Path) -> None:
    plain = one(write(tmp_path, "ann.tsv", "tok\tpos\nso\tADV\n,\t-\n\nna\tX\n"))
    assert plain.text == "so ,\nna"
    assert [plain.features["pos"][i] for i in range(3)] == ["ADV", None, "X"]
    placed = one(write(tmp_path, "bob.tsv", "start\tend\tform\n0\t2\tso\n2\t3\t,\n6\t8\tna\n"))
    assert placed.text == "so,   na"
    assert texts(placed) == ["so", ",", "na"]
    named = one(write(tmp_path, "cem.tsv", "so\tADV\n"), columns=["form", "pos"])
    assert texts(named) == ["so"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "so\tADV\n", "no column is named form or token"),
        ("a.tsv", "form\tpos\nso\n", "a.tsv:2: the line has 1 column instead of 2"),
        ("a.tsv", "form\tpos\n\tX\n", "a.tsv:2: the token is empty"),
        ("a.tsv", "form\tstart\tend\nso\t0\t3\n", "are not 2 apart"),
        ("a.tsv", "form\tstart\tend\nso\t4\t6\nna\t0\t2\n", "before the end of the token above (6)"),
        ("a.conllu", "1\tso\n", "the line has 2 columns instead of 10"),
        ("a.conllu", "x\tso" + "\t_" * 8 + "\n", "a number or a range of numbers"),
        ("a.json", "{", "JSON"),
        ("a.json", "[]", 'an object with "text" and "units"'),
        ("a.json", '{"text": 3}', 'an object with "text" and a list "units"'),
        ("a.json", '{"text": "so", "units": [{"start": 0}]}', "unit 1: {'start': 0} is not a unit"),
        ("a.json", '{"text": "so", "units": [{"start": 0, "end": 9}]}', "the unit 0-9 is not inside the text"),
        ("a.json", '{"annotators": []}', '"annotators" is [], not an object'),
        ("a.xyz", "so", "the ending '.xyz' does not say which format"),
    ],
)
def test_broken_files(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(InputError, match=re.escape(message)):
        one(path)


def test_problems_of_all_files_at_once(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"{name}.xml", "<text>") for name in ("ann", "bob")]
    with pytest.raises(InputError) as caught:
        read_versions(paths, base=tmp_path / "missing.xml")
    assert len(caught.value.problems) == 3
    assert {problem.code for problem in caught.value.problems} == {"malformed", "missing-file"}


def test_json_there_and_back(tmp_path: Path) -> None:
    versions = TextVersions.of(
        {"ann": Version.of("so", [(0, 2, {"pos": "A"})]), "bob": Version.marked("{so} {so}")},
        base=Version.marked("{so}"),
        name="doc",
    )
    text = json.dumps(as_dict(versions))
    path = write(tmp_path, "all.json", text)
    assert read_versions(path).sha256 == versions.sha256
    assert read_versions(path).annotators == ("ann", "bob")
    with pytest.raises(FormatError, match="one file with all versions"):
        read_versions([path, write(tmp_path, "c.json", '{"text": "so", "units": []}')])
    with pytest.raises(FormatError, match="the base has versions of 2 annotators instead of one"):
        read_versions({"x": write(tmp_path, "d.json", '{"text": "so", "units": [{"start": 0, "end": 2}]}')}, base=path)


def test_names_of_annotators(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, "text.tsv", "form\nso\n")
    assert read_versions([tmp_path / "ann" / "text.tsv", tmp_path / "bob" / "text.tsv"]).annotators == ("ann", "bob")
    with pytest.raises(CorpusError, match="several files are of the annotator 'text'"):
        read_versions(
            [tmp_path / "ann" / "text.tsv", tmp_path / "bob" / "text.tsv", write(tmp_path, "x.tsv", "form\n")]
        )


PIECES = (
    "form",
    "1",
    "so",
    "\t",
    "\n",
    "_",
    "start",
    "{",
    "}",
    '"text"',
    ":",
    "[",
    "]",
    "<",
    ">",
    "text",
    "token",
    "/",
)
PIECES += ("mod", " trans='a'", "1-2", "#")


@given(
    st.sampled_from(["xml", "conllu", "tsv", "json"]),
    st.one_of(
        st.binary(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map(lambda x: "".join(x).encode())
    ),
)
def test_whatever_is_in_a_file_is_read_or_refused(ending: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"ann.{ending}"
        path.write_bytes(data)
        try:
            versions = read_versions(path)
        except InputError as error:
            assert error.problems  # noqa: PT017 -- either way is right
        else:
            assert versions.n_units >= 0
