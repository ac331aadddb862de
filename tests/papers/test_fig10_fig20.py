# SPDX-License-Identifier: MIT
"""Oracle: Mathet, Widlöcher, Métivier 2015, Figure 10 (values of Eq. 3) and Figure 20 (scale effects).

Figure 10 shows A1 [4, 14), A2 [20, 30), B1 [4, 14), B2 [20, 25), C1 [14, 24), C2 [40, 44). For A1 and B2 it prints
3.22 where Eq. 3 gives (16 + 11)² / (10 + 5)² = 729 / 225 = 3.24: a misprint, since all the other values of the figure
are those of Eq. 3 to the digits printed. The test holds the library to the equation, and the paper to its misprint.
"""

from __future__ import annotations

import pytest

from reference.dissimilarity import sporadic
from unisono.dissimilarity import CombinedDissimilarity
from unisono.experiments.examples import FIGURE_10 as UNITS
from unisono.model import Unit

#: Pair, value by Eq. 3, value as printed, digits printed.
FIGURE_10 = [
    ("A1", "B1", 0.0, 0, 0),
    ("A2", "B2", 0.1111111111111111, 0.11, 2),
    ("B2", "C1", 0.2177777777777778, 0.22, 2),
    ("A1", "C1", 1.0, 1, 0),
    ("A1", "C2", 22.22448979591837, 22.2, 1),
]


@pytest.mark.parametrize(("first", "second", "value", "printed", "digits"), FIGURE_10)
def test_figure_10(first: str, second: str, value: float, printed: float, digits: int) -> None:
    u, v = UNITS[first], UNITS[second]
    assert CombinedDissimilarity()(u, v) == pytest.approx(value, abs=1e-9)
    assert sporadic(u, v) == pytest.approx(value, abs=1e-9)
    assert round(value, digits) == printed


def test_figure_10_misprint() -> None:
    value = CombinedDissimilarity()(UNITS["A1"], UNITS["B2"])
    assert value == pytest.approx(3.24, abs=1e-9)
    assert sporadic(UNITS["A1"], UNITS["B2"]) == pytest.approx(3.24, abs=1e-9)
    assert round(value, 2) != 3.22


def test_figure_10_breaks_the_triangular_inequality_as_section_4_4_says() -> None:
    d = CombinedDissimilarity()
    assert d(UNITS["A1"], UNITS["B2"]) > d(UNITS["A1"], UNITS["C1"]) + d(UNITS["C1"], UNITS["B2"])


def test_figure_20() -> None:
    """Three times as long, the same dissimilarity; section 6.1.6 prints it over the mean length: four times Eq. 3."""
    d = CombinedDissimilarity()
    short, long = d(Unit(0, 7), Unit(0, 10)), d(Unit(0, 21), Unit(0, 30))
    assert short == pytest.approx(0.031141868512110732, abs=1e-12)
    assert long == pytest.approx(short, abs=1e-12)
    as_printed = ((0 + 3) / ((7 + 10) / 2)) ** 2
    assert as_printed == pytest.approx(4 * short, abs=1e-12)
    assert sporadic(Unit(0, 7), Unit(0, 10)) == pytest.approx(0.031141868512110732, abs=1e-12)


def test_table_3() -> None:
    """Section 4.4.3, Table 3: cat1 and cat2 overlap, cat3 is unlike both."""
    from unisono.dissimilarity import Matrix, Sporadic

    table_3 = Matrix({("cat1", "cat2"): 0.5, ("cat1", "cat3"): 1, ("cat2", "cat3"): 1})
    d = CombinedDissimilarity(Sporadic(), table_3)
    assert d(Unit(0, 9, "cat1"), Unit(0, 9, "cat2")) == 0.5
    assert d(Unit(0, 9, "cat1"), Unit(0, 9, "cat3")) == d(Unit(0, 9, "cat3"), Unit(0, 9, "cat2")) == 1
    assert d(Unit(0, 9, "cat1"), Unit(0, 9, "cat1")) == 0
