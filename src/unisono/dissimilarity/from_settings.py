# SPDX-License-Identifier: MIT
"""The dissimilarity that settings describe: the one place where names become dissimilarities."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import cast

from unisono.dissimilarity.categorial import (
    Categorial,
    FCat,
    Interval,
    Levenshtein,
    Nominal,
    Ordinal,
    SetValued,
    Tree,
)
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.matrix import Matrix, read_matrix
from unisono.dissimilarity.positional import Absolute, Boundary, Positional, Sporadic
from unisono.settings import Comparing


def make_dissimilarity(
    settings: Comparing, *, alpha: float = 1.0, kind: type[CombinedDissimilarity] = CombinedDissimilarity
) -> CombinedDissimilarity:
    """The dissimilarity that settings describe, which `check` has passed; `alpha` is used if they give none.

    A file of distances that cannot be used raises as `read_matrix` does.

    >>> make_dissimilarity(Comparing(beta=0.5, categorial="tree")).signature
    'sporadic+tree,alpha=1,beta=0.5,delta_empty=1'
    """
    return kind(
        _make_positional(settings),
        _make_categorial(settings),
        alpha=alpha if settings.alpha is None else settings.alpha,
        beta=settings.beta,
        delta_empty=settings.delta_empty,
    )


def _make_positional(settings: Comparing) -> Positional:
    if settings.scale is None:
        return Sporadic()
    return Absolute(settings.scale) if settings.positional == "absolute" else Boundary(settings.scale)


def _make_categorial(settings: Comparing) -> Categorial:
    f_cat = cast(FCat, settings.f_cat)
    distances = settings.category_distances
    if distances is not None:
        return (
            Matrix(distances, f_cat=f_cat)
            if isinstance(distances, Mapping)
            else read_matrix(os.fspath(distances), f_cat=f_cat)
        )
    separator = settings.category_separator
    match settings.categorial:
        case "ordinal":
            return Ordinal(settings.category_order, f_cat=f_cat)
        case "interval":
            return Interval(f_cat=f_cat)
        case "levenshtein":
            return Levenshtein(f_cat=f_cat)
        case "tree":
            return Tree(separator or "/", f_cat=f_cat)
        case "jaccard" | "masi":
            return SetValued(settings.categorial, separator or "|", f_cat=f_cat)
        case _:
            return Nominal(f_cat=f_cat)
