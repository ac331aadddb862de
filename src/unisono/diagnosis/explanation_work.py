# SPDX-License-Identifier: MIT
"""Whether an explanation takes little time: error equivalents and what-if measure again, some hundreds of times."""

from __future__ import annotations

import numpy as np

from unisono.model import Continuum, Corpus

#: A corpus with at most this many candidates is explained without being asked: that takes a few seconds.
MOST_CANDIDATES = 20_000


def is_quick_to_explain(corpus: Corpus) -> bool:
    """Whether error equivalents and what-if take little time, as far as the units tell.

    The time of an alignment grows with the unitary alignments that it chooses from, which are many where several
    annotators have units that overlap: 267 units of five annotators may take as long as 9,000 of two.
    """
    total = 0.0
    for continuum in corpus:
        total += count_candidates(continuum)
        if total > MOST_CANDIDATES:
            return False
    return True


def count_candidates(continuum: Continuum) -> float:
    """The unitary alignments of each unit with at most one unit of every other annotator that it meets, over all units.

    One of k units is counted k times. Units meet where they overlap or touch, and points where they are equal.

    >>> two = Continuum.of({"ann": [(0, 5), (7, 9)], "bob": [(0, 8)], "cem": []})
    >>> count_candidates(two)  # ann's units, alone or with bob's; bob's, alone or with either of ann's
    7.0
    """
    candidates = np.ones(len(continuum))
    for annotator in range(continuum.n_annotators):
        is_own = continuum.annotator_codes == annotator
        if not is_own.any():
            continue
        own, others = np.flatnonzero(is_own), np.flatnonzero(~is_own)
        starts, ends = np.sort(continuum.starts[own]), np.sort(continuum.ends[own])
        begun = np.searchsorted(starts, continuum.ends[others], side="right")
        over = np.searchsorted(ends, continuum.starts[others], side="left")
        with np.errstate(over="ignore"):  # with hundreds of annotators there are more than can be counted
            candidates[others] *= 1 + begun - over
    return float(candidates.sum())
