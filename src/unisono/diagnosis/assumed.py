# SPDX-License-Identifier: MIT
"""The kinds of errors that equivalents assume, and the sizes that are tried."""

from __future__ import annotations

from typing import Literal

Kind = Literal["missed", "added", "boundaries", "categories", "splits", "text"]

#: Magnitudes of each kind, in rising order: shares of 1, and for added units and splits numbers per unit.
GRIDS: dict[Kind, tuple[float, ...]] = {
    "missed": (0.05, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "added": (0.08, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5),
    "boundaries": (0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0),
    "categories": (0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0),
    "splits": (0.08, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5),
}
