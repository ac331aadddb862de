# SPDX-License-Identifier: MIT
"""References of many documents drawn at once, in columns: the law of `ReferenceModel.draw` without its loop.

Random numbers belong to a document and the number of a unit in it. So a unit keeps its numbers when the model changes
a little, and simulations with similar models are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.chance import key
from unisono.errors import ParameterError
from unisono.model import FloatArray, IntArray, PositionArray
from unisono.shuffling.distributions import Distribution, Empirical, Fixed, distribution
from unisono.shuffling.reference import CategoryModel, ReferenceModel

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """Rows sorted by group, known only by their number in each group."""

    counts: Indices

    @property
    def n_groups(self) -> int:
        return len(self.counts)

    @cached_property
    def firsts(self) -> Indices:
        """The first row of each group, where it would be if the group is empty."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def groups(self) -> Indices:
        """The group of each row."""
        return repeat(np.arange(self.n_groups), self.counts)

    @cached_property
    def numbers(self) -> Indices:
        """The number of each row in its group, from 0."""
        numbers: Indices = np.arange(int(self.counts.sum())) - repeat(self.firsts, self.counts)
        return numbers

    def draw(self, seed: int, what: str) -> FloatArray:
        """A number from 0 to 1 for each row, which depends on its group and number alone."""
        most = int(self.counts.max(initial=0))
        return generator(seed, what).random((most, self.n_groups))[self.numbers, self.groups]

    def take(self, chosen: NDArray[np.bool_]) -> Rows:
        """The rows chosen, in the same groups."""
        return Rows(np.bincount(self.groups[chosen], minlength=self.n_groups))


@dataclass(frozen=True)
class FlatReferences:
    """The references of many documents. Their extents begin at 0; a document without units has none."""

    rows: Rows
    starts: PositionArray
    ends: PositionArray
    codes: IntArray
    #: Where the extent of each document ends.
    extent_ends: FloatArray
    labels: tuple[str, ...]
    prevalence: FloatArray

    @property
    def is_whole(self) -> bool:
        return self.starts.dtype.kind == "i"


def generator(seed: int, what: str) -> np.random.Generator:
    """The generator for one purpose in all documents."""
    return np.random.Generator(np.random.Philox(key=key(seed, f"\x00flat\x00{what}")))


def draw_references(model: ReferenceModel, documents: int, seed: int) -> FlatReferences:
    """References for this many documents.

    For models as they are fitted to corpora: laws of values, no given extent, no exact prevalences, no fixed positions;
    a ParameterError for others.
    """
    if model.extent is not None or model.exact_prevalence or model.fixed_positions:
        raise ParameterError.of(
            "the model has a given extent, exact prevalences or fixed positions",
            "Draw its references one by one.",
            code="reference-model",
        )
    whole = not model.decimals
    counts = _Laws.of([distribution(model.units)]).draw(generator(seed, "units").random(documents), whole=True)
    rows = Rows(counts.astype(np.int64))
    codes = _draw_codes(model, rows, seed)
    lengths = _laws(model, "length").draw(rows.draw(seed, "lengths"), codes, whole=whole)
    if whole:
        lengths = np.maximum(lengths, 1)
    gaps = _laws(model, "gap").draw(rows.draw(seed, "gaps"), codes, whole=whole)
    after = _Laws.of([distribution(model.gap)]).draw(generator(seed, "after").random(documents), whole=whole)
    levels = _draw_levels(model, rows, seed)
    starts, ends = _follow(model, rows, lengths, gaps, levels == 0, seed)
    last = np.zeros(documents)
    np.maximum.at(last, rows.groups[levels == 0], ends[levels == 0])
    _nest(rows, starts, ends, lengths, levels, seed, whole=whole)
    columns: list[PositionArray] = [each.astype(np.int64) if whole else each for each in (starts, ends)]
    prevalence = model.prevalence
    return FlatReferences(
        rows,
        columns[0],
        columns[1],
        codes,
        np.rint(last + after) if whole else last + after,
        tuple(prevalence),
        np.array(list(prevalence.values()), dtype=np.float64),
    )


