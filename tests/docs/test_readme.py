# SPDX-License-Identifier: MIT
"""README, demo and report say the same. Oracle: the README's own words, its commands run as they stand."""

from __future__ import annotations

import doctest
import re
import shutil
from pathlib import Path

import pytest

from console_blocks import check, examples

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_the_commands_of_the_readme_print_what_it_shows(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert check(README, tmp_path) >= 1
    assert (tmp_path / "report.html").stat().st_size > 100_000


def test_the_python_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failures, tried = doctest.testfile(str(README), module_relative=False)
    assert not failures
    assert tried >= 5


def test_the_demo_runs_the_command_of_the_readme() -> None:
    """The same command, so that a newcomer sees the same number twice; only the report's place differs."""
    (command, *_) = (example.command for example in examples(README))
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").replace("$(REPORT)", "report.html")
    assert f"$(BIN)/{command}\n" in recipe
    shown = re.search(r"^γ = (\d\.\d+)", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert shown is not None
    assert f"\n{shown[1]}\n" in README.read_text(encoding="utf-8")  # Python's example prints it too
