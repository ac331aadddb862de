# SPDX-License-Identifier: MIT
"""The categorial distance for labels on a ratio scale: it depends on how many times larger one number is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unisono.dissimilarity.categorial import Categorial, TableKind, check_number_of_labels, not_a_number
from unisono.dissimilarity.parameter_checks import as_number, refuse
from unisono.errors import Problem
from unisono.model import FloatArray


@dataclass(frozen=True)
class Ratio(Categorial):
    """Labels that are numbers from 0 up: |x - y| / (x + y), 0 for two zeros (Krippendorff's ratio metric, its root).

    It needs no range: 1 and 2 are as far apart as 10 and 20, and every number above 0 is at 1 from 0.
    """

    @property
    def signature(self) -> str:
        return self._with_options("ratio")

    def table(self, labels: Sequence[str]) -> tuple[TableKind, FloatArray]:
        check_number_of_labels(labels)
        values = [as_number(label) for label in labels]
        refuse(
            not_a_number(label, "ratio distance")
            if value is None
            else Problem(
                "label-outside-range",
                "error",
                "ratio distance",
                f"the label {label!r} is below 0",
                "Correct it, or choose another categorial dissimilarity.",
                found=repr(label),
            )
            for label, value in zip(labels, values, strict=True)
            if value is None or value < 0
        )
        numbers = np.array(values, dtype=np.float64)
        total = numbers[:, None] + numbers
        distances = np.zeros(total.shape)
        np.divide(np.abs(numbers[:, None] - numbers), total, out=distances, where=total > 0)
        return "matrix", distances.ravel()
