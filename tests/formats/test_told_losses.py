# SPDX-License-Identifier: MIT
"""Odd files of which a reader could lose or move a unit. Oracle: written by hand: the units, or the problem told."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from unisono.errors import InputError
from unisono.io import inspect, read, write
from unisono.io.anonymous import Key, hiding, letters_of
from unisono.io.checks.fixes import fix_corpus
from unisono.io.read import Inspection
from unisono.model import Continuum, Corpus
from unisono.text import read_versions


def look(path: Path, content: str | bytes, **settings: Any) -> Inspection:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return inspect(path, **settings)


def told(found: Inspection) -> list[tuple[str, str]]:
    return [(problem.code, problem.message) for problem in found.problems if problem.severity == "error"]


def units(found: Inspection) -> list[tuple[float, float, str | None]]:
    assert found.corpus is not None, found.problems
    return [(unit.start, unit.end, unit.category) for continuum in found.corpus for unit in continuum]


def word(number: str, form: str) -> str:
    return "\t".join([number, form, form.lower(), "X", "_", "_", "0", "root", "_", "_"]) + "\n"


@pytest.mark.parametrize("after", ["\n" + word("1", "al") + word("3", "mar"), word("4", "al"), word("3-4", "al"), ""])
def test_a_multiword_token_whose_words_do_not_come(tmp_path: Path, after: str) -> None:
    """The words of the next sentence are not its words, nor is it left out."""
    text = word("1-3", "vámonos") + word("1", "vamos") + word("2", "nos") + after
    (tmp_path / "ann.conllu").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_versions(tmp_path / "ann.conllu")
    first = refused.value.problems[0]
    assert first.where.endswith("ann.conllu:1")
    assert first.message == "the words of the multiword token 1-3 end before word 3"


def spans(*items: Any) -> str:
    return "".join(json.dumps({"text": "Anna sings", "annotator": "ann", "spans": item}) + "\n" for item in items)


GOOD = [{"start": 0, "end": 4, "label": "P"}]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ([*GOOD, {"start": 5}], "{'start': 5} has no start and end"),
        ({"start": [0, 5], "end": [4], "label": ["P", "V"]}, "is not a list of units"),
        ("none", "'none' is not a list of units"),
    ],
)
def test_a_row_of_a_data_set_that_is_not_like_the_others(tmp_path: Path, cell: Any, message: str) -> None:
    [(code, text)] = told(look(tmp_path / "a.jsonl", spans(GOOD, cell), format="hugging-face"))
    assert code == "missing-position"
    assert message in text


def test_empty_cells_of_a_data_set_are_no_fault(tmp_path: Path) -> None:
    empty = {"start": [], "end": [], "label": []}
    assert len(units(look(tmp_path / "a.jsonl", spans(GOOD, [], None, {}, empty), format="hugging-face"))) == 1


def test_tags_that_do_not_fit_the_tokens(tmp_path: Path) -> None:
    rows = [
        {"tokens": ["Anna", "sings"], "tags": ["B-P", "O"], "annotator": "ann"},
        {"tokens": ["Bob", "sings"], "tags": ["B-P"], "annotator": "ann"},
        {"tokens": ["Eve", "sings"], "tags": ["B-P", "verb"], "annotator": "ann"},
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    faults = told(look(tmp_path / "a.jsonl", content, format="hugging-face"))
    assert [code for code, _ in faults] == ["missing-position"] * 2
    assert "its tags do not fit the tokens" in faults[0][1]


def eaf(kinds: tuple[str, str]) -> str:
    tiers = "".join(
        f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}" PARENT_REF="ann"><ANNOTATION><REF_ANNOTATION '
        f'ANNOTATION_ID="r{name}" ANNOTATION_REF="a1"><ANNOTATION_VALUE>{name}!</ANNOTATION_VALUE></REF_ANNOTATION>'
        "</ANNOTATION></TIER>"
        for name, kind in zip(("gloss", "tone"), kinds, strict=True)
    )
    types = "".join(
        f'<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="{kind}" CONSTRAINTS="Symbolic_Association"/>' for kind in {*kinds}
    )
    return (
        '<ANNOTATION_DOCUMENT><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="t1" '
        'TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="t2" TIME_VALUE="9"/></TIME_ORDER><TIER TIER_ID="ann" '
        'LINGUISTIC_TYPE_REF="main"><ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="t1" '
        'TIME_SLOT_REF2="t2"><ANNOTATION_VALUE>X</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>'
        f'{tiers}<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="main"/>{types}</ANNOTATION_DOCUMENT>'
    )


def test_tiers_of_one_type_below_one_tier_keep_their_values(tmp_path: Path) -> None:
    for kinds, wanted in (
        (("note", "note"), {"gloss": "gloss!", "tone": "tone!"}),
        (("note", "other"), {"note": "gloss!", "other": "tone!"}),
    ):
        found = look(tmp_path / "a.eaf", eaf(kinds), annotator_from="tier")
        assert found.corpus is not None
        [unit] = found.corpus[0]
        assert {name: value for name, value in unit.features.items() if value} == wanted


def test_all_units_of_a_text_are_converted_from_utf_16(tmp_path: Path) -> None:
    """The discontinuous one too, which has no text to compare, and its pieces."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "a.txt").write_text("😀 Anna and Bob sing", encoding="utf-8")
    content = "T1\tP 3 7\tAnna\nT2\tQ 12 15;3 7\tAnna Bob\n"  # characters: 2 6, and 11 14;2 6
    found = look(tmp_path / "ann" / "a.ann", content)
    assert units(found) == [(2, 6, "P"), (2, 14, "Q")]
    assert found.corpus is not None
    assert [unit.features["pieces"] for unit in found.corpus[0] if unit.category == "Q"] == ["2-6 11-14"]
    [note] = [problem for problem in found.problems if problem.code == "utf-16-offsets"]
    assert "of 2 units" in note.message


