# SPDX-License-Identifier: MIT
"""Small files made to keep a reader busy, or to fill the memory. Oracle: the message, which comes at once.

Each took minutes, hours or gigabytes when patterns tried every way to divide a line, or gaps were filled with blanks.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest
import python_calamine
from pyarrow import parquet

from unisono.io import inspect, read

N = 300_000


def brat(folder: Path) -> Path:
    (folder / "a.ann").write_text("T1\tP 0 1\tx\nE1\t" + ":" * N + "\t\n")
    return folder / "a.ann"


def chat(folder: Path) -> Path:
    (folder / "a.cha").write_text("@UTF8\n@Begin\n*CHI:\tx " + "[+ a" * N + " \x150_5\x15\n@End\n")
    return folder / "a.cha"


def factgenie(folder: Path) -> Path:
    row = {"annotations": [], "dataset": "d", "split": "s", "setup_id": "m", "example_idx": 0, "annotator_group": 0}
    (folder / "config.yaml").write_text("annotation_span_categories:\n- name: a" + " " * N + "b\n")
    (folder / "a.jsonl").write_text(json.dumps(row))
    return folder


def raven(folder: Path) -> Path:
    (folder / "a.txt").write_text("Begin Time (s)\tEnd Time (s)\t" + "(" * N + "\n0.1\t0.2\tx\n")
    return folder / "a.txt"


def tei(folder: Path) -> Path:
    target = "string-range( " * N
    text = '<TEI><text><body><p xml:id="a">hi</p></body></text>'
    (folder / "a.xml").write_text(f'{text}<standOff><span target="{target}"/></standOff></TEI>')
    return folder / "a.xml"


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (brat, "malformed"),
        (chat, "one-annotator"),
        (factgenie, "no-units"),
        (raven, "one-annotator"),
        (tei, "missing-position"),
    ],
)
def test_long_lines_are_read_in_one_go(tmp_path: Path, make: Callable[[Path], Path], code: str) -> None:
    found = inspect(make(tmp_path))
    assert code in {problem.code for problem in found.problems}


def test_a_token_far_away_is_refused(tmp_path: Path) -> None:
    """The text before it would be a gigabyte of blanks."""
    (tmp_path / "a.tsv").write_text("form\tstart\tend\nso\t0\t2\nabcdefghi\t999999990\t999999999\n")
    found = inspect(tmp_path / "a.tsv", versions=True)
    assert [(problem.code, problem.where, problem.message) for problem in found.problems] == [
        (
            "token-columns",
            f"{tmp_path / 'a.tsv'}:3",
            "the token starts at 999999990, 999,999,988 characters after the end of the token above",
        )
    ]


def test_tokens_of_a_passage(tmp_path: Path) -> None:
    """Their offsets are those of the whole text, and what is before them may be long."""
    (tmp_path / "a.tsv").write_text("form\tstart\tend\nso\t250000\t250002\n")
    (unit,) = read(tmp_path / "a.tsv", versions=True)[0]
    assert (unit.start, unit.end) == (250_000, 250_002)


def test_many_gaps_between_sentences_are_not_filled_without_end(tmp_path: Path) -> None:
    """Each is short enough, all of them would be a hundred million line ends; the units behind are outside the text."""
    lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=x.Unit|label", "", ""]
    for i in range(1000):
        at = i * 100_000
        lines += ["", f"#Text=a{i}", f"{i + 1}-1\t{at}-{at + 1}\ta\tX\t"]
    (tmp_path / "ann.tsv").write_text("\n".join(lines) + "\n")
    found = inspect(tmp_path / "ann.tsv")
    assert {problem.code for problem in found.problems} == {"outside-extent"}


def workbook(path: Path, cells: str) -> Path:
    """The parts of an Excel file that are looked at before it is opened."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{cells}</sheetData></worksheet>")
    return path


