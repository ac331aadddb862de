# SPDX-License-Identifier: MIT
"""text-γ as a function of the size of errors in versions of a text (Barteld et al. 2016, section 7).

References are the annotators' own versions, in turn: their text, their units, their labels. They are not corrected:
errors of these kinds change single characters, boundaries and labels, and leave the number of units, their lengths and
the frequencies of labels about as they are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unisono.api import Plan
from unisono.diagnosis.assumed import Kind
from unisono.diagnosis.error_curves import Point, Target, point_of_values, walk
from unisono.measures.text_gamma import find_versions
from unisono.measures.undefined import UndefinedError
from unisono.model import Continuum, Corpus
from unisono.model.versions import Version
from unisono.results import TEXT_MEASURE
from unisono.sampling import Sampling
from unisono.shuffling.text_errors import (
    LabelErrors,
    SegmentationErrors,
    ShuffledText,
    TextDone,
    TextErrors,
    TextErrorType,
    shuffle_text,
)

#: Magnitudes, in rising order; each kind reaches chance at 1.
GRID = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
#: Simulated texts at each magnitude, at most, and characters in all of them.
MOST_TEXTS, MOST_CHARACTERS = 20, 20_000
#: Random versions of each simulated text.
SAMPLES = 8

#: The errors of each kind.
TEXT_ERRORS: dict[Kind, TextErrorType] = {
    "text": TextErrors(factor=1.0),
    "splits": SegmentationErrors(factor=1.0),
    "categories": LabelErrors(),
}


def text_points(kind: Kind, corpus: Corpus, plan: Plan, seed: int, target: Target) -> list[Point]:
    """The points of the curve of a kind of errors, as far as they are needed for the target."""
    references = _references(corpus, plan)
    sampling = Sampling(samples=SAMPLES, level=plan.resolved.level)
    quick = replace(plan, resolved=replace(plan.resolved, sampling=sampling, time_limit=None))
    has_labels = any(version.features for version, _ in references)
    if not references or (kind == "categories" and not has_labels):
        return [Point(0.0, 1.0, 0.0, 0)]

    def point_at(magnitude: float) -> Point | None:
        sets = [
            shuffle_text(version, TEXT_ERRORS[kind], magnitude, annotators=n, seed=seed, name=f"text-{number}")
            for number, (version, n) in enumerate(references)
        ]
        documents = Corpus(tuple(Continuum.of_versions(each.versions) for each in sets))
        computed = quick.compute(documents, [TEXT_MEASURE])[TEXT_MEASURE]
        n_units = np.array([each.reference.n_units * each.versions.n_annotators for each in sets], dtype=np.float64)
        done = np.array([text_errors_done(kind, each) for each in sets], dtype=np.float64)
        return point_of_values(TEXT_MEASURE, computed.documents, done, n_units)

    return walk(GRID, point_at, target)


def _references(corpus: Corpus, plan: Plan) -> list[tuple[Version, int]]:
    """Annotators' versions in turn, document by document, each with the number of annotators of its document."""
    all_versions = []
    features = plan.resolved.feature or None
    for continuum in corpus:
        if continuum.n_annotators < 2 or not continuum.n_units:
            continue
        try:
            all_versions.append(find_versions(continuum, features))
        except UndefinedError:
            continue
    chosen: list[tuple[Version, int]] = []
    n_characters = 0
    turn = 0
    while all_versions and turn < max(versions.n_annotators for versions in all_versions):
        for versions in all_versions:
            if turn >= versions.n_annotators or len(chosen) >= MOST_TEXTS:
                continue
            version = versions.versions[turn]
            if version.n_units and (len(chosen) < 2 or n_characters + len(version.text) <= MOST_CHARACTERS):
                chosen.append((version, versions.n_annotators))
                n_characters += len(version.text)
        turn += 1
    return chosen


def text_errors_done(kind: Kind, one: ShuffledText) -> float:
    """Units with a changed character or label; changes of segmentation."""
    truth = one.truth
    flag = {"text": TextDone.TEXT, "categories": TextDone.LABEL}.get(kind)
    if flag is not None:
        return float(np.count_nonzero(truth.done & flag))
    # A split adds a row to its reference unit; a merger gives one unit to two of them.
    n_references = one.reference.n_units * one.versions.n_annotators
    distinct = len(np.unique(np.stack((truth.annotators, truth.units)), axis=1).T)
    return float((len(truth) - n_references) + (len(truth) - distinct))
