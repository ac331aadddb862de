# SPDX-License-Identifier: MIT
"""Does somebody do a thing more often than the others in the same places? A test that needs no model.

If annotators are alike, those who could do it in one unitary alignment (or another place that they share) are
exchangeable: each is as likely to be the one who did. What somebody did beyond the mean of the place has then the mean
0 and a known variance. That takes places as independent. A second test takes only documents as independent and
estimates the variance from them; somebody stands out if both tests say so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unisono.diagnosis.alignment_columns import Flags, Indices, sums
from unisono.diagnosis.probability import binomial_tail, student_tail
from unisono.model import FloatArray

#: With fewer documents their spread says nothing, and places are taken as independent.
FEWEST_DOCUMENTS = 5
#: A smaller difference is not worth a sentence, however certain it is: of shares, and of shifts in lengths of the unit.
LEAST_EFFECT = 0.05


@dataclass(frozen=True)
class Contrast:
    """What each subject did beyond the others, over all places; one entry for each subject.

    excess: the sum over places of (what the subject did - the mean of the place). places: those in which subjects
    differ. p_more, p_less: how likely so much more, or less, is if nobody differs.
    """

    count: FloatArray
    total: FloatArray
    excess: FloatArray
    places: FloatArray
    documents: FloatArray
    p_more: FloatArray
    p_less: FloatArray

    @property
    def effect(self) -> FloatArray:
        """The excess in a place in which subjects differ, on average; unlike p, it does not grow with their number."""
        return self.excess / np.maximum(self.places, 1.0)


def contrast(
    place: Indices, subject: Indices, document: Indices, value: FloatArray, *, n_subjects: int, is_binary: bool
) -> Contrast:
    """What subjects did beyond the others in the same places.

    One entry for each place and subject who could do it there: the place, the subject, the document, and what they did
    (0 or 1 if binary). Whoever is alone in a place cannot be compared there.
    """
    n_places = int(place.max(initial=-1)) + 1
    crowd = np.bincount(place, minlength=n_places)
    mean = np.bincount(place, value, n_places) / np.maximum(crowd, 1)
    beyond = value - mean[place]
    spread = np.bincount(place, beyond * beyond, n_places) / np.maximum(crowd, 1)
    differs = (spread > 1e-18)[place]

    def over(weights: FloatArray) -> FloatArray:
        return sums(subject, weights, n_subjects)

    excess, places = over(beyond), over(differs.astype(np.float64))
    variance = over(np.where(differs, spread[place], 0.0))
    z = excess / np.sqrt(np.where(variance > 0, variance, np.inf))
    if is_binary:
        did = over(np.where(differs, value, 0.0))
        chance = over(np.where(differs, mean[place], 0.0)) / np.maximum(places, 1)
        # The binomial tail is an upper bound of the true one, in which the probability varies from place to place.
        more = binomial_tail(did, places, chance)
        less = binomial_tail(places - did, places, 1 - chance)
    else:
        more, less = student_tail(z, places - 1), student_tail(-z, places - 1)
    documents, t, df = _test_over_documents(subject, document, beyond, differs, excess, n_subjects)
    several = documents >= FEWEST_DOCUMENTS
    return Contrast(
        over(np.ones(len(place))),
        over(value),
        excess,
        places,
        documents,
        np.where(several, np.maximum(more, student_tail(t, df)), more),
        np.where(several, np.maximum(less, student_tail(-t, df)), less),
    )


def _test_over_documents(
    subject: Indices, document: Indices, beyond: FloatArray, differs: Flags, excess: FloatArray, n_subjects: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Documents in which each subject could differ, Student's t of the excess over them, its degrees of freedom.

    The excess of a document is compared with what is expected for its number of places, so that long documents do not
    count as spread.
    """
    keys, cell = np.unique(document * n_subjects + subject, return_inverse=True)
    owner = keys % n_subjects
    sums = np.bincount(cell, beyond, len(keys))
    sizes = np.bincount(cell, differs.astype(np.float64), len(keys))
    has_places = sizes > 0
    owner, sums, sizes = owner[has_places], sums[has_places], sizes[has_places]
    documents = np.bincount(owner, minlength=n_subjects).astype(np.float64)
    rate = excess / np.maximum(np.bincount(owner, sizes, n_subjects), 1e-300)
    residual = sums - rate[owner] * sizes
    df = documents - 1
    variance = np.bincount(owner, residual * residual, n_subjects) * documents / np.maximum(df, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(variance > 0, excess / np.sqrt(variance), np.sign(excess) * np.inf)
    return documents, np.where(excess == 0, 0.0, t), df
