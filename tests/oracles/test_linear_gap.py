# SPDX-License-Identifier: MIT
"""A continuum whose linear relaxation has a gap, where a best alignment crosses where reduced costs say it should not.

Found among 54,000 random continua: a search that asked each block of a part to be closed by itself never ended here.
Oracle: the proof (bound = disorder), the partition and the disorder recomputed by the slow twin.
"""

from __future__ import annotations

from generators import Weights
from oracles.checks import check_alignment, check_proven, fast, slow
from unisono.alignment import best_alignment
from unisono.model import Continuum

# annotator, start, end, category
UNITS = [
    (0, 53, 123, 11),
    (0, 694, 709, 10),
    (0, 1116, 1146, 5),
    (0, 1642, 1654, 8),
    (0, 2295, 2338, 10),
    (0, 2369, 2416, 9),
    (0, 2643, 2743, 5),
    (1, 372, 378, 5),
    (1, 1312, 1323, 7),
    (1, 1992, 2045, 4),
    (1, 2383, 2389, 2),
    (1, 2532, 2680, 6),
    (2, 252, 305, 7),
    (2, 516, 569, 2),
    (2, 1831, 2008, 11),
    (3, 168, 202, 4),
    (3, 358, 459, 11),
    (3, 1183, 1373, 1),
    (3, 1852, 1875, 0),
    (3, 2485, 2519, 4),
    (3, 2620, 2645, 6),
    (4, 804, 824, 10),
    (4, 895, 905, 7),
    (4, 994, 1012, 11),
    (4, 1195, 1200, 10),
    (4, 1292, 1365, 3),
    (4, 1532, 1618, 10),
    (4, 1997, 2018, 0),
    (4, 2127, 2143, 2),
    (5, 56, 105, 2),
    (5, 757, 831, 2),
    (5, 1582, 1609, 8),
    (6, 658, 665, 1),
    (6, 747, 785, 9),
    (6, 912, 932, 10),
    (6, 1032, 1079, 1),
    (6, 1902, 2010, 4),
    (7, 115, 134, 5),
    (7, 279, 421, 1),
    (7, 951, 961, 8),
    (7, 1744, 1875, 4),
    (7, 2191, 2197, 10),
    (8, 882, 909, 10),
    (8, 958, 969, 2),
    (8, 1631, 1830, 2),
    (8, 1660, 1681, 7),
    (8, 1916, 1956, 4),
    (8, 2168, 2249, 5),
    (8, 2191, 2308, 9),
    (8, 2482, 2507, 9),
]


def test_a_block_that_cannot_be_closed_by_itself() -> None:
    continuum = Continuum.of(
        {
            str(annotator): [(start, end, str(category)) for a, start, end, category in UNITS if a == annotator]
            for annotator in range(9)
        }
    )
    alignment = best_alignment(continuum, fast(Weights()), time_limit=30)
    assert alignment.limit is None
    check_alignment(continuum, alignment, slow(Weights()), 1.0)
    check_proven(alignment)
