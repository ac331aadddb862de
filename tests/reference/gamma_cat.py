# SPDX-License-Identifier: MIT
"""The slow twin of γcat and γk: Algorithm 1 of Mathet 2017 as printed, its range over ties, and all of chance.

Yann Mathet 2017, The Agreement Measure γcat a Complement to γ Focused on Categorization of a Continuum,
Computational Linguistics 43(3), 661-681, doi:10.1162/COLI_a_00296, sections 4.2 and 4.3. An alignment is a list of
unitary alignments, each an n-tuple of units, None for the empty unit.

Decided where the paper is silent: a unitary alignment with one unit has no pair, so its weight 1/0 is never asked for;
the confidence is 1 - d_pos / delta_empty, without alpha, and d_cat is taken over delta_empty too, so that a disorder is
at most 1 whatever delta_empty is; undefined is None; the expected disorder is the mean over the random continua in
which it is defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from reference.alignment import TIE, Best, Members
from reference.chance import all_draws, as_continuum
from reference.dissimilarity import Pairwise, combined
from unisono.model import Continuum, Unit

Row = Sequence[Unit | None]

D_POS, D_CAT = combined(beta=0), combined(alpha=0)


@dataclass(frozen=True)
class Categorial:
    """What Algorithm 1 is given: both dissimilarities, over delta_empty, and how a k-k pair is counted.

    The paper's condition, "cat(u) = k or cat(v) = k", counts a pair of two k once; its published γk need it twice
    (once for each of its units that is a k).
    """

    d_pos: Pairwise = D_POS
    d_cat: Pairwise = D_CAT
    count_kk_twice: bool = False


NOMINAL = Categorial()


def weighted_pairs(alignment: Iterable[Row], by: Categorial = NOMINAL) -> Iterator[tuple[Unit, Unit, float, float]]:
    """Lines 4 to 10: every pair of real units with its weight and its categorial dissimilarity."""
    for unitary_alignment in alignment:
        units = [unit for unit in unitary_alignment if unit is not None]
        n_v = len(units)
        for u, v in combinations(units, 2):  # none when n_v < 2
            weight_base = 1 / (n_v - 1)
            weight_confidence = max(0.0, 1 - by.d_pos(u, v))
            yield u, v, weight_base * weight_confidence, by.d_cat(u, v)


def categorial_disorder(
    alignment: Iterable[Row], category: str | None = None, by: Categorial = NOMINAL
) -> float | None:
    """Algorithm 1: the disorder of γcat, or with a category the one of its γk; None where no pair has a weight."""
    disorders, weights = [], []
    for u, v, weight, dissimilarity in weighted_pairs(alignment, by):
        times = 1
        if category is not None:
            of_k = (u.category == category) + (v.category == category)
            times = of_k if by.count_kk_twice else min(of_k, 1)
        if times and weight > 0:  # without a weight nothing is added, even where the dissimilarity is infinite
            disorders.append(times * weight * dissimilarity)
            weights.append(times * weight)
    return fsum(disorders) / fsum(weights) if weights else None


def agreement(observed: float | None, expected: float | None) -> float | None:
    """Eq. 1; undefined where either disorder is, and where chance gives none: one category only is no agreement."""
    if observed is None or not expected:
        return None
    return 1 - observed / expected


def rows(continuum: Continuum, alignment: Iterable[Members]) -> list[Row]:
    """The n-tuples of an alignment given by the numbers of the units."""
    table = []
    for members in alignment:
        row: list[Unit | None] = [None] * continuum.n_annotators
        for i in members:
            row[continuum.annotator_codes[i]] = continuum[i]
        table.append(row)
    return table


@dataclass(frozen=True)
class Range:
    """The values of a disorder over all best alignments; low and high are None where it is defined in none."""

    low: float | None
    high: float | None
    n_tied: int
    #: In how many of the tied alignments it is undefined.
    n_undefined: int

    @property
    def is_touched(self) -> bool:
        """Whether the tie rule decides the value, or whether there is one."""
        return self.low != self.high or 0 < self.n_undefined < self.n_tied


def tied_ranges(
    continuum: Continuum, best: Best, categories: Sequence[str | None] = (None,), by: Categorial = NOMINAL
) -> list[Range]:
    """Lowest and highest disorder of γcat (None) or γk over every best alignment, as brute force lists them."""
    tied = [rows(continuum, alignment) for alignment in best.tied]
    found = []
    for category in categories:
        values = [categorial_disorder(alignment, category, by) for alignment in tied]
        defined = [value for value in values if value is not None]
        low, high = min(defined, default=None), max(defined, default=None)
        if low is not None and high is not None and high - low < TIE:  # the same sum in another order
            high = low
        found.append(Range(low, high, len(tied), len(values) - len(defined)))
    return found


#: Gives the disorder of the best alignment and the alignment.
Aligner = Callable[[Continuum], tuple[float, list[Row]]]


@dataclass(frozen=True)
class Chance:
    """All of the shift model on integers: the expected disorders of γ, γcat and every γk, and how many count.

    `n` random continua in all; `n_defined[k]` of them have a categorial disorder (k None: γcat).
    """

    n: int
    expected: float
    categorial: dict[str | None, float | None]
    n_defined: dict[str | None, int]


def all_of_chance(
    continuum: Continuum, distance: float, aligner: Aligner, by: Sequence[Categorial] = (NOMINAL,)
) -> list[Chance]:
    """The expected disorders, by aligning every random continuum there is: one answer for each way of counting.

    Every choice of integer shifts at the distance, times every choice of source annotators with replacement
    (2015, section 5.2.1); γcat and γk are means of the ratios, over the random continua that have one (2017, 4).
    """
    kinds: list[str | None] = [None, *continuum.categories]
    n, total = 0, 0.0
    sums = [dict.fromkeys(kinds, 0.0) for _ in by]
    counts = [dict.fromkeys(kinds, 0) for _ in by]
    for units, labellings in all_draws(continuum, distance):
        disorder, alignment = aligner(as_continuum(continuum, units))
        n += labellings
        total += labellings * disorder
        for way, sum_of, count_of in zip(by, sums, counts, strict=True):
            for kind in kinds:
                value = categorial_disorder(alignment, kind, way)
                if value is not None:
                    sum_of[kind] += labellings * value
                    count_of[kind] += labellings
    return [
        Chance(n, total / n, {k: sum_of[k] / count_of[k] if count_of[k] else None for k in kinds}, count_of)
        for sum_of, count_of in zip(sums, counts, strict=True)
    ]
