# SPDX-License-Identifier: MIT
"""What is loaded when. Oracle: sys.modules of a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"typer", "click", "rich", "narwhals", "pyarrow", "scipy", "pandas", "polars", "rapidfuzz"}


def loaded(code: str, *arguments: str) -> set[str]:
    """The top-level modules in a fresh process after this code."""
    program = f"{code}\nimport sys, json; print('\\n' + json.dumps(sorted({{m.split('.')[0] for m in sys.modules}})))"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import unisono",
        "import unisono; unisono.measure, unisono.read, unisono.best_alignment, unisono.CombinedDissimilarity",
        "import unisono; unisono.measure(unisono.corpus({'d': {'a': [(0, 5, 'X')], 'b': [(0, 4, 'X')]}}), samples=5)",
    ],
    ids=["import", "names", "measure"],
)
def test_the_library_is_light(code: str) -> None:
    assert not loaded(code) & HEAVY


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert "numpy" not in loaded("import unisono")


@pytest.mark.parametrize("command", [["measure", "--help"], ["measures"], ["measures", "--json"]])
def test_help_and_the_list_of_measures_do_without_numpy(command: list[str]) -> None:
    assert "numpy" not in loaded(f"import unisono.cli; unisono.cli.main({command!r})")


def test_measuring_csv_as_json_needs_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("annotator,start,end,category\na,0,5,X\nb,0,4,X\n", encoding="utf-8")
    modules = loaded("import sys, unisono.cli; unisono.cli.main(['measure', sys.argv[1], '--json'])", str(path))
    assert not modules & (HEAVY - {"typer", "click"})