def complete_workbook(path: Path, cells: str) -> Path:
    """An Excel file that the library opens."""
    schemas = "http://schemas.openxmlformats.org"
    relation = f'<Relationships xmlns="{schemas}/package/2006/relationships"><Relationship Id="r1" Type="{schemas}'
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{schemas}/package/2006/content-types"/>',
        "_rels/.rels": f'{relation}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/_rels/workbook.xml.rels": f'{relation}/officeDocument/2006/relationships/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{schemas}/spreadsheetml/2006/main" xmlns:r="{schemas}/'
        'officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/worksheets/sheet1.xml": f"<worksheet><sheetData>{cells}</sheetData></worksheet>",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, f'<?xml version="1.0"?>{content}')
    return path


def open_document(path: Path, rows: str) -> Path:
    content = f'<office:spreadsheet><table:table table:name="S">{rows}</table:table></office:spreadsheet>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    return path


ROW = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
CELL = '<table:table-cell table:number-columns-repeated="{}" office:value-type="float" office:value="1"/>'
EMPTY = '<table:table-cell table:number-columns-repeated="16384"/>'


def test_cells_far_apart(tmp_path: Path) -> None:
    """The library would make room for all cells between them, and end the process."""
    far = ["<row r='1'><c r='A1'><v>1</v></c></row>", '<row r="1048576"><c s="1" r="XFD1048576"><v>1</v></c></row>']
    (problem,) = inspect(workbook(tmp_path / "a.xlsx", "".join(far))).problems
    assert problem.code == "size-limit"
    assert "reach to row 1,048,576 and column 16,384" in problem.message


def test_cells_and_sheets_without_their_usual_names(tmp_path: Path) -> None:
    """A cell without a name is in the row that is named; a sheet may be anywhere in the archive."""
    first, last = '<row r="1"><c foo=">" r="XFD1"><v>1</v></c></row>', '<row r="1048576"><c><v>1</v></c></row>'
    (problem,) = inspect(workbook(tmp_path / "a.xlsx", first + last)).problems
    assert problem.code == "size-limit"
    path = workbook(tmp_path / "b.xlsx", "")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/b.bin", f"<sheetData>{first}<row><c r='A1048576'><v>1</v></c></row></sheetData>")
    (problem,) = inspect(path).problems
    assert problem.code == "size-limit"


def test_cells_that_have_only_a_colour(tmp_path: Path) -> None:
    """They take no memory: the file is refused for what it lacks, not for its size."""
    empty = '<row r="1048576"><c r="XFD1048576" s="1"/><c r="XFC1048576" s="1"> </c></row>'
    (problem,) = inspect(workbook(tmp_path / "a.xlsx", f'<row r="1"><c r="A1"><v>1</v></c></row>{empty}')).problems
    assert problem.code == "excel"


FAR = '<row r="50">{}</row>'
#: Cells in column 1,000 of row 50, or in row 50,000, in ways in which no program writes them.
MISLEADING = {
    "text before the value": FAR.format('<c r="ALL50">x<v>1</v></c>'),
    "a sign of less": FAR.format('<c f="<" r="ALL50"><v>1</v></c>'),
    "a prefix with a hyphen": FAR.format('<a-b:c r="ALL50"><v>1</v></a-b:c>'),
    "a name within a value": FAR.format('<c f=\' r="A1"\' r="ALL50"><v>1</v></c>'),
    "two names": FAR.format('<c r="A1" r="ALL50"><v>1</v></c>'),
    "no blank before the name": FAR.format('<c f=""r="ALL50"><v>1</v></c>'),
    "a row with a sign of less": '<row f="<" r="50000"><c><v>1</v></c></row>',
    "a row with a prefix": '<a-b:row r="50000"><c><v>1</v></c></a-b:row>',
    "a number within a value": '<row f=\' r="2"\' r="50000"><c><v>1</v></c></row>',
    "a cell without a name": '<row r="50000"><c f=" r="><v>1</v></c></row>',
}
FAR_CELL = '<table:table-cell {} table:number-columns-repeated="1000" office:value-type="float" office:value="1"/>'
MISLEADING_CELLS = {
    "a sign of less": FAR_CELL.format('f="<"'),
    "a sign of more": FAR_CELL.format('f=">"'),
    "a number within a value": FAR_CELL.format("f='table:number-columns-repeated=\"1\"'"),
}


def n_cells(path: Path) -> int:
    """How many cells the library makes room for."""
    rows = python_calamine.CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python(skip_empty_area=False)
    return len(rows) * len(rows[0])


