# SPDX-License-Identifier: MIT
"""What all annotators have in common: what the disorder is made of, short units that are missed, bad documents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.diagnosis.alignment_columns import AlignedUnits, Flags, Indices, sums
from unisono.diagnosis.contrasts import FEWEST_DOCUMENTS
from unisono.diagnosis.costs import Costs
from unisono.diagnosis.probability import INTERVAL_LEVEL, normal_tail, share_interval, student_tail
from unisono.model import FloatArray
from unisono.sampling.student import student_quantile

#: A document is named if a random one of its size reaches its disorder with at most this probability (Bonferroni).
DOCUMENT_LEVEL = 0.05
#: What is called short: this share of the units.
SHORT = 0.25


@dataclass(frozen=True)
class ShareOfDisorder:
    """The share of the disorder that has one cause, with its interval (None: too little data)."""

    share: float
    interval: tuple[float, float] | None
    disorder: float

    @property
    def is_most(self) -> bool:
        """Whether it is more than half, and not by accident of the documents."""
        return self.interval is not None and self.interval[0] > 0.5


def share_of_disorder(costs: Costs, part: FloatArray) -> ShareOfDisorder:
    """The share of a part (one value for each group) in the disorder, with its interval over documents.

    With fewer than five documents, unitary alignments are taken as independent.
    """
    units = costs.units
    n = len(units.documents)
    top, bottom = sums(units.group_document, part, n), sums(units.group_document, units.disorder, n)
    if (bottom > 0).sum() < FEWEST_DOCUMENTS:
        top, bottom = part, units.disorder
    share, count = float(part.sum() / costs.total), int((bottom > 0).sum())
    if count < FEWEST_DOCUMENTS:
        return ShareOfDisorder(share, None, float(part.sum()))
    error = float(np.sqrt(((top - share * bottom) ** 2).sum() * count / (count - 1))) / costs.total
    half = student_quantile((1 + INTERVAL_LEVEL) / 2, count - 1) * error
    return ShareOfDisorder(share, (max(0.0, share - half), min(1.0, share + half)), float(part.sum()))


@dataclass(frozen=True)
class ShortUnits:
    """Are short units missed more often than others? missed, others: mean shares of annotators without a unit.

    length: units up to this length (a quarter of all) are called short.
    """

    missed: float
    others: float
    low: float
    high: float
    length: float
    p: float
    #: Groups of short units that somebody missed, the most typical first.
    groups: Indices
    disorder: float


def short_units(costs: Costs, pieces: Flags) -> ShortUnits | None:
    """Compare short units with the others; None where lengths do not differ or nothing is missed.

    Only groups with two units or more, so that a unit that somebody invented does not count (with two annotators: all
    groups), and none that is a piece of what others mark as one (pieces: for each unit, whether it is).
    The test is the slope of the share of annotators who have no unit over the rank of the length.
    """
    units = costs.units
    is_piece = sums(units.group, pieces.astype(np.float64), units.n_groups) > 0
    seen = np.flatnonzero(((units.size >= 2) | (units.n_seats == 2)) & ~is_piece)
    missing = 1 - units.size[seen] / units.n_seats[seen]
    first, last = units.middle
    length = (last - first)[seen]
    distinct, place, counts = np.unique(length, return_inverse=True, return_counts=True)
    if len(distinct) < 2 or not missing.any() or len(seen) < 4:
        return None
    rank = (np.cumsum(counts) - (counts + 1) / 2)[place] / len(seen)
    p = _p_of_falling(missing, rank, units.group_document[seen])
    limit = float(np.quantile(length, SHORT, method="lower"))
    short = length <= limit
    if short.all():
        limit = float(distinct[-2])
        short = length <= limit
    share, others = float(missing[short].mean()), float(missing[~short].mean())
    n_short = int(short.sum())
    variance = missing[short].var() / max(n_short - 1, 1)
    low, high = share_interval(share, units.n_seats[seen[short]].sum(), variance)
    missed = seen[short & (missing > 0)]
    order = np.lexsort((missed, -units.size[missed]))
    cost = float(costs.group_empty[seen[short]].sum())
    excess = max(0.0, 1 - others / share) * cost if share > 0 else 0.0
    return ShortUnits(share, others, float(low), float(high), limit, p, missed[order], excess)


def _p_of_falling(values: FloatArray, rank: FloatArray, document: Indices) -> float:
    """The p-value of a falling regression line, the less extreme of two: groups, or documents, as independent.

    With groups as independent the spread is at least what it is without a slope: a few groups that happen to lie on a
    line prove nothing.
    """
    distance = rank - rank.mean()
    slope = float((distance * values).sum() / (distance**2).sum())
    product = distance * (values - values.mean() - slope * distance)
    level = distance * (values - values.mean())
    clusters = [max(product, level, key=lambda each: float((each**2).sum()))]
    per_document = np.bincount(document, product)
    present = np.bincount(document, minlength=len(per_document)) > 0
    if present.sum() >= FEWEST_DOCUMENTS:
        clusters.append(per_document[present])
    p = 0.0
    for each in clusters:
        df = max(len(each) - 2, 1)
        error = float(np.sqrt((each**2).sum() * len(each) / df) / (distance**2).sum())
        p = max(p, float(student_tail(-slope / error if error > 0 else 0.0, df)))
    return p


def worst_documents(units: AlignedUnits) -> tuple[Indices, FloatArray]:
    """Documents with more disorder than a random one of their size would reach, the worst first, and their p-values.

    A random document of the same size has as many unitary alignments, drawn from those of all documents. Its sum is
    taken as a gamma distribution with the same mean, variance and skewness (Wilson and Hilferty). The p-values are
    corrected for the number of documents by Bonferroni.
    """
    n = len(units.documents)
    count = np.bincount(units.group_document, minlength=n)
    total = np.bincount(units.group_document, units.disorder, n)
    mean, variance = float(units.disorder.mean()), float(units.disorder.var())
    nothing = np.empty(0, np.int64), np.empty(0)
    if n < FEWEST_DOCUMENTS or variance <= 0:
        return nothing
    third = float(((units.disorder - mean) ** 3).mean())
    sizes = np.maximum(count, 1)
    z = (total - sizes * mean) / np.sqrt(sizes * variance)
    skewness = third / variance**1.5 / np.sqrt(sizes)
    p = np.where(count > 0, normal_tail(_normal_score(z, skewness)), 1.0)
    named = np.flatnonzero(p <= DOCUMENT_LEVEL / n)
    order = np.argsort(p[named], kind="stable")
    return named[order], p[named][order]


def _normal_score(z: FloatArray, skewness: FloatArray) -> FloatArray:
    """The normal score of a value z of a standardised gamma distribution with this skewness; z itself without skew."""
    skew = np.where(np.abs(skewness) < 1e-6, 1e-6, skewness)
    root = np.cbrt(np.maximum(skew * z / 2 + 1, 0.0) if (skew > 0).all() else skew * z / 2 + 1)
    return np.where(np.abs(skewness) < 1e-6, z, 6 / skew * (root - 1) + skew / 6)
