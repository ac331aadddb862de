# SPDX-License-Identifier: MIT
"""The chance model for units whose positions are given: labels shuffled over them."""

from __future__ import annotations

from dataclasses import dataclass, field

from unisono._core import PositionsKeptModel
from unisono.chance.chance_model import SingleDocumentModel, extent_of, keys
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.model import Continuum


@dataclass(frozen=True, slots=True)
class PositionsKept(SingleDocumentModel):
    """Every unit stays where it is; the labels are shuffled over all units of all annotators.

    For predefined units, where only the categories can differ: what Krippendorff's α expects by chance. Where the
    positions differ, too, their disagreement is kept in every random continuum, so γ is then about categories alone.
    """

    signature: str = field(default="positions-kept", init=False, repr=False)

    def core_model(self, columns: CoreDocuments, seed: int) -> PositionsKeptModel:
        return PositionsKeptModel(columns.documents, keys(seed, columns.digests))

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        extent_of(continuum)
        return ()