@pytest.mark.parametrize("what", MISLEADING)
def test_cells_that_the_library_finds_are_counted(tmp_path: Path, what: str) -> None:
    """Held against what the library reads: it takes these for cells, so that the size must not pass unseen."""
    path = complete_workbook(tmp_path / "a.xlsx", f'<row r="1"><c r="A1"><v>1</v></c></row>{MISLEADING[what]}')
    assert n_cells(path) == 50_000
    (problem,) = inspect(path, size_limit=100_000).problems
    assert problem.code in ("size-limit", "excel")


@pytest.mark.parametrize("what", MISLEADING_CELLS)
def test_repeated_cells_that_the_library_finds_are_counted(tmp_path: Path, what: str) -> None:
    path = open_document(tmp_path / "a.ods", ROW.format(50, MISLEADING_CELLS[what]))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("META-INF/manifest.xml", "<manifest:manifest/>")
    assert n_cells(path) == 50_000
    (problem,) = inspect(path, size_limit=100_000).problems
    assert problem.code in ("size-limit", "excel")


def test_sheets_with_prefixes_and_unnamed_cells_are_read(tmp_path: Path) -> None:
    """They are well-formed; far from the table are only cells that have a colour."""
    names = ("annotator", "start", "end", "category")
    header = "".join(f'<x:c t="inlineStr"><x:is><x:t>{name}</x:t></x:is></x:c>' for name in names)
    rows = "".join(
        f'<x:row><x:c t="inlineStr"><x:is><x:t>{who}</x:t></x:is></x:c><x:c><x:v>0</x:v></x:c><x:c><x:v>5</x:v></x:c>'
        '<x:c t="str"><x:v>A</x:v></x:c></x:row>'
        for who in ("ann", "bob")
    )
    empty = '<x:row r="1048576"><x:c r="XFD1048576" s="1"/></x:row>'
    path = complete_workbook(tmp_path / "a.xlsx", f"<x:row>{header}</x:row>{rows}{empty}")
    assert [(unit.annotator, unit.start, unit.end, unit.category) for unit in read(path)[0]] == [
        ("ann", 0, 5, "A"),
        ("bob", 0, 5, "A"),
    ]


def test_a_binary_workbook_is_refused(tmp_path: Path) -> None:
    """The library would read it under this name, and its cells are not counted."""
    path = complete_workbook(tmp_path / "a.xlsx", "")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/workbook.bin", b"")
    (problem,) = inspect(path).problems
    assert problem.message == "the Excel file cannot be read (it is a binary workbook)"


@pytest.mark.parametrize("cells", ["<c r='A1'" * N, "<c" + " r='A1'" * N, "<c " * N, "<c r='A1'" + "> " * N, "<x:" * N])
def test_tags_without_end(tmp_path: Path, cells: str) -> None:
    assert {problem.code for problem in inspect(workbook(tmp_path / "a.xlsx", cells)).problems} == {"excel"}
    rows = "<table:table-row>" + "<table:table-cell " * N
    assert {problem.code for problem in inspect(open_document(tmp_path / "a.ods", rows)).problems} == {"excel"}


def test_repeated_cells(tmp_path: Path) -> None:
    (problem,) = inspect(open_document(tmp_path / "a.ods", ROW.format(1_000_000, CELL.format(1000)))).problems
    assert problem.code == "size-limit"
    assert "reach to row 1,000,000 and column 1,000" in problem.message


def test_empty_cells_at_the_end_do_not_count(tmp_path: Path) -> None:
    """Spreadsheets write them: the file is refused for what it lacks, not for its size."""
    rows = ROW.format(2, CELL.format(3) + EMPTY) + ROW.format(1_048_574, EMPTY)
    assert {problem.code for problem in inspect(open_document(tmp_path / "a.ods", rows)).problems} == {"excel"}


