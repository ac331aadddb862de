# SPDX-License-Identifier: MIT
"""References drawn from a statistical model: the units that annotators without errors would mark."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unisono.arrays import repeat
from unisono.chance import key
from unisono.errors import ParameterError
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature, FloatArray, IntArray, Position
from unisono.shuffling.distributions import Distribution, Fixed, Uniform, distribution
from unisono.shuffling.error_type import is_number
from unisono.whole_files import write_whole

#: The only annotator of a reference.
REFERENCE = "reference"
#: The forms in which a caller may give a distribution.
Law = Distribution | float | tuple[float, float]
#: Defaults for a densely annotated text, as in the papers' figures.
UNITS = Fixed(30)
LENGTH = Uniform(30, 70)
GAP = Uniform(0, 10)


@dataclass(frozen=True, slots=True)
class CategoryModel:
    """A category: its prevalence, and its own lengths and gaps (before a unit), if it has any."""

    prevalence: float = 1.0
    length: Distribution | None = None
    gap: Distribution | None = None

    def __post_init__(self) -> None:
        if not is_number(self.prevalence) or not 0 <= self.prevalence < math.inf:
            raise ParameterError.of(
                f"the prevalence is {self.prevalence!r}, not a number of 0 or more",
                "Give a share or a count.",
                code="reference-model",
            )
        for name in ("length", "gap"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, distribution(value))


def _four_categories() -> dict[str, CategoryModel]:
    return {name: CategoryModel() for name in "ABCD"}


@dataclass(frozen=True, kw_only=True)
class ReferenceModel:
    """A distribution of reference continua (Mathet et al. 2015, section 6.3.1): units, categories, lengths and gaps.

    units: the number of units. It is a number or a distribution, as are `length` and `gap`: `50`, `[30, 70]` (uniform),
    or one of the classes Fixed, Uniform, LogNormal, Empirical. categories: by name, a CategoryModel or its prevalence;
    prevalences are shares or counts, only their ratios matter; without categories, units have none. uncategorised: the
    share of units without a category. exact_prevalence: every reference has as many units of each category as the
    prevalences say, rounded to whole numbers, in random order; otherwise each unit's category is drawn.

    Units follow each other with gaps between them. overlap: the share of units that begin before the previous unit
    ends; the length of the overlap is a uniform share of the shorter of the two. nesting: the share of units, not
    counting the first, that lie at a random place inside another; the same share applies inside nested units, up to
    `depth` levels. A unit that is longer than its host gets a random length up to that of the host.

    covering: the units cover the extent without gaps (`gap` is ignored), for pure segmentation. fixed_positions: all
    references drawn with one seed have their units at the same positions, for pure categorisation. extent: start and
    end of the continuum; gaps (or lengths, if there are no gaps) are scaled to fill it; by default it begins at 0 and
    ends a gap after the last unit. decimals: positions are decimal numbers; otherwise they are whole, and lengths are 1
    or more.

    >>> ReferenceModel(units=3, length=5, gap=2, categories={"A": 1}).draw(seed=1)[1]
    Unit(start=9, end=14, category='A', annotator='reference', features={})
    """

    units: Law = UNITS
    length: Law = LENGTH
    gap: Law = GAP
    categories: Mapping[str, CategoryModel | float] = field(default_factory=_four_categories)
    uncategorised: float = 0.0
    exact_prevalence: bool = False
    overlap: float = 0.0
    nesting: float = 0.0
    depth: int = 1
    covering: bool = False
    fixed_positions: bool = False
    extent: tuple[Position, Position] | None = None
    decimals: bool = False

    def __post_init__(self) -> None:
        for name in ("units", "length", "gap"):
            object.__setattr__(self, name, distribution(getattr(self, name)))
        if self.covering:
            object.__setattr__(self, "gap", Fixed(0))
        models = {
            name: item if isinstance(item, CategoryModel) else CategoryModel(item)
            for name, item in self.categories.items()
        }
        object.__setattr__(self, "categories", models)
        self._check()

    def _check(self) -> None:
        from unisono.shuffling.modelfile import check_model

        check_model(self)

    # -- from and to files, from data --------------------------------------------------------------------------------

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> ReferenceModel:
        """A model from a TOML file or its text; all its problems are reported at once."""
        from unisono.shuffling.modelfile import model_of_toml

        return model_of_toml(source)

    @classmethod
    def from_dict(cls, table: Mapping[str, Any], *, where: str = "") -> ReferenceModel:
        """A model from the contents of a TOML file, or of a part of one."""
        from unisono.shuffling.modelfile import model_of_dict

        return model_of_dict(table, where=where)

    def to_dict(self) -> dict[str, Any]:
        """The contents of a TOML file: units, length, gap, categories, and what differs from the defaults."""
        from unisono.shuffling.modelfile import dict_of_model

        return dict_of_model(self)

    def to_toml(self, path: str | os.PathLike[str] | None = None) -> str:
        """The model as the text of a TOML file; written to `path` if one is given."""
        from unisono.shuffling.modelfile import toml_of_model

        text = toml_of_model(self)
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def fitted(cls, corpus: Corpus) -> ReferenceModel:
        """A model of references that resemble the annotations of a corpus; all annotators' units count equally."""
        from unisono.shuffling.fitting import fitted_model

        return fitted_model(corpus)

    # -- drawing -----------------------------------------------------------------------------------------------------

    @property
    def prevalence(self) -> dict[str, float]:
        """The shares of the categories, among units that have one."""
        weights = {name: item.prevalence for name, item in sorted(self._categories.items())}
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}

    @property
    def _categories(self) -> Mapping[str, CategoryModel]:
        return self.categories  # type: ignore[return-value]  # __post_init__ made them models

    def draw(self, seed: int, *, name: str = "") -> Continuum:
        """A reference by the single annotator `reference`; it depends only on the seed and the name."""
        categories = _random(seed, name, "categories")
        places = _random(seed, "" if self.fixed_positions else name, "positions")
        count = int(distribution(self.units).draw(1, places, whole=True)[0])
        codes = self._codes(count, categories)
        starts, ends, extent = self._positions(codes, places)
        return Continuum(
            starts=starts,
            ends=ends,
            annotator_codes=np.zeros(count, dtype=np.int32),
            annotators=(REFERENCE,),
            features={CATEGORY: Feature(codes, tuple(self.prevalence))},
            extent=extent,
            name=name,
        )

    def _codes(self, count: int, random: np.random.Generator) -> IntArray:
        """A category for each unit, -1 for none."""
        if not self.categories:
            return np.full(count, -1, dtype=np.int32)
        shares = np.array([*(share * (1 - self.uncategorised) for share in self.prevalence.values())])
        shares = np.append(shares, self.uncategorised)
        if self.exact_prevalence:
            codes = random.permutation(repeat(np.arange(len(shares)), _apportion(shares, count)))
        else:
            until = np.cumsum(shares) / shares.sum()
            codes = np.searchsorted(until, random.random(count), side="right")
        return np.where(codes == len(shares) - 1, -1, codes).astype(np.int32)

    def _draw_each(self, what: str, codes: IntArray, random: np.random.Generator) -> FloatArray:
        """A length or a gap for each unit, from its category's own distribution if it has one."""
        whole = not self.decimals
        drawn = distribution(getattr(self, what)).draw(len(codes), random, whole=whole)
        for code, item in enumerate(item for _, item in sorted(self._categories.items())):
            law: Distribution | None = getattr(item, what)
            if law is not None:
                mine = np.flatnonzero(codes == code)
                if len(mine):
                    drawn[mine] = law.draw(len(mine), random, whole=whole)
        return drawn

    def _positions(
        self, codes: IntArray, random: np.random.Generator
    ) -> tuple[NDArray[Any], NDArray[Any], Extent | None]:
        """Starts and ends, in no particular order, and the extent around them."""
        count = len(codes)
        begin = 0.0 if self.extent is None else float(self.extent[0])
        if not count:
            return np.empty(0), np.empty(0), None if self.extent is None else Extent(*self.extent)
        lengths = self._draw_each("length", codes, random)
        if not self.decimals:
            lengths = np.maximum(lengths, 1)
        gaps = self._draw_each("gap", codes, random)
        after = float(distribution(self.gap).draw(1, random, whole=not self.decimals)[0])
        levels = _levels(count, self.nesting, self.depth, random)
        top = np.flatnonzero(levels == 0)
        steps = gaps[top]
        if self.overlap > 0 and len(top) > 1:
            shorter = np.minimum(lengths[top][1:], lengths[top][:-1])
            back = random.random(len(top) - 1) * shorter
            back = back if self.decimals else np.floor(back) + 1
            steps[1:] = np.where(random.random(len(top) - 1) < self.overlap, -back, steps[1:])
        steps, after, long = self._fill_extent(steps, after, lengths[top])
        starts, ends = np.empty(count), np.empty(count)
        until = begin + np.cumsum(steps + long)
        since = np.append(begin, until[:-1]) + steps
        if not self.decimals:
            since, until = np.floor(since + 0.5), np.floor(until + 0.5)
        elif self.extent is not None:  # the sums may exceed the extent by rounding
            since, until = np.clip((since, until), *self.extent)
        starts[top], ends[top] = since, until
        last = float(until.max()) + after
        _nest(starts, ends, lengths, levels, random, whole=not self.decimals)
        if self.decimals:
            return starts, ends, Extent(begin, last) if self.extent is None else Extent(*self.extent)
        extent = Extent(int(begin), round(last)) if self.extent is None else Extent(*self.extent)
        return starts.astype(np.int64), ends.astype(np.int64), extent

    def _fill_extent(
        self, steps: FloatArray, after: float, lengths: FloatArray
    ) -> tuple[FloatArray, float, FloatArray]:
        """Gaps (or lengths, if there are no gaps) scaled so that the extent is filled."""
        if self.extent is None:
            return steps, after, lengths
        room = float(self.extent[1] - self.extent[0])
        least = 0.0 if self.decimals else 1.0
        needed = least * len(lengths) if self.covering else float(lengths.sum() + np.minimum(steps, 0).sum())
        if needed > room:
            raise ParameterError.of(
                f"the units need {needed:g} positions, and the extent has only {room:g}",
                "Make the extent longer, or draw fewer or shorter units.",
                where="reference model",
                code="no-room",
            )
        if self.covering:
            beyond = lengths - least
            beyond = beyond if beyond.sum() > 0 else np.ones(len(lengths))
            return steps, after, least + beyond * ((room - needed) / beyond.sum())
        total = float(np.maximum(steps, 0).sum()) + after
        if total > 0:
            factor = (room - needed) / total
            return np.where(steps > 0, steps * factor, steps), after * factor, lengths
        return steps, room - needed, lengths


