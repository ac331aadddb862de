# SPDX-License-Identifier: MIT
"""One document with one thing settled: the category, the boundaries, what is a unit, or whether it is one unit or two.

Each function returns the changed continuum, or the very same object where there is nothing to settle. Name, annotators,
extent and texts stay.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.disagreements import Disagreements
from unisono.analysis.gold.vote import Ballots
from unisono.model import CATEGORY, Alignment, Continuum, Feature

#: Fewer annotators have no majority.
FEWEST_FOR_MAJORITY = 3


def settle_categories(alignment: Alignment, feature: str = CATEGORY) -> Continuum:
    """Units of a unitary alignment get the category that more than half of them have; without one, they keep theirs."""
    continuum = alignment.continuum
    if feature not in continuum.features:
        return continuum
    ballots, _ = _vote(alignment, feature)
    old = continuum.features[feature]
    chosen, votes, _ = ballots.category(_popularity(old))
    settled = (2 * votes > ballots.support)[alignment.group]
    codes = np.where(settled, chosen[alignment.group], old.codes).astype(np.int32)
    return with_labels(continuum, feature, Feature(codes, old.labels))


def settle_boundaries(alignment: Alignment) -> Continuum:
    """Units of a unitary alignment get the median of their starts and that of their ends.

    Between two middle positions: halfway for decimal positions; for whole ones the earlier start and the later end.
    """
    continuum = alignment.continuum
    starts, ends, _ = _vote(alignment, CATEGORY)[0].boundaries("median")
    new_starts, new_ends = starts[alignment.group], ends[alignment.group]
    if np.array_equal(new_starts, continuum.starts) and np.array_equal(new_ends, continuum.ends):
        return continuum
    return continuum.replace(starts=new_starts, ends=new_ends)


def add_missed(alignment: Alignment, feature: str = CATEGORY) -> Continuum:
    """A unit that more than half of the annotators marked is added for those who did not.

    It has the median boundaries and, of every feature, the label that most of the units have.
    """
    continuum = alignment.continuum
    ballots, members = _vote(alignment, feature)
    size = members.size
    wanted = np.flatnonzero((2 * size > continuum.n_annotators) & (size < continuum.n_annotators))
    if not len(wanted) or continuum.n_annotators < FEWEST_FOR_MAJORITY:
        return continuum
    marked = np.zeros((len(alignment), continuum.n_annotators), dtype=bool)
    marked[alignment.group, continuum.annotator_codes] = True
    rows, missing = np.nonzero(~marked[wanted])
    number = wanted[rows]
    starts, ends, _ = ballots.boundaries("median")
    features = {}
    for name, old in continuum.features.items():
        chosen, _, _ = _vote(alignment, name)[0].category(_popularity(old))
        features[name] = Feature(np.concatenate((old.codes, chosen[number])).astype(np.int32), old.labels)
    return continuum.replace(
        starts=np.concatenate((continuum.starts, starts[number])),
        ends=np.concatenate((continuum.ends, ends[number])),
        annotator_codes=np.concatenate((continuum.annotator_codes, missing)),
        features=features,
    )


def remove_lone(alignment: Alignment) -> Continuum:
    """Units that one annotator alone marked are left out, where there are three annotators or more."""
    continuum = alignment.continuum
    lone = Disagreements.of(alignment).size[alignment.group] == 1
    if continuum.n_annotators < FEWEST_FOR_MAJORITY or not lone.any():
        return continuum
    return continuum.take(~lone)


def join_splits(continuum: Continuum, feature: str = CATEGORY) -> Continuum:
    """Units of one annotator that more than half of the others have in one piece are joined.

    Two units of one annotator that follow each other, have the same category and do not overlap are pieces of one where
    a unit of another annotator covers at least half of both. They are joined where that holds for more than half of the
    other annotators; chains become one unit, from the first start to the last end.
    """
    joined = split_places(continuum, feature)
    if not len(joined):
        return continuum
    order = _order_by_annotator(continuum)
    glued = np.zeros(len(continuum), dtype=bool)
    glued[joined] = True  # the unit at this place in the order continues the one before it
    first = np.flatnonzero(~glued)
    kept = np.zeros(len(continuum), dtype=bool)
    kept[order[first]] = True
    ends = continuum.ends.copy()
    ends[order[first]] = np.maximum.reduceat(continuum.ends[order], first)
    return continuum.replace(
        starts=continuum.starts[kept],
        ends=ends[kept],
        annotator_codes=continuum.annotator_codes[kept],
        features={name: each.take(kept) for name, each in continuum.features.items()},
    )


def split_places(continuum: Continuum, feature: str = CATEGORY) -> NDArray[np.int64]:
    """Places, in the order by annotator and start, of units that are the continuation of the one before."""
    order = _order_by_annotator(continuum)
    owner, starts, ends = continuum.annotator_codes[order], continuum.starts[order], continuum.ends[order]
    labels = continuum.features[feature].codes[order] if feature in continuum.features else np.zeros(len(order))
    follows = (owner[1:] == owner[:-1]) & (starts[1:] >= ends[:-1]) & (labels[1:] == labels[:-1])
    places = np.flatnonzero(follows) + 1
    if not len(places) or continuum.n_annotators < 2:
        return np.empty(0, dtype=np.int64)
    # Covering half of both is reaching from the middle of the first, at the latest, to the middle of the second.
    since, until = (starts + ends)[places - 1] / 2, (starts + ends)[places] / 2
    n_covering = np.zeros(len(places), dtype=np.int64)
    firsts = np.searchsorted(owner, np.arange(continuum.n_annotators + 1))
    for annotator in range(continuum.n_annotators):
        mine = slice(firsts[annotator], firsts[annotator + 1])
        if mine.start == mine.stop:
            continue
        reach = np.maximum.accumulate(ends[mine])
        before = np.searchsorted(starts[mine], since, side="right") - 1
        covers = (before >= 0) & (reach[np.maximum(before, 0)] >= until) & (owner[places] != annotator)
        n_covering += covers
    return places[2 * n_covering > continuum.n_annotators - 1].astype(np.int64)


def merge_categories(continuum: Continuum, mapping: Mapping[str, str], feature: str = CATEGORY) -> Continuum:
    """The labels of a feature renamed: {old: new}, where the new one exists already."""
    old = continuum.features.get(feature)
    if old is None or all(mapping.get(label, label) == label for label in old.compact().labels):
        return continuum
    return continuum.replace(features={**continuum.features, feature: old.rename(mapping)})


def with_labels(continuum: Continuum, feature: str, labels: Feature) -> Continuum:
    """The continuum with other labels of a feature."""
    if np.array_equal(labels.codes, continuum.features[feature].codes):
        return continuum
    return continuum.replace(features={**continuum.features, feature: labels})


def _vote(alignment: Alignment, feature: str) -> tuple[Ballots, Disagreements]:
    members = Disagreements.of(alignment, feature)
    return Ballots.of(members, np.ones(alignment.continuum.n_annotators, dtype=np.int64)), members


def _popularity(labels: Feature) -> NDArray[np.int64]:
    """How often each label occurs; the last entry is for units without one."""
    return np.bincount(np.where(labels.codes < 0, len(labels.labels), labels.codes), minlength=len(labels.labels) + 1)


def _order_by_annotator(continuum: Continuum) -> NDArray[np.int64]:
    """The order of the units by annotator, start and end."""
    return np.lexsort((continuum.ends, continuum.starts, continuum.annotator_codes))
