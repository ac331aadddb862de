# SPDX-License-Identifier: MIT
"""The measures, one module for each family, and their registry: needs, meaning and function of each.

The registry names the functions instead of importing them, so that listing the measures does not load numpy.
"""

from __future__ import annotations

from collections.abc import Mapping

from unisono.measures.catalogue import CATALOGUE
from unisono.measures.info import MeasureInfo

__all__ = ["MEASURES", "MeasureInfo"]

#: Every measure by name.
MEASURES: Mapping[str, MeasureInfo] = {info.name: info for info in CATALOGUE}
