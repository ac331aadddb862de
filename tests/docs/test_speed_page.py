# SPDX-License-Identifier: MIT
"""The page of speed figures, from figures made up here. Oracle: these figures."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The program, with results and pages in a folder of the test."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    program = runpy.run_path(str(ROOT / "bench" / "speed_page.py"))
    program["main"].__globals__.update(RESULTS=tmp_path / "results", DOCS=tmp_path / "docs")
    (tmp_path / "results").mkdir()
    (tmp_path / "docs" / "images").mkdir(parents=True)
    machine = {"cores": 2, "processor": "x86_64", "python": "3.11.7", "when": "2026-01-01", "load": 0.4}
    (tmp_path / "results" / "machine.json").write_text(json.dumps(machine))
    return program


def _part(name: str, columns: list[str], rows: list[dict[str, Any]], folder: Path) -> None:
    part = {"title": f"The {name}", "columns": columns, "rows": rows, "notes": ["a note", "this part took 3 s"]}
    (folder / "results" / f"{name}.json").write_text(json.dumps(part))


def test_a_run_of_some_parts(page: dict[str, Any], tmp_path: Path) -> None:
    rows = [{"case": "a|b", "times faster": "123", "at least": "", "ratio": ratio} for ratio in (123.4, 8.04, 4567.0)]
    _part("peers", ["case", "times faster", "at least"], rows, tmp_path)
    page["main"]()
    text = (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8")
    assert "2 cores, x86_64, Python 3.11.7; 2026-01-01, load 0.4" in text
    assert "8.0 to 4,600 times faster, 120 in the median of 3 cases" in text
    assert "| a\\|b | 123 |" in text  # the empty column is left out
    assert "at least" not in text
    assert "- a note\n" in text
    assert "this part took" not in text
    assert "Not measured in that run: solver, corpora, reading, startup." in text
    assert (tmp_path / "docs" / "images" / "speed.svg").read_text(encoding="utf-8").lstrip().startswith("<")


def test_a_run_without_the_peer(page: dict[str, Any], tmp_path: Path) -> None:
    _part("startup", ["case", "ms"], [{"case": "import", "ms": "20"}], tmp_path)
    page["main"]()
    text = (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8")
    assert "| import | 20 |" in text
    assert "![" not in text
    assert "pygamma-agreement**" not in text
