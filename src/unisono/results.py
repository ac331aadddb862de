# SPDX-License-Identifier: MIT
"""What a measurement gives back: values with their intervals, per document and overall, with signature and data.

The dictionaries of `to_dict` are the JSON contract (docs/json.md): keys are added, never renamed or removed.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np

from unisono.errors import FormatError, Problem
from unisono.model import Alignment, Continuum, Corpus, FloatArray

#: Version of the JSON contract. 1: the first.
SCHEMA = 1

IntervalKind = Literal["chance", "documents", "stretches"]


@cache
def package_version() -> str:
    """The version of the package, as installed."""
    from importlib.metadata import version  # here, because it takes longer to load than all the rest of this file

    return version("unisono")


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the value lies at a level of confidence; `kind` says which uncertainty is meant.

    chance: the expected disorder is a mean over finitely many random continua; documents and stretches: other
    documents, other stretches of the continuum could have been annotated.
    """

    kind: IntervalKind
    level: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "level": self.level, "low": self.low, "high": self.high}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Interval:
        return cls(data["kind"], data["level"], data["low"], data["high"])


@dataclass(frozen=True)
class MeasureValue:
    """The value of one measure, on one document or overall, and what it rests on.

    `value` is None where the measure is undefined, and `reason` then says why: never 0, 1 or NaN by fiat.

    >>> MeasureValue(None, reason="no units").value is None
    True
    >>> MeasureValue(None)
    Traceback (most recent call last):
    ValueError: a value of None needs a reason
    """

    value: float | None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    n_samples: int | None = None
    intervals: Mapping[str, Interval] = field(default_factory=dict)
    gap: float | None = None
    n_unitary_alignments: int | None = None
    mean_over_documents: float | None = None
    documents_measured: int | None = None
    per_category: Mapping[str | None, MeasureValue] | None = None
    #: What the value weighs among those of other documents when they are pooled.
    weight: float | None = None
    #: Pairs of units in one unitary alignment, and those among them that do not even overlap.
    n_aligned_pairs: int | None = None
    n_pairs_apart: int | None = None
    #: The range over all tied best alignments of the document, where it was asked for, and how many there are.
    tied: tuple[float, float] | None = None
    n_tied: int | None = None
    notes: tuple[str, ...] = ()
    #: The best alignment the observed disorder belongs to; not part of the JSON.
    alignment: Alignment | None = field(default=None, repr=False, compare=False)
    #: The disorder of each random continuum; not part of the JSON.
    chance_disorders: FloatArray | None = field(default=None, repr=False, compare=False)
    #: Standard deviation of the same, and what tells random continua shared by several documents; not in the JSON.
    chance_sd: float | None = field(default=None, repr=False, compare=False)
    chance_case: str | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.value is None and not self.reason:
            raise ValueError("a value of None needs a reason")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"a value is finite or None with a reason, not {self.value}")

    @property
    def is_proven(self) -> bool:
        """Whether the alignment behind the value is proven to be the best one."""
        return not self.gap

    def to_dict(self) -> dict[str, Any]:
        per_category = self.per_category
        return {
            "value": self.value,
            "reason": self.reason,
            "observed": self.observed,
            "expected": self.expected,
            "n_samples": self.n_samples,
            "intervals": [interval.to_dict() for interval in self.intervals.values()],
            "gap": self.gap,
            "n_unitary_alignments": self.n_unitary_alignments,
            "mean_over_documents": self.mean_over_documents,
            "documents_measured": self.documents_measured,
            "per_category": None
            if per_category is None
            else [{"category": category, **value.to_dict()} for category, value in per_category.items()],
            "weight": self.weight,
            "n_aligned_pairs": self.n_aligned_pairs,
            "n_pairs_apart": self.n_pairs_apart,
            "tied": None if self.tied is None else list(self.tied),
            "n_tied": self.n_tied,
            "notes": list(self.notes),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> MeasureValue:
        per_category = data.get("per_category")
        return cls(
            value=data["value"],
            reason=data.get("reason"),
            observed=data.get("observed"),
            expected=data.get("expected"),
            n_samples=data.get("n_samples"),
            intervals={item["kind"]: Interval.from_dict(item) for item in data.get("intervals", ())},
            gap=data.get("gap"),
            n_unitary_alignments=data.get("n_unitary_alignments"),
            mean_over_documents=data.get("mean_over_documents"),
            documents_measured=data.get("documents_measured"),
            per_category=None
            if per_category is None
            else {item["category"]: cls.from_dict(item) for item in per_category},
            weight=data.get("weight"),
            n_aligned_pairs=data.get("n_aligned_pairs"),
            n_pairs_apart=data.get("n_pairs_apart"),
            tied=None if data.get("tied") is None else (data["tied"][0], data["tied"][1]),
            n_tied=data.get("n_tied"),
            notes=tuple(data.get("notes", ())),
        )


@dataclass(frozen=True)
class DocumentResult:
    """The values of one document."""

    name: str
    annotators: tuple[str, ...]
    n_units: int
    measures: Mapping[str, MeasureValue]

    def __getitem__(self, measure: str) -> MeasureValue:
        return self.measures[measure]

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "annotators": list(self.annotators),
            "units": self.n_units,
            "measures": {name: value.to_dict() for name, value in self.measures.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DocumentResult:
        return cls(data["name"], tuple(data["annotators"]), data["units"], _values(data["measures"]))


@dataclass(frozen=True, slots=True)
class DataSummary:
    """Which data were measured: their fingerprint and their size."""

    sha256: str
    documents: int
    annotators: int
    units: int

    @classmethod
    def of(cls, corpus: Corpus) -> DataSummary:
        return cls(fingerprint(corpus), len(corpus), len(corpus.annotators), corpus.n_units)

    def to_dict(self) -> dict[str, Any]:
        return {
            "sha256": self.sha256,
            "documents": self.documents,
            "annotators": self.annotators,
            "units": self.units,
        }


def outline(continuum: Continuum) -> dict[str, Any]:
    """What a document holds, for the JSON of what was understood of a file."""
    extent = continuum.extent
    return {
        "name": continuum.name,
        "annotators": list(continuum.annotators),
        "units": continuum.n_units,
        "extent": None if extent is None else {"start": extent.start, "end": extent.end, "source": extent.source},
    }


@dataclass(frozen=True)
class Result:
    """Everything one call of `measure` found; `result["gamma"]` is the overall value of a measure.

    `signature` is one line with every parameter, the seed and the version: publish it with the number. Same
    signature and same `data.sha256`, same number.
    """

    signature: str
    parameters: Mapping[str, Any]
    seed: int
    data: DataSummary
    measures: Mapping[str, MeasureValue]
    documents: tuple[DocumentResult, ...]
    problems: tuple[Problem, ...] = ()
    version: str = field(default_factory=package_version)
    #: What was measured, and how: the corpus, its fitted dissimilarity, the chance model; not part of the JSON.
    corpus: Corpus | None = field(default=None, repr=False, compare=False)
    dissimilarity: Any = field(default=None, repr=False, compare=False)
    chance_model: Any = field(default=None, repr=False, compare=False)
    #: What a report shows besides (`unisono.report.data.Details`), where it came from a file; not part of the JSON.
    details: Any = field(default=None, repr=False, compare=False)

    def __getitem__(self, measure: str) -> MeasureValue:
        return self.measures[measure]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "unisono": self.version,
            "signature": self.signature,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "data": self.data.to_dict(),
            "measures": {name: value.to_dict() for name, value in self.measures.items()},
            "documents": [document.to_dict() for document in self.documents],
            "problems": [problem.to_dict() for problem in self.problems],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Result:
        """The result a dictionary of `to_dict` describes; keys this version does not know are ignored."""
        schema = data.get("schema")
        if schema != SCHEMA:
            raise FormatError.of(f"a result of schema {SCHEMA}", f"schema {schema}", "update unisono?", code="schema")
        summary = data["data"]
        return cls(
            signature=data["signature"],
            parameters=data["parameters"],
            seed=data["seed"],
            data=DataSummary(summary["sha256"], summary["documents"], summary["annotators"], summary["units"]),
            measures=_values(data["measures"]),
            documents=tuple(DocumentResult.from_dict(item) for item in data["documents"]),
            problems=tuple(
                Problem(*(item[key] for key in ("code", "severity", "where", "expected", "found", "remedy")))
                for item in data["problems"]
            ),
            version=data["unisono"],
        )

    def __str__(self) -> str:
        # The one named exception to the layers: a result shows itself through the report, loaded by name.
        return str(importlib.import_module("unisono.report.terminal").plain(self))

    def _repr_html_(self) -> str:
        return str(importlib.import_module("unisono.report.notebook").html(self))


def _values(data: Mapping[str, Any]) -> dict[str, MeasureValue]:
    return {name: MeasureValue.from_dict(item) for name, item in data.items()}


def signature_line(measures: Sequence[str], parts: Mapping[str, object]) -> str:
    """One line that says how a number came about: measures, version, then `key:value` for every part.

    >>> signature_line(["gamma"], {"v": "1.0", "d": "sporadic+nominal", "seed": 42})
    'gamma|v:1.0|d:sporadic+nominal|seed:42'
    """
    return "|".join([",".join(measures), *(f"{key}:{value}" for key, value in parts.items())])


def fingerprint(corpus: Corpus) -> str:
    """SHA-256 of what the corpus says: names, annotators, extents, units, features; not of the order it is said in."""
    digest = hashlib.sha256(b"unisono corpus 1\n")
    for continuum in sorted(corpus, key=lambda continuum: continuum.name):
        _add_continuum(digest, continuum)
    return digest.hexdigest()


def _add_continuum(digest: hashlib._Hash, continuum: Continuum) -> None:
    """Add one continuum in canonical form: a line of names, then the columns of the sorted units."""
    # Positions as doubles (exact, below 2**53): 3 and 3.0 are the same position. Adding 0 turns -0.0 into 0.0.
    columns = [np.asarray(column, dtype="<f8") + 0.0 for column in (continuum.starts, continuum.ends)]
    codes = np.asarray(continuum.annotator_codes, dtype="<i4")
    labels: dict[str, list[str]] = {}
    for name in sorted(continuum.features):
        # Only labels in use count, in sorted order, whatever table the codes came with: a corpus may share one with
        # as many labels as it has units, so that nothing here may take a step for each of them.
        feature = continuum.features[name]
        used, place = np.unique(feature.codes, return_inverse=True)
        in_use = [None if code < 0 else feature.labels[code] for code in used.tolist()]
        labels[name] = sorted({label for label in in_use if label is not None})
        rank = {label: i for i, label in enumerate(labels[name])}
        columns.append(np.array([-1 if label is None else rank[label] for label in in_use], dtype="<i4")[place])
    order = np.lexsort((*reversed(columns), codes))
    extent = continuum.extent
    header = [
        continuum.name,
        continuum.annotators,
        None if extent is None else [float(extent.start) + 0.0, float(extent.end) + 0.0],
        labels,
        continuum.n_units,
    ]
    digest.update(json.dumps(header, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    for column in (codes, *columns):
        digest.update(np.ascontiguousarray(column[order]).tobytes())