def test_whole_positions_written_as_decimals_are_compared_with_the_text(tmp_path: Path) -> None:
    rows = {"text": "😀 Anna", "_input_hash": 1, "answer": "accept", "_annotator_id": "ann"}
    rows["spans"] = [{"start": 3.0, "end": 7.0, "label": "P", "text": "Anna"}]
    found = look(tmp_path / "a.jsonl", json.dumps(rows) + "\n")
    assert units(found) == [(2, 6, "P")]


def own_json(category: Any, **more: Any) -> str:
    unit = {"start": 0, "end": 4, "category": category, "features": {"tags": ["a", "b"], "n": 3}}
    annotator = {"name": "ann", "units": [unit], **more}
    return json.dumps({"unisono-corpus": 1, "documents": [{"name": "d", "annotators": [annotator]}]})


@pytest.mark.parametrize(("written", "read"), [(1, "1"), (2.5, "2.5"), (["A", "B"], "A|B"), ("X", "X"), (None, None)])
def test_categories_of_our_own_json_that_are_no_texts(tmp_path: Path, written: Any, read: str | None) -> None:
    found = look(tmp_path / "a.json", own_json(written))
    assert units(found) == [(0, 4, read)]
    assert found.corpus is not None
    assert dict(found.corpus[0][0].features) == {"tags": "a|b", "n": "3"}


def test_a_span_of_tei_that_ends_before_it_begins(tmp_path: Path) -> None:
    text = (
        '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p><w xml:id="a">Anna</w> <w xml:id="b">sings</w></p>'
        '<spanGrp type="t" resp="#ann"><span from="#b" to="#a">X</span></spanGrp></body></text></TEI>'
    )
    (code, message), *_ = told(look(tmp_path / "a.xml", text, layer="t"))
    assert (code, message) == ("missing-position", "it ends at #a, which comes before its beginning, #b")


def test_a_line_of_boris_with_more_cells_than_columns(tmp_path: Path) -> None:
    """As a decimal comma makes it: the cells after it are those of other columns."""
    rows = "Observation id,Media file,Behavior,Start (s),Stop (s)\no,v.mp4,sing,1.5,2.5\no,v.mp4,sing,1,5,2,5\n"
    [(code, message)] = told(look(tmp_path / "a.csv", rows))
    assert (code, message) == ("ragged-row", "the line has 7 cells, the table 5 columns")


