# SPDX-License-Identifier: MIT
"""Several continua of one annotation effort."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, overload

import numpy as np

from unisono.errors import CorpusError, ParameterError, Problem
from unisono.frames import Backend, build_frame
from unisono.model.continuum import Continuum
from unisono.model.frame_columns import document_columns, unit_columns
from unisono.model.units import CATEGORY, Feature, IntArray, unknown_annotators
from unisono.nouns import quantity


@dataclass(frozen=True, eq=False)
class Corpus(Sequence[Continuum]):
    """Several continua of one annotation effort: a sequence, indexed by position or by name.

    A slice is a corpus; `"doc1" in corpus` asks for a name. Corpora are equal if they have equal continua, in any
    order; their problems are not compared.

    >>> corpus = Corpus((Continuum.of({"ann": [(0, 5)]}, name="a"), Continuum.of({"ann": []}, name="b")))
    >>> corpus["a"] is corpus[0], corpus[1:], "b" in corpus
    (True, <Corpus: 1 document, 0 units, 1 annotator>, True)
    """

    continua: tuple[Continuum, ...]
    #: What was skipped or noticed on reading; results repeat it.
    problems: tuple[Problem, ...] = field(default=())
    #: The names by which annotators, documents and categories were selected on reading; signatures name them.
    selection: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [continuum.name for continuum in self.continua]
        if len(set(names)) != len(names):
            repeated = sorted({name for name in names if names.count(name) > 1})
            raise CorpusError.of(
                f"several documents are called {', '.join(map(repr, repeated[:5]))}",
                "Give each document a name of its own.",
            )

    @cached_property
    def _by_name(self) -> dict[str, Continuum]:
        return {continuum.name: continuum for continuum in self.continua}

    @overload
    def __getitem__(self, key: int | str) -> Continuum: ...
    @overload
    def __getitem__(self, key: slice) -> Corpus: ...
    def __getitem__(self, key: int | str | slice) -> Continuum | Corpus:
        if isinstance(key, str):
            return self._by_name[key]
        if isinstance(key, slice):
            return Corpus(_drop_unused_labels(self.continua[key]), self.problems, self.selection)
        return self.continua[key]

    def __len__(self) -> int:
        return len(self.continua)

    def __iter__(self) -> Iterator[Continuum]:
        return iter(self.continua)

    def __contains__(self, item: object) -> bool:
        return item in (self._by_name if isinstance(item, str) else self.continua)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Corpus):
            return NotImplemented
        return self._by_name == other._by_name

    def __hash__(self) -> int:
        return hash(frozenset(self.continua))

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(sorted({name for continuum in self for name in continuum.annotators}))

    @property
    def n_units(self) -> int:
        return sum(continuum.n_units for continuum in self)

    def labels(self, feature: str = CATEGORY) -> tuple[str, ...]:
        """Every label of a feature in the corpus, sorted; a corpus made of continua has all labels of their tables."""
        tables = (continuum.features[feature].labels for continuum in self if feature in continuum.features)
        # Documents that were read together share one table, which may be large: look at each once.
        distinct = {id(table): table for table in tables}
        return tuple(sorted({label for table in distinct.values() for label in table}))

    def select(self, documents: Iterable[str]) -> Corpus:
        """The corpus with these of its documents, by name, in this order.

        >>> corpus = Corpus((Continuum.of({"ann": [(0, 5)]}, name="a"), Continuum.of({"ann": []}, name="b")))
        >>> [document.name for document in corpus.select(["b"])]
        ['b']
        """
        names = [documents] if isinstance(documents, str) else list(documents)
        unknown = [name for name in names if name not in self._by_name]
        if unknown:
            known = ", ".join(map(repr, list(self._by_name)[:10])) + (", ..." if len(self) > 10 else "")
            raise ParameterError.of(
                f"no document is called {' or '.join(map(repr, unknown[:5]))}",
                f"The documents are {known}." if known else "The corpus has no documents.",
                code="unknown-document",
            )
        chosen = tuple(self._by_name[name] for name in names)
        return Corpus(_drop_unused_labels(chosen), self.problems, self.selection)

    def restrict(self, annotators: Iterable[str]) -> Corpus:
        """The corpus as if only these annotators had worked on it; documents that none of them saw are left out.

        >>> corpus = Corpus((Continuum.of({"ann": [], "bob": []}, name="a"), Continuum.of({"bob": []}, name="b")))
        >>> corpus.restrict(["ann"])
        <Corpus: 1 document, 0 units, 1 annotator>
        """
        wanted = {annotators} if isinstance(annotators, str) else set(annotators)
        unknown = sorted(wanted.difference(self.annotators))
        if unknown:
            raise unknown_annotators(unknown, self.annotators)
        seen = ((continuum, wanted.intersection(continuum.annotators)) for continuum in self)
        restricted = (continuum.restrict(names) for continuum, names in seen if names)
        return Corpus(_drop_unused_labels(tuple(restricted)), self.problems, self.selection)

    def relabel(self, mapping: Mapping[str, str], annotators: Collection[str] | None = None) -> Corpus:
        """The corpus with other categories, as `Continuum.relabel` changes them."""
        return Corpus(
            tuple(continuum.relabel(mapping, annotators) for continuum in self), self.problems, self.selection
        )

    def with_reference(self, reference: Corpus, *, name: str = "reference") -> Corpus:
        """The corpus with one annotator more, whose units come from another corpus with the same documents.

        The other corpus has one annotator in each document, who is called `name` here whatever the name there.
        Documents that the other corpus does not have stay without a reference.
        """
        problems = [
            Problem(
                "reference-annotators",
                "error",
                continuum.name,
                f"the reference has {quantity(continuum.n_annotators, 'annotator')} in this document instead of one",
                "Leave the others out.",
            )
            for continuum in reference
            if continuum.n_annotators != 1
        ]
        if not problems and not any(continuum.name in reference for continuum in self):
            names = ", ".join(repr(continuum.name) for continuum in reference[:3])
            message = f"no document has the name of a document of the reference ({names or 'which has none'})"
            problems = [Problem("no-common-document", "error", "", message, "Give the documents the same names.")]
        if problems:
            raise CorpusError(problems)
        return Corpus(
            tuple(
                continuum.join(other.rename(annotators={other.annotators[0]: name}))
                if (other := reference._by_name.get(continuum.name)) is not None
                else continuum
                for continuum in self
            ),
            self.problems + reference.problems,
            self.selection,
        )

    def to_frame(self, rows: Literal["units", "documents"] = "units", *, backend: Backend | None = None) -> Any:
        """The corpus as a data frame of pandas, polars or pyarrow: `backend`, or the first of them that is installed.

        rows: "units", one row for each unit (document, annotator, start, end, category, other features), and one
        without start and end for each annotator who marked nothing in a document; `read` takes it and returns an equal
        corpus if every extent is guessed and there are no texts. "documents", one row for each document with its extent
        and text, which `read` takes as `documents`. A document without a name has no column `document`.
        """
        columns = unit_columns(self.continua) if rows == "units" else document_columns(self.continua, rows)
        return build_frame(columns, backend, empty=str)

    def _repr_html_(self) -> str:
        # An exception to the layers, as for alignments: the report, which makes the HTML, is loaded by name.
        return str(importlib.import_module("unisono.report.notebook").html(self))

    def __repr__(self) -> str:
        documents, units = quantity(len(self), "document"), quantity(self.n_units, "unit")
        return f"<Corpus: {documents}, {units}, {quantity(len(self.annotators), 'annotator')}>"


def _drop_unused_labels(continua: tuple[Continuum, ...]) -> tuple[Continuum, ...]:
    """The continua without the labels that no unit has; documents that share a table of labels still do.

    What depends on all labels, such as the scale of an ordinal distance, is then the same as if nothing else had been
    read.
    """
    tables: dict[int, tuple[tuple[str, ...], list[IntArray]]] = {}
    for continuum in continua:
        for feature in continuum.features.values():
            tables.setdefault(id(feature.labels), (feature.labels, []))[1].append(feature.codes)
    shorter: dict[int, tuple[tuple[str, ...], IntArray]] = {}
    for key, (labels, columns) in tables.items():
        is_used = np.zeros(len(labels) + 1, dtype=bool)  # the last entry is that of the code -1
        for codes in columns:
            is_used[codes] = True
        if not is_used[:-1].all():
            place = np.full(len(labels) + 1, -1, dtype=np.int32)
            used = np.flatnonzero(is_used[:-1])
            place[used] = np.arange(len(used), dtype=np.int32)
            shorter[key] = tuple(labels[i] for i in used.tolist()), place
    if not shorter:
        return continua

    def shorten(feature: Feature) -> Feature:
        if id(feature.labels) not in shorter:
            return feature
        labels, place = shorter[id(feature.labels)]
        return Feature(place[feature.codes], labels)

    return tuple(
        continuum.with_features({name: shorten(feature) for name, feature in continuum.features.items()})
        if any(id(feature.labels) in shorter for feature in continuum.features.values())
        else continuum
        for continuum in continua
    )
