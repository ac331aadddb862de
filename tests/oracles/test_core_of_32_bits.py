# SPDX-License-Identifier: MIT
"""The core where std::size_t has 32 bits, as in the page without a server. Oracle: the same program with 64 bits.

Counts of steps, nodes, states and bytes pass 2^32; where they wrapped around, the page would stop earlier than the
command line, or write beyond the end of a table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("core_of_32_bits.cpp")
#: Matrices and vectors, of which the other program has too few annotators.
VECTORS = Path(__file__).with_name("vector_bound.cpp")
#: Arithmetic as on 64 bits: SSE, whose doubles have 64 bits everywhere, not the processor's old registers.
FLAGS = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
BITS = {"32": ["-m32", "-msse2", "-mfpmath=sse"], "64": ["-m64"]}


def _output(compiler: str, bits: str, folder: Path, program: Path = PROGRAM) -> str:
    built = folder / f"{program.stem}{bits}"
    core = ROOT / "src" / "unisono" / "_core"
    subprocess.run([compiler, *FLAGS, *BITS[bits], f"-I{core}", program, "-pthread", "-o", built], check=True)
    return subprocess.run([built], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def compiler(tmp_path: Path) -> str:
    """A compiler that can make programs of 32 bits."""
    found = shutil.which(os.environ.get("CXX", "g++"))
    empty = tmp_path / "empty.cpp"
    empty.write_text("#include <vector>\nint main() { return static_cast<int>(std::vector<int>().size()); }\n")
    can = found and subprocess.run([found, "-m32", empty, "-o", tmp_path / "empty"], capture_output=True, check=False)
    if not found or not can or can.returncode:
        pytest.skip("no compiler for 32 bits here (Debian: g++-multilib)")
    return found


def test_the_core_computes_the_same_with_32_bits(compiler: str, tmp_path: Path) -> None:
    short, long = _output(compiler, "32", tmp_path), _output(compiler, "64", tmp_path)
    assert "listed 1 7\n" in long
    assert "kept 60000000100\n" in long
    assert "fits 1, too big 1\n" in long
    assert "refused 1\n" in long
    assert short == long


def test_vectors_are_the_same_with_32_bits(compiler: str, tmp_path: Path) -> None:
    assert _output(compiler, "32", tmp_path, VECTORS) == _output(compiler, "64", tmp_path, VECTORS)
