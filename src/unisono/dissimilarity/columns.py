# SPDX-License-Identifier: MIT
"""Continua as the core takes them: contiguous columns, and the kernel that compares their units where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import Documents, Kernel
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.positional import FunctionPositional
from unisono.dissimilarity.protocol import Dissimilarity
from unisono.model import CATEGORY, Continuum, Feature, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class CoreColumns:
    """The units of a continuum for the core; `kernel` is None when only Python can compare them.

    `categories` are the labels that the dissimilarity compares, `contents` tell units apart that differ in any label:
    ties between alignments are broken by contents, whatever the dissimilarity looks at.
    """

    starts: FloatArray
    ends: FloatArray
    categories: IntArray
    contents: IntArray
    annotators: IntArray
    n_annotators: int
    kernel: Kernel | None

    @property
    def units(self) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray, int]:
        """The columns in the order in which every function of the core takes them."""
        return self.starts, self.ends, self.categories, self.contents, self.annotators, self.n_annotators

    @classmethod
    def of(cls, continuum: Continuum, dissimilarity: Dissimilarity) -> CoreColumns:
        kernel, labels = None, continuum.features[CATEGORY]
        if isinstance(dissimilarity, CombinedDissimilarity):
            labels = dissimilarity.column(continuum)
            kernel = dissimilarity.kernel(labels.labels)
        return cls(
            np.ascontiguousarray(continuum.starts, dtype=np.float64),
            np.ascontiguousarray(continuum.ends, dtype=np.float64),
            np.ascontiguousarray(labels.codes, dtype=np.int32),
            contents((continuum,)),
            np.ascontiguousarray(continuum.annotator_codes, dtype=np.int32),
            continuum.n_annotators,
            kernel,
        )


@dataclass(frozen=True)
class CoreDocuments:
    """Several continua for the core, under one dissimilarity; the kernels are None when only Python can compare.

    `categories` is the kernel that judges the categories of aligned units (γcat, γk): the same categorial
    dissimilarity, also where the alignment does not look at categories (beta = 0). `labels` has the categories in use
    in each continuum, None among them where a unit has none; `label_places` says which of them each unit has.
    """

    continua: tuple[Continuum, ...]
    dissimilarity: Dissimilarity
    documents: Documents
    kernel: Kernel | None
    categories: Kernel | None
    labels: tuple[tuple[str | None, ...], ...]
    label_places: tuple[IntArray, ...]
    is_judged: bool

    @classmethod
    def of(cls, continua: Sequence[Continuum], dissimilarity: Dissimilarity, *, judged: bool = True) -> CoreDocuments:
        """Columns of the continua; `judged` when the categories of aligned units are asked for, too."""
        kernel = categories = None
        if isinstance(dissimilarity, CombinedDissimilarity):
            judge = replace(dissimilarity, beta=1.0) if judged and dissimilarity.beta == 0 else dissimilarity
            columns, table = _one_table([judge.column(continuum) for continuum in continua])
            # Whoever judges categories asks how near two units are, also where the alignment does not (alpha = 0).
            if not (judged and isinstance(judge.positional, FunctionPositional)):
                kernel = dissimilarity.kernel(table)
                categories = judge.kernel(table) if judged else None
        else:
            columns, table = _one_table([continuum.features[CATEGORY] for continuum in continua])
        in_use = [np.unique(codes, return_inverse=True) for codes in columns]
        labels = tuple(tuple(None if c < 0 else table[c] for c in used.tolist()) for used, _ in in_use)
        places = tuple(place.reshape(-1).astype(np.int32) for _, place in in_use)
        documents = Documents(
            _joined([continuum.starts for continuum in continua], np.float64),
            _joined([continuum.ends for continuum in continua], np.float64),
            _joined(columns, np.int32),
            contents(continua),
            _joined(places, np.int32),
            _joined([continuum.annotator_codes for continuum in continua], np.int32),
            np.cumsum([0, *(len(continuum) for continuum in continua)], dtype=np.int64),
            np.array([continuum.n_annotators for continuum in continua], dtype=np.int32),
            np.array([len(of_document) for of_document in labels], dtype=np.int32),
        )
        return cls(tuple(continua), dissimilarity, documents, kernel, categories, labels, places, judged)


def _joined(columns: Sequence[NDArray[Any]], dtype: type[Any]) -> NDArray[Any]:
    if not columns:
        return np.empty(0, dtype)
    return np.ascontiguousarray(np.concatenate([column.reshape(-1) for column in columns]), dtype=dtype)


def _one_table(features: Sequence[Feature]) -> tuple[list[IntArray], tuple[str, ...]]:
    """The codes of all columns in one table of labels; a corpus that was read shares one already."""
    if not features:
        return [], ()
    first = features[0].labels
    if all(feature.labels is first for feature in features):
        return [feature.codes for feature in features], first
    tables = {feature.labels for feature in features}
    table = tuple(sorted(set().union(*tables)))
    place = {label: i for i, label in enumerate(table)}
    # A last entry of -1 serves the code -1, which stands for no label.
    renumber = {labels: np.array([*(place[label] for label in labels), -1], dtype=np.int32) for labels in tables}
    return [renumber[feature.labels][feature.codes] for feature in features], table


def contents(continua: Sequence[Continuum]) -> IntArray:
    """One code for each combination of labels, sorted by category first, over all units of all continua.

    One numbering for all: a random continuum may be made of units of several of them.
    """
    names = [CATEGORY, *sorted({name for continuum in continua for name in continuum.features} - {CATEGORY})]
    columns = [_joined(_one_table([_labels(continuum, name) for continuum in continua])[0], np.int32) for name in names]
    if len(columns) == 1:
        return columns[0]
    _, codes = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return codes.reshape(-1).astype(np.int32)


def _labels(continuum: Continuum, name: str) -> Feature:
    """The labels of one feature; none at all where the continuum does not have it."""
    found = continuum.features.get(name)
    return Feature(np.full(len(continuum), -1, dtype=np.int32), ()) if found is None else found
