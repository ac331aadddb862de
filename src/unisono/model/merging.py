# SPDX-License-Identifier: MIT
"""Columns of two continua put together: positions and features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unisono.model.units import Feature


def concatenate_positions(first: Any, second: Any) -> Any:
    """Both columns as one; an empty column is ignored when the type is chosen, so that integers stay integers."""
    return np.concatenate([column for column in (first, second) if len(column)] or [first])


def merge_feature(parts: Sequence[tuple[Feature | None, int]]) -> Feature:
    """One feature for units of several continua, each given by its feature (None if it has none) and its size."""
    labels = tuple(sorted({label for feature, _ in parts if feature is not None for label in feature.labels}))
    rank = {label: i for i, label in enumerate(labels)}
    columns = []
    for feature, size in parts:
        if feature is None:
            columns.append(np.full(size, -1, dtype=np.int32))
        else:
            # The last entry is what the code -1 of a unit without label indexes.
            table = np.array([*(rank[label] for label in feature.labels), -1], dtype=np.int32)
            columns.append(table[feature.codes])
    return Feature(np.concatenate(columns), labels)
