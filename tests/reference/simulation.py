# SPDX-License-Identifier: MIT
"""Simulated annotators, document by document with the shuffling tool: what `diagnosis.flat_errors` does at once.

The laws are equal, the random numbers are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unisono.diagnosis.assumed import Kind
from unisono.model import FloatArray
from unisono.shuffling import (
    CategoryErrors,
    Done,
    Errors,
    FalseNegatives,
    FalsePositives,
    PositionErrors,
    ReferenceModel,
    Sheet,
    Shuffled,
    Splits,
    Surroundings,
    shuffle,
)
from unisono.shuffling.error_type import UnitErrors
from unisono.shuffling.shuffled import set_name


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


def simulate(
    model: ReferenceModel,
    kind: Kind,
    magnitude: float,
    annotators: Sequence[int],
    *,
    seed: int,
    is_linear: bool = False,
) -> list[Shuffled]:
    """A reference of the model for each number of annotators, who make errors of a kind on it."""
    errors, strength = errors_of_kind(kind, magnitude, is_linear=is_linear)
    prevalence = model.prevalence or None
    return [
        shuffle(
            model.draw(seed, name=set_name(number)), errors, strength, annotators=n, seed=seed, prevalence=prevalence
        )
        for number, n in enumerate(annotators, start=1)
    ]


def quantity_done(kind: Kind, sets: Sequence[Shuffled]) -> float:
    """How large the errors that were made are: the quantity that an equivalent of this kind has."""
    done, n_units = errors_done(kind, sets)
    total = float(n_units.sum())
    return float(done.sum()) / total if total else 0.0


def errors_done(kind: Kind, sets: Sequence[Shuffled]) -> tuple[FloatArray, FloatArray]:
    """For each document the errors that were made, summed, and the units that could suffer them.

    missed: units missed; added and splits: units added, and cuts made; boundaries: shifts of boundaries in shares of
    the unit's length, the mean of start and end; categories: units with a wrong category.
    """
    n_units = np.array([each.reference.n_units * each.continuum.n_annotators for each in sets], dtype=np.float64)
    return np.array([_done(kind, each) for each in sets], dtype=np.float64), n_units


def _done(kind: Kind, one: Shuffled) -> float:
    truth = one.truth
    if kind == "missed":
        return float(np.count_nonzero(truth.done & Done.MISSED))
    if kind == "added":
        return float(np.count_nonzero(truth.done & Done.ADDED))
    if kind == "categories":
        return float(np.count_nonzero(truth.done & Done.CATEGORY))
    if kind == "splits":
        return float(one.continuum.n_units - one.reference.n_units * one.continuum.n_annotators)
    old, new = one.reference, truth.continuum
    lengths = np.maximum((old.ends - old.starts)[truth.references], np.finfo(float).tiny)
    moved = np.abs(new.starts[truth.units] - old.starts[truth.references])
    moved = moved + np.abs(new.ends[truth.units] - old.ends[truth.references])
    return float((moved / lengths).sum()) / 2
