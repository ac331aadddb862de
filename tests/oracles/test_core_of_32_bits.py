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
#: Arithmetic as on 64 bits: SSE, whose doubles have 64 bits everywhere, not the processor's old registers.
FLAGS = ["-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]
BITS = {"32": ["-m32", "-msse2", "-mfpmath=sse"], "64": ["-m64"]}


def _output(compiler: str, bits: str, folder: Path) -> str:
    built = folder / f"core{bits}"
    core = ROOT / "src" / "unisono" / "_core"
    subprocess.run([compiler, *FLAGS, *BITS[bits], f"-I{core}", PROGRAM, "-pthread", "-o", built], check=True)
    return subprocess.run([built], check=True, capture_output=True, text=True).stdout


def test_the_core_computes_the_same_with_32_bits(tmp_path: Path) -> None:
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    empty = tmp_path / "empty.cpp"
    empty.write_text("#include <vector>\nint main() { return static_cast<int>(std::vector<int>().size()); }\n")
    can = compiler and subprocess.run(
        [compiler, "-m32", empty, "-o", tmp_path / "empty"], capture_output=True, check=False
    )
    if not compiler or not can or can.returncode:
        pytest.skip("no compiler for 32 bits here (Debian: g++-multilib)")
    short, long = _output(compiler, "32", tmp_path), _output(compiler, "64", tmp_path)
    assert "listed 1 7\n" in long
    assert "kept 60000000100\n" in long
    assert "fits 1, too big 1\n" in long
    assert "refused 1\n" in long
    assert short == long
