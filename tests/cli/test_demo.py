# SPDX-License-Identifier: MIT
"""`make demo` works: every command of its recipe is run. Oracle: exit code 0, and the values it promises."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from unisono.cli import main

ROOT = Path(__file__).parents[2]


def commands(folder: Path) -> list[list[str]]:
    """The arguments of each `unisono` call in the recipe of the target `demo`, the report written to the folder."""
    recipe = re.search(r"^demo:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    text = recipe[1].replace("$(REPORT)", str(folder / "report.html"))
    lines = [line for line in text.splitlines() if line.startswith("\t@$(BIN)/unisono ")]
    return [shlex.split(line.split("/unisono ", 1)[1].split(" 2>")[0]) for line in lines]


def test_every_command_of_the_demo_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(ROOT)
    calls = commands(tmp_path)
    assert len(calls) >= 3
    for arguments in calls:
        assert main(arguments) == 0, (arguments, capsys.readouterr().err)
    printed = capsys.readouterr().out
    assert printed.count("γ = ") == 2
    assert "proven to be the best alignment" in printed
    assert (tmp_path / "report.html").exists()