def test_many_units_on_one_long_paragraph(tmp_path: Path) -> None:
    """Label Studio counts UTF-16 units: the paragraph is analysed once, not once a unit."""
    bounds = [(7 * i, 7 * i + 3) for i in range(10_000)]
    results = [
        {"type": "paragraphlabels", "from_name": "w", "id": str(start),
         "value": {"start": "0", "end": "0", "startOffset": start, "endOffset": end, "paragraphlabels": ["P"]}}
        for start, end in bounds
    ]  # fmt: skip
    data = {"dialogue": [{"text": "é😀 so " * 100_000}]}
    tasks = [{"id": 1, "data": data, "annotations": [{"completed_by": 1, "result": results}]}]
    (tmp_path / "a.json").write_text(json.dumps(tasks))
    found = read(tmp_path / "a.json", format="label-studio")[0]
    assert (found.starts.tolist(), found.ends.tolist()) == (
        [6 * i for i in range(10_000)],
        [6 * i + 2 for i in range(10_000)],
    )


def test_many_links_to_folders(tmp_path: Path) -> None:
    """Each is compared with the folders above it, not with all links before it."""
    (tmp_path / "project").mkdir()
    for i in range(3000):
        (tmp_path / "elsewhere" / str(i)).mkdir(parents=True)
        (tmp_path / "project" / str(i)).symlink_to(tmp_path / "elsewhere" / str(i))
    (tmp_path / "elsewhere" / "2999" / "a.csv").write_text("annotator,start,end\nann,0,1\n")
    assert read(tmp_path / "project").n_units == 1


def test_a_value_that_is_stored_once_and_read_often(tmp_path: Path) -> None:
    """A Parquet file of a few kilobytes with a gigabyte of text."""
    n_rows = 100_000
    names = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * n_rows, pyarrow.int32()), ["x" * 10_000])
    columns = {"annotator": names, "start": pyarrow.array([0] * n_rows), "end": pyarrow.array([1] * n_rows)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet", store_schema=False)
    assert (tmp_path / "a.parquet").stat().st_size < 100_000
    used = pyarrow.default_memory_pool().max_memory()
    (problem,) = inspect(tmp_path / "a.parquet", size_limit=10_000_000).problems
    assert problem.code == "size-limit"
    assert pyarrow.default_memory_pool().max_memory() < used + 100_000_000


@pytest.mark.parametrize("encoding", ["RLE_DICTIONARY", "DELTA_BYTE_ARRAY"])
def test_a_long_value_that_is_in_few_rows(tmp_path: Path, encoding: str) -> None:
    """Rows that are read together would take 2 GB, though there are not many of them."""
    n_rows, value = 400, "x" * 5_000_000
    numbers = pyarrow.array([0] * n_rows, pyarrow.int32())
    names = pyarrow.DictionaryArray.from_arrays(numbers, pyarrow.array([value]))
    how: dict[str, Any] = {}
    if encoding == "DELTA_BYTE_ARRAY":
        n_rows = 40
        names = pyarrow.array([value] * n_rows)
        how = {"use_dictionary": False, "column_encoding": {"annotator": encoding, "start": "PLAIN", "end": "PLAIN"}}
    columns = {"annotator": names, "start": pyarrow.array([0] * n_rows), "end": pyarrow.array([1] * n_rows)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet", compression="zstd", store_schema=False, **how)
    del names, columns
    program = (
        "import pyarrow, unisono\n"
        f"print(unisono.inspect({str(tmp_path / 'a.parquet')!r}, size_limit=10_000_000).problems[0].code)\n"
        "print(pyarrow.default_memory_pool().max_memory() < 100_000_000)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["size-limit", "True"]


def test_all_kinds_of_texts_in_parquet(tmp_path: Path) -> None:
    """Nothing is lost of nulls, nested texts and bytes that are counted before they are read."""
    columns = {
        "annotator": pyarrow.array(["ann", "bob"]),
        "start": pyarrow.array([0, 3]),
        "end": pyarrow.array([1, 4]),
        "category": pyarrow.array(["A", None]),
        "note": pyarrow.array([None, None], pyarrow.string()),
        "long": pyarrow.array(["x", "y"], pyarrow.large_string()),
        "price": pyarrow.array([1, 2], pyarrow.decimal128(30)),
    }
    parquet.write_table(pyarrow.table(columns), tmp_path / "a.parquet")
    assert [(unit.annotator, unit.start, unit.category) for unit in read(tmp_path / "a.parquet")[0]] == [
        ("ann", 0, "A"),
        ("bob", 3, None),
    ]
