# SPDX-License-Identifier: MIT
"""Continua made from others: put together, taken apart, renamed, relabelled. Nothing is measured here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from unisono import io
from unisono.errors import CorpusError, ParameterError, Problem
from unisono.model import CATEGORY, Continuum, Corpus, Extent, Feature


def as_corpus(data: Any) -> Corpus:
    """The data as a corpus: a Corpus itself, a Continuum alone, anything else read."""
    if isinstance(data, Corpus):
        return data
    if isinstance(data, Continuum):
        return Corpus((data,))
    return io.read(data)


def restricted(continuum: Continuum, annotators: Iterable[str]) -> Continuum:
    """The same continuum as if only these of its annotators had seen it; name, extent and text stay.

    >>> c = Continuum.of({"ann": [(0, 5)], "bob": [(0, 4)], "cem": []})
    >>> restricted(c, ["cem", "ann"])
    <Continuum '': 1 units by 2 annotators>
    """
    wanted = set(annotators)
    kept = [i for i, name in enumerate(continuum.annotators) if name in wanted]
    if len(kept) < len(wanted):
        unknown = sorted(wanted - set(continuum.annotators))
        raise ParameterError.of(
            f"annotators among: {', '.join(continuum.annotators)}",
            ", ".join(map(repr, unknown)),
            where=continuum.name,
            code="unknown-annotator",
        )
    code = np.full(continuum.n_annotators, -1, dtype=np.int32)
    code[kept] = np.arange(len(kept), dtype=np.int32)
    units = np.flatnonzero(code[continuum.annotator_codes] >= 0)
    # Annotators and units keep their order, so that what is left is canonical.
    return Continuum.canonical(
        starts=continuum.starts[units],
        ends=continuum.ends[units],
        annotator_codes=code[continuum.annotator_codes[units]],
        annotators=tuple(continuum.annotators[i] for i in kept),
        features={name: feature.take(units) for name, feature in continuum.features.items()},
        extent=continuum.extent,
        name=continuum.name,
        text=continuum.text,
    )


def renamed(continuum: Continuum, name: str) -> Continuum:
    """The same continuum under another name."""
    return _changed(continuum, name=name)


def joined(first: Continuum, second: Continuum) -> Continuum:
    """Two sets of annotators of one document as one continuum; its extent is what both cover.

    >>> both = joined(Continuum.of({"ann": [(0, 5)]}, name="d"), Continuum.of({"bob": [(2, 9)]}, name="d"))
    >>> both.annotators, both.extent
    (('ann', 'bob'), Extent(start=0, end=9, source='guessed'))
    """
    twice = sorted(set(first.annotators) & set(second.annotators))
    if twice:
        raise ParameterError.of(
            "annotators that are on one side only",
            ", ".join(map(repr, twice)),
            "rename one of them, or leave one out",
            where=first.name,
            code="annotator-twice",
        )
    names = sorted({*first.features, *second.features})
    return Continuum(
        starts=_column(first.starts, second.starts),
        ends=_column(first.ends, second.ends),
        annotator_codes=np.concatenate([first.annotator_codes, second.annotator_codes + first.n_annotators]),
        annotators=[*first.annotators, *second.annotators],
        features={name: _joined_feature((first, second), name) for name in names},
        extent=_common_extent(first.extent, second.extent),
        name=first.name,
        text=first.text if first.text is not None else second.text,
    )


def with_reference_from(corpus: Corpus, reference: Corpus, *, name: str = "reference") -> Corpus:
    """The corpus with one annotator more, whose units come from another corpus with the same documents.

    The other corpus has one annotator in each document, who is called `name` here whatever the name there.
    Documents that it does not have stay without a reference.
    """
    problems = [
        Problem(
            "reference-annotators",
            "error",
            continuum.name,
            "one annotator in each document of the reference",
            f"{continuum.n_annotators}",
            "leave the others out",
        )
        for continuum in reference
        if continuum.n_annotators != 1
    ]
    known = {continuum.name: continuum for continuum in reference}
    if not problems and not any(continuum.name in known for continuum in corpus):
        problems = [
            Problem(
                "no-common-document",
                "error",
                "",
                "documents of the same name in the reference",
                ", ".join(map(repr, list(known)[:3])) or "none",
                "name them alike",
            )
        ]
    if problems:
        raise CorpusError(problems)
    return Corpus(
        tuple(
            joined(continuum, _changed(known[continuum.name], annotators=(name,)))
            if continuum.name in known
            else continuum
            for continuum in corpus
        ),
        corpus.problems + reference.problems,
    )


def relabelled(continuum: Continuum, mapping: Mapping[str, str], annotators: Collection[str]) -> Continuum:
    """The continuum with other categories for the units of these annotators; those not in the mapping stay.

    >>> c = Continuum.of({"ann": [(0, 5, "PERSON")], "gold": [(0, 5, "PER")]})
    >>> [unit.category for unit in relabelled(c, {"PERSON": "PER"}, ["ann"])]
    ['PER', 'PER']
    """
    theirs = [name in annotators for name in continuum.annotators]
    old = continuum.features[CATEGORY]
    labels = tuple(sorted({*old.labels, *mapping.values()}))
    rank = {label: i for i, label in enumerate(labels)}
    # One more place at the end, which the code -1 of a unit without category finds.
    kept = np.array([*(rank[label] for label in old.labels), -1], dtype=np.int32)
    moved = np.array([*(rank[mapping.get(label, label)] for label in old.labels), -1], dtype=np.int32)
    codes = np.where(np.array(theirs, dtype=bool)[continuum.annotator_codes], moved[old.codes], kept[old.codes])
    # Units of one position may change places: through the sorting constructor.
    return Continuum(
        starts=continuum.starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators,
        features={**continuum.features, CATEGORY: Feature(codes, labels)},
        extent=continuum.extent,
        name=continuum.name,
        text=continuum.text,
    )


def _changed(continuum: Continuum, *, name: str | None = None, annotators: tuple[str, ...] | None = None) -> Continuum:
    """The same columns under other names, whose order is the same."""
    return Continuum.canonical(
        starts=continuum.starts,
        ends=continuum.ends,
        annotator_codes=continuum.annotator_codes,
        annotators=continuum.annotators if annotators is None else annotators,
        features=continuum.features,
        extent=continuum.extent,
        name=continuum.name if name is None else name,
        text=continuum.text,
    )


def _column(first: Any, second: Any) -> Any:
    # Whole positions stay whole only if all are; a side without units has no say.
    parts = [column for column in (first, second) if len(column)] or [first]
    return np.concatenate(parts)


def _joined_feature(continua: Sequence[Continuum], name: str) -> Feature:
    labels = tuple(sorted({label for c in continua if name in c.features for label in c.features[name].labels}))
    rank = {label: i for i, label in enumerate(labels)}
    columns = []
    for continuum in continua:
        feature = continuum.features.get(name)
        if feature is None:
            columns.append(np.full(len(continuum), -1, dtype=np.int32))
        else:
            table = np.array([*(rank[label] for label in feature.labels), -1], dtype=np.int32)
            columns.append(table[feature.codes])
    return Feature(np.concatenate(columns), labels)


def _common_extent(first: Extent | None, second: Extent | None) -> Extent | None:
    """What both cover; it is guessed as soon as one of them is."""
    if first is None or second is None:
        return first or second
    source = first.source if second.source != "guessed" else second.source
    return Extent(min(first.start, second.start), max(first.end, second.end), source)
