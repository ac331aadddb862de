# SPDX-License-Identifier: MIT
"""`explain`: what a measured value means and what to do next, in one object."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unisono.api import measure
from unisono.diagnosis.advice import advise
from unisono.diagnosis.alignment_columns import corpus_of
from unisono.diagnosis.boundary_differences import BoundaryTexts
from unisono.diagnosis.diagnose import Diagnosis, diagnose
from unisono.diagnosis.finding import Findings, Gain, sort_findings, with_gains
from unisono.diagnosis.finding_sentences import annotator_findings
from unisono.diagnosis.general import (
    category_findings,
    confusion_findings,
    document_findings,
    general_findings,
    reading_rule,
    short_finding,
)
from unisono.diagnosis.plans import explained_measure
from unisono.diagnosis.properties import properties_of
from unisono.diagnosis.rows import Row, annotator_rows, category_rows, confusion_rows
from unisono.diagnosis.significance import significance
from unisono.errors import ParameterError
from unisono.frames import Backend, Rows, build_frame, columns_of
from unisono.io.read import as_corpus
from unisono.model import Corpus
from unisono.results import TEXT_MEASURE, MeasureValue, Result

Progress = Callable[..., None]

#: Version of the JSON of an explanation. 1: the first.
SCHEMA = 1


@dataclass(frozen=True)
class Explanation:
    """What a measured value means: findings, error equivalents, what-if, the habits of annotators and categories.

    Everything is computed once; `to_dict` is the JSON contract (docs/json.md). Tables are rows with `to_frame`.
    """

    signature: str
    #: The value that is explained, and its name.
    measure: str
    value: MeasureValue
    findings: Findings
    equivalents: Rows[Any] = field(default_factory=Rows)
    what_if: Rows[Any] = field(default_factory=Rows)
    annotators: Rows[Row] = field(default_factory=Rows)
    categories: Rows[Row] = field(default_factory=Rows)
    #: Every two categories that aligned units have.
    confusions: Rows[Row] = field(default_factory=Rows)
    significance: Any = None
    properties: Any = None
    advice: Rows[Any] = field(default_factory=Rows)

    def to_dict(self) -> dict[str, Any]:
        def rows(items: Sequence[Any]) -> list[dict[str, Any]]:
            return [item.to_dict() for item in items]

        return {
            "schema": SCHEMA,
            "signature": self.signature,
            "measure": self.measure,
            "gamma": self.value.to_dict(),
            "findings": rows(self.findings),
            "equivalents": rows(self.equivalents),
            "what_if": rows(self.what_if),
            "annotators": rows(self.annotators),
            "categories": rows(self.categories),
            "confusions": rows(self.confusions),
            "significance": None if self.significance is None else self.significance.to_dict(),
            "properties": {} if self.properties is None else self.properties.to_dict(),
            "advice": rows(self.advice),
        }

    def to_frame(self, table: str = "findings", *, backend: Backend | None = None) -> Any:
        """One of the tables as a data frame: findings, equivalents, what_if, annotators, categories, confusions."""
        data = self.to_dict()
        if not isinstance(data.get(table), list):
            tables = [name for name, value in data.items() if isinstance(value, list)]
            raise KeyError(f"{table!r} is not a table of an explanation; there are {', '.join(tables)}")
        return build_frame(columns_of(flat_columns(row) for row in data[table]), backend, empty=str)

    def __str__(self) -> str:
        # An exception to the layers, as for a result: the report is imported by name.
        return str(importlib.import_module("unisono.report.explanation_text").plain(self))


def flat_columns(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a row, those of nested mappings under joined names; lists of mappings are left out.

    >>> flat_columns({"annotator": "ann", "misses": {"value": 0.5, "low": 0.2}, "interval": [0.1, 0.2]})
    {'annotator': 'ann', 'misses': 0.5, 'misses_low': 0.2, 'low': 0.1, 'high': 0.2}
    """
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name == "subject":
            flat |= value
        elif name == "interval":
            flat |= dict(zip(("low", "high"), value or (None, None), strict=True))
        elif isinstance(value, Mapping):
            flat |= {name if key == "value" else f"{name}_{key}": each for key, each in value.items()}
        elif not isinstance(value, list):
            flat[name] = value
    return flat


