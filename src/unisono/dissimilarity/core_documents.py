# SPDX-License-Identifier: MIT
"""Continua as the core takes them: contiguous columns, and the kernel that compares their units where there is one.

Annotators and labels reach the core as numbers by content (numbering.py): nothing in it depends on names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import Documents, Kernel
from unisono.arrays import repeat
from unisono.dissimilarity.combined import CombinedDissimilarity
from unisono.dissimilarity.interface import Dissimilarity
from unisono.dissimilarity.numbering import (
    ContentNumbers,
    join_columns,
    number_continua,
    number_corpus,
    number_units,
    one_table,
)
from unisono.dissimilarity.positional import FunctionPositional
from unisono.model import CATEGORY, Continuum, FloatArray, IntArray

#: Whole positions below this are added and halved without rounding.
EXACT = 2**51


@dataclass(frozen=True, slots=True)
class CoreColumns:
    """The units of a continuum for the core; `kernel` is None when only Python can compare them.

    `categories` are the labels that the dissimilarity compares. `contents` tell units apart that differ in any label:
    ties between alignments are broken by contents, whatever the dissimilarity compares. Contents and annotators are
    numbers by content.
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
        annotators, contents = number_units(continuum)
        return cls(
            np.ascontiguousarray(continuum.starts, dtype=np.float64),
            np.ascontiguousarray(continuum.ends, dtype=np.float64),
            np.ascontiguousarray(labels.codes, dtype=np.int32),
            contents,
            annotators,
            continuum.n_annotators,
            kernel,
        )


@dataclass(frozen=True)
class CoreDocuments:
    """Several continua for the core, under one dissimilarity; the kernels are None when only Python can compare.

    `categories` is the kernel that judges the categories of aligned units (γcat, γk): the same categorial
    dissimilarity, also where the alignment does not compare categories (beta = 0). `labels` has the categories in use
    in each continuum, sorted, None first where a unit has none; `label_places` says which of them each unit has,
    `codes` its place in the `table` of the labels of all continua. The core has the units in the order `numbers.order`.
    """

    continua: tuple[Continuum, ...]
    dissimilarity: Dissimilarity
    documents: Documents
    kernel: Kernel | None
    categories: Kernel | None
    labels: tuple[tuple[str | None, ...], ...]
    label_places: IntArray
    codes: IntArray
    table: tuple[str, ...]
    is_judged: bool
    numbers: ContentNumbers

    @classmethod
    def of(
        cls,
        continua: Sequence[Continuum],
        dissimilarity: Dissimilarity,
        *,
        judged: bool = True,
        together: bool = False,
    ) -> CoreDocuments:
        """Columns of the continua; `judged` when the categories of aligned units are asked for, too.

        With `together` the continua are put into an order of their own and their labels are numbered over all of them:
        for a chance model that mixes them.
        """
        numbers = number_corpus(continua) if together else number_continua(continua)
        kernel = categories = None
        if isinstance(dissimilarity, CombinedDissimilarity):
            judge = replace(dissimilarity, beta=1.0) if judged and dissimilarity.beta == 0 else dissimilarity
            columns, table = one_table([judge.column(continuum) for continuum in numbers.continua])
            # Judging categories takes the positional dissimilarity, also where the alignment does not (alpha = 0).
            if not (judged and isinstance(judge.positional, FunctionPositional)):
                kernel = dissimilarity.kernel(table)
                categories = judge.kernel(table) if judged else None
        else:
            columns, table = one_table([continuum.features[CATEGORY] for continuum in numbers.continua])
        codes = join_columns(columns, np.int32)
        labels, places = _labels_in_use(codes, table, numbers.firsts)
        order = numbers.order
        documents = Documents(
            join_columns([continuum.starts for continuum in numbers.continua], np.float64)[order],
            join_columns([continuum.ends for continuum in numbers.continua], np.float64)[order],
            codes[order],
            numbers.contents[order],
            places[order],
            numbers.annotators[order],
            numbers.firsts,
            numbers.n_annotators,
            np.array([len(of_document) for of_document in labels], dtype=np.int32),
        )
        return cls(
            numbers.continua,
            dissimilarity,
            documents,
            kernel,
            categories,
            labels,
            places,
            codes,
            table,
            judged,
            numbers,
        )

    @property
    def digests(self) -> tuple[bytes, ...]:
        """The digest of each continuum, which its random numbers are keyed by."""
        return self.numbers.digests

    @cached_property
    def identities(self) -> tuple[tuple[Any, ...], ...]:
        """For each continuum everything that its samples depend on besides settings: key, content, place, labels."""
        order, firsts = self.numbers.order, self.numbers.firsts.tolist()
        numbers = self.numbers
        columns = (numbers.starts, numbers.ends, numbers.annotators, numbers.contents, self.label_places)
        rows = [column[order] for column in columns]
        return tuple(
            (
                digest,
                _place(continuum),
                continuum.starts.dtype.str,
                continuum.n_annotators,
                labels,
                *(row[first:last].tobytes() for row in rows),
            )
            for digest, continuum, labels, first, last in zip(
                self.digests, self.continua, self.labels, firsts, firsts[1:], strict=False
            )
        )

    def by_unit(self, column: NDArray[Any]) -> NDArray[Any]:
        """A column of the core, with one entry for each unit, in the order of the continua's units."""
        result = np.empty_like(column)
        result[self.numbers.order] = column
        return result


def _place(continuum: Continuum) -> tuple[Any, ...]:
    """What samples depend on of where a continuum begins and ends: only its length where nothing is rounded."""
    extent = continuum.extent
    if extent is None:
        return ()
    is_whole = continuum.has_integer_positions and isinstance(extent.start, int) and isinstance(extent.end, int)
    is_exact = is_whole and max(abs(extent.start), abs(extent.end)) < EXACT
    return (extent.length,) if is_exact else (extent.start, extent.end)


def _labels_in_use(
    codes: IntArray, table: tuple[str, ...], firsts: NDArray[np.int64]
) -> tuple[tuple[tuple[str | None, ...], ...], IntArray]:
    """The labels in use in each document, sorted, None first; and which of them each unit has."""
    document = repeat(np.arange(len(firsts) - 1), np.diff(firsts))
    width = len(table) + 1
    # One sort for all documents: one for each of thousands takes longer than measuring them.
    keys = document * width + codes + 1
    order = np.argsort(keys, kind="stable")
    is_new = np.ones(len(keys), dtype=bool)
    is_new[1:] = np.diff(keys[order]) != 0
    rank = np.cumsum(is_new) - 1
    used = keys[order][is_new]
    first_label = np.searchsorted(used, np.arange(len(firsts)) * width)
    places = np.empty(len(keys), dtype=np.int32)
    places[order] = rank
    places -= first_label[document].astype(np.int32)
    names: list[str | None] = [None, *table]
    labels = [names[key] for key in (used % width).tolist()]
    bounds = first_label.tolist()
    return tuple(tuple(labels[a:b]) for a, b in pairwise(bounds)), places
