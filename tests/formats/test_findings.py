# SPDX-License-Identifier: MIT
"""What `make fuzz` found. Oracle: every set that was once not answered in words now is."""

from __future__ import annotations

from pathlib import Path

import pytest

from unisono.errors import MissingDependencyError
from unisono.io import inspect

FINDINGS = Path(__file__).parent / "findings"
NAMES = sorted(folder.name for folder in FINDINGS.iterdir() if folder.is_dir()) if FINDINGS.is_dir() else []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("skip_invalid", [False, True])
def test_what_fuzzing_found(name: str, skip_invalid: bool) -> None:
    folder = FINDINGS / name
    wanted = (folder / "problem.txt").read_text(encoding="utf-8").partition("\n")[0].removeprefix("format: ")
    source = next(each for each in folder.iterdir() if each.is_dir())
    for format in {None, None if wanted == "None" else wanted}:
        try:
            found = inspect(source, format=format, skip_invalid=skip_invalid)
        except MissingDependencyError:
            pytest.skip("needs an optional library")
        assert (found.corpus is None) == any(problem.severity == "error" for problem in found.problems)
