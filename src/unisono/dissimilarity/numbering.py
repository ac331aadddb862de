# SPDX-License-Identifier: MIT
"""Annotators and labels numbered by content, and the digest of a document that its random numbers are keyed by.

Nothing that is computed may depend on what documents, annotators and labels are called, or on the order in which they
come. So the core is given numbers instead: annotators are numbered by their units, labels by where they occur
(`_core/numbering.hpp` has the method). Renamed documents get the same numbers, hence the same digest, the same random
continua, the same choice among tied alignments and the same order of sums: the same bits.
"""

from __future__ import annotations

import copy
import hashlib
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono._core import number_by_content
from unisono.arrays import repeat
from unisono.model import CATEGORY, Continuum, Feature, FloatArray, IntArray

_Longs = NDArray[np.int64]

#: Under this name a continuum keeps a numbering that it was given (`number_like`).
_GIVEN = "_numbering"

#: A unit as it goes into the digest.
_UNIT = np.dtype([("annotator", "<i4"), ("category", "<i4"), ("start", "<f8"), ("end", "<f8")])


@dataclass(frozen=True, slots=True)
class Numbering:
    """A document's annotators and labels in the order of their numbers, and the digest of its content."""

    digest: bytes
    annotators: tuple[str, ...]
    #: The labels of each feature.
    labels: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class ContentNumbers:
    """The numbers of several continua, as columns over all their units, one continuum after the other."""

    continua: tuple[Continuum, ...]
    #: The units of each continuum in the core's order: by (annotator, start, end, labels), all as numbers.
    order: _Longs
    #: The number of each annotator of each continuum.
    annotator_numbers: IntArray
    #: The number of each unit's annotator.
    annotators: IntArray
    #: The number of each unit's label, one row for each of the `features`; -1 where it has none.
    labels: IntArray
    #: The number of each unit's combination of labels.
    contents: IntArray
    features: tuple[str, ...]
    #: Starts and ends, counted from the beginning of the extent.
    starts: FloatArray
    ends: FloatArray
    firsts: _Longs
    n_annotators: IntArray
    lengths: FloatArray

    @cached_property
    def digests(self) -> tuple[bytes, ...]:
        """A digest of each continuum: SHA-256 of its numbers of annotators, its length and its units in core order.

        A unit goes in as (annotator, category, start, end), by numbers and from the beginning of the extent. Features
        other than the category do not count. A continuum that was numbered like another one has the other's digest.
        """
        units = np.empty(len(self.order), dtype=_UNIT)
        columns = (
            ("annotator", self.annotators),
            ("category", self.labels[0]),
            ("start", self.starts),
            ("end", self.ends),
        )
        for name, column in columns:
            units[name] = column[self.order]
        rows = memoryview(units.tobytes())
        places = (self.firsts * _UNIT.itemsize).tolist()
        heads = zip(self.n_annotators.tolist(), self.lengths.tolist(), strict=True)
        digests = []
        for i, (continuum, head) in enumerate(zip(self.continua, heads, strict=True)):
            given = given_numbering(continuum)
            if given is not None:
                digests.append(given.digest)
                continue
            digest = hashlib.sha256(struct.pack("<qd", *head))
            digest.update(rows[places[i] : places[i + 1]])
            digests.append(digest.digest())
        return tuple(digests)

    def numbering(self, i: int) -> Numbering:
        """The numbering of one of the continua, by names."""
        continuum = self.continua[i]
        first = int(self.n_annotators[:i].sum())
        numbers = self.annotator_numbers[first : first + continuum.n_annotators]
        annotators = tuple(continuum.annotators[a] for a in np.argsort(numbers).tolist())
        return Numbering(self.digests[i], annotators, self.label_names(i, i + 1))

    def label_names(self, first: int, last: int) -> dict[str, tuple[str, ...]]:
        """The labels of each feature in the order of their numbers, over continua that were numbered together."""
        units = slice(int(self.firsts[first]), int(self.firsts[last]))
        names = {}
        for name, row in zip(self.features, self.labels, strict=True):
            codes, table = one_table([_feature(continuum, name) for continuum in self.continua[first:last]])
            by_number = dict(zip(row[units].tolist(), join_columns(codes, np.int32).tolist(), strict=True))
            names[name] = tuple(table[by_number[number]] for number in sorted(by_number) if number >= 0)
        return names


