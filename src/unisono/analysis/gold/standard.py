# SPDX-License-Identifier: MIT
"""A gold standard: the consensus units of each document, their support, and which of them a person should check."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.alignment.disagreements import Disagreements
from unisono.analysis.gold.vote import Votes
from unisono.errors import ParameterError, Problem
from unisono.frames import Backend, build_frame, columns_of
from unisono.model import CATEGORY, Alignment, Continuum, Corpus, Feature, IntArray, Position, PositionArray, Unit
from unisono.nouns import quantity
from unisono.results import package_version

if TYPE_CHECKING:
    from unisono.analysis.gold.decisions import Decided

#: Version of the JSON of a gold standard. 1: the first.
SCHEMA = 1

#: Why a person should check a unit, in the order in which the reasons are given.
REASONS = {
    "dropped": "too few annotators marked it: it is not in the gold standard",
    "support": "no more than half of the annotators marked it",
    "tie": "several categories have the most votes",
    "category": "no category has more than half of the votes",
    "apart": "an annotator's unit is aligned with it, but overlaps it too little to count",
    "boundary-tie": "several starts or several ends have the most votes",
    "twice": "another gold unit is equal to it",
}


@dataclass(frozen=True, slots=True)
class GoldUnit:
    """The consensus on one unitary alignment, whether it is `kept` in the gold standard or not.

    number: that of the unitary alignment in its document, from 1; annotators: those whose unit counts for it, `support`
    of the `n_annotators` who saw the document; votes: those for each category, the chosen one first; look: the REASONS
    why a person should check it; decision: what a person decided on it, None if nobody did. A unit that a person added
    has the number 0.
    """

    document: str
    number: int
    start: Position
    end: Position
    category: str | None
    kept: bool
    support: int
    n_annotators: int
    annotators: tuple[str, ...]
    votes: tuple[tuple[str | None, float], ...]
    disorder: float
    look: tuple[str, ...]
    decision: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "start": self.start,
            "end": self.end,
            "category": self.category,
            "kept": self.kept,
            "support": self.support,
            "annotators": list(self.annotators),
            "votes": [{"category": category, "votes": votes} for category, votes in self.votes],
            "disorder": self.disorder,
            "look": list(self.look),
            "decision": self.decision,
        }


@dataclass(frozen=True)
class GoldDocument:
    """The consensus of one document in columns: one value for each unitary alignment, dropped ones included.

    `alignment` is None where nobody marked anything: the consensus is that there are no units.
    """

    continuum: Continuum
    alignment: Alignment | None
    feature: str
    starts: PositionArray
    ends: PositionArray
    labels: Feature
    kept: NDArray[np.bool_]
    #: How many annotators' units count for each.
    support: NDArray[np.int64]
    #: Bit i stands for the i-th of REASONS.
    reasons: IntArray
    #: The votes on the category, and what a vote weighs: one value for each unit, by unitary alignment.
    votes: Votes
    weight_of_vote: float
    #: Whether a unit counts for its gold unit, in the same order.
    counts: NDArray[np.bool_]
    #: What a person decided, by the number of the unitary alignment, from 0; and units that a person added.
    decided: Mapping[int, str] = field(default_factory=dict)
    added: tuple[tuple[Position, Position, str | None], ...] = ()

    @property
    def name(self) -> str:
        return self.continuum.name

    def __len__(self) -> int:
        return len(self.kept)

    @property
    def n_kept(self) -> int:
        """The number of gold units."""
        return int(self.kept.sum()) + len(self.added)

    def added_units(self) -> Iterator[GoldUnit]:
        """The units that a person added."""
        n = self.continuum.n_annotators
        for start, end, category in self.added:
            yield GoldUnit(self.name, 0, start, end, category, True, 0, n, (), (), 0.0, (), "add")

    @cached_property
    def _members(self) -> Disagreements | None:
        return None if self.alignment is None else Disagreements.of(self.alignment, self.feature)

    def unit(self, number: int) -> GoldUnit:
        """The consensus on the unitary alignment of that number, from 0."""
        assert self.alignment is not None
        assert self._members is not None
        places = slice(self._members.firsts[number], self._members.firsts[number + 1])
        members = self._members.order[places]
        votes: dict[str | None, int] = {self.labels[number]: 0}
        for member, vote in zip(members.tolist(), self.votes[places].tolist(), strict=True):
            label = self._members.labels[member]
            votes[label] = votes.get(label, 0) + vote
        supporters = self.continuum.annotator_codes[members[self.counts[places]]].tolist()
        first, *others = votes
        return GoldUnit(
            self.name,
            number + 1,
            self.starts[number].item(),
            self.ends[number].item(),
            self.labels[number],
            bool(self.kept[number]),
            len(supporters),
            self.continuum.n_annotators,
            tuple(self.continuum.annotators[code] for code in supporters),
            tuple(
                (label, votes[label] * self.weight_of_vote)
                for label in (
                    first,
                    *sorted(filter(votes.get, others), key=lambda label: (-votes[label], label is None, label or "")),
                )
            ),
            float(self.alignment.disorders[number]),
            tuple(reason for i, reason in enumerate(REASONS) if self.reasons[number] >> i & 1),
            self.decided.get(number),
        )

    def theirs(self, number: int) -> dict[str, Unit | None]:
        """The unit of every annotator in that unitary alignment, None for the empty unit."""
        assert self._members is not None
        units: dict[str, Unit | None] = dict.fromkeys(self.continuum.annotators)
        for member in self._members.order[self._members.firsts[number] : self._members.firsts[number + 1]].tolist():
            units[self.continuum.annotators[self.continuum.annotator_codes[member]]] = self.continuum[member]
        return units

    def continuum_of(self, annotator: str) -> Continuum:
        """The gold units as units of one annotator, with support and reasons to check as features."""
        kept = np.flatnonzero(self.kept)
        disorders = np.zeros(0) if self.alignment is None else self.alignment.disorders
        n = self.continuum.n_annotators
        reasons = {
            code: ", ".join(reason for i, reason in enumerate(REASONS) if code >> i & 1) or None
            for code in np.unique(self.reasons).tolist()
        }
        starts, ends, categories = zip(*self.added, strict=True) if self.added else ((), (), ())
        labels = self.labels.take(kept)
        blank = [None] * len(self.added)
        features = {
            CATEGORY: Feature.encode([*(labels[i] for i in range(len(kept))), *categories]) if self.added else labels,
            "support": Feature.encode([*(f"{count}/{n}" for count in self.support[kept].tolist()), *blank]),
            "disorder": Feature.encode([*(f"{disorder:.3f}" for disorder in disorders[kept].tolist()), *blank]),
            "look": Feature.encode([*(reasons[code] for code in self.reasons[kept].tolist()), *blank]),
        }
        if self.decided or self.added:
            made = [*(self.decided.get(number) for number in kept.tolist()), *("add" for _ in self.added)]
            features["decision"] = Feature.encode(made)
        return Continuum(
            starts=np.array([*self.starts[kept].tolist(), *starts]) if self.added else self.starts[kept],
            ends=np.array([*self.ends[kept].tolist(), *ends]) if self.added else self.ends[kept],
            annotator_codes=np.zeros(len(kept) + len(self.added), dtype=np.int32),
            annotators=[annotator],
            features=features,
            extent=self.continuum.extent,
            name=self.name,
            text=self.continuum.text,
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "annotators": list(self.continuum.annotators),
            "disorder": None if self.alignment is None else self.alignment.disorder,
            "gap": None if self.alignment is None else self.alignment.gap,
            "kept": self.n_kept,
            "units": [
                *(self.unit(number).to_dict() for number in range(len(self))),
                *(unit.to_dict() for unit in self.added_units()),
            ],
        }


@dataclass(frozen=True)
class Gold:
    """A gold standard made from best alignments; `corpus()` gives it as a corpus, ready for `unisono.write`.

    parameters: the options of `gold`. weights: of each annotator's vote, None if all are equal.
    problems: documents without a consensus, and why.
    """

    documents: tuple[GoldDocument, ...]
    parameters: Mapping[str, Any]
    weights: Mapping[str, float] | None
    signature: str
    problems: tuple[Problem, ...] = ()
    #: How far a person's decisions got; None if there were none.
    decided: Decided | None = None

    @property
    def units(self) -> Iterator[GoldUnit]:
        """The gold units, document by document, in the order of the continuum; those that a person added come last."""
        for document in self.documents:
            yield from (document.unit(i) for i in np.flatnonzero(document.kept).tolist())
            yield from document.added_units()

    @property
    def n_units(self) -> int:
        """The number of gold units."""
        return sum(document.n_kept for document in self.documents)

    @property
    def n_to_look_at(self) -> int:
        """How many units, dropped ones included, a person should check."""
        return sum(int(np.count_nonzero(document.reasons)) for document in self.documents)

    def adjudication(self) -> tuple[GoldUnit, ...]:
        """The units that a person should check, dropped ones included, the greatest disorder first."""
        keys = [
            (-round(document.alignment.disorders[i].item(), 9), d, i)
            for d, document in enumerate(self.documents)
            if document.alignment is not None
            for i in np.flatnonzero(document.reasons).tolist()
        ]
        return tuple(self.documents[d].unit(i) for _, d, i in sorted(keys))

    def corpus(self, annotator: str = "gold", *, beside: bool = False) -> Corpus:
        """The gold units as units of an annotator of this name; `beside`: together with the units of the others.

        Every unit has the features `support` (as in 2/3), `disorder` and `look` (the reasons, or nothing).
        """
        if beside:
            taken = sorted({d.name for d in self.documents if annotator in d.continuum.annotators})
            if taken:
                raise ParameterError.of(
                    f"an annotator is already called {annotator!r}",
                    "Choose another name for the gold standard.",
                    where=taken[0],
                    code="annotator-twice",
                )
        continua = (document.continuum_of(annotator) for document in self.documents)
        if beside:
            continua = (document.continuum.join(own) for document, own in zip(self.documents, continua, strict=True))
        return Corpus(tuple(continua))

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "unisono": package_version(),
            "signature": self.signature,
            "parameters": {**self.parameters, "weights": None if self.weights is None else dict(self.weights)},
            "documents": [document.to_dict() for document in self.documents],
            "problems": [problem.to_dict() for problem in self.problems],
            "decisions": None if self.decided is None else self.decided.to_dict(),
        }

    def to_frame(self, *, dropped: bool = False, backend: Backend | None = None) -> Any:
        """One row for each gold unit with its support and the reasons to look at it; `dropped`: dropped units too."""
        units = [
            unit
            for document in self.documents
            for unit in (*(document.unit(i) for i in range(len(document))), *document.added_units())
        ]
        rows = [
            {"document": unit.document, "unitary_alignment": unit.number, "n_annotators": unit.n_annotators}
            | {name: value for name, value in unit.to_dict().items() if name != "number"}
            for unit in units
            if unit.kept or dropped
        ]
        always = ("document", "unitary_alignment", "start", "end", "category", "kept", "support", "n_annotators")
        return build_frame(columns_of(rows, (*always, "annotators", "disorder", "look")), backend)

    def __str__(self) -> str:
        from importlib import import_module

        # Imported by name: the report is a layer above.
        return str(import_module("unisono.report.gold_table").plain(self))

    def __repr__(self) -> str:
        units, documents = quantity(self.n_units, "unit"), quantity(len(self.documents), "document")
        return f"<Gold: {units} in {documents}, {self.n_to_look_at} to look at>"
