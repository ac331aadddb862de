# SPDX-License-Identifier: MIT
"""The settings of text-γ alone: how annotators' versions of a text are compared, and how random ones are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from unisono.settings.bounds import LARGEST
from unisono.settings.definition import setting
from unisono.settings.parsing import parse_probability

_correcting = partial(setting, panel="Versions of a text (text-gamma)", in_benchmark=False, is_recorded=False)


def _probability(what: str) -> float | tuple[int | float, int | float] | None:
    probability: float | tuple[int | float, int | float] | None = _correcting(
        None,
        f"{what}: a probability, or the mean and strength of its prior (MAP).",
        metavar="P",
        parse=parse_probability,
        low=0,
        high=1,
        requirement="a number from 0 to 1, or MEAN,STRENGTH",
        default_help="estimated",
        code="probability",
    )
    return probability


@dataclass(frozen=True, kw_only=True)
class Correcting:
    """How annotators' versions of a text are compared: what only text-γ needs."""

    text_distance: str = _correcting(
        "nominal",
        "How texts of units are compared: equal or not, or by their edit distance.",
        choices=("nominal", "levenshtein"),
    )
    feature: tuple[str, ...] | None = _correcting(
        None,
        "A feature that text-gamma compares.",
        metavar="NAME",
        default_help="all that annotators decide on",
    )
    gap_t: float = _correcting(
        1.0,
        "Cost of a gap at a character.",
        metavar="X",
        above=0,
        high=LARGEST,
        code="gap-cost",
    )
    gap_b: float = _correcting(
        1.0,
        "Cost of a gap at a boundary.",
        metavar="X",
        above=0,
        high=LARGEST,
        code="gap-cost",
    )
    count_gaps: bool = _correcting(False, "Stretches without any unit count as units of their own.")
    p_text: float | tuple[int | float, int | float] | None = _probability("Edits of the text, per unit")
    p_seg: float | tuple[int | float, int | float] | None = _probability("Changes of segmentation, per unit")
    p_label: float | tuple[int | float, int | float] | None = _probability("Labels of the base that are replaced")
    p_further: float = _correcting(
        0.0,
        "Probability that an edited unit is edited once more, and so on.",
        metavar="P",
        low=0,
        below=1,
        code="probability",
    )