@dataclass(frozen=True)
class _Laws:
    """Laws of values, one after the other: those of the categories by code, then the one for the rest."""

    values: FloatArray
    firsts: Indices
    sizes: Indices

    @classmethod
    def of(cls, laws: Sequence[Distribution]) -> _Laws:
        values = []
        for law in laws:
            if not isinstance(law, Empirical | Fixed):
                raise ParameterError.of(
                    f"{law!r} is not a law of values", "Draw its references one by one.", code="reference-model"
                )
            values.append(np.array(law.values if isinstance(law, Empirical) else [law.value], dtype=np.float64))
        sizes = np.array([len(each) for each in values])
        return cls(np.concatenate(values), np.cumsum(sizes) - sizes, sizes)

    def draw(self, uniform: FloatArray, which: IntArray | None = None, *, whole: bool) -> FloatArray:
        """A value for each number from 0 to 1, of the law with that code; -1 is the last one."""
        law = np.full(len(uniform), -1) if which is None else which
        drawn = self.values[self.firsts[law] + (uniform * self.sizes[law]).astype(np.int64)]
        return np.rint(drawn) if whole else drawn


def _laws(model: ReferenceModel, what: str) -> _Laws:
    common = distribution(getattr(model, what))
    own = [getattr(item, what) for _, item in sorted(model.categories.items()) if isinstance(item, CategoryModel)]
    return _Laws.of([*(common if law is None else law for law in own), common])


def _draw_codes(model: ReferenceModel, rows: Rows, seed: int) -> IntArray:
    """A category for each unit, -1 for none."""
    shares = np.array([share * (1 - model.uncategorised) for share in model.prevalence.values()])
    if not len(shares):
        return np.full(len(rows.groups), -1, dtype=np.int32)
    until = np.append(np.cumsum(shares), shares.sum() + model.uncategorised)
    codes = np.searchsorted(until / until[-1], rows.draw(seed, "categories"), side="right")
    return np.where(codes == len(shares), -1, codes).astype(np.int32)


def _draw_levels(model: ReferenceModel, rows: Rows, seed: int) -> Indices:
    """The number of units around each unit; one unit of each level stays there, as a host for the next."""
    levels = np.zeros(len(rows.groups), dtype=np.int64)
    if model.nesting <= 0:
        return levels
    for level in range(model.depth):
        of_level = np.flatnonzero(levels == level)
        if not len(of_level):
            break
        stays = np.append(True, np.diff(rows.groups[of_level]) > 0)  # the first of its document
        drawn = rows.draw(seed, f"level-{level}")[of_level] < model.nesting
        levels[of_level[drawn & ~stays]] += 1
    return levels


def _follow(
    model: ReferenceModel, rows: Rows, lengths: FloatArray, gaps: FloatArray, is_top: NDArray[np.bool_], seed: int
) -> tuple[FloatArray, FloatArray]:
    """Starts and ends of units that follow each other, with gaps or overlaps; 0 for the nested ones."""
    top, of_top = np.flatnonzero(is_top), rows.take(is_top)
    long, steps = lengths[top], gaps[top]
    is_later = of_top.numbers > 0
    if model.overlap > 0 and len(top):
        shorter = np.minimum(long, np.append(long[:1], long[:-1]))
        back = of_top.draw(seed, "overlap-lengths") * shorter
        back = back if model.decimals else np.floor(back) + 1
        steps = np.where(is_later & (of_top.draw(seed, "overlaps") < model.overlap), -back, steps)
    # The sums begin anew in each document.
    sums = np.cumsum(steps + long)
    until = sums - repeat(np.append(0.0, sums)[of_top.firsts], of_top.counts)
    since = np.where(is_later, np.append(0.0, until[:-1])[: len(until)], 0.0) + steps
    starts, ends = np.zeros(len(lengths)), np.zeros(len(lengths))
    starts[top], ends[top] = since, until
    return starts, ends


def _nest(
    rows: Rows, starts: FloatArray, ends: FloatArray, lengths: FloatArray, levels: Indices, seed: int, *, whole: bool
) -> None:
    """Move the units of each level into random units of the level above in their document, in place."""
    for level in range(1, int(levels.max(initial=0)) + 1):
        is_inner, is_outer = levels == level, levels == level - 1
        inner, outer, hosts = np.flatnonzero(is_inner), np.flatnonzero(is_outer), rows.take(is_outer)
        document = rows.groups[inner]
        which, short, shift = (rows.draw(seed, f"{what}-{level}")[inner] for what in ("host", "short", "place"))
        host = outer[hosts.firsts[document] + (which * hosts.counts[document]).astype(np.int64)]
        room = ends[host] - starts[host]
        shorter = np.floor(short * room) + 1 if whole else short * room
        length = np.where(lengths[inner] > room, shorter, lengths[inner])
        starts[inner] = starts[host] + (np.floor(shift * (room - length + 1)) if whole else shift * (room - length))
        ends[inner] = starts[inner] + length
