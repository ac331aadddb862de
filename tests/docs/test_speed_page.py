# SPDX-License-Identifier: MIT
"""The page of speed figures, from figures made up here. Oracle: these figures."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


RUN = {
    "when": "2026-01-01 12:00 UTC", "load": 0.4, "cores": 2, "processor": "a processor", "system": "Linux",
    "python": "3.11.7", "numpy": "2.0.0", "unisono": "0.1.0",
}  # fmt: skip


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The program, with results and pages in a folder of the test, and sources of a digest that is known."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    program = runpy.run_path(str(ROOT / "bench" / "speed_page.py"))
    made_up = {"RESULTS": tmp_path / "results", "DOCS": tmp_path / "docs", "sources_digest": lambda: "now"}
    program["main"].__globals__.update(made_up)
    (tmp_path / "results").mkdir()
    (tmp_path / "docs" / "images").mkdir(parents=True)
    return program


def _part(name: str, columns: list[str], rows: list[dict[str, Any]], folder: Path, sources: str = "now") -> None:
    part = {"title": f"The {name}", "columns": columns, "rows": rows, "notes": ["a note", "this part took 3 s"]}
    (folder / "results" / f"{name}.json").write_text(json.dumps({**part, "run": {**RUN, "sources": sources}}))


def test_a_run_of_some_parts(page: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"case": "a|b", "times faster": "123", "at least": "", "ratio": ratio} for ratio in (123.4, 8.04, 4567.0)]
    _part("peers", ["case", "times faster", "at least"], rows, tmp_path)
    assert page["main"]([]) == 1
    text = (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8")
    assert "- Measured 2026-01-01 12:00 UTC at a load of 0.4: 2 cores (a processor), Linux, Python 3.11.7" in text
    assert "8.0 to 4,600 times faster, 120 in the median of 3 cases" in text
    assert "| a\\|b | 123 |" in text  # the empty column is left out
    assert "at least" not in text
    assert "- a note\n" in text
    assert "this part took" not in text
    missing = "Not measured: solver, corpora, many_documents, reading, startup."
    assert missing in text
    assert missing in capsys.readouterr().err
    assert (tmp_path / "docs" / "images" / "speed.svg").read_text(encoding="utf-8").lstrip().startswith("<")


def test_a_run_without_the_peer(page: dict[str, Any], tmp_path: Path) -> None:
    _part("startup", ["case", "ms"], [{"case": "import", "ms": "20"}], tmp_path)
    page["main"]([])
    text = (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8")
    assert "| import | 20 |" in text
    assert "![" not in text
    assert "pygamma-agreement**" not in text


def test_a_part_of_earlier_sources_is_named(
    page: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in page["PARTS"]:
        rows = [{"case": "a", "ratio": 2.0}]
        _part(name, ["case"], rows, tmp_path, sources="before" if name in {"solver", "reading"} else "now")
    assert page["main"]([]) == 1
    words = "Measured with earlier sources than those of this page: solver, reading."
    assert f"**{words}**" in (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8")
    assert capsys.readouterr().err.strip() == words


def test_a_whole_run_of_the_present_sources(
    page: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in page["PARTS"]:
        _part(name, ["case"], [{"case": "a", "ratio": 2.0}], tmp_path)
    assert page["main"]([]) == 0
    assert not capsys.readouterr().err


def test_nothing_measured(page: dict[str, Any], tmp_path: Path) -> None:
    assert page["main"]([]) == 1
    assert not (tmp_path / "docs" / "speed.md").exists()
