# SPDX-License-Identifier: MIT
"""Data that must be one document, as for `best_alignment` and similar functions."""

from __future__ import annotations

from typing import Any

from unisono.errors import ParameterError
from unisono.io.read import as_corpus
from unisono.model import Continuum
from unisono.nouns import quantity


def as_continuum(data: Any) -> Continuum:
    """The data as one continuum: a Continuum itself, or the only document of anything that `as_corpus` takes."""
    if isinstance(data, Continuum):
        return data
    corpus = as_corpus(data)
    if len(corpus) != 1:
        remedy = f"Give one of them, such as corpus[{corpus[0].name!r}]." if len(corpus) else "Give one document."
        raise ParameterError.of(
            f"the data have {quantity(len(corpus), 'document')}, and one is needed", remedy, code="one-document"
        )
    return corpus[0]
