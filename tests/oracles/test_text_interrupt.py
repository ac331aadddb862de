# SPDX-License-Identifier: MIT
"""Ctrl-C stops text-γ too. Oracle: a process that gets SIGINT and must end with KeyboardInterrupt."""

from __future__ import annotations

import sys

import pytest

from interrupting import interrupt

START = """
import random, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from unisono.sampling import Sampling
from unisono.measures.text_gamma import text_gamma
from unisono.text import RandomEdits, TextVersions, Version, best_text_alignment
dice = random.Random(1)
words = [["".join(dice.choices("abcdefgh", k=5)) for _ in range({tokens})] for _ in range(2)]
versions = TextVersions.of({{name: Version.of_tokens(row) for name, row in zip("xy", words)}})
print("ready", flush=True)
"""
ALIGNMENT = START.format(tokens=60_000) + "best_text_alignment(versions)"
CHANCE = START.format(tokens=300) + (
    "text_gamma(versions, chance=RandomEdits(0.5, 0.5), sampling=Sampling(samples=10_000_000), threads=2)"
)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent as on Unix")
@pytest.mark.parametrize("script", [ALIGNMENT, CHANCE], ids=["alignment", "chance on two threads"])
def test_interrupt_stops_it(script: str) -> None:
    returncode, errors = interrupt(script)
    assert "KeyboardInterrupt" in errors
    assert returncode != 0
