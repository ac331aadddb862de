# SPDX-License-Identifier: MIT
"""Run a command in this process: `run("measure", path)` gives exit code, stdout, stderr."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from unisono.cli import main


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Outcome]

TABLE = """\
document,annotator,start,end,category
one,ann,0,10,PER
one,ann,20,30,LOC
one,ann,45,50,LOC
one,bob,0,10,PER
one,bob,22,30,LOC
one,bob,40,50,PER
two,ann,5,15,LOC
two,ann,30,34,PER
two,bob,5,12,LOC
two,bob,31,34,PER
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two documents, two annotators, ten units."""
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path
