# SPDX-License-Identifier: MIT
"""What a chance model is, ours or a user's, and how ours are handed to the core."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from unisono._core import ChanceModel as CoreChanceModel
from unisono._core import Kernel
from unisono.dissimilarity import CombinedDissimilarity
from unisono.dissimilarity.core_documents import CoreDocuments
from unisono.dissimilarity.numbering import Numbering, number_like, numbering_of
from unisono.errors import CorpusError
from unisono.model import Continuum, Corpus, Extent, Feature

#: Draws the random continuum with a given number.
Sampler = Callable[[int], Continuum]


@runtime_checkable
class ChanceModel(Protocol):
    """A law of random continua. Sample `sample` must depend on (continuum, seed, sample) alone."""

    @property
    def signature(self) -> str:
        """Name and parameters, short and stable."""

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        """Random continuum number `sample`, with the same number of annotators."""

    def notes(self, continuum: Continuum) -> tuple[str, ...]:
        """What a reader of the result must know: where the model could not follow its own rules."""


@dataclass(frozen=True)
class CoreCases:
    """A chance model in the core: its cases, which case each continuum is, and the kernels for what it draws.

    Each case has the `labels` that its random continua can have and, on request, an identity: everything that its
    samples depend on besides the settings.
    """

    model: CoreChanceModel
    case_of: NDArray[np.int64]
    labels: tuple[tuple[str | None, ...], ...]
    identities: Callable[[], tuple[Hashable, ...]]
    kernel: Kernel
    categories: Kernel | None


class CoreModel(ChanceModel):
    """A chance model that the core can draw by itself: ours.

    A class to inherit from, not a protocol, because asking whether an object fits a protocol takes longer than a small
    document.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether documents with different content share random continua."""

    @property
    def is_shift(self) -> bool:
        """Whether random continua have the law of the shift model; others are sampled plainly."""
        return False

    @abstractmethod
    def fitted(self, corpus: Corpus) -> CoreModel:
        """The model with what it takes from the whole corpus."""

    @abstractmethod
    def model_for(self, continuum: Continuum) -> CoreModel:
        """The model itself, or the one that is used instead where it cannot be."""

    @abstractmethod
    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        """The model for these continua."""

    @abstractmethod
    def sampler(self, continuum: Continuum, *, seed: int) -> Sampler:
        """A function that draws the random continuum with a given number."""

    def draw(self, continuum: Continuum, *, seed: int, sample: int) -> Continuum:
        return self.sampler(continuum, seed=seed)(sample)

    @abstractmethod
    def shared_by(self, columns: CoreDocuments) -> tuple[str, ...]:
        """For each continuum what its random numbers are drawn from: continua with equal entries share their draws."""


class SingleDocumentModel(CoreModel):
    """A chance model that draws from one document alone: each continuum is a case of its own, keyed by its content.

    Documents with equal content, or drawn with the key of one original (`number_like`), share their random numbers.
    """

    __slots__ = ()

    @property
    def is_shared(self) -> bool:
        return False

    def fitted(self, corpus: Corpus) -> Self:
        return self

    def model_for(self, continuum: Continuum) -> Self:
        return self

    def cases(self, columns: CoreDocuments, seed: int) -> CoreCases:
        if columns.kernel is None:
            raise ValueError("the core needs a kernel")
        return CoreCases(
            self.core_model(columns, seed),
            np.arange(len(columns.continua), dtype=np.int64),
            columns.labels,
            lambda: columns.identities,
            columns.kernel,
            columns.categories,
        )

    def shared_by(self, columns: CoreDocuments) -> tuple[str, ...]:
        return tuple(f"{self.signature} {digest[:8].hex()}" for digest in columns.digests)

    def sampler(self, continuum: Continuum, *, seed: int) -> Sampler:
        columns = CoreDocuments.of((continuum,), CombinedDissimilarity(beta=0), judged=False)
        return sampler_of(self.core_model(columns, seed), continuum, columns)

    @abstractmethod
    def core_model(self, columns: CoreDocuments, seed: int) -> CoreChanceModel:
        """The model in the core, one case for each continuum."""


def key(seed: int, what: str | bytes) -> NDArray[np.uint64]:
    """The generator's key for a digest or a purpose: the first 16 bytes of SHA-256 of the seed and it."""
    return keys(seed, (what,))


def keys(seed: int, everything: Iterable[str | bytes]) -> NDArray[np.uint64]:
    """The keys for several, one after the other."""
    prefix = f"{seed}\x00".encode()
    encoded = (what.encode(errors="surrogatepass") if isinstance(what, str) else what for what in everything)
    joined = b"".join(hashlib.sha256(prefix + what).digest()[:16] for what in encoded)
    return np.frombuffer(joined, dtype="<u8").astype(np.uint64)


def sampler_of(model: CoreChanceModel, like: Continuum, columns: CoreDocuments) -> Sampler:
    """Random continua of the first case of a model in the core; labels are those of the real units behind them.

    The random annotators have the names of the real ones, in the order of the numbers. Labels are numbered as those of
    the `columns` drawn from, which are one continuum or continua numbered together.
    """
    extent, continua, order, firsts = extent_of(like), columns.continua, columns.numbers.order, columns.numbers.firsts
    numbering = Numbering(b"", numbering_of(like).annotators, columns.numbers.label_names(0, len(continua)))

    def draw(sample: int) -> Continuum:
        starts, ends, _, annotators, source, _ = model.draw(0, sample)
        are_whole = all(np.all(column == np.floor(column)) for column in (starts, ends))
        dtype: type[Any] = like.starts.dtype.type if are_whole else np.float64
        low, high = starts.min().astype(dtype).item(), ends.max().astype(dtype).item()
        unit = order[source]
        document = np.searchsorted(firsts, unit, side="right") - 1
        features = {
            name: Feature.encode(
                [
                    continua[d].features[name][u] if name in continua[d].features else None
                    for d, u in zip(document.tolist(), (unit - firsts[document]).tolist(), strict=True)
                ]
            )
            for name in like.features
        }
        random = Continuum(
            starts=starts.astype(dtype),
            ends=ends.astype(dtype),
            annotator_codes=annotators,
            annotators=numbering.annotators,
            features=features,
            # A unit kept whole may overhang the end.
            extent=Extent(min(extent.start, low), max(extent.end, high), extent.source),
            name=like.name,
        )
        return number_like(random, numbering)

    return draw


def extent_of(continuum: Continuum) -> Extent:
    """The extent of a continuum that has units."""
    if continuum.extent is None or continuum.n_units == 0:
        raise CorpusError.of(
            "nobody marked any unit, so there is nothing to draw random continua from",
            "Leave the document out.",
            where=continuum.name,
            code="no-units",
        )
    return continuum.extent
