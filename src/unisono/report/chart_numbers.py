# SPDX-License-Identifier: MIT
"""The numbers behind the charts, for the report and the page alike: one JSON object, drawn by frontend/charts/.

`docs/charts.md` has its contract. Everything is counted with array operations: a corpus may have thousands of documents
and annotators.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unisono.diagnosis.diagnose import diagnose
from unisono.diagnosis.explanation import findings_of
from unisono.diagnosis.explanation_work import is_quick_to_explain
from unisono.diagnosis.plans import explained_measure
from unisono.measures import MEASURES
from unisono.measures.random_corpora import count_low
from unisono.model import Alignment, Continuum, FloatArray
from unisono.nouns import called, quantity
from unisono.report import NO_CATEGORY, visible
from unisono.report.charts import bins
from unisono.report.data import ReportData
from unisono.report.notation import typeset
from unisono.report.ranking import FEW_UNITS
from unisono.report.sentences import main_interval, symbol
from unisono.report.version_table import version_tables
from unisono.results import Interval, MeasureValue

if TYPE_CHECKING:
    from unisono.diagnosis.explanation import Explanation
    from unisono.diagnosis.finding import Findings

#: Version of the object. 1: the first.
SCHEMA = 1
#: Stretches of equal length that each continuum is cut into, for the agreement along it.
STRETCHES = 20
#: Annotators in the matrix of pairs, and documents and annotators in the grid.
MOST_IN_MATRIX = 60
#: With fewer documents an interval over them says little.
LEAST_DOCUMENTS = 5
#: A standard error below this is nothing but rounding.
ROUNDING = 1e-12
#: Findings in the object.
MOST_FINDINGS = 50
#: A name in a sentence is cut after this many characters.
LONGEST_NAME = 60
#: The quantile of the normal distribution for intervals at the level 0.95.
_NORMAL = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Matches:
    """How often annotators marked what another one marked: a row for each document and each of its annotators.

    asked: pairs of this annotator and another one, over the unitary alignments in which one of the two has a unit;
    matched: those in which both have one, of the same category. Not corrected for chance.
    """

    document: NDArray[np.int64]
    annotator: NDArray[np.int64]
    matched: NDArray[np.int64]
    asked: NDArray[np.int64]


def overview(data: ReportData, explanation: Explanation | None = None) -> dict[str, Any]:
    """Everything the charts and the first screen show of a result, ready for JSON; parts that are unknown are None.

    The findings come from the alignment, at once; with an explanation they have their gains, and there are error
    equivalents and what-if.
    """
    overall = data.result[data.main]
    matches = matches_of(data)
    return {
        "schema": SCHEMA,
        "sha256": data.result.data.sha256,
        "measure": data.main,
        "symbol": symbol(data.main),
        "value": overall.value,
        "interval": _bounds(main_interval(overall)),
        "few_units": FEW_UNITS,
        "shares": None if data.shares is None else list(data.shares),
        "categories": _categories(data),
        "confusion": _confusion(data),
        "annotators": _annotators(data, matches),
        "pairs": _pairs(data),
        "along": along(data),
        "grid": _grid(data, matches),
        "chance": _chance(data),
        "versions": version_tables(data.result, data.order) if data.has_text else [],
        "to_look_at": sum(int(np.count_nonzero(each.reasons)) for each in data.gold if each is not None),
        "pointers": pointers(data),
        "is_quick_to_explain": is_quick_to_explain(data.corpus),
        "can_be_explained": overall.value is not None and explained_measure(data.result) is not None,
        **diagnosis_of(data, explanation),
    }


def diagnosis_of(data: ReportData, explanation: Explanation | None = None) -> dict[str, Any]:
    """The findings, the first ones if there are many, and how many there are; equivalents and what-if if explained."""
    if explanation is not None:
        findings: Findings | None = explanation.findings
    else:
        diagnosis = diagnose(data.result)
        findings = None if diagnosis is None else findings_of(diagnosis, data.result)
    return {
        "findings": None if findings is None else [each.to_dict() for each in findings[:MOST_FINDINGS]],
        "n_findings": len(findings or ()),
        "equivalents": None if explanation is None else [each.to_dict() for each in explanation.equivalents],
        "what_if": None if explanation is None else [each.to_dict() for each in explanation.what_if],
    }


def pointers(data: ReportData) -> list[dict[str, Any]]:
    """Where to look first, each with its evidence: {"kind", "sentence", "document"} or {"kind", "sentence", "case"}.

    The document that contributes most to the disorder, the annotator furthest below the others, the categories confused
    most often, the category with the lowest γk. A pointer needs something to compare with: at least two documents,
    three annotators, two categories; otherwise it is left out.
    """
    found: list[dict[str, Any]] = []
    documents = data.result.documents
    measured = [i for i in data.order if documents[i][data.main].value is not None and data.alignments[i] is not None]
    if len(measured) > 1:
        worst = documents[measured[0]]
        value = worst[data.main]
        if (value.contribution or 0.0) > 0:
            sentence = (
                f"{_isolate_name('Document', worst.name)} contributes most to the disorder of the {len(measured):,} "
                f"documents: {symbol(data.main)} {typeset(value.value)}."
            )
            found.append({"kind": "document", "sentence": sentence, "document": worst.name})
    tables = data.details.annotators
    if tables is not None and tables["outlier"] is not None and len(tables["annotators"]) > 2:
        row = next(each for each in tables["against_rest"] if each["annotator"] == tables["outlier"])
        sentence = (
            f"{_isolate_name('Annotator', row['annotator'])} agrees least with the others: {symbol(tables['measure'])} "
            f"{typeset(row['value'])}, theirs among themselves {typeset(row['others'])}."
        )
        found.append({"kind": "annotator", "sentence": sentence, "case": {"annotator": row["annotator"]}})
    confusion = data.confusion
    worst_pairs = [] if confusion is None else confusion.worst(1)
    if confusion is not None and worst_pairs:
        i, j, n = worst_pairs[0]
        pair = [confusion.labels[i], confusion.labels[j]]
        first, second = map(_isolate_name, ("Category", "category"), (label or NO_CATEGORY for label in pair))
        sentence = f"{first} and {second} are confused most often: {quantity(n, 'pair')} of {confusion.total:,}."
        found.append({"kind": "categories", "sentence": sentence, "case": {"categories": pair}})
    reliable = {
        row.label: (row.value.value, row.units)
        for row in data.categories
        if row.value is not None and row.value.value is not None and not row.is_small
    }
    if len(reliable) > 1:
        label, (lowest, n_units) = min(reliable.items(), key=lambda each: each[1][0])
        name = _isolate_name("Category", label or NO_CATEGORY)
        sentence = f"{name} is recognised least reliably: γk {typeset(lowest)}, {quantity(n_units, 'unit')}."
        found.append({"kind": "category", "sentence": sentence, "case": {"category": label}})
    return found


def _isolate_name(noun: str, name: str) -> str:
    """A name in a sentence: control characters escaped, its writing direction kept apart from the words around it.

    noun: what the name stands for; put before a name without letters.
    """
    shown = visible(name)
    return called(noun, name, f"\u2068{shown if len(shown) <= LONGEST_NAME else shown[:LONGEST_NAME] + '…'}\u2069")


def matches_of(data: ReportData) -> Matches:
    """The matches of each annotator in each document that has an alignment.

    With u units of an annotator in a document of n annotators and N units, and s units in each unitary alignment that
    holds one of theirs: asked = (n - 1) u + N - sum(s), because their own units meet n - 1 others each, and of the
    unitary alignments without them every unit is one that they could have marked.
    """
    place = {name: i for i, name in enumerate(data.corpus.annotators)}
    columns: list[list[NDArray[np.int64]]] = [[], [], [], []]
    for number, alignment in enumerate(data.alignments):
        if alignment is None:
            continue
        continuum = alignment.continuum
        n = continuum.n_annotators
        codes, group = continuum.annotator_codes, alignment.group.astype(np.int64)
        sizes = np.bincount(group, minlength=len(alignment))
        together = np.bincount(codes, weights=sizes[group], minlength=n).astype(np.int64)
        labels = _labels(data, continuum)
        key = group * (int(labels.max(initial=-1)) + 2) + labels + 1
        _, place_of_key, times = np.unique(key, return_inverse=True, return_counts=True)
        same = times[place_of_key.reshape(-1)] - 1
        matched = np.bincount(codes, weights=same, minlength=n).astype(np.int64)
        columns[0].append(np.full(n, number, dtype=np.int64))
        columns[1].append(np.array([place[name] for name in continuum.annotators], dtype=np.int64))
        columns[2].append(matched)
        columns[3].append((n - 1) * continuum.counts + continuum.n_units - together)
    empty = np.empty(0, dtype=np.int64)
    return Matches(*(np.concatenate([empty, *column]) for column in columns))


def _labels(data: ReportData, continuum: Continuum) -> NDArray[np.int64]:
    feature = continuum.features.get(data.details.feature)
    return np.full(len(continuum), -1, dtype=np.int64) if feature is None else feature.codes.astype(np.int64)


def match_shares(matches: Matches, n_annotators: int) -> list[dict[str, Any]]:
    """The share of matches of each annotator over all documents, with an interval over documents.

    A ratio of sums; its standard error is that of the ratio estimator, sqrt(k / (k - 1) * sum((m - r q)^2)) / sum(q)
    over the k documents. No interval below five documents, nor where all have the same share: its spread is unknown.
    """
    who = matches.annotator
    asked = np.bincount(who, weights=matches.asked, minlength=n_annotators)
    matched = np.bincount(who, weights=matches.matched, minlength=n_annotators)
    seen = np.bincount(who[matches.asked > 0], minlength=n_annotators)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = matched / asked
        residual = matches.matched - share[who] * matches.asked
        spread = np.bincount(who, weights=np.where(matches.asked > 0, residual, 0.0) ** 2, minlength=n_annotators)
        error = np.sqrt(spread * seen / (seen - 1)) / asked
    rows = []
    for i in range(n_annotators):
        interval = None
        if seen[i] >= LEAST_DOCUMENTS and error[i] > ROUNDING:
            low, high = share[i] - _NORMAL * error[i], share[i] + _NORMAL * error[i]
            interval = [max(0.0, float(low)), min(1.0, float(high))]
        rows.append({"share": float(share[i]) if asked[i] > 0 else None, "interval": interval,
                     "matched": int(matched[i]), "asked": int(asked[i])})  # fmt: skip
    return rows


def _annotators(data: ReportData, matches: Matches) -> dict[str, Any]:
    """Each annotator against the rest: by the measure where the pairs were measured, always by the matches."""
    tables = data.details.annotators
    measured: dict[str, Mapping[str, Any]] = {}
    if tables is not None and len(tables["annotators"]) > 2:
        measured = {row["annotator"]: row for row in tables["against_rest"]}
    shares = match_shares(matches, len(data.annotators))
    rows = []
    for row, share in zip(data.annotators, shares, strict=True):
        against = measured.get(row.name, {})
        interval = against.get("interval")
        rows.append({
            "annotator": row.name,
            "documents": row.documents,
            "units": row.units,
            "alone": row.alone,
            "value": against.get("value"),
            "interval": None if interval is None else [interval["low"], interval["high"]],
            "others": against.get("others"),
            "contribution": against.get("contribution"),
            "reason": against.get("reason"),
            "matches": share,
        })  # fmt: skip
    return {"is_measured": bool(measured), "outlier": None if tables is None else tables["outlier"], "rows": rows}


def _pairs(data: ReportData) -> dict[str, Any] | None:
    """The matrix of pairs, similar annotators beside each other; None if the pairs were not measured."""
    tables = data.details.annotators
    if tables is None or not 3 <= len(tables["annotators"]) <= MOST_IN_MATRIX:
        return None
    names = tables["annotators"]
    place = {name: i for i, name in enumerate(names)}
    values = np.full((len(names), len(names)), np.nan)
    documents = np.zeros((len(names), len(names)), dtype=np.int64)
    reasons = []
    for pair in tables["pairs"]:
        i, j = (place[name] for name in pair["annotators"])
        if pair["value"] is None:
            reasons.append({"annotators": pair["annotators"], "reason": pair["reason"]})
        else:
            values[i, j] = values[j, i] = pair["value"]
            documents[i, j] = documents[j, i] = pair.get("documents_measured") or 0
    order = similarity_order(values)
    shown = values[np.ix_(order, order)]
    return {
        "measure": tables["measure"],
        "symbol": MEASURES[tables["measure"]].symbol,
        "annotators": [names[i] for i in order],
        "values": [[None if np.isnan(value) else float(value) for value in row] for row in shown],
        "documents": documents[np.ix_(order, order)].tolist(),
        "reasons": reasons,
    }


def similarity_order(values: FloatArray) -> list[int]:
    """Numbers of rows so that those with high values stand side by side: a chain, extended at its better end.

    It begins with the highest pair; the next is the one with the highest value with either end. Missing values count
    as the mean, ties go to the lower number.
    """
    n = len(values)
    if n < 3 or np.isnan(values).all():
        return list(range(n))
    filled = np.where(np.isnan(values), np.nanmean(values), values)
    np.fill_diagonal(filled, -np.inf)
    i, j = divmod(int(np.argmax(filled)), n)
    chain = [i, j]
    rest = [k for k in range(n) if k not in chain]
    while rest:
        first = max(rest, key=lambda k: (filled[chain[0], k], -k))
        last = max(rest, key=lambda k: (filled[chain[-1], k], -k))
        if filled[chain[0], first] > filled[chain[-1], last]:
            chain.insert(0, first)
            rest.remove(first)
        else:
            chain.append(last)
            rest.remove(last)
    return chain


def _categories(data: ReportData) -> list[dict[str, Any]]:
    """γk of every category with its units, the most frequent first."""
    rows = sorted(data.categories, key=lambda row: (-row.units, row.label is None, row.label or ""))
    return [
        {
            "category": row.label,
            "units": row.units,
            "annotators": row.annotators,
            "alone": row.alone,
            **_value(row.value),
        }
        for row in rows
    ]


def _value(value: MeasureValue | None) -> dict[str, Any]:
    if value is None:
        return {"value": None, "interval": None, "reason": None, "contribution": None}
    return {
        "value": value.value,
        "interval": _bounds(main_interval(value)) if value.value is not None else None,
        "reason": value.reason,
        "contribution": value.contribution,
    }


def _confusion(data: ReportData) -> dict[str, Any] | None:
    confusion = data.confusion
    if confusion is None:
        return None
    return {
        "categories": list(confusion.labels),
        "n_rare": confusion.n_rare,
        "pairs": confusion.pairs.tolist(),
        "missing": confusion.missing.tolist(),
    }


def _chance(data: ReportData) -> dict[str, Any] | None:
    """The random disorders as a histogram beside the observed one; None where there are none."""
    chance = data.chance
    if chance is None:
        return None
    counts, edges = bins(chance)
    return {
        "observed": chance.observed,
        "expected": chance.expected,
        "n": len(chance.disorders),
        "documents": chance.documents,
        "below": count_low(chance.disorders, chance.observed),
        "edges": edges.tolist(),
        "counts": counts.tolist(),
    }


def along(data: ReportData) -> list[dict[str, Any]] | None:
    """The mean disorder of the unitary alignments in each of STRETCHES equal parts of the continuum, over documents.

    A unitary alignment counts where its middle is. None without alignments.
    """
    sums, counts = np.zeros(STRETCHES), np.zeros(STRETCHES, dtype=np.int64)
    for alignment in data.alignments:
        if alignment is None or not len(alignment):
            continue
        stretch = stretches_of(alignment)
        sums += np.bincount(stretch, weights=alignment.disorders, minlength=STRETCHES)
        counts += np.bincount(stretch, minlength=STRETCHES)
    if not counts.any():
        return None
    return [
        {
            "from": i / STRETCHES,
            "to": (i + 1) / STRETCHES,
            "unitary_alignments": int(counts[i]),
            "disorder": float(sums[i] / counts[i]) if counts[i] else None,
        }
        for i in range(STRETCHES)
    ]


def stretches_of(alignment: Alignment) -> NDArray[np.int64]:
    """In which of the equal parts of the continuum the middle of each unitary alignment lies."""
    continuum = alignment.continuum
    first = np.full(len(alignment), np.inf)
    last = np.full(len(alignment), -np.inf)
    np.minimum.at(first, alignment.group, continuum.starts)
    np.maximum.at(last, alignment.group, continuum.ends)
    extent = continuum.extent
    start, end = (first.min(), last.max()) if extent is None else (float(extent.start), float(extent.end))
    length = end - start or 1.0
    share: FloatArray = ((first + last) / 2 - start) / length
    return np.clip(share * STRETCHES, 0, STRETCHES - 1).astype(np.int64, copy=False)


def _grid(data: ReportData, matches: Matches) -> dict[str, Any] | None:
    """Documents by annotators: the share of matches; the first documents in order, the annotators of most units."""
    documents = [i for i in data.order if data.alignments[i] is not None][:MOST_IN_MATRIX]
    if len(documents) < 2 or len(data.annotators) < 3:
        return None
    chosen = np.isin(matches.document, documents)
    units = np.bincount(matches.annotator[chosen], weights=matches.asked[chosen], minlength=len(data.annotators))
    most = np.argsort(-units, kind="stable")[:MOST_IN_MATRIX]
    shown = sorted(i for i in most.tolist() if units[i] > 0)
    row, column = {i: k for k, i in enumerate(documents)}, {i: k for k, i in enumerate(shown)}
    cells: list[list[list[int] | None]] = [[None] * len(shown) for _ in documents]
    numbers = zip(matches.document, matches.annotator, matches.matched, matches.asked, strict=True)
    for document, who, matched, asked in numbers:
        if document in row and who in column and asked:
            cells[row[int(document)]][column[int(who)]] = [int(matched), int(asked)]
    return {
        "documents": documents,
        "names": [data.corpus[i].name for i in documents],
        "annotators": [data.annotators[i].name for i in shown],
        "cells": cells,
        "n_documents": sum(each is not None for each in data.alignments),
        "n_annotators": len(data.annotators),
    }


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]
