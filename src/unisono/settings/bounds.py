# SPDX-License-Identifier: MIT
"""Bounds that several groups of settings share, and the problem of settings that exclude each other."""

from __future__ import annotations

from unisono.errors import Problem

GIB = 2**30

#: The largest weight, length or distance; anything above it is taken for a mistake.
LARGEST = 1e9
#: More bytes than any machine has; sizes beyond it do not fit the core's numbers.
LARGEST_SIZE = 2**60
#: Integers up to here are exact as floating-point numbers, which the core computes with.
LARGEST_POSITION = 2**53


def conflict(message: str, remedy: str = "Leave one of them out.", code: str = "parameter") -> Problem:
    """The problem of settings that cannot be combined."""
    return Problem(code, "error", "", message, remedy)
