# SPDX-License-Identifier: MIT
"""Excel files. Oracle: workbooks written here part by part, and the same table as CSV."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from unisono.errors import FormatError, InputError, MissingDependencyError
from unisono.io import inspect, read

ROWS = [
    ["annotator", "start", "end", "category"],
    ["ann", 0, 5, "PER"],
    ["ann", 10, 15, "LOC"],
    ["bob", 0, 6, "PER"],
    [None, None, None, None],
    ["bob", 10, 15, "ORG"],
]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_workbook(path: str, sheets: dict[str, list[list[object]]]) -> None:
    """A minimal workbook with texts in the cells themselves."""
    kind = "http://schemas.openxmlformats.org"
    names = list(sheets)
    with zipfile.ZipFile(path, "w") as archive:
        overrides = "".join(
            f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="application/'
            'vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
            for i in range(1, len(names) + 1)
        )
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{kind}/package/2006/content-types"><Default Extension="rels" ContentType="application/'
            'vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="'
            f'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>{overrides}</Types>',
        )
        relation = f"{kind}/officeDocument/2006/relationships"
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{kind}/package/2006/relationships"><Relationship Id="r1" '
            f'Type="{relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        listed = "".join(f'<sheet name="{n}" sheetId="{i}" r:id="r{i}"/>' for i, n in enumerate(names, 1))
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{kind}/spreadsheetml/2006/main" xmlns:r="{relation}"><sheets>{listed}</sheets>'
            "</workbook>",
        )
        related = "".join(
            f'<Relationship Id="r{i}" Type="{relation}/worksheet" Target="worksheets/sheet{i}.xml"/>'
            for i in range(1, len(names) + 1)
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{kind}/package/2006/relationships">{related}</Relationships>',
        )
        for i, rows in enumerate(sheets.values(), 1):
            lines = "".join(
                f'<row r="{r}">'
                + "".join(_cell(f"{'ABCDEFGH'[c]}{r}", value) for c, value in enumerate(row))
                + "</row>"
                for r, row in enumerate(rows, 1)
            )
            archive.writestr(
                f"xl/worksheets/sheet{i}.xml",
                f'<worksheet xmlns="{kind}/spreadsheetml/2006/main"><sheetData>{lines}</sheetData></worksheet>',
            )


def _cell(place: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def test_a_sheet_is_read_like_the_same_csv() -> None:
    pytest.importorskip("python_calamine")
    write_workbook("a.xlsx", {"Units": ROWS})
    Path("a.csv").write_text("\n".join(",".join(map(str, row)) for row in ROWS if row[0] is not None))
    seen = inspect("a.xlsx")
    assert seen.corpus == read("a.csv")
    assert seen.understood.startswith("Excel; 2 annotators")
    assert seen.corpus is not None
    assert seen.corpus[0].has_integer_positions


def test_the_sheet_can_be_chosen() -> None:
    pytest.importorskip("python_calamine")
    write_workbook("a.xlsx", {"Notes": [["nothing here"]], "Units": ROWS})
    assert read("a.xlsx", sheet="Units") == read("a.xlsx", sheet=2)
    with pytest.raises(FormatError, match="there is no sheet 'Unit': the sheets are Notes, Units"):
        read("a.xlsx", sheet="Unit")
    write_workbook("a.xlsx", {"Units": ROWS, "Notes": [["nothing here"]]})
    notes = [str(problem) for problem in inspect("a.xlsx").problems if problem.code == "sheet-choice"]
    assert notes == ["a.xlsx: the first of 2 sheets was read, 'Units'; the other is Notes. Choose another with sheet=."]


def test_a_problem_names_sheet_and_row() -> None:
    pytest.importorskip("python_calamine")
    write_workbook("a.xlsx", {"Units": [*ROWS, ["bob", 9, 3, "PER"]]})
    with pytest.raises(InputError, match=r"a.xlsx sheet Units row 7: the unit ends \(3\) before it starts \(9\)"):
        read("a.xlsx")


def test_a_damaged_file_is_refused() -> None:
    pytest.importorskip("python_calamine")
    write_workbook("a.xlsx", {"Units": ROWS})
    Path("a.xlsx").write_bytes(Path("a.xlsx").read_bytes()[:-40])
    with pytest.raises(InputError):
        read("a.xlsx")


def test_a_workbook_that_unpacks_to_too_much_is_refused() -> None:
    write_workbook("a.xlsx", {"Units": ROWS})
    with pytest.raises(FormatError, match="more than 1,900 bytes"):
        read("a.xlsx", size_limit=1900)


def test_the_library_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    write_workbook("a.xlsx", {"Units": ROWS})
    with pytest.raises(MissingDependencyError, match="reading Excel files needs an optional library"):
        read("a.xlsx")
