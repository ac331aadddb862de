# SPDX-License-Identifier: MIT
"""The tutorials' commands, run one after the other as a reader would. Oracle: what the pages say that comes out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from console_blocks import check, examples

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md")])
TUTORIALS = [page for page in PAGES if examples(page)]


def test_there_are_tutorials() -> None:
    assert len(TUTORIALS) >= 7


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_commands_of_the_page(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert check(page, tmp_path) > 0
