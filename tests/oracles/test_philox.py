# SPDX-License-Identifier: MIT
"""The core's random words are those of numpy.random.Philox."""

from __future__ import annotations

import numpy as np
import pytest

from unisono import _core

TOP = 2**64 - 1


@pytest.mark.parametrize(
    ("key", "counter"),
    [
        ((0, 0), (0, 0, 0, 0)),
        ((1, 2), (0, 0, 3, 0)),
        ((TOP, TOP), (TOP, TOP, TOP, TOP)),  # the counter wraps around
        ((0x0123456789ABCDEF, 0xFEDCBA9876543210), (TOP, 0, 0, 0)),  # it carries into the second word
        ((7, 0), (TOP, TOP, 5, 1)),  # and into the third
    ],
)
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 1000])
def test_equals_numpy(key: tuple[int, int], counter: tuple[int, int, int, int], count: int) -> None:
    """Oracle: numpy.random.Philox(key=..., counter=...).random_raw."""
    key_, counter_ = np.array(key, dtype=np.uint64), np.array(counter, dtype=np.uint64)
    words = _core.philox(key_, counter_, count)
    expected = np.random.Philox(key=key_, counter=counter_).random_raw(count)
    assert words.dtype == np.uint64
    np.testing.assert_array_equal(words, np.atleast_1d(expected))


def test_equals_numpy_for_random_keys() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        key, counter = rng.integers(0, TOP, 2, dtype=np.uint64), rng.integers(0, TOP, 4, dtype=np.uint64)
        expected = np.random.Philox(key=key, counter=counter).random_raw(9)
        np.testing.assert_array_equal(_core.philox(key, counter, 9), expected)
