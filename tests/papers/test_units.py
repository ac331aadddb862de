# SPDX-License-Identifier: MIT
"""Published numbers of the measures on paired units: Mathet et al. 2015, Figure 5."""

from __future__ import annotations

import pytest

from unisono.experiments.examples import FIGURE_5
from unisono.measures.resolved import Resolved
from unisono.measures.slot_error import ser
from unisono.model import Continuum


def test_figure_5() -> None:
    """Section 3.4.2: (0 + 0.5 + 0.5 + 1 + 1 + 1) / 5 = 0.8; status: exact. Only units that overlap are paired."""
    found = ser([Continuum.of(FIGURE_5)], Resolved(reference="reference"))
    assert found.observed == pytest.approx(0.8, abs=1e-9)
    assert found.value == pytest.approx(0.2, abs=1e-9)
