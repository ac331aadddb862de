# SPDX-License-Identifier: MIT
"""Errors of category: from no confusion to chance, by row-stochastic matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from unisono.errors import ParameterError
from unisono.model import FloatArray, IntArray
from unisono.shuffling.error_type import UnitErrors, check_choice
from unisono.shuffling.sheet import Flags, Sheet, Surroundings


@dataclass(frozen=True, kw_only=True)
class CategoryErrors(UnitErrors):
    """The category of each unit is drawn from its row of M(m) = (1 - f) I + f P, f = m ("linear") or m² ("square").

    The rows of P are the prevalences (to="prevalence") or uniform ("uniform"): at magnitude 1 categories come by
    chance. Two annotators then have α = (1 - f)². With overlap, the closeness of every two categories, near categories
    are confused before far ones: M = (1 - f) I + (f - f³) O + f³ P, O the closeness with rows that sum to 1.

    Units of an immune category keep it, and no other unit gets it: the other categories are confused among each other
    ("no mistake for category D", Mathet 2017, sections 5.7 and 5.8). Units without a category stay without one.

    Open in the papers: all of it. Section 6.3.1 of 2015 speaks of "special matrices" that "cannot be described in a
    few words" and refers to Mathet et al. 2012. The square law and the form with overlap are those of
    pygamma-agreement, read off the published graphs.
    """

    law: Literal["linear", "square"] = "linear"
    overlap: Mapping[str, Mapping[str, float]] | None = None
    to: Literal["prevalence", "uniform"] = "prevalence"

    name: ClassVar[str] = "category"
    order: ClassVar[int] = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.law, ("linear", "square"), "law", self.name)
        check_choice(self.to, ("prevalence", "uniform"), "to", self.name)
        if self.overlap is None:
            return
        labels = set(self.overlap)
        for label, row in self.overlap.items():
            if set(row) != labels or not all(np.isfinite(v) and v >= 0 for v in row.values()) or not sum(row.values()):
                raise ParameterError.of(
                    f"the row of {label!r} is {dict(row)!r}, which is not a closeness to every category",
                    "Give for every category its closeness to each: numbers of 0 or more, not all of them 0.",
                    where="category errors: overlap",
                    code="error-type",
                )

    def matrix(self, magnitude: float, prevalence: Mapping[str, float]) -> FloatArray:
        """M at a magnitude: how often the category of the row becomes that of the column.

        >>> CategoryErrors().matrix(0.5, {"A": 0.8, "B": 0.2}).tolist()
        [[0.9, 0.1], [0.4, 0.6]]
        """
        shares = np.array(list(prevalence.values()), dtype=np.float64)
        return self._matrix(magnitude * self.magnitude_factor, tuple(prevalence), shares)

    def _matrix(self, magnitude: float, labels: Sequence[str], prevalence: FloatArray) -> FloatArray:
        f = min(1.0, magnitude) ** (1 if self.law == "linear" else 2)
        susceptible = np.array([label not in self.immune for label in labels])
        target = np.where(susceptible, prevalence if self.to == "prevalence" else 1.0, 0.0)
        unchanged = np.eye(len(labels))
        if not target.sum() > 0:
            return unchanged
        chance = np.tile(target / target.sum(), (len(labels), 1))
        mixed = (1 - f) * unchanged + f * chance
        if self.overlap is not None:
            mixed = (
                (1 - f) * unchanged
                + (f - f**3) * self._normalise_closeness(labels, susceptible, chance)
                + f**3 * chance
            )
        return np.where(susceptible[:, None], mixed, unchanged)

    def _normalise_closeness(self, labels: Sequence[str], susceptible: Flags, chance: FloatArray) -> FloatArray:
        """O: rows of closeness that sum to 1, without immune categories; a row without any closeness becomes chance."""
        overlap = self.overlap or {}
        missing = [label for label in labels if label not in overlap]
        if missing:
            raise ParameterError.of(
                f"there is no closeness for {', '.join(map(repr, missing))}",
                "Add their rows and columns.",
                where="category errors: overlap",
                code="error-type",
            )
        near = np.array([[overlap[row][column] for column in labels] for row in labels], dtype=np.float64) * susceptible
        sums = near.sum(axis=1, keepdims=True)
        return np.where(sums > 0, near / np.where(sums > 0, sums, 1.0), chance)

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        if not around.labels:
            return sheet
        drawn = self.draw_codes(sheet.codes, random.random(len(sheet)), magnitude, around.labels, around.prevalence)
        return sheet.recategorised(np.where(self._has_length(sheet.starts, sheet.ends), drawn, sheet.codes))

    def draw_codes(
        self, codes: IntArray, uniform: FloatArray, magnitude: float, labels: Sequence[str], prevalence: FloatArray
    ) -> IntArray:
        """The category that each number from 0 to 1 gives to a unit of a category; those without one stay so."""
        until = np.cumsum(self._matrix(magnitude, labels, prevalence), axis=1)
        until /= until[:, -1:]
        drawn = (uniform[:, None] >= until[codes]).sum(axis=1)
        return np.where(codes >= 0, drawn, codes).astype(np.int32)
