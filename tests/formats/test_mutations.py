# SPDX-License-Identifier: MIT
"""Broken files of every format: read, or refused in words. Oracle: no traceback, no hang, no untold error.

Every folder in fixtures/ is named after a format and holds a small input of our own; each of its files is broken in
turn, the others beside it stay whole. 200 times each here, 10,000 times each in `make test-all`.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from mutations import mutated
from unisono.errors import MissingDependencyError
from unisono.io import FORMATS, inspect

FIXTURES = Path(__file__).parent / "fixtures"
NAMES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())

#: Seconds a small broken file may take: far more than it does, far less than for ever.
PATIENCE = 10


@pytest.mark.parametrize("name", NAMES)
def test_the_fixture_is_sound(name: str) -> None:
    """What is broken below is whole to begin with, and found to be of its format."""
    if (needs := FORMATS[name].needs) is not None:
        pytest.importorskip(needs)
    found = inspect(FIXTURES / name)
    assert found.corpus is not None, found.problems
    assert name in FORMATS
    assert inspect(FIXTURES / name, format=name).corpus is not None


def break_it(name: str, folder: Path, seeds: range) -> None:
    source = FIXTURES / name
    copy = folder / name
    shutil.copytree(source, copy)
    files = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    for seed in seeds:
        path = files[seed % len(files)]
        whole = (source / path).read_bytes()
        (copy / path).write_bytes(mutated(whole, seed))
        began = time.monotonic()
        try:
            found = inspect(copy, format=name if seed % 4 else None, skip_invalid=seed % 3 == 0)
        except MissingDependencyError:
            pytest.skip(f"{name} needs an optional library")
        except Exception as error:
            raise AssertionError(f"{name}/{path} broken with seed {seed}") from error
        assert time.monotonic() - began < PATIENCE, f"{name}/{path} broken with seed {seed} takes too long"
        assert (found.corpus is None) == any(problem.severity == "error" for problem in found.problems)
        (copy / path).write_bytes(whole)


@pytest.mark.parametrize("name", NAMES)
def test_broken_files(name: str, tmp_path: Path) -> None:
    break_it(name, tmp_path, range(200))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_many_broken_files(name: str, tmp_path: Path) -> None:
    break_it(name, tmp_path, range(200, 10_000))
