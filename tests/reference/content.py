# SPDX-License-Identifier: MIT
"""The slow twin of numbers by content: which number each annotator and each label of a document has, and its digest.

Colour refinement by the letter. The colour of an annotator is the rank of its colour so far and its sorted units, the
colour of a label the rank of its colour so far and its sorted occurrences; both in turn until nothing changes, first
with the categories alone, then with every feature. As long as a class has annotators who are not equal in content
(under the labels that they really have), each of them is put first in turn, and the choice with the smallest list of
coloured units is kept. What is then left in one class can change places without a difference.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, replace
from typing import Any

from unisono.model import CATEGORY, Continuum, Position

Colours = dict[Any, int]


@dataclass(frozen=True)
class Mark:
    """A unit: its place from the beginning of the extent, who marked it, its labels by feature, the category first."""

    start: Position
    end: Position
    annotator: str
    labels: tuple[str | None, ...]


@dataclass(frozen=True)
class State:
    """Colours of annotators, and of labels as (number of the feature, label)."""

    annotators: Colours
    labels: Colours

    def of(self, mark: Mark, features: int) -> tuple[int, ...]:
        """The colours of a unit's labels, -1 where it has none."""
        return tuple(
            -1 if label is None else self.labels[feature, label] for feature, label in enumerate(mark.labels[:features])
        )


def ranks(keys: dict[Any, Any]) -> Colours:
    """The dense rank of each key."""
    order = sorted(set(keys.values()))
    return {thing: order.index(key) for thing, key in keys.items()}


def refined(state: State, marks: list[Mark], features: int) -> State:
    """Colours until no class splits any more."""
    while True:
        annotators = ranks(
            {
                name: (
                    colour,
                    sorted_marks((m.start, m.end, state.of(m, features)) for m in marks if m.annotator == name),
                )
                for name, colour in state.annotators.items()
            }
        )
        half = replace(state, annotators=annotators)
        labels = ranks(
            {
                (feature, label): (
                    feature,
                    colour,
                    sorted_marks(
                        (m.start, m.end, annotators[m.annotator], half.of(m, features))
                        for m in marks
                        if feature < features and m.labels[feature] == label
                    ),
                )
                for (feature, label), colour in state.labels.items()
            }
        )
        after = State(annotators, labels)
        if n_colours(after) == n_colours(state):
            return after
        state = after


def sorted_marks(rows: Any) -> tuple[Any, ...]:
    return tuple(sorted(rows))


def n_colours(state: State) -> tuple[int, int]:
    return len(set(state.annotators.values())), len(set(state.labels.values()))


def form(state: State, marks: list[Mark]) -> list[Any]:
    """The units by their colours, sorted."""
    return sorted((state.annotators[m.annotator], m.start, m.end, state.of(m, len(m.labels))) for m in marks)


def settled(state: State, marks: list[Mark], features: int) -> State:
    """Classes of annotators with different content separated; with several features, those of labels, too."""
    while True:
        classes = [
            [name for name, colour in sorted(state.annotators.items()) if colour == value]
            for value in sorted(set(state.annotators.values()))
        ]
        content = {
            name: sorted((m.start, m.end, str(m.labels)) for m in marks if m.annotator == name)
            for name in state.annotators
        }
        of_annotators = [names for names in classes if any(content[name] != content[names[0]] for name in names)]
        of_labels = [
            [label for label, colour in sorted(state.labels.items()) if colour == value]
            for value in sorted(set(state.labels.values()))
        ]
        of_labels = [labels for labels in of_labels if len(labels) > 1 and features > 1]
        if not of_annotators and not of_labels:
            return state
        choices = []
        for chosen in (of_annotators or of_labels)[0]:
            annotators = {name: 2 * colour + (name != chosen) for name, colour in state.annotators.items()}
            labels = {label: 2 * colour + (label != chosen) for label, colour in state.labels.items()}
            choices.append(refined(State(annotators, labels), marks, features))
        state = min(choices, key=lambda choice: form(choice, marks))


@dataclass(frozen=True)
class Numbers:
    """Annotators and categories in the order of their numbers, and the digest."""

    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    digest: bytes


def numbers(continuum: Continuum) -> Numbers:
    """The numbers of one document."""
    origin, length = (0, 0) if continuum.extent is None else (continuum.extent.start, continuum.extent.length)
    names = [CATEGORY, *sorted(set(continuum.features) - {CATEGORY})]
    marks = [
        Mark(
            unit.start - origin,
            unit.end - origin,
            str(unit.annotator),
            tuple(unit.category if name == CATEGORY else unit.features.get(name) for name in names),
        )
        for unit in continuum
    ]
    state = State(
        dict.fromkeys(continuum.annotators, 0),
        {(f, label): 0 for mark in marks for f, label in enumerate(mark.labels) if label is not None},
    )
    state = refined(state, marks, 1)
    state = settled(refined(state, marks, len(names)), marks, len(names))
    annotators = tuple(sorted(continuum.annotators, key=lambda name: (state.annotators[name], name)))
    categories = tuple(
        label for _, label in sorted((colour, label) for (f, label), colour in state.labels.items() if f == 0)
    )
    rows = sorted(
        (
            annotators.index(mark.annotator),
            mark.start,
            mark.end,
            -1 if mark.labels[0] is None else categories.index(mark.labels[0]),
        )
        for mark in marks
    )
    packed = struct.pack("<qd", continuum.n_annotators, length)
    for annotator, start, end, category in rows:
        packed += struct.pack("<iidd", annotator, category, start, end)
    return Numbers(annotators, categories, hashlib.sha256(packed).digest())
