# SPDX-License-Identifier: MIT
"""The chance model of a corpus: annotators of different continua put together (Mathet et al. 2015, section 5.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import MosaicModel
from unisono.chance.chance_model import CoreCases, CoreModel, Sampler, keys, sampler_of
from unisono.chance.shift import Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.errors import CorpusError, ParameterError
from unisono.model import Continuum, Corpus


@dataclass(frozen=True)
class Mosaic(CoreModel):
    """The model for a corpus (`--chance corpus`): n different continua, one random annotator of each.

    Shorter continua are laid out again and again until they are as long as the longest one drawn; a unit belongs to the
    copy that its start lies in and is never cut. What annotators have in common because they saw the same document is
    lost; what is typical of the corpus is kept, positions within documents included. The law depends on the number of
    annotators alone, so the expected disorder is estimated once for each such number and shared by the documents.

    Where the corpus has fewer continua than a document has annotators, that document is measured with `Shift`, and
    the result says so. Continua without an extent cannot be laid out and are left out.
    """

    corpus: Corpus | None = field(default=None, repr=False)
    signature: str = field(default="corpus", init=False, repr=False)

    @property
    def is_shared(self) -> bool:
        return True

    def fitted(self, corpus: Corpus) -> Mosaic:
        usable = [continuum for continuum in corpus if continuum.extent is not None and continuum.extent.length > 0]
        usable = [continuum for continuum in usable if continuum.n_annotators]
        if len(usable) < 2 or not any(len(continuum) for continuum in usable):
            raise CorpusError.of(
                "the chance model of a corpus needs at least two documents with an extent; "
                f"the corpus has {len(usable) if len(usable) < 2 else 'no unit at all'}",
                "Use the chance model `shift` ([[chance]]), which is made for a single continuum.",
                code="chance-corpus",
            )
        return Mosaic(Corpus(tuple(usable)))

    @property
    def n_continua(self) -> int:
        return len(self._corpus)

    @property
    def _corpus(self) -> Corpus:
        if self.corpus is None:
            raise ParameterError.of(
                "the chance model of a corpus has no corpus to draw annotators from",
                "Fit it to one: Mosaic().fitted(corpus).",
                code="chance",
            )
        return self.corpus

    def model_for(self, continuum: Continuum) -> CoreModel:
        return self if continuum.n_annotators <= self.n_continua else Shift()

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        numbers, case_of = np.unique([c.n_annotators for c in columns.continua], return_inverse=True)
        drawn_from = self._columns(columns.dissimilarity, judged=columns.categories is not None)
        if drawn_from.kernel is None:
            raise ValueError("the core needs a kernel")
        # γk needs the categories numbered over the whole corpus, not document by document.
        in_use, places = np.unique(drawn_from.codes, return_inverse=True)
        labels = tuple(None if code < 0 else drawn_from.table[code] for code in in_use.tolist())
        return CoreCases(
            self._core_model(drawn_from, places.reshape(-1), numbers.tolist(), seed),
            case_of.reshape(-1).astype(np.int64),
            (labels,) * len(numbers),
            lambda: tuple((number, drawn_from.identities) for number in numbers.tolist()),
            drawn_from.kernel,
            drawn_from.categories,
        )

    def shared_by(self, columns: CoreDocuments) -> tuple[str, ...]:
        return tuple(f"{self.signature} {continuum.n_annotators}" for continuum in columns.continua)

    def sampler(self, continuum: Continuum, *, seed: int) -> Sampler:
        columns = self._columns(CombinedDissimilarity(beta=0), judged=False)
        model = self._core_model(columns, np.zeros(len(columns.codes)), [continuum.n_annotators], seed)
        return sampler_of(model, continuum, columns)

    def _columns(self, dissimilarity: Dissimilarity, *, judged: bool) -> CoreDocuments:
        """The continua to draw from, in the order of their content."""
        return CoreDocuments.of(self._corpus.continua, dissimilarity, judged=judged, together=True)

    def _core_model(self, columns: CoreDocuments, labels: NDArray[Any], numbers: list[int], seed: int) -> MosaicModel:
        extents = [continuum.extent for continuum in columns.continua if continuum.extent is not None]
        return MosaicModel(
            columns.documents,
            np.array([extent.start for extent in extents], dtype=np.float64),
            np.array([extent.length for extent in extents], dtype=np.float64),
            np.ascontiguousarray(labels[columns.numbers.order], dtype=np.int32),
            np.array(numbers, dtype=np.int32),
            keys(seed, (f"\x00corpus\x00{number}" for number in numbers)),
        )

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        if continuum.n_annotators <= self.n_continua:
            return ()
        instead = Shift()
        return (
            f"only {self.n_continua} continua for {continuum.n_annotators} annotators: the chance model "
            f"{instead.signature} was used instead of corpus",
            *instead.notes(continuum),
        )
