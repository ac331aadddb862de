# SPDX-License-Identifier: MIT
"""Ctrl-C stops a long search: the process gets SIGINT and ends with KeyboardInterrupt. How fast is for the bench."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from interrupting import interrupt

TESTS = Path(__file__).resolve().parents[1]

START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, sys.argv[1])
from generators import spread_continuum
from unisono.alignment import best_alignment
from unisono.chance import Shift
from unisono.dissimilarity import CombinedDissimilarity
from unisono.sampling import Sampling
from unisono.measures.gamma import gamma
"""

ALIGNMENT = """
continuum = spread_continuum(40, 100, 0, seed=1)
print("ready", flush=True)
while True:
    best_alignment(continuum, CombinedDissimilarity())
"""

GAMMA = """
continuum = spread_continuum(4, 50, 0, seed=1)
print("ready", flush=True)
gamma(continuum, dissimilarity=CombinedDissimilarity(), chance=Shift(), sampling=Sampling(samples=10_000_000), seed=1,
      threads={threads})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent as on Unix")
@pytest.mark.parametrize(
    "script",
    [ALIGNMENT, GAMMA.format(threads=1), GAMMA.format(threads=2)],
    ids=["alignment", "gamma", "gamma on two threads"],
)
def test_interrupt_stops_it(script: str) -> None:
    returncode, errors = interrupt(START + script, str(TESTS))
    assert "KeyboardInterrupt" in errors
    assert returncode != 0