def number_continua(continua: Sequence[Continuum]) -> ContentNumbers:
    """The numbers of each continuum, whatever the others are."""
    return _number_by_content(tuple(continua), together=False)[0]


def number_corpus(continua: Sequence[Continuum]) -> ContentNumbers:
    """Continua numbered together: in an order of their own, with one numbering of labels for all."""
    numbers, documents = _number_by_content(tuple(continua), together=True)
    places = documents.tolist()
    sizes = np.diff(numbers.firsts)
    firsts = np.concatenate(([0], np.cumsum(sizes[documents])))
    units = np.concatenate(
        [np.empty(0, np.int64), *(np.arange(numbers.firsts[d], numbers.firsts[d + 1]) for d in places)]
    )
    new_place = np.empty(len(units), dtype=np.int64)
    new_place[units] = np.arange(len(units))
    annotators = np.split(numbers.annotator_numbers, np.cumsum(numbers.n_annotators)[:-1])
    return ContentNumbers(
        tuple(numbers.continua[d] for d in places),
        new_place[numbers.order],
        np.concatenate([np.empty(0, np.int32), *(annotators[d] for d in places)]),
        numbers.annotators[units],
        numbers.labels[:, units],
        numbers.contents[units],
        numbers.features,
        numbers.starts[units],
        numbers.ends[units],
        firsts,
        numbers.n_annotators[documents],
        numbers.lengths[documents],
    )


def number_units(continuum: Continuum) -> tuple[IntArray, IntArray]:
    """The number of each unit's annotator and of its combination of labels: `number_continua` for a single continuum.

    Many small continua are aligned one by one, for which the columns over several continua would take longer than the
    alignment.
    """
    if given_numbering(continuum) is not None or len(continuum.features) > 1 or continuum.extent is None:
        numbers = number_continua((continuum,))
        return numbers.annotators, numbers.contents
    origin, n, m = continuum.extent.start, continuum.n_annotators, len(continuum)
    labels = np.ascontiguousarray(continuum.category_codes, dtype=np.int32)
    codes = np.ascontiguousarray(continuum.annotator_codes, dtype=np.int32)
    _, _, numbers_of_annotators, _, contents = number_by_content(
        np.ascontiguousarray(continuum.starts - origin, dtype=np.float64),
        np.ascontiguousarray(continuum.ends - origin, dtype=np.float64),
        labels,
        np.zeros(m, dtype=np.int32),
        codes,
        np.zeros(n, dtype=np.int32),
        np.array([0, m], dtype=np.int64),
        np.array([n], dtype=np.int32),
        np.zeros(1),
        False,
    )
    return numbers_of_annotators[codes], contents


def numbering_of(continuum: Continuum) -> Numbering:
    """The annotators and labels of a continuum in the order of their numbers, with its digest.

    >>> one = Continuum.of({"ann": [(3, 5, "A"), (7, 9, "B")], "bob": [(2, 5, "B")]}, name="one")
    >>> two = Continuum.of({"zoe": [(3, 5, "y"), (7, 9, "x")], "tim": [(2, 5, "x")]}, name="two")
    >>> numbering_of(one).annotators, numbering_of(two).annotators
    (('bob', 'ann'), ('tim', 'zoe'))
    >>> numbering_of(one).digest == numbering_of(two).digest
    True
    """
    return number_continua((continuum,)).numbering(0)


def number_like(variant: Continuum, original: Continuum | Numbering) -> Continuum:
    """The variant, measured with the random numbers of the original: same key, same numbers of annotators and labels.

    What the original does not have is numbered after what it has. Differences between the two then carry little of the
    noise of sampling, because both are compared with random continua drawn alike.
    """
    numbered = copy.copy(variant)
    vars(numbered)[_GIVEN] = original if isinstance(original, Numbering) else numbering_of(original)
    return numbered


def given_numbering(continuum: Continuum) -> Numbering | None:
    """The numbering that the continuum was given by `number_like`, if any."""
    given: Numbering | None = vars(continuum).get(_GIVEN)
    return given


def join_columns(columns: Sequence[NDArray[Any]], dtype: type[Any]) -> NDArray[Any]:
    """Columns of several continua one after the other, as the core takes them."""
    if not columns:
        return np.empty(0, dtype)
    return np.ascontiguousarray(np.concatenate([column.reshape(-1) for column in columns]), dtype=dtype)


