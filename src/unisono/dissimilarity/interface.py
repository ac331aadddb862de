# SPDX-License-Identifier: MIT
"""The interface that the aligner expects of a dissimilarity, ours or a user's."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from unisono.model import Continuum, Corpus, FloatArray, IntArray


@runtime_checkable
class Dissimilarity(Protocol):
    """A symmetric function of two units, zero on equal ones (Mathet et al. 2015, section 4.4)."""

    @property
    def delta_empty(self) -> float:
        """The dissimilarity of any unit, the empty one included, to the empty unit (section 4.4.1)."""

    @property
    def signature(self) -> str:
        """Every parameter in one short line; equal signatures give equal numbers."""

    def between(self, continuum: Continuum, u: IntArray, v: IntArray) -> FloatArray:
        """The dissimilarities of pairs of units of a continuum, given by their indices."""

    def fitted(self, corpus: Corpus) -> Dissimilarity:
        """The same dissimilarity with its data-dependent scales taken from the whole corpus."""