def _random(seed: int, name: str, what: str) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=key(seed, f"\x00reference\x00{name}\x00{what}")))


def _apportion(shares: FloatArray, count: int) -> NDArray[np.int64]:
    """Whole numbers in proportion to the shares that sum to `count`, by the method of largest remainders."""
    wanted: FloatArray = shares / shares.sum() * count
    numbers: NDArray[np.int64] = np.floor(wanted).astype(np.int64)
    order = np.argsort(numbers - wanted, kind="stable")
    numbers[order[: count - int(numbers.sum())]] += 1
    return numbers


def _levels(count: int, share: float, depth: int, random: np.random.Generator) -> NDArray[np.int64]:
    """The number of units around each unit; 0 for the first."""
    levels = np.zeros(count, dtype=np.int64)
    if share <= 0:
        return levels
    for level in range(depth):
        deeper = (levels == level) & (random.random(count) < share)
        if level == 0:
            deeper[0] = False
        else:  # one unit of the level stays there, as a host
            hosts = np.flatnonzero(levels == level)
            deeper[hosts[:1]] = False
        levels += deeper
    return levels


def _nest(
    starts: FloatArray,
    ends: FloatArray,
    lengths: FloatArray,
    levels: NDArray[np.int64],
    random: np.random.Generator,
    *,
    whole: bool,
) -> None:
    """Move the units of each level into random units of the level above, in place."""
    for level in range(1, int(levels.max(initial=0)) + 1):
        inner, outer = np.flatnonzero(levels == level), np.flatnonzero(levels == level - 1)
        host = outer[random.integers(0, len(outer), len(inner))]
        room = ends[host] - starts[host]
        short = random.random(len(inner)) * room
        if whole:
            short = np.floor(short) + 1
        length = np.where(lengths[inner] > room, short, lengths[inner])
        shift = random.random(len(inner)) * (room - length)
        if whole:
            shift = np.floor(random.random(len(inner)) * (room - length + 1))
        starts[inner] = starts[host] + shift
        ends[inner] = starts[inner] + length
