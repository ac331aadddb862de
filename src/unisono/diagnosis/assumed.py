# SPDX-License-Identifier: MIT
"""The kinds of errors that equivalents assume, at a quantity that people can picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from unisono.shuffling.category_errors import CategoryErrors
from unisono.shuffling.error_type import Errors, UnitErrors
from unisono.shuffling.number_errors import FalseNegatives, FalsePositives
from unisono.shuffling.piece_errors import Splits
from unisono.shuffling.position_errors import PositionErrors
from unisono.shuffling.sheet import Done, Sheet, Surroundings
from unisono.shuffling.shuffled import Shuffled

Kind = Literal["missed", "added", "boundaries", "categories", "splits", "text"]

#: Magnitudes of each kind, in rising order: shares of 1, and for added units and splits numbers per unit.
GRIDS: dict[Kind, tuple[float, ...]] = {
    "missed": (0.05, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    "added": (0.08, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5),
    "boundaries": (0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0),
    "categories": (0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 1.0),
    "splits": (0.08, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3, 3.2, 4.5),
}


@dataclass(frozen=True, kw_only=True)
class AddedUnits(UnitErrors):
    """`FalsePositives` of the shuffling tool, where the number of added units is `per_unit` times N on average.

    The tool rounds factor * m * N, which for references of one or two units adds none or one for all magnitudes.
    """

    per_unit: float = 0.0
    name: ClassVar[str] = FalsePositives.name
    order: ClassVar[int] = FalsePositives.order

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        factor = _whole_number(self.per_unit * around.n_units, random) / max(around.n_units, 1)
        return FalsePositives(factor=factor).applied(sheet, 1.0, around, random)


@dataclass(frozen=True, kw_only=True)
class SplitUnits(UnitErrors):
    """`Splits` of the shuffling tool, where the number of splits is `per_unit` times N on average."""

    per_unit: float = 0.0
    name: ClassVar[str] = Splits.name
    order: ClassVar[int] = Splits.order

    def applied(self, sheet: Sheet, magnitude: float, around: Surroundings, random: np.random.Generator) -> Sheet:
        limit = _whole_number(self.per_unit * around.n_units, random) / max(around.n_units, 1)
        return Splits(law="linear", limit=limit).applied(sheet, 1.0, around, random)


def _whole_number(number: float, random: np.random.Generator) -> int:
    """One of the two whole numbers next to it, so that the mean is right."""
    return int(np.floor(number + random.random()))


def errors_of_kind(kind: Kind, magnitude: float, *, is_linear: bool) -> tuple[Errors, float]:
    """The errors of a kind, and the magnitude to apply them with. is_linear: units of an annotator stay apart."""
    if kind == "missed":
        return FalseNegatives(), magnitude
    if kind == "added":
        return AddedUnits(per_unit=magnitude), 1.0
    if kind == "splits":
        return SplitUnits(per_unit=magnitude), 1.0
    if kind == "boundaries":
        return PositionErrors(keep_apart=is_linear), magnitude
    return CategoryErrors(), magnitude


def quantity_done(kind: Kind, sets: Sequence[Shuffled]) -> float:
    """How large the errors that were made are: the quantity that an equivalent of this kind has.

    missed: the share of units missed; added and splits: units added, and cuts made, per unit; boundaries: the mean
    shift of a boundary in shares of the unit's length; categories: the share of units with a wrong category.
    """
    n_units = sum(each.reference.n_units * each.continuum.n_annotators for each in sets)
    if not n_units:
        return 0.0
    done = 0.0
    for each in sets:
        truth = each.truth
        if kind == "missed":
            done += int(np.count_nonzero(truth.done & Done.MISSED))
        elif kind == "added":
            done += int(np.count_nonzero(truth.done & Done.ADDED))
        elif kind == "categories":
            done += int(np.count_nonzero(truth.done & Done.CATEGORY))
        elif kind == "splits":
            done += each.continuum.n_units - each.reference.n_units * each.continuum.n_annotators
        else:
            old, new = each.reference, truth.continuum
            lengths = np.maximum((old.ends - old.starts)[truth.references], np.finfo(float).tiny)
            moved = np.abs(new.starts[truth.units] - old.starts[truth.references])
            moved = moved + np.abs(new.ends[truth.units] - old.ends[truth.references])
            done += float((moved / lengths).sum()) / 2
    return done / n_units
