# SPDX-License-Identifier: MIT
"""The chance model of a corpus: annotators of different continua put together (Mathet et al. 2015, section 5.2.2)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from unisono._core import MosaicModel
from unisono.chance.protocol import CoreCases, CoreModel, drawn, keys
from unisono.chance.shift import Shift
from unisono.dissimilarity import CombinedDissimilarity, Dissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.errors import CorpusError, ParameterError
from unisono.model import Continuum, Corpus


@dataclass(frozen=True)
class Mosaic(CoreModel):
    """The model for a corpus (`--chance corpus`): n different continua, one random annotator of each.

    Shorter continua are laid out again and again until they are as long as the longest one drawn; a unit belongs to
    the copy that its start lies in and is never cut. What the annotators share of one document is gone, what the
    corpus is like is kept: positions in the document included. The law depends on the number of annotators alone, so
    the expected disorder is estimated once for each such number and shared by the documents.

    Where the corpus has fewer continua than a document has annotators, that document is measured with `Shift`, and
    the result says so. Continua without an extent cannot be laid out and are left aside.
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
                "at least two documents with an extent for the chance model of a corpus",
                f"{len(usable)} of {len(corpus)}",
                "use the chance model `shift`, which is made for a single continuum",
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
                "a corpus to draw annotators from", "none", "Mosaic().fitted(corpus)", code="chance"
            )
        return self.corpus

    def model_for(self, continuum: Continuum) -> CoreModel:
        return self if continuum.n_annotators <= self.n_continua else Shift()

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        numbers = np.array([continuum.n_annotators for continuum in columns.continua], dtype=np.int64)
        cases, case_of = np.unique(numbers, return_inverse=True)
        return self._core(columns.dissimilarity, columns.categories is not None, cases.tolist(), case_of, seed)

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        case = self._core(CombinedDissimilarity(beta=0), False, [continuum.n_annotators], np.zeros(1, np.int64), seed)
        return drawn(case.model, 0, sample, continuum, self._corpus.continua)

    def _core(
        self,
        dissimilarity: Dissimilarity,
        judged: bool,
        numbers: list[int],
        case_of: np.typing.NDArray[np.int64],
        seed: int,
    ) -> CoreCases:
        columns = CoreDocuments.of(self._corpus.continua, dissimilarity, judged=judged)
        if columns.kernel is None:
            raise ValueError("the core needs a kernel")
        # γk needs the categories numbered over the whole corpus, not document by document.
        everywhere = sorted({label for labels in columns.labels for label in labels}, key=lambda x: (x is not None, x))
        place = {label: i for i, label in enumerate(everywhere)}
        codes = np.concatenate(
            [np.empty(0, np.int32)]
            + [
                np.array([place[label] for label in labels], dtype=np.int32)[inverse]
                for labels, inverse in zip(columns.labels, columns.label_places, strict=True)
                if labels
            ]
        )
        extents = [continuum.extent for continuum in self._corpus if continuum.extent is not None]
        model = MosaicModel(
            columns.documents,
            np.array([extent.start for extent in extents], dtype=np.float64),
            np.array([extent.length for extent in extents], dtype=np.float64),
            np.ascontiguousarray(codes, dtype=np.int32),
            np.array(numbers, dtype=np.int32),
            keys(seed, (f"\x00corpus\x00{number}" for number in numbers)),
        )
        return CoreCases(model, case_of, (tuple(everywhere),) * len(numbers), columns.kernel, columns.categories)

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        if continuum.n_annotators <= self.n_continua:
            return ()
        instead = Shift()
        return (
            f"only {self.n_continua} continua for {continuum.n_annotators} annotators: the chance model "
            f"{instead.signature} was used instead of corpus",
            *instead.notes(continuum),
        )
