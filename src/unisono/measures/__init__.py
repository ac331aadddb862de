# SPDX-License-Identifier: MIT
"""The measures, one file a family, and their registry: what each needs, what it means, where it is computed.

The registry names the functions instead of importing them: listing the measures loads no numpy.
"""

from __future__ import annotations

from collections.abc import Mapping

from unisono.measures.catalogue import CATALOGUE
from unisono.measures.info import MeasureInfo

__all__ = ["MEASURES", "MeasureInfo"]

#: Every measure by name.
MEASURES: Mapping[str, MeasureInfo] = {info.name: info for info in CATALOGUE}