def test_a_token_of_webanno_with_too_few_columns(tmp_path: Path) -> None:
    text = (
        "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Unit|one|two\n\n\n#Text=Anna sings\n"
        "1-1\t0-4\tAnna\tP\tQ\t\n1-2\t5-10\tsings\tP\n"
    )
    [(code, message)] = told(look(tmp_path / "d" / "ann.tsv", text))
    assert (code, message) == ("malformed", "the token has 1 column for layers instead of 2")


def test_views_of_a_json_cas_without_members(tmp_path: Path) -> None:
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "Anna sings"},
        {"%ID": 2, "%TYPE": "x.NamedEntity", "@sofa": 1, "begin": 0, "end": 4, "value": "P"},
    ]
    text = json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {"_InitialView": {"%SOFA": 1}}})
    assert units(look(tmp_path / "d" / "ann.json", text)) == [(0, 4, "P")]


def test_a_web_annotation_of_several_fragments_is_one_unit(tmp_path: Path) -> None:
    def of(*targets: str) -> str:
        body = {"@context": "http://www.w3.org/ns/anno.jsonld", "creator": "ann", "body": "P", "target": [*targets]}
        return json.dumps([body])

    assert units(look(tmp_path / "a.jsonld", of("d#char=8,9", "d#char=0,5"))) == [(0, 9, "P")]
    assert units(look(tmp_path / "b.jsonld", of("d#t=8.5,9", "d#t=0,5"))) == [(0, 9, "P")]


def test_a_number_that_python_cannot_read(tmp_path: Path) -> None:
    """`"1²".isdigit()` is true."""
    text = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n1\n<exists>\n1²\n'
    [(code, message)] = told(look(tmp_path / "a.TextGrid", text))
    assert (code, "'1²' cannot be the number of tiers" in message) == ("malformed", True)


# -- time: each of these takes minutes where the time grows with the square of the size ------------------------------


def test_a_repeated_key_among_many(tmp_path: Path) -> None:
    keys = ", ".join(f'"k{i}": 0' for i in range(100_000))
    [(code, message)] = told(look(tmp_path / "a.json", f'{{"unisono-corpus": 1, {keys}, "last": 1, "last": 2}}'))
    assert (code, "the key 'last' is there twice" in message) == ("malformed", True)


def test_a_table_of_raven_with_many_columns(tmp_path: Path) -> None:
    names = ["Begin Time (s)", "End Time (s)", *(f"c{i}" for i in range(100_000))]
    assert len(units(look(tmp_path / "ann" / "a.txt", "\t".join(names) + "\n1\t2\tx\n"))) == 1


def test_many_attributes_of_one_unit(tmp_path: Path) -> None:
    content = "T1\tP 0 4\tAnna\n" + "".join(f"A{i}\tn T1 v{i:0100}\n" for i in range(60_000))
    assert [code for code, _ in told(look(tmp_path / "ann" / "a.ann", content, category_from="n"))] == ["long-name"]


def test_many_regions_of_many_units(tmp_path: Path) -> None:
    (tmp_path / "ann.uem").write_text("".join(f"show 1 {3 * i} {3 * i + 2}\n" for i in range(20_000)))
    lines = [f"SPEAKER show 1 {3 * i + 1} 3 <NA> <NA> eva <NA> <NA>\n" for i in range(20_000)]
    found = look(tmp_path / "ann.rttm", "".join(lines))
    assert units(found)[:2] == [(1.0, 4.0, "eva"), (4.0, 7.0, "eva")]