def explain(data: Any, *, progress: Progress | None = None, what_if: bool = True, **settings: Any) -> Explanation:
    """What the agreement of annotators means, what causes it, and what to do next.

    data: what `measure` takes, which is then measured with these settings, or a result of `measure`, which has its own.
    what_if: whether to compute what γ would be if one thing were settled, and how large errors would give the value;
    both measure again.

    >>> import unisono
    >>> letter = {"ann": [(0, 5, "A"), (7, 9, "B")], "bob": [(0, 5, "A"), (7, 9, "B")]}
    >>> explain(unisono.corpus({"one": letter}), seed=1, samples=30, what_if=False).findings
    ()
    """
    if isinstance(data, Result) and settings:
        raise ParameterError.of(
            f"a result has its own settings, and {', '.join(f'[[{name}]]' for name in settings)} cannot be changed",
            "Give the data instead of the result.",
            code="settings-of-result",
        )
    result = data if isinstance(data, Result) else measure_to_explain(data, **settings)
    return _explanation_of(result, _measure_again(result, result, progress) if what_if else {})


def explain_anonymous(result: Result, named: Result, *, progress: Progress | None = None) -> Explanation:
    """The explanation of a result with letters instead of names; `named`: the result as it was measured.

    Error equivalents name nobody, and are those of the result as it was measured: only that can always be measured
    again.
    """
    return _explanation_of(result, _measure_again(result, named, progress))


def _explanation_of(result: Result, parts: Mapping[str, Any]) -> Explanation:
    """parts: what-if and equivalents, where they were computed."""
    properties = properties_of(corpus_of(result))
    name = explained_measure(result) or next(iter(result.measures))
    diagnosis = diagnose(result)
    findings = Findings() if diagnosis is None else findings_of(diagnosis, result)
    gains = {
        (row.settled, *sorted(str(part) for part in row.subject.values())): Gain(row.now, row.gamma)
        for row in parts.get("what_if", ())
        if row.gain is not None
    }
    from unisono.measures import MEASURES

    symbol = MEASURES[name].symbol if name in MEASURES else name
    return Explanation(
        result.signature,
        name,
        result[name],
        with_gains(findings, gains, symbol, result[name].value),
        annotators=Rows() if diagnosis is None else annotator_rows(diagnosis),
        categories=Rows() if diagnosis is None else category_rows(diagnosis),
        confusions=Rows() if diagnosis is None else confusion_rows(diagnosis),
        significance=significance(result),
        properties=properties,
        advice=Rows(advise(properties)),
        **parts,
    )


def measure_to_explain(data: Any, **settings: Any) -> Result:
    """The corpus measured with what an explanation needs: γ, and γcat where units have categories.

    Where annotators have texts of their own, positions do not compare, and text-γ is measured.
    """
    corpus = as_corpus(data)
    if any(continuum.own_texts is not None for continuum in corpus):
        return measure(corpus, [TEXT_MEASURE], **settings)
    names = ["gamma", "gamma-cat"] if corpus.labels() else ["gamma"]
    return measure(corpus, names, **settings)


def _measure_again(result: Result, named: Result, progress: Progress | None) -> dict[str, Any]:
    """What-if, and the equivalents of the result as it was measured."""
    from unisono.diagnosis.equivalents import equivalents
    from unisono.diagnosis.what_if import what_if

    return {
        "what_if": Rows(what_if(result, progress=progress)),
        "equivalents": Rows(equivalents(named, progress=progress)),
    }


def findings_of(diagnosis: Diagnosis, result: Result) -> Findings:
    """The findings of a diagnosis, in their order, with the rule that compares the values of the result."""
    return sort_findings([*findings_without_values(diagnosis, corpus_of(result)), *reading_rule(result)])


def findings_without_values(diagnosis: Diagnosis, corpus: Corpus) -> Findings:
    """The findings that follow from the alignment alone."""
    found = [
        *annotator_findings(diagnosis, BoundaryTexts.of(diagnosis.units, diagnosis.cells, corpus)),
        *confusion_findings(diagnosis),
        *short_finding(diagnosis),
        *general_findings(diagnosis),
        *category_findings(diagnosis),
        *document_findings(diagnosis),
    ]
    return sort_findings(found)
