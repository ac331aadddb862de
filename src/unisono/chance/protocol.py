# SPDX-License-Identifier: MIT
"""What a chance model is, ours or a user's, and how ours are handed to the core."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono._core import ChanceModel as CoreChanceModel
from unisono._core import Kernel
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.columns import CoreDocuments
from unisono.errors import CorpusError
from unisono.model import Continuum, Corpus, Extent, Feature


@runtime_checkable
class ChanceModel(Protocol):
    """A law of random continua. Sample `sample` must depend on (continuum, seed, sample) alone."""

    @property
    def signature(self) -> str:
        """Name and parameters, short and stable."""

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        """Random continuum number `sample`, with the same number of annotators."""

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        """What a reader of the result must know: where the model could not do as it says."""


@dataclass(frozen=True)
class CoreCases:
    """A chance model in the core: its cases, which case each continuum is, and the kernels for what it draws."""

    model: CoreChanceModel
    case_of: NDArray[np.int64]
    labels: tuple[tuple[str | None, ...], ...]
    kernel: Kernel
    categories: Kernel | None


class CoreModel(ChanceModel):
    """A chance model that the core can draw by itself: ours. A class to inherit from, not a protocol, because asking
    whether an object fits a protocol takes longer than a small document."""

    __slots__ = ()

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether documents share random continua."""

    @abstractmethod
    def fitted(self, corpus: Corpus) -> CoreModel:
        """The model with what it takes from the whole corpus."""

    @abstractmethod
    def model_for(self, continuum: Continuum) -> CoreModel:
        """The model itself, or what is done instead where it cannot work."""

    @abstractmethod
    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        """The model for these continua."""


def key(seed: int, name: str) -> NDArray[np.uint64]:
    """The generator's key for a document: the first 16 bytes of SHA-256 of the seed and the name."""
    digest = hashlib.sha256(f"{seed}\x00{name}".encode(errors="surrogatepass")).digest()
    return np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)


def keys(seed: int, names: Iterable[str]) -> NDArray[np.uint64]:
    """The keys of several documents, one after the other."""
    return np.concatenate([np.empty(0, np.uint64), *(key(seed, name) for name in names)])


def one_case_each(model: CoreChanceModel, columns: CoreDocuments) -> CoreCases:
    """Every continuum is a case of its own."""
    if columns.kernel is None:
        raise ValueError("the core needs a kernel")
    case_of = np.arange(len(columns.continua), dtype=np.int64)
    return CoreCases(model, case_of, columns.labels, columns.kernel, columns.categories)


def alone(continuum: Continuum) -> CoreDocuments:
    """One continuum for the core, to draw from."""
    return CoreDocuments.of((continuum,), CombinedDissimilarity(beta=0), judged=False)


def drawn(
    model: CoreChanceModel, case: int, sample: int, like: Continuum, continua: tuple[Continuum, ...]
) -> Continuum:
    """One random continuum of a model in the core, as a continuum; labels are those of the real units behind it."""
    starts, ends, _, annotators, source, _ = model.draw(case, sample)
    dtype: type[Any] = (
        like.starts.dtype.type if all(np.all(column == np.floor(column)) for column in (starts, ends)) else np.float64
    )
    extent = extent_of(like)
    low, high = starts.min().astype(dtype).item(), ends.max().astype(dtype).item()
    firsts = np.cumsum([0, *(len(continuum) for continuum in continua)])
    document = np.searchsorted(firsts, source, side="right") - 1
    features = {
        name: Feature.encode(
            [
                continua[d].features[name][u] if name in continua[d].features else None
                for d, u in zip(document.tolist(), (source - firsts[document]).tolist(), strict=True)
            ]
        )
        for name in like.features
    }
    return Continuum(
        starts=starts.astype(dtype),
        ends=ends.astype(dtype),
        annotator_codes=annotators,
        annotators=like.annotators,
        features=features,
        # A unit kept whole may overhang the end.
        extent=Extent(min(extent.start, low), max(extent.end, high), extent.source),
        name=like.name,
    )


def extent_of(continuum: Continuum) -> Extent:
    """The extent of a continuum that has units."""
    if continuum.extent is None or continuum.n_units == 0:
        raise CorpusError.of("at least one unit", "none", where=continuum.name, code="no-units")
    return continuum.extent