def test_a_task_of_label_studio_is_recognised_by_its_first_regions(tmp_path: Path) -> None:
    """The exports write the data after the annotations, here after more than is looked at."""
    results = [
        {"value": {"start": i, "end": i + 2, "text": "aa", "labels": ["P"]}, "id": str(i), "from_name": "label",
         "to_name": "text", "type": "labels"}
        for i in range(2_000)
    ]  # fmt: skip
    task = {"id": 1, "annotations": [{"id": 1, "completed_by": 1, "result": results}], "data": {"text": "a" * 2_002}}
    assert len(units(look(tmp_path / "a.json", json.dumps([task])))) == 2_000


def test_many_regions_on_many_paragraphs(tmp_path: Path) -> None:
    """Positions count the characters of the paragraphs before, joined by line ends."""
    lines = [{"author": "a", "text": "Anna"} for _ in range(6_000)]
    results = [
        {"id": str(i), "from_name": "who", "type": "paragraphlabels",
         "value": {"start": str(i), "end": str(i), "startOffset": 1, "endOffset": 3, "paragraphlabels": ["P"]}}
        for i in range(6_000)
    ]  # fmt: skip
    task = {"id": 1, "data": {"dialogue": lines}, "annotations": [{"completed_by": 1, "result": results}]}
    found = units(look(tmp_path / "a.json", json.dumps([task]), format="label-studio"))
    assert (found[0], found[-1]) == ((1, 3, "P"), (5 * 5_999 + 1, 5 * 5_999 + 3, "P"))


def test_users_without_answers_have_seen_the_record(tmp_path: Path) -> None:
    """Argilla 1.x: a submitted response without values; and a span without an end beside a good one is told."""
    good = {"user_id": "ann", "status": "submitted", "values": {"spans": {"value": [{"start": 0, "end": 4}]}}}
    records = [{"fields": {"text": "Anna sings"}, "responses": [good, {"user_id": "bob", "status": "submitted"}]}]
    found = look(tmp_path / "a.json", json.dumps(records))
    assert found.corpus is not None
    assert found.corpus.annotators == ("ann", "bob")
    good["values"] = {"spans": {"value": [{"start": 0, "end": 4}, {"start": 3}]}}
    assert told(look(tmp_path / "a.json", json.dumps(records))) == [
        ("missing-position", "{'start': 3} has no start and end")
    ]


def test_every_project_export_of_a_folder_is_read(tmp_path: Path) -> None:
    """And what lies beside them."""
    lines = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Unit|label\n\n\n#Text=Anna sings\n1-1\t0-4\tAnna\tP\t\n"
    for number in (1, 2):
        with zipfile.ZipFile(tmp_path / f"export{number}.zip", "w") as archive:
            archive.writestr("exportedproject.json", "{}")
            for who in ("ann", "bob"):
                archive.writestr(f"annotation/letter{number}/{who}.tsv", lines)
    (tmp_path / "more" / "letter3").mkdir(parents=True)
    for who in ("ann", "bob"):
        (tmp_path / "more" / "letter3" / f"{who}.tsv").write_text(lines)
    corpus = read(tmp_path, annotator_from="stem")
    assert [continuum.name for continuum in corpus] == ["export1/letter1", "export2/letter2", "more/letter3"]


