# SPDX-License-Identifier: MIT
"""Published numbers of the segmentation measures: nltk's documentation (after the papers' own programs), Fournier's.

Boundary strings have a character for each potential boundary, masses are the lengths of the units.
"""

from __future__ import annotations

from itertools import accumulate

import pytest

from segmented import segmented
from unisono.measures import segmentation as measures
from unisono.measures.resolved import Resolved
from unisono.model import Continuum


def strings(ann: str, bob: str) -> Continuum:
    cuts = {name: [i + 1 for i, x in enumerate(text) if x == "1"] for name, text in (("ann", ann), ("bob", bob))}
    return segmented(len(ann) + 1, cuts)


def from_masses(**rows: list[int]) -> Continuum:
    cuts = {name: list(accumulate(row))[:-1] for name, row in rows.items()}
    return segmented(sum(next(iter(rows.values()))), cuts, name="masses")


S1, S2, S3 = "000100000010", "000010000100", "100000010000"


@pytest.mark.parametrize(("ann", "bob", "distance"), [(S1, S1, 0), (S1, S2, 0.3), (S2, S3, 0.8)])
def test_window_diff(ann: str, bob: str, distance: float) -> None:
    """nltk.metrics.segmentation.windowdiff, k = 3; status: exact."""
    found = measures.window_diff([strings(ann, bob)], Resolved(window=3))
    assert found.observed == pytest.approx(distance, abs=1e-9)


@pytest.mark.parametrize(
    ("bob", "distance"), [("1" * 400, 0.49874686716791977), ("0" * 400, 0.5012531328320802), ("0100" * 100, 0.0)]
)
def test_pk(bob: str, distance: float) -> None:
    """nltk.metrics.segmentation.pk, k = 2; status: exact."""
    found = measures.pk([strings("0100" * 100, bob)], Resolved(window=2))
    assert found.observed == pytest.approx(distance, abs=1e-9)


@pytest.mark.parametrize(
    ("ann", "bob", "insertion", "deletion", "distance"),
    [
        ("1100100000", "1100010000", 1, 1, 0.5),
        ("1100100000", "1100000001", 1, 1, 2),
        ("011", "110", 1, 1, 1),
        ("1", "0", 1, 1, 1),
        ("111", "000", 1, 1, 3),
        ("000", "111", 1, 2, 6),
    ],
)
def test_generalized_hamming_distance(ann: str, bob: str, insertion: float, deletion: float, distance: float) -> None:
    """The examples of Kulyukin's program, in nltk.metrics.segmentation.ghd; shift 0.5; status: exact."""
    one, other = ([i for i, x in enumerate(text) if x == "1"] for text in (ann, bob))
    found = measures.generalized_hamming_distance(one, other, insertion=insertion, deletion=deletion, shift=0.5)
    assert found == pytest.approx(distance, abs=1e-9)


@pytest.mark.parametrize(
    ("bob", "b", "s"),
    [([5, 6], 0.5, 0.9), ([2, 3, 3, 3], 2 / 3, 0.9), ([2, 2, 7], 0.75, 0.95), ([1, 1, 3, 1, 5], 0.5, 0.8)],
)
def test_boundary_and_segmentation_similarity(bob: list[int], b: float, s: float) -> None:
    """The cases of segeval 2.0.11, the program of Fournier 2013: a miss, an addition, a near miss, a cluster."""
    continuum = from_masses(ann=[2, 3, 6], bob=bob)
    assert measures.boundary_similarity([continuum], Resolved()).value == pytest.approx(b, abs=1e-12)
    assert measures.segmentation_similarity([continuum], Resolved()).value == pytest.approx(s, abs=1e-12)


@pytest.mark.parametrize(
    ("bob", "pi", "kappa"),
    [
        ([2, 1, 7, 2, 1], 0.7267552182163187855787476281, 0.7272727272727272727272727273),
        ([11, 2], 0.1428571428571428571428571429, 0.1489361702127659574468085107),
    ],
)
def test_pi_and_kappa(bob: list[int], pi: float, kappa: float) -> None:
    """The cases of segeval 2.0.11 for π* and κ* by B."""
    continuum = from_masses(ann=[2, 8, 2, 1], bob=bob)
    assert measures.boundary_similarity_pi([continuum], Resolved()).value == pytest.approx(pi, abs=1e-12)
    assert measures.boundary_similarity_kappa([continuum], Resolved()).value == pytest.approx(kappa, abs=1e-12)


#: "au-to-ma-tic" and "au-tom-a-tic", "seg-men-ta-tion" and "seg-ment-ation", "fun" and "f-un": the words of the
#: documentation of segeval, cut into syllables.
SYLLABLES = {
    "automatic": ([2, 2, 2, 3], [2, 3, 1, 3], 0.83),
    "segmentation": ([3, 3, 2, 4], [3, 4, 5], 0.50),
    "fun": ([3], [1, 2], 0.00),
}


@pytest.mark.parametrize("word", SYLLABLES)
def test_syllables(word: str) -> None:
    """segeval's documentation prints 0.83, 0.50, 0.00."""
    manual, automatic, b = SYLLABLES[word]
    found = measures.boundary_similarity([from_masses(ann=manual, bob=automatic)], Resolved())
    assert found.value == pytest.approx(b, abs=0.005)


def test_pooled_share_of_pi() -> None:
    """segeval issue 2: shares 1/6, 2/6, 2/8, 3/8 are 8/28 together; their mean, which segeval takes, is 9/32."""
    one = segmented(7, {"ann": [3], "bob": [3, 5]}, name="one")
    two = segmented(9, {"ann": [3, 6], "bob": [3, 6, 8]}, name="two")
    found = measures.boundary_similarity_pi([one, two], Resolved())
    assert found.expected == pytest.approx(1 - (8 / 28) ** 2, abs=1e-12)
