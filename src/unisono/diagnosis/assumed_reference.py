# SPDX-License-Identifier: MIT
"""References for simulated annotators: a model fitted to a corpus, corrected for the errors that are assumed.

The units of a noisy corpus are not those of its reference: where units are missed there are too few of them, where they
are split too many and too short ones, and misplaced boundaries make lengths vary more. So the model is fitted to the
corpus as it is and then adjusted until annotators who make the errors assumed on its references produce a corpus of the
same shape: numbers of units and their spread over documents, lengths and their spread, extents, overlaps, nesting, and
units that touch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unisono.diagnosis.assumed import Kind
from unisono.diagnosis.flat_errors import FlatAnnotations, make_errors
from unisono.model import Continuum, Corpus, FloatArray, IntArray, PositionArray
from unisono.shuffling.distributions import Distribution, Empirical, Fixed, distribution
from unisono.shuffling.fitting import UnitColumns, fitted_model
from unisono.shuffling.flat_references import FlatReferences, Indices, draw_references
from unisono.shuffling.reference import CategoryModel, ReferenceModel

#: A number of units that is not whole is represented by this many whole ones with about that mean.
PARTS = 20
#: At most this many numbers of units are kept; those of more documents are represented by quantiles.
MOST_COUNTS = 100
#: A step changes nothing by more than this factor.
LARGEST_STEP = 2.5
#: Simulations at each size of errors, at most, to reach the shape of the corpus.
MOST_STEPS = 5
#: How far a shape may be from it: as a share for numbers, lengths and spreads, as a difference for shares of units.
CLOSE = 0.04
#: With few simulated units: this over the square root of their number, since they vary that much by chance.
CLOSE_OF_FEW = 0.8


@dataclass(frozen=True)
class Shape:
    """What a model of references is adjusted by: means over documents, annotators and units."""

    #: Units of an annotator in a document, those who marked nothing included, and their spread over documents.
    units: float
    units_spread: float
    length: float
    #: The standard deviation of the logarithms of lengths.
    length_spread: float
    extent: float
    overlap: float
    nesting: float
    #: The share of neighbouring units without a gap between them.
    touching: float

    @classmethod
    def of(cls, corpus: Sequence[Continuum]) -> Shape:
        counts = np.array([continuum.mean_units for continuum in corpus])
        extents = np.array([float(each.extent.length) for each in corpus if each.extent is not None])
        return cls.of_columns(UnitColumns.of(Corpus(tuple(corpus))), counts, extents)

    @classmethod
    def of_columns(cls, columns: UnitColumns, counts: FloatArray, extents: FloatArray) -> Shape:
        """counts: mean units of an annotator in each document. extents: those of documents that have one."""
        lengths = (columns.ends - columns.starts).astype(np.float64)
        positive = lengths[lengths > 0]
        nested = columns.nested
        top = columns.take(~nested)
        follows = top.follows
        steps = (top.starts[1:] - top.ends[:-1])[follows[1:]] if len(follows) else np.empty(0)
        return cls(
            units=float(counts.mean()),
            units_spread=float(counts.std()),
            length=float(lengths.mean()) if len(lengths) else 0.0,
            length_spread=float(np.log(positive).std()) if len(positive) else 0.0,
            extent=float(extents.mean()) if len(extents) else 0.0,
            overlap=float((steps < 0).mean()) if len(steps) else 0.0,
            nesting=float(nested.mean()) if len(nested) else 0.0,
            touching=float((steps == 0).mean()) if len(steps) else 0.0,
        )

    def is_close(self, other: Shape, n_units: int) -> bool:
        """Whether simulated documents, on references of `n_units` units in all, have about this shape."""
        close = max(CLOSE, CLOSE_OF_FEW / math.sqrt(max(n_units, 1)))
        ratios = ((self.units, other.units), (self.length, other.length), (self.length_spread, other.length_spread))
        differences = (self.overlap - other.overlap, self.nesting - other.nesting, self.touching - other.touching)
        return (
            all(abs(found - wanted) <= close * wanted for wanted, found in ratios)
            and all(abs(difference) <= close for difference in differences)
            # Both vary more from one simulation to the next, and matter less.
            and abs(other.units_spread - self.units_spread) <= 2.5 * close * self.units
            and abs(other.extent - self.extent) <= 2.5 * close * self.extent
        )


@dataclass(frozen=True)
class Correction:
    """How a reference differs from the fitted model: factors, and differences of shares; the default is none."""

    units: float = 1.0
    units_spread: float = 1.0
    length: float = 1.0
    length_spread: float = 1.0
    gap: float = 1.0
    overlap: float = 0.0
    nesting: float = 0.0
    touching: float = 0.0

    def toward(self, wanted: Shape, found: Shape, reference: Shape) -> Correction:
        """The correction after a simulation with this one has had the shape `found` instead of the one wanted.

        reference: the shape of the references of that simulation. Gaps take up what the units leave of the extent.
        """
        units, length = _step(wanted.units, found.units), _step(wanted.length, found.length)
        gap = self.gap
        if min(reference.units, found.extent, wanted.extent) > 0:
            now = found.extent / reference.units - reference.length
            then = wanted.extent / (reference.units * units) - reference.length * length
            if now > 0:
                gap = self.gap * min(LARGEST_STEP, max(0.0, then / now))
        return Correction(
            units=self.units * units,
            units_spread=self.units_spread * _step(wanted.units_spread, found.units_spread),
            length=self.length * length,
            length_spread=self.length_spread * _spread_step(wanted, found, reference),
            gap=gap,
            overlap=_shift(self.overlap, wanted.overlap, found.overlap),
            nesting=_shift(self.nesting, wanted.nesting, found.nesting),
            touching=min(1.0, max(-1.0, self.touching + wanted.touching - found.touching)),
        )


def _step(wanted: float, found: float) -> float:
    if found <= 0:
        return 1.0
    return min(LARGEST_STEP, max(1 / LARGEST_STEP, wanted / found))


def _shift(before: float, wanted: float, found: float) -> float:
    """The difference of a share: at most as much as there is of it, since few units may never show it."""
    return min(wanted, max(-wanted, before + wanted - found))


def _spread_step(wanted: Shape, found: Shape, reference: Shape) -> float:
    """The factor for the spread of lengths: errors add their variance to that of the references."""
    now = reference.length_spread**2
    if now <= 0:
        return 1.0
    then = now + wanted.length_spread**2 - found.length_spread**2
    return min(LARGEST_STEP, max(1 / LARGEST_STEP, math.sqrt(max(then / now, 0.0))))


@dataclass(frozen=True)
class References:
    """A model fitted to a corpus, the shape of the corpus, and how many annotators simulated documents have."""

    model: ReferenceModel
    counts: FloatArray
    shape: Shape
    annotators: tuple[int, ...]
    #: Whether extents reach from the first start to the last end, as those of the corpus.
    is_guessed: bool

    @classmethod
    def of(cls, corpus: Corpus, *, documents: int, most_annotators: int) -> References:
        """Fitted to the documents that two annotators or more saw; CorpusError if there are no units."""
        seen = [continuum for continuum in corpus if continuum.n_annotators > 1]
        counts = np.sort([continuum.mean_units for continuum in seen])
        sizes = np.sort([min(continuum.n_annotators, most_annotators) for continuum in seen])
        places = ((np.arange(documents) + 0.5) / documents * len(sizes)).astype(np.int64)
        # Numbers of annotators are dealt in a fixed order that does not follow their size.
        order = np.argsort((np.arange(documents) * 0.6180339887498949) % 1.0, kind="stable")
        return cls(
            model=fitted_model(Corpus(tuple(seen))),
            counts=_quantiles(counts, MOST_COUNTS),
            shape=Shape.of(seen),
            annotators=tuple(sizes[places][order].tolist()),
            is_guessed=all(c.extent is None or c.extent.source == "guessed" for c in seen),
        )

    @property
    def is_linear(self) -> bool:
        """Whether no unit overlaps another one of its annotator, and there are gaps to move in."""
        return self.shape.overlap == 0 and self.shape.nesting == 0 and not self.model.covering

    def corrected_model(self, correction: Correction) -> ReferenceModel:
        """The model with this correction."""
        model = self.model
        categories: dict[str, Any] = {
            name: CategoryModel(
                item.prevalence,
                None if item.length is None else _stretch(item.length, correction.length, correction.length_spread),
                None if item.gap is None else _gap_law(item.gap, correction),
            )
            for name, item in model.categories.items()
            if isinstance(item, CategoryModel)
        }
        return replace(
            model,
            units=_count_law(self.counts, correction),
            length=_stretch(distribution(model.length), correction.length, correction.length_spread),
            gap=_gap_law(distribution(model.gap), correction),
            categories=categories,
            overlap=min(0.95, max(0.0, model.overlap + correction.overlap)),
            nesting=min(0.95, max(0.0, model.nesting + correction.nesting)),
            depth=max(1, model.depth),
        )

    def simulate(self, correction: Correction, kind: Kind, magnitude: float, *, seed: int) -> FlatAnnotations:
        """Documents by annotators who make errors of a kind on references of the corrected model."""
        annotators = np.array(self.annotators, dtype=np.int64)
        references = draw_references(self.corrected_model(correction), len(annotators), seed)
        return make_errors(kind, magnitude, references, annotators, seed, is_linear=self.is_linear)

    def shape_of(self, simulated: FlatAnnotations) -> Shape:
        """The shape of simulated documents."""
        starts, ends = simulated.extents(guessed=self.is_guessed)
        lengths = (ends - starts)[~np.isnan(starts)]
        columns = _sort_columns(simulated.groups, simulated.starts, simulated.ends, simulated.codes)
        return Shape.of_columns(columns, simulated.rows.counts / simulated.copies.annotators, lengths)

    def simulate_alike(
        self, correction: Correction, kind: Kind, magnitude: float, *, seed: int
    ) -> tuple[FlatAnnotations, Correction]:
        """Documents of about the shape of the corpus, and the correction that made them.

        correction: that of a similar size of errors, to begin with.
        """
        for step in range(MOST_STEPS):
            simulated = self.simulate(correction, kind, magnitude, seed=seed)
            found = self.shape_of(simulated)
            references = simulated.copies.references
            if step == MOST_STEPS - 1 or self.shape.is_close(found, int(references.rows.counts.sum())):
                break
            correction = correction.toward(self.shape, found, reference_shape(references))
        return simulated, correction


def reference_shape(references: FlatReferences) -> Shape:
    """The shape of references."""
    rows = references.rows
    columns = _sort_columns(rows.groups, references.starts, references.ends, references.codes)
    return Shape.of_columns(columns, rows.counts.astype(np.float64), references.extent_ends[rows.counts > 0])


def _sort_columns(owners: Indices, starts: PositionArray, ends: PositionArray, codes: IntArray) -> UnitColumns:
    order = np.lexsort((-ends, starts, owners))
    return UnitColumns(owners[order], starts[order], ends[order], codes[order], ())


def _quantiles(values: FloatArray, most: int) -> FloatArray:
    """At most `most` of the sorted values, at equal steps."""
    if len(values) <= most:
        return values
    return values[((np.arange(most) + 0.5) / most * len(values)).astype(np.int64)]


def _count_law(counts: FloatArray, correction: Correction) -> Distribution:
    """The law of the number of units; a number that is not whole becomes a mixture of the two next to it."""
    mean = float(counts.mean())
    wanted = np.maximum(0.0, correction.units * (mean + correction.units_spread * (counts - mean)))
    parts = (np.arange(PARTS) + 0.5) / PARTS
    whole = np.sort(np.floor(wanted[:, None] + parts).ravel())
    return Fixed(float(whole[0])) if whole[0] == whole[-1] else Empirical(tuple(whole.tolist()))


def _gap_law(law: Distribution, correction: Correction) -> Distribution:
    """The law of gaps; as many of them are 0 as the correction says, and the others are stretched."""
    if not isinstance(law, Empirical) or not correction.touching:
        return _stretch(law, correction.gap)
    values = np.array(law.values)
    positive = values[values > 0]
    if not len(positive):
        return law
    share = min(0.95, max(0.0, 1 - len(positive) / len(values) + correction.touching))
    n_zero = round(share / (1 - share) * len(positive))
    return _stretch(Empirical((*[0.0] * n_zero, *positive.tolist())), correction.gap)


def _stretch(law: Distribution, factor: float, spread: float = 1.0) -> Distribution:
    """The law with every value multiplied; their logarithms spread more or less around their mean, which stays."""
    if isinstance(law, Fixed):
        return Fixed(law.value * factor)
    if not isinstance(law, Empirical):
        return law
    values = np.array(law.values)
    positive = values > 0
    if spread != 1.0 and positive.any():
        logs = np.log(values[positive])
        mean = values[positive].mean()
        values[positive] = np.exp(logs.mean() + spread * (logs - logs.mean()))
        values[positive] *= mean / values[positive].mean()
    return Empirical(tuple(np.maximum(values * factor, 0.0).tolist()))