def test_an_archive_with_two_files_of_one_name(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("letter.csv", "annotator,start,end,category\nann,0,1,A\n")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("letter.csv", "annotator,start,end,category\nbob,0,1,A\n")
    assert [problem.message for problem in inspect(tmp_path / "a.zip").problems] == [
        "the archive has 2 different files named 'letter.csv'"
    ]


def test_an_archive_with_one_file_twice(tmp_path: Path) -> None:
    """Nothing is lost, so nothing is refused; nor for what systems put into archives."""
    units = "annotator,start,end,category\nann,0,1,A\nbob,0,1,A\n"
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("letter.csv", units)
        archive.writestr("__MACOSX/letter.csv", "one")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("letter.csv", units)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("__MACOSX/letter.csv", "two")
    assert read(tmp_path / "a.zip").n_units == 2


def test_folders_that_are_links_are_read_once(tmp_path: Path) -> None:
    for folder in ("project/ann", "elsewhere/bob"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "letter.csv").write_text("start,end,category\n0,1,A\n5,9,B\n")
    (tmp_path / "project" / "bob").symlink_to(tmp_path / "elsewhere" / "bob")
    (tmp_path / "project" / "again").symlink_to(tmp_path / "project")
    corpus = read(tmp_path / "project", annotator_from="parent")
    assert corpus.annotators == ("ann", "bob")
    assert corpus.n_units == 4


def test_folders_inside_have_their_own_names(tmp_path: Path) -> None:
    """A link that comes first does not rename them, and what a hidden folder has is read where a link shows it."""
    for folder in ("bob", ".kept/cem", "../shared/dora"):
        (tmp_path / "project" / folder).mkdir(parents=True)
        (tmp_path / "project" / folder / "letter.csv").write_text("start,end,category\n0,1,A\n5,9,B\n")
    (tmp_path / "project" / "ann").symlink_to("bob")
    (tmp_path / "project" / "cem").symlink_to(".kept/cem")
    (tmp_path / "project" / "more").symlink_to(tmp_path / "shared")
    (tmp_path / "shared" / "again").symlink_to("dora")
    corpus = read(tmp_path / "project", annotator_from="parent", document_from="stem")
    assert corpus.annotators == ("bob", "cem", "dora")


def test_links_to_folders_above_are_not_followed(tmp_path: Path) -> None:
    """Neither above the folder that is read nor above one that a link leads to."""
    for folder in ("project/ann", "shared/bob", "shared/cem"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "letter.csv").write_text("start,end,category\n0,1,A\n5,9,B\n")
    (tmp_path / "project" / "up").symlink_to(tmp_path)
    (tmp_path / "project" / "bob").symlink_to(tmp_path / "shared" / "bob")
    (tmp_path / "shared" / "bob" / "up").symlink_to("..")
    assert read(tmp_path / "project", annotator_from="parent").annotators == ("ann", "bob")


def test_faults_of_documents_that_are_not_read(tmp_path: Path) -> None:
    """A row that does not say reliably whose it is stops the reading all the same."""
    table = tmp_path / "a.csv"
    rows = ["document,annotator,start,end,category", "a,ann,0,1,A", "a,bob,4,5,B", "b,ann,x,5,B", "b,bob,9,5,B"]
    table.write_text("\n".join(rows) + "\n")
    assert [problem.where for problem in inspect(table).problems] == [f"{table}:4", f"{table}:5"]
    assert read(table, exclude_documents="b").n_units == 2
    assert [problem.where for problem in inspect(table, exclude_annotators="bob").problems] == [f"{table}:4"]
    (skipped, *_) = read(table, exclude_annotators="bob", skip_invalid=True).problems
    assert skipped.message == "1 row could not be read and was skipped (1 not-a-number)"
    table.write_text("\n".join([*rows, "b,bob,9"]) + "\n")
    assert [problem.where for problem in inspect(table, exclude_documents="b").problems] == [f"{table}:6"]


def test_a_key_that_is_twice_in_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"annotator": "ann", "start": 0, "end": 1}\n{"annotator": "bob", "start": 0, "end": 1, "start": 5}\n'
    )
    assert [(problem.where, problem.message) for problem in inspect(tmp_path / "a.jsonl").problems] == [
        (f"{tmp_path / 'a.jsonl'}:2", "the key 'start' is there twice in one object")
    ]


def test_standard_input_that_is_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second file shows that the words of the first must be taken from another attribute."""
    text = '<text><token><mod {}trans="so"><pos tag="ADV"/></mod></token></text>'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.format('utf="s\u014d" ').encode())))
    (tmp_path / "bob.xml").write_text(text.format(""))
    corpus = read(["-", tmp_path / "bob.xml"], versions=True, format="cora")
    assert corpus.n_units == 2
    assert corpus[0].text == "so"


def test_versions_of_a_text_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their format is told by their beginning."""
    versions = {"annotators": {who: {"text": "so", "units": [{"start": 0, "end": 2}]} for who in ("ann", "bob")}}
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(versions).encode())))
    assert read("-", versions=True).annotators == ("ann", "bob")


