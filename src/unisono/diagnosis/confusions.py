# SPDX-License-Identifier: MIT
"""Which categories are taken for each other, and which are vague: missed, marked by one alone, split, badly bounded."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from unisono.diagnosis.alignment_columns import Flags, Indices
from unisono.diagnosis.contrasts import FEWEST_DOCUMENTS, LEAST_EFFECT
from unisono.diagnosis.costs import Costs
from unisono.diagnosis.probability import binomial_tail, student_tail
from unisono.diagnosis.significance import benjamini_hochberg
from unisono.model import FloatArray

#: A category that is missed, or badly bounded, less than this many times as often as the others does not stand out.
LEAST_RATIO = 1.25


@dataclass(frozen=True)
class Confusions:
    """Every two categories that aligned, overlapping units have, the most disorder first.

    first, second: the labels (-1: no category). groups: unitary alignments with both. pairs: aligned pairs of units
    with one and the other; own: aligned pairs in which both units have the first, and the second; possible: pairs and
    own together. disorder: the share of the corpus's disorder that the confused pairs cause. p: how likely so many
    groups are if wrong categories are given whatever the unit is.
    """

    first: Indices
    second: Indices
    groups: Indices
    pairs: Indices
    own: Indices
    disorder: FloatArray
    p: FloatArray
    #: The number of all pairs of categories that units have.
    n_possible: int

    @classmethod
    def of(cls, costs: Costs) -> Confusions:
        units = costs.units
        width = len(units.labels) + 1
        overlap = costs.overlaps
        u, v = costs.u[overlap], costs.v[overlap]
        labels = np.sort(np.stack((units.label[u], units.label[v])) + 1, axis=0)
        keys = labels[0] * width + labels[1]
        differ = labels[0] != labels[1]
        found, place = np.unique(keys[differ], return_inverse=True)
        one, other = found // width, found % width
        if not len(found):
            nothing = np.empty(0, np.int64)
            return cls(nothing, nothing, nothing, nothing, np.empty((0, 2), np.int64), np.empty(0), np.empty(0), 0)
        same = np.bincount(labels[0][~differ], minlength=width)
        pairs = np.bincount(place, minlength=len(found))
        disorder = np.bincount(place, costs.categorial[overlap][differ], len(found)) / costs.total
        # A group counts once for each two of its categories, however many of its pairs have them.
        events = np.unique(place * units.n_groups + units.group[u][differ])
        which, group = events // units.n_groups, events % units.n_groups
        shared = units.size[units.group] >= 2
        prevalence = np.bincount(units.label[shared] + 1, minlength=width) / max(int(shared.sum()), 1)
        p = _excess(which, units.group_document[group], one, other, prevalence, len(units.documents))
        order = np.lexsort((found, -disorder))
        return cls(
            one[order] - 1,
            other[order] - 1,
            np.bincount(which, minlength=len(found))[order],
            pairs[order],
            np.stack((same[one], same[other]), axis=1)[order],
            disorder[order],
            p[order],
            math.comb(int((prevalence > 0).sum()), 2),
        )

    def __len__(self) -> int:
        return len(self.first)

    @property
    def possible(self) -> Indices:
        """Aligned pairs in which both units have one of the two categories."""
        possible: Indices = self.own.sum(axis=1) + self.pairs
        return possible

    def stand_out(self, level: float) -> Flags:
        """Which pairs stand out, after the correction for all pairs of categories, observed or not.

        They must be at least LEAST_EFFECT of the pairs of the rarer category, to be worth a sentence.
        """
        passed = benjamini_hochberg(np.concatenate((self.p, np.ones(max(0, self.n_possible - len(self))))), level)
        is_large: Flags = self.pairs >= LEAST_EFFECT * (self.own.min(axis=1) + self.pairs)
        return passed[: len(self)] & is_large


def _excess(
    which: Indices, document: Indices, one: Indices, other: Indices, prevalence: FloatArray, n_documents: int
) -> FloatArray:
    """How likely each two categories are confused so often if wrong categories come by chance.

    Chance is taken in the way that expects the pair most often: wrong categories in proportion to their prevalence
    (then pairs are as frequent as the product), or all categories alike (as the sum). With two categories there is
    nothing to compare the only pair with.
    """
    n_pairs, n_events = len(one), len(which)
    used = prevalence > 0
    product = (1 - (prevalence**2).sum()) / 2
    total = prevalence.sum() * (used.sum() - 1)
    shares = np.stack(
        (
            prevalence[one] * prevalence[other] / max(product, 1e-300),
            (prevalence[one] + prevalence[other]) / max(total, 1e-300),
        )
    )
    share = np.minimum(shares.max(axis=0), 1.0)
    if used.sum() < 3:
        return np.ones(n_pairs)
    count = np.bincount(which, minlength=n_pairs)
    p = binomial_tail(count, n_events, share)
    # Documents as independent: what each has beyond the share of its own confusions.
    per_document = np.bincount(document, minlength=n_documents)
    n_active = int((per_document > 0).sum())
    if n_active < FEWEST_DOCUMENTS:
        return p
    keys, counts = np.unique(which * n_documents + document, return_counts=True)
    owner, where = keys // n_documents, keys % n_documents
    rate = count / n_events
    # sum over documents of (n_d - rate * m_d)^2, where n_d is 0 in the documents without the pair
    squares = np.bincount(owner, counts**2 - 2 * counts * rate[owner] * per_document[where], n_pairs)
    squares += rate**2 * (per_document.astype(np.float64) ** 2).sum()
    excess = count - share * n_events
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(squares > 1e-9, excess / np.sqrt(squares * n_active / (n_active - 1)), np.sign(excess) * np.inf)
    return np.maximum(p, student_tail(t, n_active - 1))


@dataclass(frozen=True)
class CategoryTable:
    """Each category that units have: how often its units are missed, marked by one alone, split, badly bounded.

    missed: the mean share of annotators without a unit, in groups of the category with two units or more (two
    annotators: in all groups). alone: the share of its units that nobody else gives this category. boundaries: the mean
    positional dissimilarity of aligned pairs. split: the share of its units that another annotator splits. `p_` are
    how likely so much more than in the other categories is by chance.
    """

    label: Indices
    units: Indices
    annotators: Indices
    groups: Indices
    missed: FloatArray
    missed_others: FloatArray
    p_missed: FloatArray
    alone: FloatArray
    alone_others: FloatArray
    p_alone: FloatArray
    boundaries: FloatArray
    boundaries_others: FloatArray
    p_boundaries: FloatArray
    split: FloatArray
    split_others: FloatArray
    p_split: FloatArray

    @classmethod
    def of(cls, costs: Costs, whole: Indices) -> CategoryTable:
        """whole: units that another annotator splits."""
        units = costs.units
        labels = np.unique(units.label)
        place = np.searchsorted(labels, units.label)
        of_group = np.searchsorted(labels, units.group_label)
        n = len(labels)
        seen = (units.size >= 2) | (units.n_seats == 2)
        missing = (1 - units.size / units.n_seats)[seen]
        missed = compare_classes(of_group[seen], units.group_document[seen], missing, n)
        width = len(units.labels) + 1
        _, inverse, counts = np.unique(units.group * width + units.label + 1, return_inverse=True, return_counts=True)
        alone = compare_classes(place, units.document, (counts[inverse] == 1).astype(np.float64), n)
        shared = units.size >= 2
        n_pairs = units.size * (units.size - 1) / units.n_seats / (units.n_seats - 1)
        spread = (costs.group_positional / np.where(shared, n_pairs, 1.0))[shared]
        boundaries = compare_classes(of_group[shared], units.group_document[shared], spread, n)
        is_whole = np.zeros(len(units))
        is_whole[whole] = 1.0
        several = shared[units.group]
        split = compare_classes(place[several], units.document[several], is_whole[several], n)
        pairs = np.unique(place * units.n_annotators + units.annotator)
        return cls(
            labels,
            np.bincount(place, minlength=n),
            np.bincount(pairs // units.n_annotators, minlength=n),
            np.bincount(of_group, minlength=n),
            *missed,
            *alone,
            *boundaries,
            *split,
        )

    def __len__(self) -> int:
        return len(self.label)

    def differs(self, habit: str) -> Flags:
        """Whether a category has a habit enough more than the others for it to be worth a sentence."""
        value, others = (np.nan_to_num(getattr(self, name), nan=0.0) for name in (habit, f"{habit}_others"))
        differs: Flags = (value - others >= LEAST_EFFECT) & (value >= LEAST_RATIO * others)
        return differs


def compare_classes(
    member: Indices, document: Indices, value: FloatArray, n: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The mean of each class, that of all others, and how likely so much more than the others' is by chance.

    Student's t with places as independent and with documents as independent; the less extreme of both counts. With
    places as independent the variance is at least that of all values together: two or three equal values of a class
    have none of their own, and prove nothing.
    """
    count, total = np.bincount(member, minlength=n).astype(np.float64), np.bincount(member, value, n)
    square = np.bincount(member, value * value, n)
    rest, rest_total = count.sum() - count, total.sum() - total
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(count > 0, total / count, np.nan)
        others = np.where(rest > 0, rest_total / rest, np.nan)
        spread = np.maximum(square / count - mean**2, 0) / np.maximum(count - 1, 1)
        rest_spread = np.maximum((square.sum() - square) / rest - others**2, 0) / np.maximum(rest - 1, 1)
        together = (square.sum() / len(value) - value.mean() ** 2) * (1 / count + 1 / rest) if len(value) else 0.0
        t = (mean - others) / np.sqrt(np.maximum(spread + rest_spread, together))
    p = np.where((count > 1) & (rest > 1), student_tail(np.nan_to_num(t), np.minimum(count, rest) - 1), 1.0)
    width = int(document.max(initial=0)) + 1
    keys, cell = np.unique(member * width + document, return_inverse=True)
    owner = keys // width
    # What a document has of a class beyond the mean of the others, against its own mean excess.
    beyond = value - np.nan_to_num(others)[member]
    sums, sizes = np.bincount(cell, beyond, len(keys)), np.bincount(cell, minlength=len(keys))
    excess, documents = np.bincount(owner, sums, n), np.bincount(owner, minlength=n)
    rate = excess / np.maximum(count, 1)
    residual = np.bincount(owner, (sums - rate[owner] * sizes) ** 2, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = excess / np.sqrt(residual * documents / np.maximum(documents - 1, 1))
    several = documents >= FEWEST_DOCUMENTS
    over = student_tail(np.nan_to_num(t), np.maximum(documents - 1, 1))
    p = np.where(several, np.maximum(p, over), p)
    return mean, others, np.where(np.isnan(mean) | np.isnan(others), 1.0, p)
