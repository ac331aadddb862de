# SPDX-License-Identifier: MIT
"""The chance model for units whose positions are given: labels shuffled over them."""

from __future__ import annotations

from dataclasses import dataclass, field

from unisono._core import PositionsKeptModel
from unisono.chance.protocol import CoreCases, CoreModel, alone, drawn, extent_of, keys, one_case_each
from unisono.dissimilarity.columns import CoreDocuments
from unisono.model import Continuum, Corpus


@dataclass(frozen=True, slots=True)
class PositionsKept(CoreModel):
    """Every unit stays where it is; the labels are shuffled over all units of all annotators.

    For predefined units, where only the categories can differ: what Krippendorff's α expects by chance. Where the
    positions differ, too, their disagreement is kept in every random continuum, so γ is then about categories alone.
    """

    signature: str = field(default="positions-kept", init=False, repr=False)

    @property
    def is_shared(self) -> bool:
        return False

    def fitted(self, corpus: Corpus) -> PositionsKept:
        return self

    def model_for(self, continuum: Continuum) -> PositionsKept:
        return self

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        return one_case_each(self._core(columns, seed), columns)

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        return drawn(self._core(alone(continuum), seed), 0, sample, continuum, (continuum,))

    def _core(self, columns: CoreDocuments, seed: int) -> PositionsKeptModel:
        return PositionsKeptModel(columns.documents, keys(seed, (continuum.name for continuum in columns.continua)))

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        extent_of(continuum)
        return ()