def test_scaling_says_that_annotators_texts_are_lost(tmp_path: Path) -> None:
    for who, text in (("ann", "Anna"), ("bob", "Anne")):
        (tmp_path / f"{who}.json").write_text(json.dumps({"text": text, "units": [{"start": 0, "end": 4}]}))
    corpus = read([tmp_path / "ann.json", tmp_path / "bob.json"], versions=True)
    assert [problem.message for problem in write(corpus, tmp_path / "out.json", scale=2)] == [
        "2 texts were left out: scaled positions no longer count characters"
    ]


def test_corrections_keep_annotators_texts_and_the_selection(tmp_path: Path) -> None:
    unit = {"start": 0, "end": 4}
    for who, text in (("ann", "Anna"), ("bob", "Anne"), ("cem", "Anni")):
        (tmp_path / f"{who}.json").write_text(json.dumps({"text": text, "units": [unit, unit]}))
    corpus = read([tmp_path / f"{who}.json" for who in ("ann", "bob", "cem")], versions=True, exclude_annotators="cem")
    fixed, changes = fix_corpus(corpus)
    assert [change.code for change in changes] == ["duplicate-units"] * 2
    assert fixed[0].own_texts == corpus[0].own_texts
    assert fixed.selection == {"exclude_annotators": ("cem",)}


def test_a_merged_spelling_is_not_called_a_wrong_encoding() -> None:
    continuum = Continuum.of({"ann": [(0, 1, "café"), (2, 3, "Café"), (4, 5, "Café")]}, name="d")
    assert [change.code for change in fix_corpus(Corpus((continuum,)))[1]] == ["similar-categories"]


def test_names_are_hidden_in_lists_and_layers(tmp_path: Path) -> None:
    """Initials in the list of annotators, and tiers that are named after their annotators."""
    (tmp_path / "a.csv").write_text("annotator,start,end,category\njd,0,1,A\nmk,4,5,B\n")
    assert "2 annotators (A, B)" in inspect(tmp_path / "a.csv", anonymise=True).understood
    tier = '"IntervalTier"\n"{}"\n0\n10\n1\n0\n10\n"a"\n'
    text = f'"ooTextFile"\n"TextGrid"\n0\n10\n<exists>\n2\n{tier.format("jo berg")}{tier.format("mk")}'
    found = look(tmp_path / "a.TextGrid", f"File type = {text}", annotator_from="tier", anonymise=True)
    assert found.contents.layers == {"A": 1, "B": 1}


@pytest.mark.parametrize(("one", "other"), [("1", "7"), ("100", "2007")])
def test_numbers_are_hidden_where_they_are_annotators(tmp_path: Path, one: str, other: str) -> None:
    """A document that ends at the number of an annotator; and annotators who marked nothing, in a list."""
    (tmp_path / "a.csv").write_text(f"annotator,start,end,category\n{one},0,1,A\n{other},4,{other},B\n")
    found = inspect(tmp_path / "a.csv", anonymise=True)
    assert "2 annotators (A, B)" in found.understood
    assert f"from the first start (0) to the last end ({other})" in found.problems[-1].message
    assert all(other not in problem.message for problem in found.problems[:-1])
    (tmp_path / "a.csv").write_text(f"annotator,start,end,category\n{one},,,\n{other},,,\ncem,0,9,A\n")
    (message,) = [
        each.message for each in inspect(tmp_path / "a.csv", anonymise=True).problems if "marked" in each.message
    ]
    letters = letters_of([one, other, "cem"])
    assert message == f"2 annotators saw documents and marked nothing ({letters[one]}, {letters[other]})"


def test_counts_are_no_annotators() -> None:
    hide = hiding(Key({"100": "A", "7": "B"}, {}))
    assert hide("100 rows; 1,100 units; row 7 has 3 cells") == "100 rows; 1,100 units; row 7 has 3 cells"
    assert hide("/data/100/7.csv, 100.csv, '7'") == "/data/A/B.csv, A.csv, 'B'"
    assert hide("100 is the only annotator") == "A is the only annotator"
