# SPDX-License-Identifier: MIT
"""The keywords of `measure`, for type checkers. Made by `python -m unisono.settings`; do not edit."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from unisono.chance import ChanceModel


class Keywords(TypedDict, total=False):
    """Every setting of a measurement."""

    alpha: float | None
    beta: float
    delta_empty: float
    positional: str
    scale: float | None
    categorial: str | None
    category_distances: str | os.PathLike[str] | Mapping[str, Mapping[str, float]] | None
    category_order: str | Sequence[str] | None
    category_separator: str | None
    f_cat: str
    preset: str
    chance: str | ChanceModel | None
    precision: float | None
    samples: int | None
    plain_sampling: bool
    level: float
    seed: int | None
    categories: str | Sequence[str] | None
    tie_range: bool
    sensitivity: bool
    reference: str | None
    step: float | None
    atoms: str
    predefined: bool | None
    window: float | None
    text_distance: str
    feature: str | Sequence[str] | None
    gap_t: float
    gap_b: float
    count_gaps: bool
    p_text: float | tuple[float, float] | None
    p_seg: float | tuple[float, float] | None
    p_label: float | tuple[float, float] | None
    p_further: float
    time_limit: float | None
    memory_limit: int | None
    effort: float | None
    threads: int | None