def one_table(features: Sequence[Feature]) -> tuple[list[IntArray], tuple[str, ...]]:
    """The codes of all columns in one table of labels; a corpus that was read shares one already."""
    if not features:
        return [], ()
    first = features[0].labels
    if all(feature.labels is first for feature in features):
        return [feature.codes for feature in features], first
    tables = {feature.labels for feature in features}
    table = tuple(sorted(set().union(*tables)))
    place = {label: i for i, label in enumerate(table)}
    # The last entry serves the code -1, which stands for no label.
    renumber = {labels: np.array([*(place[label] for label in labels), -1], dtype=np.int32) for labels in tables}
    return [renumber[feature.labels][feature.codes] for feature in features], table


def _number_by_content(continua: tuple[Continuum, ...], *, together: bool) -> tuple[ContentNumbers, _Longs]:
    """The numbers of continua in the order in which they came, and the order of the documents by content."""
    sizes = [len(continuum) for continuum in continua]
    firsts = np.cumsum([0, *sizes], dtype=np.int64)
    extents = [continuum.extent for continuum in continua]
    origins = repeat(np.array([0 if e is None else e.start for e in extents], dtype=np.float64), sizes)
    lengths = np.array([0 if e is None else e.length for e in extents], dtype=np.float64)
    # Adding 0 turns -0.0 into 0.0, which is the same place.
    starts = join_columns([continuum.starts for continuum in continua], np.float64) - origins + 0.0
    ends = join_columns([continuum.ends for continuum in continua], np.float64) - origins + 0.0
    names = (CATEGORY, *sorted({name for continuum in continua for name in continuum.features} - {CATEGORY}))
    columns = [[_feature(continuum, name) for continuum in continua] for name in names]
    # Alone, a document's codes need only tell its own labels apart; together, they need one table.
    codes = [one_table(column)[0] if together else [feature.codes for feature in column] for column in columns]
    labels = join_columns([join_columns(column, np.int32) for column in codes], np.int32)
    annotators = join_columns([continuum.annotator_codes for continuum in continua], np.int32)
    n_annotators = np.array([continuum.n_annotators for continuum in continua], dtype=np.int32)
    first_annotators = np.cumsum([0, *n_annotators.tolist()], dtype=np.int64)
    annotator_colours, label_colours = _first_colours(continua, names, firsts, first_annotators)
    order, documents, numbers, label_numbers, contents = number_by_content(
        starts,
        ends,
        labels,
        label_colours,
        annotators,
        annotator_colours,
        firsts,
        n_annotators,
        lengths,
        together,
    )
    return (
        ContentNumbers(
            continua,
            order,
            numbers,
            numbers[repeat(first_annotators[:-1], sizes) + annotators],
            label_numbers.reshape(len(names), -1),
            contents,
            names,
            starts,
            ends,
            firsts,
            n_annotators,
            lengths,
        ),
        documents,
    )


def _first_colours(
    continua: Sequence[Continuum], names: Sequence[str], firsts: _Longs, first_annotators: _Longs
) -> tuple[IntArray, IntArray]:
    """The colours to begin with: one for all, except where a continuum was numbered like another one."""
    annotators = np.zeros(int(first_annotators[-1]), dtype=np.int32)
    labels = np.zeros((len(names), int(firsts[-1])), dtype=np.int32)
    for i, continuum in enumerate(continua):
        given = given_numbering(continuum)
        if given is None:
            continue
        annotators[first_annotators[i] : first_annotators[i + 1]] = _places(continuum.annotators, given.annotators)
        for row, name in zip(labels, names, strict=True):
            feature = continuum.features.get(name)
            if feature is not None and len(feature.labels):
                places = np.array(_places(feature.labels, given.labels.get(name, ())), dtype=np.int32)
                row[firsts[i] : firsts[i + 1]] = np.where(feature.codes < 0, 0, places[feature.codes])
    return annotators, labels.reshape(-1)


def _places(names: Sequence[str], order: Sequence[str]) -> list[int]:
    """Where the names stand in the order; those that it lacks come after it."""
    place = {name: i for i, name in enumerate(order)}
    return [place.get(name, len(order)) for name in names]


def _feature(continuum: Continuum, name: str) -> Feature:
    """The labels of one feature; none at all where the continuum does not have it."""
    feature = continuum.features.get(name)
    return Feature(np.full(len(continuum), -1, dtype=np.int32), ()) if feature is None else feature
