# SPDX-License-Identifier: MIT
"""Where units begin and end, in files in which that could be lost. Oracle: written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unisono import Corpus
from unisono.errors import InputError
from unisono.io import CorpusStream, inspect, read
from unisono.io.reading_options import plan_reading


def bounds(corpus: Corpus) -> list[tuple[float, float]]:
    return [(unit.start, unit.end) for continuum in corpus for unit in continuum]


def test_cutting_at_the_extent_keeps_other_fractions(tmp_path: Path) -> None:
    """One end passes the extent by rounding; starts are whole numbers, the other ends are not."""
    table = tmp_path / "a.csv"
    table.write_text("annotator,start,end,category\nann,0,1.5,A\nann,2,3.7,A\nbob,4,10.0005,B\n")
    corpus = read(table, extent=(0, 10))
    assert bounds(corpus) == [(0, 1.5), (2, 3.7), (4, 10)]
    assert "rounded-ends" in {problem.code for problem in corpus.problems}


def test_pieces_are_moved_with_their_unit(tmp_path: Path) -> None:
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "letter.ann").write_text("T1\tPerson 1 4;6 9\tx\n")
    corpus = read(tmp_path, one_based=True, inclusive_ends=True)
    assert bounds(corpus) == [(0, 9), (0, 9)]
    assert corpus[0][0].features == {"pieces": "0-4 5-9"}
    pieces = read(tmp_path, one_based=True, inclusive_ends=True, discontinuous="pieces")
    assert bounds(pieces) == [(0, 4), (5, 9)] * 2


def test_times_of_old_elan_files_are_not_called_milliseconds(tmp_path: Path) -> None:
    for units, unit in (("milliseconds", "ms"), ("PAL-frames", None)):
        text = (
            f'<ANNOTATION_DOCUMENT><HEADER TIME_UNITS="{units}"/><TIME_ORDER><TIME_SLOT TIME_SLOT_ID="a" '
            'TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="b" TIME_VALUE="9"/></TIME_ORDER><TIER TIER_ID="coder1">'
            '<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="1" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b">'
            "<ANNOTATION_VALUE>x</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER></ANNOTATION_DOCUMENT>"
        )
        (tmp_path / "a.eaf").write_text(text)
        extent = read(tmp_path / "a.eaf")[0].extent
        assert extent is not None
        assert extent.unit == unit


def test_a_stream_asks_about_time_codes_beside_numbers(tmp_path: Path) -> None:
    """As reading the whole table does, although no part of the rows has both."""
    times = {"a": "{}", "b": "0:{:02}"}
    rows = [
        f"{document},{who},{time.format(start)},{time.format(start + 1)},A"
        for document, time in times.items()
        for who in ("ann", "bob")
        for start in range(1, 50)
    ]
    table = tmp_path / "a.csv"
    table.write_text("\n".join(["document,annotator,start,end,category", *rows]) + "\n")
    for open_table in (read, lambda path: [*CorpusStream((path,), plan_reading({}), rows=1).parts()]):
        with pytest.raises(InputError) as refused:
            open_table(table)
        assert [problem.code for problem in refused.value.problems] == ["question-time-unit"]


def test_lines_of_an_export_with_a_comment_of_two_lines(tmp_path: Path) -> None:
    table = 'Observation id,Time,Behavior,Behavior type,Comment\no,1,run,POINT,"two\nlines"\no,soon,run,POINT,\n'
    (tmp_path / "a.csv").write_text(table)
    assert [problem.where for problem in inspect(tmp_path / "a.csv", format="boris").problems] == [
        f"{tmp_path / 'a.csv'}:4"
    ]


def test_a_column_of_splits_is_not_proposed_as_the_annotator(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("set,start,end,label\ntrain,0,1,A\ntest,4,5,B\n")
    (problem,) = inspect(tmp_path / "a.csv").problems
    assert problem.message == (
        "no column was recognised for the annotator: the columns are set, start, end, label (set names parts of the "
        "data, not annotators)"
    )
    assert "maybe" not in problem.remedy


def paragraph_units(tmp_path: Path, units: list[tuple[int, int, int, str]], *, stores_texts: bool) -> list[str]:
    """The texts at units, given as paragraph, offsets and text, on three paragraphs of Label Studio."""
    paragraphs = [{"text": "😀 so Anna"}, {"text": "Bob and\n😀 Cem"}, {"text": "Dora"}]
    results = [
        {"id": word, "from_name": "who", "type": "paragraphlabels",
         "value": {"start": str(number), "end": str(number), "startOffset": start, "endOffset": end,
                   "paragraphlabels": ["P"], **({"text": word} if stores_texts else {})}}
        for number, start, end, word in units
    ]  # fmt: skip
    tasks = [{"id": 1, "data": {"dialogue": paragraphs}, "annotations": [{"completed_by": 1, "result": results}]}]
    (tmp_path / "a.json").write_text(json.dumps(tasks))
    corpus = read(tmp_path / "a.json")
    text = corpus[0].text
    assert text is not None
    return [text[int(start) : int(end)] for start, end in bounds(corpus)]


@pytest.mark.parametrize("stores_texts", [True, False])
def test_offsets_of_paragraphs_count_utf_16_units(tmp_path: Path, *, stores_texts: bool) -> None:
    """From the beginning of the paragraph, as the length of a text in JavaScript; a line end does not end it."""
    words = [(0, 3, 5, "so"), (0, 6, 10, "Anna"), (1, 0, 3, "Bob"), (1, 11, 14, "Cem"), (2, 0, 4, "Dora")]
    assert paragraph_units(tmp_path, words, stores_texts=stores_texts) == ["so", "Anna", "Bob", "Cem", "Dora"]


def test_offsets_of_paragraphs_that_count_characters(tmp_path: Path) -> None:
    """Units of other programs, as the texts that are stored with them show."""
    words = [(0, 2, 4, "so"), (0, 5, 9, "Anna"), (1, 0, 3, "Bob"), (1, 10, 13, "Cem"), (2, 0, 4, "Dora")]
    assert paragraph_units(tmp_path, words, stores_texts=True) == ["so", "Anna", "Bob", "Cem", "Dora"]


def test_a_table_of_documents_with_mostly_paths(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("document,annotator,start,end,category\nd,ann,0,1,A\nd,bob,0,1,A\n")
    (tmp_path / "d.csv").write_text("document,text\nd,texts/d.txt\ne,A text as it should be.\nf,f.txt\n")
    (problem,) = inspect(tmp_path / "a.csv", documents=tmp_path / "d.csv").problems
    assert (problem.code, problem.message) == (
        "text-paths",
        "the column text has paths of files (texts/d.txt, f.txt), not texts",
    )
