# SPDX-License-Identifier: MIT
"""Annotators who make errors of one kind on the references of many documents, all at once, in columns.

The laws are those of the shuffling tool; numbers of added units and of splits are drawn instead of rounded, because the
tool would add none or one to references of one or two units for all magnitudes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.diagnosis.assumed import Kind
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature, FloatArray, IntArray, PositionArray
from unisono.shuffling.apart import place_groups_apart
from unisono.shuffling.category_errors import CategoryErrors
from unisono.shuffling.error_type import whole_positions
from unisono.shuffling.flat_references import FlatReferences, Indices, Rows, generator
from unisono.shuffling.piece_errors import split_pieces
from unisono.shuffling.position_errors import LEAST_SHARE, PositionErrors
from unisono.shuffling.sheet import Sheet, Surroundings
from unisono.shuffling.shuffled import annotator_names, set_name


@dataclass(frozen=True)
class Copies:
    """A copy of the reference for every annotator of every document: a group is an annotator in a document."""

    references: FlatReferences
    #: The number of annotators of each document.
    annotators: Indices

    @cached_property
    def documents(self) -> Indices:
        """The document of each group."""
        return repeat(np.arange(len(self.annotators)), self.annotators)

    @cached_property
    def rows(self) -> Rows:
        return Rows(self.references.rows.counts[self.documents])

    @cached_property
    def units(self) -> Indices:
        """The reference unit behind each row."""
        return self.references.rows.firsts[self.documents[self.rows.groups]] + self.rows.numbers

    def columns(self) -> tuple[PositionArray, PositionArray, IntArray]:
        reference = self.references
        return reference.starts[self.units], reference.ends[self.units], reference.codes[self.units]

    def sum_over_documents(self, rows: NDArray[Any], weights: NDArray[Any] | None = None) -> FloatArray:
        """Rows, or their weights, counted for each document. rows: their groups."""
        counted = np.bincount(self.documents[rows], weights, minlength=len(self.annotators))
        return counted.astype(np.float64)


@dataclass(frozen=True)
class FlatAnnotations:
    """The units of all annotators of all documents, sorted by (document, annotator, start, end, category)."""

    copies: Copies
    starts: PositionArray
    ends: PositionArray
    codes: IntArray
    #: The annotator in a document that each unit is of.
    groups: Indices
    #: The errors made in each document: missed, added, recategorised units, splits; shifts in shares of lengths.
    done: FloatArray

    @classmethod
    def sort(
        cls,
        copies: Copies,
        starts: PositionArray,
        ends: PositionArray,
        codes: IntArray,
        groups: Indices,
        done: FloatArray,
    ) -> FlatAnnotations:
        order = np.lexsort((codes, ends, starts, groups))
        return cls(copies, starts[order], ends[order], codes[order], groups[order], done)

    @property
    def n_units(self) -> FloatArray:
        """The units of each document that could suffer errors: those of the reference, for each annotator."""
        return (self.copies.references.rows.counts * self.copies.annotators).astype(np.float64)

    @cached_property
    def rows(self) -> Rows:
        """The rows of each document."""
        counts = np.bincount(self.copies.documents[self.groups], minlength=len(self.copies.annotators))
        return Rows(counts.astype(np.int64))

    def extents(self, *, guessed: bool) -> tuple[FloatArray, FloatArray]:
        """Start and end of the extent of each document; NaN where the reference is empty.

        guessed: from the first start to the last end, where there are units.
        """
        ends = np.where(self.copies.references.rows.counts > 0, self.copies.references.extent_ends, np.nan)
        starts = np.where(np.isnan(ends), np.nan, 0.0)
        firsts, has_units = self.rows.firsts, self.rows.counts > 0
        if has_units.any():
            at = firsts[has_units].astype(np.intp)  # reduceat takes no wider integers, and pointers may have 32 bits
            low = np.minimum.reduceat(self.starts, at)
            high = np.maximum.reduceat(self.ends, at)
            starts[has_units] = low if guessed else np.minimum(starts[has_units], low)
            ends[has_units] = high if guessed else np.maximum(ends[has_units], high)
        return starts, ends

    def corpus(self, *, guessed: bool) -> Corpus:
        """The documents, with extents as in `extents`."""
        number: type[int] | type[float] = int if self.copies.references.is_whole else float
        names = {n: annotator_names(n) for n in set(self.copies.annotators.tolist())}
        first_groups = np.cumsum(self.copies.annotators) - self.copies.annotators
        codes_of_annotators = (self.groups - first_groups[self.copies.documents[self.groups]]).astype(np.int32)
        continua = []
        bounds = zip(*(column.tolist() for column in self.extents(guessed=guessed)), strict=True)
        places = zip(self.rows.firsts.tolist(), self.rows.counts.tolist(), strict=True)
        for document, ((low, high), (first, count)) in enumerate(zip(bounds, places, strict=True)):
            own = slice(first, first + count)
            source: Literal["guessed", "given"] = "guessed" if guessed and count else "given"
            continua.append(
                Continuum.canonical(
                    starts=self.starts[own],
                    ends=self.ends[own],
                    annotator_codes=codes_of_annotators[own],
                    annotators=names[int(self.copies.annotators[document])],
                    features={CATEGORY: Feature(self.codes[own], self.copies.references.labels)},
                    extent=None if np.isnan(low) else Extent(number(low), number(high), source),
                    name=set_name(document + 1),
                )
            )
        return Corpus(tuple(continua))


def make_errors(
    kind: Kind, magnitude: float, references: FlatReferences, annotators: Indices, seed: int, *, is_linear: bool = False
) -> FlatAnnotations:
    """Annotations with errors of a kind. is_linear: units of an annotator stay apart where boundaries are moved."""
    copies = Copies(references, annotators)
    if kind == "boundaries":
        return _move_boundaries(copies, magnitude, seed, is_linear=is_linear)
    return _MAKERS[kind](copies, magnitude, seed)


def _miss_units(copies: Copies, magnitude: float, seed: int) -> FlatAnnotations:
    """`FalseNegatives`."""
    starts, ends, codes = copies.columns()
    groups = copies.rows.groups
    is_missed = copies.rows.draw(seed, "missed") < magnitude
    kept = ~is_missed
    done = copies.sum_over_documents(groups[is_missed])
    return FlatAnnotations.sort(copies, starts[kept], ends[kept], codes[kept], groups[kept], done)


def _add_units(copies: Copies, per_unit: float, seed: int) -> FlatAnnotations:
    """`FalsePositives` with as many units on average."""
    added = Rows(_numbers_of_errors(copies, per_unit, seed, "added"))
    reference, groups = copies.references, added.groups
    document = copies.documents[groups]
    which, where = (added.draw(seed, f"added-{what}") for what in ("like", "places"))
    like = reference.rows.firsts[document] + (which * reference.rows.counts[document]).astype(np.int64)
    lengths = (reference.ends - reference.starts)[like]
    room = reference.extent_ends[document] - lengths
    kind = reference.starts.dtype
    new = (np.floor(where * (np.maximum(room, 0) + 1)) if reference.is_whole else where * room).astype(kind)
    starts, ends, codes = copies.columns()
    return FlatAnnotations.sort(
        copies,
        np.concatenate((starts, new)),
        np.concatenate((ends, new + lengths)),
        np.concatenate((codes, reference.codes[like])),
        np.concatenate((copies.rows.groups, groups)),
        copies.sum_over_documents(groups),
    )


def _move_boundaries(copies: Copies, magnitude: float, seed: int, *, is_linear: bool) -> FlatAnnotations:
    """`PositionErrors`; with keep_apart if it is linear."""
    starts, ends, codes = copies.columns()
    random = generator(seed, "boundaries")
    groups = copies.rows.groups
    law = PositionErrors()
    if is_linear:
        old = starts.astype(np.float64), ends.astype(np.float64)
        lengths = old[1] - old[0]
        least = np.ones(len(starts)) if copies.references.is_whole else LEAST_SHARE * lengths
        new = place_groups_apart(*old, law.shift_factor * magnitude * lengths, least, groups, random)
        new_starts, new_ends = map(whole_positions, new) if copies.references.is_whole else new
    else:
        around = Surroundings(starts, ends, codes, Extent(0, 0), (), np.empty(0))
        moved = law.applied(Sheet.of(starts, ends, codes), magnitude, around, random)
        new_starts, new_ends = moved.starts, moved.ends
    lengths = np.maximum(ends - starts, np.finfo(float).tiny)
    shifts = (np.abs(new_starts - starts) + np.abs(new_ends - ends)) / lengths / 2
    done = copies.sum_over_documents(groups, shifts)
    return FlatAnnotations.sort(copies, new_starts, new_ends, codes, groups, done)


def _mistake_categories(copies: Copies, magnitude: float, seed: int) -> FlatAnnotations:
    """`CategoryErrors`."""
    starts, ends, codes = copies.columns()
    groups, reference = copies.rows.groups, copies.references
    drawn = copies.rows.draw(seed, "categories-mistaken")
    new = CategoryErrors().draw_codes(codes, drawn, magnitude, reference.labels, reference.prevalence)
    done = copies.sum_over_documents(groups[new != codes])
    return FlatAnnotations.sort(copies, starts, ends, new, groups, done)


def _split_units(copies: Copies, per_unit: float, seed: int) -> FlatAnnotations:
    """`Splits` with as many splits on average, as far as there are units that can be split."""
    splits = Rows(_numbers_of_errors(copies, per_unit, seed, "splits"))
    draws = np.stack([splits.draw(seed, f"splits-{what}") for what in ("which", "where")], axis=1).tolist()
    starts, ends, codes = copies.columns()
    shortest = 2 if copies.references.is_whole else float(np.nextafter(0, 1))
    can_be_split = np.flatnonzero(ends - starts >= shortest)
    bounds = np.searchsorted(copies.rows.groups[can_be_split], np.arange(copies.rows.n_groups + 1)).tolist()
    all_starts, all_ends, owners = starts.tolist(), ends.tolist(), list(range(len(starts)))
    pieces = can_be_split.tolist()
    for group in np.flatnonzero(splits.counts).tolist():
        first = int(splits.firsts[group])
        pool = pieces[bounds[group] : bounds[group + 1]]
        own = draws[first : first + int(splits.counts[group])]
        split_pieces(all_starts, all_ends, owners, pool, own, shortest, whole=copies.references.is_whole)
    owner = np.array(owners, dtype=np.int64)
    groups = copies.rows.groups[owner]
    done = copies.sum_over_documents(groups[len(starts) :])
    new_starts, new_ends = _as_positions(all_starts, starts), _as_positions(all_ends, starts)
    return FlatAnnotations.sort(copies, new_starts, new_ends, codes[owner], groups, done)


def _as_positions(values: Sequence[float], like: PositionArray) -> PositionArray:
    column: PositionArray = np.array(values).astype(like.dtype)  # type: ignore[assignment]  # one of the two kinds
    return column


def _numbers_of_errors(copies: Copies, per_unit: float, seed: int, what: str) -> Indices:
    """For each group one of the two whole numbers next to `per_unit` times its units, so that the mean is right."""
    drawn = Rows(copies.annotators).draw(seed, f"numbers-{what}")
    return np.floor(per_unit * copies.rows.counts + drawn).astype(np.int64)


_MAKERS: Mapping[Kind, Callable[[Copies, float, int], FlatAnnotations]] = {
    "missed": _miss_units,
    "added": _add_units,
    "categories": _mistake_categories,
    "splits": _split_units,
}
