# SPDX-License-Identifier: MIT
"""The nouns. Oracles: what was put in; the constructor for the quick way past it."""

from __future__ import annotations

import numpy as np
import pytest

from unisono.errors import ParameterError
from unisono.model import CATEGORY, Continuum, Extent, Feature


def codes(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize(
    ("given", "labels", "found"),
    [
        (codes(0, 2), ("A", "B"), "codes from -1 to 1, for 2 labels; found codes from 0 to 2"),
        (codes(-2, 0), ("A", "B"), "codes from -1 to 1, for 2 labels; found codes from -2 to 0"),
        (codes(0), (), "codes from -1 to -1, for 0 labels; found codes from 0 to 0"),
    ],
)
def test_codes_have_labels(given: np.ndarray, labels: tuple[str, ...], found: str) -> None:
    """The core looks labels up without asking."""
    with pytest.raises(ParameterError) as caught:
        Feature(given, labels)
    assert str(caught.value) == found


def test_codes_without_labels_and_labels_without_codes_are_fine() -> None:
    assert Feature(codes(-1, -1), ())[0] is None
    assert Feature(codes(), ("A",)).labels == ("A",)


@pytest.mark.parametrize(("given", "annotators"), [([0, 2], ["ann", "bob"]), ([-1], ["ann"]), ([0], [])])
def test_units_belong_to_annotators(given: list[int], annotators: list[str]) -> None:
    with pytest.raises(ParameterError, match=f"doc: codes from 0 to .*, for {len(annotators)} annotators; found codes"):
        Continuum(
            starts=[0] * len(given), ends=[5] * len(given), annotator_codes=given, annotators=annotators, name="doc"
        )


def columns() -> dict[str, object]:
    """Columns in canonical form."""
    return {
        "starts": np.array([0, 7, 3]),
        "ends": np.array([5, 9, 4]),
        "annotator_codes": codes(0, 0, 1),
        "annotators": ("ann", "bob"),
        "features": {CATEGORY: Feature(codes(1, 0, -1), ("LOC", "PER"))},
        "name": "doc",
    }


@pytest.mark.parametrize("options", [{}, {"extent": Extent(-1, 20)}, {"text": "0123456789"}], ids=str)
def test_the_quick_way_ends_where_the_constructor_does(options: dict[str, object]) -> None:
    quick = Continuum.canonical(**columns(), **options)
    slow = Continuum(**columns(), **options)
    assert list(quick) == list(slow)
    for name in ("name", "text", "annotators", "extent"):
        assert getattr(quick, name) == getattr(slow, name)
    for continuum in (quick, slow):
        for column in (continuum.starts, continuum.ends, continuum.annotator_codes, continuum.category_codes):
            assert not column.flags.writeable


def test_an_extent_without_units_is_unknown() -> None:
    empty = {"starts": np.array([]), "ends": np.array([]), "annotator_codes": codes(), "annotators": ("ann",)}
    assert Continuum.canonical(**empty, features={CATEGORY: Feature(codes(), ())}).extent is None
