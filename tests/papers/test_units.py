# SPDX-License-Identifier: MIT
"""Published numbers of the measures on paired units: Mathet et al. 2015, Figure 5."""

from __future__ import annotations

import pytest

from unisono.measures.settings import Settings
from unisono.measures.units import ser
from unisono.model import Continuum

#: The error profile of the figure: correct, type, boundary, type and boundary, deletion, insertion; positions are ours.
FIGURE_5 = {
    "reference": [(0, 5, "A"), (10, 15, "A"), (20, 25, "A"), (30, 35, "C"), (40, 45, "B")],
    "hypothesis": [(0, 5, "A"), (10, 15, "B"), (20, 27, "A"), (30, 37, "A"), (50, 55, "B")],
}


def test_figure_5() -> None:
    """Section 3.4.2: (0 + 0.5 + 0.5 + 1 + 1 + 1) / 5 = 0.8; status: exact. Only units that overlap are paired."""
    found = ser([Continuum.of(FIGURE_5)], Settings(reference="reference"))
    assert found.observed == pytest.approx(0.8, abs=1e-9)
    assert found.value == pytest.approx(0.2, abs=1e-9)
